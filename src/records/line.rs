//! One line that is a game or a position: moves; a start board, the side to move and moves; a
//! board with a value.
//!
//! Read generously: any case, blanks, punctuation and numbers between moves (`1. f5 2. d6`),
//! passes written or left out, quotes around it all. A board is 64 squares with blanks anywhere,
//! plain, as GGS writes it (`8 -------- … *`), or as in OBF (`… X; A2:+38; B1:+30`, of which the
//! first score is the value). Without a side, `X` is to move; so it is in training text, whose
//! boards are seen from the side to move.

use super::record::excerpt;
use super::{Fault, GameRecord, Start};
use crate::board::{Color, Move, Square, parse_position};

/// A line that begins with so many squares is meant to be a board.
const FEWEST_SQUARES: usize = 16;

/// Reads `line` into `record`, which is empty.
pub(super) fn parse(line: &[u8], record: &mut GameRecord) -> Result<(), Fault> {
    let text = unquoted(line);
    match squares(text) {
        None => moves(text, record).map_err(|fault| spoilt_board(text).unwrap_or(fault)),
        Some(found) if found.count < 64 => Err(Fault::BadBoard(
            format!("a board has 64 squares, this text has {}", found.count).into(),
        )),
        Some(found) => after_board(&found, record),
    }
}

/// What is wrong with a text that is no list of moves, where it is meant to be a board.
#[cold]
fn spoilt_board(text: &[u8]) -> Option<Fault> {
    let drawn = text.iter().filter(|&&c| b"-._XxOo*".contains(&c)).count();
    let text = std::str::from_utf8(text).ok()?;
    (drawn >= 2 * FEWEST_SQUARES)
        .then(|| parse_position(text).err())?
        .map(|error| Fault::BadBoard(error.to_string().into()))
}

/// Reads moves with whatever stands between them, and appends them.
pub(super) fn moves(text: &[u8], record: &mut GameRecord) -> Result<(), Fault> {
    let mut at = 0;
    while let Some(&c) = text.get(at) {
        if let Some(square) = square_at(&text[at..]) {
            record.push(Move::Play(square));
            at += 2;
            continue;
        }
        at += match pass_length(&text[at..]) {
            0 if is_between_moves(c) => 1,
            0 => {
                let rest = &text[at..];
                let word = rest.split(u8::is_ascii_whitespace).next().unwrap_or(rest);
                return Err(Fault::not_a_move(word, record.moves.len() + 1));
            }
            length => {
                record.push(Move::Pass);
                length
            }
        };
    }
    Ok(())
}

/// What may stand between moves: numbers, marks, results.
fn is_between_moves(c: u8) -> bool {
    c.is_ascii_digit() || c.is_ascii_whitespace() || b"+-.,:;|/()*!?".contains(&c)
}

/// The square that `text` begins with.
pub(super) fn square_at(text: &[u8]) -> Option<Square> {
    let &[file, rank, ..] = text else {
        return None;
    };
    Square::at(
        file.to_ascii_lowercase().wrapping_sub(b'a'),
        rank.wrapping_sub(b'1'),
    )
}

/// Length of the pass that `text` begins with; 0: none.
pub(super) fn pass_length(text: &[u8]) -> usize {
    const PASSES: [&[u8]; 6] = [b"pass", b"pa", b"ps", b"@@@@", b"@@", b"--"];
    PASSES
        .iter()
        .find(|pass| begins_with(text, pass))
        .map_or(0, |pass| pass.len())
}

fn begins_with(text: &[u8], word: &[u8]) -> bool {
    text.get(..word.len())
        .is_some_and(|begin| begin.eq_ignore_ascii_case(word))
}

/// The line without blanks around it, a comma after it, and quotes around what is left.
fn unquoted(line: &[u8]) -> &[u8] {
    let text = line.trim_ascii();
    let text = text.strip_suffix(b",").unwrap_or(text).trim_ascii_end();
    match text {
        [b'"', inner @ .., b'"'] | [b'\'', inner @ .., b'\''] => inner.trim_ascii(),
        _ => text,
    }
}

/// Squares at the beginning of a text.
struct Squares<'a> {
    black: u64,
    white: u64,
    /// How many there are, at most 64.
    count: usize,
    /// White is written as a digit.
    zeros: bool,
    rest: &'a [u8],
}

