//! `stats.json`: counts, value distribution and speed of a phase, resumed parts included.

use super::counters::{
    Counters, EnumerationCounters, FailureCounters, PlayoutCounters, ValueHistogram, is_zero, rate,
};
use super::import::ImportCounts;
use super::metadata::{DataMode, Generation};
use serde::{Deserialize, Serialize};

/// Name of the file's form.
pub const STATS_SCHEMA: &str = "rdg_phase_stats_v1";

/// Name of the file's form in all_positions mode.
pub const ALL_POSITIONS_STATS_SCHEMA: &str = "rdg_all_positions_phase_stats_v1";

/// stats.json. What does not apply is `None` and absent from the file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PhaseStats {
    /// [`STATS_SCHEMA`] or [`ALL_POSITIONS_STATS_SCHEMA`].
    pub schema: String,
    /// How positions were found.
    pub mode: DataMode,
    /// Discs − 4.
    pub phase: u8,
    /// When the phase was begun, RFC 3339.
    pub started_at: String,
    /// When it was finished, RFC 3339.
    pub finished_at: String,
    /// Working time, interruptions not counted.
    pub elapsed_seconds: f64,
    /// Records wanted.
    pub target_samples: u64,
    /// Records written.
    pub emitted_samples: u64,
    /// Games begun (all_positions: positions played).
    pub attempts: u64,
    /// Positions passed over because the phase had them.
    pub duplicate_positions: u64,
    /// Their share of all positions looked at.
    pub duplicate_rate: f64,
    /// Games that were over before the phase.
    #[serde(default)]
    pub ended_early: u64,
    /// Games thrown away because their anchor was too good for one side.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unbalanced: u64,
    /// Games lost to failures of engines (import: bad games).
    pub failed_attempts: u64,
    /// Moves before the phase.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub playout: Option<PlayoutStats>,
    /// The engine's games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub self_play: Option<SelfPlayStats>,
    /// The walk of all_positions mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enumeration: Option<EnumerationStats>,
    /// The games of all_positions mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<EvaluationStats>,
    /// The phase's part in its window's games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<WindowPhaseStats>,
    /// The games of an import.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub import: Option<ImportCounts>,
    /// Recorded values.
    pub value: ValueStats,
    /// Records per file.
    pub split: SplitCounts,
    /// Per second of working time.
    pub speed: Speed,
}

/// `playout`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlayoutStats {
    /// Drawn at random.
    pub random_moves: u64,
    /// Chosen by the playout engine.
    pub engine_moves: u64,
    /// The configured chance of the latter.
    pub ai_probability: f64,
    /// Forced passes.
    pub pass_count: u64,
}

/// `self_play`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SelfPlayStats {
    /// Played to the end.
    pub games: u64,
    /// Moves in them.
    pub moves: u64,
    /// Forced passes in them.
    pub pass_count: u64,
    /// Deadlines missed by engines.
    pub engine_timeouts: u64,
    /// Other failures of engines.
    pub engine_errors: u64,
    /// Engines started again.
    pub engine_restarts: u64,
    /// Failures by kind.
    pub failures: FailureCounters,
}

impl SelfPlayStats {
    fn new(counters: &Counters) -> SelfPlayStats {
        let c = &counters.self_play;
        SelfPlayStats {
            games: c.games,
            moves: c.moves,
            pass_count: c.pass_count,
            engine_timeouts: c.failures.timeouts(),
            engine_errors: c.failures.errors(),
            engine_restarts: c.engine_restarts,
            failures: c.failures,
        }
    }
}

/// `enumeration`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct EnumerationStats {
    /// Moves made, over all layers up to the phase.
    pub nodes: u64,
    /// Moves into the phase.
    pub leaf: u64,
    /// Positions of the phase that differ under every symmetry.
    pub unique: u64,
    /// Moves into the phase that led to a position already there.
    pub duplicates: u64,
    /// Positions on the way whose side to move had to pass.
    pub pass: u64,
    /// Positions on the way where the game was over.
    pub game_over: u64,
    /// Duplicates among the moves into the phase.
    pub duplicate_rate: f64,
}

impl EnumerationStats {
    fn new(c: &EnumerationCounters) -> EnumerationStats {
        EnumerationStats {
            nodes: c.nodes,
            leaf: c.leaf,
            unique: c.unique,
            duplicates: c.duplicates,
            pass: c.pass,
            game_over: c.game_over,
            duplicate_rate: rate(c.duplicates, c.leaf),
        }
    }
}

/// `evaluation`: what `self_play` is in the other mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EvaluationStats {
    /// Positions to be played to the end.
    pub target: u64,
    /// Played.
    pub evaluated: u64,
    /// Given up.
    pub failed: u64,
    /// Moves played.
    pub moves: u64,
    /// Forced passes.
    pub pass_count: u64,
    /// Deadlines missed by engines.
    pub engine_timeouts: u64,
    /// Other failures of engines.
    pub engine_errors: u64,
    /// Engines started again.
    pub engine_restarts: u64,
    /// Failures by kind.
    pub failures: FailureCounters,
}

/// `window`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WindowPhaseStats {
    /// Samples that this phase took from the window's games.
    pub extracted_samples: u64,
    /// Passed over as duplicates.
    pub duplicate_samples: u64,
    /// The window's games that were over before the phase.
    #[serde(default)]
    pub ended_early: u64,
    /// The window's games thrown away because their anchor was too good for one side.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unbalanced: u64,
    /// The window's games lost to failures of engines.
    pub failed_trajectories: u64,
    /// Deadlines missed by engines in the window's games.
    pub engine_timeouts: u64,
    /// Other failures of engines in them.
    pub engine_errors: u64,
}

