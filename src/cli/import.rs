//! Options of `rdg import`.

use super::ProgressArgs;
use super::threads::threads;
use crate::board::ScoreRule;
use crate::config::{SplitBy, SplitRatios};
use crate::import::{Duplicates, Unfinished, parse_phases, parse_split};
use crate::records::{FORMATS, Format, format_by_name};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

/// What `rdg import` takes.
#[derive(Args, Clone)]
pub struct ImportArgs {
    /// Game files or folders of them; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    pub inputs: Vec<PathBuf>,

    /// Folder of the dataset
    #[arg(long, short, value_name = "DIR")]
    pub output: PathBuf,

    /// Replace the phases of this import that are in the output folder
    #[arg(long)]
    pub force: bool,

    /// Format of every file, instead of telling it from the content
    #[arg(long, value_parser = format_parser())]
    pub format: Option<&'static dyn Format>,

    /// Phases to record (discs on the board − 4): `0..59`, `10,20,30..35`
    #[arg(long, value_name = "PHASES", default_value = "0..59", value_parser = parse_phases)]
    pub phases: std::vec::Vec<u8>,

    /// Shares of train, valid and test; they sum to 1
    #[arg(long, value_name = "T,V,T", default_value = "0.98,0.01,0.01", value_parser = parse_split)]
    pub split: SplitRatios,

    /// What decides the split of a position
    #[arg(long, value_enum, default_value_t = SplitBy::Position)]
    pub split_by: SplitBy,

    /// At most N positions of a game, evenly spread
    #[arg(long, value_name = "N")]
    pub max_per_game: Option<NonZeroU32>,

    /// Only moves of the winning side (a drawn game gives nothing)
    #[arg(long)]
    pub winner_only: bool,

    /// Value of a position that occurs several times
    #[arg(long, value_enum, default_value_t = Duplicates::Mean)]
    pub duplicates: Duplicates,

    /// How finished games are counted
    #[arg(long, value_enum, default_value_t = ScoreRule::Plain)]
    pub score_rule: ScoreRule,

    /// What happens to games that are not played to the end
    #[arg(long, value_enum, default_value_t = Unfinished::Skip)]
    pub unfinished: Unfinished,

    /// Fail at the first bad game or file
    #[arg(long)]
    pub strict: bool,

    /// Bad games that are reported one by one; the rest is counted
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub report: u32,

    /// Threads [default: number of CPUs]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<NonZeroUsize>,

    /// How the import is shown.
    #[command(flatten)]
    pub progress: ProgressArgs,
}

fn format_parser() -> impl TypedValueParser<Value = &'static dyn Format> {
    PossibleValuesParser::new(FORMATS.map(|format| format.name()))
        .try_map(|name| format_by_name(&name).ok_or_else(|| format!("there is no format `{name}`")))
}

impl std::fmt::Debug for ImportArgs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ImportArgs")
            .field("inputs", &self.inputs)
            .field("output", &self.output)
            .finish_non_exhaustive()
    }
}
