//! An answer of an engine process, and whether the rules allow it.

use super::EngineError;
use crate::board::{Board, Color, Game, Move, Square};

/// What an engine says to a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Answer {
    /// A legal move.
    pub square: Square,
    /// Its score for the side to move, where the engine tells.
    pub score: Option<f64>,
}

/// The square of a move that `engine` answered, if it is legal in `game` as it stands. A pass
/// never is: no engine is asked where it has to pass.
pub(super) fn legal_square(engine: &str, mv: Move, game: &Game) -> Result<Square, EngineError> {
    match mv {
        Move::Play(square) if game.board().is_legal(square) => Ok(square),
        _ => Err(EngineError::IllegalMove {
            engine: engine.to_owned(),
            answer: mv.to_string().into(),
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

/// f5 in the start position, where no engine has anything to decide: its four moves are images of
/// each other. GRhino draws one of them, so that its game would follow from how many games its
/// process has begun; Edax answers f5.
pub(super) fn first_move(game: &Game) -> Option<Square> {
    let is_start = game.board() == Board::START && game.color() == Color::Black;
    is_start.then(|| Square::ALL[8 * 4 + 5])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_move_needs_no_engine() {
        let mut game = Game::new();
        let first = first_move(&game).unwrap();
        assert_eq!(first.to_string(), "f5");
        game.play(first.into()).unwrap();
        assert_eq!(first_move(&game), None);
        let other_side = Game::from_position(Board::START, Color::White);
        assert_eq!(
            first_move(&other_side),
            None,
            "d3, c4, f5 and e6 are Black's"
        );
    }
}
