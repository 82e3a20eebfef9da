//! Composes the dashboard's rows for a window of any size. Knows no terminal.

use super::pen::{Content, Look, Pen, Row, WIDEST};
use super::warnings::Warnings;
use super::windows;
use crate::base::shown::Shown;
use crate::base::text::{self, count, rate};
use crate::progress::estimate::Estimate;
use crate::progress::event::{Losses, PhaseProgress, RunInfo, Snapshot};
use crate::progress::numbers::Numbers;
use jiff::ZonedDateTime;
use std::time::Duration;

/// Rows that tell of all windows.
const MOST_WINDOW_ROWS: usize = 4;

/// How the run stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::progress) enum Ending {
    /// It goes on.
    Running,
    /// Everything is done.
    Finished,
    /// Stopped by a signal.
    Interrupted,
    /// Ended by an error.
    Failed,
}

/// All that a frame shows.
pub(in crate::progress) struct View<'a> {
    pub(in crate::progress) info: &'a RunInfo,
    pub(in crate::progress) now: &'a Snapshot,
    pub(in crate::progress) numbers: &'a Numbers,
    pub(in crate::progress) ending: Ending,
    pub(in crate::progress) warnings: &'a Warnings,
    /// Points of a learning curve, oldest first.
    pub(in crate::progress) checks: &'a [String],
    pub(in crate::progress) clock: &'a ZonedDateTime,
}

/// The rows of a frame for a window of `columns` × `rows`: at most `rows` − 1 (and at least one),
/// none wider than `columns` − 1.
pub(in crate::progress) fn compose(
    view: &View<'_>,
    look: Look,
    columns: usize,
    rows: usize,
) -> Vec<String> {
    let pen = Pen {
        look,
        width: columns.saturating_sub(1).clamp(1, WIDEST),
    };
    let room = rows.saturating_sub(1).max(1);
    let mut fixed = vec![header(view, &pen)];
    fixed.extend(total(view, &pen));
    fixed.push(speed(view, &pen));
    fixed.push(time(view, &pen));
    let campaign = campaign(view, &pen);
    let mut below: Vec<Row> = Vec::new();
    below.extend(warnings(view, &pen));
    below.extend(games(view, &pen));
    below.extend(engines(view, &pen));
    below.extend(split(view, &pen));
    below.push(pen.segments(8, "Output", "📁", &[output(view)]));

    let taken = fixed.len() + below.len() + usize::from(campaign.is_some());
    let mut left = room.saturating_sub(taken);
    // Bars come first where rows are few: the windows then share one row, if any.
    let for_windows = match left {
        0..6 => 0,
        _ => left
            .saturating_sub(active(view).len())
            .clamp(1, MOST_WINDOW_ROWS),
    };
    let windows = windows::rows(view, &pen, for_windows);
    left -= windows.len();
    let phases = phase_bars(view, &pen, left);
    left -= phases.len();
    let mut all = fixed;
    all.extend(windows);
    all.extend(campaign);
    all.extend(phases);
    all.extend(checks(view, &pen, left));
    all.extend(below);

    let mut ranks: Vec<u8> = all.iter().map(|row| row.rank).collect();
    ranks.sort_unstable();
    let highest = ranks[room.min(ranks.len()) - 1];
    all.retain(|row| row.rank <= highest);
    all.truncate(room);
    // Bars end in one column, wherever their figures do.
    let widest = all.iter().map(|row| match &row.content {
        Content::Text(_) => 0,
        Content::Bar { figures, .. } => figures.len(),
    });
    let widest = widest.max().unwrap_or(0);
    all.into_iter()
        .map(|row| pen.render(row.content, widest))
        .collect()
}

fn header(view: &View<'_>, pen: &Pen) -> Row {
    let info = view.info;
    let title = match view.ending {
        Ending::Running => pen.paint("1", &format!("rdg {}", info.command)),
        Ending::Finished => pen.paint("1;32", &format!("rdg {}: finished", info.command)),
        Ending::Interrupted => pen.paint("1;33", &format!("rdg {}: interrupted", info.command)),
        Ending::Failed => pen.paint(
            "1;31",
            &format!("rdg {}: stopped by an error", info.command),
        ),
    };
    let mut parts = vec![title];
    if !info.mode.is_empty() {
        parts.push(info.mode.replace('_', " "));
    }
    if !info.engine.is_empty() {
        parts.push(info.engine.shown().to_string());
    }
    if info.workers > 0 {
        let plural = if info.workers == 1 { "" } else { "s" };
        parts.push(format!("{} worker{plural}", info.workers));
    }
    if let Some(seed) = info.seed {
        parts.push(format!("seed {seed}"));
    }
    Row::text(6, pen.join(&parts, pen.width))
}

