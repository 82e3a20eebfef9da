//! Puts a frame on the terminal, in one write.
//!
//! Frames go to the terminal's alternate screen. There a change of the window's size folds no lines and
//! pushes nothing into the scrollback, and whatever the user had on the first screen is back
//! untouched when the run ends or is stopped (Ctrl+Z). The closing summary is printed on the first
//! screen, to stay. The cursor rests below the frame: should rdg be killed, the shell goes on there.

use crate::base::signals;
use crate::progress::stderr;
use rustix::stdio::stderr as terminal;

/// Columns and rows of a terminal that does not tell.
const USUAL: (usize, usize) = (80, 24);

const ENTER: &str = "\x1b[?1049h";
const LEAVE: &str = "\x1b[?1049l";
const HOME: &str = "\x1b[H";
const WIPE_REST_OF_LINE: &str = "\x1b[K";
const WIPE_BELOW: &str = "\x1b[J";

/// The terminal behind stderr.
pub(in crate::progress) struct Screen {
    is_entered: bool,
}

impl Screen {
    pub(in crate::progress) fn new() -> Screen {
        Screen { is_entered: false }
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

    /// Whether a frame is to be seen.
    pub(in crate::progress) fn is_entered(&self) -> bool {
        self.is_entered
    }

    /// Replaces the frame.
    pub(in crate::progress) fn draw(&mut self, rows: &[String]) {
        let mut text = String::new();
        if !self.is_entered {
            self.is_entered = true;
            signals::set_second_screen(true);
            text += ENTER;
        }
        // Overwritten, not wiped first: nothing flickers.
        text += HOME;
        for row in rows {
            text += row;
            text += WIPE_REST_OF_LINE;
            text += "\r\n";
        }
        text += WIPE_BELOW;
        stderr::write(text.as_bytes());
    }

    /// Gives the first screen back.
    pub(in crate::progress) fn leave(&mut self) {
        if std::mem::take(&mut self.is_entered) {
            stderr::write(LEAVE.as_bytes());
            signals::set_second_screen(false);
        }
    }

    /// Gives the first screen back and prints the lines there, to stay.
    pub(in crate::progress) fn finish(&mut self, lines: &[String]) {
        self.leave();
        let mut text = String::from("\r");
        for line in lines {
            text += line;
            text += WIPE_REST_OF_LINE;
            text += "\r\n";
        }
        stderr::write(text.as_bytes());
    }
}

impl Drop for Screen {
    /// Also when the thread that draws ends by a fault of its own.
    fn drop(&mut self) {
        self.leave();
    }
}
