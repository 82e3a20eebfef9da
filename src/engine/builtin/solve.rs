//! Whole searches from one position: the best line, or a score for every move.

use super::confidence::Confidence;
use super::deepen;
use super::kernel::{Kernel, on_best_cpu};
use super::table::Table;
use super::threads::Threads;
use super::weights::Evaluation;
use super::worker::{Line, Stopped, Worker};
use crate::board::{Board, Move, ScoreRule, Squares};
use crate::engine::MoveScore;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How far a position is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// This many plies, then the static evaluation. At least 1.
    Plies(u32),
    /// To the end of the game.
    End,
    /// This many plies, at least 1, or to the end if there are not as many; but without what is
    /// improbable by the measured errors of the evaluation. An evaluation without them leaves
    /// nothing out, and from [`Confidence::FULL`] on nothing is left out either.
    Selective {
        /// Plies searched.
        plies: u32,
        /// How sure every guess must be.
        confidence: Confidence,
    },
    /// As far as it gets in this time; one ply at least. For every move of
    /// [`score_moves`] anew.
    Within(Duration),
}

/// What a search found.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// Final disc difference for the side to move; expected, or true when `exact`.
    pub score: f64,
    /// Plies searched; the number of empties when exact.
    pub depth: u32,
    /// How sure the search was of what it left out.
    pub confidence: Confidence,
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
    /// Who searches. At full confidence the score does not depend on their number.
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
    setting
        .threads
        .run(|| on_best_cpu!(|cpu| best_line_on(cpu, board, reach, table, setting)))
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

pub(super) fn worker<'a, C>(cpu: C, table: &'a Table, setting: &Setting<'a>) -> Worker<'a, C> {
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
    setting
        .threads
        .run(|| on_best_cpu!(|cpu| score_moves_on(cpu, board, reach, table, setting)))
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
            Reach::Selective { plies, confidence } => Reach::Selective {
                plies: plies.saturating_sub(1),
                confidence,
            },
            Reach::End | Reach::Within(_) => reach,
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

/// Searches as far as `reach` says, with the line.
fn search<C: Kernel>(
    worker: &mut Worker<'_, C>,
    board: Board,
    reach: Reach,
) -> Result<Found, Stopped> {
    let nodes_before = worker.nodes;
    let mut line = Line::EMPTY;
    let outcome = deepen::search(worker, board, reach, &mut line);
    worker.finished(Found {
        score: outcome.score,
        depth: outcome.depth,
        confidence: outcome.confidence,
        exact: outcome.depth >= board.empties() && outcome.confidence == Confidence::FULL,
        line: line.to_moves(),
        nodes: worker.nodes - nodes_before,
    })
}
