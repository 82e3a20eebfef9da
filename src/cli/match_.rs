//! Options of `rdg match`.

use super::ProgressArgs;
use super::threads::threads;
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// What `rdg match` takes.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "A player is an engine of app.toml (`edax`, `edax:5` with a level; the \
    embedded engine is `builtin`), pattern weights for the embedded engine (`mine.bin`, `mine.bin:4` \
    with a level) or square weights (`out/weight_final.txt`, `out/weight_final.txt:5` with a depth)."
)]
pub struct MatchArgs {
    /// The player whose result is shown
    #[arg(value_name = "A")]
    pub first: PathBuf,

    /// The other player
    #[arg(value_name = "B")]
    pub second: PathBuf,

    /// Games, an even number: each opening is played with both colours
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u64).range(2..=10_000_000))]
    pub games: u64,

    /// Begin with the openings of this file: a line of moves, a board, or a board with moves each
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,

    /// Random moves of an opening, behind those of --openings [default: 8; with --openings 0]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=40))]
    pub random_plies: Option<u32>,

    /// Add the games to this file (.ggf: GGF, .sgf: SGF, .pgn: PGN, else move text)
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,

    /// Plies that weight files search
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=8))]
    pub depth: u32,

    /// Time for each move of the embedded engine, where its name says no level: 100ms, 2s
    #[arg(long, value_name = "DURATION", value_parser = crate::config::parse_duration)]
    pub time: Option<Duration>,

    /// Seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Games played at the same time, each with engines of its own [default: number of CPUs]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub workers: Option<NonZeroUsize>,

    /// The result as JSON on stdout
    #[arg(long)]
    pub json: bool,

    /// Engine registry and logging [default: configs/app.toml]
    #[arg(long, value_name = "PATH")]
    pub app_config: Option<PathBuf>,

    /// How the match is shown.
    #[command(flatten)]
    pub progress: ProgressArgs,
}
