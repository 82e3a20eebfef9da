//! What an export is asked to do.

use crate::dataset::layout::LAYOUT_DISCS;
use crate::dataset::metadata::{PLAIN_DISC_DIFFERENCE, WINNER_TAKES_EMPTIES};
use crate::dataset::split::Split;
use std::path::PathBuf;

/// Everything that is asked of an export.
#[derive(Clone, Debug)]
pub(crate) struct ExportOptions {
    /// Datasets, phase folders, files, in order.
    pub inputs: Vec<PathBuf>,
    /// A folder; or one file, where its name has the format's ending.
    pub output: PathBuf,
    /// What is written.
    pub format: FormatName,
    /// Bytes of a record of `raw`, 18..=64.
    pub pad: usize,
    /// Only these; empty: all, files of other names too.
    pub splits: Vec<Split>,
    /// Only these (discs − 4); empty: all.
    pub phases: Vec<u8>,
    /// Folders; absent: what the format's readers want.
    pub layout: Option<Layout>,
    /// Seed of a shuffle of everything that goes into one file.
    pub shuffle: Option<u64>,
    /// Every position eight times.
    pub symmetries: bool,
    /// Only so many positions, drawn at random.
    pub sample: Option<u64>,
    /// Absent: what the format's readers want.
    pub max_records_per_file: Option<u64>,
    /// Bytes.
    pub memory: u64,
    /// The rule of the data, where that may go into a format that expects another.
    pub accept_score_rule: Option<AcceptedRule>,
    /// Replace an earlier export.
    pub force: bool,
    /// ≥ 1.
    pub threads: usize,
}

/// The formats.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum FormatName {
    /// rdg's own .rd files: 10 bytes of header, 18 bytes a record
    Rd,
    /// The 18 bytes without a header; --pad for an aligned struct
    Raw,
    /// Egaroucid's board data: 19 bytes, bit 63 = a1
    Egaroucid,
    /// 64 characters (X mover, O opponent, -), blank, value
    Text,
    /// neural-reversi's 27 bytes
    NeuralReversi,
    /// numpy: one structured array a file
    Npy,
    /// Polars, PyArrow, HuggingFace datasets
    Parquet,
    /// Board, value, phase, split, with a header line
    Csv,
    /// Kept games: move text, GGF, SGF or PGN, by the output's ending
    Games,
}

/// How the files lie in folders.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Layout {
    /// A folder for each phase: phase_10, named by discs − 4
    Phase,
    /// A folder for each phase, named by its discs: phase_14 (deft-reversi)
    Discs,
    /// All phases together
    Single,
}

impl Layout {
    /// As written on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Layout::Phase => "phase",
            Layout::Discs => LAYOUT_DISCS,
            Layout::Single => "single",
        }
    }
}

/// The score rules as the command line writes them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum AcceptedRule {
    /// Own discs minus opponent's; empty squares count for nobody
    Plain,
    /// The winner gets the empty squares
    WinnerTakesEmpties,
}

impl AcceptedRule {
    /// As written on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            AcceptedRule::Plain => "plain",
            AcceptedRule::WinnerTakesEmpties => WINNER_TAKES_EMPTIES,
        }
    }

    /// The rule that metadata.json names so; `None` for a word of another version.
    pub fn of_metadata(name: &str) -> Option<AcceptedRule> {
        match name {
            PLAIN_DISC_DIFFERENCE | "plain" => Some(AcceptedRule::Plain),
            WINNER_TAKES_EMPTIES => Some(AcceptedRule::WinnerTakesEmpties),
            _ => None,
        }
    }
}
