//! How old values differ from new ones.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Sums over positions; a difference is the old value − the new one, in discs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Difference {
    /// Positions.
    pub count: u64,
    /// Of them, those with the same value.
    pub equal: u64,
    /// Sum of the differences.
    pub sum: i64,
    /// Sum of their amounts.
    pub sum_of_amounts: u64,
    /// Sum of their squares.
    pub sum_of_squares: u64,
}

/// Of one phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct PhaseDifference {
    /// Discs − 4.
    pub phase: u8,
    /// All its positions.
    pub difference: Difference,
}

impl Difference {
    /// Adds a position.
    pub(crate) fn count(&mut self, old: i16, new: i16) {
        let difference = i64::from(old) - i64::from(new);
        self.count += 1;
        self.equal += u64::from(difference == 0);
        self.sum += difference;
        self.sum_of_amounts += difference.unsigned_abs();
        self.sum_of_squares += difference.unsigned_abs().pow(2);
    }

    /// Adds others.
    pub(crate) fn add(&mut self, other: &Difference) {
        self.count += other.count;
        self.equal += other.equal;
        self.sum += other.sum;
        self.sum_of_amounts += other.sum_of_amounts;
        self.sum_of_squares += other.sum_of_squares;
    }

    /// A sum per position; `None` without positions.
    fn per_position(&self, sum: f64) -> Option<f64> {
        (self.count > 0).then(|| sum / self.count as f64)
    }

    /// Mean difference.
    pub(crate) fn mean(&self) -> Option<f64> {
        self.per_position(self.sum as f64)
    }

    /// Mean absolute error.
    pub(crate) fn mae(&self) -> Option<f64> {
        self.per_position(self.sum_of_amounts as f64)
    }

    /// Root of the mean squared error.
    pub(crate) fn rmse(&self) -> Option<f64> {
        let mean = self.per_position(self.sum_of_squares as f64);
        mean.map(f64::sqrt)
    }

    /// Share of positions with the same value, 0..=1.
    pub(crate) fn share_equal(&self) -> Option<f64> {
        self.per_position(self.equal as f64)
    }

    /// For programs.
    pub(crate) fn json(&self) -> Value {
        json!({
            "n": self.count,
            "mean": self.mean(),
            "mae": self.mae(),
            "rmse": self.rmse(),
            "share_equal": self.share_equal(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_by_hand() {
        let mut all = Difference::default();
        assert_eq!(
            (all.mean(), all.rmse(), all.share_equal()),
            (None, None, None)
        );
        // Differences 3, -1, 0, 0: mean 0.5, amounts 1, squares 10 / 4.
        for (old, new) in [(5, 2), (-4, -3), (0, 0), (64, 64)] {
            all.count(old, new);
        }
        assert_eq!(all.mean(), Some(0.5));
        assert_eq!(all.mae(), Some(1.0));
        assert_eq!(all.rmse(), Some(2.5_f64.sqrt()));
        assert_eq!(all.share_equal(), Some(0.5));
        let mut two = all;
        two.add(&all);
        assert_eq!((two.count, two.rmse()), (8, all.rmse()));
        let mut far = Difference::default();
        far.count(-64, 64);
        assert_eq!((far.mean(), far.mae()), (Some(-128.0), Some(128.0)));
    }
}
