//! A run's events and counters in the log.

use super::event::{Event, RunReport, Snapshot};
use super::numbers::Numbers;
use crate::base::text;

/// One event.
pub(super) fn event(event: &Event) {
    let closing = |what, report: &RunReport| {
        tracing::info!(
            samples = report.samples,
            new_samples = report.new_samples,
            games = report.games,
            elapsed_seconds = report.elapsed.as_secs_f64(),
            output = ?report.output_dir,
            "{what}"
        );
    };
    match event {
        Event::Start(info) => tracing::info!(
            version = crate::base::version::GENERATOR_VERSION,
            pid = std::process::id(),
            command = info.command,
            mode = info.mode,
            engine = info.engine,
            workers = info.workers,
            seed = info.seed,
            output = ?info.output_dir,
            "run started"
        ),
        Event::PhaseFinished(report) => tracing::info!(
            phase = report.phase,
            samples = report.samples,
            duplicates = report.duplicates,
            ended_early = report.losses.ended_early,
            unbalanced = report.losses.unbalanced,
            left_out_games = report.losses.left_out,
            failed_games = report.losses.failed,
            elapsed_seconds = report.elapsed.as_secs_f64(),
            "phase finished"
        ),
        Event::Checked(report) => tracing::info!(
            epoch = report.epoch,
            games = report.games,
            score = report.score,
            mean_difference = report.mean_difference,
            rms_td_error = report.rms_td_error,
            "compared with the initial weights"
        ),
        Event::Fitted(epoch) => tracing::info!(
            epoch = epoch.epoch,
            train_rmse = epoch.train_rmse,
            valid_rmse = epoch.valid_rmse,
            "epoch fitted"
        ),
        Event::Round(of) => tracing::info!(
            round = of.round,
            positions = of.positions,
            mae = of.mae,
            against_last = of.against_last,
            against_start = of.against_start,
            "round finished"
        ),
        Event::Warning(message) => tracing::warn!("{message}"),
        Event::Finished(report) => closing("run finished", report),
        Event::Interrupted { report, again } => {
            closing("run interrupted", report);
            tracing::info!(command = again.command, "how to continue");
        }
        Event::Fatal(message) => tracing::error!("{message}"),
    }
}

/// The counters.
pub(super) fn progress(now: &Snapshot, numbers: &Numbers) {
    let estimate = &numbers.estimate;
    tracing::info!(
        percent = numbers.share.map(|share| (share * 1000.0).round() / 10.0),
        samples = numbers.done,
        target = numbers.target,
        games = now.games,
        duplicates = now.duplicates,
        ended_early = now.losses.ended_early,
        unbalanced = now.losses.unbalanced,
        left_out_games = now.losses.left_out,
        failed_games = now.losses.failed,
        restarts = numbers.restarts,
        steps = now.steps.map(|steps| steps.done),
        samples_per_second = (estimate.recent_samples_per_second * 100.0).round() / 100.0,
        games_per_second = (estimate.recent_games_per_second * 100.0).round() / 100.0,
        phases = text::phases(&now.active),
        eta = estimate.remaining.map(text::duration),
        "progress"
    );
}
