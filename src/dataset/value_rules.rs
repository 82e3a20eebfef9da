//! What a value must be, as far as the rules of the game prove it from the position alone.
//!
//! A game that ends early leaves squares empty, so a plain difference has no fixed parity; but
//! - where the game is over, the value is counted;
//! - with one or two empty squares every way to the end can be played;
//! - a disc that can never be turned counts for its owner in the end;
//! - when the winner takes the empty squares, all 64 are counted and the difference is even.

use super::metadata::{PLAIN_DISC_DIFFERENCE, WINNER_TAKES_EMPTIES};
use super::rules::RecordFault;
use crate::board::{Board, ScoreRule, Squares};

/// Empty squares up to which every way to the end is played.
pub(crate) const PLAYED_OUT_EMPTIES: u32 = 2;

/// The four corners. A held one is safe for ever.
pub(crate) const CORNERS: u64 = 0x8100_0000_0000_0081;

/// How the values of a dataset were made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ValueRule {
    /// How a finished game is counted; `None` where it is not known: either way is right.
    pub score: Option<ScoreRule>,
    /// What stands for a game's result.
    pub source: ValueSource,
}

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ValueSource {
    /// The result of one game that was played to the end.
    OneGame,
    /// Possibly the rounded mean of several.
    Mean,
    /// Possibly what a record claims of a game that was not played to the end.
    Claim,
    /// Whatever somebody gave the position: nothing but its range can be checked.
    Given,
}

impl ValueRule {
    /// Nothing is known about the data.
    pub(crate) const UNKNOWN: ValueRule = ValueRule {
        score: None,
        source: ValueSource::Mean,
    };

    /// Generated data.
    #[cfg(test)]
    const GENERATED: ValueRule = ValueRule {
        score: Some(ScoreRule::Plain),
        source: ValueSource::OneGame,
    };

    /// Checks a value. Expects a board that keeps the other rules.
    pub(crate) fn check(&self, board: Board, value: i16) -> Result<(), RecordFault> {
        if self.source == ValueSource::Given {
            return Ok(());
        }
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
            return self.check_played_out(board, value);
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
pub(crate) fn score_rule(name: &str) -> Option<ScoreRule> {
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
pub(crate) fn value_bounds(board: Board) -> (i16, i16) {
    let safe = |own, opponent| safe_discs(own, opponent).count_ones() as i16;
    (
        2 * safe(board.own, board.opponent) - 64,
        64 - 2 * safe(board.opponent, board.own),
    )
}

/// Discs of `own` that can never be turned: on each of the four lines through them lies the edge,
/// a safe disc of the same side, or no empty square at all. There may be more.
pub(crate) fn safe_discs(own: u64, opponent: u64) -> u64 {
    let lines = FullLines::of(own | opponent);
    let mut safe = lines.safe(own, 0);
    loop {
        let more = lines.safe(own, safe);
        if more == safe {
            return safe;
        }
        safe = more;
    }
}

/// The squares that are safe along each kind of line whoever holds their neighbours: the line has
/// no empty square, or ends there. All shifts and masks, so that it can become vector code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FullLines {
    rank: u64,
    file: u64,
    fall: u64,
    rise: u64,
}

impl FullLines {
    /// For these discs of both sides.
    #[inline(always)]
    pub(crate) fn of(occupied: u64) -> FullLines {
        let pairs = occupied & (occupied >> 1);
        let fours = pairs & (pairs >> 2);
        let ranks = fours & (fours >> 4) & 0x0101_0101_0101_0101;
        let files = occupied & occupied.rotate_left(8);
        let files = files & files.rotate_left(16);
        let edge = SIDES | ENDS;
        FullLines {
            rank: ((ranks << 8).wrapping_sub(ranks)) | SIDES,
            file: (files & files.rotate_left(32)) | ENDS,
            fall: full_diagonals::<9>(occupied, FALL) | edge,
            rise: full_diagonals::<7>(occupied, RISE) | edge,
        }
    }

    /// One step: the discs of `own` that are safe because those of `safe` are.
    #[inline(always)]
    pub(crate) fn safe(&self, own: u64, safe: u64) -> u64 {
        let (right, left) = (safe & NOT_H, safe & NOT_A);
        let rank = self.rank | right << 1 | left >> 1;
        let file = self.file | safe << 8 | safe >> 8;
        let fall = self.fall | right << 9 | left >> 9;
        let rise = self.rise | left << 7 | right >> 7;
        own & rank & file & fall & rise
    }
}

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
const SIDES: u64 = !NOT_A | !NOT_H;
const ENDS: u64 = 0xff00_0000_0000_00ff;

/// For one kind of diagonal: the squares from which 1, 2, 4 steps up lead off the board, then
/// those from which as many down do.
type Beyond = [[u64; 3]; 2];
const FALL: Beyond = [beyond(1, 1), beyond(-1, -1)];
const RISE: Beyond = [beyond(-1, 1), beyond(1, -1)];

const fn beyond(file_step: i32, rank_step: i32) -> [u64; 3] {
    let mut sets = [0; 3];
    let mut i = 0;
    while i < 3 {
        let mut square = 0;
        while square < 64 {
            let file = square % 8 + file_step * (1 << i);
            let rank = square / 8 + rank_step * (1 << i);
            if file < 0 || file > 7 || rank < 0 || rank > 7 {
                sets[i as usize] |= 1 << square;
            }
            square += 1;
        }
        i += 1;
    }
    sets
}

/// Squares on diagonals without an empty square.
#[inline(always)]
fn full_diagonals<const STEP: u32>(occupied: u64, beyond: Beyond) -> u64 {
    let [[u1, u2, u4], [d1, d2, d4]] = beyond;
    let up = occupied & (u1 | occupied >> STEP);
    let up = up & (u2 | up >> (2 * STEP));
    let up = up & (u4 | up >> (4 * STEP));
    let down = occupied & (d1 | occupied << STEP);
    let down = down & (d2 | down << (2 * STEP));
    let down = down & (d4 | down << (4 * STEP));
    up & down
}

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

    /// Square by square, as the definition says.
    #[test]
    fn full_lines_are_those_of_the_definition() {
        let mut random = 99_u64;
        for _ in 0..2_000 {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let occupied = random | random.rotate_left(23) | random.rotate_left(41);
            let lines = FullLines::of(occupied);
            for (line, (file_step, rank_step)) in [
                (lines.rank, (1, 0)),
                (lines.file, (0, 1)),
                (lines.fall, (1, 1)),
                (lines.rise, (-1, 1)),
            ] {
                for square in 0..64_i32 {
                    let on =
                        |file: i32, rank: i32| (0..8).contains(&file) && (0..8).contains(&rank);
                    let (file, rank) = (square % 8, square / 8);
                    let full = (-7..8)
                        .map(|n| (file + n * file_step, rank + n * rank_step))
                        .filter(|&(f, r)| on(f, r))
                        .all(|(f, r)| occupied >> (r * 8 + f) & 1 == 1);
                    let at_end = !on(file + file_step, rank + rank_step)
                        || !on(file - file_step, rank - rank_step);
                    assert_eq!(
                        line >> square & 1 == 1,
                        full || at_end,
                        "{occupied:#x} {square} {file_step} {rank_step}"
                    );
                }
            }
        }
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
