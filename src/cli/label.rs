//! The options of `rdg label`.

use super::ProgressArgs;
use super::threads::threads;
use crate::board::ScoreRule;
use clap::{ArgGroup, Args};
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// What `rdg label` was asked.
#[derive(Args, Clone, Debug)]
#[command(
    group = ArgGroup::new("who").required(true).args(["engine", "exact"]),
    group = ArgGroup::new("what").required(true).args(["output", "compare"]),
    after_help = "Examples:\n  \
        rdg label data --exact --empties 0..16 --output exact     best play where it is cheap\n  \
        rdg label data --engine builtin:8 --output scores         search scores\n  \
        rdg label data --exact --empties 0..20 --compare --sample 200   the label error, by phase"
)]
pub struct LabelArgs {
    /// A dataset, a folder of one phase, or an .rd file, whatever made it
    #[arg(value_name = "DATASET")]
    pub input: PathBuf,

    /// Scores of this engine of app.toml, at this level, as analyze asks for them; the embedded
    /// engine as when it is to move
    #[arg(long, value_name = "NAME[:LEVEL]")]
    pub engine: Option<String>,

    /// The result with best play by both sides, from the solver
    #[arg(long)]
    pub exact: bool,

    /// Only positions with so many empty squares, both numbers included
    #[arg(long, value_name = "A..B", value_parser = empties)]
    pub empties: Option<RangeInclusive<u8>>,

    /// The folder that the dataset with the new values goes to
    #[arg(long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Keep the positions outside of --empties with their old values; else they are left out
    #[arg(long, requires = "empties", conflicts_with = "compare")]
    pub keep_others: bool,

    /// Go on where an interrupted run ended
    #[arg(long, conflicts_with = "compare")]
    pub resume: bool,

    /// Write nothing; print how the old values differ, by phase: mean, MAE, RMSE, share equal
    #[arg(long)]
    pub compare: bool,

    /// Compare only N records of each phase, drawn at random
    #[arg(long, value_name = "N", requires = "compare", conflicts_with = "output", value_parser = clap::value_parser!(u64).range(1..))]
    pub sample: Option<u64>,

    /// Seed of --sample
    #[arg(long, value_name = "N", requires = "sample", default_value_t = 1)]
    pub seed: u64,

    /// How values count in data without metadata.json
    #[arg(long, value_name = "RULE")]
    pub score_rule: Option<ScoreRule>,

    /// Searches at once, each in a thread or an engine process; the values do not depend on their
    /// number [default: number of CPUs]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<NonZeroUsize>,

    /// The result as JSON on standard output
    #[arg(long)]
    pub json: bool,

    /// Engine registry [default: configs/app.toml]
    #[arg(long, value_name = "PATH")]
    pub app_config: Option<PathBuf>,

    /// Do not lock the output folder (file systems without locks)
    #[arg(long)]
    pub no_lock: bool,

    /// How the work is shown.
    #[command(flatten)]
    pub progress: ProgressArgs,
}

/// `10..16`, both included, or one number.
fn empties(text: &str) -> Result<RangeInclusive<u8>, String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if first <= last && last <= 60 => Ok(first..=last),
        _ => Err("write two numbers from 0 to 60, such as 10..16".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::empties;

    #[test]
    fn ranges_of_empty_squares() {
        assert_eq!(empties("0..16"), Ok(0..=16));
        assert_eq!(empties("60"), Ok(60..=60));
        for wrong in [
            "", "..", "16..10", "0..61", "a..b", "1..2..3", "-1", "1..", "300",
        ] {
            assert!(empties(wrong).is_err(), "{wrong}");
        }
    }
}
