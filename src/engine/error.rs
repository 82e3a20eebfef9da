//! What can go wrong with an engine, in one sentence each.

use crate::base::shown::{Foreign, Shown};
use std::fmt;
use std::time::Duration;

/// A failure of one engine. `engine` is its name in the configuration.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The process could not be created, or the embedded engine's files not be read.
    #[error("engine `{engine}` cannot be started: {reason}")]
    CannotStart {
        /// Name in app.toml.
        engine: String,
        /// What the system or the engine said, and what to do.
        reason: Foreign,
    },
    /// No readiness within the start-up deadline.
    #[error("engine `{engine}` was not ready after {}{}", Seconds(.after), Stderr(.stderr))]
    StartTimedOut {
        /// Name in app.toml.
        engine: String,
        /// The deadline.
        after: Duration,
        /// Its last lines on stderr.
        stderr: Foreign,
    },
    /// The process ended (or closed its output) while an answer was awaited.
    #[error("engine `{engine}` ended while {during}: {how}{}", Stderr(.stderr))]
    Exited {
        /// Name in app.toml.
        engine: String,
        /// What it was doing: `starting`, `choosing a move` …
        during: String,
        /// Exit status or signal by name, with its usual meaning.
        how: Foreign,
        /// Its last lines on stderr.
        stderr: Foreign,
    },
    /// No answer within the move's deadline.
    #[error("engine `{engine}` did not answer within {}{}", Seconds(.after), Stderr(.stderr))]
    TimedOut {
        /// Name in app.toml.
        engine: String,
        /// The deadline.
        after: Duration,
        /// Its last lines on stderr.
        stderr: Foreign,
    },
    /// It answered a move that the rules forbid there.
    #[error("engine `{engine}` answered the illegal move {answer} in position {position}")]
    IllegalMove {
        /// Name in app.toml.
        engine: String,
        /// The move as it was answered.
        answer: Foreign,
        /// 64 squares and side to move.
        position: String,
    },
    /// It answered something that is not a move.
    #[error("engine `{engine}` answered `{answer}`, which is not a move{}", Stderr(.stderr))]
    Unintelligible {
        /// Name in app.toml.
        engine: String,
        /// The beginning of what it said.
        answer: Foreign,
        /// Its last lines on stderr.
        stderr: Foreign,
    },
    /// It answered, but not about the position it was asked about.
    #[error("engine `{engine}` has lost track of the game: {what}{}", Stderr(.stderr))]
    OutOfStep {
        /// Name in app.toml.
        engine: String,
        /// How it shows.
        what: Foreign,
        /// Its last lines on stderr.
        stderr: Foreign,
    },
    /// It was asked to score moves, and what it said are no scores, or not all.
    #[error("engine `{engine}` gave no scores that can be used: {what}{}", Stderr(.stderr))]
    BadScores {
        /// Name in app.toml.
        engine: String,
        /// What is wrong with them.
        what: Foreign,
        /// Its last lines on stderr.
        stderr: Foreign,
    },
    /// It has no scores to give.
    #[error(
        "engine `{engine}` cannot score moves; use `builtin`, Edax, Egaroucid's console mode or an \
         NBoard engine that answers `hint`"
    )]
    CannotScore {
        /// Name in app.toml.
        engine: String,
    },
    /// A position that its protocol cannot set up.
    #[error("engine `{engine}` cannot be given this position: {reason}")]
    CannotSetUp {
        /// Name in app.toml.
        engine: String,
        /// Why not.
        reason: Foreign,
    },
    /// The run is being stopped; nothing is wrong with the engine.
    #[error("stopped")]
    Stopped,
}

/// The kinds of failure that statistics count apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FailureKind {
    /// Could not be created.
    CannotStart,
    /// Start-up deadline missed.
    StartTimedOut,
    /// Ended by itself or by a signal.
    Exited,
    /// Move deadline missed.
    TimedOut,
    /// Forbidden move.
    IllegalMove,
    /// No move at all, or one of another position.
    Unintelligible,
}

impl FailureKind {
    /// Its name in files and in progress for programs, e.g. `timed_out`.
    pub const fn name(self) -> &'static str {
        match self {
            FailureKind::CannotStart => "cannot_start",
            FailureKind::StartTimedOut => "start_timed_out",
            FailureKind::Exited => "exited",
            FailureKind::TimedOut => "timed_out",
            FailureKind::IllegalMove => "illegal_move",
            FailureKind::Unintelligible => "unintelligible",
        }
    }
}

impl fmt::Display for FailureKind {
    /// As a clause: `it did not answer in time`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            FailureKind::CannotStart => "it could not be started",
            FailureKind::StartTimedOut => "it was not ready in time",
            FailureKind::Exited => "it ended",
            FailureKind::TimedOut => "it did not answer in time",
            FailureKind::IllegalMove => "it answered an illegal move",
            FailureKind::Unintelligible => "it answered something that is not a move",
        })
    }
}

impl EngineError {
    /// Its kind, or `None` for what is no failure of an engine at work.
    pub fn kind(&self) -> Option<FailureKind> {
        Some(match self {
            EngineError::CannotStart { .. } => FailureKind::CannotStart,
            EngineError::StartTimedOut { .. } => FailureKind::StartTimedOut,
            EngineError::Exited { .. } => FailureKind::Exited,
            EngineError::TimedOut { .. } => FailureKind::TimedOut,
            EngineError::IllegalMove { .. } => FailureKind::IllegalMove,
            EngineError::Unintelligible { .. }
            | EngineError::OutOfStep { .. }
            | EngineError::BadScores { .. } => FailureKind::Unintelligible,
            EngineError::CannotScore { .. }
            | EngineError::CannotSetUp { .. }
            | EngineError::Stopped => return None,
        })
    }
}

/// A duration as people write it: `300s`, `0.25s`.
struct Seconds<'a>(&'a Duration);

impl fmt::Display for Seconds<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}s", self.0.as_secs_f64())
    }
}

/// The engine's own last words, where there are any.
struct Stderr<'a>(&'a Foreign);

impl fmt::Display for Stderr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.raw().trim_end() {
            "" => Ok(()),
            lines => write!(f, "; it said: {}", lines.shown()),
        }
    }
}
