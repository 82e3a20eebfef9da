//! The options of `rdg inspect`.

use super::{ProgressArgs, ThreadsArg};
use clap::Args;
use std::path::PathBuf;

/// What `rdg inspect` was asked.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:\n  \
    rdg inspect datasets/quickstart                 phases, splits, values\n  \
    rdg inspect datasets/quickstart --sample 20     twenty random positions\n  \
    rdg inspect train.rd --record 17                one position, numbered from 0\n\n\
    Columns: min, max, mean and sd (standard deviation) of the values; pass and over: share of\n\
    positions where the side to move must pass, and where the game is over.\n\
    Exit code 0: shown; 1: something is damaged or missing, the rest is shown.")]
pub struct InspectArgs {
    /// Files (train.rd), phase folders (phase_10) or whole datasets
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// Show N records of each path, drawn at random, as boards
    #[arg(long, value_name = "N", conflicts_with = "record", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub sample: Option<u64>,

    /// Draw the same records again; absent: others each time
    #[arg(long, value_name = "S", requires = "sample")]
    pub seed: Option<u64>,

    /// Show this record of each file as a board; the first is 0
    #[arg(long, value_name = "K")]
    pub record: Option<u64>,

    /// Print one JSON object (schema rdg_inspect_v1)
    #[arg(long)]
    pub json: bool,

    /// How much of the machine it may use.
    #[command(flatten)]
    pub threads: ThreadsArg,

    /// How it is watched.
    #[command(flatten)]
    pub progress: ProgressArgs,
}
