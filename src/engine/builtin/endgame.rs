//! Exact search to the end of the game.
//!
//! Scores are discs for the side to move, under the worker's [`ScoreRule`](super::ScoreRule).

use super::order::{Candidates, remembered};
use super::table::{EXACT, Entry, Key};
use super::worker::{Line, Worker};
use crate::board::{Board, Move, Squares};

/// No score lies outside ± this.
pub(super) const INFINITE: i32 = 65;

/// With fewer empties than this, positions are searched without the table.
const TABLE_EMPTIES: u32 = 7;

/// Value of `board`, fail-soft, with the line that leads to it.
pub(super) fn pv_search(
    worker: &mut Worker<'_>,
    board: Board,
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
            return worker.rule.final_score(board);
        }
        let mut rest = Line::EMPTY;
        let score = -pv_search(worker, passed, -beta, -alpha, &mut rest);
        line.set(Move::Pass, &rest);
        return score;
    }
    let key = Key::new(board);
    let known = worker.table.probe(key);
    let mut candidates = Candidates::new(board, legal);
    sort(&mut candidates, known);
    let (lowest, mut best, mut best_move) = (alpha, -INFINITE, None);
    let mut rest = Line::EMPTY;
    for candidate in candidates.as_slice() {
        let mut score = -INFINITE;
        let mut open = best_move.is_none();
        if !open {
            score = -null_window(worker, candidate.child, -alpha - 1);
            open = score > alpha && score < beta;
        }
        if open && !worker.stopped {
            score = -pv_search(worker, candidate.child, -beta, -alpha, &mut rest);
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
    store(worker, key, board, bounds, remembered(best_move, known));
    best
}

/// Whether `board` is worth more than `alpha`: a bound on the right side of it, fail-soft.
pub(super) fn null_window(worker: &mut Worker<'_>, board: Board, alpha: i32) -> i32 {
    if board.empties() < TABLE_EMPTIES {
        return shallow(worker, board, alpha);
    }
    worker.nodes += 1;
    worker.poll();
    let legal = board.legal_moves();
    if legal == 0 {
        let passed = board.passed();
        if passed.legal_moves() == 0 {
            return worker.rule.final_score(board);
        }
        return -null_window(worker, passed, -alpha - 1);
    }
    let key = Key::new(board);
    let known = worker.table.probe(key);
    let mut bounds = (-INFINITE, INFINITE);
    if let Some(entry) = known
        && entry.depth >= EXACT
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
    sort(&mut candidates, known);
    let (mut best, mut best_move) = (-INFINITE, None);
    for candidate in candidates.as_slice() {
        let score = -null_window(worker, candidate.child, -alpha - 1);
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
    store(worker, key, board, bounds, remembered(best_move, known));
    best
}

/// Few empties: plain alpha-beta without table or sorting.
fn shallow(worker: &mut Worker<'_>, board: Board, alpha: i32) -> i32 {
    worker.nodes += 1;
    let mut best = -INFINITE;
    for square in Squares(board.empty()) {
        let flipped = board.flips(square);
        if flipped == 0 {
            continue;
        }
        let score = -shallow(worker, board.after(square, flipped), -alpha - 1);
        if score > best {
            best = score;
            if score > alpha {
                return best;
            }
        }
    }
    if best > -INFINITE {
        return best;
    }
    if board.is_game_over() {
        return worker.rule.final_score(board);
    }
    -shallow(worker, board.passed(), -alpha - 1)
}

/// The table's moves first, then those that leave the opponent few moves.
fn sort(candidates: &mut Candidates, known: Option<Entry>) {
    candidates.sort(known, |candidate| {
        -(candidate.child.legal_moves().count_ones() as i32)
    });
}

fn store(worker: &Worker<'_>, key: Key, board: Board, bounds: (i32, i32), moves: [u8; 2]) {
    let entry = Entry {
        lower: bounds.0 as i16,
        upper: bounds.1 as i16,
        depth: EXACT + board.empties() as u8,
        moves,
    };
    worker.table.store(key, entry);
}
