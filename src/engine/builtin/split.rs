//! One node searched by several threads: its first move by the thread that came to it, the others by
//! whoever is free (young brothers wait).
//!
//! All threads share the table, and every bound in it is true, so the value of a position does not
//! depend on who searched what; only the number of nodes and the choice among equal moves do.

use super::kernel::Kernel;
use super::worker::{Line, Worker};
use crate::board::{Board, Square};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Tells the threads below a node that its value is settled.
pub(super) struct Cut<'a> {
    is_settled: AtomicBool,
    above: Option<&'a Cut<'a>>,
}

impl Cut<'_> {
    /// Whether this node or one above it is settled.
    pub(super) fn is_settled(&self) -> bool {
        let mut at = Some(self);
        while let Some(cut) = at {
            if cut.is_settled.load(Ordering::Relaxed) {
                return true;
            }
            at = cut.above;
        }
        false
    }
}

/// Searches each of `moves` with `search`, which gives the value of a successor as the opponent sees
/// it, until one turns out to be worth more than `alpha`. Gives the values of the moves for the
/// side that makes them, `None` for one that was not finished.
///
/// When the search was stopped, or settled further up, `worker` is stopped too.
#[cold]
#[inline(never)]
pub(super) fn search_moves<C: Kernel>(
    worker: &mut Worker<'_, C>,
    moves: &[(Square, Board)],
    alpha: i32,
    search: impl Fn(&mut Worker<'_, C>, Board) -> i32 + Sync,
) -> Vec<Option<i32>> {
    let cut = Cut {
        is_settled: AtomicBool::new(false),
        above: worker.cut,
    };
    let nodes = AtomicU64::new(0);
    let mut scores = vec![None; moves.len()];
    let parent = &*worker;
    rayon::scope_fifo(|scope| {
        for (&(_, child), place) in moves.iter().zip(&mut scores) {
            let (cut, nodes, search) = (&cut, &nodes, &search);
            scope.spawn_fifo(move |_| {
                let mut helper = parent.below(cut);
                if cut.is_settled() {
                    return;
                }
                let score = -search(&mut helper, child);
                nodes.fetch_add(helper.nodes, Ordering::Relaxed);
                if helper.stopped {
                    return;
                }
                *place = Some(score);
                if score > alpha {
                    cut.is_settled.store(true, Ordering::Relaxed);
                }
            });
        }
    });
    worker.nodes += nodes.into_inner();
    worker.look_at_flags();
    scores
}

/// The rest of a null-window node: the best value and move among those finished.
pub(super) fn best_of_rest<C: Kernel>(
    worker: &mut Worker<'_, C>,
    moves: &[(Square, Board)],
    alpha: i32,
    search: impl Fn(&mut Worker<'_, C>, Board) -> i32 + Sync,
) -> Option<(i32, Square)> {
    let scores = search_moves(worker, moves, alpha, search);
    let finished = moves.iter().zip(scores);
    finished
        .filter_map(|(&(square, _), score)| Some((score?, square)))
        // The first of equals, as one thread would find it.
        .rev()
        .max_by_key(|&(score, _)| score)
}

/// What a principal-variation node knows so far.
pub(super) struct Best {
    /// The lower end of the window still open.
    pub(super) alpha: i32,
    /// The best value so far, fail-soft.
    pub(super) score: i32,
    /// The move of that value.
    pub(super) square: Option<Square>,
}

impl Best {
    /// Before the first move; no score lies outside ± `infinite`.
    #[inline(always)]
    pub(super) fn nothing(alpha: i32, infinite: i32) -> Best {
        Best {
            alpha,
            score: -infinite,
            square: None,
        }
    }

    /// What the score says of the node's value once the window from `alpha` to `beta`, as it was at
    /// first, is searched: at least this, at most that.
    #[inline(always)]
    pub(super) fn bounds(&self, alpha: i32, beta: i32, infinite: i32) -> (i32, i32) {
        let lower = if self.score > alpha {
            self.score
        } else {
            -infinite
        };
        let upper = if self.score < beta {
            self.score
        } else {
            infinite
        };
        (lower, upper)
    }

    /// Takes in the value of a move; `rest` is the line after it if it was searched for one.
    pub(super) fn take(&mut self, square: Square, score: i32, rest: &Line, line: &mut Line) {
        if score > self.score {
            self.score = score;
            self.square = Some(square);
            if score > self.alpha {
                self.alpha = score;
                line.set(square.into(), rest);
            }
        }
    }
}

/// The rest of a principal-variation node. All `moves` are tried with `null_window` at once; one that
/// is worth more than expected is searched for its value by `pv`, and those not finished by then are
/// tried again against that.
#[cold]
#[inline(never)]
pub(super) fn search_pv_rest<C: Kernel>(
    worker: &mut Worker<'_, C>,
    mut moves: Vec<(Square, Board)>,
    beta: i32,
    best: &mut Best,
    line: &mut Line,
    null_window: impl Fn(&mut Worker<'_, C>, Board, i32) -> i32 + Sync,
    pv: impl Fn(&mut Worker<'_, C>, Board, i32, i32, &mut Line) -> i32,
) {
    let mut rest = Line::EMPTY;
    while !moves.is_empty() {
        let alpha = best.alpha;
        let scores = search_moves(worker, &moves, alpha, |helper, child| {
            null_window(helper, child, -alpha - 1)
        });
        if worker.stopped {
            return;
        }
        let mut better = None;
        let mut open = Vec::new();
        for (&(square, child), score) in moves.iter().zip(scores) {
            match score {
                Some(score) if score <= alpha => best.take(square, score, &Line::EMPTY, line),
                Some(score) if better.is_none() => better = Some((square, child, score)),
                _ => open.push((square, child)),
            }
        }
        let Some((square, child, mut score)) = better else {
            return;
        };
        rest.clone_from(&Line::EMPTY);
        if score < beta {
            score = -pv(worker, child, -beta, -alpha, &mut rest);
            if worker.stopped {
                return;
            }
        }
        best.take(square, score, &rest, line);
        if score >= beta {
            return;
        }
        moves = open;
    }
}
