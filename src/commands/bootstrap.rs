//! `rdg bootstrap`: rounds of games, weights and matches.

use super::runner::{Closing, End, Failure, Runner, games_report, text};
use crate::base::shown::Shown;
use crate::base::stop::Stop;
use crate::bootstrap::{
    BootstrapError, BootstrapReport, Existing, Request, Start, prepare, run as bootstrap,
};
use crate::cli::BootstrapArgs;
use crate::progress::{Again, RunInfo};
use std::process::ExitCode;
use std::thread::available_parallelism;

/// Makes the rounds and shows how strong each is.
pub(super) fn run(args: &BootstrapArgs) -> ExitCode {
    let request = request(args);
    let prepare = |_: &Stop| {
        let prepared = prepare(&request).map_err(|error| failure(&error))?;
        let settings = prepared.settings();
        let info = RunInfo {
            command: "bootstrap",
            output_dir: request.output.clone(),
            seed: Some(settings.seed),
            workers: request.workers,
            engine: format!(
                "builtin level {}, from {}",
                settings.level,
                settings.start.name()
            ),
            ..RunInfo::default()
        };
        Ok((info, prepared))
    };
    Runner::shown("bootstrap", &args.progress).run(prepare, |prepared, running| {
        let result = bootstrap(prepared, &running.progress, &running.stop);
        let mut closing = Closing {
            report: games_report(running, request.output.clone()),
            words: None,
        };
        match result {
            Ok(report) => {
                closing.words = Some(text(words(args, &report)));
                End::Finished(closing)
            }
            Err(BootstrapError::Stopped) => End::Interrupted(closing, Again::resuming()),
            Err(error) => failure(&error).into(),
        }
    })
}

fn failure(error: &BootstrapError) -> Failure {
    let message = error.to_string().shown().to_string();
    match error.is_usage() {
        true => Failure::Usage(message),
        false => Failure::Failed(message),
    }
}

fn words(args: &BootstrapArgs, report: &BootstrapReport) -> String {
    match args.json {
        true => serde_json::to_string_pretty(report).map_or_else(|e| e.to_string(), |j| j + "\n"),
        false => report.to_text(),
    }
}

fn request(args: &BootstrapArgs) -> Request {
    Request {
        output: args.output.clone(),
        existing: match (args.resume, args.force) {
            (true, _) => Existing::Continue,
            (_, true) => Existing::Replace,
            _ => Existing::Refuse,
        },
        workers: args
            .workers
            .or_else(|| available_parallelism().ok())
            .map_or(1, Into::into),
        rounds: args.rounds,
        samples: args.samples,
        level: args.level,
        match_games: args.match_games,
        match_level: args.match_level,
        start: args.start.as_deref().map(Start::parse),
        seed: args.seed,
    }
}
