//! PGN as Othello collections write it: tag pairs `[Name "value"]`, then the moves with their
//! numbers and the result.
//!
//! A game begins with its first tag; it ends where, after moves, tags begin again. Games without
//! moves are met too: there a tag with the name of the game's first one begins the next. So lines
//! may end in any way, and blank lines may stand anywhere or nowhere.

use super::line::{self, pass_length, square_at};
use super::record::{excerpt, year};
use super::{Cut, Cutter, Fault, Format, GameRecord, WrittenGame};
use crate::base::shown::Shown;
use crate::board::{Board, Color, Move};
use std::io::{self, Write};

/// The format.
pub struct Pgn;

/// Columns after which move text is wrapped, as the standard of PGN has it.
const WIDTH: usize = 79;

impl Format for Pgn {
    fn name(&self) -> &'static str {
        "pgn"
    }

    /// The first line that is not blank or a comment is a tag pair.
    fn recognises(&self, head: &[u8]) -> bool {
        let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        head.split(|&c| is_line_end(c))
            .map(<[u8]>::trim_ascii)
            .find(|line| !line.is_empty() && !line.starts_with(b"%") && !line.starts_with(b";"))
            .is_some_and(|line| tag(line).is_some())
    }

    fn cutter(&self) -> Box<dyn Cutter> {
        Box::new(Games::default())
    }

    fn parse(&self, raw: &[u8], record: &mut GameRecord) -> Result<(), Fault> {
        let mut result = None;
        let mut at = 0;
        while let Some(line) = line_at(raw, at) {
            let text = line.trim_ascii_start();
            if !text.is_empty() && !text.starts_with(b"%") {
                let Some((name, value)) = tag(text) else {
                    break;
                };
                read_tag(name, value, record, &mut result)?;
            }
            at += line.len() + 1;
        }
        let token = movetext(raw.get(at..).unwrap_or_default(), record)?;
        record.claim = claim(result.unwrap_or(token));
        Ok(())
    }

    fn write(&self, games: &[WrittenGame<'_>], out: &mut dyn Write) -> io::Result<()> {
        for written in games {
            out.write_all(to_text(written).as_bytes())?;
        }
        Ok(())
    }
}

fn is_line_end(c: u8) -> bool {
    matches!(c, b'\n' | b'\r')
}

/// The line that begins at `at`, without its end.
fn line_at(text: &[u8], at: usize) -> Option<&[u8]> {
    let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
    let length = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
    Some(&rest[..length])
}

/// Name and value of a tag pair `[Name "value"]`; escapes stay.
fn tag(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let inner = line.strip_prefix(b"[")?.trim_ascii_start();
    let length = inner
        .iter()
        .take_while(|c| c.is_ascii_alphanumeric() || **c == b'_')
        .count();
    let (name, rest) = inner.split_at(length);
    let value = rest.trim_ascii_start().strip_prefix(b"\"")?;
    // A value whose end is missing goes up to the bracket.
    let end = value.iter().rposition(|&c| c == b'"');
    let end = end.or_else(|| value.iter().rposition(|&c| c == b']'));
    (length > 0).then(|| (name, &value[..end.unwrap_or(value.len())]))
}

fn read_tag<'a>(
    name: &[u8],
    value: &'a [u8],
    record: &mut GameRecord,
    result: &mut Option<&'a [u8]>,
) -> Result<(), Fault> {
    let is = |word: &str| name.eq_ignore_ascii_case(word.as_bytes());
    let facts = &mut record.facts;
    if is("Black") {
        unescape(value, &mut facts.black);
    } else if is("White") {
        unescape(value, &mut facts.white);
    } else if is("Date") || is("UTCDate") && facts.year.is_none() {
        facts.year = year(value);
    } else if is("BlackElo") || is("BlackRating") {
        facts.ratings[0] = line::number(value);
    } else if is("WhiteElo") || is("WhiteRating") {
        facts.ratings[1] = line::number(value);
    } else if is("Result") {
        *result = Some(value);
    } else if is("FEN") {
        record.start = Some(start(value)?);
    }
    Ok(())
}

/// Text of a value with `\"` and `\\` resolved.
fn unescape(value: &[u8], into: &mut String) {
    let text = String::from_utf8_lossy(value);
    into.clear();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        into.extend(if c == '\\' { chars.next() } else { Some(c) });
    }
}

