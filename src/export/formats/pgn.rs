//! Games as PGN, as the public collections of Othello have it: tags, numbered moves in pairs, `--` for a
//! pass, the discs of both at the end.

use crate::board::{Board, Color, Game, Move};
use std::io::{self, Write};

/// Lines are wrapped in front of this column.
const COLUMNS: usize = 80;

/// Writes one game; `number` is its round.
///
/// # Errors
/// The system refused, or ([`io::ErrorKind::InvalidInput`]) the game does not begin as usual, for which
/// PGN has no tag that readers agree on.
pub(crate) fn write(game: &Game, number: u64, player: &str, out: &mut dyn Write) -> io::Result<()> {
    if game.start() != (Board::START, Color::Black) {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "PGN holds only games from the usual start position",
        ));
    }
    let (black, white) = game.board().colors(game.color());
    let result = format!("{}-{}", black.count_ones(), white.count_ones());
    let player = player.replace(['"', '\\'], "");
    let tags = [
        ("Event", "rdg self-play"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", &number.to_string()),
        ("Black", &player),
        ("White", &player),
        ("Result", &result),
    ];
    for (name, value) in tags {
        writeln!(out, "[{name} \"{value}\"]")?;
    }
    writeln!(out)?;
    let mut column = 0;
    let mut word = |out: &mut dyn Write, text: &str| {
        let length = text.len() + 1;
        let before = match column {
            0 => "",
            n if n + length > COLUMNS => "\n",
            _ => " ",
        };
        column = if before == " " {
            column + length
        } else {
            text.len()
        };
        write!(out, "{before}{text}")
    };
    for (at, mv) in game.moves().iter().enumerate() {
        if at % 2 == 0 {
            word(out, &format!("{}.", at / 2 + 1))?;
        }
        match mv {
            Move::Play(square) => word(out, &square.to_string())?,
            Move::Pass => word(out, "--")?,
        }
    }
    word(out, &result)?;
    writeln!(out, "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_looks_as_in_the_collections() {
        let game = Game::from_move_text("f5d6c3").unwrap();
        let mut text = Vec::new();
        write(&game, 7, "a \"b\"", &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("[Round \"7\"]\n[Black \"a b\"]\n"), "{text}");
        assert!(
            text.ends_with("\n\n1. f5 d6 2. c3 4-3\n\n")
                || text.ends_with("\n\n1. f5 d6 2. c3 5-2\n\n"),
            "{text}"
        );
    }

    #[test]
    fn lines_are_wrapped() {
        // Nine moves, and White has no disc left.
        let game = Game::from_move_text("e6f4e3f6g5d6e7f5c5").unwrap();
        let mut text = Vec::new();
        for _ in 0..3 {
            write(&game, 1, "x", &mut text).unwrap();
        }
        let text = String::from_utf8(text).unwrap();
        assert!(text.lines().all(|line| line.len() <= COLUMNS), "{text}");
        assert_eq!(text.matches("13-0\n\n").count(), 3, "{text}");
    }
}
