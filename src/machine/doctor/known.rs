//! Positions about which the right answer is known.
//!
//! All arise in games from the start position, so that engines without a set-up command can be
//! asked too. What each of them is claimed to be is checked by the tests below.

use crate::board::{Game, Move, Square};
use crate::engine::builtin::{Evaluation, Reach, ScoreRule, Setting, Table, Threads, score_moves};
use std::sync::atomic::AtomicBool;

/// The shortest game there is: Black's last move, c5, leaves White without discs.
const WIPE_OUT: &str = "e6f4e3f6g5d6e7f5";

/// White has no move after Black's a1.
const WHITE_PASSES: &str = "e6d6c3f4d7c5g4g3c4g5b5c7f5a5a6d8a4f7f6d3h4c2e7e3g6f8b4b3e2h5b6f3h6g7c6\
                            a7d2d1c1b1a8f2b8a3b7c8a2e1h8h7g8h3e8b2";

/// White has one move, and Black none after it.
const BLACK_PASSES: &str = "f5f6e6f4f3d6c4d3f7g6d2f8g8d1g4b3h5f2b4g3f1e1g2h7b2e8d8c3e2h3h6g1h2a5e3\
                            a2c2a1a4h4g5e7g7c5b1a3c6c1h8b6a6a7d7c7c8";

/// One move is left, after which nobody can move although squares are empty: eleven, and three.
const EARLY_ENDS: [&str; 2] = [
    "e6f6c4e7f5e3d3g4f2c3c5e2g7g1f4g6f1e1h3h8c2f3d1b3d2h4b2a1h7h6a4b4a2b6g2b1g5a3g3c1h5h2c6c7b7a8d7\
     c8pa",
    "d3c3e6d2c4b5b2c2b3a3e2f6a6d1b4a5g7b1e3b6a1f1c5c6f2e1d6e7d8d7f7g1c7c1a2e8h1g6h6g5g2h5a4c8h4f5f4\
     g4g8f8h7b7f3h8a7h3",
];

/// Eight squares are empty, and one move is better than all others by four discs or more. It is
/// neither a corner, although there is one to be had, nor the move that turns most discs.
const ENDGAMES: [&str; 6] = [
    "d3c5d6c3f5f4e3d2d1g5e6c4e2c1b1e1h6f3b3c2g6c6b6e7b5a7f6f7g2g4h3d7g3h5f2a2c8h7f8h2f1a6a3e8g7b2d8\
     c7g1h4g8a4",
    "c4c3f5c5d3f4b3c2e3a4b1f2f3g3b5a6a2d1d2e2c1e6d6c7g5g4b4h5e7d7d8e8h4a3b8b2h6g6f8c8b6a8h7f7g7a5e1\
     h3h2c6a7g2",
    "c4e3f4g5e2d2g4c5c1h4h6e1c6c2g3b6a6b3c3h2a2b2f2b7d6b5f6e6b4a5d7d3d1g7b8a4f3a3h3a7f8e8e7h8c8g1c7\
     a1f5f7h5h7",
    "d3c5b6f3f6b5f4e3c4g5g2b3e2f1g3b7d1g4a7e1b8h2f2c6h4e6g1c3a6a4a3d2h1c2c1h3e7f5b2g6h5h6a5b1h7f7b4\
     a8d7g7a1e8",
    "e6f4c3c4b3b2e3c5g5f7c6b4d3c7b6f3d6g3f2b7a4h6a2a6a1e2f5g4h5h4a8c2b5g2d2a5g6e1d7e7a7c8f6b1f1g1h3\
     g7h2h1d8d1",
    "c4e3f5c6e2g5b7d3h5b5a4a8c2a6c5e6c7e1f6d2a7c8d6f7b8e7f8h4b6h6c3b4f3g3e8d7d1b2a5a3g4h3c1f4b3b1d8\
     g7g6g2g8h8",
];

fn game(text: &str) -> Game {
    Game::from_move_text(text).expect("a legal game, as the tests below replay it")
}

/// Positions of all stages of a game, any legal answer is right.
pub(super) fn ordinary() -> Vec<Game> {
    let whole = game(WHITE_PASSES);
    let mut games = vec![Game::new()];
    for plies in [1, 4, 13, 26, 39, 50] {
        let mut start = Game::new();
        for &mv in &whole.moves()[..plies] {
            start.play(mv).expect("a part of a legal game");
        }
        games.push(start);
    }
    games
}

