//! Values that lack their quotes, such as `10..59` or `yes`. They break the file, and the parser's
//! words for it ("invalid date") help nobody; what is wrong with them, or that only the quotes are
//! missing, does.

use super::reader::{Fault, Faults};
use toml::de::{DeTable, Error};

/// A text in which each such value stands in quotes.
pub(super) struct Quoted {
    text: String,
    /// Line, key and value as they were written.
    values: Vec<(usize, String, String)>,
}

impl Quoted {
    /// If all errors of `text` are lines `key = value` that quotes would mend.
    pub(super) fn around(text: &str, errors: &[Error]) -> Option<Quoted> {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut values: Vec<(usize, String, String)> = Vec::new();
        for error in errors {
            let before = text.get(..error.span()?.start)?;
            let number = before.matches('\n').count();
            if values.iter().any(|(known, ..)| *known == number + 1) {
                continue;
            }
            let line = lines.get_mut(number)?;
            let (key, value) = unquoted(line)?;
            let quoted = format!("{key} = \"{value}\"");
            values.push((number + 1, key, value));
            *line = quoted;
        }
        let text = lines.join("\n");
        let is_mended = DeTable::parse_recoverable(&text).1.is_empty();
        (is_mended && !values.is_empty()).then_some(Quoted { text, values })
    }

    /// What is to be corrected: what `read` finds, and the quotes that alone are missing.
    pub(super) fn faults<T>(
        &self,
        read: impl FnOnce(&DeTable<'_>, &Faults<'_>) -> Option<T>,
    ) -> Vec<Fault> {
        let (table, _) = DeTable::parse_recoverable(&self.text);
        let faults = Faults::new(&self.text);
        let _ = read(table.get_ref(), &faults);
        let mut list = faults.into_list();
        for (line, key, value) in &self.values {
            let is_told = |fault: &Fault| fault.place.is_some_and(|(at, _)| at == *line);
            if !list.iter().any(is_told) {
                list.push(Fault {
                    place: Some((*line, None)),
                    ..Fault::of_file(format!(
                        "`{value}` stands without quotes; write {key} = \"{value}\""
                    ))
                });
            }
        }
        list.sort_by_key(|fault| fault.place.map_or(usize::MAX, |(line, _)| line));
        list
    }
}

/// Key and value of a line whose value is one word without quotes.
fn unquoted(line: &str) -> Option<(String, String)> {
    let (key, rest) = line.split_once('=')?;
    let value = rest.split('#').next().unwrap_or_default();
    let (key, value) = (key.trim(), value.trim());
    let is_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let is_special =
        |c: char| matches!(c, '"' | '\'' | '[' | ']' | '{' | '}' | '\\') || c.is_control();
    let is_word = value
        .starts_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '+' | '~' | '/'));
    let fits = !key.is_empty() && key.chars().all(is_key) && is_word;
    (fits && !value.contains(is_special)).then(|| (key.to_owned(), value.to_owned()))
}
