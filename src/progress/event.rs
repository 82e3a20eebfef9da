//! What a run tells about itself: counters that are looked at, and events that happen once.

use super::move_times::MoveTimes;
use crate::engine::FailureKind;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// One thing that happened.
#[derive(Clone, Debug)]
pub enum Event {
    /// Work begins.
    Start(RunInfo),
    /// A phase has all its records.
    PhaseFinished(PhaseReport),
    /// Learning was compared with its start: a point of the learning curve.
    Checked(CheckReport),
    /// Every position was seen once more by a fit.
    Fitted(FitEpoch),
    /// A round of games, weights and a match is done.
    Round(RoundFinished),
    /// Something a user should know; the run goes on.
    Warning(String),
    /// Every target is reached and every file is written.
    Finished(RunReport),
    /// Stopped by a signal, after a checkpoint where there is one.
    Interrupted {
        /// What was reached.
        report: RunReport,
        /// How to get the rest.
        again: Again,
    },
    /// The run failed; what a checkpoint covers is on disk.
    Fatal(String),
}

impl Event {
    /// Whether nothing comes after it.
    pub fn is_closing(&self) -> bool {
        matches!(
            self,
            Event::Finished(_) | Event::Interrupted { .. } | Event::Fatal(_)
        )
    }
}

/// What an interrupted command is followed by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Again {
    /// The full command line.
    pub command: String,
    /// Whether it goes on where this one stopped; else it begins anew.
    pub continues: bool,
}

/// What is about to be done.
#[derive(Clone, Default, Debug)]
pub struct RunInfo {
    /// `generate`, `import`, `learn` …
    pub command: &'static str,
    /// `normal`, `all_positions`; empty where it does not apply.
    pub mode: &'static str,
    /// Where output goes; empty where it goes into no file.
    pub output_dir: PathBuf,
    /// Master seed, where there is one.
    pub seed: Option<u64>,
    /// Worker threads.
    pub workers: usize,
    /// Who plays, e.g. `edax level 20`; empty where nobody does.
    pub engine: String,
    /// Seconds per game of the whole run for each phase at which games leave the playout, 0..=60, as
    /// far as can be said before any is played; else empty.
    pub prices: Vec<f64>,
}

/// A finished phase.
#[derive(Clone, Debug)]
pub struct PhaseReport {
    /// Discs − 4.
    pub phase: u8,
    /// Records in its three files.
    pub samples: u64,
    /// Duplicates passed over.
    pub duplicates: u64,
    /// Games that gave nothing.
    pub losses: Losses,
    /// Working time spent, earlier runs included.
    pub elapsed: Duration,
}

/// Games that gave nothing, by what became of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Losses {
    /// Over before the position that was wanted: a part of the game.
    pub ended_early: u64,
    /// Thrown away: the position was too good for one side.
    pub unbalanced: u64,
    /// Lost to failures of engines; in an import, bad.
    pub failed: u64,
    /// Of an import: not played to the end.
    pub left_out: u64,
}

impl Losses {
    /// Each kind that has occurred, and failures anyway: key and number.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, u64)> {
        [
            ("ended_early", self.ended_early, false),
            ("unbalanced", self.unbalanced, false),
            ("left_out_games", self.left_out, false),
            ("failed_games", self.failed, true),
        ]
        .into_iter()
        .filter(|(_, number, always)| *always || *number > 0)
        .map(|(key, number, _)| (key, number))
    }
}

/// A match of learned against initial weights.
#[derive(Clone, Copy, Debug)]
pub struct CheckReport {
    /// Epochs learned.
    pub epoch: u32,
    /// Games of the match.
    pub games: u64,
    /// (wins + draws / 2) / games of the learned weights, 0..=1.
    pub score: f64,
    /// Their mean final disc difference.
    pub mean_difference: f64,
    /// Root of the mean squared temporal difference in the last epoch; a won game counts 1000.
    pub rms_td_error: f64,
}

/// Where a fit stands after an epoch.
#[derive(Clone, Copy, Debug)]
pub struct FitEpoch {
    /// Epochs done.
    pub epoch: u32,
    /// Of at most so many.
    pub epochs: u32,
    /// Root of the mean squared error met while learning, in discs.
    pub train_rmse: f64,
    /// The same on the valid split, of the best weights so far; `None` where it is empty.
    pub valid_rmse: Option<f64>,
}

/// A finished round of `rdg bootstrap`.
#[derive(Clone, Copy, Debug)]
pub struct RoundFinished {
    /// From 1.
    pub round: u32,
    /// Of so many.
    pub rounds: u32,
    /// Positions learned from.
    pub positions: u64,
    /// Mean absolute error on others, in discs.
    pub mae: Option<f64>,
    /// (wins + draws / 2) / games against the round before.
    pub against_last: f64,
    /// The same against the beginning.
    pub against_start: f64,
}

