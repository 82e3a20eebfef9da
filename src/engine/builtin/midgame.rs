//! Depth-limited search: principal variation search over the static evaluation.
//!
//! Scores are hundredths of a disc for the side to move. A search of depth d returns exactly the
//! minimax value of depth d: the table serves values of the same depth only, and nothing is pruned
//! on a guess. A pass does not count as a ply; a finished game has its final score.

use super::kernel::Kernel;
use super::order::{Candidates, remembered, remembered_rank};
use super::split::{Best, best_of_rest, search_pv_rest};
use super::table::{Entry, Key};
use super::weights::{CENTIDISC, MAX_CENTIDISCS};
use super::worker::{Line, Worker};
use crate::board::{Board, Move};

/// No score lies outside ± this.
pub(super) const INFINITE: i32 = MAX_CENTIDISCS + 1;

/// From this depth on, a node is worth the trouble of sharing it among threads.
const SHARED_DEPTH: u32 = 5;

/// Value of `board`, fail-soft, with the line that leads to it.
#[inline(always)]
pub(super) fn pv<C: Kernel>(
    worker: &mut Worker<'_, C>,
    board: Board,
    depth: u32,
    alpha: i32,
    beta: i32,
    line: &mut Line,
) -> i32 {
    worker.nodes += 1;
    worker.poll();
    *line = Line::EMPTY;
    let legal = worker.cpu.legal_moves(board.own, board.opponent);
    if legal == 0 {
        let passed = board.passed();
        if worker.cpu.legal_moves(passed.own, passed.opponent) == 0 {
            return worker.rule.final_score(board) * CENTIDISC;
        }
        let mut rest = Line::EMPTY;
        let score = -C::midgame_pv(worker, passed, depth, -beta, -alpha, &mut rest);
        line.set(Move::Pass, &rest);
        return score;
    }
    if depth == 0 {
        return worker.evaluation.centidiscs(worker.cpu, board);
    }
    let key = Key::new(board);
    let known = worker.table.probe(key);
    let mut candidates = Candidates::new(worker.cpu, board, legal);
    sort(worker, &mut candidates, known, depth);
    let mut best = Best::nothing(alpha, INFINITE);
    let mut rest = Line::EMPTY;
    while let Some((square, child)) = candidates.next_best() {
        let alpha = best.alpha;
        let mut score = -INFINITE;
        let mut open = best.square.is_none();
        if !open {
            score = -C::midgame_null_window(worker, child, depth - 1, -alpha - 1);
            open = score > alpha && score < beta;
        }
        if open && !worker.stopped {
            score = -C::midgame_pv(worker, child, depth - 1, -beta, -alpha, &mut rest);
        }
        if worker.stopped {
            return 0;
        }
        best.take(square, score, &rest, line);
        if score >= beta {
            break;
        }
        if worker.is_shared && depth >= SHARED_DEPTH {
            let moves = candidates.by_ref().collect();
            let null_window = |helper: &mut Worker<'_, C>, child, alpha| {
                C::midgame_null_window(helper, child, depth - 1, alpha)
            };
            let pv = |worker: &mut Worker<'_, C>, child, alpha, beta, line: &mut Line| {
                C::midgame_pv(worker, child, depth - 1, alpha, beta, line)
            };
            search_pv_rest(worker, moves, beta, &mut best, line, null_window, pv);
            if worker.stopped {
                return 0;
            }
        }
    }
    let bounds = best.bounds(alpha, beta, INFINITE);
    store(worker, key, depth, bounds, remembered(best.square, known));
    best.score
}

/// Whether `board` is worth more than `alpha`: a bound on the right side of it, fail-soft.
#[inline(always)]
pub(super) fn null_window<C: Kernel>(
    worker: &mut Worker<'_, C>,
    board: Board,
    depth: u32,
    alpha: i32,
) -> i32 {
    worker.nodes += 1;
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
    let key = Key::new(board);
    let known = worker.table.probe(key);
    let mut bounds = (-INFINITE, INFINITE);
    if let Some(entry) = known
        && u32::from(entry.depth) == depth
    {
        bounds = (i32::from(entry.lower), i32::from(entry.upper));
        if bounds.0 > alpha {
            return bounds.0;
        }
        if bounds.1 <= alpha {
            return bounds.1;
        }
    }
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
    if best > alpha {
        bounds.0 = best;
    } else {
        bounds.1 = best;
    }
    store(worker, key, depth, bounds, remembered(best_move, known));
    best
}

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
        moves,
    };
    worker.table.store(key, entry);
}
