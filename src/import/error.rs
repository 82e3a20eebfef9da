//! What ends an import, in one sentence each.

use super::tally::BadGame;
use crate::base::shown::{Foreign, Shown};
use crate::dataset::DatasetError;
use crate::records::NotGames;
use std::io;
use std::path::{Path, PathBuf};

/// Why an import ended without a dataset.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The system refused to read an input.
    #[error("cannot read {}: {source}", .path.shown())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file that was named holds no games.
    #[error("nothing can be imported from {}: {why}", .path.shown())]
    NotGames {
        /// The file; `-` is standard input.
        path: PathBuf,
        /// What it is.
        why: NotGames,
    },
    /// Folders without files.
    #[error("there is no file to read in {}", .path.shown())]
    NoFiles {
        /// The folder named first.
        path: PathBuf,
    },
    /// Everything was read and nothing could be used.
    #[error("no position to record: {reason}")]
    NothingUsable {
        /// What there was instead.
        reason: Foreign,
    },
    /// A bad game in a strict import.
    #[error("{0}; without --strict, such a game is left out and the rest goes on")]
    Strict(BadGame),
    /// A value between two whole numbers.
    #[error("{0}")]
    Fraction(BadGame),
    /// A file without games in a strict import.
    #[error("{} in a folder holds no games: {why}; without --strict, it is passed over", .path.shown())]
    StrictFile {
        /// The file.
        path: PathBuf,
        /// What it is.
        why: NotGames,
    },
    /// The note of an interrupted import is damaged.
    #[error(
        "{0}; it says what an interrupted import had moved to its place; import again with --force, \
         which clears it"
    )]
    Note(DatasetError),
    /// The dataset is there already.
    #[error("{} exists already; choose another --output, or replace it with --force", .path.shown())]
    Exists {
        /// The phase folder or file.
        path: PathBuf,
    },
    /// The disk is full.
    #[error(
        "the disk of {} is full; an import needs room for its positions twice; nothing was written",
        .path.shown()
    )]
    DiskFull {
        /// The output folder.
        path: PathBuf,
    },
    /// A temporary file in the output folder.
    #[error("cannot {action} {}: {source}", .path.shown())]
    Temporary {
        /// `write`, `read` …
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Anything else about the output.
    #[error(transparent)]
    Dataset(DatasetError),
    /// The threads could not be had.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// How many.
        threads: usize,
        /// What the system said.
        reason: Foreign,
    },
    /// A signal.
    #[error("interrupted; nothing was written")]
    Interrupted,
}

impl ImportError {
    pub(super) fn read(path: &Path) -> impl FnOnce(io::Error) -> ImportError {
        let path = path.to_owned();
        move |source| ImportError::Read { path, source }
    }

    pub(super) fn temporary(
        action: &'static str,
        path: &Path,
    ) -> impl FnOnce(io::Error) -> ImportError {
        let path = path.to_owned();
        move |source| match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => ImportError::DiskFull {
                path: path.parent().unwrap_or(&path).to_owned(),
            },
            _ => ImportError::Temporary {
                action,
                path,
                source,
            },
        }
    }
}

impl From<DatasetError> for ImportError {
    fn from(error: DatasetError) -> ImportError {
        let full = error.is_disk_full();
        match error {
            // An import has nothing to resume: it says so in its own words.
            DatasetError::Io { path, .. } if full => ImportError::DiskFull { path },
            error => ImportError::Dataset(error),
        }
    }
}
