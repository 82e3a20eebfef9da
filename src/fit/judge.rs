//! How far weights are from values that they were not fitted to.

use super::FitError;
use super::baseline::Baseline;
use super::descent::Descent;
use crate::dataset::record::Record;
use crate::dataset::split::Split;
use rayon::prelude::*;

/// Sums of errors over positions.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    pub(super) rows: u64,
    /// Of the weights, the mean, the squares: absolute and squared errors.
    pub(super) errors: [(f64, f64); 3],
}

impl Sums {
    pub(super) fn add(&mut self, more: &Sums) {
        self.rows += more.rows;
        for (sum, more) in self.errors.iter_mut().zip(more.errors) {
            sum.0 += more.0;
            sum.1 += more.1;
        }
    }

    /// Root of the mean squared error of the weights; `None` without positions.
    pub(super) fn rmse(&self) -> Option<f64> {
        (self.rows > 0).then(|| (self.errors[0].1 / self.rows as f64).sqrt())
    }
}

/// The errors of each stage's weights on a split.
pub(super) fn judge(
    on: &Descent,
    split: Split,
    weights: &[Vec<f32>],
    baselines: &[Baseline],
) -> Result<Vec<Sums>, FitError> {
    let decks = &on.spool.decks[split.index()];
    let parts: Vec<(usize, u64)> = decks
        .iter()
        .enumerate()
        .flat_map(|(stage, deck)| (0..deck.parts()).map(move |part| (stage, part)))
        .collect();
    let judged: Result<Vec<Sums>, FitError> = parts
        .par_iter()
        .map(|&(stage, part)| {
            on.check_stop()?;
            let mut rows = Vec::new();
            on.spool.read(split, stage, part, &mut rows)?;
            let mut features = vec![0; on.layout.features()];
            let mut sums = Sums::default();
            for row in &rows {
                let record = Record::decode(row);
                on.layout.fill(record.board, &mut features);
                let sum = features.iter().map(|&f| weights[stage][f as usize]);
                let baseline = &baselines[stage];
                let expected = [
                    f64::from(sum.sum::<f32>()),
                    baseline.mean(),
                    baseline.value(record.board),
                ];
                for (sum, expected) in sums.errors.iter_mut().zip(expected) {
                    let error = f64::from(record.value) - expected;
                    sum.0 += error.abs();
                    sum.1 += error * error;
                }
            }
            sums.rows = rows.len() as u64;
            Ok(sums)
        })
        .collect();
    let mut stages = vec![Sums::default(); decks.len()];
    // In the order of the parts, whoever was done first.
    for ((stage, _), sums) in parts.iter().zip(judged?) {
        stages[*stage].add(&sums);
    }
    Ok(stages)
}
