//! Standard input as lines, read ahead on a thread of its own, so that a word can reach an engine
//! that is thinking.

use super::player::CurrentSearch;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, read};
use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// A longer line is no command; what goes beyond is dropped.
const MAX_LINE: usize = 1 << 16;

/// Commands that may wait while the engine thinks. Whoever sends more waits too: memory is finite,
/// and no program needs as many to be heard.
const QUEUE: usize = 256;

/// The lines of standard input, in order, until its end.
pub(super) struct Commands(Receiver<String>);

impl Commands {
    /// Begins to listen. With `interrupting`, the words `stop`, `ping` and `quit` end a search
    /// that is under way, as they do in Edax.
    pub(super) fn listen(interrupting: bool, search: CurrentSearch) -> io::Result<Commands> {
        let (sender, receiver) = sync_channel(QUEUE);
        std::thread::Builder::new()
            .name("listener".to_owned())
            .spawn(move || {
                listen(interrupting, &search, &sender);
                // The end of the lines, while this thread goes on watching.
                drop(sender);
                watch_output(&search);
            })?;
        Ok(Commands(receiver))
    }
}

impl Iterator for Commands {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        self.0.recv().ok()
    }
}

fn listen(interrupting: bool, search: &CurrentSearch, commands: &SyncSender<String>) {
    let mut line = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        match wait_and_read(&mut buffer) {
            Ok(0) | Err(_) => break,
            Ok(count) => {
                for piece in buffer[..count].split_inclusive(|&b| b == b'\n') {
                    let room = MAX_LINE.saturating_sub(line.len());
                    line.extend_from_slice(&piece[..piece.len().min(room)]);
                    if piece.ends_with(b"\n") && !pass_on(&mut line, interrupting, search, commands)
                    {
                        return;
                    }
                }
            }
        }
    }
    if !line.is_empty() {
        pass_on(&mut line, interrupting, search, commands);
    }
}

/// Hands a line over; `false` once nobody takes them any more.
fn pass_on(
    line: &mut Vec<u8>,
    interrupting: bool,
    search: &CurrentSearch,
    commands: &SyncSender<String>,
) -> bool {
    let text = String::from_utf8_lossy(line).trim().to_owned();
    line.clear();
    let word = text.split_whitespace().next().unwrap_or_default();
    if interrupting {
        match word.to_ascii_lowercase().as_str() {
            "stop" | "ping" => search.interrupt(),
            "quit" => search.close(),
            _ => {}
        }
    }
    commands.send(text).is_ok()
}

/// Reads from standard input once there is something; ends the process when its output has lost
/// its reader meanwhile, because then its driver is gone.
fn wait_and_read(buffer: &mut [u8]) -> Result<usize, Errno> {
    let (stdin, stdout) = (io::stdin(), io::stdout());
    loop {
        let mut fds = [
            PollFd::new(&stdin, PollFlags::IN),
            PollFd::new(&stdout, PollFlags::empty()),
        ];
        match poll(&mut fds, None) {
            Err(Errno::INTR) => continue,
            Err(error) => return Err(error),
            Ok(_) => {}
        }
        let [input, output] = fds.map(|fd| fd.revents());
        if output.intersects(PollFlags::ERR) {
            std::process::exit(0);
        }
        if input.is_empty() {
            continue;
        }
        match read(&stdin, &mut *buffer) {
            Err(Errno::INTR | Errno::AGAIN) => {}
            result => return result,
        }
    }
}

/// After the end of input. What was asked is still answered as long as somebody can read it; a
/// search that nobody waits for is not finished.
fn watch_output(search: &CurrentSearch) {
    let stdout = io::stdout();
    loop {
        let mut fds = [PollFd::new(&stdout, PollFlags::empty())];
        match poll(&mut fds, None) {
            Err(Errno::INTR) => {}
            Ok(_) if fds[0].revents().is_empty() => {}
            _ => break,
        }
    }
    search.close();
    std::process::exit(0);
}
