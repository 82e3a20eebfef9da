//! The `rdg` program: parse, run, exit code; nothing else.

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    rdg::commands::run(rdg::cli::Cli::parse())
}
