//! One line on a terminal that says how far the reading of large files has come. It appears where
//! stderr is a terminal and the work takes longer than a moment, and is gone when the work is done.

use crate::dataset::watch::Watch;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Work that is done before this is not talked about.
const MOMENT: Duration = Duration::from_millis(500);

/// Shows how many bytes have been read.
pub(super) struct Meter {
    bar: ProgressBar,
    /// When to begin to show it; `None`: begun, or never.
    begin: Mutex<Option<Instant>>,
}

impl Meter {
    /// For the command of this name. Nothing is drawn yet, and nothing at all where it is not
    /// `wanted` or stderr cannot redraw.
    pub(super) fn start(command: &'static str, wanted: bool) -> Meter {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden());
        let template =
            "{prefix} {percent}% of {binary_total_bytes}, {binary_bytes_per_sec}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_prefix(command);
        Meter {
            bar,
            begin: Mutex::new(wanted.then(|| Instant::now() + MOMENT)),
        }
    }
}

impl Meter {
    /// Takes the line away.
    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl Watch for Meter {
    fn expect(&self, bytes: u64) {
        self.bar.inc_length(bytes);
    }

    fn read(&self, bytes: u64) {
        self.bar.inc(bytes);
        let mut begin = self.begin.lock().unwrap_or_else(PoisonError::into_inner);
        if begin.is_some_and(|begin| Instant::now() >= begin) {
            *begin = None;
            self.bar
                .set_draw_target(ProgressDrawTarget::stderr_with_hz(5));
        }
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
