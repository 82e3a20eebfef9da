//! GGF, the records of the Generic Game Server: `(;GM[Othello]…BO[8 … *]B[f5/eval/time]…;)`.

use super::brackets::{Parentheses, Piece, Pieces, root_name};
use super::record::{excerpt, year};
use super::{Cutter, Fault, Format, GameRecord, RecordedMove, Start, WrittenGame};
use crate::board::{Color, Move, ScoreRule, parse_position};
use std::io::{self, Write};

/// The format.
pub struct Ggf;

impl Format for Ggf {
    fn name(&self) -> &'static str {
        "ggf"
    }

    /// The first game names Othello by a word, or has the tags that only GGF has.
    fn recognises(&self, head: &[u8]) -> bool {
        let Some(start) =
            memchr::memchr_iter(b'(', head).find(|&at| root_name(&head[at..]).is_some())
        else {
            return false;
        };
        let mut pieces = Pieces::new(&head[start..], false);
        let mut found = false;
        while let Piece::Property { name, value } = pieces.next_piece() {
            match &name {
                b"GM" => return !value.trim_ascii().iter().all(u8::is_ascii_digit),
                b"BO" => found = true,
                b"FF" | b"AB" | b"AW" | b"SZ" => return false,
                _ => {}
            }
        }
        found
    }

    fn cutter(&self) -> Box<dyn Cutter> {
        Box::new(Parentheses::new(false, "GGF games"))
    }

    fn parse(&self, raw: &[u8], record: &mut GameRecord) -> Result<(), Fault> {
        let mut pieces = Pieces::new(raw, false);
        let mut komi = 0.0;
        let mut result = None;
        loop {
            let (name, value) = match pieces.next_piece() {
                Piece::Property { name, value } => (name, value.trim_ascii()),
                Piece::End => break,
                Piece::Cut => return Err(Fault::Cut),
            };
            match &name {
                b"GM" if value == b"2" => {
                    return Err(Fault::OtherFormat {
                        found: "an SGF game",
                        file: "GGF games",
                    });
                }
                b"GM" if !is_othello(value) => return Err(Fault::OtherGame(excerpt(value))),
                b"TY" if is_anti(value) => return Err(Fault::AntiGame),
                b"BO" => record.start = Some(board(value)?),
                b"KM" => komi = number(value).unwrap_or(0.0),
                b"RE" => result = number(value),
                b"PB" => record.facts.black.push_str(&String::from_utf8_lossy(value)),
                b"PW" => record.facts.white.push_str(&String::from_utf8_lossy(value)),
                b"RB" => record.facts.ratings[0] = number(value),
                b"RW" => record.facts.ratings[1] = number(value),
                b"DT" => record.facts.year = year(value),
                b"B " => push(record, Color::Black, value)?,
                b"W " => push(record, Color::White, value)?,
                _ => {}
            }
        }
        if record.start.is_none() {
            return Err(Fault::MissingBoard);
        }
        // The result tag has the komi taken off already.
        record.claim = result
            .map(|result: f64| (result + komi).round())
            .filter(|claim| claim.abs() <= 64.0)
            .map(|claim| claim as i8);
        Ok(())
    }

    fn write(&self, games: &[WrittenGame<'_>], out: &mut dyn Write) -> io::Result<()> {
        for written in games {
            writeln!(out, "{}", to_text(written))?;
        }
        Ok(())
    }
}

/// One game as one line without its end, e.g. for `set game` of an NBoard engine.
fn to_text(written: &WrittenGame<'_>) -> String {
    let (board, color) = written.game.start();
    let squares = board.to_text(color).replace('X', "*");
    let side = match color {
        Color::Black => '*',
        Color::White => 'O',
    };
    let mut text = format!(
        "(;GM[Othello]PB[{}]PW[{}]TY[8]",
        harmless(written.black),
        harmless(written.white)
    );
    if written.game.is_over() {
        text += &format!(
            "RE[{:+}]",
            written.game.black_score(ScoreRule::WinnerTakesEmpties)
        );
    }
    text += &format!("BO[8 {squares} {side}]");
    for (color, mv) in written.coloured_moves() {
        let tag = match color {
            Color::Black => 'B',
            Color::White => 'W',
        };
        let mv = match mv {
            Move::Play(square) => square.to_string(),
            Move::Pass => "pass".to_owned(),
        };
        text += &format!("{tag}[{mv}]");
    }
    text + ";)"
}

