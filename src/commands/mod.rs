//! One module per command: turns what was typed into work and an exit code.

pub mod analyze;
pub mod bench;
pub mod completions;
mod display;
pub mod doctor;
mod dry_run;
pub mod engine;
mod engines;
pub mod generate;
pub mod import;
pub mod inspect;
pub mod learn;
pub mod man;
pub mod match_;
mod meter;
pub mod overlap;
pub mod play;
mod players;
mod stdout;
mod usage;
pub mod verify;
mod words;

pub use display::{display_options, start_log};
pub use usage::parse;
use words::resume_command;

use crate::base::signals::Signals;
use crate::base::stop::Stop;
use crate::cli::{Cli, Command};
use std::process::ExitCode;

/// Exit code of a usage or configuration error.
pub const EXIT_USAGE: u8 = 2;

/// Does what the command line asks for.
pub fn run(cli: Cli) -> ExitCode {
    match cli.command {
        None => generate::run(&cli.generate),
        Some(Command::Import(args)) => import::run(&args),
        Some(Command::Analyze(args)) => analyze::run(&args),
        Some(Command::Match(args)) => match_::run(&args),
        Some(Command::Play(args)) => play::run(&args),
        Some(Command::Learn(args)) => learn::run(&args),
        Some(Command::Engine(args)) => engine::run(&args),
        Some(Command::Doctor(args)) => doctor::run(&args),
        Some(Command::Inspect(args)) => inspect::run(&args),
        Some(Command::Overlap(args)) => overlap::run(&args),
        Some(Command::Verify(args)) => verify::run(&args),
        Some(Command::Completions(args)) => completions::run(&args),
        Some(Command::Man(args)) => man::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
    }
}

/// Lets signals raise `stop`, for commands whose only display is their output.
fn watch_signals(stop: &Stop) -> Result<Signals, ExitCode> {
    Signals::install(stop).map_err(|error| {
        eprintln!("error: cannot handle signals: {error}");
        ExitCode::FAILURE
    })
}
