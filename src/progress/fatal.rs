//! The one way in which an error that ends the program is told.

use super::display::Style;
use super::{json, stderr};
use crate::base::shown::Shown;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a fatal error has been told already.
static TOLD: AtomicBool = AtomicBool::new(false);

/// Prints the error that ends the program on stderr, as text or, in JSON style, as a `fatal`
/// event. Does nothing when a display has shown a fatal event before, so that the last stop before
/// the exit code may always call it.
pub fn print_fatal(style: Style, message: &str) {
    if TOLD.swap(true, Ordering::SeqCst) {
        return;
    }
    tracing::error!("{message}");
    match style {
        Style::Json => stderr::write_line(&json::fatal(message)),
        _ => stderr::write_line(&error_text(message)),
    }
}

/// Remembers that the fatal error is being told.
pub(super) fn mark_told() {
    TOLD.store(true, Ordering::SeqCst);
}

/// `error: …`, further lines (an engine's last words, a list of faults) kept as lines.
pub(super) fn error_text(message: &str) -> String {
    let lines = message.trim_end().lines();
    let lines: Vec<String> = lines.map(|line| line.shown().to_string()).collect();
    format!("error: {}", lines.join("\n"))
}
