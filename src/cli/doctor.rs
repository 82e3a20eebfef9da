//! Options of `rdg doctor`.

use crate::config::parse_duration;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

/// What `rdg doctor` takes.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Exit code 0: every engine that is named or that the configuration uses can make \
    data; 1: one of them cannot.\nLevels are those of the dataset's configuration where it uses \
    the engine, else those of app.toml, else 6 (1 for engines of kind nboard and gtp)."
)]
pub struct DoctorArgs {
    /// Engines of app.toml, with a level if wanted (`edax:12`) [default: all, and `builtin`]
    #[arg(value_name = "ENGINE")]
    pub engines: Vec<String>,

    /// Dataset configuration whose engines have to be usable [default: configs/config.toml, if there]
    #[arg(long, value_name = "PATH")]
    pub config: Option<PathBuf>,

    /// Engine registry [default: configs/app.toml]
    #[arg(long, value_name = "PATH")]
    pub app_config: Option<PathBuf>,

    /// Playing strength, of all engines
    #[arg(long, value_name = "N")]
    pub level: Option<u32>,

    /// How long the games of an engine may take, such as 15s, 10m; deep levels need more for whole
    /// games
    #[arg(long, value_name = "DUR", default_value = "15s", value_parser = parse_duration)]
    pub time: Duration,

    /// Print one JSON object (schema rdg_doctor_v1)
    #[arg(long)]
    pub json: bool,

    /// No colours (NO_COLOR is honoured too)
    #[arg(long)]
    pub no_color: bool,

    /// ASCII alone
    #[arg(long)]
    pub no_emoji: bool,
}
