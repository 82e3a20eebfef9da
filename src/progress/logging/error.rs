//! Why a log cannot be kept.

use crate::base::shown::{Foreign, Shown};
use std::io;
use std::path::PathBuf;

/// A log file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// It cannot be opened.
    #[error(
        "log file {} cannot be opened: {source}; name another one with --log-file or [log].file",
        path.shown()
    )]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Its folder cannot be made.
    #[error(
        "folder {} for the log file cannot be created: {source}; name another file with --log-file or [log].file",
        path.shown()
    )]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is a folder, a pipe, a socket …
    #[error(
        "log file {} is {what}, not a file; name another one with --log-file or [log].file",
        path.shown()
    )]
    NoFile {
        /// The path.
        path: PathBuf,
        /// What it is instead.
        what: &'static str,
    },
    /// `RUST_LOG` says something that is no filter.
    #[error(
        "RUST_LOG={words:?} cannot be understood: {source}; write for example info, debug or rdg=debug"
    )]
    Filter {
        /// Its value.
        words: Foreign,
        /// Why.
        source: tracing_subscriber::filter::ParseError,
    },
    /// Logging has been started before in this process.
    #[error("the log cannot be started: another log is active in this process")]
    StartedTwice,
}
