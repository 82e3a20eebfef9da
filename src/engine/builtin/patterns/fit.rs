//! Fits pattern weights to positions with known final results.
//!
//! Plain stochastic gradient descent on the squared error: for each position every weight that
//! takes part moves a little against the error. The order of the positions is a fixed shuffle and
//! everything runs on one thread, so the same positions in the same order give the same bytes.

use super::contents::{contents, sums};
use super::file::{Layout, MAGIC};
use super::{INSTANCES, MOVE_COUNTS, STAGES, UNITS_PER_DISC, instance_offsets, stage};
use crate::board::Board;

/// A position and how its game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The position.
    pub board: Board,
    /// Final disc difference for its side to move.
    pub value: i16,
}

/// How weights are fitted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FitOptions {
    /// Times that every position is seen, ≥ 1.
    pub epochs: u32,
    /// Share of the error by which each weight moves in the first epoch; it falls to a twentieth.
    pub rate: f32,
}

impl Default for FitOptions {
    fn default() -> FitOptions {
        FitOptions {
            epochs: 20,
            rate: 0.004,
        }
    }
}

/// What a stage's fit came to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StageReport {
    /// 0 to [`STAGES`] − 1.
    pub stage: usize,
    /// Positions that it was fitted to.
    pub samples: usize,
    /// Root of the mean squared error on them in the last epoch, in discs.
    pub train_error: f64,
    /// The same on positions that were held back; NaN without any.
    pub valid_error: f64,
}

/// Weights that take part in one position.
const FEATURES: usize = INSTANCES + 2;

/// A sample as the numbers of its weights.
struct Row {
    weights: [u32; FEATURES],
    value: f32,
}

/// Positions of neighbouring stages that a stage also learns from, in discs.
const OVERLAP: u32 = 2;

/// Fits weights to `train`, measures them on `valid`, and gives the bytes of a weight file.
/// `report` hears of each stage when it is done.
pub fn fit(
    train: &[Sample],
    valid: &[Sample],
    options: &FitOptions,
    mut report: impl FnMut(StageReport),
) -> Vec<u8> {
    let layout = Layout::new();
    let offsets = instance_offsets();
    let mut bytes = MAGIC.to_vec();
    for number in 0..STAGES {
        let rows_of = |samples: &[Sample], overlap: u32| -> Vec<Row> {
            samples
                .iter()
                .filter(|sample| {
                    let discs = sample.board.discs();
                    stage(discs) == number
                        || stage(discs + overlap) == number
                        || stage(discs.saturating_sub(overlap)) == number
                })
                .map(|sample| row(&layout, &offsets, sample))
                .collect()
        };
        let mut rows = rows_of(train, OVERLAP);
        shuffle(&mut rows);
        let mut weights = vec![0f32; layout.length];
        let mut train_error = 0.0;
        for epoch in 0..options.epochs {
            let progress = epoch as f32 / options.epochs as f32;
            let rate = options.rate * 0.05f32.powf(progress);
            train_error = pass(&rows, &mut weights, rate);
        }
        let limit = |w: &f32| (w * UNITS_PER_DISC as f32).round().clamp(-127.0, 127.0) as i8;
        let stored: Vec<i8> = weights.iter().map(limit).collect();
        report(StageReport {
            stage: number,
            samples: rows.len(),
            train_error,
            valid_error: error(&rows_of(valid, 0), &stored),
        });
        bytes.extend(stored.iter().map(|&w| w as u8));
    }
    bytes
}

/// One pass over all rows; gives the root of the mean squared error met on the way.
fn pass(rows: &[Row], weights: &mut [f32], rate: f32) -> f64 {
    let mut squares = 0f64;
    for row in rows {
        let sum: f32 = row.weights.iter().map(|&w| weights[w as usize]).sum();
        let error = row.value - sum;
        squares += f64::from(error * error);
        for &w in &row.weights {
            weights[w as usize] += rate * error;
        }
    }
    (squares / rows.len().max(1) as f64).sqrt()
}

/// Root of the mean squared error of rounded weights.
fn error(rows: &[Row], stored: &[i8]) -> f64 {
    let squares: f64 = rows
        .iter()
        .map(|row| {
            let sum: i32 = row
                .weights
                .iter()
                .map(|&w| i32::from(stored[w as usize]))
                .sum();
            let error = f64::from(row.value) - f64::from(sum) / f64::from(UNITS_PER_DISC);
            error * error
        })
        .sum();
    (squares / rows.len() as f64).sqrt()
}

fn row(layout: &Layout, offsets: &[u32; INSTANCES], sample: &Sample) -> Row {
    let board = sample.board;
    let contents = contents(sums(), board);
    let mut weights = [0; FEATURES];
    for (instance, weight) in weights.iter_mut().take(INSTANCES).enumerate() {
        let content = offsets[instance] as usize + usize::from(contents.0[instance]);
        *weight = layout.number_of[content];
    }
    let count = |moves: u64| moves.count_ones() as usize % MOVE_COUNTS;
    weights[INSTANCES] = (layout.moves_at + count(board.legal_moves())) as u32;
    weights[INSTANCES + 1] =
        (layout.moves_at + MOVE_COUNTS + count(board.passed().legal_moves())) as u32;
    Row {
        weights,
        value: f32::from(sample.value),
    }
}

/// Fisher and Yates' shuffle with a fixed generator.
fn shuffle(rows: &mut [Row]) {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    for i in (1..rows.len()).rev() {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let j = (u128::from(state) * (i as u128 + 1)) >> 64;
        rows.swap(i, j as usize);
    }
}
