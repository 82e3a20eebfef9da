//! One progress bar as text, drawn by indicatif into a line of ours.
//!
//! indicatif is given a terminal that keeps what is written: where that text goes on the screen, and
//! how it survives a change of the window's size, is decided elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// Bars are drawn in this many steps.
const STEPS: u64 = 10_000;

/// A bar `width` columns wide, filled to `share` (0..=1); block characters, or ASCII.
pub(super) fn bar(width: usize, share: f64, ascii: bool) -> String {
    if width == 0 {
        return String::new();
    }
    let chars = if ascii { "#-" } else { "█░" };
    let Ok(style) = ProgressStyle::with_template(&format!("{{bar:{width}}}")) else {
        return String::new();
    };
    let line = Line::default();
    let target = ProgressDrawTarget::term_like(Box::new(line.clone()));
    let bar = ProgressBar::with_draw_target(Some(STEPS), target);
    bar.set_style(style.progress_chars(chars));
    bar.set_position((share.clamp(0.0, 1.0) * STEPS as f64) as u64);
    line.clear();
    // Draws for the last time, whatever the position.
    bar.abandon();
    line.take()
}

/// A terminal of one endless line that remembers its text and knows no cursor.
#[derive(Clone, Debug, Default)]
struct Line(Arc<Mutex<String>>);

impl Line {
    fn clear(&self) {
        self.with(String::clear);
    }

    fn take(&self) -> String {
        self.with(|text| std::mem::take(text).trim_end().to_owned())
    }

    fn with<T>(&self, change: impl FnOnce(&mut String) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl TermLike for Line {
    fn width(&self) -> u16 {
        u16::MAX
    }

    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.write_str(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        // The filler up to the right edge is of no use here.
        if !text.trim().is_empty() {
            self.with(|line| line.push_str(text));
        }
        Ok(())
    }

    fn clear_line(&self) -> io::Result<()> {
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_wide_as_asked_and_as_full_as_told() {
        assert_eq!(bar(10, 0.0, true), "----------");
        assert_eq!(bar(10, 0.5, true), "#####-----");
        assert_eq!(bar(10, 1.0, true), "##########");
        assert_eq!(bar(10, 7.0, true), "##########");
        assert_eq!(bar(10, f64::NAN, true), "----------");
        assert_eq!(bar(4, 0.5, false), "██░░");
        for width in 1..100 {
            assert_eq!(bar(width, 0.371, false).chars().count(), width);
        }
    }
}
