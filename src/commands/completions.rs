//! `rdg completions`: completions for a shell, on standard output.

use super::stdout::print;
use crate::cli::{Cli, CompletionsArgs};
use clap::CommandFactory;
use std::io::Write;
use std::process::ExitCode;

/// Prints the completions.
pub fn run(args: &CompletionsArgs) -> ExitCode {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "rdg", &mut text);
    match print(|out| out.write_all(&text)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(()) => ExitCode::FAILURE,
    }
}
