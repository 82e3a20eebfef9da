//! Everything that is wrong with a configuration file, one sentence each.

use super::reader::Fault;
use crate::base::shown::Shown;
use std::fmt;
use std::path::{Path, PathBuf};

/// Why a configuration cannot be used. Holds every fault that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigError {
    path: PathBuf,
    /// At least one.
    faults: Vec<Fault>,
}

impl ConfigError {
    pub(super) fn new(path: &Path, faults: Vec<Fault>) -> ConfigError {
        ConfigError {
            path: path.to_owned(),
            faults,
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// One line per fault: file, place in it, and a sentence that names key, value and what is
    /// allowed.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.faults.iter().map(|fault| {
            let path = fault.file.as_ref().unwrap_or(&self.path).shown();
            match fault.place {
                None => format!("{path}: {}", fault.text.shown()),
                Some((line, None)) => format!("{path}:{line}: {}", fault.text.shown()),
                Some((line, Some(column))) => {
                    format!("{path}:{line}:{column}: {}", fault.text.shown())
                }
            }
        })
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, line) in self.lines().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            f.write_str(&line)?;
        }
        Ok(())
    }
}

impl std::error::Error for ConfigError {}
