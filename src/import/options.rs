//! What an import is asked to do.

use super::Filter;
use crate::board::ScoreRule;
use crate::config::{SplitBy, SplitRatios};
use crate::records::Format;
use std::path::PathBuf;

/// The last phase that has a position before a move: one empty square.
pub(super) const LAST_PHASE: u8 = 59;

/// Everything that is asked of an import.
#[derive(Clone)]
pub struct ImportOptions {
    /// Files and folders, in order; `-` is standard input.
    pub inputs: Vec<PathBuf>,
    /// The folder of the dataset.
    pub output_dir: PathBuf,
    /// Replace the phases of this import if they are there.
    pub force: bool,
    /// Format of every file; absent: told from each file's content.
    pub format: Option<&'static dyn Format>,
    /// Sorted, distinct, each 0..=59.
    pub phases: Vec<u8>,
    /// Shares of the three files.
    pub split: SplitRatios,
    /// What decides the split.
    pub split_by: SplitBy,
    /// At most this many positions of a game, evenly spread.
    pub max_per_game: Option<u32>,
    /// Only moves of the winning side; a drawn game then gives nothing.
    pub winner_only: bool,
    /// The value of a position that was met several times.
    pub duplicates: Duplicates,
    /// How finished games are counted.
    pub score_rule: ScoreRule,
    /// What the values are.
    pub values: Values,
    /// Which games are taken.
    pub filter: Filter,
    /// What happens to games that are not played to the end.
    pub unfinished: Unfinished,
    /// Any bad game fails the import.
    pub strict: bool,
    /// Threads that replay and merge, ≥ 1.
    pub threads: usize,
    /// Bad games that are reported one by one.
    pub reported_bad_games: u64,
}

/// The value of a position that was met several times.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Duplicates {
    /// Mean of the values, rounded half away from zero
    Mean,
    /// Value of the first game that has it
    First,
}

/// What the values of the positions are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// The results of their games.
    OfGames,
    /// As the files give them, by the rule that the options name.
    AsGiven {
        /// Fractions are rounded, half away from zero.
        round: bool,
    },
}

impl Values {
    /// As written in the output.
    pub const fn name(self) -> &'static str {
        match self {
            Values::OfGames => "of_games",
            Values::AsGiven { round: false } => "as_given",
            Values::AsGiven { round: true } => "as_given_rounded",
        }
    }
}

/// What happens to games that are not played to the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Unfinished {
    /// Left out
    Skip,
    /// Taken with the result that the file claims
    Claimed,
}

impl Duplicates {
    /// As written on the command line and in the output.
    pub const fn name(self) -> &'static str {
        match self {
            Duplicates::Mean => "mean",
            Duplicates::First => "first",
        }
    }
}

impl Unfinished {
    /// As written on the command line and in the output.
    pub const fn name(self) -> &'static str {
        match self {
            Unfinished::Skip => "skip",
            Unfinished::Claimed => "claimed",
        }
    }
}

/// Reads `0..59` (both included), `20`, or `10,20,30..35`: sorted, distinct phases.
pub fn parse_phases(text: &str) -> Result<Vec<u8>, String> {
    let number = |word: &str| match word.trim().parse::<u8>() {
        Ok(phase) if phase <= LAST_PHASE => Ok(phase),
        _ => Err(format!(
            "`{word}` is not a phase: a position before a move has phase 0..{LAST_PHASE}"
        )),
    };
    let mut phases = Vec::new();
    for part in text.split(',') {
        let (first, last) = match part.split_once("..") {
            Some((first, last)) => (number(first)?, number(last)?),
            None => (number(part)?, number(part)?),
        };
        if first > last {
            return Err(format!("`{part}` is empty: its first phase is the larger"));
        }
        phases.extend(first..=last);
    }
    let count = phases.len();
    phases.sort_unstable();
    phases.dedup();
    if phases.len() != count {
        return Err("a phase is named twice".to_owned());
    }
    Ok(phases)
}

/// Reads `0.98,0.01,0.01`: the shares of train, valid and test.
pub fn parse_split(text: &str) -> Result<SplitRatios, String> {
    let shares: Option<Vec<f64>> = text
        .split([',', '/'])
        .map(|word| word.trim().parse().ok())
        .collect();
    let Some(&[train, valid, test]) = shares.as_deref() else {
        return Err("write three shares, for example 0.98,0.01,0.01".to_owned());
    };
    if ![train, valid, test]
        .iter()
        .all(|share| (0.0..=1.0).contains(share))
    {
        return Err("each share must be between 0 and 1".to_owned());
    }
    let sum = train + valid + test;
    if (sum - 1.0).abs() > 1e-9 {
        return Err(format!("the shares must sum to 1, not {sum}"));
    }
    Ok(SplitRatios { train, valid, test })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_are_ranges_and_lists() {
        assert_eq!(parse_phases("0..59").unwrap().len(), 60);
        assert_eq!(parse_phases("20"), Ok(vec![20]));
        assert_eq!(parse_phases("30, 10..12"), Ok(vec![10, 11, 12, 30]));
        for bad in [
            "", "60", "-1", "5..3", "1,1", "1..3,2", "x", "1..", "..", "999",
        ] {
            assert!(parse_phases(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn shares_sum_to_one() {
        let split = parse_split("0.8, 0.1,0.1").unwrap();
        assert_eq!((split.train, split.valid, split.test), (0.8, 0.1, 0.1));
        assert!(parse_split("1/0/0").is_ok());
        for bad in [
            "",
            "1",
            "0.5,0.5",
            "0.5,0.5,0.5",
            "2,-1,0",
            "NaN,0,1",
            "inf,0,0",
            "a,b,c",
        ] {
            assert!(parse_split(bad).is_err(), "{bad}");
        }
    }
}
