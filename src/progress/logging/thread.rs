//! The thread that writes the log, and the way lines reach it.

use super::{RotatingFile, report_fault};
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, channel, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;
use tracing_subscriber::fmt::MakeWriter;

/// Lines that may wait. When the disk is that far behind, those who log wait: no line is dropped.
const WAITING: usize = 16 * 1024;
/// Bytes written at once.
const BATCH: usize = 64 * 1024;
/// How long the end of the program waits for a disk that does not answer.
const PATIENCE: Duration = Duration::from_secs(10);

enum Message {
    Line(Vec<u8>),
    End,
}

/// Keeps the log open. Dropping it writes what is waiting.
pub struct LogGuard {
    lines: SyncSender<Message>,
    thread: Option<JoinHandle<()>>,
    ended: Receiver<()>,
}

impl Drop for LogGuard {
    fn drop(&mut self) {
        let _ = self.lines.send(Message::End);
        let waited = self.ended.recv_timeout(PATIENCE);
        if let Some(thread) = self.thread.take()
            && !matches!(waited, Err(RecvTimeoutError::Timeout))
        {
            let _ = thread.join();
        }
    }
}

/// Starts the thread.
pub(super) fn spawn(file: RotatingFile) -> io::Result<(Lines, LogGuard)> {
    let (lines, inbox) = sync_channel(WAITING);
    let (end, ended) = channel();
    let thread = std::thread::Builder::new()
        .name("log".to_owned())
        .spawn(move || {
            write_all(file, &inbox);
            let _ = end.send(());
        })?;
    let guard = LogGuard {
        lines: lines.clone(),
        thread: Some(thread),
        ended,
    };
    Ok((Lines(lines), guard))
}

fn write_all(mut file: RotatingFile, inbox: &Receiver<Message>) {
    let mut batch = Vec::with_capacity(BATCH);
    let mut lost = 0;
    let mut is_open = true;
    while is_open && let Ok(Message::Line(line)) = inbox.recv() {
        batch.clear();
        batch.extend_from_slice(&line);
        while batch.len() < BATCH {
            match inbox.try_recv() {
                Ok(Message::Line(line)) => batch.extend_from_slice(&line),
                Ok(Message::End) => {
                    is_open = false;
                    break;
                }
                Err(_) => break,
            }
        }
        lost = write_batch(&mut file, &batch, lost);
    }
}

/// Writes the lines; returns how many are missing in the log by now.
fn write_batch(file: &mut RotatingFile, batch: &[u8], lost: u64) -> u64 {
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
            lost + count_lines(batch)
        }
    }
}

fn count_lines(batch: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', batch).count() as u64
}

/// Where `tracing` writes its events to.
pub(super) struct Lines(SyncSender<Message>);

impl<'a> MakeWriter<'a> for Lines {
    type Writer = OneEvent<'a>;

    fn make_writer(&'a self) -> OneEvent<'a> {
        OneEvent {
            text: Vec::new(),
            lines: &self.0,
        }
    }
}

/// Collects one event and sends it as one line.
pub(super) struct OneEvent<'a> {
    text: Vec<u8>,
    lines: &'a SyncSender<Message>,
}

impl Write for OneEvent<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for OneEvent<'_> {
    fn drop(&mut self) {
        let text = self.text.strip_suffix(b"\n").unwrap_or(&self.text);
        if text.is_empty() {
            return;
        }
        let _ = self.lines.send(Message::Line(as_line(text)));
    }
}

/// One event is one line: line ends inside it (an engine's words) are spelled out.
fn as_line(text: &[u8]) -> Vec<u8> {
    let mut line = Vec::with_capacity(text.len() + 1);
    for &byte in text {
        match byte {
            b'\n' => line.extend_from_slice(b"\\n"),
            b'\r' => line.extend_from_slice(b"\\r"),
            byte => line.push(byte),
        }
    }
    line.push(b'\n');
    line
}
