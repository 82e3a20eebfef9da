//! `rdg match`: two players over many games.

use super::engines::{EngineName, Registry};
use super::{EXIT_USAGE, display_options, start_log, stdout};
use crate::cli::MatchArgs;
use crate::config::EngineSpec;
use crate::engine::builtin::{read_weight_file, whole_weights};
use crate::engine::{Engine, EngineError, launch};
use crate::learn::player::WeightPlayer;
use crate::learn::settings::MAX_DEPTH;
use crate::learn::weights::IntegerWeights;
use crate::matches::{MatchSettings, Outcome, Statistics, describe, play};
use crate::progress::{Display, Event, RunInfo, RunReport, Steps, print_fatal};
use crate::signals::Signals;
use crate::stop::Stop;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
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
    let players = [&args.first, &args.second].map(|word| player(word, args.depth, &mut registry));
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

/// Somebody who can be started as often as there are workers.
enum Player {
    Engine(Box<EngineSpec>),
    Weights {
        path: PathBuf,
        depth: u32,
        player: WeightPlayer,
    },
}

impl Player {
    fn start(&self, stop: &Stop) -> Result<Box<dyn Engine>, EngineError> {
        match self {
            Player::Engine(spec) => launch(spec, stop),
            Player::Weights { player, .. } => Ok(Box::new(player.another())),
        }
    }

    fn title(&self) -> String {
        match self {
            Player::Engine(spec) => format!("{} level {}", spec.entry.name, spec.level),
            Player::Weights { path, depth, .. } => format!("{} depth {depth}", path.display()),
        }
    }
}

/// An engine of the registry, or a weight file.
fn player(word: &Path, depth: u32, registry: &mut Registry) -> Result<Player, String> {
    let text = word.to_str();
    let name = text.and_then(EngineName::parse);
    if let Some(name) = &name
        && (registry.has(&name.name) || !word.exists())
    {
        return registry
            .engine(name, None, None)
            .map(|spec| Player::Engine(Box::new(spec)))
            .map_err(|error| format!("player `{}`: {error}", word.display()));
    }
    let (path, depth) = match text.and_then(|text| text.rsplit_once(':')) {
        Some((path, digits)) if !word.exists() => match digits.parse() {
            Ok(depth) if (1..=MAX_DEPTH).contains(&depth) => (Path::new(path), depth),
            _ => {
                return Err(format!(
                    "player `{}`: `{digits}` is no depth from 1 to {MAX_DEPTH}",
                    word.display()
                ));
            }
        },
        _ => (word, depth),
    };
    let weights = IntegerWeights(whole_weights(&read_weight_file(path)?));
    Ok(Player::Weights {
        path: path.to_owned(),
        depth,
        player: WeightPlayer::new(&path.display().to_string(), &weights, depth),
    })
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