/// The bar over everything, of samples and, where there are such, of steps.
fn total(view: &View<'_>, pen: &Pen) -> Vec<Row> {
    let numbers = view.numbers;
    let mut rows = Vec::new();
    let color = match view.ending {
        Ending::Finished => "32",
        _ => "36",
    };
    if numbers.target > 0 {
        let share = numbers.share.unwrap_or(0.0);
        let tail = format!("{} / {}", count(numbers.done), count(numbers.target));
        rows.push(pen.bar(0, pen.label("Total", "🎯"), share, tail, color));
    }
    if let Some(steps) = view.now.steps {
        let name = format!("{}s", steps.unit);
        let name = capitalised(&name);
        let rank = u8::from(numbers.target > 0) * 4;
        match steps.total {
            Some(total) if total > 0 => {
                let share = steps.done.min(total) as f64 / total as f64;
                let amount = |number| text::amount(number, steps.unit);
                let tail = format!("{} / {}", amount(steps.done), amount(total));
                rows.push(pen.bar(rank, pen.label(&name, "🎯"), share, tail, color));
            }
            _ => {
                let done = text::amount(steps.done, steps.unit);
                rows.push(pen.segments(rank, &name, "🎯", &[done]));
            }
        }
    }
    if let Some(score) = view.now.score.filter(|score| score.games() > 0) {
        let parts = [
            format!("{} won", count(score.wins)),
            format!("{} drawn", count(score.draws)),
            format!("{} lost", count(score.losses)),
            format!("{:.1} %", 100.0 * score.score()),
            format!("{:+.1} discs", score.mean_difference()),
        ];
        rows.push(pen.segments(1, "Score", "🏆", &parts));
    }
    if rows.is_empty() {
        rows.push(pen.segments(
            0,
            "Total",
            "🎯",
            &[format!("{} samples", count(numbers.done))],
        ));
    }
    rows
}

fn speed(view: &View<'_>, pen: &Pen) -> Row {
    let estimate = &view.numbers.estimate;
    let mut parts = Vec::new();
    if let Some(steps) = view.now.steps {
        parts.push(text::unit_rate(
            estimate.recent_steps_per_second,
            steps.unit,
        ));
    }
    let per_hour = counts_by_the_hour(estimate);
    if view.now.steps.is_none() || view.numbers.new > 0 {
        parts.push(format!("{} samples/s", rate(estimate.samples_per_second)));
    }
    if view.now.games > 0 {
        let games = estimate.games_per_second;
        parts.push(match per_hour {
            true => format!("{} games/h", rate(games * 3600.0)),
            false => format!("{} games/s", rate(games)),
        });
    }
    if view.numbers.new > 0 {
        let games = match (view.now.games, per_hour) {
            (0, _) => String::new(),
            (_, true) => format!(" and {}", rate(estimate.recent_games_per_second * 3600.0)),
            (_, false) => format!(" and {}", rate(estimate.recent_games_per_second)),
        };
        let samples = rate(estimate.recent_samples_per_second);
        parts.push(format!("last minute {samples}{games}"));
    }
    pen.segments(2, "Speed", "⚡", &parts)
}

/// Whether games are told by the hour: on long runs, and where one takes longer than a second.
fn counts_by_the_hour(estimate: &Estimate) -> bool {
    estimate.elapsed >= Duration::from_secs(3600) || estimate.games_per_second < 1.0
}

fn time(view: &View<'_>, pen: &Pen) -> Row {
    let estimate = &view.numbers.estimate;
    let mut parts = vec![format!("elapsed {}", text::duration(estimate.elapsed))];
    match (view.ending, estimate.remaining) {
        (Ending::Running, Some(remaining)) => {
            parts.push(pen.paint("1", &format!("ETA {}", text::duration(remaining))));
            parts.push(format!("ends {}", text::clock(view.clock, remaining)));
        }
        (Ending::Running, None) => parts.push("ETA not known yet".to_owned()),
        _ => parts.push(format!("ended {}", view.clock.strftime("%H:%M"))),
    }
    pen.segments(1, "Time", "🕒", &parts)
}

/// The phases being worked on.
fn active<'a>(view: &View<'a>) -> Vec<&'a PhaseProgress> {
    let is_active = |phase: &&PhaseProgress| view.now.active.contains(&phase.phase);
    view.now.phases.iter().filter(is_active).collect()
}

/// The active window, or the one active phase.
fn campaign(view: &View<'_>, pen: &Pen) -> Option<Row> {
    if view.ending == Ending::Finished {
        return None;
    }
    let active = active(view);
    let target: u64 = active.iter().map(|phase| phase.target).sum();
    let done: u64 = active
        .iter()
        .map(|phase| phase.done.min(phase.target))
        .sum();
    if active.is_empty() || target == 0 {
        return None;
    }
    let name = match active.as_slice() {
        [phase] => format!("Phase {}", phase.phase),
        _ => "Window".to_owned(),
    };
    let tail = match active.as_slice() {
        [_] => format!("{} / {}", count(done), count(target)),
        _ => format!("phases {}", text::phases(&view.now.active)),
    };
    let share = done as f64 / target as f64;
    Some(pen.bar(3, pen.label(&name, "🎲"), share, tail, "36"))
}

