//! A running engine: write, wait, read, end.

use super::ending::Life;
use super::lines::{Lines, MAX_LINE};
use super::stderr_log::StderrLog;
use super::tail::{Tail, excerpt};
use super::{exit, spawn};
use crate::base::stop::{Stop, StopGuard};
use crate::engine::EngineError;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::{Errno, read, write};
use std::borrow::Cow;
use std::ffi::OsString;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long an engine may take to end after `quit`.
const QUIT_GRACE: Duration = Duration::from_millis(250);
/// How long an engine that closed its output may take to end, so that its status can be told.
const EXIT_GRACE: Duration = Duration::from_millis(500);
/// How long only the pipes are watched, before the process itself is too: each thing watched makes
/// a wait longer, and a quick answer spares this one.
const BRIEF: Duration = Duration::from_millis(20);
/// How much of stderr is read at a time. A flood there must not keep us from the answer.
const STDERR_CHUNK: usize = 1 << 14;

/// What is started.
#[derive(Clone, Debug)]
pub(crate) struct CommandLine {
    /// Name in app.toml, for messages.
    pub engine: String,
    /// Absolute path.
    pub program: PathBuf,
    /// Everything after the program's name.
    pub args: Vec<OsString>,
    /// Variables added to our environment.
    pub env: Vec<(OsString, OsString)>,
    /// Working folder.
    pub folder: PathBuf,
    /// What the engine is told to make it end, line end included.
    pub quit: &'static str,
}

/// What an engine is busy with while we wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Task {
    /// Loading, and answering the first questions.
    Starting,
    /// Choosing a move.
    Choosing,
    /// Scoring moves.
    Scoring,
}

impl Task {
    const fn gerund(self) -> &'static str {
        match self {
            Task::Starting => "starting",
            Task::Choosing => "choosing a move",
            Task::Scoring => "scoring moves",
        }
    }
}

/// Until when an answer is awaited.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    until: Instant,
    allowed: Duration,
    task: Task,
}

impl Deadline {
    /// `allowed` from now on.
    pub(crate) fn after(allowed: Duration, task: Task) -> Deadline {
        let now = Instant::now();
        Deadline {
            // A deadline too far away for the clock is none.
            until: now
                .checked_add(allowed)
                .unwrap_or(now + Duration::from_secs(u32::MAX.into())),
            allowed,
            task,
        }
    }

    /// The same, but no later than `allowed` from now on.
    pub(crate) fn at_latest_after(self, allowed: Duration) -> Deadline {
        let other = Deadline::after(allowed, self.task);
        match other.until < self.until {
            true => other,
            false => self,
        }
    }
}

/// A child process that is spoken to in lines. Dropping it ends it.
pub(crate) struct Process {
    engine: String,
    quit: &'static str,
    stdin: OwnedFd,
    stdout: OwnedFd,
    /// `None` once the engine has closed it.
    stderr: Option<OwnedFd>,
    lines: Lines,
    tail: Tail,
    /// What it has said on stdout, until it has started: for the message if it does not.
    said: Option<Tail>,
    log: StderrLog,
    /// It has been asked something and has not answered.
    is_thinking: bool,
    /// It has not answered for [`BRIEF`].
    is_slow: bool,
    life: Arc<Life>,
    stop: Stop,
    _kill_on_stop: StopGuard,
}

