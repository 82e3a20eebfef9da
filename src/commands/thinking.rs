//! One line on a terminal that says who is thinking, and how long already. It appears where stderr is
//! a terminal and the answer takes longer than a moment, and is gone when the answer is there.

use super::display::stderr_can_redraw;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Answers that come before this are not announced.
const MOMENT: Duration = Duration::from_millis(500);

/// Runs `work` while the terminal says that `who` is thinking.
pub(super) fn while_thinking<T>(who: &str, work: impl FnOnce() -> T) -> T {
    if !stderr_can_redraw() {
        return work();
    }
    std::thread::scope(|scope| {
        let (done, is_done) = channel::<()>();
        scope.spawn(move || {
            if is_done.recv_timeout(MOMENT) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
            if let Ok(style) = ProgressStyle::with_template("{msg} is thinking, {elapsed}") {
                line.set_style(style);
            }
            line.set_message(who.to_owned());
            line.set_elapsed(MOMENT);
            line.enable_steady_tick(Duration::from_millis(250));
            // Ends when the other end is dropped, after a panic too.
            let _ = is_done.recv();
            line.finish_and_clear();
        });
        let answer = work();
        drop(done);
        answer
    })
}