/// A bar for each phase of the active window; where there is no room for all, the ones that have
/// furthest to go, since they decide when the window ends.
fn phase_bars(view: &View<'_>, pen: &Pen, room: usize) -> Vec<Row> {
    let mut phases = active(view);
    if phases.len() < 2 || room == 0 || view.ending == Ending::Finished {
        return Vec::new();
    }
    let share = |phase: &PhaseProgress| match phase.target {
        0 => 1.0,
        target => phase.done.min(target) as f64 / target as f64,
    };
    let hidden = if phases.len() > room {
        phases.len() - (room - 1)
    } else {
        0
    };
    if hidden > 0 {
        phases.sort_by(|a, b| share(a).total_cmp(&share(b)));
        phases.truncate(room - 1);
        phases.sort_by_key(|phase| phase.phase);
    }
    let mut rows: Vec<Row> = phases
        .iter()
        .map(|phase| {
            let figures = format!("{} / {}", count(phase.done), count(phase.target));
            let label = pen.indented(&format!("{:>2}", phase.phase));
            let color = if phase.done >= phase.target {
                "32"
            } else {
                "34"
            };
            pen.bar(7, label, share(phase), figures, color)
        })
        .collect();
    if hidden > 0 {
        let more = format!("and {hidden} more that are as far or further");
        rows.push(Row::text(7, pen.indented("") + &more));
    }
    rows
}

/// The latest points of a learning curve, as many as there is room for.
fn checks(view: &View<'_>, pen: &Pen, room: usize) -> Vec<Row> {
    let first = view.checks.len().saturating_sub(room);
    let shown = view.checks[first..].iter();
    shown
        .map(|check| pen.segments(7, "Check", "📈", &[check.shown().to_string()]))
        .collect()
}

/// The latest warning, and how many there were.
fn warnings(view: &View<'_>, pen: &Pen) -> Option<Row> {
    if view.ending != Ending::Running {
        // They are listed below the closing summary.
        return None;
    }
    let text = pen.paint("33", &view.warnings.latest()?);
    Some(pen.segments(4, "Warning", "🔔", &[text]))
}

fn games(view: &View<'_>, pen: &Pen) -> Option<Row> {
    let now = view.now;
    if now.games == 0
        && now.losses == Losses::default()
        && now.duplicates == 0
        && now.steps.is_some()
    {
        return None;
    }
    let mut parts = vec![count(now.games)];
    if makes_records(view) {
        parts.push(format!(
            "duplicates {} ({:.1} %)",
            count(now.duplicates),
            view.numbers.duplicate_rate * 100.0
        ));
        let losses = now.losses;
        for (what, number) in [
            ("ended early", losses.ended_early),
            ("unbalanced", losses.unbalanced),
            ("left out", losses.left_out),
        ] {
            if number > 0 {
                parts.push(format!("{what} {}", count(number)));
            }
        }
        let failed = format!("failed {}", count(losses.failed));
        parts.push(pen.alarm(losses.failed > 0, &failed));
    }
    Some(pen.segments(4, "Games", "🎮", &parts))
}

/// Whether the run makes records at all; learning does not.
fn makes_records(view: &View<'_>) -> bool {
    view.numbers.target > 0 || view.now.splits != [0; 3] || view.now.duplicates > 0
}

fn engines(view: &View<'_>, pen: &Pen) -> Option<Row> {
    let mut parts = Vec::new();
    if let Some(busy) = view.numbers.engine_busy {
        parts.push(format!("busy {:.0} %", busy * 100.0));
    }
    if parts.is_empty() && view.numbers.restarts == 0 {
        return None;
    }
    let restarts = format!("restarts {}", count(view.numbers.restarts));
    parts.push(pen.alarm(view.numbers.restarts > 0, &restarts));
    for (kind, number) in &view.now.failures {
        let name = kind.name().replace('_', " ");
        parts.push(pen.alarm(*number > 0, &format!("{name} {}", count(*number))));
    }
    Some(pen.segments(5, "Engines", "🔧", &parts))
}

fn split(view: &View<'_>, pen: &Pen) -> Option<Row> {
    if !makes_records(view) {
        return None;
    }
    let [train, valid, test] = view.now.splits;
    let mut parts = vec![
        format!("train {}", count(train)),
        format!("valid {}", count(valid)),
        format!("test {}", count(test)),
    ];
    parts.extend(
        view.now
            .mean_value
            .map(|mean| format!("mean value {mean:+.2}")),
    );
    Some(pen.segments(7, "Split", "📊", &parts))
}

fn output(view: &View<'_>) -> String {
    view.info.output_dir.shown().to_string()
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
#[path = "frame_tests.rs"]
mod tests;