impl Process {
    /// Starts it. It is killed when `stop` is requested, which ends every wait for it.
    pub(crate) fn spawn(line: &CommandLine, stop: &Stop) -> Result<Process, EngineError> {
        let mut child = spawn::spawn(line)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let life = Arc::new(Life::new(child));
        let killed = Arc::clone(&life);
        let kill_on_stop = stop.on_request(move || killed.kill());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            unreachable!("all three were asked for as pipes");
        };
        let process = Process {
            engine: line.engine.clone(),
            quit: line.quit,
            stdin: stdin.into(),
            stdout: stdout.into(),
            stderr: Some(stderr.into()),
            lines: Lines::default(),
            tail: Tail::default(),
            said: Some(Tail::default()),
            log: StderrLog::default(),
            is_thinking: false,
            is_slow: false,
            life,
            stop: stop.clone(),
            _kill_on_stop: kill_on_stop,
        };
        for pipe in [&process.stdin, &process.stdout]
            .into_iter()
            .chain(&process.stderr)
        {
            // Each end of a pipe has its own flags: the engine's ends stay blocking.
            fcntl_getfl(pipe)
                .and_then(|flags| fcntl_setfl(pipe, flags | OFlags::NONBLOCK))
                .map_err(|error| EngineError::CannotStart {
                    engine: line.engine.clone(),
                    reason: format!("its pipes cannot be prepared: {error}").into(),
                })?;
        }
        Ok(process)
    }

    /// Name in app.toml.
    pub(crate) fn engine(&self) -> &str {
        &self.engine
    }

    /// Process id.
    pub(crate) fn id(&self) -> u32 {
        self.life.id()
    }

    /// It has started: from now on its answers need not be kept.
    pub(crate) fn started(&mut self) {
        self.said = None;
    }

    /// An error of its start, with what it did say.
    pub(crate) fn quoting(&self, error: EngineError) -> EngineError {
        let said = self.last_words();
        let engine = self.engine.clone();
        let reason = match error {
            EngineError::CannotStart { reason, .. } => reason,
            error @ EngineError::IllegalMove { .. } => error.to_string().into(),
            other => return other,
        };
        let reason = match said.is_empty() || reason.raw().contains("; it said: ") {
            true => reason,
            false => format!("{reason}; it said: {said}").into(),
        };
        EngineError::CannotStart { engine, reason }
    }

    /// Its last words on stderr and, while it starts, on stdout.
    fn last_words(&self) -> String {
        let complaint = self.tail.text();
        let said = self.said.as_ref().map(Tail::text).unwrap_or_default();
        let unfinished = match self.said {
            Some(_) => excerpt(self.lines.unfinished()),
            None => String::new(),
        };
        let said: Vec<String> = [said, unfinished]
            .into_iter()
            .filter(|text| !text.is_empty())
            .collect();
        match (complaint.is_empty(), said.is_empty()) {
            (_, true) => complaint,
            (true, false) => said.join(" / "),
            (false, false) => format!("{complaint} (on stdout: {})", said.join(" / ")),
        }
    }

    /// From now on a line on stderr with one of these texts raises the alarm.
    pub(crate) fn watch_stderr_for(&mut self, alarming: &'static [&'static str]) {
        self.tail.watch_for(alarming);
    }

    /// The alarming line, if one has come with or before the lines read so far.
    pub(crate) fn take_alarm(&mut self) -> Option<String> {
        self.tail.take_alarm()
    }

    /// Hands over all of `commands`; an answer is expected, see [`Process::answered`]. While the
    /// engine does not take them in, what it writes is read, so that it never waits for us.
    pub(crate) fn send(&mut self, commands: &[u8], deadline: &Deadline) -> Result<(), EngineError> {
        if self.stop.is_requested() {
            return Err(EngineError::Stopped);
        }
        self.is_thinking = true;
        self.is_slow = false;
        let mut rest = commands;
        while !rest.is_empty() {
            match write(&self.stdin, rest) {
                Ok(count) => rest = &rest[count..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => self.wait(deadline, Wanted::Room)?,
                // It has closed its input, most likely by ending.
                Err(_) => return Err(self.exited(deadline.task)),
            }
        }
        Ok(())
    }

    /// The engine has answered what it was asked: it is idle.
    pub(crate) fn answered(&mut self) {
        self.is_thinking = false;
    }

    /// The next line of the answer without its line end, as soon as it is there. Blanks around it
    /// are gone; it may be empty. Bytes that are no text are replaced, but a line with a NUL in it
    /// comes from no engine that works.
    pub(crate) fn line(&mut self, deadline: &Deadline) -> Result<Cow<'_, str>, EngineError> {
        let found = loop {
            if let Some(range) = self.lines.next_line() {
                break range;
            }
            if self.lines.unfinished().len() > MAX_LINE {
                return Err(self.unintelligible(self.lines.unfinished()));
            }
            self.wait(deadline, Wanted::Output)?;
        };
        let line = self.lines.bytes(found).trim_ascii();
        if let Some(said) = &mut self.said {
            said.push(line);
            said.push(b"\n");
        }
        if line.contains(&0) {
            return Err(self.unintelligible(line));
        }
        Ok(String::from_utf8_lossy(line))
    }

    /// A line that nobody has asked for, if one has come. Without `looking` only what has been read
    /// already is searched, which spares a system call; never waits.
    pub(crate) fn unasked_line(
        &mut self,
        looking: bool,
    ) -> Result<Option<Cow<'_, str>>, EngineError> {
        let found = loop {
            if let Some(range) = self.lines.next_line() {
                break range;
            }
            if self.lines.unfinished().len() > MAX_LINE {
                return Err(self.unintelligible(self.lines.unfinished()));
            }
            if !looking {
                return Ok(None);
            }
            match read(&self.stdout, self.lines.space()) {
                Ok(0) | Err(Errno::AGAIN) => return Ok(None),
                Ok(count) => self.lines.filled(count),
                Err(Errno::INTR) => {}
                Err(_) => return Ok(None),
            }
        };
        let line = self.lines.bytes(found).trim_ascii();
        Ok(Some(String::from_utf8_lossy(line)))
    }

    /// An answer that is no answer.
    pub(crate) fn unintelligible(&self, answer: &[u8]) -> EngineError {
        EngineError::Unintelligible {
            engine: self.engine.clone(),
            answer: excerpt(&answer[..answer.len().min(400)]).into(),
            stderr: self.last_words().into(),
        }
    }

    /// It has shown that its board is not the game's.
    pub(crate) fn out_of_step(&self, what: String) -> EngineError {
        EngineError::OutOfStep {
            engine: self.engine.clone(),
            what: what.into(),
            stderr: self.last_words().into(),
        }
    }

    /// It was asked for scores, and this is wrong with what it said.
    pub(crate) fn bad_scores(&self, what: &str) -> EngineError {
        EngineError::BadScores {
            engine: self.engine.clone(),
            what: excerpt(what.as_bytes()).into(),
            stderr: self.tail.text().into(),
        }
    }

    /// Waits until there is something to read (or room to write), reads it, and watches the
    /// deadline. Returns early and often; callers ask again.
    fn wait(&mut self, deadline: &Deadline, wanted: Wanted) -> Result<(), EngineError> {
        let left = deadline.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(self.timed_out(deadline));
        }
        // The order matters: the system looks at stdout first. Whatever an engine says on stderr
        // before it answers is therefore seen together with the answer at the latest. The process
        // itself is watched because its output may stay open after its end, held by something
        // that it forked. What is not there is replaced by stdout, and not asked for.
        let stdout = self.stdout.as_fd();
        let room = (wanted == Wanted::Room).then(|| self.stdin.as_fd());
        let mut fds = [
            PollFd::from_borrowed_fd(stdout, PollFlags::IN),
            watched(self.stderr.as_ref().map(AsFd::as_fd), PollFlags::IN, stdout),
            watched(self.life.pidfd(), PollFlags::IN, stdout),
            watched(room, PollFlags::OUT, stdout),
        ];
        let (watched, patience) = match self.is_slow || wanted == Wanted::Room {
            true => (&mut fds[..], left),
            false => (&mut fds[..2], left.min(BRIEF)),
        };
        match poll(watched, Timespec::try_from(patience).ok().as_ref()) {
            Ok(0) => self.is_slow = true,
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => {
                return Err(EngineError::Exited {
                    engine: self.engine.clone(),
                    during: deadline.task.gerund().to_owned(),
                    how: format!("its pipes cannot be watched: {error}").into(),
                    stderr: self.tail.text().into(),
                });
            }
        }
        let [output, complaint, ended, _] = fds.map(|fd| !fd.revents().is_empty());
        let ended = ended && self.life.pidfd().is_some();
        if complaint {
            self.read_stderr();
        }
        if output || ended {
            return match read(&self.stdout, self.lines.space()) {
                Ok(0) => Err(self.exited(deadline.task)),
                Ok(count) => {
                    self.lines.filled(count);
                    Ok(())
                }
                Err(Errno::AGAIN) if ended => Err(self.exited(deadline.task)),
                Err(Errno::AGAIN | Errno::INTR) => Ok(()),
                Err(_) => Err(self.exited(deadline.task)),
            };
        }
        Ok(())
    }

    fn read_stderr(&mut self) {
        let Some(stderr) = &self.stderr else { return };
        let mut buffer = [0; STDERR_CHUNK];
        match read(stderr, &mut buffer) {
            Ok(0) => self.stderr = None,
            Ok(count) => {
                self.tail.push(&buffer[..count]);
                self.log.push(&self.engine, &buffer[..count]);
            }
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(_) => self.stderr = None,
        }
    }

    /// What it has still said on stdout before it ended.
    fn read_rest(&mut self) {
        for _ in 0..64 {
            match read(&self.stdout, self.lines.space()) {
                Ok(0) | Err(_) => break,
                Ok(count) => self.lines.filled(count),
            }
            if self.lines.unfinished().len() > MAX_LINE {
                break;
            }
        }
        while let Some(found) = self.lines.next_line() {
            if let Some(said) = &mut self.said {
                said.push(self.lines.bytes(found));
                said.push(b"\n");
            }
        }
    }

    fn timed_out(&mut self, deadline: &Deadline) -> EngineError {
        if self.stop.is_requested() {
            return EngineError::Stopped;
        }
        let (engine, after, stderr) = (self.engine.clone(), deadline.allowed, self.last_words());
        match deadline.task {
            Task::Starting => EngineError::StartTimedOut {
                engine,
                after,
                stderr: stderr.into(),
            },
            Task::Choosing | Task::Scoring => EngineError::TimedOut {
                engine,
                after,
                stderr: stderr.into(),
            },
        }
    }

    /// It has ended or closed its output: finds out how, and collects its last words.
    fn exited(&mut self, task: Task) -> EngineError {
        let ended = self.life.wait(EXIT_GRACE);
        if ended.is_none() {
            self.life.end_now();
        }
        if self.stop.is_requested() {
            return EngineError::Stopped;
        }
        // What is still in the pipe; a forked child that holds it open is dead by now.
        for _ in 0..64 {
            if self.stderr.is_none() {
                break;
            }
            self.read_stderr();
        }
        if self.said.is_some() {
            self.read_rest();
        }
        EngineError::Exited {
            engine: self.engine.clone(),
            during: task.gerund().to_owned(),
            how: match ended {
                Some(status) => exit::describe(status).into(),
                None => "it closed its output but went on running".into(),
            },
            stderr: self.last_words().into(),
        }
    }
}

fn watched<'a>(
    fd: Option<BorrowedFd<'a>>,
    flags: PollFlags,
    stand_in: BorrowedFd<'a>,
) -> PollFd<'a> {
    match fd {
        Some(fd) => PollFd::from_borrowed_fd(fd, flags),
        None => PollFd::from_borrowed_fd(stand_in, PollFlags::empty()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Output,
    Room,
}

impl Drop for Process {
    /// Asks an idle engine to quit and gives it a moment; a thinking one would not listen, so it
    /// is killed. Its input stays open until then: some engines spin when it closes.
    fn drop(&mut self) {
        let asked = !self.is_thinking
            && !self.stop.is_requested()
            && write(&self.stdin, self.quit.as_bytes()) == Ok(self.quit.len());
        if !(asked && self.life.wait(QUIT_GRACE).is_some()) {
            self.life.end_now();
        }
    }
}
