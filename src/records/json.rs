//! JSON and JSON Lines: objects with a string (or a list) of moves, in a list, one after the other,
//! or in a list inside an object; also a list of strings.
//!
//! A string ends with its line, and an object that begins where none can stand begins a game: so
//! a missing quote or bracket costs one game, not the rest of the file.

use super::fields::{self, Role};
use super::{Cut, Cutter, Fault, Format, GameRecord, WrittenGame, line};
use serde_json::Value;
use std::io::{self, Write};

/// The format.
pub struct Json;

/// A string that ends beyond the head can still be told for a game by so much of it.
const ENOUGH: usize = 16;

impl Format for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    /// An object or a list with a game somewhere in it.
    fn recognises(&self, head: &[u8]) -> bool {
        let head = head
            .strip_prefix(b"\xef\xbb\xbf")
            .unwrap_or(head)
            .trim_ascii_start();
        let begins = match head {
            [b'[', rest @ ..] => rest
                .trim_ascii_start()
                .first()
                .is_some_and(|c| b"[{\"".contains(c)),
            [b'{', rest @ ..] => rest.trim_ascii_start().starts_with(b"\""),
            _ => false,
        };
        begins && holds_game(head)
    }

    fn cutter(&self) -> Box<dyn Cutter> {
        Box::new(Values::default())
    }

    fn parse(&self, raw: &[u8], record: &mut GameRecord) -> Result<(), Fault> {
        let value: Value = serde_json::from_slice(raw).map_err(|error| match error.is_eof() {
            true => Fault::Cut,
            false => Fault::BadJson(error.to_string().into()),
        })?;
        let mut texts = Vec::new();
        let games = collect(None, &value, &mut texts);
        if games > 1 {
            return Err(Fault::SeveralGames);
        }
        fields::read(
            texts.iter().map(|(role, text)| (*role, text.as_bytes())),
            record,
        )
    }

    fn write(&self, games: &[WrittenGame<'_>], out: &mut dyn Write) -> io::Result<()> {
        for written in games {
            let (black, white) = (Value::from(written.black), Value::from(written.white));
            let moves = Value::from(written.moves_with_board());
            writeln!(
                out,
                "{{\"black\":{black},\"white\":{white},\"moves\":{moves}}}"
            )?;
        }
        Ok(())
    }
}

/// Whether one of the strings is a game, or a list has single moves.
fn holds_game(head: &[u8]) -> bool {
    let mut rest = head;
    let mut single = 0;
    while let Some(begin) = memchr::memchr(b'"', rest) {
        rest = &rest[begin + 1..];
        let Some(length) = string_length(rest) else {
            let mut record = GameRecord::default();
            let _ = line::parse(rest, &mut record);
            return record.moves.len() >= ENOUGH;
        };
        let text = &rest[..length];
        if fields::is_game(text) {
            return true;
        }
        single = if length == 2 && line::square_at(text).is_some() {
            single + 1
        } else {
            0
        };
        if single >= 4 {
            return true;
        }
        rest = &rest[length + 1..];
    }
    false
}

