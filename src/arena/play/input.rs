//! Waiting for a line without being deaf to a stop.

use crate::base::stop::Stop;
use std::io::{self, BufRead};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// How often a wait looks whether it is to end.
const LOOK: Duration = Duration::from_millis(50);

/// Longer lines are cut: nobody types them, and memory is finite.
const LONGEST_LINE: usize = 4096;

/// What came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Typed {
    /// A line, without its end.
    Line(String),
    /// There will be no more.
    End,
    /// The program is being stopped.
    Stopped,
}

/// Where lines come from.
pub(crate) trait Input {
    /// Waits for the next line.
    fn next_line(&mut self) -> Typed;
}

/// Lines of standard input, read by a thread of their own, so that a signal ends the wait.
pub(crate) fn stdin_lines(stop: &Stop) -> impl Input {
    let (sender, lines) = sync_channel(16);
    // Where no thread can be had the sender is gone at once, which reads as the end of input.
    let _ = std::thread::Builder::new()
        .name("stdin".to_owned())
        .spawn(move || {
            let mut stdin = io::stdin().lock();
            while let Ok(Some(line)) = read_line(&mut stdin) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
    Lines {
        lines,
        stop: stop.clone(),
    }
}

struct Lines {
    lines: Receiver<String>,
    stop: Stop,
}

impl Input for Lines {
    fn next_line(&mut self) -> Typed {
        loop {
            if self.stop.is_requested() {
                return Typed::Stopped;
            }
            match self.lines.recv_timeout(LOOK) {
                Ok(line) => return Typed::Line(line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Typed::End,
            }
        }
    }
}

/// One line without its end, whatever its bytes; `None` at the end of input.
fn read_line(from: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let mut has_begun = false;
    loop {
        let available = match from.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if available.is_empty() {
            return Ok(has_begun.then(|| String::from_utf8_lossy(&line).into_owned()));
        }
        has_begun = true;
        let end = available.iter().position(|&byte| byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        let room = LONGEST_LINE.saturating_sub(line.len());
        line.extend_from_slice(&part[..part.len().min(room)]);
        let used = part.len() + usize::from(end.is_some());
        from.consume(used);
        if end.is_some() {
            return Ok(Some(String::from_utf8_lossy(&line).into_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<String> {
        // A buffer of three bytes, so that lines span several.
        let mut from = io::BufReader::with_capacity(3, bytes);
        std::iter::from_fn(|| read_line(&mut from).expect("memory can be read")).collect()
    }

    #[test]
    fn lines_of_any_kind_are_read() {
        assert_eq!(lines(b"f5\nundo\r\n\nlast"), ["f5", "undo\r", "", "last"]);
        assert_eq!(lines(b""), [""; 0]);
        assert_eq!(lines(b"\xff\n"), ["\u{fffd}"]);
        let long = [vec![b'x'; 1_000_000], b"\nf5\n".to_vec()].concat();
        let read = lines(&long);
        assert_eq!((read[0].len(), read[1].as_str()), (LONGEST_LINE, "f5"));
    }

    #[test]
    fn a_stop_ends_the_wait() {
        let (_sender, lines) = sync_channel(1);
        let stop = Stop::new();
        let mut input = Lines {
            lines,
            stop: stop.clone(),
        };
        let later = std::thread::spawn(move || stop.request());
        assert_eq!(input.next_line(), Typed::Stopped);
        later.join().expect("it only requests");
    }
}
