//! The log file: what happened, with time stamps, for whoever looks next week.
//!
//! Everybody logs with the macros of `tracing`. [`start`] sends what they say to a file, one event
//! per line, through a thread of its own, so that nobody waits for the disk. `RUST_LOG` chooses
//! what is kept (`info` by default). Knows nothing of what is logged.

mod error;
mod rotate;
mod thread;

pub use error::LogError;
pub use rotate::{LogOptions, RotatingFile};
pub use thread::LogGuard;

use std::fmt;
use std::sync::{Mutex, PoisonError};
use tracing_subscriber::filter::{EnvFilter, LevelFilter};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;

/// What went wrong with the log since somebody asked.
static FAULT: Mutex<Option<String>> = Mutex::new(None);

/// Opens the log file and sends every event to it until the guard is dropped, which writes what is
/// still on its way. Once per process.
///
/// # Errors
/// When the file cannot be opened for appending, or `RUST_LOG` cannot be understood.
pub fn start(options: &LogOptions) -> Result<LogGuard, LogError> {
    let words = std::env::var_os("RUST_LOG").unwrap_or_default();
    let words = words.to_string_lossy();
    let filter = EnvFilter::builder()
        .with_default_directive(LevelFilter::INFO.into())
        .parse(&words)
        .map_err(|source| LogError::Filter {
            words: words.to_string().into(),
            source,
        })?;
    let file = RotatingFile::open(options)?;
    let (lines, guard) = thread::spawn(file);
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(lines)
        .with_ansi(false)
        .with_timer(LocalTime)
        .try_init()
        .map_err(|_| LogError::StartedTwice)?;
    Ok(guard)
}

/// Takes the sentence that says why the log is incomplete, if a fault has come up since the last
/// call. The first fault is kept; writing goes on as soon as it can.
pub fn take_fault() -> Option<String> {
    FAULT.lock().unwrap_or_else(PoisonError::into_inner).take()
}

fn report_fault(sentence: String) {
    let mut first = FAULT.lock().unwrap_or_else(PoisonError::into_inner);
    first.get_or_insert(sentence);
}

/// The time on the wall with its distance from UTC.
struct LocalTime;

impl FormatTime for LocalTime {
    fn format_time(&self, writer: &mut Writer<'_>) -> fmt::Result {
        let now = crate::base::clock::local();
        write!(writer, "{}", now.strftime("%Y-%m-%dT%H:%M:%S%.3f%:z"))
    }
}