/// Bytes up to the quote that ends the string, whose first quote is passed.
fn string_length(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr::memchr2(b'"', b'\\', text.get(at..)?)?;
        if text[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

/// Texts, numbers and lists of moves of a value with what they are for; the answer is the number
/// of objects among them (or strings) that hold a game.
fn collect(role: Option<Role>, value: &Value, texts: &mut Vec<(Option<Role>, String)>) -> usize {
    match value {
        Value::String(text) => {
            let is_game = fields::is_game(text.as_bytes());
            texts.push((role, text.clone()));
            usize::from(is_game)
        }
        Value::Number(number) => {
            texts.push((role, number.to_string()));
            0
        }
        Value::Array(list) => {
            let words: Option<Vec<&str>> = list.iter().map(Value::as_str).collect();
            match words {
                // Single moves make one game.
                Some(words) if words.iter().all(|word| word.len() <= 4) => {
                    collect(role, &Value::String(words.join(" ")), texts)
                }
                _ => list.iter().map(|value| collect(role, value, texts)).sum(),
            }
        }
        Value::Object(object) => {
            let mut nested = 0;
            let mut own = 0;
            for (key, value) in object {
                let inner = Role::of(key);
                // The names of people stand in an object of their own at times.
                let inner = match (role, key.as_str()) {
                    (Some(outer), "name" | "username" | "nick") => Some(outer),
                    (Some(Role::Black), "rating" | "elo") => Some(Role::BlackRating),
                    (Some(Role::White), "rating" | "elo") => Some(Role::WhiteRating),
                    _ => inner,
                };
                let games = collect(inner, value, texts);
                match value {
                    Value::Object(_) | Value::Array(_) => nested += games,
                    _ => own += games,
                }
            }
            // Start board, moves, and moves in another spelling make one game.
            nested + own.min(1)
        }
        _ => 0,
    }
}

/// Finds where games end.
#[derive(Default)]
struct Values {
    /// What stands before the window ends in a colon.
    after_colon: bool,
    /// Inside a value that is too long to be a game.
    skipping: bool,
}

/// Where a value ends.
enum End {
    /// Here.
    At(usize),
    /// It is a list of games, or an object around one: they begin here.
    Inside(usize),
    /// Not in this window.
    Beyond,
}

impl Values {
    /// Looks for the end of the object or list at the beginning of `text`.
    fn end(text: &[u8], at_end: bool) -> End {
        let mut open: Vec<u8> = Vec::new();
        let mut last = 0;
        let mut at = 0;
        while let Some(&c) = text.get(at) {
            match c {
                b'{' if open.last() == Some(&b'{') && last != b':' => return End::At(at),
                b'[' if open.len() <= 1 => match list_of_games(&text[at + 1..], at_end) {
                    Some(true) => return End::Inside(at + 1),
                    Some(false) => open.push(c),
                    None => return End::Beyond,
                },
                b'{' | b'[' => open.push(c),
                b'}' | b']' => {
                    open.pop();
                    if open.is_empty() {
                        return End::At(at + 1);
                    }
                }
                b'"' => match string_end(&text[at + 1..]) {
                    StringEnd::Quote(length) => at += length + 1,
                    StringEnd::Torn(length) => at += length,
                    StringEnd::NewObject(length) => return End::At(at + 1 + length),
                    StringEnd::Beyond => break,
                },
                _ => {}
            }
            if !c.is_ascii_whitespace() {
                last = c;
            }
            at += 1;
        }
        if at_end {
            End::At(text.len())
        } else {
            End::Beyond
        }
    }
}

/// Whether the list whose bracket is passed holds games rather than single moves or anything else;
/// `None`: more has to be seen.
fn list_of_games(text: &[u8], at_end: bool) -> Option<bool> {
    let inner = text.trim_ascii_start();
    match inner.first() {
        Some(b'{' | b'[') => Some(true),
        Some(b'"') => match string_end(&inner[1..]) {
            StringEnd::Quote(length) => Some(length > 4),
            StringEnd::Beyond if !at_end => None,
            _ => Some(true),
        },
        None if !at_end => None,
        _ => Some(false),
    }
}

/// How a string goes on.
enum StringEnd {
    /// Its quote is here.
    Quote(usize),
    /// Its line ends here, without a quote.
    Torn(usize),
    /// An object begins here: the quote is missing.
    NewObject(usize),
    /// Not in this window.
    Beyond,
}

/// Looks for the end of the string whose first quote is passed.
fn string_end(text: &[u8]) -> StringEnd {
    let mut at = 0;
    while let Some(&c) = text.get(at) {
        match c {
            b'"' => return StringEnd::Quote(at),
            b'\n' | b'\r' => return StringEnd::Torn(at),
            b'{' => match text.get(at + 1) {
                Some(b'"') => return StringEnd::NewObject(at),
                Some(_) => {}
                None => return StringEnd::Beyond,
            },
            b'\\' => at += 1,
            _ => {}
        }
        at += 1;
    }
    StringEnd::Beyond
}

impl Cutter for Values {
    fn cut(&mut self, window: &[u8], at_end: bool) -> Cut {
        let mut at = 0;
        if self.skipping {
            // The next object that begins a line or follows another ends what is too long.
            let begins = |&at: &usize| {
                window[..at]
                    .trim_ascii_end()
                    .last()
                    .is_none_or(|c| b"},".contains(c))
                    && at > 0
            };
            match memchr::memchr_iter(b'{', window).find(begins) {
                Some(begin) => (at, self.skipping) = (begin, false),
                None => {
                    // The last bytes may be what an object follows.
                    let kept = window.len().min(8);
                    let used = if at_end {
                        window.len()
                    } else {
                        window.len() - kept
                    };
                    return Cut::More { used };
                }
            }
            self.after_colon = false;
        }
        while let Some(&c) = window.get(at) {
            let rest = &window[at..];
            match c {
                b'{' | b'[' if !self.after_colon => match Values::end(rest, at_end) {
                    End::At(length) => return Cut::Game(at..at + length),
                    End::Inside(begin) => at += begin,
                    End::Beyond => return Cut::More { used: at },
                },
                b'"' => {
                    let (length, is_whole) = match string_end(&rest[1..]) {
                        StringEnd::Quote(length) => (length + 2, true),
                        StringEnd::Torn(length) | StringEnd::NewObject(length) => {
                            (length + 1, false)
                        }
                        StringEnd::Beyond if at_end => (rest.len(), false),
                        StringEnd::Beyond => return Cut::More { used: at },
                    };
                    let next = rest[length..].trim_ascii_start().first();
                    if next.is_none() && !at_end {
                        return Cut::More { used: at };
                    }
                    let is_name = next == Some(&b':');
                    let is_value = std::mem::take(&mut self.after_colon);
                    if !is_name && !is_value && (is_whole || length > 2) {
                        return Cut::Game(at..at + length);
                    }
                    at += length;
                }
                _ => {
                    if !c.is_ascii_whitespace() {
                        self.after_colon = c == b':';
                    }
                    at += 1;
                }
            }
        }
        Cut::More { used: at }
    }

    fn give_up(&mut self) {
        self.skipping = true;
    }
}

#[cfg(test)]
mod tests;
