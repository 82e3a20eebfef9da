//! Depth-limited search: principal variation search over the static evaluation.
//!
//! Scores are hundredths of a disc for the side to move. A pass does not count as a ply; a finished
//! game has its final score. A depth as large as the number of empties therefore means a search to
//! the end, at every node of its tree.
//!
//! At full confidence a search of depth d returns exactly the minimax value of depth d: the table
//! serves values of the same depth only, and nothing is pruned on a guess. Below it, what the
//! measured errors of shallow searches ([`Errors`]) make improbable enough is left out ([`probcut`]);
//! results of different confidence are kept apart in the table.

mod errors;
pub mod measure;
mod null_window;
mod probcut;
mod pv;

pub use errors::{Deep, Error, Errors, MAX_DEPTH, MAX_EMPTIES, MAX_SHALLOW};
pub(super) use null_window::null_window;
pub(super) use pv::pv;

use super::kernel::Kernel;
use super::order::{Candidates, remembered_rank};
use super::table::{Entry, Key};
use super::weights::MAX_CENTIDISCS;
use super::worker::Worker;

/// No score lies outside ± this.
pub(super) const INFINITE: i32 = MAX_CENTIDISCS + 1;

/// From this depth on, a node is worth the trouble of sharing it among threads.
const SHARED_DEPTH: u32 = 5;

/// The table's moves first, then by the evaluation where a subtree is worth the look.
#[inline(always)]
fn sort<C: Kernel>(
    worker: &Worker<'_, C>,
    candidates: &mut Candidates,
    known: Option<Entry>,
    depth: u32,
) {
    for place in 0..candidates.len() {
        let (square, child) = candidates.at(place);
        let rank = match remembered_rank(square, known) {
            Some(rank) => rank,
            None if depth >= 2 => -worker.evaluation.centidiscs(worker.cpu, child),
            None => 0,
        };
        candidates.rank(place, rank);
    }
}

#[inline(always)]
fn store<C: Kernel>(
    worker: &Worker<'_, C>,
    key: Key,
    depth: u32,
    bounds: (i32, i32),
    moves: [u8; 2],
) {
    let entry = Entry {
        lower: bounds.0 as i16,
        upper: bounds.1 as i16,
        depth: depth as u8,
        confidence: worker.confidence.number(),
        moves,
    };
    worker.table.store(key, entry);
}