/// The board that `text` begins with; `None`: it does not look like one.
fn squares(text: &[u8]) -> Option<Squares<'_>> {
    let text = match text {
        [b'B' | b'b', b'O' | b'o', b'[', rest @ ..] => rest,
        [b'[', rest @ ..] => rest,
        _ => text,
    };
    let text = match text.trim_ascii_start() {
        [b'8', blank, rest @ ..] if blank.is_ascii_whitespace() => rest,
        text => text,
    };
    let mut found = Squares {
        black: 0,
        white: 0,
        count: 0,
        zeros: false,
        rest: text,
    };
    for (at, c) in text.iter().enumerate() {
        let bit = 1 << found.count;
        match c {
            b'X' | b'x' | b'*' | b'b' | b'B' | b'#' => found.black |= bit,
            b'O' | b'o' | b'w' | b'W' => found.white |= bit,
            b'0' => {
                found.zeros = true;
                found.white |= bit;
            }
            b'-' | b'.' | b'_' => {}
            _ if c.is_ascii_whitespace() => continue,
            _ => break,
        }
        found.count += 1;
        if found.count == 64 {
            found.rest = &text[at + 1..];
            break;
        }
    }
    (found.count >= FEWEST_SQUARES).then_some(found)
}

/// What follows the 64 squares: a side, and then moves, scores of moves (OBF) or a value.
fn after_board(found: &Squares<'_>, record: &mut GameRecord) -> Result<(), Fault> {
    let rest = found.rest.split(|&c| c == b'%').next().unwrap_or_default();
    let rest = without_marks(rest);
    let (color, rest) = match rest {
        [] => (None, rest),
        _ if square_at(rest).is_some() => (None, rest),
        [b'0', rest @ ..] if found.zeros && rest.trim_ascii().is_empty() => {
            (Some(Color::White), rest)
        }
        _ if number(rest).is_some() => (None, rest),
        _ => side(rest)
            .map(|(color, rest)| (Some(color), rest))
            .ok_or_else(|| {
                Fault::BadBoard(
                    format!("`{}` is not a side to move (X * b or O w)", excerpt(rest)).into(),
                )
            })?,
    };
    record.start = Some(Start {
        black: found.black,
        white: found.white,
        color,
    });
    let rest = without_marks(rest);
    let first = rest.split(|&c| c == b';').next().unwrap_or_default();
    if let Some(value) = number(first) {
        record.value = Some(value);
        return Ok(());
    }
    // In OBF a score stands behind each move, the best move first.
    let score = square_at(first).and_then(|_| first[2..].trim_ascii_start().strip_prefix(b":"));
    match score.map(<[u8]>::trim_ascii) {
        Some(score) => {
            let value = number(score).ok_or_else(|| Fault::BadValue(excerpt(score)))?;
            record.value = Some(value);
            Ok(())
        }
        None => moves(rest, record),
    }
}

fn without_marks(text: &[u8]) -> &[u8] {
    let is_mark = |c: &u8| c.is_ascii_whitespace() || b"];,".contains(c);
    let begin = text.iter().take_while(|c| is_mark(c)).count();
    &text[begin..]
}

/// The side to move that `text` begins with, and what follows.
fn side(text: &[u8]) -> Option<(Color, &[u8])> {
    for (word, color) in [(&b"black"[..], Color::Black), (b"white", Color::White)] {
        if begins_with(text, word) {
            return Some((color, &text[word.len()..]));
        }
    }
    let (first, rest) = text.split_first()?;
    let color = Color::from_text(std::str::from_utf8(&[*first]).ok()?)?;
    // `b` in front of a word is part of the word, unless that is a move.
    let ends = rest.first().is_none_or(|c| !c.is_ascii_alphanumeric());
    (ends || square_at(rest).is_some() || pass_length(rest) > 0).then_some((color, rest))
}

