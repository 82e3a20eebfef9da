//! The board as two bitboards, and what the rules allow on it.

use super::{Square, flips, moves};

/// The four centre squares d4, e4, d5, e5: occupied in every reachable position.
pub const CENTRE: u64 = 0x0000_0018_1800_0000;

/// A position seen from the side to move.
///
/// The two sets never overlap in a position made by the rules. The order is that of
/// `(own, opponent)`, which is what "smallest" means for [`Board::canonical`].
///
/// ```
/// use rdg::board::{Board, Squares, perft};
///
/// let moves: Vec<String> = Squares(Board::START.legal_moves())
///     .map(|square| square.to_string())
///     .collect();
/// assert_eq!(moves, ["d3", "c4", "f5", "e6"]);
///
/// let after = Board::START.play("f5".parse()?).expect("f5 is legal");
/// assert_eq!((after.phase(), after.own.count_ones()), (1, 1));
/// assert_eq!(perft(Board::START, 5), 1396);
/// # Ok::<(), rdg::board::ParseMoveError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Board {
    /// Discs of the side to move; bit 0 = a1, bit 63 = h8.
    pub own: u64,
    /// Discs of the other side.
    pub opponent: u64,
}

impl Board {
    /// The start position: Black, to move, holds e4 and d5.
    pub const START: Board = Board {
        own: 0x0000_0008_1000_0000,
        opponent: 0x0000_0010_0800_0000,
    };

    /// All discs, of both sides.
    #[inline(always)]
    pub const fn occupied(self) -> u64 {
        self.own | self.opponent
    }

    /// All empty squares.
    #[inline(always)]
    pub const fn empty(self) -> u64 {
        !self.occupied()
    }

    /// Number of discs, 0..=64.
    #[inline(always)]
    pub const fn discs(self) -> u32 {
        self.occupied().count_ones()
    }

    /// Number of empty squares, 0..=64.
    #[inline(always)]
    pub const fn empties(self) -> u32 {
        64 - self.discs()
    }

    /// Discs on the board − 4; 0 for the start position, 60 for a full board. Saturates at 0.
    #[inline(always)]
    pub const fn phase(self) -> u8 {
        (self.discs() as u8).saturating_sub(4)
    }

    /// The set of squares on which the side to move may play; 0 when it has no move.
    #[inline(always)]
    pub fn legal_moves(self) -> u64 {
        moves::legal_moves(self.own, self.opponent)
    }

    /// The discs that a move on the empty square `square` turns; 0 when the move is illegal.
    #[inline(always)]
    pub fn flips(self, square: Square) -> u64 {
        flips::flips(square.index(), self.own, self.opponent)
    }

    /// Whether the side to move may play on `square`.
    pub fn is_legal(self, square: Square) -> bool {
        self.legal_moves() & square.bit() != 0
    }

    /// The position after the side to move plays on `square`, seen from the other side; `None`
    /// when the move is illegal.
    pub fn play(self, square: Square) -> Option<Board> {
        if self.occupied() & square.bit() != 0 {
            return None;
        }
        match self.flips(square) {
            0 => None,
            flipped => Some(self.after(square, flipped)),
        }
    }

    /// The position after a move whose `flipped` discs are known, seen from the other side.
    #[inline(always)]
    pub const fn after(self, square: Square, flipped: u64) -> Board {
        Board {
            own: self.opponent ^ flipped,
            opponent: self.own | flipped | square.bit(),
        }
    }

    /// The same discs seen from the other side.
    #[inline(always)]
    pub const fn passed(self) -> Board {
        Board {
            own: self.opponent,
            opponent: self.own,
        }
    }

    /// The side to move has no move, but the other side has one.
    pub fn must_pass(self) -> bool {
        self.legal_moves() == 0 && self.passed().legal_moves() != 0
    }

    /// Neither side has a move.
    pub fn is_game_over(self) -> bool {
        self.legal_moves() == 0 && self.passed().legal_moves() == 0
    }

    /// Plain disc difference own − opponent; empty squares count for nobody.
    #[inline(always)]
    pub const fn disc_difference(self) -> i16 {
        self.own.count_ones() as i16 - self.opponent.count_ones() as i16
    }

    /// Disc difference when the winner of a finished game gets the empty squares, as engines'
    /// scores and WTHOR count it.
    pub const fn winner_takes_empties(self) -> i16 {
        let difference = self.disc_difference();
        let empties = self.empties() as i16;
        if difference > 0 {
            difference + empties
        } else if difference < 0 {
            difference - empties
        } else {
            0
        }
    }
}

/// Iterates the squares of a set from a1 to h8.
#[derive(Clone, Copy, Debug)]
pub struct Squares(pub u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::ALL[self.0.trailing_zeros() as usize];
        self.0 &= self.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count_ones() as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for Squares {}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(set: u64) -> Vec<String> {
        Squares(set).map(|s| s.to_string()).collect()
    }

    #[test]
    fn start_position_has_the_four_known_moves() {
        assert_eq!(names(Board::START.legal_moves()), ["d3", "c4", "f5", "e6"]);
        assert_eq!(Board::START.phase(), 0);
        assert_eq!(Board::START.occupied(), CENTRE);
    }

    #[test]
    fn a_move_turns_discs_and_hands_over() {
        let after = Board::START.play("f5".parse().unwrap()).unwrap();
        assert_eq!(after.discs(), 5);
        assert_eq!(names(after.own), ["d4"]);
        assert_eq!(names(after.opponent), ["e4", "d5", "e5", "f5"]);
    }

    #[test]
    fn occupied_and_non_flipping_squares_are_illegal() {
        for name in ["d4", "e5", "a1", "c3", "h8"] {
            assert_eq!(Board::START.play(name.parse().unwrap()), None, "{name}");
        }
    }

    #[test]
    fn score_rules_differ_only_on_unfilled_boards() {
        let wipe_out = Board {
            own: 0x1fff,
            opponent: 0,
        };
        assert!(wipe_out.is_game_over());
        assert_eq!(wipe_out.disc_difference(), 13);
        assert_eq!(wipe_out.winner_takes_empties(), 64);
        assert_eq!(wipe_out.passed().winner_takes_empties(), -64);
    }
}
