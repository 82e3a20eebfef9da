//! Options of generation.

use super::ProgressArgs;
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

    /// Answer yes to the question whether a missing engine is to be set up
    #[arg(long)]
    pub yes: bool,

    /// How the run is shown.
    #[command(flatten)]
    pub progress: ProgressArgs,
}
