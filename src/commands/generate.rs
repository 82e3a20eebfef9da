//! `rdg [OPTIONS]`: generation.

use super::display::display_options;
use super::runner::{Closing, End, Failure, Runner};
use crate::base::shown::Shown;
use crate::base::stop::Stop;
use crate::cli::GenerateArgs;
use crate::config::{
    self, APP_CONFIG_NAME, AppConfig, CONFIG_NAME, ConfigError, DatasetConfig, RunEngines,
};
use crate::engine::KINDS;
use crate::engine::launch::check_spec;
use crate::generate::openings::OpeningBook;
use crate::generate::scores::{self, ScoreError};
use crate::generate::shard::{Shard, ShardError};
use crate::generate::{self, ExistingOutput, GenerateError, Request, ShardRun};
use crate::machine::setup::{self, SetupError, SetupOptions};
use crate::progress::{Again, Event, RunInfo, Style};
use std::num::NonZero;
use std::process::ExitCode;
use std::sync::Arc;

/// Loads both configurations, makes sure of the engines, and generates the dataset.
pub(super) fn run(args: &GenerateArgs) -> ExitCode {
    let style = display_options(&args.progress).style;
    let runner = Runner::shown("generate", &args.progress);
    let mut configuration = match load(args) {
        Ok(configuration) => configuration,
        Err(errors) => return runner.refuse(&errors),
    };
    let shard = match shard(args, &mut configuration.dataset) {
        Ok(shard) => shard,
        Err(error) => return runner.refuse(&error.to_string()),
    };
    if args.dry_run {
        return super::dry_run::run(&request(configuration, args), style, args.measure);
    }
    let log = configuration.app.log.clone();
    let prepare = |stop: &Stop| {
        let mut configuration = configuration;
        let seed = generate::check_existing(&configuration.dataset, existing_output(args))
            .map_err(|error| Failure::Failed(error.to_string()))?;
        // From here on a drawn seed is as good as a configured one: everybody is told of it.
        configuration.dataset.seed = Some(seed);
        make_ready(args, &configuration, style, stop).map_err(|error| {
            match error.is_configuration() {
                true => Failure::Usage(error.to_string()),
                false => Failure::Failed(error.to_string()),
            }
        })?;
        probe_scores(&configuration, stop)?;
        let request = Request {
            shard,
            lock: !args.no_lock,
            ..request(configuration, args)
        };
        Ok((run_info(&request), request))
    };
    runner.with_log(&log).run(prepare, |request, running| {
        let (report, end) = generate::run(&request, &running.progress, &running.stop);
        if let (Ok(()), Some(run), 0) = (&end, &request.shard, report.games) {
            running.progress.emit(Event::Warning(format!(
                "nothing to do: {} has all the games that it was asked for",
                run.shard
            )));
        }
        let closing = Closing {
            report,
            words: None,
        };
        match end {
            Ok(()) => End::Finished(closing),
            Err(GenerateError::Interrupted) => End::Interrupted(closing, Again::resuming()),
            Err(error) => Failure::Failed(error.to_string()).into(),
        }
    })
}

fn request(configuration: Configuration, args: &GenerateArgs) -> Request {
    let Configuration {
        dataset,
        app,
        engines,
        book,
    } = configuration;
    Request {
        book,
        ..Request::new(dataset, &app, engines, existing_output(args))
    }
}

/// The shard that is to be played; the output folder becomes its own.
fn shard(args: &GenerateArgs, dataset: &mut DatasetConfig) -> Result<Option<ShardRun>, ShardError> {
    let Some(text) = &args.shard else {
        return Ok(None);
    };
    let shard = Shard::parse(text, |name| std::env::var_os(name))?;
    if dataset.seed.is_none() {
        return Err(ShardError::NoSeed(dataset.path.clone()));
    }
    shard.check_folder(&dataset.output_dir)?;
    dataset.output_dir = dataset.output_dir.join(shard.folder_name());
    Ok(Some(ShardRun {
        shard,
        until: args.until_game.clone(),
    }))
}

