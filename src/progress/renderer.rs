//! The thread that draws: looks at the counters once per interval and shows them in one style.

use super::dashboard::{Change, Ending, Look, Screen, View, Warnings, compose};
use super::display::{DisplayOptions, Message, Style};
use super::estimate::Estimator;
use super::event::{Event, PhaseProgress, Progress, RunInfo, Snapshot};
use super::numbers::Numbers;
use super::{json, lines, log, stderr};
use crate::base::clock;
use crate::progress::logging;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The counters are looked at this often, however rarely they are shown: the rate over the last
/// minute needs them.
const LOOK: Duration = Duration::from_secs(1);

/// The log gets the counters this often.
const LOG: Duration = Duration::from_secs(60);

/// JSON lists the phases that have changed this often.
const PHASES: Duration = Duration::from_secs(60);

/// From here on lines are rarer.
const FIRST_MINUTE: Duration = Duration::from_secs(60);

/// A dashboard is not redrawn more often: no eye follows, and the terminal has to work for it.
const FASTEST_FRAME: Duration = Duration::from_millis(50);

/// When a dashboard appears.
const FIRST_FRAME: Duration = Duration::from_millis(200);

/// Rows of a closing summary, however much is said below it.
const FEWEST_ROWS: usize = 10;

/// What the thread holds.
pub(super) struct Renderer {
    progress: Arc<Progress>,
    began: Instant,
    /// In the first minute, and later.
    intervals: [Duration; 2],
    estimator: Estimator,
    /// Phases as JSON has told them, when that was, and which were active.
    told: Told,
    output: Output,
    /// The last counters are being told.
    is_closing: bool,
    /// The closing event has been told.
    is_closed: bool,
}

/// What JSON has told of phases.
#[derive(Default)]
struct Told {
    phases: Vec<PhaseProgress>,
    active: Vec<u8>,
    at: Option<Instant>,
}

impl Told {
    /// The phases that have changed, when they are due: at first, when others are worked on, after a
    /// minute, and in the end.
    fn news(&mut self, now: &Snapshot, is_last: bool) -> Option<Vec<PhaseProgress>> {
        let is_due =
            is_last || self.active != now.active || self.at.is_none_or(|at| at.elapsed() >= PHASES);
        let is_new = |phase: &&PhaseProgress| !self.phases.contains(phase);
        let news: Vec<PhaseProgress> = match is_due {
            true => now.phases.iter().filter(is_new).copied().collect(),
            false => Vec::new(),
        };
        if news.is_empty() {
            return None;
        }
        self.phases.clone_from(&now.phases);
        self.active.clone_from(&now.active);
        self.at = Some(Instant::now());
        Some(news)
    }
}

enum Output {
    Dashboard(Box<Dashboard>),
    Lines {
        /// Finished phases are told by the interval, not one by one.
        is_brief: bool,
    },
    Json,
    Silent,
}

struct Dashboard {
    screen: Screen,
    look: Look,
    info: RunInfo,
    ending: Ending,
    warnings: Warnings,
    /// Points of a learning curve; a run has a few dozen.
    checks: Vec<String>,
    /// What is said below the summary.
    last_words: Option<String>,
}

impl Renderer {
    pub(super) fn new(
        options: &DisplayOptions,
        progress: Arc<Progress>,
        info: &RunInfo,
    ) -> Renderer {
        let output = match options.style {
            Style::Dashboard => Output::Dashboard(Box::new(Dashboard {
                screen: Screen::new(),
                look: Look {
                    color: options.color,
                    emoji: options.emoji,
                },
                info: info.clone(),
                ending: Ending::Running,
                warnings: Warnings::default(),
                checks: Vec::new(),
                last_words: None,
            })),
            Style::Lines => Output::Lines {
                is_brief: info.command == "import",
            },
            Style::Json => Output::Json,
            Style::Silent => Output::Silent,
        };
        let fastest = match options.style {
            Style::Dashboard => FASTEST_FRAME,
            _ => Duration::from_millis(1),
        };
        let intervals = [options.interval, options.later_interval];
        Renderer {
            progress,
            began: Instant::now(),
            intervals: intervals.map(|interval| interval.max(fastest)),
            told: Told::default(),
            estimator: Estimator::new(info.mode).with_prices(info.prices.clone()),
            output,
            is_closing: false,
            is_closed: false,
        }
    }

