//! The options of `rdg verify`.

use super::{ProgressArgs, ThreadsArg};
use clap::Args;
use std::path::PathBuf;

/// What `rdg verify` was asked.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Exit code 0: no error found; 1: at least one.\n\
                        Records are numbered from 0, as numpy does.")]
pub struct VerifyArgs {
    /// Files (train.rd), phase folders (phase_10) or whole datasets
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// Check the split of every position also in data of more than a million records, not of one in 64
    #[arg(long)]
    pub thorough: bool,

    /// Play every kept game again and compare each record that follows from it, byte by byte
    #[arg(long)]
    pub replay: bool,

    /// Print the first N errors; the rest is counted
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: usize,

    /// Memory for finding duplicates, in MiB; what needs more is read in several passes
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1 << 30))]
    pub memory: u64,

    /// Print one JSON object (schema rdg_verify_v1)
    #[arg(long)]
    pub json: bool,

    /// How much of the machine it may use.
    #[command(flatten)]
    pub threads: ThreadsArg,

    /// How it is watched.
    #[command(flatten)]
    pub progress: ProgressArgs,
}
