//! The two configuration files as validated types. Reads the files, does nothing else.

mod types;

pub use types::*;
