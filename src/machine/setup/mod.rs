//! Engines whose files are missing: find out, ask, run `make setup-…`. Starts no engine and knows
//! no generator.
//!
//! Only Edax and Egaroucid can be set up, and only where app.toml has them at the place that the
//! set-up scripts use; a path of one's own is one's own to correct.

mod ask;
mod make;
mod missing;

use crate::base::shown::{Foreign, Shown};
pub(crate) use missing::{MissingFile, missing_files};

use crate::base::stop::Stop;
use crate::config::{AppConfig, EngineSpec, SetupPolicy};
use missing::Recipe;

/// How a user is dealt with.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SetupOptions {
    /// `--yes`: the question is answered already.
    pub yes: bool,
    /// Nothing but JSON goes to stderr: no question, and make's output is kept back.
    pub json: bool,
}

/// Why an engine is not ready. Each message says what to do.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SetupError {
    /// A path of one's own leads to no file.
    #[error("{}", .0.join("\n"))]
    WrongPath(Vec<String>),
    /// It could be set up, but nobody said so.
    #[error(
        "engine `{engine}` is not set up: {missing} missing; {remedy}, or generate without any \
         set-up: rdg --config configs/quickstart.toml (rdg init writes it)"
    )]
    NotSetUp {
        /// Name in app.toml.
        engine: String,
        /// The files and the verb.
        missing: String,
        /// What to do.
        remedy: String,
    },
    /// `make` could not be started or failed.
    #[error(
        "make {target} failed: {reason}; correct that and run it again, or generate without any \
         set-up: rdg --config configs/quickstart.toml (rdg init writes it)"
    )]
    MakeFailed {
        /// `setup-edax` …
        target: &'static str,
        /// What it said, or how it ended.
        reason: Foreign,
    },
    /// It succeeded, and yet files are missing.
    #[error("make {target} succeeded, but {missing} still missing; app.toml names another place")]
    StillMissing {
        /// `setup-edax` …
        target: &'static str,
        /// The files and the verb.
        missing: String,
    },
    /// The run is being stopped.
    #[error("stopped during the set-up; nothing half-made is left")]
    Stopped,
}

impl SetupError {
    /// Whether a configuration file is wrong, as opposed to something that failed.
    pub(crate) fn is_configuration(&self) -> bool {
        matches!(self, SetupError::WrongPath(_))
    }
}

/// The command that sets an engine up, where it lies at the place that set-up uses.
pub(crate) fn set_up_command(spec: &EngineSpec) -> Option<String> {
    Recipe::of(spec).map(|recipe| format!("make {}", recipe.target))
}

/// Makes sure that the files of these engines are there, by the policy of `app`.
///
/// # Errors
///
/// When a file is missing in the end. Nothing is changed then, except by a set-up that succeeded.
pub(crate) fn prepare<'s>(
    specs: impl IntoIterator<Item = &'s EngineSpec>,
    app: &AppConfig,
    options: SetupOptions,
    stop: &Stop,
) -> Result<(), SetupError> {
    let mut specs: Vec<&EngineSpec> = specs.into_iter().collect();
    specs.sort_by(|a, b| a.entry.name.cmp(&b.entry.name));
    specs.dedup_by(|a, b| a.entry.name == b.entry.name);
    let mut wrong_paths = Vec::new();
    let mut recipes: Vec<(&EngineSpec, Recipe)> = Vec::new();
    for spec in specs {
        let missing = missing_files(spec);
        match Recipe::of(spec) {
            Some(recipe) => recipes.push((spec, recipe)),
            None => wrong_paths.extend(missing.iter().map(|file| file.sentence(spec, app))),
        }
    }
    // All that no set-up can help with is told before anything is run.
    if !wrong_paths.is_empty() {
        return Err(SetupError::WrongPath(wrong_paths));
    }
    for (spec, recipe) in recipes {
        prepare_one(spec, &recipe, app, options, stop)?;
    }
    Ok(())
}

fn prepare_one(
    spec: &EngineSpec,
    recipe: &Recipe,
    app: &AppConfig,
    options: SetupOptions,
    stop: &Stop,
) -> Result<(), SetupError> {
    let missing = missing_files(spec);
    let target = recipe.target;
    let not_set_up = |remedy: String| SetupError::NotSetUp {
        engine: spec.entry.name.clone(),
        missing: missing::list(&missing),
        remedy,
    };
    match app.setup {
        SetupPolicy::Missing | SetupPolicy::Off if missing.is_empty() => return Ok(()),
        SetupPolicy::Off => {
            return Err(not_set_up(format!(
                "run make {target} (setup = \"off\" in {} keeps rdg from offering it)",
                app.path.shown()
            )));
        }
        SetupPolicy::Missing if options.yes => {}
        SetupPolicy::Missing if options.json || !ask::can_ask() => {
            return Err(not_set_up(format!(
                "run make {target}, or let --yes run it"
            )));
        }
        SetupPolicy::Missing => {
            if !ask::ask(&ask::question(spec, &missing, app, target)) {
                return Err(not_set_up(format!("run make {target}")));
            }
        }
        SetupPolicy::Always => {}
    }
    make::run(recipe, options.json, stop)?;
    match missing_files(spec) {
        still if still.is_empty() => Ok(()),
        still => Err(SetupError::StillMissing {
            target,
            missing: missing::list(&still),
        }),
    }
}
