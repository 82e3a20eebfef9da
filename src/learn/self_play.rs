//! One game of self-play with an epoch's weights: random opening plies, then both sides play the
//! best move of the search, chance deciding among equals.

use super::search::Search;
use super::td::Discs;
use crate::base::rng::{GameRng, StreamKey};
use crate::base::stop::Stop;
use crate::board::{Board, Color, Square, Squares};

/// Plays a game. The answer holds the positions between which the players chose moves: the one
/// after `random_plies` random moves, then one after each move, to the end. Opening moves are
/// not learned from: they say what chance did, not what the evaluation expects. A game that ends
/// within its opening consists of its final position.
/// `None` when `stop` was requested meanwhile.
pub fn play_game(
    search: &Search,
    random_plies: u32,
    rng: &mut GameRng,
    stop: &Stop,
) -> Option<Vec<Discs>> {
    let mut game = Moving {
        board: Board::START,
        color: Color::Black,
    };
    for _ in 0..random_plies {
        let Some(legal) = game.moves() else { break };
        game.play(pick(legal, rng));
    }
    let mut positions = Vec::with_capacity(61);
    positions.push(game.discs());
    while game.moves().is_some() {
        if stop.is_requested() {
            return None;
        }
        game.play(pick(search.best_moves(game.board).best, rng));
        positions.push(game.discs());
    }
    Some(positions)
}

/// The random stream of game `game` (from 0) of epoch `epoch` (from 1): it depends on these and
/// the seed alone, so games may be played in any order by any number of workers.
pub fn game_stream(seed: u64, epoch: u32, game: u32) -> GameRng {
    StreamKey::new(seed, "learn", 0).game(u64::from(epoch) << 32 | u64::from(game))
}

/// One square of a non-empty set, each equally likely: one draw, squares in the order a1 … h8.
pub fn pick(set: u64, rng: &mut GameRng) -> Square {
    let index = rng.below(set.count_ones()) as usize;
    Squares(set)
        .nth(index)
        .expect("the callers' sets hold a move, and the index is below their size")
}

/// A position on its way, without the history that [`crate::board::Game`] keeps.
struct Moving {
    board: Board,
    color: Color,
}

impl Moving {
    /// The legal moves after a pass where one is forced; `None` when the game is over.
    fn moves(&mut self) -> Option<u64> {
        let legal = self.board.legal_moves();
        if legal != 0 {
            return Some(legal);
        }
        let passed = self.board.passed();
        let legal = passed.legal_moves();
        if legal == 0 {
            return None;
        }
        self.board = passed;
        self.color = self.color.other();
        Some(legal)
    }

    fn play(&mut self, square: Square) {
        self.board = self.board.after(square, self.board.flips(square));
        self.color = self.color.other();
    }

    fn discs(&self) -> Discs {
        let (black, white) = self.board.colors(self.color);
        Discs { black, white }
    }
}

#[cfg(test)]
mod tests {
    use super::super::weights::Weights;
    use super::*;

    fn game(random_plies: u32, number: u32) -> Vec<Discs> {
        let search = Search::new(&Weights::corner_table().rounded(), 2);
        let mut rng = game_stream(7, 1, number);
        play_game(&search, random_plies, &mut rng, &Stop::new()).expect("nobody stops it")
    }

    #[test]
    fn each_position_follows_from_the_one_before_by_one_legal_move() {
        for number in 0..20 {
            let positions = game(6, number);
            assert_eq!(
                positions[0].black.count_ones() + positions[0].white.count_ones(),
                10
            );
            for pair in positions.windows(2) {
                let as_black = Board {
                    own: pair[0].black,
                    opponent: pair[0].white,
                };
                let by_black = Squares(as_black.legal_moves())
                    .filter_map(|s| as_black.play(s))
                    .any(|b| b.own == pair[1].white && b.opponent == pair[1].black);
                let by_white = Squares(as_black.passed().legal_moves())
                    .filter_map(|s| as_black.passed().play(s))
                    .any(|b| b.own == pair[1].black && b.opponent == pair[1].white);
                assert!(by_black || by_white);
            }
            let last = positions.last().unwrap();
            let end = Board {
                own: last.black,
                opponent: last.white,
            };
            assert!(end.is_game_over());
        }
    }

    #[test]
    fn games_differ_by_their_number_and_repeat_by_it() {
        assert_ne!(game(6, 1), game(6, 2));
        assert_eq!(game(6, 3), game(6, 3));
        // Chance decides among equal moves, so even the start position gives different games.
        assert_ne!(game(0, 1), game(0, 2));
    }

    #[test]
    fn an_opening_that_outlasts_the_game_leaves_its_end() {
        let positions = game(200, 1);
        assert_eq!(positions.len(), 1);
    }
}
