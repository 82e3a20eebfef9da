//! The options of `rdg merge`.

use super::ProgressArgs;
use clap::Args;
use std::path::PathBuf;

/// What `rdg merge` was asked.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Shards: their games are committed in the order of their numbers, so that the \
                  dataset is byte for byte that of one machine; what is in DIR already is continued."
)]
pub struct MergeArgs {
    /// All shards of one dataset (shard_1_of_4 …), or datasets that have no games in common
    #[arg(required = true, value_name = "FOLDER")]
    pub inputs: Vec<PathBuf>,

    /// The folder that the dataset goes to
    #[arg(long, value_name = "DIR")]
    pub output: PathBuf,

    /// Take shards with games that were given up as they are; the data is not reproducible then
    #[arg(long)]
    pub accept_failed: bool,

    /// Do not lock the folders (file systems without locks)
    #[arg(long)]
    pub no_lock: bool,

    /// How the merge is shown.
    #[command(flatten)]
    pub progress: ProgressArgs,
}
