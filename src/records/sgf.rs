//! SGF with `GM[2]`: Othello in the Smart Game Format, in the many ways in which programs write
//! it. The first variation counts.

use super::brackets::{Parentheses, Piece, Pieces, root_name, unescaped};
use super::ggf::is_othello;
use super::record::{excerpt, year};
use super::{Cutter, Fault, Format, GameRecord, RecordedMove, Start, WrittenGame};
use crate::board::{Color, Move, ScoreRule, Square, Squares};
use std::io::{self, Write};

/// The format.
pub struct Sgf;

impl Format for Sgf {
    fn name(&self) -> &'static str {
        "sgf"
    }

    /// Whatever begins like a game in parentheses; GGF is asked before.
    fn recognises(&self, head: &[u8]) -> bool {
        memchr::memchr_iter(b'(', head).any(|at| root_name(&head[at..]).is_some())
    }

    fn cutter(&self) -> Box<dyn Cutter> {
        Box::new(Parentheses::new(true, "SGF games"))
    }

    fn parse(&self, raw: &[u8], record: &mut GameRecord) -> Result<(), Fault> {
        let mut pieces = Pieces::new(raw, true);
        let mut set_up = SetUp::default();
        loop {
            let (name, value) = match pieces.next_piece() {
                Piece::Property { name, value } => (name, unescaped(value)),
                Piece::End => break,
                Piece::Cut => return Err(Fault::Cut),
            };
            let value = value.trim_ascii();
            match &name {
                b"GM" if is_othello(value) => {
                    return Err(Fault::OtherFormat {
                        found: "a GGF game",
                        file: "SGF games",
                    });
                }
                b"GM" if value != b"2" => return Err(other_game(value)),
                b"SZ" if value != b"8" && value != b"8:8" => return Err(size(value)),
                b"AB" | b"AW" | b"AE" if !record.moves.is_empty() => {
                    return Err(Fault::SetUpLater {
                        number: record.moves.len(),
                    });
                }
                b"AB" => set_up.put(Some(Color::Black), value)?,
                b"AW" => set_up.put(Some(Color::White), value)?,
                b"AE" => set_up.put(None, value)?,
                b"PL" if record.moves.is_empty() => {
                    set_up.color = std::str::from_utf8(value).ok().and_then(Color::from_text);
                }
                b"RE" => record.claim = claim(value),
                b"PB" => record.facts.black.push_str(&String::from_utf8_lossy(value)),
                b"PW" => record.facts.white.push_str(&String::from_utf8_lossy(value)),
                b"BR" => record.facts.ratings[0] = super::line::number(value),
                b"WR" => record.facts.ratings[1] = super::line::number(value),
                b"DT" => record.facts.year = year(value),
                b"B " => push(record, Color::Black, value)?,
                b"W " => push(record, Color::White, value)?,
                _ => {}
            }
        }
        record.start = set_up.start();
        Ok(())
    }

    fn write(&self, games: &[WrittenGame<'_>], out: &mut dyn Write) -> io::Result<()> {
        for written in games {
            writeln!(out, "{}", to_text(written))?;
        }
        Ok(())
    }
}

/// One game as one line without its end. The start board is always written out, because the
/// format has no rule for it.
fn to_text(written: &WrittenGame<'_>) -> String {
    let (board, color) = written.game.start();
    let (black, white) = board.colors(color);
    let mut text = format!(
        "(;FF[4]GM[2]SZ[8]PB[{}]PW[{}]",
        escaped(written.black),
        escaped(written.white)
    );
    if written.game.is_over() {
        text += &match written.game.black_score(ScoreRule::WinnerTakesEmpties) {
            0 => "RE[0]".to_owned(),
            n if n > 0 => format!("RE[B+{n}]"),
            n => format!("RE[W+{}]", -n),
        };
    }
    for (tag, discs) in [("AB", black), ("AW", white)] {
        if discs != 0 {
            text += tag;
        }
        for square in Squares(discs) {
            text += &format!("[{square}]");
        }
    }
    text += match color {
        Color::Black => "PL[B]",
        Color::White => "PL[W]",
    };
    for (color, mv) in written.coloured_moves() {
        let tag = match color {
            Color::Black => 'B',
            Color::White => 'W',
        };
        text += &match mv {
            Move::Play(square) => format!(";{tag}[{square}]"),
            Move::Pass => format!(";{tag}[]"),
        };
    }
    text + ")"
}

fn escaped(name: &str) -> String {
    name.replace('\\', "\\\\").replace(']', "\\]")
}

#[derive(Default)]
struct SetUp {
    /// Black, white.
    discs: [u64; 2],
    touched: bool,
    color: Option<Color>,
}

