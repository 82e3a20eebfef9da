//! The figures of one moment as every renderer shows them: sums and shares computed in one place.

use super::estimate::{Estimate, new_samples};
use super::event::Snapshot;
use std::time::Duration;

/// Sums over a [`Snapshot`], with the speed that goes with it.
pub(super) struct Numbers {
    /// Records wanted in all phases.
    pub(super) target: u64,
    /// Records there, earlier runs included; a phase counts at most its target.
    pub(super) done: u64,
    /// Records that were there when the run began.
    pub(super) resumed: u64,
    /// Records of this run.
    pub(super) new: u64,
    /// Share done, 0..=1, of records or else of steps; `None` where the total is not known.
    pub(super) share: Option<f64>,
    /// Duplicates among the positions that this run looked at, 0..=1.
    pub(super) duplicate_rate: f64,
    /// Engine failures of all kinds.
    pub(super) restarts: u64,
    /// Share of the workers' time that engines spent thinking, 0..=1, where it is measured.
    pub(super) engine_busy: Option<f64>,
    /// Speed and remaining time.
    pub(super) estimate: Estimate,
}

impl Numbers {
    pub(super) fn new(now: &Snapshot, estimate: Estimate) -> Numbers {
        let sum = |field: fn(&super::PhaseProgress) -> u64| now.phases.iter().map(field).sum();
        let target: u64 = sum(|phase| phase.target);
        let done: u64 = sum(|phase| phase.done);
        let within: u64 = sum(|phase| phase.done.min(phase.target));
        let new = new_samples(now);
        // Where phases have no targets (import), records are known by their splits alone.
        let looked_at = match target {
            0 => new.max(now.splits.iter().sum()),
            _ => new,
        };
        let ratio = |part: u64, whole: u64| (whole > 0).then(|| part as f64 / whole as f64);
        let of_steps = now
            .steps
            .and_then(|steps| ratio(steps.done.min(steps.total?), steps.total?));
        Numbers {
            target,
            done,
            resumed: sum(|phase| phase.resumed),
            new,
            share: ratio(within, target).or(of_steps),
            duplicate_rate: ratio(now.duplicates, now.duplicates + looked_at).unwrap_or(0.0),
            restarts: now.failures.values().sum(),
            engine_busy: busy_share(now.engine_busy, now.worker_time),
            estimate,
        }
    }
}

fn busy_share(busy: Duration, of: Duration) -> Option<f64> {
    (busy > Duration::ZERO && of > Duration::ZERO)
        .then(|| (busy.as_secs_f64() / of.as_secs_f64()).min(1.0))
}
