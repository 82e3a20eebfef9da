//! The 64 weights that are learned: real-valued, averaged over the board's symmetries, rounded
//! to whole numbers for play.

use crate::board::{Square, Symmetry};
use serde::{Deserialize, Serialize};

/// No weight may grow beyond this: a thousand times the reward is no evaluation any more, and
/// sums of 64 of them stay far from the limits of `i32`.
pub const LARGEST_WEIGHT: f64 = 1_000_000.0;

/// One real-valued weight per square, a1, b1 … h8: what a disc there is worth to its owner, on
/// the scale on which a won game is worth [`super::td::REWARD`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(into = "Vec<f64>", try_from = "Vec<f64>")]
pub struct Weights(pub [f64; 64]);

/// The weights that games are played with: [`Weights`] rounded to the nearest whole number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntegerWeights(pub [i32; 64]);

impl From<Weights> for Vec<f64> {
    fn from(weights: Weights) -> Vec<f64> {
        weights.0.to_vec()
    }
}

impl TryFrom<Vec<f64>> for Weights {
    type Error = String;

    fn try_from(values: Vec<f64>) -> Result<Weights, String> {
        let found = values.len();
        let weights = values.try_into().map(Weights);
        weights.map_err(|_| format!("64 weights are expected, not {found}"))
    }
}

impl Weights {
    /// Knows nothing: every square is worth 0.
    pub const ZERO: Weights = Weights([0.0; 64]);

    /// A table of the kind that beginners' books give: corners are good, the squares beside them
    /// bad, the ones diagonal to them worst, edges better than the middle.
    pub fn corner_table() -> Weights {
        #[rustfmt::skip]
        const QUADRANT: [f64; 16] = [
            100.0, -20.0, 10.0, 5.0,
            -20.0, -50.0, -2.0, -2.0,
             10.0,  -2.0,  1.0, 1.0,
              5.0,  -2.0,  1.0, 1.0,
        ];
        Weights(std::array::from_fn(|i| {
            let fold = |n: usize| n.min(7 - n);
            QUADRANT[fold(i / 8) * 4 + fold(i % 8)]
        }))
    }

    /// Gives each square the mean of its images under the eight symmetries of the board, so that
    /// at most ten distinct values remain. All images of a square get one and the same number,
    /// equal to the last bit, because the mean is taken once per class and in a fixed order.
    pub fn average_symmetries(&mut self) {
        let mut done = 0u64;
        for square in Square::ALL {
            if done & square.bit() != 0 {
                continue;
            }
            let class = images(square);
            let members = || crate::board::Squares(class).map(|s| usize::from(s.index()));
            let sum: f64 = members().map(|i| self.0[i]).sum();
            let mean = sum / f64::from(class.count_ones());
            for i in members() {
                self.0[i] = mean;
            }
            done |= class;
        }
    }

    /// Rounded to the nearest whole number, halves away from zero. Nearest rather than cut off:
    /// cutting would pull every weight towards zero.
    pub fn rounded(&self) -> IntegerWeights {
        IntegerWeights(self.0.map(|w| w.round() as i32))
    }

    /// The largest absolute value; NaN if there is any.
    pub fn magnitude(&self) -> f64 {
        self.0.iter().fold(0.0, |largest: f64, w| {
            if largest.is_nan() || w.is_nan() {
                f64::NAN
            } else {
                largest.max(w.abs())
            }
        })
    }

    /// Every weight is a number of at most [`LARGEST_WEIGHT`].
    pub fn are_sound(&self) -> bool {
        self.magnitude() <= LARGEST_WEIGHT
    }
}

/// All images of a square under the eight symmetries.
fn images(square: Square) -> u64 {
    Symmetry::ALL
        .iter()
        .fold(0, |set, symmetry| set | symmetry.apply(square.bit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_board_has_ten_classes_of_squares() {
        let classes: BTreeSet<u64> = Square::ALL.into_iter().map(images).collect();
        assert_eq!(classes.len(), 10);
        assert_eq!(classes.iter().map(|c| c.count_ones()).sum::<u32>(), 64);
    }

    #[test]
    fn corners_get_their_mean() {
        let mut weights = Weights::ZERO;
        (weights.0[0], weights.0[7], weights.0[56], weights.0[63]) = (1.0, 2.0, 3.0, 6.0);
        weights.average_symmetries();
        for corner in [0, 7, 56, 63] {
            assert_eq!(weights.0[corner], 3.0);
        }
        assert_eq!(weights.0.iter().filter(|&&w| w != 0.0).count(), 4);
    }

    #[test]
    fn rounding_goes_to_the_nearest_and_halves_away_from_zero() {
        let mut weights = Weights::ZERO;
        weights.0[..5].copy_from_slice(&[1.4, 1.5, -1.4, -1.5, -0.2]);
        assert_eq!(weights.rounded().0[..5], [1, 2, -1, -2, 0]);
    }

    #[test]
    fn unsound_weights_are_seen() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 2e6, -2e6] {
            let mut weights = Weights::corner_table();
            assert!(weights.are_sound());
            weights.0[20] = bad;
            assert!(!weights.are_sound(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn averaged_weights_are_equal_to_the_last_bit_in_all_images(
            weights in proptest::collection::vec(-1e5f64..1e5, 64)
        ) {
            let mut weights = Weights(weights.try_into().expect("64 values were drawn"));
            let sum: f64 = weights.0.iter().sum();
            weights.average_symmetries();
            for symmetry in Symmetry::ALL {
                for square in Square::ALL {
                    let image = symmetry.apply_square(square);
                    prop_assert_eq!(
                        weights.0[usize::from(square.index())].to_bits(),
                        weights.0[usize::from(image.index())].to_bits()
                    );
                }
            }
            let distinct: BTreeSet<u64> = weights.0.iter().map(|w| w.to_bits()).collect();
            prop_assert_eq!(distinct.len(), 10);
            prop_assert!((weights.0.iter().sum::<f64>() - sum).abs() < 1e-6);
        }
    }
}
