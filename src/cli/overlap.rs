//! The options of `rdg overlap`.

use super::{ProgressArgs, ThreadsArg};
use clap::Args;
use std::path::PathBuf;

/// What `rdg overlap` was asked.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Columns: positions of A and of B, those that both have (shared, in percent of each),\n\
    those that both have in train, in valid, in test, and those that A has in one of these\n\
    and B in another (crossed).\n\
    Exit code 0: compared; 1: something is damaged or missing; the rest is compared."
)]
pub struct OverlapArgs {
    /// A file (train.rd), a phase folder (phase_10) or a whole dataset
    #[arg(value_name = "A")]
    pub a: PathBuf,

    /// What to compare it with; absent: its own files with each other
    #[arg(value_name = "B")]
    pub b: Option<PathBuf>,

    /// Memory for positions, in MiB (18 bytes each); what needs more is read in several passes
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1 << 30))]
    pub memory: u64,

    /// Print one JSON object (schema rdg_overlap_v1)
    #[arg(long)]
    pub json: bool,

    /// How much of the machine it may use.
    #[command(flatten)]
    pub threads: ThreadsArg,

    /// How it is watched.
    #[command(flatten)]
    pub progress: ProgressArgs,
}
