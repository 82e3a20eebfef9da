//! A bug in rdg while a run is shown: told like any other event, not printed across the
//! dashboard or between JSON lines.

use super::display::Message;
use super::event::{Event, Snapshot};
use crate::base::shown::Shown;
use std::any::Any;
use std::panic::{self, PanicHookInfo};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, Once, PoisonError};

/// Where the present display listens.
static LISTENER: Mutex<Option<Sender<Message>>> = Mutex::new(None);

static INSTALL: Once = Once::new();

/// From now on faults are told to this listener; without one they are printed as usual.
pub(super) fn tell(listener: Option<Sender<Message>>) {
    INSTALL.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let sentence = sentence(info);
            tracing::error!("{sentence}");
            // Not waited for: the fault may have come up in the midst of a change.
            let listener = LISTENER.try_lock().ok().and_then(|it| it.clone());
            let is_told = listener.is_some_and(|listener| {
                let event = (Event::Warning(sentence), Snapshot::default());
                listener.send(Message::Event(Box::new(event))).is_ok()
            });
            if !is_told {
                usual(info);
            }
        }));
    });
    *LISTENER.lock().unwrap_or_else(PoisonError::into_inner) = listener;
}

fn sentence(info: &PanicHookInfo<'_>) -> String {
    let thread = std::thread::current();
    let name = thread.name().unwrap_or("a thread");
    let place = info
        .location()
        .map(|place| format!(" at {place}"))
        .unwrap_or_default();
    let words = payload(info.payload()).shown().to_string();
    format!("bug in rdg in {name}{place}: {words}; please report it")
}

fn payload(payload: &dyn Any) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no words")
}
