//! Shows a run while it goes on: decides how, and owns the one thread that draws.
//!
//! A run speaks into [`Progress`]; the thread looks at its counters once per interval. Events are
//! handed over through a channel, so that a slow or stuck terminal never holds up the work.

use super::estimate::Estimator;
use super::event::{Event, Progress, RunInfo, Sink, Snapshot};
use super::numbers::Numbers;
use super::{fatal, json, lines, log, stderr};
use crate::logging;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The counters are looked at this often, however rarely they are shown: the rate over the last
/// minute needs them.
const LOOK: Duration = Duration::from_secs(1);

/// The log gets the counters this often.
const LOG: Duration = Duration::from_secs(60);

/// How long the end of a run waits for somebody who does not read what is shown.
const PATIENCE: Duration = Duration::from_secs(3);

/// How a run is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Redraws in place on a terminal.
    Dashboard,
    /// One `key=value` line per interval.
    Lines,
    /// One JSON object per interval and event.
    Json,
    /// Not at all.
    Silent,
}

/// What the command line says about showing a run.
#[derive(Clone, Debug)]
pub struct DisplayOptions {
    /// How.
    pub style: Style,
    /// Whether colours are allowed.
    pub color: bool,
    /// Whether emoji are allowed.
    pub emoji: bool,
    /// Time between two updates, > 0.
    pub interval: Duration,
}

enum Message {
    Event(Box<(Event, Snapshot)>),
    End,
}

/// A run that is being shown. Dropping it ends the showing and leaves the terminal in order.
pub struct Display {
    progress: Arc<Progress>,
    messages: Sender<Message>,
    thread: Option<JoinHandle<()>>,
    ended: Receiver<()>,
}

impl Display {
    /// Begins to show a run and announces it. Where no thread can be had, the run goes unseen.
    pub fn start(options: &DisplayOptions, info: RunInfo) -> Display {
        let (messages, inbox) = channel();
        let (end, ended) = channel();
        let progress = Arc::new(Progress::new(vec![Box::new(Handover(Mutex::new(
            messages.clone(),
        )))]));
        let renderer = Renderer {
            options: options.clone(),
            progress: progress.clone(),
            began: Instant::now(),
            estimator: Estimator::new(info.mode),
        };
        let thread = std::thread::Builder::new()
            .name("display".to_owned())
            .spawn(move || {
                renderer.run(&inbox);
                let _ = end.send(());
            })
            .ok();
        progress.emit(Event::Start(info));
        Display {
            progress,
            messages,
            thread,
            ended,
        }
    }

    /// What the run speaks into.
    pub fn progress(&self) -> Arc<Progress> {
        self.progress.clone()
    }

    /// Shows the last state and ends. The same as dropping it, by a name.
    pub fn finish(self) {}
}

impl Drop for Display {
    fn drop(&mut self) {
        let Some(thread) = self.thread.take() else {
            return;
        };
        let _ = self.messages.send(Message::End);
        // A reader that has stopped reading (a paused pager) must not keep the program alive.
        match self.ended.recv_timeout(PATIENCE) {
            Ok(()) | Err(RecvTimeoutError::Disconnected) => {
                let _ = thread.join();
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Hands events to the thread that draws.
struct Handover(Mutex<Sender<Message>>);

impl Sink for Handover {
    fn event(&self, event: &Event, now: &Snapshot) {
        if let Event::Fatal(_) = event {
            fatal::mark_told();
        }
        log::event(event);
        let message = Message::Event(Box::new((event.clone(), now.clone())));
        let sender = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = sender.send(message);
    }
}

/// What the thread holds.
struct Renderer {
    options: DisplayOptions,
    progress: Arc<Progress>,
    began: Instant,
    estimator: Estimator,
}

impl Renderer {
    fn run(mut self, inbox: &Receiver<Message>) {
        let mut next_show = self.began + self.options.interval;
        let mut next_look = self.began;
        let mut next_log = self.began + LOG;
        loop {
            let now = Instant::now();
            if now >= next_look {
                self.estimator
                    .observe(self.began.elapsed(), &self.progress.snapshot());
                if let Some(fault) = logging::take_fault() {
                    self.event(&Event::Warning(fault), &self.progress.snapshot());
                }
                next_look = now + LOOK;
            }
            if now >= next_log {
                let now = self.progress.snapshot();
                log::progress(&now, &Numbers::new(&now, self.estimator.estimate(&now)));
                next_log += LOG;
            }
            if now >= next_show {
                self.show();
                // Counted from when it was due, so that the beat does not drift; beats that a slow
                // terminal missed are left out.
                next_show += self.options.interval;
                if next_show <= now {
                    next_show = now + self.options.interval;
                }
            }
            let due = next_show.min(next_look).min(next_log);
            match inbox.recv_timeout(due.saturating_duration_since(Instant::now())) {
                Ok(Message::Event(message)) => self.event(&message.0, &message.1),
                Ok(Message::End) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn show(&mut self) {
        let now = self.progress.snapshot();
        self.estimator.observe(self.began.elapsed(), &now);
        let numbers = Numbers::new(&now, self.estimator.estimate(&now));
        match self.options.style {
            Style::Json => stderr::write_line(&json::progress(&now, &numbers)),
            Style::Lines | Style::Dashboard => {
                stderr::write_line(&lines::progress(&now, &numbers));
            }
            Style::Silent => {}
        }
    }

    fn event(&mut self, event: &Event, now: &Snapshot) {
        self.estimator.observe(self.began.elapsed(), now);
        match self.options.style {
            Style::Json => stderr::write_line(&json::event(event, self.began.elapsed())),
            Style::Lines | Style::Dashboard => stderr::write_line(&lines::event(event)),
            Style::Silent => {}
        }
    }
}
