//! Measures how well shallow searches foretell deep ones, on positions of games that are played for
//! it alone.
//!
//! The deep searches are measured in the order of their depth, and use what was measured of the
//! lower ones to leave out what is improbable at 99 %: only so can deep ones be measured at all.

use super::super::confidence::Confidence;
use super::super::patterns::{Patterns, STAGES, stage};
use super::super::solve::{Reach, Setting, best_line};
use super::super::table::Table;
use super::super::threads::Threads;
use super::super::weights::{CENTIDISC, Evaluation};
use super::errors::{Deep, Error, Errors, MAX_DEPTH, MAX_EMPTIES, MAX_SHALLOW};
use crate::board::ScoreRule;
use crate::board::{Board, Squares};
use rayon::prelude::*;
use std::sync::atomic::AtomicBool;

/// Searches up to this depth are measured without leaving anything out.
const FULL_DEPTH: u32 = 8;

/// Positions with at most this many empties are solved exactly.
const FULL_EMPTIES: u32 = 16;

/// Fewest empties from which searches to the end are measured.
const MIN_EMPTIES: u32 = 8;

/// Fewest positions that tell an error.
const MIN_POSITIONS: usize = 30;

/// Values further from 0 than this are left out: such positions are decided, and seldom searched.
const MAX_VALUE: i32 = 48 * CENTIDISC;

/// Entries of each position's table, as a power of two.
const TABLE_BITS: u32 = 18;

/// What a measurement reports.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measured {
    /// The deep search.
    pub deep: Deep,
    /// The shallow one.
    pub shallow: u32,
    /// Positions that were compared.
    pub positions: usize,
    /// What came out.
    pub error: Error,
}

/// Measures the errors of `patterns` on so many `positions` for each stage and each number of
/// empties, drawn by `seed`; the same arguments give the same errors. `report` hears of each pair.
pub fn measure(
    patterns: &Patterns,
    positions: usize,
    seed: u64,
    mut report: impl FnMut(Measured),
) -> Errors {
    let mut errors = Errors::default();
    let mut note = |errors: &mut Errors, deep, deep_values: &[i32], subjects: &[Subject]| {
        for shallow in 0..=MAX_SHALLOW {
            let pairs: Vec<(i32, i32)> = subjects
                .iter()
                .zip(deep_values)
                .filter_map(|(subject, &value)| {
                    Some((*subject.values.get(shallow as usize)?, value))
                })
                .filter(|(x, y)| x.abs() <= MAX_VALUE && y.abs() <= MAX_VALUE)
                .collect();
            let is_shallower = match deep {
                Deep::Plies(_, depth) => shallow < depth && (depth - shallow) % 2 == 0,
                Deep::End(empties) => shallow + 2 <= empties,
            };
            // The static value only says where to look: it is measured for every depth.
            if (is_shallower || shallow == 0) && pairs.len() >= MIN_POSITIONS {
                let error = fit(&pairs);
                errors.set(deep, shallow, error);
                report(Measured {
                    deep,
                    shallow,
                    positions: pairs.len(),
                    error,
                });
            }
        }
    };
    let mut stages: Vec<Vec<Subject>> = (0..STAGES)
        .map(|number| {
            subjects(positions, seed + number as u64, |random| {
                // The discs of a stage, each equally often.
                let first = if number == 0 {
                    6
                } else {
                    10 + 6 * number as u32
                };
                64 - (first + random.below(16 + 6 * number as u32 - first)).min(60)
            })
        })
        .collect();
    debug_assert!(
        stages.iter().enumerate().all(|(number, subjects)| {
            subjects.iter().all(|s| stage(s.board.discs()) == number)
        })
    );
    for depth in 0..=MAX_DEPTH {
        let confidence = if depth <= FULL_DEPTH {
            Confidence::FULL
        } else {
            Confidence::P99
        };
        let evaluation = Evaluation::Patterns(patterns.clone().with_errors(errors.clone()));
        for (number, subjects) in stages.iter_mut().enumerate() {
            subjects.retain(|subject| subject.board.empties() > depth);
            let values = values(&evaluation, subjects, depth, confidence);
            note(&mut errors, Deep::Plies(number, depth), &values, subjects);
            for (subject, value) in subjects.iter_mut().zip(values) {
                subject.values.push(value);
            }
        }
    }
    for empties in MIN_EMPTIES..=MAX_EMPTIES {
        let mut subjects = subjects(positions, seed + 100 + u64::from(empties), |_| empties);
        let confidence = if empties <= FULL_EMPTIES {
            Confidence::FULL
        } else {
            Confidence::P99
        };
        let evaluation = Evaluation::Patterns(patterns.clone().with_errors(errors.clone()));
        for depth in 0..=MAX_SHALLOW.min(empties - 2) {
            let values = values(&evaluation, &subjects, depth, Confidence::FULL);
            for (subject, value) in subjects.iter_mut().zip(values) {
                subject.values.push(value);
            }
        }
        let values = values(&evaluation, &subjects, empties, confidence);
        note(&mut errors, Deep::End(empties), &values, &subjects);
    }
    errors
}

