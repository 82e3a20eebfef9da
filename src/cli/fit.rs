//! Options of `rdg fit`.

use super::ProgressArgs;
use super::threads::threads;
use crate::fit::FitOptions;
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// What `rdg fit` takes. Numbers are checked where they are used.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:\n  \
    rdg fit datasets/quickstart --output mine.bin\n  \
    rdg fit datasets/random datasets/strong datasets/wthor --stages 18 --output mine.bin\n  \
    rdg match mine.bin:4 builtin:4\n\n\
    Learns from train, stops by valid, judges on test. The weights are an `eval_file` of the embedded\n\
    engine; beside them FILE.json tells how they were made. A fit that was interrupted has its best\n\
    weights so far in FILE.\n\
    Exit code 0: fitted; 1: failed; 2: wrong options; 130: interrupted, go on with --resume.")]
pub struct FitArgs {
    /// Datasets, phase folders (phase_10) or files (train.rd)
    #[arg(required = true, value_name = "DATASET")]
    pub inputs: Vec<PathBuf>,

    /// The file of weights
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,

    /// Continue an interrupted fit
    #[arg(long, conflicts_with = "force")]
    pub resume: bool,

    /// Replace what is there, and start over
    #[arg(long)]
    pub force: bool,

    /// Times that every position is seen at most
    #[arg(long, value_name = "N", default_value_t = FitOptions::EPOCHS)]
    pub epochs: u32,

    /// Share of the error by which a weight moves in the first epoch; it falls to a twentieth
    #[arg(long, value_name = "X", default_value_t = FitOptions::RATE, allow_negative_numbers = true)]
    pub rate: f64,

    /// Pull towards 0: as if so many more positions with a pattern had shown 0 for it
    #[arg(long, value_name = "X", default_value_t = FitOptions::L2, allow_negative_numbers = true)]
    pub l2: f64,

    /// Stages of the game, each with weights of its own, 1 to 54
    #[arg(long, value_name = "N", default_value_t = FitOptions::STAGES)]
    pub stages: usize,

    /// Patterns: a line of squares each (`a1 b1 c1 a2`), which stands for all its images
    /// [default: the embedded engine's]
    #[arg(long, value_name = "FILE")]
    pub patterns: Option<PathBuf>,

    /// Weights of these patterns to begin with, instead of zero; a lower --rate suits them
    #[arg(long, value_name = "FILE")]
    pub start: Option<PathBuf>,

    /// Threads; the weights do not depend on their number [default: number of CPUs]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<NonZeroUsize>,

    /// Print one JSON object (schema rdg_fit_v1) instead of a table
    #[arg(long)]
    pub json: bool,

    /// How the fit is shown.
    #[command(flatten)]
    pub progress: ProgressArgs,
}
