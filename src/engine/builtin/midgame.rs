//! Depth-limited search: principal variation search over the static evaluation.
//!
//! Scores are hundredths of a disc for the side to move. A search of depth d returns exactly the
//! minimax value of depth d: the table serves values of the same depth only, and nothing is pruned
//! on a guess. A pass does not count as a ply; a finished game has its final score.

use super::order::{Candidates, remembered};
use super::table::{Entry, Key};
use super::weights::{CENTIDISC, MAX_CENTIDISCS};
use super::worker::{Line, Worker};
use crate::board::{Board, Move};

/// No score lies outside ± this.
pub(super) const INFINITE: i32 = MAX_CENTIDISCS + 1;

/// Value of `board`, fail-soft, with the line that leads to it.
pub(super) fn pv_search(
    worker: &mut Worker<'_>,
    board: Board,
    depth: u32,
    mut alpha: i32,
    beta: i32,
    line: &mut Line,
) -> i32 {
    worker.nodes += 1;
    worker.poll();
    *line = Line::EMPTY;
    let legal = board.legal_moves();
    if legal == 0 {
        let passed = board.passed();
        if passed.legal_moves() == 0 {
            return worker.rule.final_score(board) * CENTIDISC;
        }
        let mut rest = Line::EMPTY;
        let score = -pv_search(worker, passed, depth, -beta, -alpha, &mut rest);
        line.set(Move::Pass, &rest);
        return score;
    }
    if depth == 0 {
        return worker.evaluation.centidiscs(board);
    }
    let key = Key::new(board);
    let known = worker.table.probe(key);
    let mut candidates = Candidates::new(board, legal);
    sort(worker, &mut candidates, known, depth);
    let (lowest, mut best, mut best_move) = (alpha, -INFINITE, None);
    let mut rest = Line::EMPTY;
    for candidate in candidates.as_slice() {
        let mut score = -INFINITE;
        let mut open = best_move.is_none();
        if !open {
            score = -null_window(worker, candidate.child, depth - 1, -alpha - 1);
            open = score > alpha && score < beta;
        }
        if open && !worker.stopped {
            score = -pv_search(worker, candidate.child, depth - 1, -beta, -alpha, &mut rest);
        }
        if worker.stopped {
            return 0;
        }
        if score > best {
            best = score;
            best_move = Some(candidate.square);
            if score > alpha {
                alpha = score;
                line.set(candidate.square.into(), &rest);
            }
            if score >= beta {
                break;
            }
        }
    }
    let bounds = (
        if best > lowest { best } else { -INFINITE },
        if best < beta { best } else { INFINITE },
    );
    store(worker, key, depth, bounds, remembered(best_move, known));
    best
}

/// Whether `board` is worth more than `alpha`: a bound on the right side of it, fail-soft.
pub(super) fn null_window(worker: &mut Worker<'_>, board: Board, depth: u32, alpha: i32) -> i32 {
    worker.nodes += 1;
    let legal = board.legal_moves();
    if legal == 0 {
        let passed = board.passed();
        if passed.legal_moves() == 0 {
            return worker.rule.final_score(board) * CENTIDISC;
        }
        return -null_window(worker, passed, depth, -alpha - 1);
    }
    if depth == 0 {
        return worker.evaluation.centidiscs(board);
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
    let mut candidates = Candidates::new(board, legal);
    sort(worker, &mut candidates, known, depth);
    let (mut best, mut best_move) = (-INFINITE, None);
    for candidate in candidates.as_slice() {
        let score = -null_window(worker, candidate.child, depth - 1, -alpha - 1);
        if worker.stopped {
            return 0;
        }
        if score > best {
            best = score;
            best_move = Some(candidate.square);
            if score > alpha {
                break;
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

/// The table's moves first, then by a shallow look: evaluation far from the leaves, mobility near.
fn sort(worker: &Worker<'_>, candidates: &mut Candidates, known: Option<Entry>, depth: u32) {
    if depth >= 2 {
        let evaluation = worker.evaluation;
        candidates.sort(known, |candidate| -evaluation.centidiscs(candidate.child));
    } else {
        candidates.sort(known, |_| 0);
    }
}

fn store(worker: &Worker<'_>, key: Key, depth: u32, bounds: (i32, i32), moves: [u8; 2]) {
    let entry = Entry {
        lower: bounds.0 as i16,
        upper: bounds.1 as i16,
        depth: depth as u8,
        moves,
    };
    worker.table.store(key, entry);
}
