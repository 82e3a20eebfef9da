//! `rdg [OPTIONS]`: generation.

use super::{EXIT_USAGE, display_options, resume_command, start_log};
use crate::base::signals::Signals;
use crate::base::stop::Stop;
use crate::cli::GenerateArgs;
use crate::config::{self, AppConfig, DatasetConfig, RunEngines};
use crate::engine::launch::check_spec;
use crate::generate::{self, ExistingOutput, GenerateError, Request};
use crate::machine::setup::{self, SetupError, SetupOptions};
use crate::progress::{Display, Event, RunInfo, Style, print_fatal};
use std::process::ExitCode;

/// Loads both configurations, makes sure of the engines, and generates the dataset.
pub fn run(args: &GenerateArgs) -> ExitCode {
    let options = display_options(&args.progress);
    let configuration = match load(args) {
        Ok(configuration) => configuration,
        Err(faults) => {
            print_fatal(options.style, &faults);
            return ExitCode::from(EXIT_USAGE);
        }
    };
    if args.dry_run {
        return super::dry_run::run(&request(configuration, args), options.style);
    }
    // Kept to the end: it writes what is still on its way to the log.
    let _log = match start_log(&args.progress, Some(&configuration.app.log)) {
        Ok(log) => log,
        Err(error) => {
            print_fatal(options.style, &error.to_string());
            return ExitCode::from(EXIT_USAGE);
        }
    };
    let stop = Stop::new();
    let signals = match Signals::install(&stop) {
        Ok(signals) => signals,
        Err(error) => {
            print_fatal(options.style, &format!("cannot handle signals: {error}"));
            return ExitCode::FAILURE;
        }
    };
    let existing = existing_output(args);
    if let Err(error) = generate::check_existing(&configuration.dataset, existing) {
        print_fatal(options.style, &error.to_string());
        return ExitCode::FAILURE;
    }
    if let Err(error) = make_ready(args, &configuration, options.style, &stop) {
        print_fatal(options.style, &error.to_string());
        return match signals.exit_code() {
            Some(code) => ExitCode::from(code),
            None if error.is_configuration() => ExitCode::from(EXIT_USAGE),
            None => ExitCode::FAILURE,
        };
    }
    let request = request(configuration, args);
    let display = Display::start(&options, run_info(&request));
    let progress = display.progress();
    let (report, end) = generate::run(&request, &progress, &stop);
    match end {
        Ok(()) => {
            progress.emit(Event::Finished(report));
            ExitCode::SUCCESS
        }
        Err(error) => match signals.exit_code() {
            Some(code) if matches!(error, GenerateError::Interrupted) => {
                progress.emit(Event::Interrupted {
                    report,
                    resume: resume_command(),
                });
                ExitCode::from(code)
            }
            _ => {
                progress.emit(Event::Fatal(error.to_string()));
                ExitCode::FAILURE
            }
        },
    }
}

fn request(configuration: Configuration, args: &GenerateArgs) -> Request {
    let Configuration {
        dataset,
        app,
        engines,
    } = configuration;
    Request::new(dataset, &app, engines, existing_output(args))
}

fn existing_output(args: &GenerateArgs) -> ExistingOutput {
    match (args.resume, args.repair, args.force) {
        (true, true, _) => ExistingOutput::Repair,
        (true, false, _) => ExistingOutput::Resume,
        (false, _, true) => ExistingOutput::Replace,
        (false, _, false) => ExistingOutput::Refuse,
    }
}

fn run_info(request: &Request) -> RunInfo {
    let self_play = &request.engines.self_play;
    RunInfo {
        command: "generate",
        mode: request.config.mode.name(),
        output_dir: request.config.output_dir.clone(),
        seed: request.config.seed,
        workers: request.config.self_play.workers,
        engine: format!("{} level {}", self_play.entry.name, self_play.level),
    }
}

/// Sets missing engines up where that is wanted.
fn make_ready(
    args: &GenerateArgs,
    configuration: &Configuration,
    style: Style,
    stop: &Stop,
) -> Result<(), SetupError> {
    let options = SetupOptions {
        yes: args.yes,
        json: style == Style::Json,
    };
    let engines = &configuration.engines;
    let specs = std::iter::once(&engines.self_play).chain(&engines.playout);
    setup::prepare(specs, &configuration.app, options, stop)
}

/// Everything that a run is told.
struct Configuration {
    dataset: DatasetConfig,
    app: AppConfig,
    engines: RunEngines,
}

/// Reads both files. Both are complained about together: one round of corrections, not two.
fn load(args: &GenerateArgs) -> Result<Configuration, String> {
    let loaded = (
        config::load_dataset(&args.config),
        config::load_app(&args.app_config),
    );
    let (dataset, app) = match loaded {
        (Ok(dataset), Ok(app)) => (dataset, app),
        (dataset, app) => {
            let errors = [dataset.err(), app.err()];
            let faults: Vec<String> = errors.iter().flatten().map(ToString::to_string).collect();
            return Err(faults.join("\n"));
        }
    };
    let engines = dataset.engines(&app).map_err(|error| error.to_string())?;
    for spec in std::iter::once(&engines.self_play).chain(&engines.playout) {
        check_spec(spec).map_err(|error| format!("{}: {error}", app.path.display()))?;
    }
    Ok(Configuration {
        dataset,
        app,
        engines,
    })
}
