//! Options of generation.

use super::ProgressArgs;
use crate::generate::shard::UntilGame;
use clap::Args;
use std::path::PathBuf;

/// What `rdg` without a command takes.
#[derive(Args, Clone, Debug)]
pub struct GenerateArgs {
    /// Dataset configuration
    #[arg(long, value_name = "PATH", default_value = "configs/config.toml")]
    pub config: PathBuf,

    /// Engine registry, logging and set-up policy
    #[arg(long, value_name = "PATH", default_value = "configs/app.toml")]
    pub app_config: PathBuf,

    /// Continue compatible, unfinished output
    #[arg(long, conflicts_with = "force")]
    pub resume: bool,

    /// With --resume: rebuild only the phases whose state or files are missing, outdated or corrupt
    // Said apart from `requires`, which clap drops when --force rules --resume out.
    #[arg(long, requires = "resume", conflicts_with = "force")]
    pub repair: bool,

    /// Delete the phase outputs of this run's phases and start over
    #[arg(long)]
    pub force: bool,

    /// Print the plan and a size estimate; write nothing, start no engine
    #[arg(long)]
    pub dry_run: bool,

    /// Play every Nth game and keep games only, in shard_I_of_N of the output folder; `rdg merge`
    /// makes the dataset of all shards. auto/N: I from SLURM_ARRAY_TASK_ID, PBS_ARRAY_INDEX,
    /// SGE_TASK_ID or LSB_JOBINDEX
    #[arg(long, value_name = "I/N", conflicts_with = "dry_run")]
    pub shard: Option<String>,

    /// With --shard: go on to this game, whatever the shard has; one for all campaigns, or
    /// PHASE:GAME,… for each
    #[arg(long, value_name = "GAME", requires = "shard")]
    pub until_game: Option<UntilGame>,

    /// Do not lock the output folder (file systems without locks; one run at a time is then yours
    /// to ensure)
    #[arg(long)]
    pub no_lock: bool,

    /// Answer yes to the question whether a missing engine is to be set up
    #[arg(long)]
    pub yes: bool,

    /// How the run is shown.
    #[command(flatten)]
    pub progress: ProgressArgs,
}
