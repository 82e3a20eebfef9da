//! The last lines that an engine wrote on stderr, and an eye on lines that mean trouble.

use crate::base::shown::Shown;
use std::collections::VecDeque;

/// What is kept for error messages.
const KEPT_BYTES: usize = 4096;
/// Of these, how many lines are shown.
const SHOWN_LINES: usize = 6;
/// The longest piece of a line that is looked at.
const LINE_BYTES: usize = 1024;

/// Keeps the end of a stream.
#[derive(Debug, Default)]
pub(super) struct Tail {
    kept: VecDeque<u8>,
    /// The line being received, for the alarm.
    line: Vec<u8>,
    /// Texts that make a line an alarm.
    alarming: &'static [&'static str],
    alarm: Option<String>,
}

impl Tail {
    /// From now on a line that holds one of these texts raises the alarm.
    pub(super) fn watch_for(&mut self, alarming: &'static [&'static str]) {
        self.alarming = alarming;
        self.alarm = None;
        self.line.clear();
    }

    /// The stream goes on with `bytes`.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let kept = &bytes[bytes.len().saturating_sub(KEPT_BYTES)..];
        let excess = (self.kept.len() + kept.len()).saturating_sub(KEPT_BYTES);
        self.kept.drain(..excess);
        self.kept.extend(kept);
        if self.alarming.is_empty() {
            return;
        }
        for piece in bytes.split_inclusive(|&b| b == b'\n') {
            let room = LINE_BYTES.saturating_sub(self.line.len());
            self.line.extend_from_slice(&piece[..piece.len().min(room)]);
            // Looked at before its end comes, too: the answer may come first.
            let text = String::from_utf8_lossy(&self.line);
            if self.alarm.is_none() && self.alarming.iter().any(|a| text.contains(a)) {
                self.alarm = Some(excerpt(&self.line));
                self.line.clear();
            }
            if piece.ends_with(b"\n") {
                self.line.clear();
            }
        }
    }

    /// The first alarming line since the last call.
    pub(super) fn take_alarm(&mut self) -> Option<String> {
        self.alarm.take()
    }

    /// The last lines as one printable text, joined with ` / `; empty if nothing was said.
    pub(super) fn text(&self) -> String {
        let bytes: Vec<u8> = self.kept.iter().copied().collect();
        let lines: Vec<String> = bytes
            .split(|&byte| byte == b'\n')
            .map(excerpt)
            .filter(|line| !line.is_empty())
            .collect();
        lines[lines.len().saturating_sub(SHOWN_LINES)..].join(" / ")
    }
}

/// An engine's words as they may stand in a message: nothing unseen, no endless line.
pub(super) fn excerpt(text: &[u8]) -> String {
    const LONGEST: usize = 300;
    text.trim_ascii().shown().start(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_flood_is_kept() {
        let mut tail = Tail::default();
        for _ in 0..1000 {
            tail.push(&[b'x'; 10_000]);
        }
        tail.push(b"\nCannot open eval.dat\n\x1b[31mred\0\n");
        assert!(tail.kept.len() <= KEPT_BYTES);
        assert!(
            tail.text()
                .ends_with(r"Cannot open eval.dat / \u{1b}[31mred\u{0}"),
            "{}",
            tail.text()
        );
        assert!(tail.text().chars().count() < 400);
    }

    #[test]
    fn alarm_finds_a_line_in_pieces() {
        let mut tail = Tail::default();
        tail.push(b"Error: Cannot parse nothing yet\n");
        assert_eq!(tail.take_alarm(), None, "not watched");
        tail.watch_for(&["Cannot parse"]);
        tail.push(b"> > Error: Can");
        tail.push(b"not parse move");
        tail.push(b" \"a1\"\nmore\n");
        assert_eq!(
            tail.take_alarm().as_deref(),
            Some("> > Error: Cannot parse move")
        );
        assert_eq!(tail.take_alarm(), None);
        tail.push(&[b'z'; 5000]);
        assert!(tail.line.len() <= LINE_BYTES);
    }

    #[test]
    fn bytes_that_are_no_text_are_shown_somehow() {
        let mut tail = Tail::default();
        tail.push(b"\xff\xfebad\xa0Ce/eval\r\n");
        assert!(tail.text() == r"\xff\xfebad\xa0Ce/eval");
    }
}
