//! What a value must be, as far as the rules of the game prove it from the position alone.
//!
//! A game that ends early leaves squares empty, so a plain difference has no fixed parity; but
//! - where the game is over, the value is counted;
//! - with one or two empty squares every way to the end can be played;
//! - a disc that can never be turned counts for its owner in the end;
//! - when the winner takes the empty squares, all 64 are counted and the difference is even.

use super::metadata::{PLAIN_DISC_DIFFERENCE, WINNER_TAKES_EMPTIES};
use super::rules::RecordFault;
use crate::board::{Board, Squares};

/// Empty squares up to which every way to the end is played.
pub const PLAYED_OUT_EMPTIES: u32 = 2;

/// The four corners. A held one is safe for ever.
pub const CORNERS: u64 = 0x8100_0000_0000_0081;

/// How the values of a dataset were made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ValueRule {
    /// How a finished game is counted; `None` where it is not known: either way is right.
    pub score: Option<ScoreRule>,
    /// What stands for a game's result.
    pub source: ValueSource,
}

/// How a finished game is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreRule {
    /// Own − opponent.
    Plain,
    /// The winner gets the empty squares.
    WinnerTakesEmpties,
}

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueSource {
    /// The result of one game that was played to the end.
    OneGame,
    /// Possibly the rounded mean of several.
    Mean,
    /// Possibly what a record claims of a game that was not played to the end.
    Claim,
}

impl ValueRule {
    /// Nothing is known about the data.
    pub const UNKNOWN: ValueRule = ValueRule {
        score: None,
        source: ValueSource::Mean,
    };

    /// Generated data.
    pub const GENERATED: ValueRule = ValueRule {
        score: Some(ScoreRule::Plain),
        source: ValueSource::OneGame,
    };

    /// Checks a value. Expects a board that keeps the other rules.
    pub fn check(&self, board: Board, value: i16) -> Result<(), RecordFault> {
        if self.score == Some(ScoreRule::WinnerTakesEmpties)
            && self.source == ValueSource::OneGame
            && value % 2 != 0
        {
            return Err(RecordFault::OddValue(value));
        }
        if board.is_game_over() {
            let counted = self.count(board);
            return match counted.contains(&value) {
                true => Ok(()),
                false => Err(RecordFault::ValueOfFinished {
                    found: value,
                    expected: counted[0],
                }),
            };
        }
        if board.empties() <= PLAYED_OUT_EMPTIES && self.source != ValueSource::Claim {
            self.check_played_out(board, value)?;
        }
        let (lowest, highest) = value_bounds(board);
        if (lowest..=highest).contains(&value) {
            Ok(())
        } else {
            Err(RecordFault::ValueAgainstSafeDiscs {
                found: value,
                lowest,
                highest,
            })
        }
    }

    /// The score of a finished game; twice the same where only one way of counting is right.
    fn count(&self, finished: Board) -> [i16; 2] {
        let plain = finished.disc_difference();
        let all = finished.winner_takes_empties();
        match self.score {
            Some(ScoreRule::Plain) => [plain; 2],
            Some(ScoreRule::WinnerTakesEmpties) => [all; 2],
            None => [plain, all],
        }
    }

    fn check_played_out(&self, board: Board, value: i16) -> Result<(), RecordFault> {
        let mut found = false;
        let (mut lowest, mut highest) = (i16::MAX, i16::MIN);
        for_each_end(board, false, &mut |end| {
            for score in self.count(end) {
                found |= score == value;
                lowest = lowest.min(score);
                highest = highest.max(score);
            }
        });
        if found || (self.source == ValueSource::Mean && (lowest..=highest).contains(&value)) {
            Ok(())
        } else {
            Err(RecordFault::ValueUnreachable { found: value })
        }
    }
}

/// From `score_rule` in metadata.json; `None` for another word.
pub fn score_rule(name: &str) -> Option<ScoreRule> {
    match name {
        PLAIN_DISC_DIFFERENCE => Some(ScoreRule::Plain),
        WINNER_TAKES_EMPTIES => Some(ScoreRule::WinnerTakesEmpties),
        _ => None,
    }
}

/// Visits every end of the game that can be reached from `board`, seen from the side to move there
/// where `turned` is false, from the other side where it is true.
fn for_each_end(board: Board, turned: bool, visit: &mut impl FnMut(Board)) {
    let moves = board.legal_moves();
    if moves != 0 {
        for square in Squares(moves) {
            for_each_end(board.after(square, board.flips(square)), !turned, visit);
        }
    } else if board.passed().legal_moves() != 0 {
        for_each_end(board.passed(), !turned, visit);
    } else {
        visit(if turned { board.passed() } else { board });
    }
}