fn existing_output(args: &GenerateArgs) -> ExistingOutput {
    // A shard begins or goes on, whichever it is.
    let resume = args.resume || args.shard.is_some() && !args.force;
    match (resume, args.repair, args.force) {
        (true, true, _) => ExistingOutput::Repair,
        (true, false, _) => ExistingOutput::Resume,
        (false, _, true) => ExistingOutput::Replace,
        (false, _, false) => ExistingOutput::Refuse,
    }
}

fn run_info(request: &Request) -> RunInfo {
    let self_play = &request.engines.self_play;
    let cpus = std::thread::available_parallelism().map_or(1, NonZero::get);
    RunInfo {
        command: "generate",
        mode: request.config.mode.name(),
        output_dir: request.config.output_dir.clone(),
        seed: request.config.seed,
        workers: request.config.self_play.workers,
        engine: self_play.title(),
        prices: generate::prices(&request.config, &request.engines, cpus).unwrap_or_default(),
    }
}

/// Makes sure that there will be something to record before hours of games are played.
fn probe_scores(configuration: &Configuration, stop: &Stop) -> Result<(), Failure> {
    let Configuration {
        dataset, engines, ..
    } = configuration;
    match scores::probe(dataset, &engines.self_play, stop) {
        Ok(()) => Ok(()),
        Err(ScoreError::Silent(what)) => {
            Err(Failure::Usage(format!("{}: {what}", dataset.path.shown())))
        }
        // The workers meet it again, and know what to do about it.
        Err(ScoreError::Engine(_)) => Ok(()),
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
    book: Option<Arc<OpeningBook>>,
}

/// The app.toml that is named, or the usual one, which need not be there: the embedded engine works
/// without.
fn load_app(args: &GenerateArgs) -> Result<AppConfig, ConfigError> {
    match &args.app_config {
        Some(path) => config::load_app(path, &KINDS),
        None => match config::usual_file(APP_CONFIG_NAME) {
            path if config::is_there(&path) => config::load_app(&path, &KINDS),
            path => Ok(config::no_app(&path, &KINDS)),
        },
    }
}

/// Reads both files. Both are complained about together: one round of corrections, not two.
fn load(args: &GenerateArgs) -> Result<Configuration, String> {
    let config = match &args.config {
        Some(path) => path.clone(),
        None => match config::usual_file(CONFIG_NAME) {
            path if !config::is_there(&path) => {
                return Err(config::not_found(CONFIG_NAME, "--config"));
            }
            path => path,
        },
    };
    let loaded = (config::load_dataset(&config), load_app(args));
    let (dataset, app) = match loaded {
        (Ok(dataset), Ok(app)) => (dataset, app),
        (Err(error), Ok(app)) => {
            let mut lines: Vec<String> = error.lines().collect();
            let more = config::engine_errors(&config, &app);
            lines.extend(
                more.into_iter()
                    .filter(|line| !error.lines().any(|l| l == *line)),
            );
            return Err(lines.join("\n"));
        }
        (dataset, app) => {
            let errors = [dataset.err(), app.err()];
            let faults: Vec<String> = errors.iter().flatten().map(ToString::to_string).collect();
            return Err(faults.join("\n"));
        }
    };
    let book =
        OpeningBook::load(&dataset).map_err(|error| format!("{}: {error}", dataset.path.shown()));
    let engines = dataset.engines(&app).map_err(|error| error.to_string());
    let (engines, book) = match (engines, book) {
        (Ok(engines), Ok(book)) => (engines, book),
        (engines, book) => {
            let errors: Vec<String> = engines.err().into_iter().chain(book.err()).collect();
            return Err(errors.join("\n"));
        }
    };
    for spec in std::iter::once(&engines.self_play).chain(&engines.playout) {
        check_spec(spec).map_err(|error| format!("{}: {error}", app.path.shown()))?;
    }
    scores::check(&dataset, &engines.self_play)
        .map_err(|error| format!("{}: {error}", dataset.path.shown()))?;
    Ok(Configuration {
        dataset,
        app,
        engines,
        book: book.map(Arc::new),
    })
}
