//! Progress as plain lines of `key=value`, for files and terminals that cannot redraw.

use super::event::{Again, Event, Losses, RunReport, Snapshot};
use super::numbers::Numbers;
use crate::base::shown::Shown;
use crate::base::{clock, text};
use std::fmt::Write;
use std::path::Path;

/// Composes one line.
struct Line(String);

impl Line {
    fn new(event: &str) -> Line {
        let now = clock::local().strftime("%Y-%m-%dT%H:%M:%S%:z");
        Line(format!("{now} {event}"))
    }

    fn put(mut self, key: &str, value: impl std::fmt::Display) -> Line {
        let value = value.to_string();
        let _ = write!(self.0, " {key}={}", text::value(&value));
        self
    }

    fn put_losses(self, losses: &Losses) -> Line {
        losses
            .named()
            .fold(self, |line, (key, number)| line.put(key, number))
    }

    fn put_if(self, wanted: bool, key: &str, value: impl std::fmt::Display) -> Line {
        if wanted { self.put(key, value) } else { self }
    }
}

/// One event: one line, or two where a person has to act.
pub(super) fn event(event: &Event) -> String {
    let closing = |name, report: &RunReport| {
        let made = report.samples.is_some();
        Line::new(name)
            .put_if(made, "samples", report.samples.unwrap_or_default())
            .put_if(made, "new_samples", report.new_samples.unwrap_or_default())
            .put("games", report.games)
            .put("elapsed", text::duration(report.elapsed))
            .put_if(
                has_path(&report.output_dir),
                "output",
                report.output_dir.shown(),
            )
    };
    match event {
        Event::Start(info) => {
            Line::new("start")
                .put("command", info.command)
                .put_if(!info.mode.is_empty(), "mode", info.mode)
                .put_if(!info.engine.is_empty(), "engine", &info.engine)
                .put("workers", info.workers)
                .put_if(info.seed.is_some(), "seed", info.seed.unwrap_or_default())
                .put_if(
                    has_path(&info.output_dir),
                    "output",
                    info.output_dir.shown(),
                )
                .0
        }
        Event::PhaseFinished(report) => {
            Line::new("phase_finished")
                .put("phase", report.phase)
                .put("samples", report.samples)
                .put("duplicates", report.duplicates)
                .put_losses(&report.losses)
                .put("elapsed", text::duration(report.elapsed))
                .0
        }
        Event::Checked(report) => {
            Line::new("checked")
                .put("epoch", report.epoch)
                .put("games", report.games)
                .put("score", format_args!("{:.3}", report.score))
                .put(
                    "mean_difference",
                    format_args!("{:+.1}", report.mean_difference),
                )
                .put("rms_td_error", format_args!("{:.1}", report.rms_td_error))
                .0
        }
        Event::Fitted(epoch) => {
            let line = Line::new("fitted")
                .put("epoch", epoch.epoch)
                .put("train_rmse", format_args!("{:.3}", epoch.train_rmse));
            match epoch.valid_rmse {
                Some(rmse) => line.put("valid_rmse", format_args!("{rmse:.3}")).0,
                None => line.0,
            }
        }
        Event::Round(of) => {
            Line::new("round")
                .put("round", of.round)
                .put("positions", of.positions)
                .put("against_last", format_args!("{:.3}", of.against_last))
                .put("against_start", format_args!("{:.3}", of.against_start))
                .0
        }
        Event::Warning(message) => format!("warning: {}", message.shown()),
        Event::Finished(report) => closing("finished", report).0,
        Event::Interrupted { report, again } => format!(
            "{}\n{}",
            closing("interrupted", report).0,
            after_interruption(again)
        ),
        Event::Fatal(message) => super::fatal::error_text(message),
    }
}

/// What a person reads after an interruption.
pub(super) fn after_interruption(again: &Again) -> String {
    let what = match again.continues {
        true => "nothing is lost. Continue with",
        false => "begin again with",
    };
    format!("interrupted; {what}: {}", again.command.shown())
}

fn has_path(path: &Path) -> bool {
    !path.as_os_str().is_empty()
}

/// The counters.
pub(super) fn progress(now: &Snapshot, numbers: &Numbers) -> String {
    let estimate = &numbers.estimate;
    let mut line = Line::new("progress").put("elapsed", text::duration(estimate.elapsed));
    if let Some(share) = numbers.share {
        line = line.put("percent", format_args!("{:.1}", share * 100.0));
    }
    if let Some(steps) = now.steps {
        let unit = steps.unit;
        line = line.put(&format!("{unit}s"), steps.done);
        if let Some(total) = steps.total {
            line = line.put(&format!("total_{unit}s"), total);
        }
        line = line.put(
            &format!("{unit}s_per_s_1m"),
            bare_rate(estimate.recent_steps_per_second),
        );
    }
    if let Some(score) = now.score {
        line = line
            .put("won", score.wins)
            .put("drawn", score.draws)
            .put("lost", score.losses)
            .put("score", format_args!("{:.1}", 100.0 * score.score()))
            .put(
                "mean_difference",
                format_args!("{:+.2}", score.mean_difference()),
            );
    }
    if numbers.target > 0 || numbers.done > 0 {
        line = line
            .put("samples", numbers.done)
            .put_if(numbers.target > 0, "target", numbers.target)
            .put("samples_per_s", bare_rate(estimate.samples_per_second))
            .put(
                "samples_per_s_1m",
                bare_rate(estimate.recent_samples_per_second),
            );
    }
    if now.games > 0 || now.losses != Losses::default() || now.steps.is_none() {
        // Where games are the steps, their number and recent speed stand there already.
        let counted = now.steps.is_some_and(|steps| steps.unit == "game");
        line = line
            .put_if(!counted, "games", now.games)
            .put("games_per_s", bare_rate(estimate.games_per_second))
            .put_if(
                !counted,
                "games_per_s_1m",
                bare_rate(estimate.recent_games_per_second),
            )
            .put_losses(&now.losses)
            .put("restarts", numbers.restarts);
    }
    for (kind, count) in &now.failures {
        line = line.put(kind.name(), count);
    }
    if numbers.target > 0 || numbers.done > 0 {
        line = line
            .put("duplicates", now.duplicates)
            .put(
                "duplicate_rate",
                format_args!("{:.4}", numbers.duplicate_rate),
            )
            .put("train", now.splits[0])
            .put("valid", now.splits[1])
            .put("test", now.splits[2])
            .put_if(
                now.mean_value.is_some(),
                "mean_value",
                format_args!("{:+.2}", now.mean_value.unwrap_or_default()),
            );
    }
    if let Some(busy) = numbers.engine_busy {
        line = line.put("engine_busy", format_args!("{busy:.3}"));
    }
    if !now.active.is_empty() {
        line = line.put("phases", text::phases(&now.active));
    }
    match estimate.remaining {
        Some(remaining) => {
            let finish = clock::local().checked_add(remaining);
            let finish = finish.map_or("unknown".to_owned(), |then| {
                then.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
            });
            line.put("eta", text::duration(remaining))
                .put("finish", finish)
                .0
        }
        None => line.put("eta", "unknown").0,
    }
}

/// A rate that programs can read: no separators.
fn bare_rate(per_second: f64) -> String {
    text::rate(per_second).replace(',', "")
}
