//! What is the same for every phase of a run.

use super::openings::OpeningBook;
use super::settings::RunEngines;
use crate::config::{DatasetConfig, SplitBy};
use crate::dataset::metadata::Generation;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What becomes of output that is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExistingOutput {
    /// It is an error.
    Refuse,
    /// It is continued; what cannot be is an error.
    Resume,
    /// It is continued; phases that cannot be are rebuilt.
    Repair,
    /// The folders of this run's phases are deleted.
    Replace,
}

/// What is the same for every phase of a run.
#[derive(Debug)]
pub(crate) struct RunFacts {
    /// config.toml.
    pub config: DatasetConfig,
    /// app.toml's path.
    pub app_config_path: PathBuf,
    /// SHA-256 of its bytes; empty where there is no such file.
    pub app_config_sha256: String,
    /// Who plays, and what they are.
    pub engines: RunEngines,
    /// Master seed.
    pub seed: u64,
    /// The lines that games begin with; unknown where games are read instead of played.
    pub book: Option<Arc<OpeningBook>>,
    /// What decides the split.
    pub split_by: SplitBy,
    /// Working time of earlier runs over the same phases.
    pub elapsed_before: Duration,
    /// When this run began.
    pub since: Instant,
}

impl RunFacts {
    /// app.toml, where the run has one.
    pub(crate) fn app_config(&self) -> Option<&Path> {
        (!self.app_config_sha256.is_empty()).then_some(self.app_config_path.as_path())
    }

    /// What one game gives.
    pub(crate) fn generation(&self) -> Generation {
        match self.config.window {
            Some(_) => Generation::Window,
            None => Generation::Phase,
        }
    }

    /// Working time so far, earlier runs included.
    pub(crate) fn elapsed(&self) -> Duration {
        self.elapsed_before + self.since.elapsed()
    }
}
