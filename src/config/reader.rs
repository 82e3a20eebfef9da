//! Reads keys out of a TOML table and collects every fault on the way. Knows TOML's types and how
//! a fault is worded; knows no key.

use super::Lines;
use crate::base::shown::Shown;
use std::cell::RefCell;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// One thing wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fault {
    /// Line, and column where it matters, from 1.
    pub place: Option<(usize, Option<usize>)>,
    /// A sentence without the file's name.
    pub text: String,
    /// The file, where it is not the one that was read.
    pub file: Option<PathBuf>,
}

impl Fault {
    /// A fault of the file as a whole.
    pub(super) fn of_file(text: String) -> Fault {
        Fault {
            place: None,
            text,
            file: None,
        }
    }

    /// A fault of the line of `key`, where that is known.
    pub(super) fn of_key(lines: &Lines, key: &str, text: String) -> Fault {
        Fault {
            place: lines.0.get(key).map(|&line| (line, None)),
            ..Fault::of_file(text)
        }
    }

    /// The same fault, of another file.
    pub(super) fn in_file(self, file: &Path) -> Fault {
        Fault {
            file: Some(file.to_owned()),
            ..self
        }
    }
}

/// Collects faults of one file.
pub(super) struct Faults<'t> {
    text: &'t str,
    /// With the offset they are sorted by.
    list: RefCell<Vec<(usize, Fault)>>,
}

impl<'t> Faults<'t> {
    pub(super) fn new(text: &'t str) -> Faults<'t> {
        Faults {
            text,
            list: RefCell::default(),
        }
    }

    /// A fault at a byte offset of the text, or of the file as a whole.
    pub(super) fn add(&self, offset: Option<usize>, text: String) {
        let place = offset.map(|offset| (self.line_and_column(offset).0, None));
        self.push(
            offset,
            Fault {
                place,
                ..Fault::of_file(text)
            },
        );
    }

    /// What the TOML parser complains about.
    pub(super) fn add_syntax(&self, offset: Option<usize>, message: &str) {
        let place = offset.map(|offset| {
            let (line, column) = self.line_and_column(offset);
            (line, Some(column))
        });
        let text = format!("is not valid TOML: {}", message.trim().replace('\n', "; "));
        self.push(
            offset,
            Fault {
                place,
                ..Fault::of_file(text)
            },
        );
    }

    /// In the order of the file; those of no place come last.
    pub(super) fn into_list(self) -> Vec<Fault> {
        let mut list = self.list.into_inner();
        list.sort_by_key(|(offset, _)| *offset);
        list.into_iter().map(|(_, fault)| fault).collect()
    }

    fn push(&self, offset: Option<usize>, fault: Fault) {
        let mut list = self.list.borrow_mut();
        list.push((offset.unwrap_or(usize::MAX), fault));
    }

    fn line_and_column(&self, offset: usize) -> (usize, usize) {
        let mut end = offset.min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &self.text[..end];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = 1 + before.matches('\n').count();
        (line, 1 + before[line_start..].chars().count())
    }
}

/// A table being read. What is asked for is known; [`Section::finish`] complains about the rest.
pub(super) struct Section<'d> {
    /// Dotted, empty for the file itself.
    name: String,
    table: Option<&'d DeTable<'d>>,
    /// Where it begins, where it has a beginning of its own.
    offset: Option<usize>,
    faults: &'d Faults<'d>,
    known: Vec<&'static str>,
}

