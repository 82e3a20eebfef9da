//! What a fit came to, for people and programs.

use super::judge::Sums;
use super::options::FitOptions;
use crate::base::shown::Shown;
use crate::base::text::count;
use crate::dataset::split::Split;
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;

/// Errors in discs on positions that were not learned from.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Figures {
    /// Positions.
    pub positions: u64,
    /// Mean absolute error.
    pub mae: f64,
    /// Root of the mean squared error.
    pub rmse: f64,
    /// The same of the mean value of what was learned from.
    pub mean_mae: f64,
    /// See [`Figures::mean_mae`].
    pub mean_rmse: f64,
    /// The same of the best weights of the squares.
    pub squares_mae: f64,
    /// See [`Figures::squares_mae`].
    pub squares_rmse: f64,
    /// 1 − squared errors / those of the mean.
    pub r2_mean: Option<f64>,
    /// 1 − squared errors / those of the squares.
    pub r2_squares: Option<f64>,
}

/// One stage.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StageReport {
    /// From 1.
    pub stage: usize,
    /// Fewest discs.
    pub discs_from: u8,
    /// Most discs.
    pub discs_to: u8,
    /// Positions of its own that it was fitted to.
    pub positions: u64,
    /// The epoch whose weights were the best on the valid split.
    pub epoch: u32,
    /// Root of the mean squared error while learning, in its last epoch.
    pub train_rmse: Option<f64>,
    /// Root of the mean squared error on the valid split.
    pub valid_rmse: Option<f64>,
    /// On the split that judges.
    pub figures: Option<Figures>,
    /// The stages, from 1, that its weights were taken from, where it has no position.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub filled_from: Vec<usize>,
}

/// A whole fit.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FitReport {
    /// `rdg_fit_v1`.
    pub schema: &'static str,
    /// The file of weights.
    pub output: PathBuf,
    /// What was read.
    pub inputs: Vec<PathBuf>,
    /// How the values count.
    pub score_rule: String,
    /// What stands for the value: `result`, `score`.
    pub labels: Vec<String>,
    /// Options.
    pub epochs: u32,
    /// Share of the error in the first epoch.
    pub rate: f64,
    /// Strength of the pull towards 0.
    pub l2: f64,
    /// The weights that it began with, where it did not begin with zero.
    pub start: Option<PathBuf>,
    /// Squares of each pattern.
    pub patterns: Vec<String>,
    /// Positions learned from.
    pub positions: u64,
    /// The split that judges: `test`, `valid` where test is empty.
    pub judged_on: &'static str,
    /// All stages together.
    pub figures: Option<Figures>,
    /// Each stage.
    pub stages: Vec<StageReport>,
    /// Positions seen in all epochs of this run, and how long that took.
    pub seen: u64,
    /// See [`FitReport::seen`].
    pub seconds: f64,
    /// Threads of this run.
    pub threads: usize,
    /// What a user should know.
    pub warnings: Vec<String>,
}

impl Figures {
    pub(super) fn new(sums: &Sums) -> Option<Figures> {
        if sums.rows == 0 {
            return None;
        }
        let rows = sums.rows as f64;
        let [fitted, mean, squares] = sums.errors;
        let root = |squares: f64| (squares / rows).sqrt();
        let explained = |of: f64| (of > 0.0).then(|| 1.0 - fitted.1 / of);
        Some(Figures {
            positions: sums.rows,
            mae: fitted.0 / rows,
            rmse: root(fitted.1),
            mean_mae: mean.0 / rows,
            mean_rmse: root(mean.1),
            squares_mae: squares.0 / rows,
            squares_rmse: root(squares.1),
            r2_mean: explained(mean.1),
            r2_squares: explained(squares.1),
        })
    }
}

/// The split that judges.
pub(super) fn judging(rows: [u64; 3]) -> Split {
    match rows[Split::Test.index()] {
        0 => Split::Valid,
        _ => Split::Test,
    }
}

impl FitReport {
    /// What a person reads at the end.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let _ = writeln!(
            text,
            "{} positions, values: {}, {}\n",
            count(self.positions),
            self.labels.join(" and "),
            self.score_rule
        );
        let _ = writeln!(
            text,
            "                                   errors on {} in discs         of the mean   of squares    R² against\n\
             stage  discs    positions  epoch    MAE   RMSE  positions       MAE   RMSE    MAE   RMSE   mean squares",
            self.judged_on
        );
        for stage in &self.stages {
            let _ = write!(
                text,
                "{:>5}  {:>2}-{:<2}  {:>12}  {:>5}",
                stage.stage,
                stage.discs_from,
                stage.discs_to,
                count(stage.positions),
                stage.epoch
            );
            row(&mut text, stage.figures.as_ref());
        }
        let _ = write!(text, "  all  {:>19}       ", count(self.positions));
        row(&mut text, self.figures.as_ref());
        let per_core = self.seen as f64 / self.seconds.max(1e-9) / self.threads.max(1) as f64;
        let _ = writeln!(
            text,
            "\n{} positions a second and thread\nweights    {}",
            count(per_core as u64),
            self.output.shown()
        );
        text
    }

    pub(super) fn options(mut self, options: &FitOptions) -> FitReport {
        self.output.clone_from(&options.output);
        self.inputs.clone_from(&options.inputs);
        self.epochs = options.epochs;
        self.rate = options.rate;
        self.l2 = options.l2;
        self.start.clone_from(&options.start);
        self.threads = options.threads;
        self
    }
}

fn row(text: &mut String, figures: Option<&Figures>) {
    let Some(of) = figures else {
        text.push_str("      -\n");
        return;
    };
    let share = |r2: Option<f64>| r2.map_or("-".to_owned(), |r2| format!("{r2:.3}"));
    let _ = writeln!(
        text,
        "  {:>5.2}  {:>5.2}  {:>9}     {:>5.2}  {:>5.2}  {:>5.2}  {:>5.2}  {:>5}   {:>5}",
        of.mae,
        of.rmse,
        count(of.positions),
        of.mean_mae,
        of.mean_rmse,
        of.squares_mae,
        of.squares_rmse,
        share(of.r2_mean),
        share(of.r2_squares)
    );
}
