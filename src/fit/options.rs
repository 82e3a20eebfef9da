//! What a fit is asked for.

use super::FitError;
use crate::engine::builtin::patterns::{MAX_STAGES, Shape};
use std::path::PathBuf;

/// What happens to files of an earlier fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Existing {
    /// They are an error.
    Refuse,
    /// They are continued.
    Continue,
    /// They are replaced.
    Replace,
}

/// A fit as it was asked for.
#[derive(Clone, Debug)]
pub struct FitOptions {
    /// Datasets, phase folders or files.
    pub inputs: Vec<PathBuf>,
    /// The file of weights.
    pub output: PathBuf,
    /// What happens to a file that is there.
    pub existing: Existing,
    /// Times that every position is seen, ≥ 1.
    pub epochs: u32,
    /// Share of the error by which each weight moves in the first epoch; it falls to a twentieth.
    pub rate: f64,
    /// Each weight is drawn towards 0 as if this many further positions with it had shown 0.
    pub l2: f64,
    /// Stages of the game.
    pub stages: usize,
    /// The patterns.
    pub shapes: Vec<Shape>,
    /// Weights of these patterns to begin with, instead of zero.
    pub start: Option<PathBuf>,
    /// Threads, ≥ 1.
    pub threads: usize,
}

impl FitOptions {
    /// [`FitOptions::epochs`] where nobody says otherwise.
    pub const EPOCHS: u32 = 20;
    /// [`FitOptions::rate`] where nobody says otherwise.
    pub const RATE: f64 = 0.004;
    /// [`FitOptions::l2`] where nobody says otherwise.
    pub const L2: f64 = 2.0;
    /// [`FitOptions::stages`] where nobody says otherwise.
    pub const STAGES: usize = 9;

    /// Fails for numbers that make no sense.
    pub(super) fn check(&self) -> Result<(), FitError> {
        let refuse = |option, value: String, expected: &str| {
            Err(FitError::Option {
                option,
                value: value.into(),
                expected: expected.to_owned(),
            })
        };
        if !(1..=100_000).contains(&self.epochs) {
            return refuse("--epochs", self.epochs.to_string(), "choose 1 to 100000");
        }
        if !(self.rate > 0.0 && self.rate <= 1.0) {
            return refuse(
                "--rate",
                self.rate.to_string(),
                "choose more than 0, at most 1",
            );
        }
        if !(0.0..=1e9).contains(&self.l2) {
            return refuse("--l2", self.l2.to_string(), "choose 0 or more");
        }
        if !(1..=MAX_STAGES).contains(&self.stages) {
            let expected = format!("choose 1 to {MAX_STAGES}");
            return refuse("--stages", self.stages.to_string(), &expected);
        }
        Ok(())
    }

    /// The share of the error in an epoch, from 0.
    pub(super) fn rate_of(&self, epoch: u32) -> f32 {
        const LAST: f64 = 0.05;
        (self.rate * LAST.powf(f64::from(epoch) / f64::from(self.epochs))) as f32
    }
}