impl<'d> Section<'d> {
    /// The whole file.
    pub(super) fn root(table: &'d DeTable<'d>, faults: &'d Faults<'d>) -> Section<'d> {
        Section {
            name: String::new(),
            table: Some(table),
            offset: None,
            faults,
            known: Vec::new(),
        }
    }

    /// Whether the file has this table.
    pub(super) fn is_present(&self) -> bool {
        self.table.is_some()
    }

    /// The table `key` inside of this one. An absent one reads as empty.
    pub(super) fn section(&mut self, key: &'static str) -> Section<'d> {
        self.known.push(key);
        self.subsection(key)
    }

    /// Every key as a table of its own, for tables whose keys are names.
    pub(super) fn subsections(&mut self) -> Vec<(String, Section<'d>)> {
        let keys: Vec<String> = self.keys().map(str::to_owned).collect();
        keys.into_iter()
            .map(|key| {
                let section = self.subsection(&key);
                (key, section)
            })
            .collect()
    }

    /// The keys that are there.
    pub(super) fn keys(&self) -> impl Iterator<Item = &'d str> + use<'d> {
        self.table
            .into_iter()
            .flat_map(|table| table.iter().map(|(key, _)| key.get_ref().as_ref()))
    }

    /// The lines of its keys, those of tables of this table too, as `table.key`.
    pub(super) fn lines(&self) -> Lines {
        let mut lines = Lines::default();
        let mut note = |prefix: &str, table: &DeTable<'_>| {
            for (key, _) in table.iter() {
                let (line, _) = self.faults.line_and_column(key.span().start);
                lines.0.insert(format!("{prefix}{}", key.get_ref()), line);
            }
        };
        if let Some(table) = self.table {
            note("", table);
            for (key, value) in table.iter() {
                if let DeValue::Table(inner) = value.get_ref() {
                    note(&format!("{}.", key.get_ref()), inner);
                }
            }
        }
        lines
    }

    fn subsection(&self, key: &str) -> Section<'d> {
        let entry = self.table.and_then(|table| table.get_key_value(key));
        let table = entry.and_then(|(_, value)| match value.get_ref() {
            DeValue::Table(table) => Some(table),
            other => {
                let place = self.place_of(value);
                self.faults.add(
                    place,
                    format!(
                        "`{}` is {}, but must be a table",
                        self.path(key),
                        shown(other)
                    ),
                );
                None
            }
        });
        Section {
            name: self.path(key),
            table,
            offset: entry.map(|(key, _)| key.span().start),
            faults: self.faults,
            known: Vec::new(),
        }
    }

    /// The value of `key`. `read` gives the value, or what is allowed instead of it.
    pub(super) fn optional<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&DeValue<'_>) -> Result<T, String>,
    ) -> Option<T> {
        self.known.push(key);
        self.value(key, read)
    }

    /// As [`Section::optional`], but its absence is a fault, which says what is `wanted`.
    pub(super) fn required<T>(
        &mut self,
        key: &'static str,
        wanted: &str,
        read: impl FnOnce(&DeValue<'_>) -> Result<T, String>,
    ) -> Option<T> {
        self.known.push(key);
        if !self.has(key) {
            self.fault(format!("`{}` is missing: {wanted}", self.path(key)));
        }
        self.value(key, read)
    }

    /// Reads a key whose name is not known beforehand.
    pub(super) fn value<T>(
        &self,
        key: &str,
        read: impl FnOnce(&DeValue<'_>) -> Result<T, String>,
    ) -> Option<T> {
        let value = self.table?.get(key)?;
        match read(value.get_ref()) {
            Ok(value) => Some(value),
            Err(allowed) => {
                self.faults.add(
                    self.place_of(value),
                    format!(
                        "`{}` is {}, but must be {allowed}",
                        self.path(key),
                        shown(value.get_ref())
                    ),
                );
                None
            }
        }
    }

    /// Whether `key` is there, whatever its value.
    pub(super) fn has(&self, key: &str) -> bool {
        self.table.is_some_and(|table| table.contains_key(key))
    }

    /// Refuses `key` for a reason of its own.
    pub(super) fn refuse(&mut self, key: &'static str, reason: &str) {
        self.known.push(key);
        if self.has(key) {
            self.fault_at(key, format!("`{}` {reason}", self.path(key)));
        }
    }

    /// A fault of this section as a whole.
    pub(super) fn fault(&self, text: String) {
        self.faults.add(self.offset, text);
    }

    /// A fault of the value of `key`; `text` is the whole sentence.
    pub(super) fn fault_at(&self, key: &str, text: String) {
        let value = self.table.and_then(|table| table.get(key));
        self.faults.add(
            value.and_then(|value| self.place_of(value)).or(self.offset),
            text,
        );
    }

    /// `key` with the section's name in front.
    pub(super) fn path(&self, key: &str) -> String {
        if self.name.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.name)
        }
    }

    /// Complains about every key that nobody asked for.
    pub(super) fn finish(self) {
        let Some(table) = self.table else { return };
        for (key, _) in table.iter() {
            let name = key.get_ref().as_ref();
            if !self.known.contains(&name) {
                let place = Some(key.span().start);
                let hint = match nearest(name, self.known.iter().copied()) {
                    Some(near) => format!("did you mean `{}`?", self.path(near)),
                    None => format!("known are {}", list(&self.known)),
                };
                let path = self.path(&short(name));
                self.faults
                    .add(place, format!("unknown key `{path}`; {hint}"));
            }
        }
    }

    fn place_of(&self, value: &Spanned<DeValue<'_>>) -> Option<usize> {
        Some(value.span().start)
    }
}

