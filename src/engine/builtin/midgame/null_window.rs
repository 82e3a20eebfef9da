//! All other nodes: whether they are worth more than a number.

use super::super::endgame;
use super::super::kernel::Kernel;
use super::super::order::{Candidates, remembered};
use super::super::split::best_of_rest;
use super::super::table::{EXACT, Key};
use super::super::weights::CENTIDISC;
use super::super::worker::Worker;
use super::probcut::{MIN_DEPTH, probcut};
use super::{INFINITE, SHARED_DEPTH, sort, store};
use crate::board::Board;

/// With at most this many empties, a search to the end goes on as exact search.
const SOLVED_EMPTIES: u32 = 11;

/// Whether `board` is worth more than `alpha`: a bound on the right side of it, fail-soft.
#[inline(always)]
pub(in super::super) fn null_window<C: Kernel>(
    worker: &mut Worker<'_, C>,
    board: Board,
    depth: u32,
    alpha: i32,
) -> i32 {
    // Step 1: the last part of a search to the end, where solving is cheaper than asking whether
    // it can be left out. Whole discs above ⌊alpha⌋ are those above alpha.
    let empties = board.empties();
    let is_end = depth >= empties;
    if is_end && empties <= SOLVED_EMPTIES {
        let discs = alpha.div_euclid(CENTIDISC);
        return endgame::null_window(worker, board, discs) * CENTIDISC;
    }
    worker.nodes += 1;
    // Step 2: the end of the game, a forced pass, the end of the search.
    let legal = worker.cpu.legal_moves(board.own, board.opponent);
    if legal == 0 {
        let passed = board.passed();
        if worker.cpu.legal_moves(passed.own, passed.opponent) == 0 {
            return worker.rule.final_score(board) * CENTIDISC;
        }
        return -C::midgame_null_window(worker, passed, depth, -alpha - 1);
    }
    if depth == 0 {
        return worker.evaluation.centidiscs(worker.cpu, board);
    }
    worker.poll();
    // Step 3: the table, if it knows the value of the same depth and at least the same confidence.
    // A bound of an exact search holds for a search to the end.
    let key = Key::new(board);
    let known = worker.table.probe(key);
    let mut bounds = (-INFINITE, INFINITE);
    if let Some(entry) = known {
        let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
        if u32::from(entry.depth) == depth && entry.confidence >= worker.confidence.number() {
            bounds = (lower, upper);
        } else if is_end && entry.depth >= EXACT {
            bounds = (lower * CENTIDISC, upper * CENTIDISC);
        }
        if bounds.0 > alpha {
            return bounds.0;
        }
        if bounds.1 <= alpha {
            return bounds.1;
        }
    }
    // Step 4: a shallow search may tell that this one is not worth its time.
    if depth >= MIN_DEPTH
        && let Some(bound) = probcut(worker, board, depth, is_end, alpha)
    {
        return bound;
    }
    // Step 5: moves, best first, until one is good enough.
    let mut candidates = Candidates::new(worker.cpu, board, legal);
    sort(worker, &mut candidates, known, depth);
    let (mut best, mut best_move) = (-INFINITE, None);
    while let Some((square, child)) = candidates.next_best() {
        let score = -C::midgame_null_window(worker, child, depth - 1, -alpha - 1);
        if worker.stopped {
            return 0;
        }
        if score > best {
            best = score;
            best_move = Some(square);
            if score > alpha {
                break;
            }
        }
        // Step 6: a first move that was not good enough makes it likely that all must be searched,
        // which other threads can help with.
        if worker.is_shared && depth >= SHARED_DEPTH {
            let rest: Vec<_> = candidates.by_ref().collect();
            let search = |helper: &mut Worker<'_, C>, child| {
                C::midgame_null_window(helper, child, depth - 1, -alpha - 1)
            };
            let found = best_of_rest(worker, &rest, alpha, search);
            if worker.stopped {
                return 0;
            }
            if let Some((score, square)) = found
                && score > best
            {
                best = score;
                best_move = Some(square);
            }
        }
    }
    // Step 7: the value lies on the side of alpha that was found. What the table knew of the other
    // side stays true, unless two guesses contradict each other: then the later one counts.
    if best > alpha {
        bounds = (best, if bounds.1 < best { INFINITE } else { bounds.1 });
    } else {
        bounds = (if bounds.0 > best { -INFINITE } else { bounds.0 }, best);
    }
    store(worker, key, depth, bounds, remembered(best_move, known));
    best
}
