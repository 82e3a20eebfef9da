//! What ends the rounds, in one sentence each.

use crate::arena::matches::MatchError;
use crate::base::shown::{Foreign, Shown};
use crate::config::ConfigError;
use crate::dataset::DatasetError;
use crate::fit::FitError;
use crate::generate::GenerateError;
use std::path::PathBuf;

/// Why there are no further rounds. Those before are kept.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BootstrapError {
    /// A file.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// A configuration of a round that was changed by hand.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The games.
    #[error("round {round}, games: {source}")]
    Generate {
        /// From 1.
        round: u32,
        /// What happened.
        source: GenerateError,
    },
    /// The weights.
    #[error("round {round}, weights: {source}")]
    Fit {
        /// From 1.
        round: u32,
        /// What happened.
        source: FitError,
    },
    /// The match.
    #[error("round {round}, match: {source}")]
    Match {
        /// From 1.
        round: u32,
        /// What happened.
        source: MatchError,
    },
    /// The weights to begin with.
    #[error("{0}")]
    Start(Foreign),
    /// A number that makes no sense.
    #[error("{option} is {value}; {expected}")]
    Setting {
        /// As it is typed.
        option: &'static str,
        /// What was typed.
        value: u64,
        /// What is possible.
        expected: &'static str,
    },
    /// Rounds are there.
    #[error(
        "{} holds rounds already; continue them with --resume or start over with --force", .path.shown()
    )]
    Exists {
        /// The folder.
        path: PathBuf,
    },
    /// What is to be continued was begun otherwise.
    #[error(
        "{} was begun with another {option} ({was}, not {now}); give the same, or start over with --force",
        .path.shown()
    )]
    Other {
        /// The folder.
        path: PathBuf,
        /// Which option.
        option: &'static str,
        /// Its value then.
        was: Foreign,
        /// Its value now.
        now: Foreign,
    },
    /// A signal came.
    #[error("interrupted")]
    Stopped,
}

impl BootstrapError {
    /// Whether what was typed is wrong, and not a file or the machine.
    pub(crate) fn is_usage(&self) -> bool {
        matches!(
            self,
            BootstrapError::Setting { .. }
                | BootstrapError::Start(_)
                | BootstrapError::Exists { .. }
                | BootstrapError::Other { .. }
        )
    }
}
