//! Known positions and measurements behind `rdg bench`.
//!
//! Every measurement also checks what it computes: a solver that is fast and wrong fails.

pub(crate) mod games;
pub(crate) mod labels;
pub(crate) mod naive;
pub(crate) mod report;
pub(crate) mod rules;
pub(crate) mod search;

use crate::base::stop::Stop;
use crate::engine::builtin::Threads;
use report::Row;
use std::ops::RangeInclusive;
use std::time::Instant;

/// What is measured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BenchOptions {
    /// Fewer and smaller measurements: seconds instead of minutes.
    pub quick: bool,
    /// Threads of the search and of the enumeration, ≥ 1.
    pub threads: u32,
    /// Only these endgame positions, and nothing else.
    pub ffo: Option<RangeInclusive<u32>>,
}

/// The run was stopped before its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("stopped")]
pub(crate) struct Interrupted;

/// Measures everything, one row after the other, and hands each row over when it is known.
/// `threads` are those of the options.
///
/// # Errors
/// [`Interrupted`] when the stop was requested.
pub(crate) fn run(
    options: &BenchOptions,
    threads: &Threads,
    stop: &Stop,
    mut row: impl FnMut(Row),
) -> Result<(), Interrupted> {
    if let Some(numbers) = &options.ffo {
        return search::solve(numbers, threads, stop, &mut row);
    }
    rules::measure(options, stop, &mut row)?;
    search::measure(options, threads, stop, &mut row)?;
    games::measure(options, stop, &mut row)
}

/// Runs `work` and says how many seconds it took.
fn timed<R>(work: impl FnOnce() -> R) -> (R, f64) {
    let start = Instant::now();
    let result = work();
    // Never zero, so that rates are finite.
    (result, start.elapsed().as_secs_f64().max(1e-9))
}

/// A small generator for the bench's own random games.
struct Lcg(u64);

impl Lcg {
    /// A number below `bound`, which is small.
    fn below(&mut self, bound: u32) -> usize {
        // Constants of Knuth's MMIX generator.
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (((self.0 >> 32) * u64::from(bound)) >> 32) as usize
    }
}
