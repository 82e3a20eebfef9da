//! Progress for programs: one JSON object per line, schema `rdg_progress_v1`.
//!
//! Keys are a public interface: they may be added, never renamed or given another meaning.

use super::event::{CheckReport, Event, PhaseProgress, PhaseReport, RunInfo, RunReport, Snapshot};
use super::numbers::Numbers;
use crate::base::clock;
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// Name and version of the schema.
pub(super) const SCHEMA: &str = "rdg_progress_v1";

/// One event as a line, without its end.
pub(super) fn event(event: &Event, elapsed: Duration) -> String {
    let (name, fields) = match event {
        Event::Start(info) => ("start", start(info)),
        Event::PhaseFinished(report) => ("phase_finished", phase_finished(report)),
        Event::Checked(report) => ("checked", checked(report)),
        Event::Fitted(epoch) => (
            "fitted",
            json!({
                "epoch": epoch.epoch,
                "epochs": epoch.epochs,
                "train_rmse": epoch.train_rmse,
                "valid_rmse": epoch.valid_rmse,
            }),
        ),
        Event::Round(of) => (
            "round",
            json!({
                "round": of.round,
                "rounds": of.rounds,
                "positions": of.positions,
                "mae": of.mae,
                "against_last": of.against_last,
                "against_start": of.against_start,
            }),
        ),
        Event::Warning(message) => ("warning", json!({ "message": message })),
        Event::Finished(report) => ("finished", closing(report)),
        Event::Interrupted { report, again } => {
            let mut fields = closing(report);
            fields["resume_command"] = json!(again.command);
            fields["continues"] = json!(again.continues);
            ("interrupted", fields)
        }
        Event::Fatal(message) => ("fatal", json!({ "message": message })),
    };
    line(name, Some(elapsed), fields)
}

/// A fatal error that comes before (or after) the time of a display.
pub(super) fn fatal(message: &str) -> String {
    line("fatal", None, json!({ "message": message }))
}

/// The counters as a line, without its end.
pub(super) fn progress(now: &Snapshot, numbers: &Numbers) -> String {
    let estimate = &numbers.estimate;
    let finish = estimate.remaining.and_then(|remaining| {
        let then = clock::timestamp().checked_add(remaining).ok()?;
        Some(time(then))
    });
    let failures: Map<String, Value> = now
        .failures
        .iter()
        .map(|(kind, count)| (kind.name().to_owned(), json!(count)))
        .collect();
    let steps = now.steps.map(|steps| {
        json!({
            "unit": steps.unit,
            "done": steps.done,
            "total": steps.total,
            "per_second_last_minute": figure(estimate.recent_steps_per_second),
        })
    });
    let score = now.score.map(|score| {
        json!({
            "wins": score.wins,
            "draws": score.draws,
            "losses": score.losses,
            "score": figure(score.score()),
            "mean_difference": figure(score.mean_difference()),
        })
    });
    let fields = json!({
        "percent": numbers.share.map(|share| figure(share * 100.0)),
        "target_samples": numbers.target,
        "samples": numbers.done,
        "new_samples": numbers.new,
        "resumed_samples": numbers.resumed,
        "games": now.games,
        "ended_early": now.losses.ended_early,
        "unbalanced": now.losses.unbalanced,
        "left_out_games": now.losses.left_out,
        "failed_games": now.losses.failed,
        "duplicate_positions": now.duplicates,
        "duplicate_rate": figure(numbers.duplicate_rate),
        "restarts": numbers.restarts,
        "failures": failures,
        "engine_busy_share": numbers.engine_busy.map(figure),
        "split": {
            "train": now.splits[0],
            "valid": now.splits[1],
            "test": now.splits[2],
        },
        "speed": {
            "samples_per_second": figure(estimate.samples_per_second),
            "samples_per_second_last_minute": figure(estimate.recent_samples_per_second),
            "games_per_second": figure(estimate.games_per_second),
            "games_per_second_last_minute": figure(estimate.recent_games_per_second),
        },
        "eta_seconds": estimate.remaining.map(|remaining| figure(remaining.as_secs_f64())),
        "finish_time": finish,
        "mean_value": now.mean_value.map(figure),
        "active_phases": now.active,
        "steps": steps,
        "score": score,
    });
    line("progress", Some(estimate.elapsed), fields)
}

/// Phases that have changed as a line, without its end.
pub(super) fn phases(phases: &[PhaseProgress], elapsed: Duration) -> String {
    let phases: Vec<Value> = phases
        .iter()
        .map(|phase| {
            json!({
                "phase": phase.phase,
                "target_samples": phase.target,
                "samples": phase.done,
                "resumed_samples": phase.resumed,
            })
        })
        .collect();
    line("phases", Some(elapsed), json!({ "phases": phases }))
}

fn start(info: &RunInfo) -> Value {
    json!({
        "command": info.command,
        "mode": absent_if_empty(info.mode),
        "output_dir": absent_if_empty(&info.output_dir.to_string_lossy()),
        "seed": info.seed,
        "workers": info.workers,
        "engine": absent_if_empty(&info.engine),
        "version": crate::base::version::GENERATOR_VERSION,
        "pid": std::process::id(),
    })
}

fn phase_finished(report: &PhaseReport) -> Value {
    json!({
        "phase": report.phase,
        "samples": report.samples,
        "duplicate_positions": report.duplicates,
        "ended_early": report.losses.ended_early,
        "unbalanced": report.losses.unbalanced,
        "left_out_games": report.losses.left_out,
        "failed_games": report.losses.failed,
        "phase_seconds": figure(report.elapsed.as_secs_f64()),
    })
}

fn checked(report: &CheckReport) -> Value {
    json!({
        "epoch": report.epoch,
        "check_games": report.games,
        "score": figure(report.score),
        "mean_difference": figure(report.mean_difference),
        "rms_td_error": figure(report.rms_td_error),
    })
}

fn closing(report: &RunReport) -> Value {
    let mut fields = json!({
        "games": report.games,
        "run_seconds": figure(report.elapsed.as_secs_f64()),
        "output_dir": absent_if_empty(&report.output_dir.to_string_lossy()),
    });
    if let Some(samples) = report.samples {
        fields["samples"] = json!(samples);
        fields["new_samples"] = json!(report.new_samples.unwrap_or_default());
    }
    fields
}

/// `schema`, `event` and `time` come first in every line, so that it is readable as it passes by.
fn line(event: &str, elapsed: Option<Duration>, fields: Value) -> String {
    let mut text = format!(
        r#"{{"schema":"{SCHEMA}","event":"{event}","time":"{}""#,
        time(clock::timestamp())
    );
    if let Some(elapsed) = elapsed {
        text += &format!(r#","elapsed_seconds":{}"#, figure(elapsed.as_secs_f64()));
    }
    if let Value::Object(fields) = fields {
        for (key, value) in fields {
            text += &format!(",{}:{value}", Value::String(key));
        }
    }
    text.push('}');
    text
}

/// RFC 3339 in UTC, to the millisecond.
fn time(time: Timestamp) -> String {
    format!("{time:.3}")
}

/// A number with six figures after the point at most; what is not a number becomes 0.
fn figure(number: f64) -> f64 {
    if number.is_finite() {
        (number * 1e6).round() / 1e6
    } else {
        0.0
    }
}

fn absent_if_empty(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}
