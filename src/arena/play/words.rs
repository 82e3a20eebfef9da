//! What is said about a game: sides, discs, result, its text.

use crate::board::{Color, Game, ScoreRule};

/// `Black (X)`.
pub(super) fn side(color: Color) -> &'static str {
    match color {
        Color::Black => "Black (X)",
        Color::White => "White (O)",
    }
}

/// `Black 12, White 8; 44 empty`.
pub(super) fn discs(game: &Game) -> String {
    let (black, white) = game.board().colors(game.color());
    format!(
        "Black {}, White {}; {} empty",
        black.count_ones(),
        white.count_ones(),
        game.board().empties()
    )
}

/// Everything that is to be known of a game when it is left: where it started if not at the usual
/// place, its moves, how it ended.
pub(super) fn game_text(game: &Game, resigned: Option<Color>) -> String {
    let mut text = String::new();
    let (start, color) = game.start();
    if (start, color) != Game::new().start() {
        let letter = match color {
            Color::Black => 'X',
            Color::White => 'O',
        };
        text += &format!("Start: {} {letter}\n", start.to_text(color));
    }
    text += &format!("Game: {}\n", game.move_text());
    text + &format!("Result: {}\n", result(game, resigned))
}

/// Who has won, by how much.
fn result(game: &Game, resigned: Option<Color>) -> String {
    let difference = game.black_score(ScoreRule::WinnerTakesEmpties);
    let discs = discs(game);
    if let Some(loser) = resigned {
        return format!("{} wins, {loser} has resigned ({discs})", loser.other());
    }
    if !game.is_over() {
        return format!("unfinished ({discs})");
    }
    let winner = match difference {
        0 => return format!("a draw ({discs})"),
        1.. => Color::Black,
        _ => Color::White,
    };
    let by = difference.unsigned_abs();
    match game.board().empties() {
        0 => format!("{winner} wins by {by} ({discs})"),
        // The usual counting of tournaments.
        _ => format!("{winner} wins by {by} with the empty squares ({discs})"),
    }
}

/// Breaks lines that are wider than `columns` at blanks. Words that are wider than that, and lines
/// with colours in them, stay as they are.
pub(super) fn wrapped(text: &str, columns: usize) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| broken(line, columns)).collect();
    lines.join("\n")
}

fn broken(line: &str, columns: usize) -> String {
    let width = |text: &str| text.chars().count();
    if width(line) <= columns || line.contains('\x1b') {
        return line.to_owned();
    }
    let mut text = String::new();
    let mut used = 0;
    for word in line.split(' ') {
        if used > 0 && used + 1 + width(word) > columns {
            text.push('\n');
            used = 0;
        } else if used > 0 {
            text.push(' ');
            used += 1;
        }
        text += word;
        used += width(word);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_break_at_blanks_and_nothing_else_changes() {
        let text = "one two three\n1  --  --\n\nfour fives sixsixsixsix seven";
        assert_eq!(
            wrapped(text, 9),
            "one two\nthree\n1  --  --\n\nfour\nfives\nsixsixsixsix\nseven"
        );
        assert_eq!(wrapped(text, 100), text);
        let colored = "\x1b[1mone two three\x1b[0m";
        assert_eq!(wrapped(colored, 9), colored);
    }

    #[test]
    fn results_are_told_in_every_case() {
        let wiped_out = Game::from_move_text("e6f4e3f6g5d6e7f5c5").unwrap();
        assert_eq!(
            game_text(&wiped_out, None),
            "Game: e6f4e3f6g5d6e7f5c5\nResult: Black wins by 64 with the empty squares \
             (Black 13, White 0; 51 empty)\n"
        );
        let early = Game::from_move_text("f5").unwrap();
        assert!(game_text(&early, None).contains("unfinished (Black 4, White 1; 59 empty)"));
        let resigned = game_text(&early, Some(Color::Black));
        assert!(resigned.contains("Result: White wins, Black has resigned"));
        let (board, color) =
            crate::board::parse_position(&format!("{}{} O", "X".repeat(32), "O".repeat(32)))
                .unwrap();
        let draw = game_text(&Game::from_position(board, color), None);
        assert!(draw.starts_with("Start: XXXX") && draw.contains("Result: a draw (Black 32"));
    }
}
