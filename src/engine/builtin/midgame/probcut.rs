//! Multi-probcut: a deep search is left out where a shallow one already tells what it would find.
//!
//! After Buro, "Experiments with Multi-ProbCut and a new high-quality evaluation function for
//! Othello" (1997).

use super::super::kernel::Kernel;
use super::super::weights::MAX_CENTIDISCS;
use super::super::worker::Worker;
use super::errors::{Error, MAX_DEPTH, MAX_EMPTIES};
use crate::board::Board;

/// Below this depth a search costs less than asking whether it can be left out.
pub(super) const MIN_DEPTH: u32 = 3;

/// The depths that foretell a search of a depth, the shallower first; 0 stands for none. Two
/// searches err least against each other when the same side moves last in both.
const SHALLOW: [[u8; 2]; 25] = {
    let mut table = [[0; 2]; 25];
    let mut depth = MIN_DEPTH as usize;
    while depth < table.len() {
        let parity = (depth & 1) as u8;
        let second = (depth / 4 * 2) as u8 + parity;
        let second = if second > 8 { 8 - parity } else { second };
        table[depth] = [0, second];
        depth += 1;
    }
    table
};

/// A bound on the value of `board` by the measured errors, if one is found that settles whether it
/// is worth more than `alpha`.
///
/// Right with the confidence of the worker: the deep value lies within so many standard deviations
/// of what the shallow one foretells, and the window beyond.
#[inline(always)]
pub(super) fn probcut<C: Kernel>(
    worker: &mut Worker<'_, C>,
    board: Board,
    depth: u32,
    is_end: bool,
    alpha: i32,
) -> Option<i32> {
    let tenths = worker.pruning?;
    let errors = worker.evaluation.errors()?;
    let discs = 64 - board.empties();
    let largest = if is_end { MAX_EMPTIES } else { MAX_DEPTH };
    // Step 1: the static value says on which side of the window a bound is to be expected. A
    // search that is deeper than all that were measured is compared with one that is as many
    // plies shallower, which errs less than what was measured.
    let known_depth = if depth > largest {
        largest - ((depth - largest) & 1)
    } else {
        depth
    };
    let guess = errors.of(discs, known_depth, is_end, 0)?;
    let expected = foretold(guess, worker.evaluation.centidiscs(worker.cpu, board));
    for shallow in SHALLOW[known_depth as usize % SHALLOW.len()] {
        let shallow = u32::from(shallow);
        if shallow == 0 {
            continue;
        }
        let Some(error) = errors.of(discs, known_depth, is_end, shallow) else {
            continue;
        };
        let margin = tenths * error.deviation / 10;
        let shallow = shallow + depth - known_depth;
        // Step 2: the shallow search is asked whether its value clears the window by the margin,
        // upwards or downwards.
        let goes_up = expected > alpha;
        let beta = least_shallow(error, alpha + 1 + if goes_up { margin } else { -margin });
        if beta.abs() >= MAX_CENTIDISCS {
            continue;
        }
        let clears = (C::midgame_null_window(worker, board, shallow, beta - 1) >= beta) == goes_up;
        if worker.stopped {
            return None;
        }
        if clears {
            return Some(alpha + i32::from(goes_up));
        }
    }
    None
}

#[inline(always)]
fn foretold(error: Error, shallow: i32) -> i32 {
    error.slope * shallow / 1000 + error.bias
}

/// The least shallow value that foretells at least `deep`.
#[inline(always)]
fn least_shallow(error: Error, deep: i32) -> i32 {
    let product = (deep - error.bias) * 1000;
    // Rounded upwards: the slope is positive.
    product.div_euclid(error.slope) + i32::from(product.rem_euclid(error.slope) != 0)
}
