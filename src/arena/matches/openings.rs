//! The openings of a match: random moves from the start position.

use crate::base::rng::StreamKey;
use crate::board::{Game, Squares};

/// Openings may be this long: below it hardly a random game ends.
pub(crate) const MAX_RANDOM_PLIES: u32 = 40;

/// How often an opening is drawn anew because its game is over. Only an opening of a list that is
/// nearly over can need more, and is then taken as it stands.
const DRAWS: u32 = 1000;

/// Opening number `pair` (from 0) of a match: `plies` moves from `begin`, each drawn uniformly among
/// the legal ones, forced passes played silently, and nobody's game to be over yet. It depends on
/// the seed, the number and `begin` alone. The side to move has a legal move.
pub(crate) fn opening(begin: &Game, seed: u64, pair: u64, plies: u32) -> Game {
    let mut begin = begin.clone();
    begin.pass_if_forced();
    let mut rng = StreamKey::new(seed, "match", 0).game(pair);
    for _ in 0..DRAWS {
        let mut game = begin.clone();
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
    begin
}

/// Numbers below `count` in an order that the seed alone decides (Fisher and Yates 1938).
pub(super) fn shuffled(seed: u64, count: usize) -> Vec<usize> {
    let mut rng = StreamKey::new(seed, "match openings", 0).game(0);
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        // A list of openings is far shorter than 2^32.
        order.swap(last, rng.below(last as u32 + 1) as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn openings_have_their_length_and_repeat() {
        let mut seen = BTreeSet::new();
        for pair in 0..100 {
            let game = opening(&Game::new(), 3, pair, 8);
            assert_eq!(game.board().discs(), 12);
            assert_ne!(game.board().legal_moves(), 0);
            assert_eq!(game, opening(&Game::new(), 3, pair, 8));
            seen.insert(game.move_text());
        }
        assert!(seen.len() > 95, "{}", seen.len());
        let start = Game::new();
        assert_ne!(opening(&start, 3, 0, 8), opening(&start, 4, 0, 8));
    }

    #[test]
    fn no_opening_is_a_finished_game() {
        for pair in 0..300 {
            let game = opening(&Game::new(), 1, pair, MAX_RANDOM_PLIES + 5);
            assert_eq!(game.board().phase(), MAX_RANDOM_PLIES as u8);
            assert!(!game.is_over());
        }
        assert_eq!(opening(&Game::new(), 1, 0, 0), Game::new());
    }

    #[test]
    fn random_moves_follow_an_opening_of_a_list() {
        let begin = Game::from_move_text("f5d6c3").unwrap();
        assert_eq!(opening(&begin, 1, 0, 0), begin);
        let game = opening(&begin, 1, 0, 4);
        assert_eq!(game.moves()[..3], begin.moves()[..]);
        assert_eq!(game.board().discs(), 4 + 7);
        // One move before the end of the shortest game every way may be over.
        let nearly = Game::from_move_text("e6f4e3f6g5d6e7f5").unwrap();
        assert!(!opening(&nearly, 1, 0, 40).is_over());
    }

    #[test]
    fn every_opening_of_a_list_has_its_turn() {
        let order = shuffled(7, 500);
        let distinct: BTreeSet<usize> = order.iter().copied().collect();
        assert_eq!(distinct.len(), 500);
        assert_ne!(order, (0..500).collect::<Vec<_>>());
        assert_eq!(order, shuffled(7, 500));
        assert_ne!(order, shuffled(8, 500));
        assert!(shuffled(7, 0).is_empty());
    }
}