/// Endgames with the square of their best move.
pub(super) fn endgames() -> Vec<(Game, Square)> {
    let mut table = Table::new(12);
    let setting = Setting {
        evaluation: &Evaluation::default(),
        rule: ScoreRule::Plain,
        threads: Threads::one(),
        stop: &AtomicBool::new(false),
    };
    ENDGAMES
        .into_iter()
        .filter_map(|text| {
            let game = game(text);
            let scores = score_moves(game.board(), Reach::End, &mut table, &setting).ok()?;
            Some((game, scores.first()?.square))
        })
        .collect()
}

/// Empty squares of the endgames.
pub(super) const ENDGAME_EMPTIES: u32 = 8;

/// Games before and after a forced pass of each side. The engine is asked at both.
pub(super) fn passes() -> Vec<[Game; 2]> {
    [(WHITE_PASSES, "a1"), (BLACK_PASSES, "")]
        .into_iter()
        .map(|(text, mv)| {
            let before = game(text);
            let mut after = before.clone();
            let mv = mv.parse().unwrap_or_else(|_| only_move(&before));
            after.play(mv).expect("legal, as the tests below replay it");
            after.pass_if_forced();
            [before, after]
        })
        .collect()
}

/// Games that the next move ends early, or may end.
pub(super) fn early_ends() -> Vec<Game> {
    EARLY_ENDS.into_iter().chain([WIPE_OUT]).map(game).collect()
}

fn only_move(game: &Game) -> Move {
    let legal = game.board().legal_moves();
    Square::new(legal.trailing_zeros() as u8)
        .expect("a side to move with a move, as the tests below see")
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, Squares};

    #[test]
    fn ordinary_positions_have_moves() {
        let games = ordinary();
        assert!(games.len() >= 6);
        assert!(games.iter().all(|game| game.board().legal_moves() != 0));
    }

    #[test]
    fn each_side_passes_once() {
        let sides: Vec<Color> = passes()
            .iter()
            .map(|[before, after]| {
                assert_eq!(after.moves().last(), Some(&Move::Pass));
                assert_eq!(after.moves().len(), before.moves().len() + 2);
                assert_eq!(before.color(), after.color());
                assert!(!after.is_over());
                before.color()
            })
            .collect();
        assert_eq!(sides, [Color::Black, Color::White]);
    }

    #[test]
    fn games_end_before_the_board_is_full() {
        let ends = early_ends();
        let left = ends.iter().take(2).map(|game| {
            assert_eq!(game.board().legal_moves().count_ones(), 1);
            let mut game = game.clone();
            game.play(only_move(&game)).unwrap();
            assert!(game.is_over());
            game.board().empties()
        });
        assert_eq!(left.collect::<Vec<_>>(), [11, 3]);
        let mut wiped = ends[2].clone();
        wiped.play("c5".parse().unwrap()).unwrap();
        assert!(wiped.is_over());
        assert_eq!(wiped.black_difference(), 13);
    }

    /// The value for the side to move by trying everything: no search of ours is involved.
    fn value(game: &Game, winner_takes_empties: bool) -> i16 {
        if game.is_over() {
            let difference = game.board().disc_difference();
            let empties = game.board().empties() as i16 * i16::from(winner_takes_empties);
            return difference + difference.signum() * empties;
        }
        let mut next = game.clone();
        if next.pass_if_forced() {
            return -value(&next, winner_takes_empties);
        }
        let replies = Squares(game.board().legal_moves()).map(|square| {
            let mut next = game.clone();
            next.play(square.into()).unwrap();
            -value(&next, winner_takes_empties)
        });
        replies.max().unwrap()
    }

    #[test]
    fn endgames_have_one_best_move_that_is_not_the_obvious_one() {
        const CORNERS: u64 = 0x8100_0000_0000_0081;
        let endgames = endgames();
        assert_eq!(endgames.len(), ENDGAMES.len());
        for (game, best) in endgames {
            let board = game.board();
            assert_eq!(board.empties(), ENDGAME_EMPTIES);
            let turned = |square: Square| board.flips(square).count_ones();
            let most = Squares(board.legal_moves()).map(turned).max().unwrap();
            assert!(turned(best) < most);
            assert_eq!(best.bit() & CORNERS, 0);
            assert_ne!(board.legal_moves() & CORNERS, 0);
            for rule in [false, true] {
                let after = |square: Square| {
                    let mut next = game.clone();
                    next.play(square.into()).unwrap();
                    -value(&next, rule)
                };
                let others = Squares(board.legal_moves()).filter(|&square| square != best);
                assert!(after(best) >= others.map(after).max().unwrap() + 4);
            }
        }
    }
}
