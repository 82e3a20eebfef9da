//! What ends an export, in one sentence each.

use crate::base::shown::{Foreign, Shown};
use crate::dataset::DatasetError;
use crate::games::GamesError;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Why an export ended without a result. Nothing that looks whole is left behind.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ExportError {
    /// A file of a dataset cannot be read.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// A record that no format can carry, or that its folder contradicts.
    #[error("{0}; nothing was exported: see rdg verify, and --resume --repair")]
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
    #[error("{} is named twice; its positions would be exported twice", .path.shown())]
    NamedTwice {
        /// The file.
        path: PathBuf,
    },
    /// The filters leave nothing.
    #[error("nothing to export: {reason}")]
    Nothing {
        /// What was asked for that is not there.
        reason: Foreign,
    },
    /// Inputs that do not belong together.
    #[error(
        "{} has {what} `{first_is}`, {} has `{second_is}`; export them apart",
        .first.shown(), .second.shown()
    )]
    Mixed {
        /// `score_rule` or `label`.
        what: &'static str,
        /// An input.
        first: PathBuf,
        /// What it has.
        first_is: Foreign,
        /// Another.
        second: PathBuf,
        /// What that has.
        second_is: Foreign,
    },
    /// The format wants another score rule than the data has.
    #[error(
        "the values of these inputs count by `{data}`, but readers of {format} expect `{wanted}`, and one \
         cannot be turned into the other; export them as they are with --accept-score-rule {data}, or \
         make the data with score_rule = \"{wanted}\""
    )]
    ScoreRule {
        /// The format.
        format: &'static str,
        /// The rule that it prescribes.
        wanted: &'static str,
        /// The rule of the data.
        data: Foreign,
    },
    /// `--accept-score-rule` names a rule that the data does not have.
    #[error("--accept-score-rule {accepted}, but the values of these inputs count by `{data}`")]
    OtherRuleAccepted {
        /// As typed.
        accepted: &'static str,
        /// The rule of the data.
        data: Foreign,
    },
    /// The output is there already.
    #[error("{} exists already; choose another --output, or replace it with --force", .path.shown())]
    Exists {
        /// The file or folder.
        path: PathBuf,
    },
    /// `--force` on something that no export made.
    #[error(
        "{} was not written by rdg export ({why}), so --force does not replace it; choose another --output",
        .path.shown()
    )]
    NotOurs {
        /// The file or folder.
        path: PathBuf,
        /// How that is known.
        why: &'static str,
    },
    /// One file cannot hold what was asked for.
    #[error("{} is one file, but {why}; name a folder, or {instead}", .path.shown())]
    OneFile {
        /// The output.
        path: PathBuf,
        /// What does not go into one.
        why: &'static str,
        /// What else to do.
        instead: &'static str,
    },
    /// So many records cannot be shuffled in so little memory.
    #[error("{rows} records cannot be shuffled within --memory {memory}; allow {wanted} MiB")]
    TooLittleMemory {
        /// Records, all images counted.
        rows: u64,
        /// MiB.
        memory: u64,
        /// MiB.
        wanted: u64,
    },
    /// The disk is full.
    #[error("the disk of {} is full; nothing is left of the export{hint}", .path.shown())]
    DiskFull {
        /// The file.
        path: PathBuf,
        /// What the room is needed for.
        hint: &'static str,
    },
    /// The system refused to write.
    #[error("cannot {action} {}: {source}", .path.shown())]
    Io {
        /// `write`, `create` …
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A library for a format gave up.
    #[cfg(feature = "parquet")]
    #[error("cannot encode {format}: {reason}")]
    Encode {
        /// The format.
        format: &'static str,
        /// What it said.
        reason: Foreign,
    },
    /// The format is not part of this program.
    #[cfg(not(feature = "parquet"))]
    #[error(
        "this rdg was built without {format}; build it with cargo build --release --features {format}"
    )]
    NotBuilt {
        /// The format, which is its feature's name.
        format: &'static str,
    },
    /// Games whose ends count differently.
    #[cfg(feature = "parquet")]
    #[error(
        "{} counts the end of a game by `{rule}`, {} by `{other_rule}`; export them apart",
        .path.shown(),
        .other.shown()
    )]
    MixedGames {
        /// Some file of kept games.
        path: PathBuf,
        /// Its rule.
        rule: &'static str,
        /// Another file.
        other: PathBuf,
        /// The rule of that.
        other_rule: &'static str,
    },
    /// A kept game that cannot be written.
    #[error("{}, game {number}: {reason}", .path.shown())]
    BadGame {
        /// The file of kept games.
        path: PathBuf,
        /// The game.
        number: u64,
        /// What is wrong.
        reason: Foreign,
    },
    /// A file of kept games cannot be read.
    #[error(transparent)]
    Games(#[from] GamesError),
    /// The output's ending does not tell how games are to be written.
    #[error("{} does not tell how games are to be written; name a file that ends in .txt, .ggf, .sgf, .pgn or .parquet", .path.shown())]
    GamesEnding {
        /// The output.
        path: PathBuf,
    },
    /// Options that are about positions.
    #[error(
        "--format games writes whole games; --split, --phases, --layout, --shuffle, --sample, --symmetries \
         and --max-records-per-file are for positions"
    )]
    GamesOptions,
    /// The threads cannot be started.
    #[error("cannot start {threads} threads: {reason}; choose fewer with --threads")]
    Threads {
        /// How many.
        threads: usize,
        /// What the system said.
        reason: Foreign,
    },
    /// A signal came.
    #[error("interrupted; nothing was exported")]
    Interrupted,
}

impl ExportError {
    pub(super) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> ExportError {
        let path = path.to_owned();
        move |source| match source.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => ExportError::DiskFull {
                path,
                hint: match action {
                    "spool to" => "; a shuffle needs room for 26 bytes a record beside the result",
                    _ => "",
                },
            },
            _ => ExportError::Io {
                action,
                path,
                source,
            },
        }
    }

    /// Whether the command line is wrong rather than the data or the machine.
    pub(crate) fn is_usage(&self) -> bool {
        #[cfg(not(feature = "parquet"))]
        if matches!(self, ExportError::NotBuilt { .. }) {
            return true;
        }
        matches!(
            self,
            ExportError::NamedTwice { .. }
                | ExportError::ScoreRule { .. }
                | ExportError::OtherRuleAccepted { .. }
                | ExportError::OneFile { .. }
                | ExportError::GamesEnding { .. }
                | ExportError::GamesOptions
                | ExportError::TooLittleMemory { .. }
        )
    }
}
