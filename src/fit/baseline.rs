//! What fitted weights are compared with: the mean value, and the best weights of the squares.
//!
//! Squares that are images of each other share a weight, which leaves ten; with a constant they are
//! fitted by least squares, exactly, from sums of whole numbers.

use crate::board::{Board, Square, Symmetry};
use crate::dataset::record::Record;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// Ten kinds of squares and a constant.
const TERMS: usize = 11;

/// The squares of each kind.
static KINDS: LazyLock<[u64; TERMS - 1]> = LazyLock::new(|| {
    let mut kinds = Vec::new();
    for square in Square::ALL {
        let images = Symmetry::ALL.iter().map(|s| s.apply_square(square).bit());
        let orbit = images.fold(0, |set, bit| set | bit);
        if !kinds.contains(&orbit) {
            kinds.push(orbit);
        }
    }
    kinds
        .try_into()
        .expect("the board has ten kinds of squares")
});

/// Sums over the positions of a stage.
#[derive(Clone, Default)]
pub struct SquareSums {
    products: [[i64; TERMS]; TERMS],
    values: [i64; TERMS],
}

/// What is expected of a position by simple means.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Baseline {
    mean: f64,
    weights: Vec<f64>,
}

impl SquareSums {
    /// Adds a position.
    pub fn add(&mut self, record: &Record) {
        let terms = terms(record.board);
        for (row, &a) in terms.iter().enumerate() {
            for (column, &b) in terms.iter().enumerate() {
                self.products[row][column] += i64::from(a * b);
            }
            self.values[row] += i64::from(a) * i64::from(record.value);
        }
    }

    /// The mean and the weights of least squares.
    pub fn solve(&self) -> Baseline {
        let count = self.products[TERMS - 1][TERMS - 1];
        if count == 0 {
            return Baseline::default();
        }
        Baseline {
            mean: self.values[TERMS - 1] as f64 / count as f64,
            weights: self.weights(),
        }
    }

    /// Elimination with the largest pivots; a kind of square that never tells anything gets 0.
    fn weights(&self) -> Vec<f64> {
        let mut rows: Vec<Vec<f64>> = (0..TERMS)
            .map(|row| {
                let products = self.products[row].iter().map(|&sum| sum as f64);
                products.chain([self.values[row] as f64]).collect()
            })
            .collect();
        for (row, cells) in rows.iter_mut().enumerate() {
            // Keeps what is nearly without information from growing.
            cells[row] += 1e-6 * (1.0 + cells[row]);
        }
        for pivot in 0..TERMS {
            let best = (pivot..TERMS)
                .max_by(|&a, &b| rows[a][pivot].abs().total_cmp(&rows[b][pivot].abs()))
                .unwrap_or(pivot);
            rows.swap(pivot, best);
            let first = rows[pivot].clone();
            for (row, cells) in rows.iter_mut().enumerate() {
                if row != pivot && first[pivot] != 0.0 {
                    let share = cells[pivot] / first[pivot];
                    for (cell, of_first) in cells.iter_mut().zip(&first) {
                        *cell -= share * of_first;
                    }
                }
            }
        }
        let solved = |(row, cells): (usize, &Vec<f64>)| match cells[row] {
            0.0 => 0.0,
            own => cells[TERMS] / own,
        };
        rows.iter().enumerate().map(solved).collect()
    }
}

impl Baseline {
    /// The mean value.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// What the squares say of a position.
    pub fn value(&self, board: Board) -> f64 {
        let terms = terms(board).map(f64::from);
        self.weights.iter().zip(terms).map(|(w, t)| w * t).sum()
    }
}

fn terms(board: Board) -> [i32; TERMS] {
    let mut terms = [1; TERMS];
    for (term, kind) in terms.iter_mut().zip(KINDS.iter()) {
        let count = |side: u64| (side & kind).count_ones() as i32;
        *term = count(board.own) - count(board.opponent);
    }
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_weights_of_squares_are_found() {
        let mut sums = SquareSums::default();
        let mut state = 1u64;
        let mut draw = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(99);
            state ^ (state >> 31)
        };
        let mut boards = Vec::new();
        for _ in 0..500 {
            let (a, b) = (draw(), draw());
            let board = Board {
                own: a & !b,
                opponent: b & !a,
            };
            // Corners 3, squares beside them −2, a constant of 5.
            let terms = terms(board);
            let value = (3 * terms[0] - 2 * terms[1] + 5) as i16;
            sums.add(&Record { board, value });
            boards.push((board, value));
        }
        let found = sums.solve();
        for (board, value) in boards {
            assert!((found.value(board) - f64::from(value)).abs() < 0.01);
        }
    }

    #[test]
    fn nothing_is_known_of_nothing() {
        assert_eq!(SquareSums::default().solve(), Baseline::default());
        assert_eq!(Baseline::default().value(Board::START), 0.0);
    }
}
