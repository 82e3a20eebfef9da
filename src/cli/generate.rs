//! Options of generation.

use super::ProgressArgs;
use crate::generate::shard::UntilGame;
use clap::Args;
use std::path::PathBuf;

/// What `rdg` without a command takes.
#[derive(Args, Clone, Debug)]
pub struct GenerateArgs {
    /// Dataset configuration [configs/config.toml]
    ///
    /// Without it config.toml is looked for in configs/, in the current folder, and in the user's
    /// configuration folder ($XDG_CONFIG_HOME/rdg, else ~/.config/rdg).
    #[arg(long, value_name = "PATH")]
    pub config: Option<PathBuf>,

    /// Engines, log, set-up policy [configs/app.toml]
    ///
    /// Without it app.toml is looked for in the same places as config.toml. The embedded engine
    /// works without any.
    #[arg(long, value_name = "PATH")]
    pub app_config: Option<PathBuf>,

    /// Go on with compatible, unfinished output
    #[arg(long, conflicts_with = "force")]
    pub resume: bool,

    /// With --resume: rebuild damaged phases
    ///
    /// Only the phases whose state or files are missing, outdated or corrupt are rebuilt.
    // Said apart from `requires`, which clap drops when --force rules --resume out.
    #[arg(long, requires = "resume", conflicts_with = "force")]
    pub repair: bool,

    /// Delete this run's phases and start over
    #[arg(long)]
    pub force: bool,

    /// Print the plan; write and start nothing
    #[arg(long)]
    pub dry_run: bool,

    /// With --dry-run: play some seconds of games
    ///
    /// For each window, with the engines and workers of the run, to tell how long it will take.
    /// Nothing is written. Without it the time is told from tables, where the engine's cost is known.
    #[arg(long, requires = "dry_run")]
    pub measure: bool,

    /// Play every Nth game, for `rdg merge`
    ///
    /// Games alone are kept, in shard_I_of_N of the output folder; `rdg merge` makes the dataset of
    /// all shards. auto/N takes I from SLURM_ARRAY_TASK_ID, PBS_ARRAY_INDEX, SGE_TASK_ID or
    /// LSB_JOBINDEX.
    #[arg(long, value_name = "I/N", conflicts_with = "dry_run")]
    pub shard: Option<String>,

    /// With --shard: go on to this game
    ///
    /// Whatever the shard has; one number for all campaigns, or PHASE:GAME,… for each.
    #[arg(long, value_name = "GAME", requires = "shard")]
    pub until_game: Option<UntilGame>,

    /// Do not lock the output folder
    ///
    /// For file systems without locks; one run at a time is then yours to ensure.
    #[arg(long, hide_short_help = true)]
    pub no_lock: bool,

    /// Set missing engines up without asking
    #[arg(long)]
    pub yes: bool,

    /// How the run is shown.
    #[command(flatten)]
    pub progress: ProgressArgs,
}
