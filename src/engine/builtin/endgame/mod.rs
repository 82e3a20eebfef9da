//! Exact search to the end of the game.
//!
//! Scores are discs for the side to move, under the worker's [`ScoreRule`](super::ScoreRule). The
//! nearer the end, the less is done per node, because less can be saved:
//!
//! | empties | search | what it does |
//! |---|---|---|
//! | 10 and more | [`deep`] | everything; moves are ranked by the evaluation or a shallow search |
//! | 6–9 | [`middle`] | moves are ranked by the opponent's mobility; this thread's table |
//! | 5 | [`shallow`] | moves into odd regions first, no table |
//! | 1–4 | [`last_four`], [`last_three`], [`last_two`] | one square after the other |
//!
//! What holds everywhere, and is kept by every change:
//!
//! - **Fail-soft.** A null-window search returns a value above `alpha` only if the true value is at
//!   least that, and one of at most `alpha` only if the true value is at most that.
//! - **Every bound in the table is true** for its position, whoever stored it and with whatever
//!   window; a search that was stopped stores nothing. So the value of a position depends neither
//!   on the order of the moves nor on what was searched before, nor on the number of threads.
//! - **Nothing is pruned on a guess.** The evaluation only ranks moves.
//! - **A pass** swaps the sides and negates the window; the number of empties stays.

mod deep;
mod last;
mod middle;
mod shallow;
mod stability;

pub(super) use deep::{deep, pv};
pub(super) use last::{last_four, last_three, last_two};
pub(super) use middle::middle;
pub(super) use shallow::shallow;
pub(super) use stability::Stability;

use super::kernel::Kernel;
use super::worker::Worker;
use crate::board::Board;

/// No score lies outside ± this.
pub(super) const INFINITE: i32 = 65;

/// With at most this many empties, [`shallow`] takes over from [`deep`].
const SHALLOW_EMPTIES: u32 = 5;

/// With at most this many empties, [`middle`] takes over from [`deep`].
const MIDDLE_EMPTIES: u32 = 9;

/// Null-window search: whether `board` is worth more than `alpha`; fail-soft.
#[inline(always)]
pub(super) fn null_window<C: Kernel>(worker: &mut Worker<'_, C>, board: Board, alpha: i32) -> i32 {
    match board.empties() {
        0 => {
            worker.nodes += 1;
            worker.rule.final_score(board)
        }
        1..=3 => few(worker, board, alpha),
        _ => {
            let legal = worker.cpu.legal_moves(board.own, board.opponent);
            search_known(worker, board, legal, alpha)
        }
    }
}

/// Null-window search of at least four empties, where `legal` are the moves of the side to move.
#[inline(always)]
fn search_known<C: Kernel>(
    worker: &mut Worker<'_, C>,
    board: Board,
    legal: u64,
    alpha: i32,
) -> i32 {
    let empties = board.empties();
    if empties <= 4 {
        C::endgame_last_four(worker, board, alpha)
    } else if empties <= SHALLOW_EMPTIES {
        C::endgame_shallow(worker, board, legal, alpha)
    } else if empties <= MIDDLE_EMPTIES {
        C::endgame_middle(worker, board, legal, alpha)
    } else {
        C::endgame_deep(worker, board, legal, alpha)
    }
}

/// One to three empties outside of [`last_four`]: only reached from the ends of principal
/// variations, so plainness counts for more than speed.
fn few<C: Kernel>(worker: &mut Worker<'_, C>, board: Board, alpha: i32) -> i32 {
    worker.nodes += 1;
    let legal = board.legal_moves();
    if legal == 0 {
        if board.passed().legal_moves() == 0 {
            return worker.rule.final_score(board);
        }
        return -few(worker, board.passed(), -alpha - 1);
    }
    let mut best = -INFINITE;
    for square in crate::board::Squares(legal) {
        let child = board.after(square, board.flips(square));
        best = best.max(-few(worker, child, -alpha - 1));
        if best > alpha {
            break;
        }
    }
    best
}

/// The lowest `alpha` at which counting the opponent's stable discs may pay, by empties: below it
/// the opponent has too few of them to decide anything.
static STABILITY_ALPHA: [i8; 61] = {
    let mut table = [99; 61];
    let from = [
        -28, -26, -24, -22, -20, -10, -8, -4, 0, 4, 8, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32,
        34, 36, 38, 40, 42, 44, 46, 48, 50,
    ];
    let mut empties = 0;
    while empties < from.len() {
        table[empties] = from[empties];
        empties += 1;
    }
    table
};

/// An upper bound on the value from the opponent's stable discs, if it is at most `alpha`.
#[inline(always)]
fn stability_cut<C: Kernel>(worker: &Worker<'_, C>, board: Board, alpha: i32) -> Option<i32> {
    if alpha < i32::from(STABILITY_ALPHA[board.empties() as usize % 61]) {
        return None;
    }
    let stable = worker.stability.count(board.opponent, board.own) as i32;
    let bound = 64 - 2 * stable;
    (bound <= alpha).then_some(bound)
}
