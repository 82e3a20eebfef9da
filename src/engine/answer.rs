//! An answer of an engine process, and whether the rules allow it.

use super::EngineError;
use crate::board::{Game, Move, Square};

/// What an engine says to a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Answer {
    /// A legal move.
    pub square: Square,
    /// Its score for the side to move, where the engine tells.
    pub score: Option<f64>,
}

/// The square of a move that `engine` answered, if it is legal in `game` as it stands. A pass
/// never is: no engine is asked where it has to pass.
pub fn legal_square(engine: &str, mv: Move, game: &Game) -> Result<Square, EngineError> {
    match mv {
        Move::Play(square) if game.board().is_legal(square) => Ok(square),
        _ => Err(EngineError::IllegalMove {
            engine: engine.to_owned(),
            answer: mv.to_string(),
            position: format!(
                "{} {}",
                game.board().to_text(game.color()),
                match game.color() {
                    crate::board::Color::Black => 'X',
                    crate::board::Color::White => 'O',
                }
            ),
        }),
    }
}
