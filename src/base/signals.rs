//! Signals that end a run: the first one asks it to stop, the second one ends it at once.
//!
//! The first SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2 or SIGXCPU raises [`Stop`] from a thread of its own, since actions of a
//! stop take locks. The second one needs no thread: it puts the terminal right and ends the process
//! inside the handler, so that it works even when every thread is stuck. Engines die by their
//! parent-death signal then.
//!
//! A signal that was ignored when rdg started (`nohup`, a background job of a script) stays so.

use crate::base::stop::Stop;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ};
use signal_hook::iterator::Signals as SignalIterator;
use signal_hook::low_level;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

/// The signals that end a run; the last three are warnings of cluster schedulers.
const ENDING: [i32; 6] = [SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU];

/// Whether a dashboard has taken the terminal's alternate screen.
static SECOND_SCREEN: AtomicBool = AtomicBool::new(false);

/// Leaves the alternate screen; the main one is as it was before.
const LEAVE_SECOND_SCREEN: &[u8] = b"\x1b[?1049l";

/// Tells whether the terminal's alternate screen is in use, so that an end inside a signal handler
/// gives the first one back.
pub(crate) fn set_second_screen(is_in_use: bool) {
    SECOND_SCREEN.store(is_in_use, Ordering::SeqCst);
}

/// The installed handlers. Clones ask the same memory.
#[derive(Clone)]
pub(crate) struct Signals {
    first: Arc<AtomicI32>,
}

impl Signals {
    /// Installs the handlers, once per process.
    ///
    /// # Errors
    /// When the system refuses a handler, a pipe or a thread.
    pub(crate) fn install(stop: &Stop) -> io::Result<Signals> {
        let first = Arc::new(AtomicI32::new(0));
        let ending: Vec<i32> = ENDING.into_iter().filter(|&s| !is_ignored(s)).collect();
        for &signal in &ending {
            let first = first.clone();
            let action = move || {
                if first
                    .compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst)
                    .is_err()
                {
                    leave_terminal();
                    low_level::exit(128 + signal);
                }
            };
            // SAFETY: the action uses atomics, poll, write and _exit alone, all of which are
            // async-signal-safe; it takes no lock and allocates nothing.
            unsafe { low_level::register(signal, action) }?;
        }
        // A file that outgrows its limit shall be an error of the write, not the process' death.
        // SAFETY: the action does nothing.
        unsafe { low_level::register(SIGXFSZ, || {}) }?;
        let mut arriving = SignalIterator::new(&ending)?;
        let stop = stop.clone();
        std::thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || {
                for _ in arriving.forever() {
                    stop.request();
                }
            })?;
        Ok(Signals { first })
    }

    /// The first signal that asked the run to stop.
    pub(crate) fn received(&self) -> Option<i32> {
        Some(self.first.load(Ordering::SeqCst)).filter(|&signal| signal != 0)
    }

    /// The exit code of a run that was stopped: 130 after SIGINT, 143 after SIGTERM, 129 after
    /// SIGHUP, 138 after SIGUSR1, 140 after SIGUSR2, 152 after SIGXCPU. `None` when no signal came.
    pub(crate) fn exit_code(&self) -> Option<u8> {
        self.received()
            .map(|signal| u8::try_from(128 + signal).unwrap_or(u8::MAX))
    }
}

/// Whether whoever started this process wants `signal` to be ignored.
fn is_ignored(signal: i32) -> bool {
    let mut current = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: with no new action the call only fills `current`, which is of the right type; an
    // all-zero sigaction is a valid value in case it fails.
    let current = unsafe {
        libc::sigaction(signal, std::ptr::null(), current.as_mut_ptr());
        current.assume_init()
    };
    current.sa_sigaction == libc::SIG_IGN
}

/// Gives the terminal's first screen back, if a dashboard has taken the second one and the terminal
/// takes output now. Runs inside a signal handler.
fn leave_terminal() {
    if !SECOND_SCREEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let stderr = rustix::stdio::stderr();
    let now = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    let mut ready = [PollFd::new(&stderr, PollFlags::OUT)];
    // A terminal that is held (Ctrl+S) would block the write, and the end with it.
    if matches!(poll(&mut ready, Some(&now)), Ok(1)) {
        let _ = rustix::io::write(stderr, LEAVE_SECOND_SCREEN);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_is_not_ignored_by_default() {
        assert!(!is_ignored(signal_hook::consts::SIGUSR2));
        // The Rust runtime ignores this one.
        assert!(is_ignored(signal_hook::consts::SIGPIPE));
    }
}
