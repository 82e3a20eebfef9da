//! The openings of a match: random moves from the start position.

use crate::base::rng::StreamKey;
use crate::board::{Game, Squares};

/// Openings may be this long: below it hardly a random game ends.
pub const MAX_RANDOM_PLIES: u32 = 40;

/// Opening number `pair` (from 0) of a match: `plies` moves, each drawn uniformly among the legal
/// ones, forced passes played silently, and nobody's game to be over yet. It depends on the seed
/// and the number alone. The side to move has a legal move.
pub fn opening(seed: u64, pair: u64, plies: u32) -> Game {
    let mut rng = StreamKey::new(seed, "match", 0).game(pair);
    loop {
        let mut game = Game::new();
        for _ in 0..plies.min(MAX_RANDOM_PLIES) {
            let legal = game.board().legal_moves();
            let index = rng.below(legal.count_ones()) as usize;
            let Some(square) = Squares(legal).nth(index) else {
                break;
            };
            game.play_known(square, game.board().flips(square));
            game.pass_if_forced();
        }
        if !game.is_over() {
            return game;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn openings_have_their_length_and_repeat() {
        let mut seen = BTreeSet::new();
        for pair in 0..100 {
            let game = opening(3, pair, 8);
            assert_eq!(game.board().discs(), 12);
            assert_ne!(game.board().legal_moves(), 0);
            assert_eq!(game, opening(3, pair, 8));
            seen.insert(game.move_text());
        }
        assert!(seen.len() > 95, "{}", seen.len());
        assert_ne!(opening(3, 0, 8), opening(4, 0, 8));
    }

    #[test]
    fn no_opening_is_a_finished_game() {
        for pair in 0..300 {
            let game = opening(1, pair, MAX_RANDOM_PLIES + 5);
            assert_eq!(game.board().phase(), MAX_RANDOM_PLIES as u8);
            assert!(!game.is_over());
        }
        assert_eq!(opening(1, 0, 0), Game::new());
    }
}
