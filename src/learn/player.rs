//! Square weights as a player: the search of self-play behind the [`Engine`] trait.

use super::search::Search;
use super::weights::IntegerWeights;
use crate::board::{Board, Game, Square, Squares};
use crate::engine::{Engine, EngineError, MoveScore};
use std::sync::Arc;

/// Plays the best move of a fixed-depth search. Among equal moves a hash of the position decides:
/// the same position always gets the same move, and no corner of the board is preferred.
pub(crate) struct WeightPlayer {
    name: String,
    search: Arc<Search>,
}

impl WeightPlayer {
    /// A player with these weights and plies; `name` appears in messages.
    pub(crate) fn new(name: &str, weights: &IntegerWeights, depth: u32) -> WeightPlayer {
        WeightPlayer {
            name: name.to_owned(),
            search: Arc::new(Search::new(weights, depth)),
        }
    }

    /// Another player with the same search.
    pub(crate) fn another(&self) -> WeightPlayer {
        WeightPlayer {
            name: self.name.clone(),
            search: self.search.clone(),
        }
    }
}

impl Engine for WeightPlayer {
    fn new_game(&mut self) -> Result<(), EngineError> {
        Ok(())
    }

    fn choose(&mut self, game: &Game) -> Result<Square, EngineError> {
        let board = game.board();
        let best = self.search.best_moves(board).best;
        let n = u64::from(best.count_ones().max(1));
        // Multiplying maps the hash evenly to 0..n.
        let index = (u128::from(hash(board)) * u128::from(n)) >> 64;
        Squares(best)
            .nth(index as usize)
            .ok_or_else(|| EngineError::CannotSetUp {
                engine: self.name.clone(),
                reason: "the side to move has no legal move".into(),
            })
    }

    /// Values of square weights are no disc differences; the embedded engine scales them when it
    /// is given the same file.
    fn score_moves(&mut self, _game: &Game) -> Result<Vec<MoveScore>, EngineError> {
        Err(EngineError::CannotScore {
            engine: self.name.clone(),
        })
    }

    fn is_reproducible(&self) -> bool {
        true
    }
}

/// Mixes both sets of discs; the finaliser of SplitMix64 (Steele, Lea, Flood 2014).
fn hash(board: Board) -> u64 {
    let mix = |mut x: u64| {
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    };
    mix(board.own.wrapping_add(0x9e37_79b9_7f4a_7c15) ^ mix(board.opponent))
}

#[cfg(test)]
mod tests {
    use super::super::weights::Weights;
    use super::*;

    #[test]
    fn equal_moves_are_all_played_somewhere_and_the_same_one_each_time() {
        let mut player = WeightPlayer::new("zero", &Weights::ZERO.rounded(), 1);
        let (mut first, mut last) = (0, 0);
        for number in 0..200 {
            let game = crate::arena::matches::opening(&crate::board::Game::new(), 1, number, 8);
            let chosen = player.choose(&game).unwrap();
            assert_eq!(chosen, player.another().choose(&game).unwrap());
            let legal = game.board().legal_moves();
            first += u32::from(legal.trailing_zeros() == u32::from(chosen.index()));
            last += u32::from(63 - legal.leading_zeros() == u32::from(chosen.index()));
        }
        // About nine moves are legal; each end of the list has its share.
        assert!(
            (5..60).contains(&first) && (5..60).contains(&last),
            "{first} {last}"
        );
    }
}
