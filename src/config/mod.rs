//! The two configuration files as validated types. Reads the files, does nothing else.

mod duration;
mod error;
mod types;

pub use duration::{ParseDurationError, parse_duration};
pub use error::ConfigError;
pub use types::*;
