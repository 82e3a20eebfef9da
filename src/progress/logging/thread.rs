//! The thread that writes the log (`tracing_appender`'s, bounded and without loss), and what it
//! writes into: whole lines, with a note where some are missing.

use super::{RotatingFile, report_fault};
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tracing_appender::non_blocking::{NonBlocking, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::fmt::MakeWriter;

/// Lines that may wait. When the disk is that far behind, those who log wait: no line is dropped.
const WAITING: usize = 16 * 1024;
/// Bytes after which a batch is written, however many lines are waiting.
const BATCH: usize = 64 * 1024;
/// How long the end of the program waits for a disk that does not answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often it looks meanwhile.
const LOOK: Duration = Duration::from_millis(2);

/// Keeps the log open. Dropping it writes what is waiting.
pub struct LogGuard {
    waiting: Arc<AtomicU64>,
    // Dropped after the wait: its own patience is a second.
    worker: Option<WorkerGuard>,
}

impl Drop for LogGuard {
    fn drop(&mut self) {
        let until = Instant::now() + PATIENCE;
        while self.waiting.load(Ordering::Acquire) > 0 && Instant::now() < until {
            std::thread::sleep(LOOK);
        }
        let left = self.waiting.load(Ordering::Acquire);
        if left > 0 {
            // The display has ended, and the log is what does not work.
            let _ = writeln!(
                io::stderr(),
                "warning: the log file does not take its lines; the last {left} are missing in it"
            );
        }
        drop(self.worker.take());
    }
}

/// Starts the thread.
pub(super) fn spawn(file: RotatingFile) -> (Lines, LogGuard) {
    let waiting = Arc::new(AtomicU64::new(0));
    let whole = WholeLines {
        file,
        batch: Vec::with_capacity(BATCH),
        batched: 0,
        lost: 0,
        waiting: waiting.clone(),
    };
    let (sender, worker) = NonBlockingBuilder::default()
        .lossy(false)
        .buffered_lines_limit(WAITING)
        .thread_name("log")
        .finish(whole);
    let guard = LogGuard {
        waiting: waiting.clone(),
        worker: Some(worker),
    };
    (Lines { sender, waiting }, guard)
}

/// Gathers lines into batches and writes them. The thread writes each event in one call, and
/// flushes when no more are waiting.
struct WholeLines {
    file: RotatingFile,
    batch: Vec<u8>,
    batched: u64,
    /// Lines that are missing in the log by now.
    lost: u64,
    waiting: Arc<AtomicU64>,
}

impl Write for WholeLines {
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        let text = event.strip_suffix(b"\n").unwrap_or(event);
        push_as_line(text, &mut self.batch);
        self.batched += 1;
        if self.batch.len() >= BATCH {
            self.flush()?;
        }
        Ok(event.len())
    }

    /// Never fails: what cannot be written is noted, and the run goes on.
    fn flush(&mut self) -> io::Result<()> {
        if self.batched > 0 {
            self.lost = write_batch(&mut self.file, &self.batch, self.lost, self.batched);
            self.waiting.fetch_sub(self.batched, Ordering::Release);
            self.batch.clear();
            self.batched = 0;
        }
        Ok(())
    }
}

/// Writes the lines; returns how many are missing in the log by now.
fn write_batch(file: &mut RotatingFile, batch: &[u8], lost: u64, lines: u64) -> u64 {
    let was_whole = lost == 0;
    let mut lost = lost;
    if lost > 0 {
        let note = format!("up to {lost} lines are missing here: the log could not be written\n");
        if file.append(note.as_bytes()).is_ok() {
            lost = 0;
        }
    }
    match file.append(batch) {
        Ok(()) => lost,
        Err(error) => {
            if was_whole {
                report_fault(format!(
                    "the log file cannot be written: {error}; the run goes on, lines are missing \
                     in the log"
                ));
            }
            lost + lines
        }
    }
}

/// One event is one line: line ends inside it (an engine's words) are spelled out.
fn push_as_line(text: &[u8], lines: &mut Vec<u8>) {
    for &byte in text {
        match byte {
            b'\n' => lines.extend_from_slice(b"\\n"),
            b'\r' => lines.extend_from_slice(b"\\r"),
            byte => lines.push(byte),
        }
    }
    lines.push(b'\n');
}

/// Where `tracing` writes its events to.
pub(super) struct Lines {
    sender: NonBlocking,
    waiting: Arc<AtomicU64>,
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = OneEvent<'a>;

    fn make_writer(&'a self) -> OneEvent<'a> {
        OneEvent(self)
    }
}

/// Counts an event and sends it.
pub(super) struct OneEvent<'a>(&'a Lines);

impl Write for OneEvent<'_> {
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        self.0.waiting.fetch_add(1, Ordering::Relaxed);
        self.0.sender.clone().write(event)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