/// A start board: 64 squares and the side, or rows parted by `/` in which digits count empty
/// squares.
fn start(value: &[u8]) -> Result<super::Start, Fault> {
    let mut plain = Vec::with_capacity(80);
    if value.contains(&b'/') {
        // What follows the side in chess (`- - 0 1`) says nothing here.
        let mut words = value.split(|&c| c == b' ');
        for &c in words.next().unwrap_or_default() {
            match c {
                b'/' => {}
                b'1'..=b'8' => plain.extend(std::iter::repeat_n(b'-', (c - b'0').into())),
                _ => plain.push(c),
            }
        }
        plain.push(b' ');
        plain.extend(words.next().unwrap_or_default());
    } else {
        plain.extend(value);
    }
    let mut record = GameRecord::default();
    line::parse(&plain, &mut record)?;
    match record.start {
        Some(start) if record.moves.is_empty() && record.value.is_none() => Ok(start),
        _ => Err(Fault::BadBoard(
            format!("`{}` is not a board", excerpt(value)).into(),
        )),
    }
}

/// Reads numbered moves up to the end; the answer is the last word that is a result. Comments,
/// variations, marks (`$1`, `!`) and lines that begin with `%` are passed over.
fn movetext<'a>(text: &'a [u8], record: &mut GameRecord) -> Result<&'a [u8], Fault> {
    let mut result = &text[..0];
    let mut at = 0;
    let mut variations = 0usize;
    while let Some(&c) = text.get(at) {
        let rest = &text[at..];
        at += match c {
            b'{' => memchr::memchr(b'}', rest).ok_or(Fault::Cut)? + 1,
            b';' => line_at(rest, 0).map_or(1, <[u8]>::len),
            b'%' if at == 0 || is_line_end(text[at - 1]) => line_at(rest, 0).map_or(1, <[u8]>::len),
            b'(' => {
                variations += 1;
                1
            }
            b')' => {
                variations = variations.saturating_sub(1);
                1
            }
            _ if c.is_ascii_whitespace() => 1,
            _ => {
                let length = word_length(rest);
                let word = &rest[..length];
                if variations == 0 {
                    if is_result(word) {
                        result = word;
                    } else {
                        read_word(word, record)?;
                    }
                }
                length
            }
        };
    }
    Ok(result)
}

/// Bytes up to a blank or the beginning of something else; at least 1.
fn word_length(text: &[u8]) -> usize {
    let ends = |c: &u8| c.is_ascii_whitespace() || b"{;()".contains(c);
    text.iter().position(ends).unwrap_or(text.len()).max(1)
}

/// `37-27`, `1-0`, `1/2-1/2`, `0.5-0.5`, `*`.
fn is_result(word: &[u8]) -> bool {
    let marks = || word.iter().filter(|&&c| c == b'-').count();
    word == b"*"
        || word.first().is_some_and(u8::is_ascii_digit)
            && word
                .iter()
                .all(|c| c.is_ascii_digit() || b"-/.".contains(c))
            && marks() == 1
            && word.last().is_some_and(u8::is_ascii_digit)
}

/// One word: a number, a move, or both (`12.f5`, `12...d6`), with marks behind (`f5!?`).
fn read_word(word: &[u8], record: &mut GameRecord) -> Result<(), Fault> {
    if word.starts_with(b"$") {
        return Ok(());
    }
    let number = word
        .iter()
        .take_while(|c| c.is_ascii_digit() || **c == b'.')
        .count();
    let rest = &word[number..];
    let fault = |record: &GameRecord| Err(Fault::not_a_move(word, record.moves.len() + 1));
    let (mv, length) = match (square_at(rest), pass_length(rest)) {
        (Some(square), _) => (Move::Play(square), 2),
        (None, 0) if rest.eq_ignore_ascii_case(b"z0") => (Move::Pass, 2),
        (None, 0) if rest.is_empty() => return Ok(()),
        (None, 0) => return fault(record),
        (None, length) => (Move::Pass, length),
    };
    let marks = &rest[length..];
    if !marks.iter().all(|c| b"!?+-=#.,".contains(c)) {
        // Moves without blanks between, as move text has them.
        let known = record.moves.len();
        return line::moves(rest, record).or_else(|_| {
            record.moves.truncate(known);
            fault(record)
        });
    }
    record.push(mv);
    Ok(())
}

/// Black − White of a result in discs. `1-0` and its kin claim no number.
pub(super) fn claim(result: &[u8]) -> Option<i8> {
    let text = std::str::from_utf8(result).ok()?;
    let (black, white) = text.split_once('-')?;
    let black: i8 = black.trim().parse().ok()?;
    let white: i8 = white.trim().parse().ok()?;
    let is_discs =
        black >= 0 && white >= 0 && (4..=64).contains(&(i16::from(black) + i16::from(white)));
    is_discs.then(|| black - white)
}

