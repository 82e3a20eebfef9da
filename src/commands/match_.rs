//! `rdg match`: two players over many games.

use super::engines::{EngineName, Registry};
use super::players::{Player, file_and_strength, player};
use super::runner::{Closing, End, Failure, Runner, games_report, text};
use crate::arena::matches::{
    Finished, GameKeeper, MatchSettings, Outcome, Statistics, describe, play,
};
use crate::arena::save::SaveFile;
use crate::board::Game;
use crate::cli::MatchArgs;
use crate::engine::{EngineError, limits};
use crate::progress::{Again, Event, Progress, RunInfo, Steps};
use crate::records::Openings;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::available_parallelism;

/// Random moves of an opening where no list is given.
const RANDOM_PLIES: u32 = 8;

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
    let players = [&args.first, &args.second].map(|word| {
        let player = player(word, None, args.depth, &mut registry)?;
        match args.time.filter(|_| !names_strength(word)) {
            Some(time) => player.with_move_time(time),
            None => Ok(player),
        }
    });
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
    let (settings, keeper) = match asked(args, workers, [first.title(), second.title()]) {
        Ok(asked) => asked,
        Err(message) => return runner.refuse(&message),
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
            let report = |finished: &Finished| tell(finished, args.games, progress, &keeper);
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
            let result = play(&settings, &start, stop, &report);
            let kept = keep_rest(&keeper);
            let outcome = match result {
                Ok(mut outcome) => {
                    outcome.restarts += failed_starts.into_inner();
                    outcome
                }
                Err(error) => return Failure::Failed(error.to_string()).into(),
            };
            let words = match args.json {
                true => as_json(args, &settings, &first, &second, &outcome),
                false => as_text(&first, &second, &outcome),
            };
            let closing = Closing {
                report: games_report(running, PathBuf::new()),
                words: Some(text(words)),
            };
            if let Err(error) = kept {
                return Failure::Failed(error).into();
            }
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

/// How the match is to be played, and who keeps its games.
fn asked(
    args: &MatchArgs,
    workers: usize,
    names: [String; 2],
) -> Result<(MatchSettings, Mutex<Option<GameKeeper>>), String> {
    let openings = match &args.openings {
        Some(path) => {
            Openings::read(path)
                .map_err(|error| error.to_string())?
                .games
        }
        None => Vec::new(),
    };
    let random_plies = match args.openings {
        Some(_) => 0,
        None => RANDOM_PLIES,
    };
    let begin = openings
        .iter()
        .find(|game| game.start() != Game::new().start());
    let keeper = match &args.save {
        Some(path) => {
            let file = SaveFile::open(path, begin.unwrap_or(&Game::new()));
            let file = file.map_err(|error| error.to_string())?;
            Some(GameKeeper::new(file, names))
        }
        None => None,
    };
    let settings = MatchSettings {
        pairs: args.games / 2,
        openings,
        random_plies: args.random_plies.unwrap_or(random_plies),
        seed: args.seed,
        workers,
        retries: 3,
    };
    Ok((settings, Mutex::new(keeper)))
}

/// Shows how the match stands, and keeps the games.
fn tell(finished: &Finished, games: u64, progress: &Progress, keeper: &Mutex<Option<GameKeeper>>) {
    if let Some(keeper) = &mut *keeper.lock().unwrap_or_else(PoisonError::into_inner) {
        keeper.take(finished);
    }
    progress.update(|now| {
        // Pairs may come to be told in another order than they were counted in.
        let done = now.games.max(2 * finished.count);
        now.games = done;
        now.steps = Some(Steps {
            done,
            total: Some(games),
            unit: "game",
        });
        let score = now.score.get_or_insert_default();
        for difference in finished.pair.0 {
            score.add(difference);
        }
    });
}

/// Writes the games that are still waiting.
fn keep_rest(keeper: &Mutex<Option<GameKeeper>>) -> Result<(), String> {
    let keeper = keeper.lock().unwrap_or_else(PoisonError::into_inner).take();
    match keeper {
        Some(keeper) => keeper.finish().map_err(|error| error.to_string()),
        None => Ok(()),
    }
}

/// Whether a player's word says how strong it plays.
fn names_strength(word: &Path) -> bool {
    let name = word.to_str().and_then(EngineName::parse);
    match name.filter(|_| !word.exists()) {
        Some(name) => name.level.is_some() || name.time.is_some(),
        None => file_and_strength(word).1.is_some(),
    }
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

fn as_json(
    args: &MatchArgs,
    settings: &MatchSettings,
    first: &Player,
    second: &Player,
    outcome: &Outcome,
) -> String {
    let value = json!({
        "schema": "rdg_match_v1",
        "first": first.title(),
        "second": second.title(),
        "seed": args.seed,
        "openings": args.openings.as_ref().map(|path| path.to_string_lossy()),
        "random_plies": settings.random_plies,
        "complete": outcome.is_complete,
        "restarts": outcome.restarts,
        "result": Statistics::new(&outcome.pairs),
        "pairs": outcome.pairs.iter().map(|pair| pair.0).collect::<Vec<_>>(),
    });
    format!("{value:#}\n")
}
