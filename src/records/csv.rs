//! Tables: rows of fields between commas (or tabs, semicolons, bars), plain or in quotes, with or
//! without names of the columns in the first row. One row is a game, or a position with its value.
//!
//! A field in quotes may go on in the next line only where the row then has the fields that the
//! first row has: so a quote too many does not swallow what follows.

use super::fields::{self, Role};
use super::movetext::{is_ignored, is_line_end};
use super::{Cut, Cutter, Fault, Format, GameRecord, Header, WrittenGame, line};
use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::Arc;

/// The format.
pub struct Csv;

/// Rows of the first block that are looked at to recognise the format.
const ROWS_TRIED: usize = 20;
const DELIMITERS: [u8; 4] = *b",\t;|";
/// A row of several lines is no longer than this.
const LONGEST_ROW: usize = 64 << 10;

/// What the first row tells of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Columns {
    delimiter: u8,
    width: usize,
    /// Empty where the first row is a game already.
    roles: Vec<Option<Role>>,
}

impl Columns {
    /// From the first row; also whether it holds names.
    fn of(row: &[u8]) -> (Columns, bool) {
        let delimiter = delimiter(row);
        let fields: Vec<Cow<'_, [u8]>> = Fields::new(row, delimiter).collect();
        let is_header = !fields.iter().any(|field| fields::is_game(field));
        let name = |field: &Cow<'_, [u8]>| Role::of(&String::from_utf8_lossy(field));
        let columns = Columns {
            delimiter,
            width: fields.len(),
            roles: match is_header {
                true => fields.iter().map(name).collect(),
                false => Vec::new(),
            },
        };
        (columns, is_header)
    }
}

impl Columns {
    /// Whether one of these lines is a row with a game.
    fn has_row(&self, lines: &[u8]) -> bool {
        lines
            .split(|&c| is_line_end(c))
            .any(|line| self.is_row(line))
    }

    fn is_row(&self, line: &[u8]) -> bool {
        let fields = || Fields::new(line, self.delimiter);
        fields().count() == self.width && fields().any(|field| fields::is_game(&field))
    }
}

/// The delimiter that parts the row into most fields.
fn delimiter(row: &[u8]) -> u8 {
    let count = |delimiter: u8| Fields::new(row, delimiter).count();
    // Of equals the last one counts, and the comma is to be it.
    let most = DELIMITERS.into_iter().rev().max_by_key(|&d| count(d));
    most.unwrap_or(b',')
}

impl Format for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }

    /// A row of names and below it rows as wide with a game in one field; or rows that are no
    /// move text as a whole but in one of their fields.
    fn recognises(&self, head: &[u8]) -> bool {
        let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        let mut rows = head
            .split(|&c| is_line_end(c))
            .filter(|row| !is_ignored(row))
            .take(ROWS_TRIED);
        let Some(first) = rows.next() else {
            return false;
        };
        let (columns, is_header) = Columns::of(first);
        let is_row = |row: &[u8]| columns.is_row(row);
        match is_header {
            true if columns.width == 1 => columns.roles[0].is_some() && rows.any(is_row),
            true => columns.width > 1 && rows.any(is_row),
            false => {
                let is_text = line::parse(first, &mut GameRecord::default()).is_ok();
                columns.width > 1 && !is_text
            }
        }
    }

    fn cutter(&self) -> Box<dyn Cutter> {
        Box::new(Rows::default())
    }

    fn parse(&self, raw: &[u8], record: &mut GameRecord) -> Result<(), Fault> {
        read_row(raw, delimiter(raw), &[], record)
    }

    fn parse_with(
        &self,
        raw: &[u8],
        header: &Header,
        record: &mut GameRecord,
    ) -> Result<(), Fault> {
        match &header.columns {
            Some(columns) => read_row(raw, columns.delimiter, &columns.roles, record),
            None => self.parse(raw, record),
        }
    }

    fn write(&self, games: &[WrittenGame<'_>], out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"black,white,moves\n")?;
        for written in games {
            let (black, white) = (quoted(written.black), quoted(written.white));
            writeln!(out, "{black},{white},{}", written.moves_with_board())?;
        }
        Ok(())
    }
}

fn read_row(
    row: &[u8],
    delimiter: u8,
    roles: &[Option<Role>],
    record: &mut GameRecord,
) -> Result<(), Fault> {
    let fields: Vec<Cow<'_, [u8]>> = Fields::new(row, delimiter).collect();
    let roles = roles.iter().copied().chain(std::iter::repeat(None));
    fields::read(roles.zip(fields.iter().map(AsRef::as_ref)), record)
}

fn quoted(field: &str) -> Cow<'_, str> {
    match field.contains(['"', ',', '\n', '\r', ';', '\t', '|']) {
        true => Cow::Owned(format!(
            "\"{}\"",
            field.replace('"', "\"\"").replace(['\n', '\r'], " ")
        )),
        false => Cow::Borrowed(field),
    }
}

/// The fields of a row, without their quotes.
struct Fields<'a> {
    /// `None`: the last field has been given.
    rest: Option<&'a [u8]>,
    delimiter: u8,
}