/// A finished or interrupted run.
#[derive(Clone, Debug, Default)]
pub struct RunReport {
    /// Records on disk in this run's phases; `None` for a command that makes none.
    pub samples: Option<u64>,
    /// Records added by this run.
    pub new_samples: Option<u64>,
    /// Games played by this run.
    pub games: u64,
    /// Working time of this run.
    pub elapsed: Duration,
    /// Where the output is; empty where there is none.
    pub output_dir: PathBuf,
}

/// The counters of a run at one moment. Everything counts this run alone except where said.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Each phase of the run, ascending.
    pub phases: Vec<PhaseProgress>,
    /// Phases being worked on at present (a window's, or one).
    pub active: Vec<u8>,
    /// Games committed.
    pub games: u64,
    /// Duplicate positions passed over.
    pub duplicates: u64,
    /// Games that gave nothing, each once.
    pub losses: Losses,
    /// Engine failures by kind; each means a restart.
    pub failures: BTreeMap<FailureKind, u64>,
    /// Records per split (train, valid, test) on disk, earlier runs included.
    pub splits: [u64; 3],
    /// Mean of the values on disk, in discs, earlier runs included; `None` where it is not told.
    pub mean_value: Option<f64>,
    /// Time engines spent thinking, summed over workers. Zero where it is not measured.
    pub engine_busy: Duration,
    /// Time workers have existed, summed over workers.
    pub worker_time: Duration,
    /// Where the time of games went, by the phase at which they left the random playout.
    pub move_times: BTreeMap<u8, MoveTimes>,
    /// Work done in steps that are no samples (import: games read; learn: games learned from).
    pub steps: Option<Steps>,
    /// How a match stands.
    pub score: Option<Standing>,
}

/// How a match stands, seen from the first player.
#[derive(Clone, Copy, Debug, Default)]
pub struct Standing {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Sum of the final disc differences.
    pub discs: i64,
}

impl Standing {
    /// Adds a game by its final disc difference.
    pub fn add(&mut self, difference: i16) {
        match difference {
            1.. => self.wins += 1,
            0 => self.draws += 1,
            _ => self.losses += 1,
        }
        self.discs += i64::from(difference);
    }

    /// Games played.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// (wins + draws / 2) / games, 0..=1.
    pub fn score(&self) -> f64 {
        (self.wins as f64 + self.draws as f64 / 2.0) / self.games().max(1) as f64
    }

    /// Mean final disc difference.
    pub fn mean_difference(&self) -> f64 {
        self.discs as f64 / self.games().max(1) as f64
    }
}

/// One phase at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PhaseProgress {
    /// Discs − 4.
    pub phase: u8,
    /// Phase at which the games that fill it leave the random playout: the window's smallest, or
    /// `phase` itself outside window mode. Phases of one anchor are filled by the same games.
    pub anchor: u8,
    /// Records wanted.
    pub target: u64,
    /// Records there, earlier runs included.
    pub done: u64,
    /// Records that were there when this run began.
    pub resumed: u64,
}

/// Progress of work that is not counted in samples.
#[derive(Clone, Copy, Debug, Default)]
pub struct Steps {
    /// Done.
    pub done: u64,
    /// Of how many, where it is known.
    pub total: Option<u64>,
    /// Singular noun: `game`, `byte`, `epoch`.
    pub unit: &'static str,
}

impl Steps {
    /// No byte of an unknown number.
    pub fn bytes() -> Steps {
        Steps {
            unit: "byte",
            ..Steps::default()
        }
    }
}

/// Shows or stores what a run tells.
pub trait Sink: Send + Sync {
    /// Something happened; `now` holds the counters of this moment.
    fn event(&self, event: &Event, now: &Snapshot);
}

/// The end of the line that a run speaks into. Renderers look at [`Progress::snapshot`] whenever
/// they like; nobody is woken when counters change.
pub struct Progress {
    snapshot: Mutex<Snapshot>,
    sinks: Vec<Box<dyn Sink>>,
}

impl Progress {
    /// Speaks to these sinks.
    pub fn new(sinks: Vec<Box<dyn Sink>>) -> Progress {
        Progress {
            snapshot: Mutex::default(),
            sinks,
        }
    }

    /// Speaks to nobody.
    pub fn silent() -> Progress {
        Progress::new(Vec::new())
    }

    /// Tells an event to every sink.
    pub fn emit(&self, event: Event) {
        let now = self.snapshot();
        for sink in &self.sinks {
            sink.event(&event, &now);
        }
    }

    /// Changes the counters. Called a few dozen times a second at most, never per game.
    pub fn update(&self, change: impl FnOnce(&mut Snapshot)) {
        change(&mut self.lock());
    }

    /// The counters now.
    pub fn snapshot(&self) -> Snapshot {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Snapshot> {
        self.snapshot.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