    /// Shows the run until its end is told.
    pub(super) fn run(mut self, inbox: &Receiver<Message>) {
        // A run that fails at once shall not make the screen flash.
        let first_show = match self.output {
            Output::Dashboard(_) => self.interval().min(FIRST_FRAME),
            _ => self.interval(),
        };
        let mut next_show = self.began + first_show;
        let mut next_look = self.began;
        let mut next_log = self.began + LOG;
        // What has been told comes before what is seen: a run is announced before its counters.
        loop {
            let due = next_show.min(next_look).min(next_log);
            match inbox.recv_timeout(due.saturating_duration_since(Instant::now())) {
                Ok(Message::Event(message)) => self.event(&message.0, &message.1),
                Ok(Message::Terminal(change)) => self.terminal(change),
                Ok(Message::End) | Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
            let now = Instant::now();
            if now >= next_look {
                self.numbers();
                self.tell_log_fault();
                next_look = now + LOOK;
            }
            if now >= next_show {
                if !self.is_closed {
                    self.show();
                }
                // Counted from when it was due, so that the beat does not drift; beats that a slow
                // terminal missed are left out.
                let interval = self.interval();
                next_show += interval;
                if next_show <= now {
                    next_show = now + interval;
                }
            }
            if now >= next_log {
                let (snapshot, numbers) = self.numbers();
                log::progress(&snapshot, &numbers);
                next_log = now + LOG;
            }
        }
        self.end();
    }

    fn interval(&self) -> Duration {
        let [first, later] = self.intervals;
        match self.began.elapsed() < FIRST_MINUTE {
            true => first,
            false => later,
        }
    }

    fn tell_log_fault(&mut self) {
        if let Some(fault) = logging::take_fault() {
            self.tell(&Event::Warning(fault));
        }
    }

    fn numbers(&mut self) -> (Snapshot, Numbers) {
        let now = self.progress.snapshot();
        self.estimator.observe(self.began.elapsed(), &now);
        let numbers = Numbers::new(&now, self.estimator.estimate(&now));
        (now, numbers)
    }

    fn show(&mut self) {
        let (now, numbers) = self.numbers();
        match &mut self.output {
            Output::Json => {
                if let Some(phases) = self.told.news(&now, self.is_closing) {
                    stderr::write_line(&json::phases(&phases, numbers.estimate.elapsed));
                }
                stderr::write_line(&json::progress(&now, &numbers));
            }
            Output::Lines { .. } => stderr::write_line(&lines::progress(&now, &numbers)),
            Output::Dashboard(dashboard) => dashboard.draw(&now, &numbers),
            Output::Silent => {}
        }
    }

    fn event(&mut self, event: &Event, now: &Snapshot) {
        // A warning may come from somebody who knows no counters.
        if !matches!(event, Event::Warning(_)) {
            self.estimator.observe(self.began.elapsed(), now);
        }
        if event.is_closing() {
            self.tell_log_fault();
            // The last counters, however long the interval; nothing follows the closing event.
            if !self.is_closed && !matches!(self.output, Output::Dashboard(_)) {
                self.is_closing = true;
                self.show();
            }
            self.is_closed = true;
        }
        self.tell(event);
    }

    fn tell(&mut self, event: &Event) {
        match &mut self.output {
            Output::Json => stderr::write_line(&json::event(event, self.began.elapsed())),
            // Sixty phases of an import come within one interval, which tells of all of them.
            Output::Lines { is_brief: true } if matches!(event, Event::PhaseFinished(_)) => {}
            Output::Lines { .. } => stderr::write_line(&lines::event(event)),
            Output::Dashboard(dashboard) => {
                dashboard.event(event);
                if dashboard.screen.is_entered() {
                    self.show();
                }
            }
            Output::Silent if matches!(event, Event::Warning(_)) => {
                stderr::write_line(&lines::event(event));
            }
            Output::Silent => {}
        }
    }

    fn terminal(&mut self, change: Change) {
        let Output::Dashboard(dashboard) = &mut self.output else {
            return;
        };
        match change {
            Change::Stopping(ready) => {
                dashboard.screen.leave();
                let _ = ready.send(());
            }
            Change::Continued(pause) => {
                // Time in which the run stood still is not working time.
                self.began += pause;
                self.show();
            }
            Change::Resized => self.show(),
        }
    }

    fn end(&mut self) {
        let (now, numbers) = self.numbers();
        if let Output::Dashboard(dashboard) = &mut self.output {
            dashboard.end(&now, &numbers);
        }
    }
}

impl Dashboard {
    /// The frame for the present window, with so many of its rows left to others.
    fn rows(&self, now: &Snapshot, numbers: &Numbers, spared: usize) -> Vec<String> {
        let (columns, rows) = Screen::size();
        let view = View {
            info: &self.info,
            now,
            numbers,
            ending: self.ending,
            warnings: &self.warnings,
            checks: &self.checks,
            clock: &clock::local(),
        };
        let rows = rows.saturating_sub(spared).max(FEWEST_ROWS.min(rows));
        compose(&view, self.look, columns, rows)
    }