/// `value`. Without records there is neither range nor mean.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ValueStats {
    /// Smallest value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<i16>,
    /// Largest value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<i16>,
    /// Mean value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// Records per value.
    pub histogram: ValueHistogram,
}

impl From<&ValueHistogram> for ValueStats {
    fn from(values: &ValueHistogram) -> ValueStats {
        ValueStats {
            min: values.min(),
            max: values.max(),
            mean: values.mean(),
            histogram: values.clone(),
        }
    }
}

/// Records per file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SplitCounts {
    /// In train.rd.
    pub train: u64,
    /// In valid.rd.
    pub valid: u64,
    /// In test.rd.
    pub test: u64,
}

impl SplitCounts {
    /// In all three.
    pub fn total(&self) -> u64 {
        self.train
            .saturating_add(self.valid)
            .saturating_add(self.test)
    }
}

impl From<[u64; 3]> for SplitCounts {
    fn from([train, valid, test]: [u64; 3]) -> SplitCounts {
        SplitCounts { train, valid, test }
    }
}

impl From<SplitCounts> for [u64; 3] {
    fn from(counts: SplitCounts) -> [u64; 3] {
        [counts.train, counts.valid, counts.test]
    }
}

/// `speed`, per second of working time.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Speed {
    /// Records written.
    pub samples_per_second: f64,
    /// Games played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub self_play_games_per_second: Option<f64>,
    /// Moves made while enumerating.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enumeration_nodes_per_second: Option<f64>,
    /// Positions played to the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation_positions_per_second: Option<f64>,
}

/// What [`PhaseStats::from_counters`] cannot take from the counters.
#[derive(Clone, PartialEq, Debug)]
pub struct StatsFacts {
    /// How positions were found.
    pub mode: DataMode,
    /// What one game gives.
    pub generation: Generation,
    /// Discs − 4.
    pub phase: u8,
    /// When the phase was begun, RFC 3339.
    pub started_at: String,
    /// When it was finished, RFC 3339.
    pub finished_at: String,
    /// Working time.
    pub elapsed_seconds: f64,
    /// Of it, the walk of all_positions mode; 0 elsewhere.
    pub enumeration_seconds: f64,
    /// Records wanted (all_positions: the positions there are).
    pub target_samples: u64,
    /// The configured chance of an engine's move before the phase.
    pub ai_probability: f64,
    /// Records per file.
    pub records: SplitCounts,
}

impl PhaseStats {
    /// The statistics of a phase from its counters. In window mode these are the window's games,
    /// with the phase's own samples and duplicates.
    pub fn from_counters(facts: StatsFacts, counters: &Counters) -> PhaseStats {
        let all_positions = facts.mode == DataMode::AllPositions;
        let plays = facts.mode == DataMode::Normal;
        let per_second = |n: u64, seconds: f64| match seconds > 0.0 {
            true => n as f64 / seconds,
            false => 0.0,
        };
        let emitted = facts.records.total();
        let failures = counters.self_play.failures;
        let play_seconds = facts.elapsed_seconds - facts.enumeration_seconds;
        PhaseStats {
            schema: match all_positions {
                true => ALL_POSITIONS_STATS_SCHEMA.to_owned(),
                false => STATS_SCHEMA.to_owned(),
            },
            mode: facts.mode,
            phase: facts.phase,
            started_at: facts.started_at,
            finished_at: facts.finished_at,
            elapsed_seconds: facts.elapsed_seconds,
            target_samples: facts.target_samples,
            emitted_samples: emitted,
            attempts: counters.attempts,
            duplicate_positions: counters.duplicate_positions,
            duplicate_rate: counters.duplicate_rate(),
            ended_early: counters.ended_early,
            unbalanced: counters.unbalanced,
            failed_attempts: counters.failed_attempts,
            playout: plays.then(|| playout(&counters.playout, facts.ai_probability)),
            self_play: plays.then(|| SelfPlayStats::new(counters)),
            enumeration: counters.enumeration.as_ref().map(EnumerationStats::new),
            evaluation: all_positions.then(|| EvaluationStats {
                target: facts.target_samples,
                evaluated: counters.self_play.games,
                failed: counters.failed_attempts,
                moves: counters.self_play.moves,
                pass_count: counters.self_play.pass_count,
                engine_timeouts: failures.timeouts(),
                engine_errors: failures.errors(),
                engine_restarts: counters.self_play.engine_restarts,
                failures,
            }),
            window: (facts.generation == Generation::Window).then(|| WindowPhaseStats {
                extracted_samples: emitted,
                duplicate_samples: counters.duplicate_positions,
                ended_early: counters.ended_early,
                unbalanced: counters.unbalanced,
                failed_trajectories: counters.failed_attempts,
                engine_timeouts: failures.timeouts(),
                engine_errors: failures.errors(),
            }),
            import: None,
            value: ValueStats::from(&counters.values),
            split: facts.records,
            speed: Speed {
                samples_per_second: per_second(emitted, facts.elapsed_seconds),
                self_play_games_per_second: plays
                    .then(|| per_second(counters.self_play.games, facts.elapsed_seconds)),
                enumeration_nodes_per_second: counters
                    .enumeration
                    .map(|walk| per_second(walk.nodes, facts.enumeration_seconds)),
                evaluation_positions_per_second: all_positions
                    .then(|| per_second(counters.self_play.games, play_seconds)),
            },
        }
    }
}

fn playout(c: &PlayoutCounters, ai_probability: f64) -> PlayoutStats {
    PlayoutStats {
        random_moves: c.random_moves,
        engine_moves: c.engine_moves,
        ai_probability,
        pass_count: c.pass_count,
    }
}
