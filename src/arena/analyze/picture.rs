//! Boards as text: discs, the scores of legal moves, the last move; with colours or without.

use crate::base::ansi::painted;
use crate::board::{Color, Game, Move, Square};
use crate::engine::MoveScore;

/// Whether colours may be used, and what else a picture shows.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Look {
    /// ANSI colours; without them everything is still told by characters.
    pub color: bool,
    /// Squares of four characters, not six, for terminals of fewer than [`WIDTH`] columns: the
    /// best moves have a star behind their whole number.
    pub narrow: bool,
}

/// Columns of a usual board.
pub(crate) const WIDTH: usize = 52;

/// Greens of the 256-colour palette from pale to dark, the darker the better, with the colour of
/// the text on them.
const SHADES: [(u8, u8); 5] = [(194, 16), (157, 16), (113, 16), (71, 16), (28, 231)];

/// Draws the board with file letters above and rank numbers at both sides. Black is `X`, White
/// `O`. A legal move shows its score where there is one, `.` elsewhere; the best moves stand in
/// brackets; the disc of the last move stands between bars.
pub(crate) fn board(game: &Game, scores: &[MoveScore], look: Look) -> String {
    let position = game.board();
    let (black, white) = position.colors(game.color());
    let legal = position.legal_moves();
    let last = match game.moves().last() {
        Some(&Move::Play(square)) => Some(square),
        _ => None,
    };
    let width = if look.narrow { 4 } else { 6 };
    let letters: String = ('a'..='h').map(|file| format!("{file:^width$}")).collect();
    let indent = if look.narrow { "  " } else { "   " };
    let mut text = format!("{indent}{}\n", letters.trim_end());
    for rank in 0..8 {
        let mut row = format!("{} ", rank + 1);
        for file in 0..8 {
            let Some(square) = Square::at(file, rank) else {
                continue;
            };
            let bit = square.bit();
            row += &if black & bit != 0 {
                disc(Color::Black, last == Some(square), look)
            } else if white & bit != 0 {
                disc(Color::White, last == Some(square), look)
            } else if legal & bit != 0 {
                candidate(square, scores, look)
            } else {
                faint(if look.narrow { " -- " } else { "  --  " }, look)
            };
        }
        text += &format!("{row} {}\n", rank + 1);
    }
    text
}

/// A score as people write it: whole where it is exact, with one decimal otherwise.
pub(crate) fn score_text(score: &MoveScore) -> String {
    // Adding 0 turns a rounded −0 into 0.
    if score.exact {
        format!("{:+.0}", score.score.round() + 0.0)
    } else {
        format!("{:+.1}", (score.score * 10.0).round() / 10.0 + 0.0)
    }
}

fn disc(color: Color, is_last: bool, look: Look) -> String {
    let letter = match color {
        Color::Black => 'X',
        Color::White => 'O',
    };
    let cell = match (is_last, look.narrow) {
        (true, false) => format!(" |{letter}|  "),
        (false, false) => format!("  {letter}   "),
        (true, true) => format!("|{letter}| "),
        (false, true) => format!(" {letter}  "),
    };
    let code = match color {
        Color::Black => "1;36",
        Color::White => "1;33",
    };
    painted(look.color, code, &cell)
}

fn candidate(square: Square, scores: &[MoveScore], look: Look) -> String {
    let Some(score) = scores.iter().find(|score| score.square == square) else {
        return if look.narrow { " .  " } else { "  .   " }.to_owned();
    };
    let best = scores.iter().map(|s| s.score).fold(f64::MIN, f64::max);
    let worst = scores.iter().map(|s| s.score).fold(f64::MAX, f64::min);
    let is_best = score.score >= best;
    let number = score_text(score);
    let cell = match (is_best, look.narrow) {
        (true, false) => format!("{:^6}", format!("[{number}]")),
        (false, false) => format!("{number:^6}"),
        (true, true) => format!("{:<4}", format!("{:+.0}*", score.score.round() + 0.0)),
        (false, true) => format!("{:<4}", format!("{:+.0}", score.score.round() + 0.0)),
    };
    if !look.color {
        return cell;
    }
    let share = match best > worst {
        true => (score.score - worst) / (best - worst),
        false => 1.0,
    };
    let steps = SHADES.len() - 1;
    // Only the best moves get the darkest shade.
    let shade = match is_best {
        true => steps,
        false => ((share * steps as f64) as usize).min(steps - 1),
    };
    let (background, text) = SHADES[shade];
    let weight = if is_best { "1;" } else { "" };
    painted(
        true,
        &format!("{weight}38;5;{text};48;5;{background}"),
        &cell,
    )
}

