//! The one way in which a run is told to stop.
//!
//! Whoever handles signals (or a fatal error) calls [`Stop::request`]; everybody who works in a
//! loop asks [`Stop::is_requested`]. A thread that waits on an engine process needs no wake-up of
//! its own: it registers the process here, and the request kills it, which ends the wait.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A shared flag with actions to run when it is raised. Clones share the flag.
#[derive(Clone, Default)]
pub struct Stop(Arc<Shared>);

#[derive(Default)]
struct Shared {
    requested: AtomicBool,
    actions: Mutex<Actions>,
}

#[derive(Default)]
struct Actions {
    next: u64,
    by_id: BTreeMap<u64, Box<dyn Fn() + Send>>,
}

impl Stop {
    /// A flag that is not raised.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Whether the run is to stop. Cheap enough for an inner loop.
    #[inline]
    pub fn is_requested(&self) -> bool {
        self.0.requested.load(Ordering::Relaxed)
    }

    /// The bare flag, for a search that polls it.
    pub fn flag(&self) -> &AtomicBool {
        &self.0.requested
    }

    /// Raises the flag and runs every registered action once. Never call it inside a signal
    /// handler: it takes a lock.
    pub fn request(&self) {
        self.0.requested.store(true, Ordering::SeqCst);
        let actions = std::mem::take(&mut self.actions().by_id);
        for action in actions.values() {
            action();
        }
    }

    /// Runs `action` when the stop is requested, at once if it has been already. Dropping the
    /// returned guard takes the action back.
    pub fn on_request(&self, action: impl Fn() + Send + 'static) -> StopGuard {
        let mut actions = self.actions();
        let id = actions.next;
        actions.next += 1;
        // Asked under the lock: a request that comes later finds the action in the list.
        if self.is_requested() {
            drop(actions);
            action();
        } else {
            actions.by_id.insert(id, Box::new(action));
        }
        StopGuard {
            stop: self.clone(),
            id,
        }
    }

    fn actions(&self) -> MutexGuard<'_, Actions> {
        self.0
            .actions
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Keeps an action of [`Stop::on_request`] registered.
pub struct StopGuard {
    stop: Stop,
    id: u64,
}

impl Drop for StopGuard {
    fn drop(&mut self) {
        self.stop.actions().by_id.remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

    #[test]
    fn actions_run_once_and_only_while_registered() {
        let stop = Stop::new();
        let count = Arc::new(AtomicU32::new(0));
        let counting = |n: u32| {
            let count = count.clone();
            move || {
                count.fetch_add(n, Ordering::SeqCst);
            }
        };
        let kept = stop.on_request(counting(1));
        drop(stop.on_request(counting(10)));
        stop.request();
        stop.request();
        assert!(stop.is_requested());
        drop(kept);
        let _late = stop.on_request(counting(100));
        assert_eq!(count.load(Ordering::SeqCst), 101);
    }
}
