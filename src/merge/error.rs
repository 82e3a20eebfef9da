//! Why datasets cannot be merged.

use crate::base::shown::{Foreign, Shown};
use crate::dataset::DatasetError;
use std::path::PathBuf;

/// The end of a merge that made no dataset.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MergeError {
    /// Files.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// A file or a phase.
    #[error("{} is not a dataset; name the folder that holds phase_NN folders", .path.shown())]
    NotADataset {
        /// What was named.
        path: PathBuf,
    },
    /// The same folder.
    #[error("{} is named twice", .path.shown())]
    Twice {
        /// The folder.
        path: PathBuf,
    },
    /// No metadata.json.
    #[error(
        "{} has no metadata.json, so it is unfinished or its score rule is unknown; finish it with \
         rdg --resume", .path.shown()
    )]
    Unfinished {
        /// The phase.
        path: PathBuf,
    },
    /// Values that mean different things.
    #[error(
        "{} and {} cannot be merged: the values of one are {first_is}, of the other {second_is}",
        .first.shown(), .second.shown()
    )]
    Differ {
        /// One phase.
        first: PathBuf,
        /// What its values are.
        first_is: Foreign,
        /// Another.
        second: PathBuf,
        /// What its values are.
        second_is: Foreign,
    },
    /// The output has phases.
    #[error("{} is there already; choose another --output or remove it", .path.shown())]
    OutputExists {
        /// The phase.
        path: PathBuf,
    },
    /// A signal.
    #[error("interrupted; what was begun is removed")]
    Interrupted,
}
