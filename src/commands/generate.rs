//! `rdg [OPTIONS]`: generation.

use super::{EXIT_USAGE, display_options};
use crate::cli::GenerateArgs;
use crate::config::{self, AppConfig, DatasetConfig, RunEngines};
use crate::engine::launch::check_spec;
use crate::progress::print_fatal;
use std::process::ExitCode;

/// Loads both configurations and generates the dataset they describe.
pub fn run(args: &GenerateArgs) -> ExitCode {
    let style = display_options(&args.progress).style;
    let Configuration {
        dataset,
        app,
        engines,
    } = match load(args) {
        Ok(configuration) => configuration,
        Err(faults) => {
            print_fatal(style, &faults);
            return ExitCode::from(EXIT_USAGE);
        }
    };
    print_fatal(
        style,
        &format!(
            "generation into {} with {} ({}) is not part of this build yet",
            dataset.output_dir.display(),
            engines.self_play.entry.name,
            app.path.display()
        ),
    );
    ExitCode::FAILURE
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
