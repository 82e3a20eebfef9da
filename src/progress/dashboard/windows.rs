//! All windows (or phases, where each stands alone) of a run: which are done, which one is worked on,
//! which wait, and how long they took or will take.

use super::frame::{Ending, View};
use super::pen::{Pen, Row};
use crate::base::text;
use std::time::Duration;

/// A window in words.
#[derive(Clone, PartialEq, Debug)]
struct Window {
    phases: Vec<u8>,
    state: State,
    spent: Duration,
    remaining: Option<Duration>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Done,
    Active,
    Waiting,
}

/// At most `most` rows; none where there are fewer than two windows.
pub(super) fn rows(view: &View<'_>, pen: &Pen, most: usize) -> Vec<Row> {
    let windows = look(view);
    if windows.len() < 2 || most == 0 || view.ending == Ending::Finished {
        return Vec::new();
    }
    let name = match windows.iter().any(|window| window.phases.len() > 1) {
        true => "Windows",
        false => "Phases",
    };
    let label = pen.label(name, "🧩");
    let room = pen
        .width
        .saturating_sub(console::measure_text_width(&label));
    let shown = fitting(&windows, pen, room, most);
    let rows = shown.iter().enumerate().map(|(index, parts)| {
        let name = if index == 0 { name } else { "" };
        let emoji = if index == 0 { "🧩" } else { "  " };
        pen.segments(5, name, emoji, parts)
    });
    rows.collect()
}

fn look(view: &View<'_>) -> Vec<Window> {
    let of_anchor = |estimate: &crate::progress::estimate::CampaignEstimate| {
        let of_it = || {
            view.now
                .phases
                .iter()
                .filter(|phase| phase.anchor == estimate.anchor)
        };
        let state = if of_it().all(|phase| phase.done >= phase.target) {
            State::Done
        } else if of_it().any(|phase| view.now.active.contains(&phase.phase)) {
            State::Active
        } else {
            State::Waiting
        };
        Window {
            phases: of_it().map(|phase| phase.phase).collect(),
            state,
            spent: estimate.spent,
            remaining: estimate.remaining,
        }
    };
    view.numbers
        .estimate
        .campaigns
        .iter()
        .map(of_anchor)
        .collect()
}

/// The windows in rows: all of them, else the finished ones as a number, else of those that wait as
/// many as there is room for.
fn fitting(windows: &[Window], pen: &Pen, room: usize, most: usize) -> Vec<Vec<String>> {
    let of = |state: State| windows.iter().filter(move |window| window.state == state);
    let one_by_one = |state: State| of(state).map(|window| words(window, pen));
    let waiting: Vec<&Window> = of(State::Waiting).collect();
    let all: Vec<String> = windows.iter().map(|window| words(window, pen)).collect();
    let mut rows = pack(&all, pen, room);
    let mut shown = waiting.len();
    while rows.len() > most {
        let mut parts = Vec::new();
        let done = of(State::Done).count();
        if done > 0 {
            let spent: Duration = of(State::Done).map(|window| window.spent).sum();
            parts.push(timed(&format!("{done} done"), spent));
        }
        parts.extend(one_by_one(State::Active));
        parts.extend(waiting[..shown].iter().map(|window| words(window, pen)));
        let hidden = &waiting[shown..];
        if !hidden.is_empty() {
            let time: Option<Duration> = hidden.iter().map(|window| window.remaining).sum();
            let time = time.map_or(String::new(), |time| format!(" ~{}", text::duration(time)));
            parts.push(format!("{} wait{time}", hidden.len()));
        }
        rows = pack(&parts, pen, room);
        if shown == 0 {
            rows.truncate(most);
            break;
        }
        shown -= 1;
    }
    rows
}

fn words(window: &Window, pen: &Pen) -> String {
    let phases = text::phases(&window.phases);
    match window.state {
        State::Done => timed(&format!("{phases} done"), window.spent),
        State::Active => {
            let left = match window.remaining {
                Some(left) => format!("{} left", text::duration(left)),
                None => "active".to_owned(),
            };
            pen.paint("1", &format!("{phases} {left}"))
        }
        State::Waiting => match window.remaining {
            Some(time) => format!("{phases} ~{}", text::duration(time)),
            None => format!("{phases} waits"),
        },
    }
}

/// With the time of this run, where it was this run's work.
fn timed(words: &str, spent: Duration) -> String {
    match spent {
        Duration::ZERO => words.to_owned(),
        spent => format!("{words} {}", text::duration(spent)),
    }
}

/// As many parts in a row as fit.
fn pack(parts: &[String], pen: &Pen, room: usize) -> Vec<Vec<String>> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for part in parts {
        let fits = |row: &Vec<String>| {
            let mut longer = row.clone();
            longer.push(part.clone());
            let text = pen.join(&longer, usize::MAX);
            console::measure_text_width(&text) <= room
        };
        match rows.last_mut() {
            Some(row) if fits(row) => row.push(part.clone()),
            _ => rows.push(vec![part.clone()]),
        }
    }
    rows
}