/// A name without the characters that would end it; the format has no escapes.
fn harmless(name: &str) -> String {
    name.chars()
        .map(|c| {
            if matches!(c, '[' | ']' | '\n' | '\r') {
                ' '
            } else {
                c
            }
        })
        .collect()
}

/// Whether a `GM` tag names the game by its word.
pub(super) fn is_othello(game: &[u8]) -> bool {
    game.eq_ignore_ascii_case(b"othello") || game.eq_ignore_ascii_case(b"reversi")
}

/// Types are `[s]<size>` followed by letters and numbers; the letter `a` is an anti game.
fn is_anti(kind: &[u8]) -> bool {
    let after_size = kind
        .iter()
        .skip_while(|c| !c.is_ascii_digit())
        .skip_while(|c| c.is_ascii_digit());
    after_size.clone().any(|c| c.eq_ignore_ascii_case(&b'a'))
}

/// `8`, 64 squares and the side to move, with blanks anywhere.
fn board(value: &[u8]) -> Result<Start, Fault> {
    let digits = value.iter().take_while(|c| c.is_ascii_digit()).count();
    let (size, rest) = value.split_at(digits);
    let bad = |why: String| Err(Fault::BadBoard(why.into()));
    if size != b"8" {
        return match size {
            [] => bad(format!("`{}` has no size", excerpt(value))),
            _ => {
                let size = excerpt(size);
                Err(Fault::BoardSize(format!("{size}x{size}").into()))
            }
        };
    }
    let squares: String = rest
        .iter()
        .filter(|c| !c.is_ascii_whitespace())
        .map(|&c| c as char)
        .collect();
    match squares.chars().count() {
        65 => {}
        64 => return bad("the side to move is missing".to_owned()),
        count => {
            return bad(format!(
                "it has {} squares, not 64",
                count.saturating_sub(1)
            ));
        }
    }
    let (board, color) =
        parse_position(&squares).map_err(|error| Fault::BadBoard(error.to_string().into()))?;
    let (black, white) = board.colors(color);
    Ok(Start {
        black,
        white,
        color: Some(color),
    })
}

fn push(record: &mut GameRecord, color: Color, value: &[u8]) -> Result<(), Fault> {
    let word = value.split(|&c| c == b'/').next().unwrap_or(value);
    let word = word.trim_ascii();
    let mv = std::str::from_utf8(word)
        .ok()
        .and_then(|word| word.parse().ok())
        .ok_or_else(|| Fault::not_a_move(word, record.moves.len() + 1))?;
    record.moves.push(RecordedMove {
        color: Some(color),
        mv,
    });
    Ok(())
}

