//! One position shown to people: the board with every legal move's own true score, the
//! evaluation taken apart, the discs.
//!
//! [`Subject`] is what is looked at, [`Analysis`] what was found; [`picture`] draws boards (for
//! play too), [`report`] puts all of it into words, [`json`] into an object. Knows engines as
//! [`crate::engine::Engine`] alone.

pub(crate) mod json;
pub(crate) mod picture;
pub(crate) mod report;
mod subject;

pub(crate) use subject::Subject;

use crate::board::Square;
use crate::engine::MoveScore;
use crate::engine::builtin::Explanation;

/// What was found out about a position.
#[derive(Clone, Debug)]
pub(crate) struct Analysis {
    /// The position and where it comes from.
    pub subject: Subject,
    /// Who scored the moves, e.g. `builtin level 6`.
    pub engine: String,
    /// Every legal move, best first; empty when the side to move must pass or the game is over.
    pub moves: Vec<MoveScore>,
    /// The move and the score that the embedded engine tells when it is to move, which is what a
    /// score label holds. Nearly always the best of `moves`; its search looks at all moves at once
    /// and may cut off where each on its own is followed further.
    pub choice: Option<(Square, f64)>,
    /// What the embedded engine's evaluation, or the one of the weights given, says of the position
    /// itself.
    pub evaluation: Explanation,
}

impl Analysis {
    /// Whether a move is among the best ones.
    pub(crate) fn is_best(&self, score: &MoveScore) -> bool {
        self.moves
            .first()
            .is_some_and(|best| best.score <= score.score)
    }
}
