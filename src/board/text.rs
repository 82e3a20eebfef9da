//! Positions as text: 64 characters or a picture of eight lines.

use super::{Board, Color, Square};
use crate::base::shown::Foreign;
use std::fmt::Write as _;

/// Why a text is not a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseBoardError {
    /// Not 64 squares.
    #[error("a board has 64 squares, this text has {0}")]
    WrongLength(usize),
    /// A character that is neither disc nor empty.
    #[error("`{0}` at square {1} is not a disc (X * b B # or O o w W) or an empty square (- . _)")]
    UnknownSquare(char, Square),
    /// No or an unknown side to move.
    #[error("`{0}` is not a side to move (X * b or O w)")]
    UnknownSide(Foreign),
}

impl Color {
    /// Reads `X * b B # black` or `O o 0 w W white`.
    pub fn from_text(text: &str) -> Option<Color> {
        match text {
            "X" | "x" | "*" | "b" | "B" | "#" => Some(Color::Black),
            "O" | "o" | "0" | "w" | "W" => Some(Color::White),
            _ if text.eq_ignore_ascii_case("black") => Some(Color::Black),
            _ if text.eq_ignore_ascii_case("white") => Some(Color::White),
            _ => None,
        }
    }
}

/// Reads 64 squares a1, b1 … h8 and a side to move (`X`/`O` and their kin), with any blanks
/// between. Without a side Black is to move.
pub fn parse_position(text: &str) -> Result<(Board, Color), ParseBoardError> {
    let mut black = 0u64;
    let mut white = 0u64;
    let mut chars = text.char_indices().filter(|(_, c)| !c.is_whitespace());
    for (count, square) in Square::ALL.into_iter().enumerate() {
        let Some((_, c)) = chars.next() else {
            return Err(ParseBoardError::WrongLength(count));
        };
        match c {
            'X' | 'x' | '*' | 'b' | 'B' | '#' => black |= square.bit(),
            'O' | 'o' | '0' | 'w' | 'W' => white |= square.bit(),
            '-' | '.' | '_' => {}
            other => return Err(ParseBoardError::UnknownSquare(other, square)),
        }
    }
    let side = match chars.next() {
        Some((at, _)) => text[at..].trim(),
        None => "X",
    };
    let side_word = side.trim_end_matches(';').trim_end();
    let color = Color::from_text(side_word).ok_or_else(|| {
        let squares = text.chars().filter(|c| !c.is_whitespace()).count();
        if squares > 66 {
            ParseBoardError::WrongLength(squares)
        } else {
            ParseBoardError::UnknownSide(side.into())
        }
    })?;
    Ok((Board::from_colors(black, white, color), color))
}

impl Board {
    /// The position with these discs and `color` to move.
    pub const fn from_colors(black: u64, white: u64, color: Color) -> Board {
        match color {
            Color::Black => Board {
                own: black,
                opponent: white,
            },
            Color::White => Board {
                own: white,
                opponent: black,
            },
        }
    }

    /// The sets of black and white discs when `color` is to move.
    pub const fn colors(self, color: Color) -> (u64, u64) {
        match color {
            Color::Black => (self.own, self.opponent),
            Color::White => (self.opponent, self.own),
        }
    }

    /// 64 characters a1 … h8 by colour: `X` black, `O` white, `-` empty.
    pub fn to_text(self, color: Color) -> String {
        let (black, white) = self.colors(color);
        Square::ALL
            .iter()
            .map(|s| match (black & s.bit() != 0, white & s.bit() != 0) {
                (true, _) => 'X',
                (_, true) => 'O',
                _ => '-',
            })
            .collect()
    }

    /// A picture of eight lines with file letters above and rank numbers at the left; legal moves
    /// of the side to move are marked with `.`.
    pub fn to_picture(self, color: Color) -> String {
        let legal = self.legal_moves();
        let squares = self.to_text(color);
        let mut picture = String::from("  a b c d e f g h\n");
        for (rank, line) in squares.as_bytes().chunks(8).enumerate() {
            let _ = write!(picture, "{}", rank + 1);
            for (file, &c) in line.iter().enumerate() {
                let marked = legal >> (rank * 8 + file) & 1 != 0;
                picture.push(' ');
                picture.push(if marked { '.' } else { c as char });
            }
            picture.push('\n');
        }
        picture
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "---------------------------OX------XO---------------------------";

    #[test]
    fn start_position_both_ways() {
        assert_eq!(Board::START.to_text(Color::Black), START);
        assert_eq!(parse_position(START), Ok((Board::START, Color::Black)));
        assert_eq!(
            parse_position(&format!("{START} O")),
            Ok((Board::START.passed(), Color::White))
        );
    }

    #[test]
    fn picture_reads_as_people_draw_it() {
        let picture = Board::START.to_picture(Color::Black);
        let lines: Vec<&str> = picture.lines().collect();
        assert_eq!(lines[0], "  a b c d e f g h");
        assert_eq!(lines[3], "3 - - - . - - - -");
        assert_eq!(lines[4], "4 - - . O X - - -");
    }

    #[test]
    fn faults_are_named() {
        assert_eq!(parse_position("X"), Err(ParseBoardError::WrongLength(1)));
        assert_eq!(parse_position(""), Err(ParseBoardError::WrongLength(0)));
        let bad = START.replacen('-', "?", 1);
        assert_eq!(
            parse_position(&bad),
            Err(ParseBoardError::UnknownSquare('?', Square::ALL[0]))
        );
        assert_eq!(
            parse_position(&format!("{START} Z")),
            Err(ParseBoardError::UnknownSide("Z".into()))
        );
    }
}
