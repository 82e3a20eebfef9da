//! Nodes of the principal variation: their exact value of a depth, and the line to it.

use super::super::kernel::Kernel;
use super::super::order::{Candidates, remembered};
use super::super::split::{Best, search_pv_rest};
use super::super::table::Key;
use super::super::weights::CENTIDISC;
use super::super::worker::{Line, Worker};
use super::{INFINITE, SHARED_DEPTH, sort, store};
use crate::board::{Board, Move};

/// Value of `board`, fail-soft, with the line that leads to it.
#[inline(always)]
pub(in super::super) fn pv<C: Kernel>(
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
    // Step 1: the end of the game, a forced pass, the end of the search.
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
    // Step 2: moves in the order that the table and the evaluation suggest. The table's values are
    // not used here: they would leave the line without its end. Nor is anything left out on a
    // guess: there are few such nodes, and the result is one of them.
    let key = Key::new(board);
    let known = worker.table.probe(key);
    let mut candidates = Candidates::new(worker.cpu, board, legal);
    sort(worker, &mut candidates, known, depth);
    let mut best = Best::nothing(alpha, INFINITE);
    let mut rest = Line::EMPTY;
    while let Some((square, child)) = candidates.next_best() {
        // Step 3: the first move is searched for its value, the others only for whether they are
        // better; then for their value too.
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
        // Step 4: with a first value to compare with, other threads can take the other moves.
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