/// A position and the values of its searches, by depth.
struct Subject {
    board: Board,
    values: Vec<i32>,
}

/// The values of a depth, in hundredths of a disc.
fn values(
    evaluation: &Evaluation,
    subjects: &[Subject],
    depth: u32,
    confidence: Confidence,
) -> Vec<i32> {
    let stop = AtomicBool::new(false);
    subjects
        .par_iter()
        .map(|subject| {
            if depth == 0 {
                return evaluation.centidiscs(crate::board::cpu::Portable, subject.board);
            }
            let setting = Setting {
                evaluation,
                rule: ScoreRule::Plain,
                threads: Threads::one(),
                stop: &stop,
            };
            let reach = Reach::Selective {
                plies: depth,
                confidence,
            };
            let mut table = Table::new(TABLE_BITS);
            // Nobody raises the flag.
            best_line(subject.board, reach, &mut table, &setting).map_or(0, |found| {
                (found.score * f64::from(CENTIDISC)).round() as i32
            })
        })
        .collect()
}

/// The line of least squares through the pairs of a shallow and a deep value, and the deviation
/// from it.
fn fit(pairs: &[(i32, i32)]) -> Error {
    let count = pairs.len() as f64;
    let mean = |f: &dyn Fn(f64, f64) -> f64| {
        let sum: f64 = pairs
            .iter()
            .map(|&(x, y)| f(f64::from(x), f64::from(y)))
            .sum();
        sum / count
    };
    let (x, y) = (mean(&|x, _| x), mean(&|_, y| y));
    let variance = mean(&|a, _| (a - x).powi(2));
    let covariance = mean(&|a, b| (a - x) * (b - y));
    let slope = if variance > 0.0 {
        (covariance / variance).max(0.1)
    } else {
        1.0
    };
    let bias = y - slope * x;
    let left = mean(&|a, b| (b - slope * a - bias).powi(2));
    // Two numbers were fitted to the same pairs.
    let deviation = (left * count / (count - 2.0)).sqrt();
    Error {
        slope: (slope * 1000.0).round() as i32,
        bias: bias.round() as i32,
        deviation: deviation.round() as i32,
    }
}

/// Positions with a legal move from games that begin at random and go on with a move of little
/// thought or, one time in four, with any: what a search meets is seldom well played.
fn subjects(
    number: usize,
    seed: u64,
    mut empties_of: impl FnMut(&mut Random) -> u32,
) -> Vec<Subject> {
    let mut random = Random(seed);
    let evaluation = Evaluation::default();
    let mut subjects = Vec::with_capacity(number);
    while subjects.len() < number {
        let empties = empties_of(&mut random);
        let opening = 60 - random.below(25);
        let mut board = Board::START;
        let found = loop {
            if board.must_pass() {
                board = board.passed();
            }
            let legal = board.legal_moves();
            if legal == 0 {
                break None;
            }
            if board.empties() == empties {
                break Some(board);
            }
            let nth = random.below(legal.count_ones()) as usize;
            let is_random = board.empties() > opening || random.below(4) == 0;
            let played = Squares(legal)
                .map(|square| board.after(square, board.flips(square)))
                .enumerate();
            let chosen = if is_random {
                played.into_iter().nth(nth)
            } else {
                played.into_iter().min_by_key(|(_, child)| {
                    evaluation.centidiscs(crate::board::cpu::Portable, *child)
                })
            };
            let Some((_, child)) = chosen else {
                break None;
            };
            board = child;
        };
        subjects.extend(found.map(|board| Subject {
            board,
            values: Vec::new(),
        }));
    }
    subjects
}

/// The generator SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * u128::from(limit.max(1))) >> 64) as u32
    }
}
