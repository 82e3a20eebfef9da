//! What ends a fit, in one sentence each.

use crate::base::shown::{Foreign, Shown};
use crate::dataset::DatasetError;
use std::path::PathBuf;

/// Why there are no weights.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// A file cannot be read or written.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// A record that cannot be right.
    #[error("{0}; nothing was fitted: see rdg verify, and --resume --repair")]
    BadRecord(DatasetError),
    /// A file that ends inside a record.
    #[error(
        "{} ends inside a record ({torn} bytes of 18); finish its run with --resume, which cuts it, or cut it by hand",
        .path.shown()
    )]
    Torn {
        /// The file.
        path: PathBuf,
        /// Bytes of the last record.
        torn: u8,
    },
    /// One file that was named twice.
    #[error("{} is named twice; its positions would count twice", .path.shown())]
    NamedTwice {
        /// The file.
        path: PathBuf,
    },
    /// Values that are counted in different ways.
    #[error(
        "{} has score_rule `{first_is}`, {} has `{second_is}`: their values mean different things, and no \
         weights fit both; fit them apart",
        .first.shown(), .second.shown()
    )]
    MixedRule {
        /// An input.
        first: PathBuf,
        /// What it has.
        first_is: Foreign,
        /// Another.
        second: PathBuf,
        /// What that has.
        second_is: Foreign,
    },
    /// No position to learn from.
    #[error(
        "the inputs have no position to learn from: {train} in train, {valid} in valid, {test} in test"
    )]
    Nothing {
        /// Positions of train.rd.
        train: u64,
        /// Of valid.rd.
        valid: u64,
        /// Of test.rd.
        test: u64,
    },
    /// A number that makes no sense.
    #[error("{option} is {value}; {expected}")]
    Option {
        /// As it is typed.
        option: &'static str,
        /// What was typed.
        value: Foreign,
        /// What is possible.
        expected: String,
    },
    /// The file of patterns.
    #[error("the file of patterns {} {reason}", .path.shown())]
    Patterns {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: Foreign,
    },
    /// The weights to begin with.
    #[error("{0}")]
    Start(Foreign),
    /// Something is where the weights are to go.
    #[error("{} exists already; replace it with --force", .path.shown())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// An interrupted fit is there.
    #[error(
        "{} was interrupted: continue with --resume, or start over with --force", .path.shown()
    )]
    Unfinished {
        /// The file of weights.
        path: PathBuf,
    },
    /// What is to be continued was begun otherwise.
    #[error(
        "{} was begun with another {what} ({was}, not {now}); give the same, or start over with --force",
        .path.shown()
    )]
    Other {
        /// The file of weights.
        path: PathBuf,
        /// Which option.
        what: Foreign,
        /// Its value then.
        was: Foreign,
        /// Its value now.
        now: Foreign,
    },
    /// The state of an interrupted fit cannot be used.
    #[error("{} cannot be continued: {reason}; start over with --force", .path.shown())]
    BadState {
        /// The file of the state.
        path: PathBuf,
        /// What is wrong.
        reason: Foreign,
    },
    /// The weights grew without bound.
    #[error("the weights grew without bound in epoch {epoch}: choose a --rate below {rate}")]
    Diverged {
        /// From 1.
        epoch: u32,
        /// The rate.
        rate: f64,
    },
    /// Threads cannot be started.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// So many.
        threads: usize,
        /// What the system said.
        reason: Foreign,
    },
    /// A signal came.
    #[error("interrupted")]
    Stopped,
}

impl FitError {
    /// Whether what was typed is wrong, and not a file or the machine.
    pub fn is_usage(&self) -> bool {
        matches!(
            self,
            FitError::Option { .. }
                | FitError::Patterns { .. }
                | FitError::Start(_)
                | FitError::Exists { .. }
                | FitError::Unfinished { .. }
                | FitError::Other { .. }
                | FitError::NamedTwice { .. }
                | FitError::MixedRule { .. }
        )
    }
}
