//! A middling number of empty squares: sorted moves and the thread's own part of the table, and
//! nothing that takes longer than it saves in so small a tree.

use super::super::kernel::Kernel;
use super::super::order::{Few, remembered, remembered_rank};
use super::super::table::{EXACT, Entry, Key};
use super::super::worker::Worker;
use super::deep::mobility_rank;
use super::shallow::odd_quadrants;
use super::{INFINITE, search_known, stability_cut};
use crate::board::Board;

/// From this many empties on, the table is asked and told.
const REMEMBERED_EMPTIES: u32 = 7;

/// Null-window search of a position whose legal moves are known. Does not look whether to stop: it is
/// done in a moment.
#[inline(always)]
pub(in super::super) fn middle<C: Kernel>(
    worker: &mut Worker<'_, C>,
    board: Board,
    legal: u64,
    alpha: i32,
) -> i32 {
    worker.nodes += 1;
    // 1. Stability: the opponent keeps its stable discs in any play, so no result is above 64 less
    // twice their number.
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
        return -C::endgame_middle(worker, passed, legal, -alpha - 1);
    }
    // 3. Table: a true bound on the other side of the window settles the node. With the fewest
    // empties, searching again is cheaper than remembering.
    let empty = board.empty();
    let is_remembered = empty.count_ones() >= REMEMBERED_EMPTIES;
    let key = Key::new(board);
    let mut known = None;
    let mut bounds = (-INFINITE, INFINITE);
    if is_remembered {
        known = worker.near.probe(key);
        if let Some(entry) = known {
            bounds = (i32::from(entry.lower), i32::from(entry.upper));
            if bounds.0 > alpha {
                return bounds.0;
            }
            if bounds.1 <= alpha {
                return bounds.1;
            }
        }
    }
    // 4. Order: the move that was best before, then the one that leaves the opponent the fewest
    // moves. Where one move is good enough the others are never searched, so the likely ones come
    // first; the order does not change the value.
    let mut candidates = Few::new(worker.cpu, board, legal);
    let odd = odd_quadrants(empty);
    for place in 0..candidates.len() {
        let (square, child) = candidates.at(place);
        if empty.count_ones() > REMEMBERED_EMPTIES {
            worker.near.prefetch(Key::new(child));
        }
        let moves = worker.cpu.legal_moves(child.own, child.opponent);
        let rank = match remembered_rank(square, known) {
            Some(rank) => rank,
            None => mobility_rank(square, moves, odd),
        };
        candidates.rank(place, rank);
        candidates.note_moves(place, moves);
    }
    // 5. Search, until a move is worth more than alpha: how much more does not matter.
    let (mut best, mut best_move) = (-INFINITE, None);
    while let Some(place) = candidates.next_place() {
        let (square, child) = candidates.at(place);
        let score = -search_known(worker, child, candidates.moves(place), -alpha - 1);
        if score > best {
            best = score;
            best_move = Some(square);
            if score > alpha {
                break;
            }
        }
    }
    // 6. Remember: above alpha the best value found is a lower bound, otherwise all moves were
    // searched and it is an upper one.
    if is_remembered {
        if best > alpha {
            bounds.0 = best;
        } else {
            bounds.1 = best;
        }
        let entry = Entry {
            lower: bounds.0 as i16,
            upper: bounds.1 as i16,
            depth: EXACT + empty.count_ones() as u8,
            confidence: 0,
            moves: remembered(best_move, known),
        };
        worker.near.store(key, entry);
    }
    best
}