impl SetUp {
    /// Puts discs (or nothing) on the square or the rectangle that `value` names.
    fn put(&mut self, color: Option<Color>, value: &[u8]) -> Result<(), Fault> {
        let unreadable = || Fault::BadBoard(format!("`{}` is not a square", excerpt(value)).into());
        let mut ends = value.splitn(2, |&c| c == b':');
        let first = ends.next().and_then(square).ok_or_else(unreadable)?;
        let last = match ends.next() {
            Some(text) => square(text).ok_or_else(unreadable)?,
            None => first,
        };
        let between = |a: u8, b: u8, x: u8| a.min(b) <= x && x <= a.max(b);
        for square in Square::ALL {
            if between(first.file(), last.file(), square.file())
                && between(first.rank(), last.rank(), square.rank())
            {
                let [black, white] = &mut self.discs;
                *black &= !square.bit();
                *white &= !square.bit();
                match color {
                    Some(Color::Black) => *black |= square.bit(),
                    Some(Color::White) => *white |= square.bit(),
                    None => {}
                }
            }
        }
        self.touched |= color.is_some();
        Ok(())
    }

    /// `None`: nothing was set up, the game has the usual start.
    fn start(self) -> Option<Start> {
        let [black, white] = self.discs;
        match (self.touched, self.color) {
            (true, color) => Some(Start {
                black,
                white,
                color,
            }),
            // Told to begin from the usual start, which may still turn out to be the mirrored one.
            (false, _) => None,
        }
    }
}

/// `f5`, or `fe`: column and row by letters.
fn square(text: &[u8]) -> Option<Square> {
    let &[file, rank] = text.trim_ascii() else {
        return None;
    };
    let letter = |c: u8| c.to_ascii_lowercase().wrapping_sub(b'a');
    match rank {
        b'1'..=b'8' => Square::at(letter(file), rank - b'1'),
        _ => Square::at(letter(file), letter(rank)),
    }
}

fn push(record: &mut GameRecord, color: Color, value: &[u8]) -> Result<(), Fault> {
    let number = record.moves.len() + 1;
    let mv = match square(value) {
        Some(square) => Move::Play(square),
        None if value.is_empty() => Move::Pass,
        None => std::str::from_utf8(value)
            .ok()
            .and_then(|word| word.parse().ok())
            .ok_or_else(|| Fault::not_a_move(value, number))?,
    };
    record.moves.push(RecordedMove {
        color: Some(color),
        mv,
    });
    Ok(())
}

/// `B+12`, `W+3`, `0`, `Draw`; resignations and the like claim no number.
fn claim(value: &[u8]) -> Option<i8> {
    let text = std::str::from_utf8(value).ok()?.trim();
    if text == "0" || text.eq_ignore_ascii_case("draw") {
        return Some(0);
    }
    let (winner, margin) = text.split_once('+')?;
    let margin: f64 = margin.trim().parse().ok()?;
    if !(0.0..=64.0).contains(&margin) {
        return None;
    }
    let margin = margin.round() as i8;
    match Color::from_text(winner.trim())? {
        Color::Black => Some(margin),
        Color::White => Some(-margin),
    }
}

/// Names the games that are met most in SGF archives.
fn other_game(value: &[u8]) -> Fault {
    Fault::OtherGame(match value {
        b"1" => "Go (GM[1])".into(),
        b"3" => "chess (GM[3])".into(),
        _ => format!("GM[{}]", excerpt(value)).into(),
    })
}

