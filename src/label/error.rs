//! Why data cannot be labelled.

use crate::base::shown::{Foreign, Shown};
use crate::dataset::DatasetError;
use crate::engine::EngineError;
use std::path::PathBuf;

/// The end of a run that did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LabelError {
    /// Files.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// The engine cannot be used for this.
    #[error("{0}")]
    Unfit(Foreign),
    /// The engine fails again and again.
    #[error(
        "{error}; it failed {tries} times at the same position. What is labelled is safe; mend the \
         engine (`rdg doctor` examines it), then go on with --resume"
    )]
    Engine {
        /// The last failure.
        error: EngineError,
        /// How often it was asked.
        tries: u32,
    },
    /// No metadata.json.
    #[error(
        "{} has no metadata.json that says how its values count; name the rule with --score-rule",
        .path.shown()
    )]
    UnknownRule {
        /// The phase, or the file.
        path: PathBuf,
    },
    /// A run that has not ended.
    #[error("{} is unfinished; finish it with rdg --resume first", .path.shown())]
    Unfinished {
        /// The phase.
        path: PathBuf,
    },
    /// `--score-rule` against metadata.json.
    #[error("{} says score_rule `{found}`, so leave --score-rule out", .path.shown())]
    OtherRule {
        /// metadata.json.
        path: PathBuf,
        /// What it says.
        found: Foreign,
    },
    /// One of the three.
    #[error("{} is missing; `rdg verify` says what else is wrong", .path.shown())]
    MissingFile {
        /// The file.
        path: PathBuf,
    },
    /// Such as phase_7 beside phase_07.
    #[error("{} holds phase {phase} in two folders; take one of them away", .path.shown())]
    Twice {
        /// The dataset.
        path: PathBuf,
        /// Discs − 4.
        phase: u8,
    },
    /// A record cut short.
    #[error(
        "{} ends inside a record ({torn} bytes of 18); `rdg verify` says what else is wrong",
        .path.shown()
    )]
    Torn {
        /// The file.
        path: PathBuf,
        /// Bytes of the last record.
        torn: u8,
    },
    /// A file that belongs to no split.
    #[error(
        "{} is none of train.rd, valid.rd and test.rd, so it has no place in a dataset; rename it, \
         or only --compare it", .path.shown()
    )]
    NoSplit {
        /// The file.
        path: PathBuf,
    },
    /// Nothing says the phase.
    #[error(
        "{} is empty and nothing says its phase; put it into a folder phase_NN", .path.shown()
    )]
    NoPhase {
        /// The file.
        path: PathBuf,
    },
    /// No phase is in the range.
    #[error("{} has no positions with {first} to {last} empty squares", .path.shown())]
    NothingInRange {
        /// The input.
        path: PathBuf,
        /// Fewest empty squares.
        first: u8,
        /// Most.
        last: u8,
    },
    /// The output would become a part of the input.
    #[error("{} lies in {}, which is to be read; choose another --output", .output.shown(), .input.shown())]
    InsideInput {
        /// The output.
        output: PathBuf,
        /// The input.
        input: PathBuf,
    },
    /// Something is there.
    #[error("{} is there already; choose another --output or remove it", .path.shown())]
    OutputExists {
        /// The phase or file.
        path: PathBuf,
    },
    /// A labelling that was begun.
    #[error(
        "{} holds labelled data already; go on with --resume, or choose another --output",
        .path.shown()
    )]
    Begun {
        /// The output.
        path: PathBuf,
    },
    /// What was begun was begun otherwise.
    #[error(
        "cannot go on in {}: it was begun with {what}; repeat the command that began it, or choose \
         another --output", .path.shown()
    )]
    OtherSettings {
        /// The output.
        path: PathBuf,
        /// What differs.
        what: Foreign,
    },
    /// The system gives no threads.
    #[error("the system gives no threads to work with: {0}; lower --threads")]
    NoThread(std::io::Error),
    /// A signal.
    #[error("interrupted")]
    Interrupted,
}

impl LabelError {
    /// Whether what was typed is wrong.
    pub(crate) fn is_usage(&self) -> bool {
        matches!(
            self,
            LabelError::Unfit(_)
                | LabelError::UnknownRule { .. }
                | LabelError::OtherRule { .. }
                | LabelError::NoSplit { .. }
                | LabelError::NothingInRange { .. }
                | LabelError::InsideInput { .. }
                | LabelError::OutputExists { .. }
                | LabelError::Begun { .. }
                | LabelError::OtherSettings { .. }
        )
    }
}
