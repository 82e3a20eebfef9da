//! Shows a run while it goes on: decides how, and owns the one thread that draws.
//!
//! A run speaks into [`Progress`]; the thread looks at its counters once per interval. Events are
//! handed over through a channel, so that a slow or stuck terminal never holds up the work.

use super::dashboard::{self, Change};
use super::event::{Event, Progress, RunInfo, Sink, Snapshot};
use super::renderer::Renderer;
use super::{fatal, log, panics};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

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
    /// The same after the first minute.
    pub later_interval: Duration,
}

/// What reaches the thread that draws.
pub(super) enum Message {
    /// Something happened, with the counters of that moment.
    Event(Box<(Event, Snapshot)>),
    /// The terminal has changed.
    Terminal(Change),
    /// The run is over.
    End,
}

/// A run that is being shown. Dropping it ends the showing and leaves the terminal in order.
pub struct Display {
    progress: Arc<Progress>,
    messages: Sender<Message>,
    thread: Option<JoinHandle<()>>,
    ended: Receiver<()>,
    watch: Option<dashboard::Watch>,
}

impl Display {
    /// Begins to show a run and announces it. Where no thread can be had, the run goes unseen.
    pub fn start(options: &DisplayOptions, info: RunInfo) -> Display {
        let (messages, inbox) = channel();
        let (end, ended) = channel();
        let progress = Arc::new(Progress::new(vec![Box::new(Handover(Mutex::new(
            messages.clone(),
        )))]));
        let renderer = Renderer::new(options, progress.clone(), &info);
        let watch = match options.style {
            Style::Dashboard => {
                let messages = Mutex::new(messages.clone());
                dashboard::watch(move |change| send(&messages, Message::Terminal(change))).ok()
            }
            _ => None,
        };
        progress.emit(Event::Start(info));
        panics::tell(Some(messages.clone()));
        let thread = std::thread::Builder::new()
            .name("display".to_owned())
            .spawn(move || {
                renderer.run(&inbox);
                let _ = end.send(());
            })
            .ok();
        Display {
            progress,
            messages,
            thread,
            ended,
            watch,
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
        panics::tell(None);
        drop(self.watch.take());
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
        send(&self.0, message);
    }
}

fn send(messages: &Mutex<Sender<Message>>, message: Message) {
    let messages = messages.lock().unwrap_or_else(PoisonError::into_inner);
    let _ = messages.send(message);
}
