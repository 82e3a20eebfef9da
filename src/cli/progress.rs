//! Options of everything that runs long enough to be watched.

use crate::config::parse_duration;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

/// How a run is shown and logged; shared by all long-running commands.
#[derive(Args, Clone, Debug)]
pub struct ProgressArgs {
    /// Plain lines instead of the dashboard
    #[arg(long, conflicts_with = "json_progress")]
    pub no_progress: bool,

    /// Nothing on stderr but warnings and errors
    #[arg(long, conflicts_with_all = ["json_progress", "no_progress"])]
    pub quiet: bool,

    /// Progress as JSON Lines on stderr
    #[arg(long)]
    pub json_progress: bool,

    /// Log file, instead of app.toml's
    #[arg(long, value_name = "PATH")]
    pub log_file: Option<PathBuf>,

    /// No colours, as with NO_COLOR
    #[arg(long)]
    pub no_color: bool,

    /// No emoji
    #[arg(long)]
    pub no_emoji: bool,

    /// Refresh interval [1s, lines later 1m]
    ///
    /// Such as 250ms. Without it a dashboard is drawn each second; lines and JSON are written each
    /// second for a minute, then each minute.
    #[arg(long, value_name = "DUR", value_parser = interval)]
    pub progress_interval: Option<Duration>,
}

fn interval(text: &str) -> Result<Duration, String> {
    match parse_duration(text) {
        Ok(Duration::ZERO) => Err("the interval must be longer than 0".to_owned()),
        Ok(interval) => Ok(interval),
        Err(error) => Err(error.to_string()),
    }
}
