//! Whole searches from one position: the best line, or a score for every move.

use super::endgame;
use super::kernel::Kernel;
use super::midgame;
use super::table::Table;
use super::threads::Threads;
use super::weights::{CENTIDISC, Evaluation};
use super::worker::{Line, ScoreRule, Stopped, Worker};
use crate::board::cpu::{Portable, V3};
use crate::board::{Board, Move, Squares};
use crate::engine::MoveScore;
use std::sync::atomic::AtomicBool;

/// How many discs an exact search's first window reaches below and above what is expected.
const EXACT_WINDOW: i32 = 2;

/// Plies of the search that tells where the exact value is to be looked for.
const FORECAST_PLIES: u32 = 6;

/// How far a position is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// This many plies, then the static evaluation. At least 1.
    Plies(u32),
    /// To the end of the game.
    End,
}

/// What a search found.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// Final disc difference for the side to move; expected, or true when `exact`.
    pub score: f64,
    /// Plies searched; the number of empties when exact.
    pub depth: u32,
    /// Whether the score is the true value with best play.
    pub exact: bool,
    /// Best play by both sides, passes included.
    pub line: Vec<Move>,
    /// Positions visited.
    pub nodes: u64,
}

/// What a search works with.
pub struct Setting<'a> {
    /// Values leaves.
    pub evaluation: &'a Evaluation,
    /// Counts finished games.
    pub rule: ScoreRule,
    /// Who searches. The score does not depend on their number.
    pub threads: &'a Threads,
    /// Ends the search early when raised.
    pub stop: &'a AtomicBool,
}

/// Searches `board` for the best line. The line is empty when the game is over.
///
/// # Errors
/// [`Stopped`] when the stop flag was raised.
pub fn best_line(
    board: Board,
    reach: Reach,
    table: &mut Table,
    setting: &Setting<'_>,
) -> Result<Found, Stopped> {
    table.start_search();
    setting.threads.run(|| match V3::detect() {
        Some(cpu) => best_line_on(cpu, board, reach, table, setting),
        None => best_line_on(Portable, board, reach, table, setting),
    })
}

fn best_line_on<C: Kernel>(
    cpu: C,
    board: Board,
    reach: Reach,
    table: &Table,
    setting: &Setting<'_>,
) -> Result<Found, Stopped> {
    let mut worker = worker(cpu, table, setting);
    search(&mut worker, board, reach)
}

fn worker<'a, C>(cpu: C, table: &'a Table, setting: &Setting<'a>) -> Worker<'a, C> {
    let &Setting {
        evaluation,
        rule,
        threads,
        stop,
    } = setting;
    let is_shared = threads.number() > 1;
    Worker::new(cpu, table, evaluation, rule, stop, is_shared)
}

/// A true score for every legal move of `board`, each searched on its own, best first; moves of
/// equal score in board order.
///
/// # Errors
/// [`Stopped`] when the stop flag was raised.
pub fn score_moves(
    board: Board,
    reach: Reach,
    table: &mut Table,
    setting: &Setting<'_>,
) -> Result<Vec<MoveScore>, Stopped> {
    table.start_search();
    setting.threads.run(|| match V3::detect() {
        Some(cpu) => score_moves_on(cpu, board, reach, table, setting),
        None => score_moves_on(Portable, board, reach, table, setting),
    })
}

fn score_moves_on<C: Kernel>(
    cpu: C,
    board: Board,
    reach: Reach,
    table: &Table,
    setting: &Setting<'_>,
) -> Result<Vec<MoveScore>, Stopped> {
    let mut worker = worker(cpu, table, setting);
    let mut scores = Vec::new();
    for square in Squares(board.legal_moves()) {
        let child = board.after(square, board.flips(square));
        let reach = match reach {
            Reach::Plies(plies) => Reach::Plies(plies.saturating_sub(1)),
            Reach::End => Reach::End,
        };
        let found = search(&mut worker, child, reach)?;
        let mut line = found.line;
        line.insert(0, square.into());
        scores.push(MoveScore {
            square,
            score: -found.score + 0.0,
            depth: found.depth + 1,
            exact: found.exact,
            line,
        });
    }
    scores.sort_by(|a, b| b.score.total_cmp(&a.score));
    Ok(scores)
}

/// Iterative deepening up to `reach`. A reach beyond the end of the game is exact.
fn search<C: Kernel>(
    worker: &mut Worker<'_, C>,
    board: Board,
    reach: Reach,
) -> Result<Found, Stopped> {
    let empties = board.empties();
    let nodes_before = worker.nodes;
    let mut line = Line::EMPTY;
    let (score, depth, exact) = match reach {
        Reach::Plies(plies) if plies < empties => {
            let score = deepen(worker, board, plies, &mut line);
            (f64::from(score) / f64::from(CENTIDISC), plies, false)
        }
        _ => {
            // A shallower search first: its value is where the exact one looks, and its moves in
            // the table order it. A few plies are enough: the exact search orders its own nodes,
            // and where one side is wiped out a deep look costs more than the answer.
            let score = if empties > 12 {
                let expected = deepen(worker, board, FORECAST_PLIES, &mut line);
                solve_near(worker, board, expected, &mut line)
            } else {
                let infinite = endgame::INFINITE;
                C::endgame_pv(worker, board, -infinite, infinite, &mut line)
            };
            (f64::from(score), empties, true)
        }
    };
    worker.finished(Found {
        score,
        depth,
        exact,
        line: line.to_moves(),
        nodes: worker.nodes - nodes_before,
    })
}

/// Searches depth after depth, each in a window around the result of the one before.
fn deepen<C: Kernel>(worker: &mut Worker<'_, C>, board: Board, depth: u32, line: &mut Line) -> i32 {
    let mut score = C::midgame_pv(
        worker,
        board,
        depth.min(1),
        -midgame::INFINITE,
        midgame::INFINITE,
        line,
    );
    for depth in 2..=depth {
        let (mut below, mut above) = (2 * CENTIDISC, 2 * CENTIDISC);
        loop {
            let alpha = (score - below).max(-midgame::INFINITE);
            let beta = (score + above).min(midgame::INFINITE);
            let found = C::midgame_pv(worker, board, depth, alpha, beta, line);
            if worker.stopped {
                return 0;
            }
            if found <= alpha {
                below *= 4;
            } else if found >= beta {
                above *= 4;
            } else {
                score = found;
                break;
            }
        }
    }
    score
}

/// The exact value, sought in a window around the `expected` one (hundredths of a disc) that grows on
/// the side where it fails.
fn solve_near<C: Kernel>(
    worker: &mut Worker<'_, C>,
    board: Board,
    expected: i32,
    line: &mut Line,
) -> i32 {
    let infinite = endgame::INFINITE;
    let expected = (expected / CENTIDISC).clamp(-64, 64);
    let (mut below, mut above) = (EXACT_WINDOW, EXACT_WINDOW);
    let (mut alpha, mut beta) = (expected - below, expected + above);
    loop {
        (alpha, beta) = (alpha.max(-infinite), beta.min(infinite));
        let found = C::endgame_pv(worker, board, alpha, beta, line);
        if worker.stopped {
            return 0;
        }
        if found <= alpha {
            below *= 2;
            (alpha, beta) = (found - below, found + 1);
        } else if found >= beta {
            above *= 2;
            (alpha, beta) = (found - 1, found + above);
        } else {
            return found;
        }
    }
}