impl<'a> Fields<'a> {
    fn new(row: &'a [u8], delimiter: u8) -> Fields<'a> {
        Fields {
            rest: Some(row),
            delimiter,
        }
    }
}

/// Length of the field that `text` begins with, and whether a quote in it is never closed. A quote
/// closes a field only in front of a delimiter or the end; any other is a character like others.
fn field_length(text: &[u8], delimiter: u8) -> (usize, bool) {
    let plain = || text.iter().position(|&c| c == delimiter);
    let blanks = text.iter().take_while(|&&c| c == b' ').count();
    if text.get(blanks) != Some(&b'"') {
        return (plain().unwrap_or(text.len()), false);
    }
    let mut at = blanks + 1;
    while let Some(found) = memchr::memchr(b'"', &text[at..]) {
        at += found + 1;
        let after = &text[at..];
        let blanks = after
            .iter()
            .take_while(|&&c| c == b' ' || c == b'\r')
            .count();
        match after.get(blanks) {
            None => return (text.len(), false),
            Some(&c) if c == delimiter => return (at + blanks, false),
            Some(b'"') if blanks == 0 => at += 1,
            Some(_) => {}
        }
    }
    (plain().unwrap_or(text.len()), true)
}

impl<'a> Iterator for Fields<'a> {
    type Item = Cow<'a, [u8]>;

    fn next(&mut self) -> Option<Cow<'a, [u8]>> {
        let rest = self.rest?;
        let (length, _) = field_length(rest, self.delimiter);
        self.rest = rest.get(length + 1..);
        let field = rest[..length].trim_ascii();
        let inner = match field {
            [b'"', inner @ .., b'"'] => inner,
            _ => return Some(Cow::Borrowed(field)),
        };
        if !inner.contains(&b'"') {
            return Some(Cow::Borrowed(inner));
        }
        let mut plain = Vec::with_capacity(inner.len());
        let mut bytes = inner.iter();
        while let Some(&c) = bytes.next() {
            plain.push(c);
            if c == b'"' && bytes.as_slice().first() == Some(&b'"') {
                bytes.next();
            }
        }
        Some(Cow::Owned(plain))
    }
}

/// Finds where rows end.
#[derive(Default)]
struct Rows {
    header: Option<Arc<Header>>,
    /// Inside a row that is too long to be a game.
    skipping: bool,
}

impl Rows {
    /// Where the row ends that `text` begins with; `None`: more has to be seen.
    fn row_end(&self, text: &[u8], at_end: bool) -> Option<usize> {
        let line = match memchr::memchr2(b'\n', b'\r', text) {
            Some(length) => length,
            None => return at_end.then_some(text.len()),
        };
        let Some(columns) = self
            .header
            .as_ref()
            .and_then(|header| header.columns.as_ref())
        else {
            return Some(line);
        };
        let (mut at, mut count) = (0, 1);
        let mut limit = line;
        loop {
            let (length, is_open) = field_length(&text[at..limit], columns.delimiter);
            if is_open && limit == line && count <= columns.width {
                // The rest of the field may stand in the next lines.
                if text.len() < LONGEST_ROW && !at_end {
                    return None;
                }
                let longest = text.len().min(LONGEST_ROW);
                match quote_before_line_end(&text[at..longest], columns.delimiter, line - at) {
                    Some(end) if !columns.has_row(&text[line..at + end]) => limit = at + end,
                    _ => return Some(line),
                }
                continue;
            }
            at += length;
            if at >= limit {
                return Some(if count == columns.width { limit } else { line });
            }
            (at, count) = (at + 1, count + 1);
        }
    }
}

/// Where the row ends in which the field that `text` begins with is closed beyond `line`.
fn quote_before_line_end(text: &[u8], delimiter: u8, line: usize) -> Option<usize> {
    let mut from = line;
    while let Some(found) = memchr::memchr(b'"', &text[from..]) {
        let after = from + found + 1;
        match text.get(after) {
            None | Some(b'\n' | b'\r') => return Some(after),
            Some(&c) if c == delimiter => {
                let rest = &text[after..];
                let end = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
                return Some(after + end);
            }
            Some(b'"') => from = after + 1,
            Some(_) => from = after,
        }
        if from > text.len() {
            return None;
        }
    }
    None
}

impl Cutter for Rows {
    fn cut(&mut self, window: &[u8], at_end: bool) -> Cut {
        let mut from = 0;
        loop {
            let rest = &window[from..];
            if rest.is_empty() {
                return Cut::More { used: from };
            }
            if self.skipping {
                match memchr::memchr2(b'\n', b'\r', rest) {
                    Some(length) => (from, self.skipping) = (from + length + 1, false),
                    None => return Cut::More { used: window.len() },
                }
                continue;
            }
            let Some(length) = self.row_end(rest, at_end) else {
                return Cut::More { used: from };
            };
            let row = from..from + length;
            from = (row.end + 1).min(window.len());
            if is_ignored(&window[row.clone()]) {
                continue;
            }
            if self.header.is_none() {
                let (columns, is_header) = Columns::of(&window[row.clone()]);
                self.header = Some(Arc::new(Header {
                    columns: Some(columns),
                    ..Header::default()
                }));
                if is_header {
                    continue;
                }
            }
            return Cut::Game(row);
        }
    }

    fn give_up(&mut self) {
        self.skipping = true;
    }

    fn header(&self) -> Option<&Arc<Header>> {
        self.header.as_ref()
    }
}

#[cfg(test)]
mod tests;
