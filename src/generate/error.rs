//! Why a run did not reach its end.

use super::openings::BookError;
use crate::base::shown::{Foreign, Shown};
use crate::board::enumerate::EnumerateError;
use crate::dataset::DatasetError;
use crate::engine::EngineError;
use crate::games::{GamesError, ReplayFault};
use std::fmt;
use std::path::PathBuf;

/// The end of a run that did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// Files.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// Kept games.
    #[error(transparent)]
    Games(#[from] GamesError),
    /// The openings file.
    #[error(transparent)]
    Openings(#[from] BookError),
    /// An engine that no restart can mend.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// all_positions.
    #[error(transparent)]
    Enumerate(#[from] EnumerateError),
    /// No engine process could be started.
    #[error("no worker could start its engine (`rdg doctor` says more): {error}")]
    NoEngine {
        /// The last worker's reason.
        error: EngineError,
    },
    /// Every worker's games fail.
    #[error(
        "{failed} games in a row failed although each was repeated {retries} times; the last \
         failure: {last}. What was recorded is safe; mend the engine (`rdg doctor` examines it), \
         then go on with --resume"
    )]
    EngineKeepsFailing {
        /// Games in a row.
        failed: u64,
        /// Restarts of each.
        retries: u32,
        /// What the last one died of.
        last: Foreign,
    },
    /// Output is there already.
    #[error(
        "phase {phase} has output already in {}; continue it with --resume, or delete it and start \
         over with --force", .folder.shown()
    )]
    OutputExists {
        /// The first such phase.
        phase: u8,
        /// Its folder.
        folder: PathBuf,
    },
    /// Data with values of `rdg label`.
    #[error(
        "{} holds data with new labels (rdg label), which generation does not continue; choose \
         another output_dir, or continue the dataset that was labelled", .folder.shown()
    )]
    Labelled {
        /// The output folder.
        folder: PathBuf,
    },
    /// A phase that cannot be resumed as it is.
    #[error(
        "cannot resume {}. Undo what changed or choose another output_dir; or rebuild just these \
         phases with --resume --repair, or all with --force", listed(.phases)
    )]
    NotResumable {
        /// Ascending.
        phases: Vec<Unresumable>,
    },
    /// Games are to be kept of which some are gone.
    #[error(
        "phase {phase} was begun without keeping its games, so `games.keep` cannot be switched on \
         for it; leave `keep` out, choose another output_dir, or start over with --force"
    )]
    GamesNotKept {
        /// The first such phase.
        phase: u8,
    },
    /// Kept games that do not fit the rules or their campaign.
    #[error("{}, game {game}: {fault}; `rdg verify --replay` says more", .path.shown())]
    KeptGame {
        /// The games file.
        path: PathBuf,
        /// The game's number.
        game: u64,
        /// What is wrong.
        fault: ReplayFault,
    },
    /// A number is missing among kept games.
    #[error("{} lacks game {game}; `rdg verify --replay` says more", .path.shown())]
    GameMissing {
        /// The games file.
        path: PathBuf,
        /// The game's number.
        game: u64,
    },
    /// Shards that cannot be merged.
    #[error("{reason}")]
    Shards {
        /// Why, as a sentence.
        reason: Foreign,
    },
    /// Phases with different seeds, and none configured.
    #[error(
        "phases {first} and {second} were made with different seeds ({first_seed} and \
         {second_seed}); set `seed` in {}", .config.shown()
    )]
    SeedsDiffer {
        /// One phase.
        first: u8,
        /// Its seed.
        first_seed: u64,
        /// Another.
        second: u8,
        /// Its seed.
        second_seed: u64,
        /// The configuration.
        config: PathBuf,
    },
    /// The attempts are used up.
    #[error(
        "{}; what was recorded stays valid. Lower samples_per_phase or raise \
         playout.max_attempts_multiplier, then go on with --resume", .phases.join("; ")
    )]
    TargetsMissed {
        /// One sentence per phase.
        phases: Vec<String>,
    },
    /// A position of an enumerated phase could not be played out.
    #[error(
        "position {game} of phase {phase} could not be played out ({reason}); every position of \
         the phase is wanted, so the run ends here. Mend the engine, then go on with --resume"
    )]
    PositionFailed {
        /// The phase.
        phase: u8,
        /// Its number in the enumeration.
        game: u64,
        /// The last failure.
        reason: Foreign,
    },
    /// A worker ended by a bug in rdg.
    #[error(
        "worker {worker} ended by a bug in rdg; what was recorded is safe, go on with \
         --resume"
    )]
    WorkerLost {
        /// Which.
        worker: usize,
    },
    /// Not one thread to be had.
    #[error("the system gives no threads to work with: {error}; lower self_play.workers")]
    NoThread {
        /// What it said.
        error: std::io::Error,
    },
    /// A signal.
    #[error("interrupted")]
    Interrupted,
}

/// A phase that cannot go on, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unresumable {
    /// Discs − 4.
    pub phase: u8,
    /// Half a sentence.
    pub reason: Foreign,
}

impl fmt::Display for Unresumable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "phase {}: {}", self.phase, self.reason)
    }
}

/// Each reason once, with the phases that have it; the first few reasons.
fn listed(phases: &[Unresumable]) -> String {
    const SHOWN: usize = 3;
    let mut reasons: Vec<(&Foreign, Vec<u8>)> = Vec::new();
    for Unresumable { phase, reason } in phases {
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, phases)) => phases.push(*phase),
            None => reasons.push((reason, vec![*phase])),
        }
    }
    let shown: Vec<String> = reasons
        .iter()
        .take(SHOWN)
        .map(|(reason, phases)| match phases.as_slice() {
            [phase] => format!("phase {phase}: {reason}"),
            phases => format!("phases {}: {reason}", crate::base::text::phases(phases)),
        })
        .collect();
    match reasons
        .iter()
        .skip(SHOWN)
        .map(|(_, phases)| phases.len())
        .sum()
    {
        0_usize => shown.join("; "),
        more => format!("{}; and {more} more phases", shown.join("; ")),
    }
}
