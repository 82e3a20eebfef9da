//! What is counted while a phase is made: kept in its checkpoint, and the source of its statistics.

use crate::engine::FailureKind;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The counters of a phase, or of one game that is to be [added](Counters::add) to them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Counters {
    /// Games begun and committed, failed ones included (in all_positions mode: positions).
    pub attempts: u64,
    /// Positions passed over because the phase has them, up to symmetry.
    pub duplicate_positions: u64,
    /// Games that were over before the phase.
    pub ended_early: u64,
    /// Games thrown away because their anchor was too good for one side.
    #[serde(skip_serializing_if = "is_zero")]
    pub unbalanced: u64,
    /// Games lost to failures of engines.
    pub failed_attempts: u64,
    /// Moves before the phase.
    pub playout: PlayoutCounters,
    /// Moves from the phase to the end.
    pub self_play: SelfPlayCounters,
    /// The breadth-first walk of all_positions mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enumeration: Option<EnumerationCounters>,
    /// Recorded values.
    pub values: ValueHistogram,
}

/// What only some data has is told only there.
pub(super) fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Counters {
    /// Adds what another part of the same phase counted. The order of adding does not matter.
    pub fn add(&mut self, other: &Counters) {
        self.attempts += other.attempts;
        self.duplicate_positions += other.duplicate_positions;
        self.ended_early += other.ended_early;
        self.unbalanced += other.unbalanced;
        self.failed_attempts += other.failed_attempts;
        self.playout.add(&other.playout);
        self.self_play.add(&other.self_play);
        if let Some(theirs) = &other.enumeration {
            self.enumeration.get_or_insert_default().add(theirs);
        }
        self.values.add(&other.values);
    }

    /// Duplicates among all positions that were looked at, 0..=1.
    pub fn duplicate_rate(&self) -> f64 {
        rate(
            self.duplicate_positions,
            self.values.count() + self.duplicate_positions,
        )
    }
}

/// Part of a whole, 0 where there is no whole.
pub(crate) fn rate(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

/// Moves before the phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PlayoutCounters {
    /// Drawn at random.
    pub random_moves: u64,
    /// Chosen by the playout engine.
    pub engine_moves: u64,
    /// Forced passes.
    pub pass_count: u64,
}

impl PlayoutCounters {
    /// Adds.
    pub fn add(&mut self, other: &PlayoutCounters) {
        self.random_moves += other.random_moves;
        self.engine_moves += other.engine_moves;
        self.pass_count += other.pass_count;
    }
}

/// Games of the engine against itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SelfPlayCounters {
    /// Games played to the end.
    pub games: u64,
    /// Moves in them, passes not counted.
    pub moves: u64,
    /// Forced passes in them.
    pub pass_count: u64,
    /// Engine processes that were started again after a failure.
    pub engine_restarts: u64,
    /// Failures of engines, playout engines included.
    pub failures: FailureCounters,
}

impl SelfPlayCounters {
    /// Adds.
    pub fn add(&mut self, other: &SelfPlayCounters) {
        self.games += other.games;
        self.moves += other.moves;
        self.pass_count += other.pass_count;
        self.engine_restarts += other.engine_restarts;
        self.failures.add(&other.failures);
    }
}

/// Failures of engines by kind; each cost a repetition of its game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FailureCounters {
    /// Could not be created.
    pub cannot_start: u64,
    /// Missed the start-up deadline.
    pub start_timed_out: u64,
    /// Ended by itself or by a signal.
    pub exited: u64,
    /// Missed a move's deadline.
    pub timed_out: u64,
    /// Answered a forbidden move.
    pub illegal_move: u64,
    /// Answered no move at all.
    pub unintelligible: u64,
}

impl FailureCounters {
    /// Counts one failure.
    pub fn count(&mut self, kind: FailureKind) {
        *match kind {
            FailureKind::CannotStart => &mut self.cannot_start,
            FailureKind::StartTimedOut => &mut self.start_timed_out,
            FailureKind::Exited => &mut self.exited,
            FailureKind::TimedOut => &mut self.timed_out,
            FailureKind::IllegalMove => &mut self.illegal_move,
            FailureKind::Unintelligible => &mut self.unintelligible,
        } += 1;
    }

    /// Adds.
    pub fn add(&mut self, other: &FailureCounters) {
        self.cannot_start += other.cannot_start;
        self.start_timed_out += other.start_timed_out;
        self.exited += other.exited;
        self.timed_out += other.timed_out;
        self.illegal_move += other.illegal_move;
        self.unintelligible += other.unintelligible;
    }

    /// Missed deadlines: `engine_timeouts` of the statistics.
    pub fn timeouts(&self) -> u64 {
        self.start_timed_out + self.timed_out
    }

    /// All other failures: `engine_errors` of the statistics.
    pub fn errors(&self) -> u64 {
        self.cannot_start + self.exited + self.illegal_move + self.unintelligible
    }
}