/// The smallest and the largest value that discs which can never be turned leave possible. Right
/// for both ways of counting: whatever else happens, the owner of `n` such discs holds `n` of at
/// most 64 in the end.
pub fn value_bounds(board: Board) -> (i16, i16) {
    let safe = |own, opponent| safe_discs(own, opponent).count_ones() as i16;
    (
        2 * safe(board.own, board.opponent) - 64,
        64 - 2 * safe(board.opponent, board.own),
    )
}

/// Discs of `own` that can never be turned: on each of the four lines through them lies the edge,
/// a safe disc of the same side, or no empty square at all. There may be more.
pub fn safe_discs(own: u64, opponent: u64) -> u64 {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    const SIDES: u64 = !NOT_A | !NOT_H;
    const ENDS: u64 = 0xff00_0000_0000_00ff;
    let occupied = own | opponent;
    let full = FULL_LINES.map(|lines| {
        lines
            .iter()
            .filter(|&&line| occupied & line == line)
            .fold(0, |full, line| full | line)
    });
    let mut safe = 0;
    loop {
        let rank = full[0] | SIDES | (safe & NOT_H) << 1 | (safe & NOT_A) >> 1;
        let file = full[1] | ENDS | safe << 8 | safe >> 8;
        let fall = full[2] | SIDES | ENDS | (safe & NOT_H) << 9 | (safe & NOT_A) >> 9;
        let rise = full[3] | SIDES | ENDS | (safe & NOT_A) << 7 | (safe & NOT_H) >> 7;
        let more = own & rank & file & fall & rise;
        if more == safe {
            return safe;
        }
        safe = more;
    }
}