/// The name most like `wrong`, where one is alike enough to be meant.
pub(super) fn nearest<'n>(wrong: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let wrong = wrong.to_lowercase();
    known
        .map(|name| (strsim::damerau_levenshtein(&wrong, name), name))
        .filter(|(distance, name)| *distance <= 1.max(name.len() / 2))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// `a, b and c`, each in back quotes.
pub(super) fn list(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        None => "none".to_owned(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// A value as it is quoted in a message.
fn shown(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("\"{}\"", short(text)),
        DeValue::Integer(number) => short(&number.to_string()),
        DeValue::Float(number) => short(number.as_str()),
        DeValue::Boolean(truth) => truth.to_string(),
        DeValue::Datetime(_) => "a date".to_owned(),
        DeValue::Array(_) => "an array".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

/// Cuts what would not fit into a sentence, and shows control characters as escapes.
pub(super) fn short(text: &str) -> String {
    const LONGEST: usize = 60;
    text.shown().start(LONGEST)
}

/// A text; `allowed` says which.
pub(super) fn text<'v>(value: &'v DeValue<'_>, allowed: &str) -> Result<&'v str, String> {
    match value {
        DeValue::String(text) => Ok(text),
        _ => Err(allowed.to_owned()),
    }
}

/// `true` or `false`.
pub(super) fn boolean(value: &DeValue<'_>) -> Result<bool, String> {
    match value {
        DeValue::Boolean(truth) => Ok(*truth),
        _ => Err("true or false".to_owned()),
    }
}

/// A whole number from `least` to `most`.
pub(super) fn whole<T>(value: &DeValue<'_>, least: T, most: T) -> Result<T, String>
where
    T: TryFrom<u64> + PartialOrd + Display + Copy,
{
    let allowed = || format!("a whole number from {least} to {most}");
    let DeValue::Integer(number) = value else {
        return Err(allowed());
    };
    u64::from_str_radix(number.as_str(), number.radix())
        .ok()
        .and_then(|number| T::try_from(number).ok())
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(allowed)
}

/// A number from 0 to 1; whole ones may be written without a point.
pub(super) fn share(value: &DeValue<'_>) -> Result<f64, String> {
    let number = match value {
        DeValue::Float(number) => number.as_str().parse().ok(),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .ok()
            .map(|number| number as f64),
        _ => None,
    };
    number
        .filter(|number| (0.0..=1.0).contains(number))
        .ok_or_else(|| "a number from 0 to 1".to_owned())
}

/// One of a few words.
pub(super) fn choice<T: Copy>(value: &DeValue<'_>, words: &[(&str, T)]) -> Result<T, String> {
    let allowed = || {
        let quoted: Vec<String> = words
            .iter()
            .map(|(word, _)| format!("\"{word}\""))
            .collect();
        quoted.join(" or ")
    };
    let text = text(value, "").map_err(|_| allowed())?;
    words
        .iter()
        .find(|(word, _)| *word == text)
        .map(|(_, meaning)| *meaning)
        .ok_or_else(allowed)
}
