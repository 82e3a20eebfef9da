//! `rdg match`: two players over many games.

use super::engines::Registry;
use super::players::{Player, player};
use super::runner::{Closing, End, Failure, Runner, games_report, text};
use crate::arena::matches::{MatchSettings, Outcome, Statistics, describe, play};
use crate::cli::MatchArgs;
use crate::engine::{EngineError, limits};
use crate::progress::{Again, Event, RunInfo, Steps};
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::available_parallelism;

/// Plays the match and shows its result.
pub(super) fn run(args: &MatchArgs) -> ExitCode {
    let runner = Runner::shown("match", &args.progress);
    if !args.games.is_multiple_of(2) {
        return runner.refuse(&format!(
            "--games is {}; it must be even: each opening is played with both colours",
            args.games
        ));
    }
    let mut registry = match Registry::new(args.app_config.as_deref()) {
        Ok(registry) => registry,
        Err(errors) => return runner.refuse(&errors),
    };
    let players =
        [&args.first, &args.second].map(|word| player(word, None, args.depth, &mut registry));
    let [first, second] = match players {
        [Ok(first), Ok(second)] => [first, second],
        players => {
            let errors: Vec<String> = players.into_iter().filter_map(Result::err).collect();
            return runner.refuse(&errors.join("\n"));
        }
    };
    let wanted = args
        .workers
        .or_else(|| available_parallelism().ok())
        .map_or(1, Into::into);
    let processes = [&first, &second].map(|player| u64::from(player.is_process()));
    let workers = limits::workers_that_fit(wanted, processes.iter().sum(), 0);
    let settings = MatchSettings {
        pairs: args.games / 2,
        random_plies: args.random_plies,
        seed: args.seed,
        workers,
        retries: 3,
    };
    let info = RunInfo {
        command: "match",
        seed: Some(args.seed),
        workers: settings.workers,
        engine: format!("{} against {}", first.title(), second.title()),
        ..RunInfo::default()
    };
    let log = registry.log().cloned();
    let runner = match &log {
        Some(log) => runner.with_log(log),
        None => runner,
    };
    runner.run(
        |_| Ok((info, ())),
        |(), running| {
            let (progress, stop) = (&running.progress, &running.stop);
            let report = |pairs: u64| {
                progress.update(|now| {
                    now.games = 2 * pairs;
                    now.steps = Some(Steps {
                        done: 2 * pairs,
                        total: Some(args.games),
                        unit: "game",
                    });
                });
            };
            if workers < wanted {
                progress.emit(Event::Warning(limits::few_fit(workers, wanted)));
            }
            // A start that fails and is tried again is a restart like any other.
            let failed_starts = AtomicU64::new(0);
            let start = || -> Result<_, EngineError> {
                let mut count = |_: &EngineError| {
                    failed_starts.fetch_add(1, Ordering::Relaxed);
                };
                Ok([
                    first.start_counting(stop, &mut count)?,
                    second.start_counting(stop, &mut count)?,
                ])
            };
            let outcome = match play(&settings, &start, stop, &report) {
                Ok(mut outcome) => {
                    outcome.restarts += failed_starts.into_inner();
                    outcome
                }
                Err(error) => return Failure::Failed(error.to_string()).into(),
            };
            let words = match args.json {
                true => as_json(args, &first, &second, &outcome),
                false => as_text(&first, &second, &outcome),
            };
            let closing = Closing {
                report: games_report(running, PathBuf::new()),
                words: Some(text(words)),
            };
            if outcome.is_complete {
                return End::Finished(closing);
            }
            progress.emit(Event::Warning(format!(
                "the match was stopped after {} of {} games; the figures are theirs",
                2 * outcome.pairs.len(),
                args.games
            )));
            End::Interrupted(closing, Again::from_the_start())
        },
    )
}

fn as_text(first: &Player, second: &Player, outcome: &Outcome) -> String {
    let Some(statistics) = Statistics::new(&outcome.pairs) else {
        return "No pair of games was finished.\n".to_owned();
    };
    let mut text = format!(
        "{} against {}, {} games\n{}",
        first.title(),
        second.title(),
        statistics.games,
        describe(&statistics)
    );
    if outcome.restarts > 0 {
        text += &format!("  engines were restarted {} times\n", outcome.restarts);
    }
    text
}

fn as_json(args: &MatchArgs, first: &Player, second: &Player, outcome: &Outcome) -> String {
    let value = json!({
        "schema": "rdg_match_v1",
        "first": first.title(),
        "second": second.title(),
        "seed": args.seed,
        "random_plies": args.random_plies,
        "complete": outcome.is_complete,
        "restarts": outcome.restarts,
        "result": Statistics::new(&outcome.pairs),
        "pairs": outcome.pairs.iter().map(|pair| pair.0).collect::<Vec<_>>(),
    });
    format!("{value:#}\n")
}