/// The number that `value` begins with: `+6.000`, `-40.00:r`.
fn number(value: &[u8]) -> Option<f64> {
    let length = value
        .iter()
        .take_while(|c| c.is_ascii_digit() || matches!(c, b'+' | b'-' | b'.'))
        .count();
    let text = std::str::from_utf8(&value[..length]).ok()?;
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::super::Replay;
    use super::*;
    use crate::board::Game;

    const START: &str = "-------- -------- -------- ---O*--- ---*O--- -------- -------- --------";

    fn parsed(text: &str) -> Result<GameRecord, Fault> {
        let mut record = GameRecord::default();
        Ggf.parse(text.as_bytes(), &mut record).map(|()| record)
    }

    fn with_tags(tags: &str) -> Result<GameRecord, Fault> {
        parsed(&format!("(;GM[Othello]BO[8 {START} *]{tags};)"))
    }

    #[test]
    fn moves_in_every_spelling() {
        let record =
            with_tags("B[F5/1.5/0.01]W[d6//2]B[C3]W[PA]B[pass/1]W[--] B [ f4 / 2 ]").unwrap();
        let moves: Vec<String> = record.moves.iter().map(|m| m.mv.to_string()).collect();
        assert_eq!(moves, ["f5", "d6", "c3", "pass", "pass", "pass", "f4"]);
        assert_eq!(record.moves[1].color, Some(Color::White));
        let start = record.start.unwrap();
        assert_eq!(
            (start.black, start.white),
            (Start::USUAL.black, Start::USUAL.white)
        );
        assert_eq!(start.color, Some(Color::Black));
    }

    #[test]
    fn what_cannot_be_used_is_named() {
        for (text, expected) in [
            ("(;GM[Othello]B[f5];)", "the start position (BO) is missing"),
            ("(;GM[Othello]BO[8 ---- *];)", "it has 4 squares, not 64"),
            (
                "(;GM[Othello]BO[];)",
                "the start position is unusable: `` has no size",
            ),
            (
                "(;GM[Othello]BO[4 ---- -O*- -*O- ---- *];)",
                "the board is 4x4, not 8x8",
            ),
            (
                "(;GM[Othello]BO[10 ---- *];)",
                "the board is 10x10, not 8x8",
            ),
            ("(;GM[Amazons]BO[8];)", "the game is Amazons, not Othello"),
            ("(;GM[Othello]TY[8a]BO[8];)", "it is an anti game"),
            ("(;GM[Othello]BO[8 ----", "the game is cut off"),
            ("(;GM[Othello]PB[x]", "the game is cut off"),
        ] {
            let fault = parsed(text).unwrap_err().to_string();
            assert!(fault.contains(expected), "{text}: {fault}");
        }
        for (tags, expected) in [
            ("B[f5]W[]", "`` at move 2 is not a move"),
            ("B[f55]", "`f55` at move 1 is not a move"),
            ("B[f5", "the game is cut off"),
        ] {
            assert_eq!(with_tags(tags).unwrap_err().to_string(), expected);
        }
        let no_side = format!("(;GM[Othello]BO[8 {START}];)");
        assert!(
            parsed(&no_side)
                .unwrap_err()
                .to_string()
                .contains("side to move")
        );
    }

    #[test]
    fn claims_add_the_komi_and_ignore_how_the_game_ended() {
        for (tags, claim) in [
            ("RE[+6.000]", Some(6)),
            ("RE[-40.00:r]", Some(-40)),
            ("RE[-12:t]", Some(-12)),
            ("RE[0]", Some(0)),
            ("KM[-3.133]RE[-22.87]", Some(-26)),
            ("RE[?]", None),
            ("RE[]", None),
            ("RE[999]", None),
            ("", None),
        ] {
            assert_eq!(with_tags(tags).unwrap().claim, claim, "{tags}");
        }
    }

    #[test]
    fn kinds_of_games_are_told_apart() {
        for kind in ["8", "s8r18", "8kr20", "8b", "s8"] {
            assert!(!is_anti(kind.as_bytes()), "{kind}");
        }
        for kind in ["8a", "s8ar18", "8A"] {
            assert!(is_anti(kind.as_bytes()), "{kind}");
        }
    }

    #[test]
    fn a_written_game_reads_back() {
        let game = Game::from_move_text("e6f4e3f6g5d6e7f5c5").unwrap();
        let written = WrittenGame {
            game: &game,
            black: "b]l;)ack",
            white: "",
        };
        let mut text = Vec::new();
        Ggf.write(&[written], &mut text).unwrap();
        assert!(Ggf.recognises(&text));
        let record = parsed(std::str::from_utf8(&text).unwrap()).unwrap();
        // The winner has the empty squares too: all 64.
        assert_eq!(record.claim, Some(64));
        let mut replay = Replay::default();
        replay.run(&record).unwrap();
        assert_eq!(replay.to_game().unwrap(), game);
    }
}
