//! Squares and moves, and their text.

use crate::base::shown::Foreign;
use std::fmt;
use std::str::FromStr;

/// One of the 64 squares; index 0 = a1, 7 = h1, 63 = h8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// All squares from a1 to h8.
    pub const ALL: [Square; 64] = {
        let mut all = [Square(0); 64];
        let mut i = 0;
        while i < 64 {
            all[i] = Square(i as u8);
            i += 1;
        }
        all
    };

    /// The square with this index; `None` above 63.
    #[inline(always)]
    pub const fn new(index: u8) -> Option<Square> {
        if index < 64 {
            Some(Square(index))
        } else {
            None
        }
    }

    /// The square at `file` (0 = a) and `rank` (0 = 1); `None` off the board.
    pub const fn at(file: u8, rank: u8) -> Option<Square> {
        if file < 8 && rank < 8 {
            Some(Square(rank * 8 + file))
        } else {
            None
        }
    }

    /// 0..=63.
    #[inline(always)]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The set that holds this square alone.
    #[inline(always)]
    pub const fn bit(self) -> u64 {
        1 << self.0
    }

    /// Column, 0 = a.
    #[inline(always)]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// Row, 0 = the row of a1.
    #[inline(always)]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = [b'a' + self.file(), b'1' + self.rank()];
        // Both bytes are ASCII by construction.
        f.pad(std::str::from_utf8(&text).unwrap_or("??"))
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is neither a square nor a pass.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not a square from a1 to h8 or a pass")]
pub struct ParseMoveError(pub Foreign);

impl FromStr for Square {
    type Err = ParseMoveError;

    /// Reads `f5` or `F5`.
    fn from_str(text: &str) -> Result<Square, ParseMoveError> {
        let error = || ParseMoveError(text.into());
        let &[file, rank] = text.as_bytes() else {
            return Err(error());
        };
        let file = file.to_ascii_lowercase().wrapping_sub(b'a');
        Square::at(file, rank.wrapping_sub(b'1')).ok_or_else(error)
    }
}

/// What the side to move does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// A disc on this square.
    Play(Square),
    /// No legal move: the other side moves again.
    Pass,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Play(square) => square.fmt(f),
            Move::Pass => f.pad("pass"),
        }
    }
}

impl From<Square> for Move {
    fn from(square: Square) -> Move {
        Move::Play(square)
    }
}

impl FromStr for Move {
    type Err = ParseMoveError;

    /// Reads a square in either case, or any spelling of a pass that engines and game files use:
    /// `pass`, `pa`, `ps`, `@@`, `@@@@`, `--`, `tt`.
    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        const PASSES: [&str; 7] = ["pass", "pa", "ps", "@@", "@@@@", "--", "tt"];
        if PASSES.iter().any(|pass| text.eq_ignore_ascii_case(pass)) {
            return Ok(Move::Pass);
        }
        text.parse().map(Move::Play)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_reads_back_in_either_case() {
        for square in Square::ALL {
            let text = square.to_string();
            assert_eq!(text.parse(), Ok(square));
            assert_eq!(text.to_uppercase().parse(), Ok(square));
        }
        assert_eq!(Square::ALL[0].to_string(), "a1");
        assert_eq!(Square::ALL[7].to_string(), "h1");
        assert_eq!(Square::ALL[37].to_string(), "f5");
    }

    #[test]
    fn every_spelling_of_a_pass_is_understood() {
        for text in ["pass", "PASS", "Pass", "pa", "PA", "ps", "@@@@", "--", "tt"] {
            assert_eq!(text.parse(), Ok(Move::Pass), "{text}");
        }
    }

    #[test]
    fn junk_is_refused() {
        for text in ["", "a", "a0", "a9", "i1", "a11", "5f", "é1", " f5", "f5 "] {
            assert!(text.parse::<Move>().is_err(), "{text:?}");
        }
    }
}
