//! Options of `rdg export`.

use super::ProgressArgs;
use super::threads::threads;
use crate::config::parse_phases_within;
use crate::dataset::split::Split;
use crate::export::{AcceptedRule, FormatName, Layout};
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// What `rdg export` takes.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:\n  \
    rdg export datasets/edax --format npy --output arrays\n  \
    rdg export datasets/edax --format rd --layout discs --shuffle 1 --output deft\n  \
    rdg export datasets/edax --format parquet --shuffle 1 --symmetries --output hub\n  \
    rdg export datasets/edax --format games --output games.pgn\n  \
    rdg export datasets/edax --split train --phases 20..40 --sample 100000 --format csv --output some.csv\n\n\
    Beside the data lies export.json: where it came from, how its values count, what had to be invented.\n\
    Exit code 0: exported; 1: failed, nothing is left; 2: wrong options; 130: interrupted, nothing is left.")]
pub struct ExportArgs {
    /// Datasets, phase folders (phase_10) or files (train.rd)
    #[arg(required = true, value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,

    /// What is written
    #[arg(long, value_enum)]
    pub format: FormatName,

    /// Folder; or one file, with the format's ending (.csv, .npy, .parquet, .bin, .rd, .dat, .txt)
    #[arg(long, short, value_name = "PATH")]
    pub output: PathBuf,

    /// Replace an earlier export there
    #[arg(long)]
    pub force: bool,

    /// Only these of train, valid and test
    #[arg(long, value_name = "SPLITS", value_delimiter = ',', value_parser = split)]
    pub split: Vec<Split>,

    /// Only these phases (discs on the board − 4): `20..40`, `10,20,30..35`
    #[arg(long, value_name = "PHASES", value_parser = phases)]
    pub phases: Option<std::vec::Vec<u8>>,

    /// Folders [default: phase for rd, single for all others]
    #[arg(long, value_enum)]
    pub layout: Option<Layout>,

    /// Put everything that goes into one file in a random order; the same seed gives the same order
    #[arg(long, value_name = "SEED")]
    pub shuffle: Option<u64>,

    /// Every position eight times: all its images under the symmetries of the board
    #[arg(long)]
    pub symmetries: bool,

    /// Only N positions, drawn at random (with the seed of --shuffle, else 0)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub sample: Option<u64>,

    /// Begin another file after N records [default: 1000000 for text, else no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_records_per_file: Option<u64>,

    /// Bytes of a record of raw: zeros are appended, for structs that the compiler aligns
    #[arg(long, value_name = "BYTES", default_value_t = 18, value_parser = clap::value_parser!(u8).range(18..=64))]
    pub pad: u8,

    /// The score rule of the data, where it may go as it is into a format that expects another
    #[arg(long, value_enum, value_name = "RULE")]
    pub accept_score_rule: Option<AcceptedRule>,

    /// Memory, in MiB; the result does not depend on it
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(16..=1 << 30))]
    pub memory: u64,

    /// Threads [default: number of CPUs]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<NonZeroUsize>,

    /// Print one JSON object (schema rdg_export_v1) instead of a summary
    #[arg(long)]
    pub json: bool,

    /// How it is watched.
    #[command(flatten)]
    pub progress: ProgressArgs,
}

fn split(name: &str) -> Result<Split, String> {
    Split::ALL
        .into_iter()
        .find(|split| split.name() == name)
        .ok_or_else(|| "choose train, valid or test".to_owned())
}

fn phases(text: &str) -> Result<Vec<u8>, String> {
    parse_phases_within(text, 0..=60)
}
