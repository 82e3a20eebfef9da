//! Iterative deepening: depth after depth, each in a window around the result of the one before.

use super::confidence::Confidence;
use super::endgame;
use super::kernel::Kernel;
use super::midgame;
use super::solve::Reach;
use super::weights::CENTIDISC;
use super::worker::{Line, Worker};
use crate::board::Board;
use std::time::{Duration, Instant};

/// How far the first window of a depth reaches below and above the result of the depth before.
const WINDOW: i32 = 2 * CENTIDISC;

/// Plies of the search that tells where the exact value of few empties is to be looked for.
const FORECAST_PLIES: u32 = 4;

/// From this many empties on, the exact value is foretold by a selective search to the end.
const FORECAST_TO_END: u32 = 18;

/// The confidence of that search.
const FORECAST_CONFIDENCE: Confidence = Confidence::P73;

/// Its last step to the end follows on a search that is this many plies short of it.
const FORECAST_STEP: u32 = 12;

/// Values at which one side is all but wiped out. The evaluation says little there, so nothing is
/// left out, and a selective search takes longer than the exact one.
const WIPED_OUT: i32 = 60 * CENTIDISC;

/// How many discs an exact search's first window reaches below and above what is expected.
const EXACT_WINDOW: i32 = 2;

/// With at most this many empties, solving needs no search before it.
const SOLVED_AT_ONCE: u32 = 12;

/// A search to the end follows on one that is this many plies short of it.
const END_STEP: u32 = 8;

/// What a finished search came to.
pub(super) struct Outcome {
    /// In discs.
    pub(super) score: f64,
    pub(super) depth: u32,
    pub(super) confidence: Confidence,
}

impl Outcome {
    fn estimate(score: i32, depth: u32, confidence: Confidence) -> Outcome {
        Outcome {
            score: f64::from(score) / f64::from(CENTIDISC),
            depth,
            confidence,
        }
    }

    fn exact(score: i32, empties: u32) -> Outcome {
        Outcome {
            score: f64::from(score),
            depth: empties,
            confidence: Confidence::FULL,
        }
    }
}

/// Searches as far as `reach` says. A reach beyond the end of the game goes to the end. What is
/// returned after a stop is worth nothing.
pub(super) fn search<C: Kernel>(
    worker: &mut Worker<'_, C>,
    board: Board,
    reach: Reach,
    line: &mut Line,
) -> Outcome {
    let empties = board.empties();
    let (plies, mut confidence) = match reach {
        Reach::Plies(plies) => (plies, Confidence::FULL),
        Reach::End => (empties, Confidence::FULL),
        Reach::Selective { plies, confidence } => (plies, confidence),
        Reach::Within(time) => return within(worker, board, time, line),
    };
    if worker.evaluation.errors().is_none() {
        // Nothing is known of the errors, so nothing is improbable.
        confidence = Confidence::FULL;
    }
    if plies < empties {
        worker.prune(confidence);
        let score = deepen(worker, board, plies, line);
        return Outcome::estimate(score, plies, confidence);
    }
    if confidence == Confidence::FULL {
        return Outcome::exact(solve(worker, board, line), empties);
    }
    let mut score = 0;
    worker.prune(Confidence::P73.min(confidence));
    score = match empties.saturating_sub(END_STEP) {
        0 => score,
        plies => deepen(worker, board, plies, line),
    };
    // One confidence after the other, each with the moves of the one before tried first.
    for step in Confidence::ALL {
        if step <= confidence && !worker.stopped {
            worker.prune(step);
            score = around(worker, board, empties, score, line);
        }
    }
    Outcome::estimate(score, empties, confidence)
}

/// The exact value.
fn solve<C: Kernel>(worker: &mut Worker<'_, C>, board: Board, line: &mut Line) -> i32 {
    worker.prune(Confidence::FULL);
    let empties = board.empties();
    if empties > SOLVED_AT_ONCE {
        let expected = forecast(worker, board, line);
        worker.prune(Confidence::FULL);
        solve_near(worker, board, expected, line)
    } else {
        let infinite = endgame::INFINITE;
        C::endgame_pv(worker, board, -infinite, infinite, line)
    }
}

/// About what the exact value will be: where the exact search looks, while the moves that the table
/// keeps order it. With many empties a guess of the whole tree saves a third to a half of the exact
/// search at a hundredth of its cost.
fn forecast<C: Kernel>(worker: &mut Worker<'_, C>, board: Board, line: &mut Line) -> i32 {
    let empties = board.empties();
    if empties < FORECAST_TO_END || worker.evaluation.errors().is_none() {
        return deepen(worker, board, FORECAST_PLIES, line);
    }
    let mut score = first(worker, board, 1, line);
    for depth in (2..=empties - FORECAST_STEP).chain([empties]) {
        if worker.stopped || score.abs() >= WIPED_OUT {
            break;
        }
        if depth > FORECAST_PLIES {
            worker.prune(FORECAST_CONFIDENCE);
        }
        score = around(worker, board, depth, score, line);
    }
    score
}

