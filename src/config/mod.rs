//! The two configuration files as validated types. Reads the files, does nothing else.
//!
//! A file is walked key by key, so that every fault in it is reported at once, each with its line.

mod app;
mod dataset;
mod duration;
mod engine_name;
mod error;
mod file;
mod find;
mod kind;
mod paths;
mod phases;
mod reader;
mod spec;
#[cfg(test)]
mod tests;
mod types;
mod unquoted;

pub use app::{app_of_text, load_app, no_app};
pub use dataset::{dataset_of_text, load_dataset};
pub use duration::{ParseDurationError, format_duration, parse_duration};
use engine_name::engine_name;
pub use error::ConfigError;
pub use find::{APP_CONFIG_NAME, CONFIG_NAME, is_there, not_found, usual_file, usual_places};
pub use kind::{Allowed, EngineKind, Kind, KnownOption, OwnWord, Setting};
pub use phases::{parse_phases, parse_phases_within};
use spec::DEFAULT_STARTUP_TIMEOUT;
pub(crate) use spec::engine_errors;
pub use spec::{DEFAULT_PLAYOUT_TIMEOUT, DEFAULT_SELF_PLAY_TIMEOUT, RunEngines};
pub use types::*;
