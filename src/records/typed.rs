//! A position or a game as a person types or pastes it: whatever an import reads.

use super::{Fault, GameRecord, RawGames, RecordedMove, detect, line, movetext};
use crate::base::shown::{Foreign, Shown};
use crate::board::{Board, Color, Game, Move};

/// Why a text is neither a position nor a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TypedError {
    /// It does not look like either.
    #[error(
        "`{0}` is neither a position nor a game: write moves such as f5d6c3, or 64 squares from a1 \
         to h8 (X O -) with the side to move, and moves behind them if wanted"
    )]
    Neither(Foreign),
    /// Something in it is wrong.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// One is expected.
    #[error("the text holds more than one position or game; give one of them")]
    Several,
}

/// Characters of a text that an error repeats.
const SHOWN: usize = 80;

/// Reads one position or one game: moves in any spelling, a board with or without a side and
/// moves, a line of OBF (of which the scores are ignored), a game of GGF, SGF, PGN or JSON. An
/// empty text is the start position.
pub fn read_typed(text: &str) -> Result<Game, TypedError> {
    let bytes = text.trim().as_bytes();
    let mut record = GameRecord::default();
    match detect(bytes).map(|format| (format, format.name())) {
        Ok((format, "ggf" | "sgf" | "pgn" | "json")) => {
            // Memory never fails to be read.
            let mut games = RawGames::new(format, bytes.to_vec(), std::io::empty());
            if let Ok(Some(raw)) = games.next_game() {
                format.parse(raw?, &mut record)?;
            }
            if matches!(games.next_game(), Ok(Some(_))) {
                return Err(TypedError::Several);
            }
        }
        _ => read_lines(bytes, &mut record).map_err(|fault| match fault {
            TypedError::Fault(Fault::NotAMove { .. }) if record.moves.is_empty() => {
                TypedError::Neither(text.trim().shown().start(SHOWN).into())
            }
            fault => fault,
        })?,
    }
    Ok(play(&record)?)
}

/// Reads a text that may be spread over lines, as a drawn board is.
fn read_lines(text: &[u8], record: &mut GameRecord) -> Result<(), TypedError> {
    let mut lines = text
        .split(|&c| movetext::is_line_end(c))
        .filter(|line| !movetext::is_ignored(line));
    let first = lines.next().unwrap_or_default();
    if lines.next().is_none() {
        return Ok(line::parse(first, record)?);
    }
    let mut alone = GameRecord::default();
    if line::parse(first, &mut alone).is_ok() && alone.start.is_some() {
        return Err(TypedError::Several);
    }
    Ok(line::parse(text, record)?)
}

/// Plays a record as it stands, whatever its start: nothing is turned.
fn play(record: &GameRecord) -> Result<Game, Fault> {
    let first = record.moves.first().and_then(|first| first.color);
    let mut game = match record.start {
        Some(start) if start.black & start.white != 0 => {
            return Err(Fault::BadBoard("a square holds two discs".into()));
        }
        Some(start) => {
            let color = start.color.or(first).unwrap_or(Color::Black);
            Game::from_position(Board::from_colors(start.black, start.white, color), color)
        }
        None => Game::new(),
    };
    for (index, &RecordedMove { color, mv }) in record.moves.iter().enumerate() {
        let number = index + 1;
        if mv == Move::Pass && game.is_over() {
            continue;
        }
        if mv != Move::Pass {
            game.pass_if_forced();
        }
        if let Some(color) = color.filter(|&color| color != game.color()) {
            return Err(Fault::WrongTurn { mv, number, color });
        }
        if game.play(mv).is_err() {
            return Err(match game.is_over() {
                true => Fault::AfterTheEnd { mv, number },
                false => Fault::IllegalMove { mv, number },
            });
        }
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "---------------------------OX------XO---------------------------";

    #[test]
    fn games_in_every_spelling() {
        let expected = Game::from_move_text("f5d6c3").unwrap();
        let ggs = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *";
        for text in [
            "f5d6c3",
            " F5 D6\nc3 ",
            "1. f5 d6 2. c3",
            "f5-d6-c3",
            "F5,D6,C3",
            "\"f5d6c3\"",
            &format!("{START} * F5D6C3"),
            &format!("{START} X;f5d6c3"),
            &format!("{ggs} f5 d6 c3"),
            &format!("(;GM[Othello]BO[{ggs}]B[f5]W[d6/1.2/3]B[c3];)"),
            "(;GM[2]SZ[8];B[f5];W[d6];B[c3])",
            "[Event \"x\"]\r\n[Result \"*\"]\r\n\r\n1. f5 d6 2. c3 *",
        ] {
            let game = read_typed(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(game, expected, "{text}");
        }
        let longer = Game::from_move_text("f5d6c3d3").unwrap();
        for text in ["{\"moves\": \"f5d6c3d3\"}", "[\"f5d6c3d3\"]"] {
            assert_eq!(read_typed(text).unwrap(), longer, "{text}");
        }
        assert_eq!(read_typed("").unwrap(), Game::new());
        assert_eq!(read_typed("f5").unwrap().moves().len(), 1);
    }

    #[test]
    fn positions_in_every_spelling() {
        let ggs = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- O";
        let drawn = START
            .as_bytes()
            .chunks(8)
            .map(|row| String::from_utf8_lossy(row) + "\n");
        let drawn: String = drawn.collect();
        for text in [
            format!("{START} O"),
            format!("{START}O"),
            format!("{START} white"),
            ggs.to_owned(),
            format!("[{ggs}]"),
            format!("{drawn}O"),
            format!("{START} O; f4:+0; d3:-2 % OBF"),
        ] {
            let game = read_typed(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(
                (game.board(), game.color()),
                (Board::START.passed(), Color::White),
                "{text}"
            );
        }
        let line = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38";
        let game = read_typed(line).unwrap();
        assert_eq!(game.board().to_text(Color::Black), line[..64]);
        // A board without the centre is a position too, if no game.
        assert!(read_typed(&format!("X{} X", "-".repeat(63))).is_ok());
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, expected) in [
            ("f5a1", "illegal move a1 at move 2"),
            // On the mirrored start it would be a move: typed, it is a mistake.
            ("f4", "illegal move f4 at move 1"),
            ("hello", "`hello` is neither a position nor a game"),
            ("\u{e9}", "neither a position nor a game"),
            ("f5 hello", "`hello` at move 2 is not a move"),
            (&"-".repeat(63), "64 squares, this text has 63"),
            (&format!("{START} Z"), "`Z` is not a side to move"),
            (&format!("{START} X\n{START} O"), "more than one"),
            (
                "{\"moves\": \"f5d6c3d3\"}\n{\"moves\": \"f5d6c3d3\"}",
                "more than one",
            ),
            (
                "(;GM[2];B[f5];B[d6])",
                "is given to Black, who is not to move",
            ),
        ] {
            let error = read_typed(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