/// Ranks, files, diagonals falling (a1 to h8) and rising (a8 to h1); up to fifteen of each, the
/// rest are empty sets, which add nothing.
const FULL_LINES: [[u64; 15]; 4] = {
    let mut lines = [[0u64; 15]; 4];
    let mut square = 0;
    while square < 64 {
        let (rank, file) = (square / 8, square % 8);
        let bit = 1u64 << square;
        lines[0][rank] |= bit;
        lines[1][file] |= bit;
        lines[2][7 + rank - file] |= bit;
        lines[3][rank + file] |= bit;
        square += 1;
    }
    lines
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Game, parse_position};

    fn board(text: &str) -> Board {
        parse_position(text).unwrap().0
    }

    fn rule(score: Option<ScoreRule>, source: ValueSource) -> ValueRule {
        ValueRule { score, source }
    }

    fn allowed(rule: ValueRule, board: Board) -> Vec<i16> {
        (-64..=64)
            .filter(|&value| rule.check(board, value).is_ok())
            .collect()
    }

    #[test]
    fn a_finished_game_has_one_value() {
        // Nine moves, 13 discs to none.
        let end = Game::from_move_text("e6f4e3f6g5d6e7f5c5").unwrap().board();
        assert_eq!(end.discs(), 13);
        assert_eq!(allowed(ValueRule::GENERATED, end), [-13]);
        let all = rule(Some(ScoreRule::WinnerTakesEmpties), ValueSource::Mean);
        assert_eq!(allowed(all, end), [-64]);
        assert_eq!(allowed(ValueRule::UNKNOWN, end), [-64, -13]);
        assert_eq!(allowed(ValueRule::GENERATED, end.passed()), [13]);
    }

    #[test]
    fn a_full_board_is_counted() {
        let full = board(&format!("{}{}", "X".repeat(40), "O".repeat(24)));
        assert_eq!(allowed(ValueRule::GENERATED, full), [16]);
    }

    #[test]
    fn one_empty_square_leaves_one_value() {
        // h8 is empty; X takes it and turns g8 alone: 41 + 1 + 1 to 22 - 1.
        let text = format!("{}{}", "X".repeat(40), "OOOOOOOOOOOOOOOOOOOOOXO-");
        let position = board(&text);
        assert_eq!(position.empties(), 1);
        let expected = position
            .play("h8".parse().unwrap())
            .unwrap()
            .passed()
            .disc_difference();
        assert_eq!(allowed(ValueRule::GENERATED, position), [expected]);
        // The same for the side that has to pass, seen from it.
        let other = position.passed();
        assert!(other.must_pass());
        assert_eq!(allowed(ValueRule::GENERATED, other), [-expected]);
    }

    #[test]
    fn two_empty_squares_leave_what_can_be_played() {
        // X may take a1 or h8 first; every order is played out here by hand of the rules.
        let text = "-OOOOOOX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX OOOOOOOO XOOOOOO-";
        let position = board(text);
        assert_eq!(position.empties(), 2);
        let mut ends = Vec::new();
        for first in Squares(position.legal_moves()) {
            let after = position.play(first).unwrap();
            let replies: Vec<_> = Squares(after.legal_moves()).collect();
            if replies.is_empty() {
                let again = after.passed();
                for second in Squares(again.legal_moves()) {
                    ends.push(-again.play(second).unwrap().disc_difference());
                }
                if again.legal_moves() == 0 {
                    ends.push(again.disc_difference());
                }
            }
            for second in replies {
                ends.push(after.play(second).unwrap().disc_difference());
            }
        }
        ends.sort();
        ends.dedup();
        assert!(!ends.is_empty());
        assert_eq!(allowed(ValueRule::GENERATED, position), ends);
        let mean = rule(Some(ScoreRule::Plain), ValueSource::Mean);
        let between: Vec<i16> = (ends[0]..=ends[ends.len() - 1]).collect();
        assert_eq!(allowed(mean, position), between);
    }

    #[test]
    fn the_winner_taking_all_makes_values_even() {
        let all = rule(Some(ScoreRule::WinnerTakesEmpties), ValueSource::OneGame);
        assert!(
            allowed(all, Board::START)
                .iter()
                .all(|value| value % 2 == 0)
        );
        assert_eq!(allowed(all, Board::START).len(), 65);
        assert_eq!(allowed(ValueRule::GENERATED, Board::START).len(), 129);
    }

    #[test]
    fn safe_discs_are_known_ones() {
        let safe = |text: &str| {
            let b = board(text);
            safe_discs(b.own, b.opponent)
        };
        let row = |rank: &str| format!("{rank}{}", "-".repeat(56));
        assert_eq!(safe(&row("XXX-----")), 0b111);
        assert_eq!(safe(&row("-XXXXXXX")), 0b1111_1110);
        assert_eq!(safe(&row("-XXX----")), 0);
        // A full edge cannot be turned, whoever holds its corners.
        assert_eq!(safe(&row("OXXOXXOO")), 0b0011_0110);
        assert_eq!(safe(&"X".repeat(64)), u64::MAX);
        // a1, b1, a2 are safe; b2 has no safe neighbour towards h1–a8 unless c1 or a3 is.
        assert_eq!(
            safe("XX------ XX------ -------- -------- -------- -------- -------- --------"),
            0x0103
        );
        assert_eq!(
            safe("XXX----- XX------ -------- -------- -------- -------- -------- --------"),
            0x0307
        );
    }

    /// No legal play ever turns a disc that is called safe.
    #[test]
    fn safe_discs_stay() {
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut seen = 0;
        for _ in 0..300 {
            let mut game = Game::new();
            let mut safe: [u64; 2] = [0; 2];
            while !game.is_over() {
                game.pass_if_forced();
                let squares: Vec<_> = Squares(game.board().legal_moves()).collect();
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                let square = squares[random as usize % squares.len()];
                game.play_known(square, game.board().flips(square));
                let b = game.board();
                let (black, white) = match game.color() {
                    crate::board::Color::Black => (b.own, b.opponent),
                    crate::board::Color::White => (b.opponent, b.own),
                };
                assert_eq!(safe[0] & !black, 0);
                assert_eq!(safe[1] & !white, 0);
                safe = [safe_discs(black, white), safe_discs(white, black)];
                seen += safe[0].count_ones() + safe[1].count_ones();
            }
        }
        assert!(seen > 10_000, "{seen}");
    }

    /// Every position of a played game keeps its result within the rules.
    #[test]
    fn real_results_are_allowed() {
        let mut random = 88_172_645_463_325_252_u64;
        for _ in 0..200 {
            let mut game = Game::new();
            let mut boards = vec![(game.board(), game.color())];
            while !game.is_over() {
                game.pass_if_forced();
                let squares: Vec<_> = Squares(game.board().legal_moves()).collect();
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                let square = squares[random as usize % squares.len()];
                game.play_known(square, game.board().flips(square));
                boards.push((game.board(), game.color()));
            }
            let end = game.board();
            let end_for = |color| {
                if color == game.color() {
                    end
                } else {
                    end.passed()
                }
            };
            for (board, color) in boards {
                let plain = end_for(color).disc_difference();
                let all = end_for(color).winner_takes_empties();
                for source in [ValueSource::OneGame, ValueSource::Mean, ValueSource::Claim] {
                    let by = |score, value| rule(score, source).check(board, value);
                    assert_eq!(by(Some(ScoreRule::Plain), plain), Ok(()));
                    assert_eq!(by(Some(ScoreRule::WinnerTakesEmpties), all), Ok(()));
                    assert_eq!(by(None, plain), Ok(()));
                    assert_eq!(by(None, all), Ok(()));
                }
            }
        }
    }
}
