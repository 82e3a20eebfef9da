//! From a game's positions to samples: value, split, canonical form.

use crate::board::{Board, Color, ScoreRule};
use crate::config::{SplitBy, SplitRatios};
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
        Some(Recording {
            split: Thresholds::new(&SplitRatios {
                train: share("split.train")?,
                valid: share("split.valid")?,
                test: share("split.test")?,
            }),
            split_by,
            score_rule,
        })
    }

    /// Appends a sample for each position `reached`, with the side that is to move there. `anchor`
    /// is the position at which the game's random part ended, `black` its final score for Black.
    pub fn samples(
        &self,
        anchor: Board,
        reached: impl IntoIterator<Item = (Board, Color)>,
        black: i16,
        samples: &mut Vec<Sample>,
    ) {
        let split_of = |canonical| self.split.split(split_hash(canonical));
        let of_game = match self.split_by {
            SplitBy::Game => Some(split_of(anchor.canonical())),
            SplitBy::Position => None,
        };
        samples.extend(reached.into_iter().map(|(board, color)| {
            let canonical = board.canonical();
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
