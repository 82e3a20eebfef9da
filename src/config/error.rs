//! Everything that is wrong with a configuration file, one sentence each.

use std::fmt;
use std::path::{Path, PathBuf};

/// Why a configuration cannot be used. Holds every fault that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigError {
    path: PathBuf,
    faults: Vec<String>,
}

impl ConfigError {
    /// `faults` are sentences that name key, value and what is allowed; at least one.
    pub fn new(path: &Path, faults: Vec<String>) -> ConfigError {
        ConfigError {
            path: path.to_owned(),
            faults,
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// One sentence per fault, in the order of the file's keys in the manual.
    pub fn faults(&self) -> &[String] {
        &self.faults
    }
}

/// One line per fault, each with the file's name.
impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.faults.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{}: {fault}", self.path.display())?;
        }
        Ok(())
    }
}

impl std::error::Error for ConfigError {}