/// The breadth-first walk to a phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct EnumerationCounters {
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
}

impl EnumerationCounters {
    /// Adds.
    pub fn add(&mut self, other: &EnumerationCounters) {
        self.nodes += other.nodes;
        self.leaf += other.leaf;
        self.unique += other.unique;
        self.duplicates += other.duplicates;
        self.pass += other.pass;
        self.game_over += other.game_over;
    }
}

/// How often each value was recorded. JSON: `{"-12": 3, "0": 1}`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ValueHistogram(pub BTreeMap<i16, u64>);

impl ValueHistogram {
    /// Counts one value.
    pub fn count_value(&mut self, value: i16) {
        *self.0.entry(value).or_default() += 1;
    }

    /// Adds.
    pub fn add(&mut self, other: &ValueHistogram) {
        for (&value, &count) in &other.0 {
            *self.0.entry(value).or_default() += count;
        }
    }

    /// Values counted. A file may say anything, so the sum is held at the largest number.
    pub fn count(&self) -> u64 {
        self.0.values().copied().fold(0, u64::saturating_add)
    }

    /// The smallest.
    pub fn min(&self) -> Option<i16> {
        self.0.keys().next().copied()
    }

    /// The largest.
    pub fn max(&self) -> Option<i16> {
        self.0.keys().next_back().copied()
    }

    /// The mean; `None` where nothing was counted.
    pub fn mean(&self) -> Option<f64> {
        let count = self.count();
        let sum: i128 = self
            .0
            .iter()
            .map(|(&value, &n)| i128::from(value) * i128::from(n))
            .sum();
        (count > 0).then(|| sum as f64 / count as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one_of_each() -> Counters {
        let mut counters = Counters {
            attempts: 1,
            duplicate_positions: 2,
            ended_early: 23,
            unbalanced: 24,
            failed_attempts: 3,
            playout: PlayoutCounters {
                random_moves: 4,
                engine_moves: 5,
                pass_count: 6,
            },
            self_play: SelfPlayCounters {
                games: 7,
                moves: 8,
                pass_count: 9,
                engine_restarts: 10,
                failures: FailureCounters {
                    cannot_start: 11,
                    start_timed_out: 12,
                    exited: 13,
                    timed_out: 14,
                    illegal_move: 15,
                    unintelligible: 16,
                },
            },
            enumeration: Some(EnumerationCounters {
                nodes: 17,
                leaf: 18,
                unique: 19,
                duplicates: 20,
                pass: 21,
                game_over: 22,
            }),
            values: ValueHistogram::default(),
        };
        counters.values.count_value(-7);
        counters.values.count_value(2);
        counters.values.count_value(2);
        counters
    }

    /// Every number in the JSON of one is doubled in the JSON of two: no field is left out.
    #[test]
    fn adding_reaches_every_field() {
        fn doubled(value: &mut serde_json::Value) {
            match value {
                serde_json::Value::Number(n) => *value = (n.as_u64().unwrap() * 2).into(),
                serde_json::Value::Object(map) => map.values_mut().for_each(doubled),
                other => panic!("unexpected {other}"),
            }
        }
        let one = one_of_each();
        let mut two = Counters::default();
        two.add(&one);
        assert_eq!(two, one);
        two.add(&one);
        let mut expected = serde_json::to_value(&one).unwrap();
        doubled(&mut expected);
        assert_eq!(serde_json::to_value(&two).unwrap(), expected);
    }

    #[test]
    fn values_tell_their_range_and_mean() {
        let values = one_of_each().values;
        assert_eq!(
            (values.min(), values.max(), values.mean()),
            (Some(-7), Some(2), Some(-1.0))
        );
        assert_eq!(serde_json::to_string(&values).unwrap(), r#"{"-7":1,"2":2}"#);
        let nothing = ValueHistogram::default();
        assert_eq!((nothing.min(), nothing.mean()), (None, None));
    }

    #[test]
    fn goes_round_through_json() {
        let counters = one_of_each();
        let text = serde_json::to_string(&counters).unwrap();
        assert_eq!(serde_json::from_str::<Counters>(&text).unwrap(), counters);
    }

    #[test]
    fn each_kind_of_failure_has_its_counter() {
        let mut failures = FailureCounters::default();
        for (kind, times) in [
            (FailureKind::CannotStart, 1),
            (FailureKind::StartTimedOut, 2),
            (FailureKind::Exited, 4),
            (FailureKind::TimedOut, 8),
            (FailureKind::IllegalMove, 16),
            (FailureKind::Unintelligible, 32),
        ] {
            (0..times).for_each(|_| failures.count(kind));
        }
        assert_eq!(failures.timeouts(), 2 + 8);
        assert_eq!(failures.errors(), 1 + 4 + 16 + 32);
    }
}