/// Searches depth after depth, up to `depth`.
fn deepen<C: Kernel>(worker: &mut Worker<'_, C>, board: Board, depth: u32, line: &mut Line) -> i32 {
    let mut score = first(worker, board, depth.min(1), line);
    for depth in 2..=depth {
        if worker.stopped {
            return 0;
        }
        score = around(worker, board, depth, score, line);
    }
    score
}

/// A search of a depth of which nothing is expected.
fn first<C: Kernel>(worker: &mut Worker<'_, C>, board: Board, depth: u32, line: &mut Line) -> i32 {
    let infinite = midgame::INFINITE;
    C::midgame_pv(worker, board, depth, -infinite, infinite, line)
}

/// The value of a depth, sought in a window around the `expected` one that grows on the side where it
/// fails. Guesses may contradict each other, so both ends of the window move outwards only.
fn around<C: Kernel>(
    worker: &mut Worker<'_, C>,
    board: Board,
    depth: u32,
    expected: i32,
    line: &mut Line,
) -> i32 {
    let (mut below, mut above) = (WINDOW, WINDOW);
    loop {
        let alpha = (expected - below).max(-midgame::INFINITE);
        let beta = (expected + above).min(midgame::INFINITE);
        let found = C::midgame_pv(worker, board, depth, alpha, beta, line);
        if worker.stopped {
            return 0;
        }
        if found <= alpha {
            below *= 4;
        } else if found >= beta {
            above *= 4;
        } else {
            return found;
        }
    }
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

/// How sure a search by time is within the middle game.
pub(super) const TIMED_CONFIDENCE: Confidence = Confidence::P87;

/// A further step is begun when no more than this share of the time is over: each takes about twice
/// as long as all before it, and what is not finished is lost.
const LAST_BEGINNING: f64 = 0.5;

/// Goes on until `time` is over: depth after depth, then to the end with growing confidence, then
/// exactly. The result is that of the last step that was finished; one is in any case.
fn within<C: Kernel>(
    worker: &mut Worker<'_, C>,
    board: Board,
    time: Duration,
    line: &mut Line,
) -> Outcome {
    let start = Instant::now();
    let empties = board.empties();
    let is_selective = worker.evaluation.errors().is_some();
    worker.prune(Confidence::FULL);
    worker.deadline = None;
    let score = first(worker, board, 1, line);
    let mut result = Outcome::estimate(score, 1, Confidence::FULL);
    worker.deadline = start.checked_add(time);
    let mut found = score;
    for step in steps(empties, is_selective) {
        if worker.stopped || start.elapsed() > time.mul_f64(LAST_BEGINNING) {
            break;
        }
        let mut better = Line::EMPTY;
        let next = match step {
            Reach::Plies(plies) => {
                worker.prune(Confidence::FULL);
                found = around(worker, board, plies, found, &mut better);
                Outcome::estimate(found, plies, Confidence::FULL)
            }
            Reach::Selective { plies, confidence } => {
                worker.prune(confidence);
                found = around(worker, board, plies, found, &mut better);
                Outcome::estimate(found, plies, confidence)
            }
            Reach::End | Reach::Within(_) => {
                worker.prune(Confidence::FULL);
                Outcome::exact(solve_near(worker, board, found, &mut better), empties)
            }
        };
        if worker.stopped {
            break;
        }
        result = next;
        line.clone_from(&better);
    }
    // The time being over is no reason to give nothing.
    worker.stopped = worker.is_told_to_stop();
    result
}

/// What a search by time does after its first ply, one after the other.
fn steps(empties: u32, is_selective: bool) -> Vec<Reach> {
    if empties <= SOLVED_AT_ONCE {
        return vec![Reach::End];
    }
    if !is_selective {
        let depths = (2..=empties - END_STEP).map(Reach::Plies);
        return depths.chain([Reach::End]).collect();
    }
    let depths = (2..=empties - END_STEP).map(|plies| Reach::Selective {
        plies,
        confidence: TIMED_CONFIDENCE,
    });
    let ends = Confidence::ALL.map(|confidence| match confidence {
        Confidence::FULL => Reach::End,
        confidence => Reach::Selective {
            plies: empties,
            confidence,
        },
    });
    depths.chain(ends).collect()
}
