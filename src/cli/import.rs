//! Options of `rdg import`.

use super::ProgressArgs;
use super::threads::threads;
use crate::board::ScoreRule;
use crate::config::{SplitBy, SplitRatios};
use crate::import::{Duplicates, Unfinished, parse_phases, parse_split, parse_years};
use crate::records::{FORMATS, Format, format_by_name};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use std::num::{NonZeroU32, NonZeroUsize};
use std::ops::RangeInclusive;
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
    #[arg(long, value_enum, default_value_t = SplitBy::Game)]
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

    /// How finished games are counted, or the values of positions are to be understood [default:
    /// plain]
    #[arg(long, value_enum)]
    pub score_rule: Option<ScoreRule>,

    /// Where the values come from
    #[arg(long, value_enum, default_value_t = ValuesArg::OfGames, requires_if("as-given", "score_rule"))]
    pub values: ValuesArg,

    /// Round values that are not whole numbers, half away from zero
    #[arg(long)]
    pub round: bool,

    /// Only games in which such a player took part: a part of the name, in any case
    #[arg(long, value_name = "NAME")]
    pub player: Vec<String>,

    /// Only games of this year or of these years: `1999`, `1990..1999`, `2000..`
    #[arg(long, value_name = "YEARS", value_parser = parse_years)]
    pub year: Option<RangeInclusive<u16>>,

    /// Only games whose players are both rated at least N
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = rating)]
    pub min_rating: Option<f64>,

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

/// Where the values come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ValuesArg {
    /// From the results of the games
    OfGames,
    /// Positions with values, as the files give them (training text, OBF, tables)
    AsGiven,
}

fn rating(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(rating) if rating.is_finite() => Ok(rating),
        _ => Err(format!("`{text}` is not a number")),
    }
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
