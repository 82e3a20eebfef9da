//! Puts a frame on the terminal, in place, in one write.
//!
//! Between two frames the cursor rests on the frame's first row. When the window changes its size
//! the terminal moves the cursor along with the text under it, so that the next frame begins where
//! the last one did and wipes whatever the change has made of it; nobody has to know how lines were
//! folded. Rows end before the last column, so that they never fold by themselves.

use crate::progress::stderr;
use crate::signals;
use rustix::stdio::stderr as terminal;
use std::fmt::Write;

/// Columns and rows of a terminal that does not tell.
const USUAL: (usize, usize) = (80, 24);

/// The terminal behind stderr.
pub(in crate::progress) struct Screen {
    rows: usize,
}

impl Screen {
    pub(in crate::progress) fn new() -> Screen {
        Screen { rows: 0 }
    }

    /// Columns and rows now.
    pub(in crate::progress) fn size() -> (usize, usize) {
        match rustix::termios::tcgetwinsize(terminal()) {
            Ok(size) if size.ws_col > 0 && size.ws_row > 0 => {
                (usize::from(size.ws_col), usize::from(size.ws_row))
            }
            _ => USUAL,
        }
    }

    /// Whether the terminal is ours to draw on: not while the run is in the background (`bg`).
    pub(in crate::progress) fn is_ours() -> bool {
        match rustix::termios::tcgetpgrp(terminal()) {
            Ok(group) => group == rustix::process::getpgrp(),
            Err(_) => true,
        }
    }

    /// Replaces the frame.
    pub(in crate::progress) fn draw(&mut self, rows: &[String]) {
        let mut text = frame(rows);
        if rows.len() > 1 {
            let _ = write!(text, "\x1b[{}A", rows.len() - 1);
        }
        text.push('\r');
        self.rows = rows.len();
        signals::set_rows_drawn(u16::try_from(self.rows).unwrap_or(u16::MAX));
        stderr::write(text.as_bytes());
    }

    /// Prints lines above the frame, to stay; the frame follows with the next draw.
    pub(in crate::progress) fn print_above(&mut self, lines: &str) {
        let mut text = String::from("\r\x1b[J");
        for line in lines.lines() {
            text.push_str(line);
            text.push_str("\r\n");
        }
        self.forget();
        stderr::write(text.as_bytes());
    }

    /// Draws the last frame and leaves the cursor on a fresh line below it.
    pub(in crate::progress) fn finish(&mut self, rows: &[String]) {
        let text = frame(rows) + "\r\n";
        self.forget();
        stderr::write(text.as_bytes());
    }

    /// Leaves the frame as it is, with the cursor on a fresh line below it.
    pub(in crate::progress) fn leave(&mut self) {
        if self.rows == 0 {
            return;
        }
        let mut text = String::new();
        if self.rows > 1 {
            let _ = write!(text, "\x1b[{}B", self.rows - 1);
        }
        text += "\r\n";
        self.forget();
        stderr::write(text.as_bytes());
    }

    fn forget(&mut self) {
        self.rows = 0;
        signals::set_rows_drawn(0);
    }
}

/// Each row with the rest of its line wiped, and everything below the last one.
fn frame(rows: &[String]) -> String {
    let mut text = String::from("\r");
    for (i, row) in rows.iter().enumerate() {
        if i > 0 {
            text += "\r\n";
        }
        text += row;
        text += "\x1b[K";
    }
    text += "\x1b[J";
    text
}
