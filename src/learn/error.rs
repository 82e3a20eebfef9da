//! What can go wrong while learning, in one sentence each.

use crate::arena::matches::MatchError;
use crate::base::shown::{Foreign, Shown};
use crate::dataset::DatasetError;
use std::path::PathBuf;

/// Why learning ended without a result.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// A setting that makes no sense.
    #[error("{option} is {value}; {expected}")]
    Setting {
        /// `--alpha` …
        option: &'static str,
        /// As given.
        value: Foreign,
        /// What is allowed.
        expected: String,
    },
    /// The file of initial weights, in one sentence.
    #[error("{0}")]
    InitialWeights(Foreign),
    /// The weights have left every sensible range.
    #[error(
        "the weights ran away in epoch {epoch}, game {game}: {found}; learn with a smaller --alpha \
         than {alpha} (the usual one is 0.001)"
    )]
    RanAway {
        /// From 1.
        epoch: u32,
        /// From 1.
        game: u32,
        /// What was seen.
        found: Foreign,
        /// The learning rate.
        alpha: f64,
    },
    /// Files of an earlier run are in the way.
    #[error(
        "{} holds learned weights already ({file}); continue with --resume, start over with \
         --force, or choose another --output",
        .folder.shown()
    )]
    OutputExists {
        /// The output folder.
        folder: PathBuf,
        /// One of the files.
        file: String,
    },
    /// The run to be continued was made with another setting.
    #[error(
        "{} was made with {option} {was}, not {now}; give it the same value, leave it out, or \
         start over with --force",
        .state.shown()
    )]
    OtherSetting {
        /// The state file.
        state: PathBuf,
        /// `--alpha` …
        option: &'static str,
        /// In the state file.
        was: Foreign,
        /// On the command line.
        now: Foreign,
    },
    /// The state file holds something impossible.
    #[error("{} cannot be continued: {reason}", .state.shown())]
    BadState {
        /// The state file.
        state: PathBuf,
        /// What is wrong.
        reason: Foreign,
    },
    /// Threads could not be had.
    #[error("cannot start {workers} worker threads: {reason}")]
    Threads {
        /// Asked for.
        workers: usize,
        /// What the system said.
        reason: Foreign,
    },
    /// The match of the check failed.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// The system refused.
    #[error(transparent)]
    Files(#[from] DatasetError),
    /// The run is being stopped.
    #[error("stopped")]
    Stopped,
}

impl LearnError {
    /// Whether what was typed is at fault, rather than what happened.
    pub fn is_usage(&self) -> bool {
        matches!(
            self,
            LearnError::Setting { .. }
                | LearnError::InitialWeights(_)
                | LearnError::OutputExists { .. }
                | LearnError::OtherSetting { .. }
        )
    }
}
