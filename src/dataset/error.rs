//! What can go wrong with the files of a dataset, in one sentence each.

use super::rules::RecordFault;
use crate::base::shown::{Foreign, Shown};
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// A fault of a file or folder of a dataset.
#[derive(Debug, thiserror::Error)]
pub enum DatasetError {
    /// The system refused.
    #[error("cannot {action} {}: {source}{}", .path.shown(), Hint(.source))]
    Io {
        /// `read`, `write`, `create` …
        action: &'static str,
        /// The file or folder concerned.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file that must not be overwritten is there already.
    #[error("{} exists already; continue it with --resume or start over with --force", .path.shown())]
    AlreadyExists {
        /// The file.
        path: PathBuf,
    },
    /// Something else stands where rdg keeps a file of its own.
    #[error(
        "{} is {what}, where rdg keeps a file or folder of its own and writes through nothing else; \
         remove it, or choose another output folder",
        .path.shown()
    )]
    NotOurs {
        /// The name.
        path: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// The first bytes are not those of the format.
    #[error("{} is not an rdgbitboard_v1 file: it does not begin with RDGBBVAL1", .path.shown())]
    BadHeader {
        /// The file.
        path: PathBuf,
    },
    /// Fewer records than a checkpoint counts.
    #[error("{} holds {found} records where its checkpoint counts {expected}", .path.shown())]
    TooShort {
        /// The file.
        path: PathBuf,
        /// Whole records in the file.
        found: u64,
        /// Records that the checkpoint counts.
        expected: u64,
    },
    /// A record breaks a rule of the format.
    #[error("{}, record {record}: {fault}", .path.shown())]
    BadRecord {
        /// The file.
        path: PathBuf,
        /// Its number in the file; the first is 0.
        record: u64,
        /// The rule.
        fault: RecordFault,
    },
    /// A folder without records.
    #[error("{} holds neither .rd files nor phase_NN folders", .path.shown())]
    NoRecords {
        /// The folder.
        path: PathBuf,
    },
    /// A JSON file that cannot be understood.
    #[error("{} cannot be understood: {reason}", .path.shown())]
    Json {
        /// The file.
        path: PathBuf,
        /// What is wrong, with line and column where there are any.
        reason: Foreign,
    },
    /// A JSON file of another kind or of another version of rdg.
    #[error("{} has schema `{found}`, this rdg reads `{expected}`", .path.shown())]
    WrongSchema {
        /// The file.
        path: PathBuf,
        /// What it says.
        found: Foreign,
        /// What it should say.
        expected: &'static str,
    },
    /// Another process works in the folder.
    #[error(
        "{} is in use by {holder}; wait until it ends, or choose another output_dir",
        .path.shown()
    )]
    Locked {
        /// The output folder.
        path: PathBuf,
        /// The process, as far as it is known.
        holder: Foreign,
    },
    /// The file system has no locks.
    #[error(
        "the file system of {} has no file locks ({source}); choose an output_dir on a local disk, or \
         make sure that no other run works there and use --no-lock",
        .path.shown()
    )]
    LockUnsupported {
        /// The output folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The positions to be remembered do not fit.
    #[error(
        "no memory to remember {positions} positions ({} MB); lower samples_per_phase or window.size",
        .bytes / 1_000_000
    )]
    OutOfMemory {
        /// How many positions.
        positions: u64,
        /// How much they take.
        bytes: u64,
    },
}

impl DatasetError {
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> DatasetError {
        let path = path.to_owned();
        move |source| DatasetError::Io {
            action,
            path,
            source,
        }
    }

    /// Whether the disk or the user's quota is full: nothing is wrong with the data, and the same
    /// call succeeds once there is room.
    pub fn is_disk_full(&self) -> bool {
        matches!(self, DatasetError::Io { source, .. }
            if matches!(source.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded))
    }

    /// Whether a file or folder is not there.
    pub fn is_missing(&self) -> bool {
        matches!(self, DatasetError::Io { source, .. } if source.kind() == ErrorKind::NotFound)
    }

    /// Whether the content of a file is bad, as opposed to what the system refused.
    pub fn is_corruption(&self) -> bool {
        matches!(
            self,
            DatasetError::BadHeader { .. }
                | DatasetError::TooShort { .. }
                | DatasetError::BadRecord { .. }
                | DatasetError::Json { .. }
                | DatasetError::WrongSchema { .. }
        )
    }
}

/// What to do about it.
struct Hint<'a>(&'a io::Error);

impl fmt::Display for Hint<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0.kind() {
            ErrorKind::StorageFull => "; free space on that disk, then go on with --resume",
            ErrorKind::QuotaExceeded => "; make room within the quota, then go on with --resume",
            ErrorKind::ReadOnlyFilesystem => "; choose a folder on a disk that can be written to",
            ErrorKind::PermissionDenied => {
                "; give this user the right to it, or choose another folder"
            }
            ErrorKind::NotFound => "; it does not exist or was removed",
            ErrorKind::NotADirectory => "; a file stands where a folder should be",
            ErrorKind::IsADirectory => "; a folder stands where a file should be",
            _ => "",
        })
    }
}
