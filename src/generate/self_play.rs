//! From a position on, both sides played by one player.

use crate::board::{Board, Color, Game, Square, Squares};
use crate::engine::EngineError;
use crate::games::{Score, Told};

/// What a game of self-play did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct SelfPlayTally {
    /// Discs placed, forced moves included.
    pub moves: u32,
    /// Forced passes.
    pub passes: u32,
}

/// Plays `game` until at most `empties` squares are empty, or to its end. A side with a single legal
/// move plays it without `choose` being asked. `after_move` sees each position that arises, right
/// after the move and before any pass. Each move is noted in `told`: who made it, and what its search
/// said.
pub(super) fn play_until(
    empties: u32,
    game: &mut Game,
    mut choose: impl FnMut(&Game) -> Result<(Square, Option<Score>), EngineError>,
    tally: &mut SelfPlayTally,
    told: &mut Vec<Told>,
    mut after_move: impl FnMut(Board, Color),
) -> Result<(), EngineError> {
    while game.board().empties() > empties {
        let mut legal = game.board().legal_moves();
        if legal == 0 {
            if !game.pass_if_forced() {
                return Ok(());
            }
            tally.passes += 1;
            legal = game.board().legal_moves();
        }
        let (square, score) = match legal.count_ones() {
            1 => (
                Squares(legal).next().expect("one legal move is there"),
                None,
            ),
            _ => choose(game)?,
        };
        told.push(Told {
            color: game.color(),
            score,
        });
        game.play_known(square, game.board().flips(square));
        tally.moves += 1;
        after_move(game.board(), game.color());
    }
    Ok(())
}
