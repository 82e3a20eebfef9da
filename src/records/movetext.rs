//! Move text: one game a line, `f5d6c3…`, from the usual start position or from a board in front
//! of the moves; or one position with its value a line. Blank lines and comments (`#`, `%`, `//`)
//! are passed over. What a line may look like: [`super::line`].

use super::{Cut, Cutter, Fault, Format, GameRecord, RecordedMove, WrittenGame, line};
use crate::board::{Board, Color, Move};
use std::io::{self, Write};

/// The format.
pub struct MoveText;

/// Lines of the first block that are looked at to recognise the format.
const LINES_TRIED: usize = 20;

impl Format for MoveText {
    fn name(&self) -> &'static str {
        "text"
    }

    fn recognises(&self, head: &[u8]) -> bool {
        let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        head.split(|&c| is_line_end(c))
            .filter(|line| !is_ignored(line))
            .take(LINES_TRIED)
            .any(|line| is_game(line) || is_position(line))
    }

    fn cutter(&self) -> Box<dyn Cutter> {
        Box::new(Lines::default())
    }

    fn parse(&self, raw: &[u8], record: &mut GameRecord) -> Result<(), Fault> {
        line::parse(raw, record)
    }

    /// One game a line, passes as `pa`. Names have no place in this format.
    fn write(&self, games: &[WrittenGame<'_>], out: &mut dyn Write) -> io::Result<()> {
        for written in games {
            if written.game.start() != (Board::START, Color::Black) {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidInput,
                    "move text holds only games from the usual start position",
                ));
            }
            writeln!(out, "{}", written.game.move_text())?;
        }
        Ok(())
    }
}

/// Whether a line holds a game rather than anything else. It may be torn inside a move.
pub(super) fn is_game(text: &[u8]) -> bool {
    let mut record = GameRecord::default();
    let read = line::parse(text, &mut record);
    let discs = discs(&record);
    discs >= 8 || discs >= 2 && read.is_ok()
}

/// Whether a line begins with a board and can be read.
fn is_position(text: &[u8]) -> bool {
    let mut record = GameRecord::default();
    line::parse(text, &mut record).is_ok() && record.start.is_some()
}

/// Discs that are placed.
pub(super) fn discs(record: &GameRecord) -> usize {
    let is_disc = |m: &&RecordedMove| m.mv != Move::Pass;
    record.moves.iter().filter(is_disc).count()
}

pub(super) fn is_line_end(c: u8) -> bool {
    matches!(c, b'\n' | b'\r')
}

/// A line without a game: blank or a comment.
pub(super) fn is_ignored(line: &[u8]) -> bool {
    let text = line.trim_ascii();
    text.is_empty() || text.starts_with(b"#") || text.starts_with(b"%") || text.starts_with(b"//")
}

#[derive(Default)]
struct Lines {
    /// Inside a line that is too long to be a game.
    skipping: bool,
}

impl Cutter for Lines {
    fn cut(&mut self, window: &[u8], at_end: bool) -> Cut {
        let mut from = 0;
        loop {
            let rest = &window[from..];
            let Some(length) = memchr::memchr2(b'\n', b'\r', rest) else {
                let wanted = !self.skipping && !is_ignored(rest);
                return match at_end {
                    true if wanted => Cut::Game(from..window.len()),
                    true => Cut::More { used: window.len() },
                    false if self.skipping => Cut::More { used: window.len() },
                    false => Cut::More { used: from },
                };
            };
            let line = from..from + length;
            if !std::mem::take(&mut self.skipping) && !is_ignored(&window[line.clone()]) {
                return Cut::Game(line);
            }
            from = line.end + 1;
        }
    }

    fn give_up(&mut self) {
        self.skipping = true;
    }
}

#[cfg(test)]
mod tests {
    use super::super::RawGames;
    use super::*;

    fn moves(text: &str) -> Result<String, Fault> {
        let mut record = GameRecord::default();
        MoveText.parse(text.as_bytes(), &mut record)?;
        let words: Vec<String> = record.moves.iter().map(|m| m.mv.to_string()).collect();
        Ok(words.join(" "))
    }

    #[test]
    fn every_usual_spelling_is_read() {
        for text in [
            "f5d6c3",
            "F5D6C3",
            "f5 d6 c3",
            "1. f5 2. d6 3. c3",
            "1.f5 d6 2.c3",
            "f5, d6, c3 : +12",
            "f51d6 2c3",
            "\tf5\td6 c3 -4",
        ] {
            assert_eq!(moves(text), Ok("f5 d6 c3".to_owned()), "{text}");
        }
        for pass in ["pa", "PA", "ps", "pass", "Pass", "--", "@@", "@@@@"] {
            let text = format!("f5{pass}d6");
            assert_eq!(moves(&text), Ok("f5 pass d6".to_owned()), "{text}");
        }
    }

    #[test]
    fn what_is_no_move_is_named() {
        assert_eq!(
            moves("f5 hello d6").unwrap_err().to_string(),
            "`hello` at move 2 is not a move"
        );
        assert_eq!(
            moves("f5d9").unwrap_err().to_string(),
            "`d9` at move 2 is not a move"
        );
        assert_eq!(
            moves("f5\u{e9}d6").unwrap_err().to_string(),
            "`\u{e9}d6` at move 2 is not a move"
        );
    }

    #[test]
    fn lines_end_in_every_way_and_long_ones_are_passed_over() {
        let long = "f5".repeat(super::super::MAX_GAME_BYTES);
        let text = format!("\u{feff}f5d6\r\n\r\n# comment\n{long}\nf5f6\rf5f4");
        let mut games = RawGames::new(&MoveText, Vec::new(), text.as_bytes());
        let mut seen = Vec::new();
        while let Some(raw) = games.next_game().unwrap() {
            seen.push(raw.map(|raw| String::from_utf8_lossy(raw).into_owned()));
        }
        // The mark at the beginning is taken off only from a head that was read before.
        assert_eq!(seen.len(), 4);
        assert!(seen[0].as_ref().unwrap().ends_with("f5d6"));
        assert!(matches!(seen[1], Err(Fault::TooLong { .. })));
        assert_eq!(seen[2].as_deref(), Ok("f5f6"));
        assert_eq!(seen[3].as_deref(), Ok("f5f4"));
    }

    #[test]
    fn prose_is_not_taken_for_games() {
        for text in [
            "Dear reader,\nf5 is a good move.\n",
            "{\"schema\": \"x\"}",
            "12 34 56\n",
        ] {
            assert!(!MoveText.recognises(text.as_bytes()), "{text}");
        }
        let board = "---------------------------OX------XO---------------------------";
        for rest in [" X;", " X;D3C5", " -4", " O; c3:+2"] {
            assert!(MoveText.recognises(format!("{board}{rest}\n").as_bytes()));
        }
        assert!(MoveText.recognises(b"\xef\xbb\xbf# games\r\nf5d6c3d3c4\r\n"));
    }
}