fn faint(cell: &str, look: Look) -> String {
    painted(look.color, "2", cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLORED: Look = Look {
        color: true,
        narrow: false,
    };

    fn score(square: &str, score: f64, exact: bool) -> MoveScore {
        MoveScore {
            square: square.parse().unwrap(),
            score,
            depth: 3,
            exact,
            line: Vec::new(),
        }
    }

    fn strip(text: &str) -> String {
        let mut plain = String::new();
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            if c == '\x1b' {
                for c in chars.by_ref() {
                    if c == 'm' {
                        break;
                    }
                }
            } else {
                plain.push(c);
            }
        }
        plain
    }

    #[test]
    fn scores_stand_on_their_squares_and_the_best_in_brackets() {
        let game = Game::from_move_text("f5").unwrap();
        let scores = [
            score("f6", 2.0, true),
            score("d6", -0.04, false),
            score("f4", -12.34, false),
        ];
        let text = board(&game, &scores, Look::default());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 9);
        let cell = |name: &str| -> String {
            let square: Square = name.parse().unwrap();
            let at = 2 + 6 * usize::from(square.file());
            lines[1 + usize::from(square.rank())][at..at + 6]
                .trim()
                .to_owned()
        };
        assert_eq!(cell("f6"), "[+2]");
        assert_eq!(cell("d6"), "+0.0");
        assert_eq!(cell("f4"), "-12.3");
        assert_eq!(cell("f5"), "|X|");
        assert_eq!(cell("d4"), "O");
        assert_eq!(cell("a1"), "--");
        assert!(lines[0].starts_with("     a     b"));
    }

    #[test]
    fn every_line_has_the_same_width_and_colours_change_no_character() {
        let game = Game::new();
        let scores = [score("f5", -64.0, true), score("d3", 64.0, true)];
        let plain = board(&game, &scores, Look::default());
        let colored = board(&game, &scores, COLORED);
        assert!(colored.contains('\x1b'));
        assert_eq!(strip(&colored), plain);
        let widths: Vec<usize> = plain.lines().skip(1).map(str::len).collect();
        assert_eq!(widths, [52; 8]);
    }

    #[test]
    fn narrow_boards_tell_the_same_in_36_columns() {
        let look = Look {
            color: false,
            narrow: true,
        };
        let game = Game::from_move_text("f5").unwrap();
        let scores = [score("f6", -64.0, true), score("d6", -64.4, false)];
        let text = board(&game, &scores, look);
        assert!(text.lines().all(|line| line.len() <= 36), "{text}");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "   a   b   c   d   e   f   g   h");
        assert_eq!(lines[5], "5  --  --  --  X   X  |X|  --  --  5");
        assert_eq!(lines[6], "6  --  --  -- -64  -- -64* --  --  6");
        let colored = Look {
            color: true,
            ..look
        };
        assert_eq!(strip(&board(&game, &scores, colored)), text);
    }

    #[test]
    fn better_moves_are_darker() {
        let scores = [
            score("f5", 10.0, true),
            score("d3", 0.0, true),
            score("c4", 9.99, true),
        ];
        let shade = |name: &str| {
            let cell = candidate(name.parse().unwrap(), &scores, COLORED);
            let place = |&(background, _): &(u8, u8)| cell.contains(&format!("48;5;{background}m"));
            SHADES.iter().position(place).unwrap()
        };
        assert_eq!((shade("f5"), shade("d3")), (4, 0));
        assert_eq!(shade("c4"), 3);
    }
}
