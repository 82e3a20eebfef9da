//! Signals that end a run: the first one asks it to stop, the second one ends it at once.
//!
//! The first SIGINT, SIGTERM or SIGHUP raises [`Stop`] from a thread of its own, since actions of a
//! stop take locks. The second one needs no thread: it puts the terminal right and ends the process
//! inside the handler, so that it works even when every thread is stuck. Engines die by their
//! parent-death signal then.
//!
//! A signal that was ignored when rdg started (`nohup`, a background job of a script) stays so.

use crate::stop::Stop;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals as SignalIterator;
use signal_hook::low_level;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicU16, Ordering};

/// The signals that end a run.
const ENDING: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

/// Rows of the dashboard from the cursor's row down; 0 while nothing is drawn.
static ROWS_DRAWN: AtomicU16 = AtomicU16::new(0);

/// Tells how many rows a dashboard has drawn from the cursor's row down (0: none), so that an end
/// inside a signal handler can leave the cursor below them.
pub fn set_rows_drawn(rows: u16) {
    ROWS_DRAWN.store(rows, Ordering::SeqCst);
}

/// The installed handlers. Clones ask the same memory.
#[derive(Clone)]
pub struct Signals {
    first: Arc<AtomicI32>,
}

impl Signals {
    /// Installs the handlers, once per process.
    ///
    /// # Errors
    /// When the system refuses a handler, a pipe or a thread.
    pub fn install(stop: &Stop) -> io::Result<Signals> {
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
    pub fn received(&self) -> Option<i32> {
        Some(self.first.load(Ordering::SeqCst)).filter(|&signal| signal != 0)
    }

    /// The exit code of a run that was stopped: 130 after SIGINT, 143 after SIGTERM, 129 after
    /// SIGHUP. `None` when no signal came.
    pub fn exit_code(&self) -> Option<u8> {
        self.received()
            .map(|signal| u8::try_from(128 + signal).unwrap_or(u8::MAX))
    }

    /// The name of the signal that asked the run to stop.
    pub fn name(&self) -> Option<&'static str> {
        low_level::signal_name(self.received()?)
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

/// Moves the cursor below the dashboard, if there is one and its terminal takes output now. Runs
/// inside a signal handler.
fn leave_terminal() {
    let rows = ROWS_DRAWN.swap(0, Ordering::SeqCst);
    if rows == 0 {
        return;
    }
    let stderr = rustix::stdio::stderr();
    let now = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    let mut ready = [PollFd::new(&stderr, PollFlags::OUT)];
    // A terminal that is held (Ctrl+S) would block the write, and the end with it.
    if !matches!(poll(&mut ready, Some(&now)), Ok(1)) {
        return;
    }
    let mut text = [0; 16];
    let _ = rustix::io::write(stderr, cursor_down(rows, &mut text));
}

/// The bytes that move the cursor to a fresh line below `rows` rows, composed without allocation.
fn cursor_down(rows: u16, text: &mut [u8; 16]) -> &[u8] {
    let mut length = 0;
    let mut put = |byte: u8| {
        text[length] = byte;
        length += 1;
    };
    if rows > 1 {
        put(0x1b);
        put(b'[');
        let down = rows - 1;
        for unit in [10_000, 1000, 100, 10, 1] {
            if down >= unit {
                put(b'0' + (down / unit % 10) as u8);
            }
        }
        put(b'B');
    }
    put(b'\r');
    put(b'\n');
    &text[..length]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_down_is_spelled_right() {
        let spell = |rows| {
            let mut text = [0; 16];
            String::from_utf8(cursor_down(rows, &mut text).to_vec()).expect("it is ASCII")
        };
        assert_eq!(spell(1), "\r\n");
        assert_eq!(spell(2), "\u{1b}[1B\r\n");
        assert_eq!(spell(15), "\u{1b}[14B\r\n");
        assert_eq!(spell(106), "\u{1b}[105B\r\n");
        assert_eq!(spell(u16::MAX), "\u{1b}[65534B\r\n");
    }

    #[test]
    fn a_signal_is_not_ignored_by_default() {
        assert!(!is_ignored(signal_hook::consts::SIGUSR2));
        // The Rust runtime ignores this one.
        assert!(is_ignored(signal_hook::consts::SIGPIPE));
    }
}
