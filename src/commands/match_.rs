//! `rdg match`: two players over many games.

use super::engines::Registry;
use super::players::{Player, player};
use super::{EXIT_USAGE, display_options, start_log, stdout};
use crate::arena::matches::{MatchSettings, Outcome, Statistics, describe, play};
use crate::base::signals::Signals;
use crate::base::stop::Stop;
use crate::cli::MatchArgs;
use crate::engine::EngineError;
use crate::progress::{Display, Event, RunInfo, RunReport, Steps, print_fatal};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread::available_parallelism;
use std::time::Instant;

/// Plays the match and shows its result.
pub fn run(args: &MatchArgs) -> ExitCode {
    let began = Instant::now();
    let options = display_options(&args.progress);
    let style = options.style;
    let usage = |message: &str| {
        print_fatal(style, message);
        ExitCode::from(EXIT_USAGE)
    };
    if !args.games.is_multiple_of(2) {
        return usage(&format!(
            "--games is {}; it must be even: each opening is played with both colours",
            args.games
        ));
    }
    let mut registry = Registry::new(&args.app_config);
    let players =
        [&args.first, &args.second].map(|word| player(word, None, args.depth, &mut registry));
    let [first, second] = match players {
        [Ok(first), Ok(second)] => [first, second],
        players => {
            let faults: Vec<String> = players.into_iter().filter_map(Result::err).collect();
            return usage(&faults.join("\n"));
        }
    };
    let _log = match start_log(&args.progress, None) {
        Ok(log) => log,
        Err(error) => return usage(&error.to_string()),
    };
    let stop = Stop::new();
    let signals = match Signals::install(&stop) {
        Ok(signals) => signals,
        Err(error) => {
            print_fatal(style, &format!("cannot handle signals: {error}"));
            return ExitCode::FAILURE;
        }
    };
    let settings = MatchSettings {
        pairs: args.games / 2,
        random_plies: args.random_plies,
        seed: args.seed,
        workers: args
            .workers
            .or_else(|| available_parallelism().ok())
            .map_or(1, Into::into),
        retries: 3,
    };
    let info = RunInfo {
        command: "match",
        mode: "",
        output_dir: PathBuf::new(),
        seed: Some(args.seed),
        workers: settings.workers,
        engine: format!("{} against {}", first.title(), second.title()),
    };
    let display = Display::start(&options, info);
    let progress = display.progress();
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
    let start = || -> Result<_, EngineError> { Ok([first.start(&stop)?, second.start(&stop)?]) };
    let result = play(&settings, &start, &stop, &report);
    let closing = RunReport {
        games: progress.snapshot().games,
        elapsed: began.elapsed(),
        ..RunReport::default()
    };
    let outcome = match result {
        Ok(outcome) => outcome,
        Err(error) => {
            progress.emit(Event::Fatal(error.to_string()));
            return ExitCode::FAILURE;
        }
    };
    let code = match (outcome.is_complete, signals.exit_code()) {
        (true, _) => {
            progress.emit(Event::Finished(closing));
            ExitCode::SUCCESS
        }
        (false, code) => {
            progress.emit(Event::Warning(format!(
                "the match was stopped after {} of {} games; the figures are theirs",
                2 * outcome.pairs.len(),
                args.games
            )));
            ExitCode::from(code.unwrap_or(1))
        }
    };
    display.finish();
    let text = match args.json {
        true => as_json(args, &first, &second, &outcome),
        false => as_text(&first, &second, &outcome),
    };
    match stdout::print(|out| out.write_all(text.as_bytes())) {
        Ok(()) => code,
        Err(()) => ExitCode::FAILURE,
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
