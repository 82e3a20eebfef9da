//! `rdg learn`: square weights by self-play.

use super::{EXIT_USAGE, display_options, resume_command, start_log, stdout};
use crate::base::signals::Signals;
use crate::base::stop::Stop;
use crate::cli::LearnArgs;
use crate::learn::run::{Existing, Request, prepare, run as learn, run_report};
use crate::learn::{LearnError, summary::summary};
use crate::progress::{Display, Event, RunInfo, Style, print_fatal};
use std::io::Write;
use std::process::ExitCode;
use std::thread::available_parallelism;
use std::time::Instant;

/// Learns, shows it and sums it up.
pub fn run(args: &LearnArgs) -> ExitCode {
    let began = Instant::now();
    let options = display_options(&args.progress);
    let style = options.style;
    let _log = match start_log(&args.progress, None) {
        Ok(log) => log,
        Err(error) => {
            print_fatal(style, &error.to_string());
            return ExitCode::from(EXIT_USAGE);
        }
    };
    let stop = Stop::new();
    let signals = match Signals::install(&stop) {
        Ok(signals) => signals,
        Err(error) => {
            print_fatal(style, &format!("cannot handle signals: {error}"));
            return ExitCode::FAILURE;
        }
    };
    let request = request(args);
    // 53 bits, which every reader of JSON holds exactly.
    let prepared = match prepare(&request, || rand::random::<u64>() >> 11) {
        Ok(prepared) => prepared,
        Err(error) => {
            print_fatal(style, &error.to_string());
            return match error.is_usage() {
                true => ExitCode::from(EXIT_USAGE),
                false => ExitCode::FAILURE,
            };
        }
    };
    let settings = prepared.settings();
    let info = RunInfo {
        command: "learn",
        mode: "",
        output_dir: request.output.clone(),
        seed: Some(settings.seed),
        workers: request.workers,
        engine: format!("square weights depth {}", settings.depth),
    };
    let display = Display::start(&options, info);
    let progress = display.progress();
    if args.resume && prepared.epochs_done() == 0 {
        progress.emit(Event::Warning(format!(
            "{} holds nothing to continue; learning begins at the first epoch",
            request.output.display()
        )));
    }
    let result = learn(prepared, &progress, &stop);
    let report = run_report(&request.output, &progress, began.elapsed());
    let code = match &result {
        Ok(_) => {
            progress.emit(Event::Finished(report));
            ExitCode::SUCCESS
        }
        Err(LearnError::Stopped) => {
            progress.emit(Event::Interrupted {
                report,
                resume: resume_command(),
            });
            ExitCode::from(signals.exit_code().unwrap_or(1))
        }
        Err(error) => {
            progress.emit(Event::Fatal(error.to_string()));
            ExitCode::FAILURE
        }
    };
    display.finish();
    if let (Ok(learned), true) = (&result, style != Style::Json) {
        let text = summary(learned, &request.output);
        if stdout::print(|out| out.write_all(text.as_bytes())).is_err() {
            return ExitCode::FAILURE;
        }
    }
    code
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
