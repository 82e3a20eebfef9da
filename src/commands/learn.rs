//! `rdg learn`: square weights by self-play.

use super::runner::{Closing, End, Failure, Runner, games_report, text};
use crate::base::shown::Shown;
use crate::base::stop::Stop;
use crate::cli::LearnArgs;
use crate::learn::run::{Existing, Request, prepare, run as learn};
use crate::learn::{LearnError, summary::summary};
use crate::progress::{Again, Event, RunInfo, Style};
use std::process::ExitCode;
use std::thread::available_parallelism;

/// Learns, shows it and sums it up.
pub(super) fn run(args: &LearnArgs) -> ExitCode {
    let request = request(args);
    let prepare = |_: &Stop| {
        // 53 bits, which every reader of JSON holds exactly.
        let prepared = prepare(&request, || rand::random::<u64>() >> 11).map_err(|error| {
            match error.is_usage() {
                true => Failure::Usage(error.to_string()),
                false => Failure::Failed(error.to_string()),
            }
        })?;
        let settings = prepared.settings();
        let info = RunInfo {
            command: "learn",
            output_dir: request.output.clone(),
            seed: Some(settings.seed),
            workers: request.workers,
            engine: format!("square weights depth {}", settings.depth),
            ..RunInfo::default()
        };
        Ok((info, prepared))
    };
    Runner::shown("learn", &args.progress).run(prepare, |prepared, running| {
        if args.resume && prepared.epochs_done() == 0 {
            running.progress.emit(Event::Warning(format!(
                "{} holds nothing to continue; learning begins at the first epoch",
                request.output.shown()
            )));
        }
        let result = learn(prepared, &running.progress, &running.stop);
        let mut closing = Closing {
            report: games_report(running, request.output.clone()),
            words: None,
        };
        match result {
            Ok(learned) => {
                if running.style != Style::Json {
                    closing.words = Some(text(summary(&learned, &request.output)));
                }
                End::Finished(closing)
            }
            Err(LearnError::Stopped) => End::Interrupted(closing, Again::resuming()),
            Err(error) => Failure::Failed(error.to_string()).into(),
        }
    })
}

fn request(args: &LearnArgs) -> Request {
    Request {
        output: args.output.clone(),
        existing: match (args.resume, args.force) {
            (true, _) => Existing::Continue,
            (_, true) => Existing::Replace,
            _ => Existing::Refuse,
        },
        quick: args.quick,
        workers: args
            .workers
            .or_else(|| available_parallelism().ok())
            .map_or(1, Into::into),
        epochs: args.epochs,
        games: args.games,
        alpha: args.alpha,
        depth: args.depth,
        save_every: args.save_every,
        random_plies: args.random_plies,
        check_every: args.check_every,
        check_games: args.check_games,
        averaging: args.no_averaging.then_some(false),
        initial: args.initial.clone(),
        seed: args.seed,
    }
}
