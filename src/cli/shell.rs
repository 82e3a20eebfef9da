//! What a shell and a manual want to know of the command line.

use clap::Args;
use clap_complete::Shell;
use std::path::PathBuf;

/// Options of `rdg completions`.
#[derive(Args, Clone, Debug)]
pub struct CompletionsArgs {
    /// The shell they are for
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: Shell,
}

/// Options of `rdg man`.
#[derive(Args, Clone, Debug)]
pub struct ManArgs {
    /// The command whose page is wanted; absent: the page of rdg itself
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,

    /// Write the pages of rdg and of all its commands into this folder
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    pub all: Option<PathBuf>,
}
