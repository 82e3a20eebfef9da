//! What an engine says on stderr, line by line, in the log (at debug).

use super::tail::excerpt;

/// The longest line that is kept together.
const LONGEST: usize = 1024;

/// Cuts the stream into lines.
#[derive(Debug, Default)]
pub(super) struct StderrLog {
    line: Vec<u8>,
}

impl StderrLog {
    /// The stream goes on with `bytes`. Costs nothing unless somebody wants to read it.
    pub(super) fn push(&mut self, engine: &str, bytes: &[u8]) {
        if !tracing::enabled!(tracing::Level::DEBUG) {
            return;
        }
        self.cut(bytes, |line| {
            let thread = std::thread::current();
            let worker = thread.name().unwrap_or_default();
            tracing::debug!(engine, worker, "engine said: {line}");
        });
    }

    fn cut(&mut self, bytes: &[u8], mut tell: impl FnMut(&str)) {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            let room = LONGEST.saturating_sub(self.line.len());
            self.line.extend_from_slice(&piece[..piece.len().min(room)]);
            if piece.ends_with(b"\n") {
                let line = excerpt(&self.line);
                if !line.is_empty() {
                    tell(&line);
                }
                self.line.clear();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_out_whole_however_they_come_in() {
        let mut log = StderrLog::default();
        let mut lines = Vec::new();
        for bytes in [&b"one\ntw"[..], b"o\n\n> > thr", b"ee\r\nrest"] {
            log.cut(bytes, |line| lines.push(line.to_owned()));
        }
        assert_eq!(lines, ["one", "two", "> > three"]);
        for _ in 0..100 {
            log.cut(&[b'x'; 1000], |_| unreachable!("there is no end of a line"));
        }
        assert!(log.line.len() <= LONGEST);
    }
}