    fn draw(&mut self, now: &Snapshot, numbers: &Numbers) {
        if Screen::is_ours() {
            let rows = self.rows(now, numbers, 0);
            self.screen.draw(&rows);
        }
    }

    fn event(&mut self, event: &Event) {
        match event {
            Event::Start(_) | Event::PhaseFinished(_) => {}
            Event::Checked(report) => self.checks.push(format!(
                "epoch {:>6}  {:5.1} % against the start, {:+.1} discs",
                report.epoch,
                100.0 * report.score,
                report.mean_difference
            )),
            Event::Fitted(of) => self.checks.push(format!(
                "epoch {:>4}  error {:.3} discs while learning{}",
                of.epoch,
                of.train_rmse,
                of.valid_rmse
                    .map_or(String::new(), |rmse| format!(", {rmse:.3} on valid"))
            )),
            Event::Round(of) => self.checks.push(format!(
                "round {:>4}  {:5.1} % against the round before, {:5.1} % against the start",
                of.round,
                100.0 * of.against_last,
                100.0 * of.against_start
            )),
            Event::Warning(message) => self.warnings.add(message),
            Event::Finished(_) => self.ending = Ending::Finished,
            Event::Interrupted { again, .. } => {
                self.ending = Ending::Interrupted;
                self.last_words = Some(lines::after_interruption(again));
            }
            Event::Fatal(message) => {
                self.ending = Ending::Failed;
                self.last_words = Some(super::fatal::error_text(message));
            }
        }
    }

    fn end(&mut self, now: &Snapshot, numbers: &Numbers) {
        if self.ending == Ending::Running {
            self.ending = Ending::Failed;
        }
        let mut words = self.warnings.closing_lines();
        if let Some(last) = self.last_words.take() {
            words.extend(last.lines().map(str::to_owned));
        }
        // Lines that the terminal will fold, and the prompt, shall not push the summary out.
        let (columns, _) = Screen::size();
        let folded = words.iter().map(|line| line.len().div_ceil(columns.max(1)));
        let mut lines = self.rows(now, numbers, folded.sum::<usize>() + 1);
        lines.append(&mut words);
        self.screen.finish(&lines);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_phases_that_have_changed_are_told() {
        let phase = |phase, done| PhaseProgress {
            phase,
            target: 10,
            done,
            ..PhaseProgress::default()
        };
        let mut now = Snapshot {
            phases: vec![phase(1, 0), phase(2, 0)],
            active: vec![1],
            ..Snapshot::default()
        };
        let mut told = Told::default();
        assert_eq!(told.news(&now, false), Some(now.phases.clone()));
        now.phases[0].done = 5;
        // Not each second.
        assert_eq!(told.news(&now, false), None);
        now.active = vec![2];
        assert_eq!(told.news(&now, false), Some(vec![phase(1, 5)]));
        assert_eq!(told.news(&now, true), None);
        now.phases[1].done = 10;
        assert_eq!(told.news(&now, true), Some(vec![phase(2, 10)]));
    }
}
