//! Text from elsewhere as it is shown: file names, what engines say, what files hold, what was
//! typed. Nothing of it steers a terminal, breaks a line or stays invisible.
//!
//! Paths are shown by [`Shown::shown`] alone (`clippy.toml` forbids `Path::display`), and messages
//! keep such text as [`Foreign`], which cannot be shown in another way.

use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// What comes from elsewhere and can be shown.
pub(crate) trait Shown {
    /// For `{}`: control characters, marks of writing direction, invisible characters and bytes
    /// that are not UTF-8 are spelled out (`\n`, `\u{1b}`, `\xff`). Showing twice changes nothing.
    fn shown(&self) -> Spelled<'_>;
}

impl Shown for [u8] {
    fn shown(&self) -> Spelled<'_> {
        Spelled(self)
    }
}

impl Shown for str {
    fn shown(&self) -> Spelled<'_> {
        Spelled(self.as_bytes())
    }
}

impl Shown for OsStr {
    fn shown(&self) -> Spelled<'_> {
        Spelled(self.as_bytes())
    }
}

impl Shown for Path {
    fn shown(&self) -> Spelled<'_> {
        self.as_os_str().shown()
    }
}

/// Bytes as text with everything spelled out that a reader could not see.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spelled<'a>(&'a [u8]);

impl Spelled<'_> {
    /// The beginning, with `…` where there are more than `longest` characters.
    pub(crate) fn start(self, longest: usize) -> String {
        // No character takes more than four bytes: what is far behind need not be looked at.
        let near = self.0.len().min(4 * longest + 4);
        let text = Spelled(&self.0[..near]).to_string();
        match text.char_indices().nth(longest) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        }
    }
}

impl fmt::Display for Spelled<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match std::str::from_utf8(self.0) {
            Ok(text) if !text.contains(is_unseen) => f.pad(text),
            _ => f.pad(&spelled_out(self.0)),
        }
    }
}

fn spelled_out(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + 16);
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match is_unseen(c) {
                true => text.extend(c.escape_default()),
                false => text.push(c),
            }
        }
        text += &chunk.invalid().escape_ascii().to_string();
    }
    text
}

/// Whether a character acts on what is around it, or cannot be seen at all.
pub(crate) fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            // Marks of writing direction turn a name around.
            '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            // Ends of lines and paragraphs.
            | '\u{2028}' | '\u{2029}'
            // No width. Joiners, which scripts need, are not among them.
            | '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// A text from elsewhere, or one that quotes such a text, as part of a message: one line, always.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Foreign(String);

impl Foreign {
    /// As it came, for comparisons and files.
    pub(crate) fn raw(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.shown().fmt(f)
    }
}

impl fmt::Debug for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<String> for Foreign {
    fn from(text: String) -> Foreign {
        Foreign(text)
    }
}

impl From<&str> for Foreign {
    fn from(text: &str) -> Foreign {
        Foreign(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_spelled_out() {
        let cases: [(&[u8], &str); 9] = [
            (b"out/a b", "out/a b"),
            ("データ é".as_bytes(), "データ é"),
            (b"a\nb\r\tc", r"a\nb\r\tc"),
            (b"\x1b[2J\x07\x7f", r"\u{1b}[2J\u{7}\u{7f}"),
            ("\u{9b}31m".as_bytes(), r"\u{9b}31m"),
            ("dr.\u{202e}txt".as_bytes(), r"dr.\u{202e}txt"),
            ("a\u{2028}b\u{feff}".as_bytes(), r"a\u{2028}b\u{feff}"),
            (b"a\xff\xfeb\xe3\x81", r"a\xff\xfeb\xe3\x81"),
            (b"a\\b \"c\" `d`", "a\\b \"c\" `d`"),
        ];
        for (bytes, text) in cases {
            assert_eq!(bytes.shown().to_string(), text);
            assert_eq!(text.shown().to_string(), text, "shown twice");
            assert_eq!(OsStr::from_bytes(bytes).shown().to_string(), text);
        }
    }

    #[test]
    fn columns_stay_columns_and_beginnings_are_whole() {
        assert_eq!(format!("{:<6}|", Path::new("ab").shown()), "ab    |");
        assert_eq!(format!("{:>6}|", Foreign::from("a\n")), "   a\\n|");
        assert_eq!("オセロ".shown().start(2), "オセ…");
        assert_eq!("オセロ".shown().start(3), "オセロ");
    }
}
