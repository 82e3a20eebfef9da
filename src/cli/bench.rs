//! `rdg bench`: measures this machine and checks what it computes.

use super::ProgressArgs;
use clap::Args;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// Options of `rdg bench`.
#[derive(Args, Clone, Debug)]
pub struct BenchArgs {
    /// Fewer and smaller measurements: seconds instead of minutes
    #[arg(long)]
    pub quick: bool,

    /// Threads of the search and of the enumeration
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: u32,

    /// Only solve these FFO endgame positions, of 1 to 79; those from 50 on take long
    #[arg(long, value_name = "A..B", value_parser = ffo_range, conflicts_with = "quick")]
    pub ffo: Option<RangeInclusive<u32>>,

    /// How wrong labels are, and what they cost: game results and search scores of levels 1 to 10
    /// against the exact values of positions with 20, 16 and 12 empty squares, as Markdown
    #[arg(long, conflicts_with = "ffo")]
    pub labels: bool,

    /// Write these exactly solved positions as two datasets into a folder (then: rdg export)
    #[arg(long, value_name = "DIR", requires = "labels", conflicts_with_all = ["quick", "json"])]
    pub write: Option<PathBuf>,

    /// Make them anew from their seed: minutes
    #[arg(long, value_name = "DIR", requires = "labels", hide = true)]
    pub remake: Option<PathBuf>,

    /// One JSON object on standard output instead of the table
    #[arg(long)]
    pub json: bool,

    /// How it is watched.
    #[command(flatten)]
    pub progress: ProgressArgs,
}

/// `40..44`, both included, or one number.
fn ffo_range(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if 1 <= first && first <= last && last <= 79 => Ok(first..=last),
        _ => Err("write two numbers from 1 to 79, such as 40..44".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::ffo_range;

    #[test]
    fn ranges_of_ffo_positions() {
        assert_eq!(ffo_range("40..44"), Ok(40..=44));
        assert_eq!(ffo_range("79"), Ok(79..=79));
        for wrong in ["", "..", "0..3", "44..40", "1..80", "a..b", "1..2..3", "-1"] {
            assert!(ffo_range(wrong).is_err(), "{wrong}");
        }
    }
}
