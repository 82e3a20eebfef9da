//! Bytes from a pipe, cut into lines, in bounded memory.

use std::ops::Range;

/// Longer lines are no answer of any engine.
pub(super) const MAX_LINE: usize = 1 << 16;

/// How much is asked of the pipe in one read.
const CHUNK: usize = 1 << 13;

/// A buffer between `read` and whoever wants lines.
#[derive(Debug, Default)]
pub(super) struct Lines {
    bytes: Vec<u8>,
    /// Where the next line begins.
    start: usize,
    /// Up to where no line end has been found.
    searched: usize,
    /// Where what has been read ends.
    end: usize,
}

impl Lines {
    /// Room for the next read; never empty. Tell how much of it was used with [`Lines::filled`].
    pub(super) fn space(&mut self) -> &mut [u8] {
        if self.start == self.end {
            self.clear();
        } else if self.bytes.len() - self.end < CHUNK && self.start > 0 {
            self.bytes.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.searched -= self.start;
            self.start = 0;
        }
        if self.bytes.len() - self.end < CHUNK {
            self.bytes.resize(self.end + CHUNK, 0);
        }
        &mut self.bytes[self.end..]
    }

    /// `count` bytes of [`Lines::space`] have been written.
    pub(super) fn filled(&mut self, count: usize) {
        self.end += count;
    }

    /// Where the next whole line lies in the buffer, without its line end; `None` when more has
    /// to be read first.
    pub(super) fn next_line(&mut self) -> Option<Range<usize>> {
        let unseen = &self.bytes[self.searched..self.end];
        match memchr::memchr(b'\n', unseen) {
            Some(at) => {
                let line_end = self.searched + at;
                let line = self.start..line_end;
                self.start = line_end + 1;
                self.searched = self.start;
                Some(line)
            }
            None => {
                self.searched = self.end;
                None
            }
        }
    }

    /// The bytes of a line found just now.
    pub(super) fn bytes(&self, line: Range<usize>) -> &[u8] {
        &self.bytes[line]
    }

    /// What has come of a line whose end is not there yet.
    pub(super) fn unfinished(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.start = 0;
        self.searched = 0;
        self.end = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feed(lines: &mut Lines, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let space = lines.space();
            let count = space.len().min(bytes.len());
            space[..count].copy_from_slice(&bytes[..count]);
            lines.filled(count);
            bytes = &bytes[count..];
        }
    }

    fn take(lines: &mut Lines) -> Option<Vec<u8>> {
        let range = lines.next_line()?;
        Some(lines.bytes(range).to_vec())
    }

    #[test]
    fn lines_come_whole_however_they_were_read() {
        let text = b"status thinking\n=== f5\n\nhalf";
        for cut in 0..text.len() {
            let mut lines = Lines::default();
            feed(&mut lines, &text[..cut]);
            let mut found = Vec::new();
            while let Some(line) = take(&mut lines) {
                found.push(line);
            }
            feed(&mut lines, &text[cut..]);
            while let Some(line) = take(&mut lines) {
                found.push(line);
            }
            assert_eq!(found, [&b"status thinking"[..], b"=== f5", b""], "{cut}");
            assert_eq!(lines.unfinished(), b"half");
        }
    }

    #[test]
    fn memory_stays_bounded_over_many_lines() {
        let mut lines = Lines::default();
        for _ in 0..10_000 {
            feed(&mut lines, &[b'x'; 100]);
            feed(&mut lines, b"\ny");
            assert!(take(&mut lines).is_some());
        }
        assert!(lines.bytes.len() <= 4 * CHUNK, "{}", lines.bytes.len());
    }
}