fn size(value: &[u8]) -> Fault {
    let text = excerpt(value);
    Fault::BoardSize(match text.raw().split_once(':') {
        Some((columns, rows)) => format!("{columns}x{rows}").into(),
        None => format!("{text}x{text}").into(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::Replay;
    use super::*;
    use crate::board::{Board, Game};

    fn parsed(text: &str) -> Result<GameRecord, Fault> {
        let mut record = GameRecord::default();
        Sgf.parse(text.as_bytes(), &mut record).map(|()| record)
    }

    fn game(text: &str) -> Game {
        let mut replay = Replay::default();
        replay.run(&parsed(text).unwrap()).unwrap();
        replay.to_game().unwrap()
    }

    fn shortest() -> Game {
        Game::from_move_text("e6f4e3f6g5d6e7f5c5").unwrap()
    }

    #[test]
    fn the_same_game_in_many_hands() {
        for text in [
            "(;GM[2];B[e6];W[f4];B[e3];W[f6];B[g5];W[d6];B[e7];W[f5];B[c5])",
            "(;gm[2];b[e6];w[f4];b[e3];w[f6];b[g5];w[d6];b[e7];w[f5];b[c5])",
            "(;FF[4]\nGM[2]\nSZ[8]\nPB[a\\]\\\\b]\n;\nB[E6]\r\n;W[F4];B[E3];W[F6];B[G5];W[D6];B[E7];W[F5];B[C5];W[])",
            "(;GM[2]AB[d5][e4]AW[d4][e5]PL[B];B[e6];W[f4];B[e3];W[f6];B[g5];W[d6];B[e7];W[f5];B[c5];W[tt])",
            "(;GM[2];B[ef];W[fd];B[ec];W[ff];B[ge];W[df];B[eg];W[fe];B[ce])",
            "(;GM[2];B[ec];W[fe];B[ef];W[fc];B[gd];W[dc];B[eb];W[fd];B[cd])",
            "(;GM[2]AB[dd][ee]AW[de][ed];B[ec];W[fe];B[ef];W[fc];B[gd];W[dc];B[eb];W[fd];B[cd])",
            "(;GM[2];B[e6];W[f4](;B[e3];W[f6];B[g5];W[d6];B[e7];W[f5];B[c5])(;B[f3];W[e3]))",
            "(;GM[2](;B[e6](;W[f4];B[e3];W[f6];B[g5];W[d6];B[e7];W[f5];B[c5])(;W[f6])))",
            "(;GM[2]RE[W+64];B[e6];W[f4];B[e3];W[f6];B[g5];W[d6];B[e7];W[f5];B[c5];W[PA];B[@@@@])",
            "(;GM[2]AE[a1:h8]AB[d5][e4]AW[d4][e5];B[e6];W[f4];B[e3];W[f6];B[g5];W[d6];B[e7];W[f5];B[c5])",
        ] {
            assert_eq!(game(text), shortest(), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_used_is_named() {
        for (text, expected) in [
            (
                "(;GM[1]SZ[19];B[pd])",
                "the game is Go (GM[1]), not Othello",
            ),
            ("(;GM[2]SZ[10];B[f5])", "the board is 10x10, not 8x8"),
            ("(;GM[2]SZ[8:6];B[f5])", "the board is 8x6, not 8x8"),
            (
                "(;GM[2];B[f5];AW[a1];W[d6])",
                "discs are set up by hand after move 1",
            ),
            ("(;GM[2];B[f5];W[zz])", "`zz` at move 2 is not a move"),
            ("(;GM[2];B[f5];W[d6]", "the game is cut off"),
            ("(;GM[2];B[f5];W[d6", "the game is cut off"),
            (
                "(;GM[2]AB[xyz];B[f5])",
                "the start position is unusable: `xyz` is not a square",
            ),
        ] {
            assert_eq!(parsed(text).unwrap_err().to_string(), expected, "{text}");
        }
    }

    #[test]
    fn results_claim_a_number_or_nothing() {
        for (result, expected) in [
            ("B+12", Some(12)),
            ("W+3", Some(-3)),
            ("Black+2", Some(2)),
            ("0", Some(0)),
            ("Draw", Some(0)),
            ("B+R", None),
            ("W+Time", None),
            ("?", None),
            ("B+-3", None),
            ("B+NaN", None),
            ("B+99999", None),
            ("", None),
        ] {
            let text = format!("(;GM[2]RE[{result}];B[f5])");
            assert_eq!(parsed(&text).unwrap().claim, expected, "{result}");
        }
    }

    #[test]
    fn a_rectangle_sets_up_many_discs() {
        let record = parsed("(;GM[2]AB[d4:e5]AW[d3:e3]PL[white])").unwrap();
        let start = record.start.unwrap();
        assert_eq!(start.black, crate::board::CENTRE);
        assert_eq!(start.white, 0x0018_0000);
        assert_eq!(start.color, Some(Color::White));
    }

    #[test]
    fn a_written_game_reads_back_with_its_start_and_passes() {
        let usual = shortest();
        let position = Board::START.play("f5".parse().unwrap()).unwrap();
        let mut set_up = Game::from_position(position, Color::White);
        set_up.play(Move::Play("d6".parse().unwrap())).unwrap();
        for game in [usual, set_up] {
            let written = WrittenGame {
                game: &game,
                black: "a]b\\",
                white: "(;GM[2]",
            };
            let mut text = Vec::new();
            Sgf.write(&[written], &mut text).unwrap();
            assert!(Sgf.recognises(&text) && !super::super::Ggf.recognises(&text));
            let record = parsed(std::str::from_utf8(&text).unwrap()).unwrap();
            let mut replay = Replay::default();
            replay.run(&record).unwrap();
            assert_eq!(replay.to_game().unwrap(), game);
        }
    }
}