fn to_text(written: &WrittenGame<'_>) -> String {
    let game = written.game;
    let result = match game.is_over() {
        true => {
            let (black, white) = game.board().colors(game.color());
            format!("{}-{}", black.count_ones(), white.count_ones())
        }
        false => "*".to_owned(),
    };
    let name = |name: &str| match name {
        "" => "?".to_owned(),
        _ => escaped(name),
    };
    let mut text = format!(
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
         [Black \"{}\"]\n[White \"{}\"]\n[Result \"{result}\"]\n",
        name(written.black),
        name(written.white),
    );
    let (board, color) = game.start();
    if (board, color) != (Board::START, Color::Black) {
        let side = match color {
            Color::Black => 'X',
            Color::White => 'O',
        };
        text += &format!("[SetUp \"1\"]\n[FEN \"{} {side}\"]\n", board.to_text(color));
    }
    text.push('\n');
    let mut column = 0;
    let mut add = |word: &str| {
        let blank = usize::from(column > 0);
        if column + blank + word.len() > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += word.len();
    };
    for (index, (mover, mv)) in written.coloured_moves().enumerate() {
        let number = (index + usize::from(color == Color::White)) / 2 + 1;
        match mover {
            Color::Black => add(&format!("{number}.")),
            Color::White if index == 0 => add(&format!("{number}...")),
            Color::White => {}
        }
        match mv {
            Move::Play(square) => add(&square.to_string()),
            Move::Pass => add("--"),
        }
    }
    add(&result);
    text + "\n\n"
}

/// A value that cannot end its tag.
fn escaped(value: &str) -> String {
    let plain = value.shown().to_string();
    plain.replace('\\', "\\\\").replace('"', "\\\"")
}

/// A line without an end that is longer is no tag, and is not waited for.
const LONGEST_TAG: usize = 4 << 10;

/// Finds where games end.
#[derive(Default)]
struct Games {
    /// The rest of a game that is too long is being passed over.
    skipping: bool,
    /// The window begins inside a line of it.
    inside_line: bool,
}

impl Cutter for Games {
    fn cut(&mut self, window: &[u8], at_end: bool) -> Cut {
        let mut at = 0;
        if self.inside_line {
            let Some(end) = memchr::memchr2(b'\n', b'\r', window) else {
                return Cut::More { used: window.len() };
            };
            (at, self.inside_line) = (end, false);
        }
        let mut begin = None;
        let mut first_name: &[u8] = b"";
        let mut has_moves = false;
        let mut in_comment = false;
        let mut after_blank = true;
        let mut ended = at_end;
        while let Some(line) = line_at(window, at) {
            let end = at + line.len();
            if end == window.len() && !at_end {
                break;
            }
            let text = line.trim_ascii_start();
            // Where the end of a comment is missing, it ends before the next game all the same.
            let can_be_tag = !in_comment || after_blank || text.starts_with(b"[Event ");
            match tag(text).filter(|_| can_be_tag) {
                Some((name, _)) => {
                    match begin {
                        Some(_) if has_moves || name == first_name => {
                            ended = true;
                            break;
                        }
                        Some(_) => {}
                        None => (begin, first_name) = (Some(at), name),
                    }
                    (self.skipping, in_comment) = (false, false);
                }
                None if text.is_empty() || self.skipping => {}
                None => {
                    begin.get_or_insert(at);
                    has_moves = true;
                    in_comment = comment_is_open(text, in_comment);
                }
            }
            after_blank = text.is_empty();
            at = end + 1;
        }
        let at = at.min(window.len());
        match begin {
            Some(begin) if ended => Cut::Game(begin..at),
            Some(begin) => Cut::More { used: begin },
            None if self.skipping && window.len() - at > LONGEST_TAG => {
                self.inside_line = true;
                Cut::More { used: window.len() }
            }
            None => Cut::More { used: at },
        }
    }

    fn give_up(&mut self) {
        self.skipping = true;
        // The window begins with the first tag of the game: it must not be found again.
        self.inside_line = true;
    }
}

/// Whether a comment in braces goes on beyond this line.
fn comment_is_open(line: &[u8], before: bool) -> bool {
    match memchr::memrchr2(b'{', b'}', line) {
        Some(at) => line[at] == b'{',
        None => before,
    }
}

#[cfg(test)]
mod tests;
