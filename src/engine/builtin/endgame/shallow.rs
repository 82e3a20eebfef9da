//! Five empty squares: no table, moves into odd regions first.

use super::super::kernel::Kernel;
use super::super::worker::Worker;
use super::{INFINITE, stability_cut};
use crate::board::Board;

/// The quadrants in which an odd number of squares is empty: whoever plays there first tends to
/// play there last.
#[inline(always)]
pub(super) fn odd_quadrants(empty: u64) -> u64 {
    const QUADRANTS: [u64; 4] = [
        0x0000_0000_0f0f_0f0f,
        0x0000_0000_f0f0_f0f0,
        0x0f0f_0f0f_0000_0000,
        0xf0f0_f0f0_0000_0000,
    ];
    let mut odd = 0;
    for quadrant in QUADRANTS {
        let is_odd = u64::from((empty & quadrant).count_ones() & 1);
        odd |= quadrant & is_odd.wrapping_neg();
    }
    odd
}

/// Null-window search of at least five empties.
#[inline(always)]
pub(in super::super) fn shallow<C: Kernel>(
    worker: &mut Worker<'_, C>,
    board: Board,
    legal: u64,
    alpha: i32,
) -> i32 {
    worker.nodes += 1;
    // 1. Stability, as with more empties.
    if let Some(bound) = stability_cut(worker, board, alpha) {
        return bound;
    }
    // 2. Pass, or the end of the game.
    if legal == 0 {
        let passed = board.passed();
        let legal = worker.cpu.legal_moves(passed.own, passed.opponent);
        if legal == 0 {
            return worker.rule.final_score(board);
        }
        return -C::endgame_shallow(worker, passed, legal, -alpha - 1);
    }
    // 3. Moves into regions with an odd number of empty squares first, then the others; counting the
    // opponent's moves would cost more than a better order saves.
    let empty = board.empty();
    let five = empty.count_ones() == 5;
    let odd = odd_quadrants(empty);
    let mut best = -INFINITE;
    for mut set in [legal & odd, legal & !odd] {
        while set != 0 {
            let square = set.trailing_zeros() as u8 & 63;
            set &= set - 1;
            let flipped = worker.cpu.flips(square, board.own, board.opponent);
            let child = Board {
                own: board.opponent ^ flipped,
                opponent: board.own | flipped | 1 << square,
            };
            let score = if five {
                -C::endgame_last_four(worker, child, -alpha - 1)
            } else {
                let legal = worker.cpu.legal_moves(child.own, child.opponent);
                -C::endgame_shallow(worker, child, legal, -alpha - 1)
            };
            if score > alpha {
                return score;
            }
            best = best.max(score);
        }
    }
    best
}
