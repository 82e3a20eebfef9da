//! What can be wrong with kept games.

use crate::base::shown::{Foreign, Shown};
use crate::dataset::DatasetError;
use std::path::PathBuf;

/// An error of a games file or its checkpoint.
#[derive(Debug, thiserror::Error)]
pub enum GamesError {
    /// The system refused, or a checkpoint cannot be understood.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// The first bytes are not those of the format.
    #[error("{} is not a file of kept games: it does not begin with RDGGAMES", .path.shown())]
    BadHeader {
        /// The file.
        path: PathBuf,
    },
    /// Another version of the format.
    #[error(
        "{} holds games in version {found} of the format, this rdg reads version 1; use a newer rdg",
        .path.shown()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// What it says: a digit or letter.
        found: char,
    },
    /// Fewer bytes than the checkpoint counts.
    #[error("{} has {found} bytes where its checkpoint counts {expected}", .path.shown())]
    TooShort {
        /// The file.
        path: PathBuf,
        /// Bytes in the file.
        found: u64,
        /// Bytes that the checkpoint counts.
        expected: u64,
    },
    /// A block that cannot be what was written.
    #[error("{}, byte {offset}{}: {reason}", .path.shown(), behind(.after))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the block begins.
        offset: u64,
        /// The last sound game before it.
        after: Option<u64>,
        /// What is wrong.
        reason: Foreign,
    },
}

fn behind(after: &Option<u64>) -> String {
    match after {
        Some(number) => format!(" (behind game {number})"),
        None => String::new(),
    }
}

impl GamesError {
    /// Whether a file or folder is not there.
    pub fn is_missing(&self) -> bool {
        matches!(self, GamesError::Dataset(error) if error.is_missing())
    }

    /// Whether the content of a file is bad, as opposed to what the system refused.
    pub fn is_corruption(&self) -> bool {
        match self {
            GamesError::Dataset(error) => error.is_corruption(),
            GamesError::Version { .. } => false,
            _ => true,
        }
    }
}
