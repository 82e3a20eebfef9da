//! From a game's positions to samples: value, split, canonical form.

use super::game::Score;
use crate::board::{Board, Color, ScoreRule};
use crate::config::{LabelValue, SplitBy, SplitRatios};
use crate::dataset::split::{Split, Thresholds, split_hash};
use serde_json::{Map, Value};

/// A position with its value, ready to be recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// As it was reached.
    pub board: Board,
    /// Its smallest image, which decides duplicates and the split.
    pub canonical: Board,
    /// Final score for the side to move.
    pub value: i16,
    /// Discs − 4.
    pub phase: u8,
    /// Where it belongs.
    pub split: Split,
}

/// How the positions of a game become samples.
#[derive(Clone, Copy, Debug)]
pub struct Recording {
    /// Shares of the splits.
    pub split: Thresholds,
    /// What decides the split.
    pub split_by: SplitBy,
    /// How the end is counted.
    pub score_rule: ScoreRule,
    /// What the values are.
    pub label: LabelValue,
}

/// A move of self-play: who made it, and what the search that found it said for that side, if there was
/// one and it told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Told {
    /// Who was to move.
    pub color: Color,
    /// For that side.
    pub score: Option<Score>,
}

/// A position from the anchor on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reached {
    /// As it arose, before any pass.
    pub board: Board,
    /// Who is to move there.
    pub color: Color,
    /// Moves of self-play before it.
    pub moves: usize,
}

/// What each position of a game is worth to Black, rounded: what the search for the move made there said;
/// where nothing was searched, what the next position is worth, and the end its score.
fn scores_for_black(told: &[Told], black: i16) -> Vec<i16> {
    let mut values = vec![black; told.len() + 1];
    for (at, told) in told.iter().enumerate().rev() {
        values[at] = match (told.score, told.color) {
            (None, _) => values[at + 1],
            (Some(score), Color::Black) => score.value(),
            (Some(score), Color::White) => -score.value(),
        };
    }
    values
}

impl Recording {
    /// From the settings of a phase's checkpoint, whose keys that came later are absent where they
    /// mean the same as before. `None` where they do not tell.
    pub fn from_settings(settings: &Map<String, Value>) -> Option<Recording> {
        let share = |name: &str| settings.get(name)?.as_f64();
        let word = |name: &str| settings.get(name).and_then(Value::as_str);
        let split_by = match word("split.by") {
            Some("game") => SplitBy::Game,
            None | Some("position") => SplitBy::Position,
            Some(_) => return None,
        };
        let score_rule = match word("score_rule") {
            None => ScoreRule::default(),
            Some(name) => ScoreRule::ALL
                .into_iter()
                .find(|rule| rule.name() == name)?,
        };
        let label = match word("label.value") {
            None => LabelValue::Result,
            Some(name) => LabelValue::ALL
                .into_iter()
                .find(|label| label.name() == name)?,
        };
        Some(Recording {
            label,
            split: Thresholds::new(&SplitRatios {
                train: share("split.train")?,
                valid: share("split.valid")?,
                test: share("split.test")?,
            }),
            split_by,
            score_rule,
        })
    }

    /// The split of a position, of a game whose random part ended at `anchor`.
    pub fn split_of(&self, anchor: Board, position: Board) -> Split {
        let decides = match self.split_by {
            SplitBy::Game => anchor,
            SplitBy::Position => position,
        };
        self.split.split(split_hash(decides.canonical()))
    }

    /// Appends a sample for each position `reached`. `anchor` is the position at which the game's random
    /// part ended, `told` has its moves from there on, `black` is its final score for Black.
    pub fn samples(
        &self,
        anchor: Board,
        reached: impl IntoIterator<Item = Reached>,
        told: &[Told],
        black: i16,
        samples: &mut Vec<Sample>,
    ) {
        let scored = match self.label {
            LabelValue::Result => Vec::new(),
            LabelValue::Score => scores_for_black(told, black),
        };
        let split_of = |canonical| self.split.split(split_hash(canonical));
        let of_game = match self.split_by {
            SplitBy::Game => Some(split_of(anchor.canonical())),
            SplitBy::Position => None,
        };
        samples.extend(reached.into_iter().map(|reached| {
            let Reached {
                board,
                color,
                moves,
            } = reached;
            let canonical = board.canonical();
            let black = scored.get(moves).copied().unwrap_or(black);
            Sample {
                board,
                canonical,
                value: if color == Color::Black { black } else { -black },
                phase: board.phase(),
                split: of_game.unwrap_or_else(|| split_of(canonical)),
            }
        }));
    }
}