/// A whole text that is a finite number.
pub(super) fn number(text: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(text.trim_ascii()).ok()?;
    // Words such as `nan` and `infinity` are numbers for the standard library.
    let is_plain = |c: u8| c.is_ascii_digit() || b"+-.eE".contains(&c);
    let value: f64 = text.bytes().all(is_plain).then(|| text.parse().ok())??;
    value.is_finite().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    const START: &str = "---------------------------OX------XO---------------------------";

    fn parsed(text: &str) -> Result<GameRecord, Fault> {
        let mut record = GameRecord::default();
        parse(text.as_bytes(), &mut record).map(|()| record)
    }

    fn words(record: &GameRecord) -> String {
        let words: Vec<String> = record.moves.iter().map(|m| m.mv.to_string()).collect();
        words.join(" ")
    }

    #[test]
    fn boards_with_moves_in_every_usual_spelling() {
        let spaced = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- --------";
        for (text, color) in [
            (format!("{START} X f5D6"), Some(Color::Black)),
            (format!("{START} X;f5D6"), Some(Color::Black)),
            (format!("{START} * F5D6"), Some(Color::Black)),
            (format!("{START}*F5D6"), Some(Color::Black)),
            (format!("{START} black 1. f5 d6"), Some(Color::Black)),
            (format!("{START} f5d6"), None),
            (format!("{START} b f5-d6"), Some(Color::Black)),
            (format!("{spaced} * f5 d6"), Some(Color::Black)),
            (format!("[{spaced} *] f5 d6"), Some(Color::Black)),
            (format!("BO[{spaced} *] f5d6"), Some(Color::Black)),
            (format!("\"{START} X;f5d6\","), Some(Color::Black)),
        ] {
            let record = parsed(&text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
            let start = record.start.unwrap();
            assert_eq!(
                (start.black, start.white, start.color),
                (Board::START.own, Board::START.opponent, color),
                "{text}"
            );
            assert_eq!(words(&record), "f5 d6", "{text}");
            assert_eq!(record.value, None);
        }
        let passing = parsed(&format!("{START} O pass f5")).unwrap();
        assert_eq!(words(&passing), "pass f5");
        // `b4` is a move, not the side `b` with a `4`.
        let record = parsed(&format!("{START} b4c3")).unwrap();
        assert_eq!(words(&record), "b4 c3");
        let record = parsed(&format!("{START} bb4c3")).unwrap();
        assert_eq!(words(&record), "b4 c3");
    }

    #[test]
    fn values_of_training_text_and_of_obf() {
        for (text, color, value) in [
            (format!("{START} -4"), None, -4.0),
            (format!("{START} 0"), None, 0.0),
            (format!("{START} +2.5"), None, 2.5),
            (format!("{START}\t12"), None, 12.0),
            (format!("{START},12"), None, 12.0),
            (format!("{START} O -4"), Some(Color::White), -4.0),
            (
                format!("{START} X; A2:+38; B1:+30;"),
                Some(Color::Black),
                38.0,
            ),
            (
                format!("{START} O; h8:-64 % FFO 1"),
                Some(Color::White),
                -64.0,
            ),
            (format!("{START} X;a2 : 0"), Some(Color::Black), 0.0),
        ] {
            let record = parsed(&text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
            assert_eq!(record.start.unwrap().color, color, "{text}");
            assert_eq!(record.value, Some(value), "{text}");
            assert!(record.moves.is_empty(), "{text}");
        }
        // A nought is a side where it is a disc.
        let noughts = START.replace('O', "0");
        let record = parsed(&format!("{noughts} 0")).unwrap();
        assert_eq!(record.start.unwrap().color, Some(Color::White));
        assert_eq!(parsed(&format!("{START} X;")).unwrap().value, None);
        assert_eq!(
            parsed(&format!("{START} X; % no score")).unwrap().value,
            None
        );
    }

    #[test]
    fn faults_name_the_piece() {
        for (text, expected) in [
            (START[..63].to_owned(), "64 squares, this text has 63"),
            (
                START.replacen('-', "?", 1),
                "`?` at square a1 is not a disc",
            ),
            (format!("{} ?", &START[..40]), "this text has 40"),
            (format!("{START} Z"), "`Z` is not a side to move"),
            (format!("{START}-----"), "`-----` is not a side to move"),
            (format!("{START} X; A2:NaN"), "`NaN` is not a value"),
            (format!("{START} X; A2:inf"), "`inf` is not a value"),
            (format!("{START} X; A2:"), "`` is not a value"),
            (
                format!("{START} X twelve"),
                "`twelve` at move 1 is not a move",
            ),
        ] {
            let fault = parsed(&text).unwrap_err().to_string();
            assert!(fault.contains(expected), "{text}: {fault}");
        }
    }
}
