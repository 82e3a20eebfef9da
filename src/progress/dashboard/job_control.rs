//! Ctrl+Z, coming back, and a window that changes its size.

use signal_hook::consts::{SIGCONT, SIGTSTP, SIGWINCH};
use signal_hook::iterator::{Handle, Signals};
use signal_hook::low_level::emulate_default_handler;
use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long a stop waits until the dashboard has made room.
const PATIENCE: Duration = Duration::from_millis(500);

/// What happened to the terminal.
pub(in crate::progress) enum Change {
    /// Another size.
    Resized,
    /// The process is about to be stopped; it is when this is answered (or dropped).
    Stopping(Sender<()>),
    /// The process runs again after this long.
    Continued(Duration),
}

/// Ends the watching when dropped.
pub(in crate::progress) struct Watch {
    handle: Handle,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.handle.close();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Tells of every change until the watch is dropped.
///
/// # Errors
/// When the system refuses a handler or a thread; Ctrl+Z then does what it always does.
pub(in crate::progress) fn watch(tell: impl Fn(Change) + Send + 'static) -> io::Result<Watch> {
    let mut signals = Signals::new([SIGTSTP, SIGCONT, SIGWINCH])?;
    let handle = signals.handle();
    let thread = std::thread::Builder::new()
        .name("terminal".to_owned())
        .spawn(move || {
            for signal in signals.forever() {
                match signal {
                    SIGTSTP => {
                        let (ready, answer): (_, Receiver<()>) = channel();
                        tell(Change::Stopping(ready));
                        let _ = answer.recv_timeout(PATIENCE);
                        let stopped = Instant::now();
                        let _ = emulate_default_handler(SIGTSTP);
                        tell(Change::Continued(stopped.elapsed()));
                    }
                    SIGCONT => tell(Change::Continued(Duration::ZERO)),
                    _ => tell(Change::Resized),
                }
            }
        })?;
    Ok(Watch {
        handle,
        thread: Some(thread),
    })
}
