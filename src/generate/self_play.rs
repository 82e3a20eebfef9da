//! From a position to the end of the game, the engine playing both sides.

use crate::board::{Board, Color, Game, Squares};
use crate::engine::{Engine, EngineError};

/// What a game of self-play did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SelfPlayTally {
    /// Discs placed, forced moves included.
    pub moves: u32,
    /// Forced passes.
    pub passes: u32,
}

/// Plays `game` to its end. A side with a single legal move plays it without the engine being
/// asked. `after_move` sees each position that arises, right after the move and before any pass.
pub fn play_out(
    engine: &mut dyn Engine,
    game: &mut Game,
    tally: &mut SelfPlayTally,
    mut after_move: impl FnMut(Board, Color),
) -> Result<(), EngineError> {
    loop {
        let mut legal = game.board().legal_moves();
        if legal == 0 {
            if !game.pass_if_forced() {
                return Ok(());
            }
            tally.passes += 1;
            legal = game.board().legal_moves();
        }
        let square = match legal.count_ones() {
            1 => Squares(legal).next().expect("one legal move is there"),
            _ => engine.choose(game)?,
        };
        game.play_known(square, game.board().flips(square));
        tally.moves += 1;
        after_move(game.board(), game.color());
    }
}
