//! Options of `rdg bootstrap`.

use super::ProgressArgs;
use super::threads::threads;
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// What `rdg bootstrap` takes. Numbers are checked where they are used: some come from rounds that
/// are continued.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Each round plays games with the weights of the one before, fits weights to \
    them, and lets the new ones play against the old. All of it is kept: round_1/config.toml and \
    app.toml are those of its games, round_1/weights.bin are its weights, bootstrap.json has the \
    figures.\n\n\
    Exit code 0: all rounds are done; 1: failed; 2: wrong options; 130: interrupted, go on with --resume."
)]
pub struct BootstrapArgs {
    /// Folder of the rounds
    #[arg(long, short, value_name = "DIR")]
    pub output: PathBuf,

    /// Continue the rounds there, or add some; settings that are not given are theirs
    #[arg(long, conflicts_with = "force")]
    pub resume: bool,

    /// Remove the rounds there and start over
    #[arg(long)]
    pub force: bool,

    /// Rounds [default: 3]
    #[arg(long, value_name = "N")]
    pub rounds: Option<u32>,

    /// Positions of each phase in each round [default: 4000]
    #[arg(long, value_name = "N")]
    pub samples: Option<u64>,

    /// Level of the games [default: 4]
    #[arg(long, value_name = "N")]
    pub level: Option<u32>,

    /// Whose weights play the first games: `squares` (a beginner's table), `builtin` or a weight file
    /// [default: squares]
    #[arg(long, value_name = "FILE")]
    pub start: Option<String>,

    /// Games of each match, an even number [default: 400]
    #[arg(long, value_name = "N")]
    pub match_games: Option<u64>,

    /// Level of both sides in the matches [default: 4]
    #[arg(long, value_name = "N")]
    pub match_level: Option<u32>,

    /// Seed of everything; the same seed gives the same weights [default: 1]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Threads; the weights do not depend on their number [default: number of CPUs]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub workers: Option<NonZeroUsize>,

    /// Print one JSON object (schema rdg_bootstrap_v1) instead of a table
    #[arg(long)]
    pub json: bool,

    /// How it is shown.
    #[command(flatten)]
    pub progress: ProgressArgs,
}
