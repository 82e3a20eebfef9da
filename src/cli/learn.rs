//! Options of `rdg learn`.

use super::ProgressArgs;
use super::threads::threads;
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// What `rdg learn` takes. Numbers are checked where they are used: some come from a run that is
/// continued.
#[derive(Args, Clone, Debug)]
pub struct LearnArgs {
    /// Folder of the weights, the learning curve and the state
    #[arg(long, short, value_name = "DIR")]
    pub output: PathBuf,

    /// Continue the run in the output folder; settings that are not given are its own
    #[arg(long, conflicts_with = "force")]
    pub resume: bool,

    /// Remove the weights of an earlier run in the output folder and start over
    #[arg(long)]
    pub force: bool,

    /// A run of a second: 5 epochs of 10 games
    #[arg(long)]
    pub quick: bool,

    /// Rounds of self-play and learning [default: 500]
    #[arg(long, value_name = "N")]
    pub epochs: Option<u32>,

    /// Games of self-play per epoch [default: 50]
    #[arg(long, value_name = "N")]
    pub games: Option<u32>,

    /// Learning rate [default: 0.001]
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub alpha: Option<f64>,

    /// Plies that self-play searches, 1 to 8 [default: 3]
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,

    /// Keep the weights every N epochs [default: 100]
    #[arg(long, value_name = "N")]
    pub save_every: Option<u32>,

    /// Random moves at the beginning of each game, so that games differ [default: 10]
    #[arg(long, value_name = "N")]
    pub random_plies: Option<u32>,

    /// Initial weights: `zero`, `corners` (a beginner's table) or a weight file [default: zero]
    #[arg(long, value_name = "FILE")]
    pub initial: Option<String>,

    /// Compare with the initial weights every N epochs, for the learning curve [default: 25]
    #[arg(long, value_name = "N")]
    pub check_every: Option<u32>,

    /// Games of the match against the initial weights at the end; 0: none [default: 400]
    #[arg(long, value_name = "N")]
    pub check_games: Option<u32>,

    /// Write the last epoch's weights, not their average over the late epochs
    #[arg(long)]
    pub no_averaging: bool,

    /// Seed of all games; the same seed gives the same weights [default: drawn]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Threads; the weights do not depend on their number [default: number of CPUs]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub workers: Option<NonZeroUsize>,

    /// How the run is shown.
    #[command(flatten)]
    pub progress: ProgressArgs,
}
