//! One module per command: turns what was typed into work and an exit code.

mod analyze;
mod bench;
mod bootstrap;
mod completions;
mod display;
mod doctor;
mod dry_run;
mod engine;
mod engines;
mod export;
mod fit;
mod generate;
mod import;
mod init;
mod inspect;
mod label;
mod learn;
mod man;
mod match_;
mod merge;
mod meter;
mod overlap;
mod play;
mod players;
mod report;
mod runner;
mod stdout;
mod thinking;
mod usage;
mod verify;
mod words;

pub use usage::parse;

use crate::cli::{Cli, Command};
use std::process::ExitCode;

/// Exit code of a usage or configuration error.
const EXIT_USAGE: u8 = 2;

/// Does what the command line asks for.
pub fn run(cli: Cli) -> ExitCode {
    match cli.command {
        None => generate::run(&cli.generate),
        Some(Command::Generate(args)) => generate::run(&args),
        Some(Command::Init(args)) => init::run(&args),
        Some(Command::Import(args)) => import::run(&args),
        Some(Command::Export(args)) => export::run(&args),
        Some(Command::Analyze(args)) => analyze::run(&args),
        Some(Command::Match(args)) => match_::run(&args),
        Some(Command::Merge(args)) => merge::run(&args),
        Some(Command::Play(args)) => play::run(&args),
        Some(Command::Label(args)) => label::run(&args),
        Some(Command::Learn(args)) => learn::run(&args),
        Some(Command::Bootstrap(args)) => bootstrap::run(&args),
        Some(Command::Fit(args)) => fit::run(&args),
        Some(Command::Engine(args)) => engine::run(&args),
        Some(Command::Doctor(args)) => doctor::run(&args),
        Some(Command::Inspect(args)) => inspect::run(&args),
        Some(Command::Report(args)) => report::run(&args),
        Some(Command::Overlap(args)) => overlap::run(&args),
        Some(Command::Verify(args)) => verify::run(&args),
        Some(Command::Completions(args)) => completions::run(&args),
        Some(Command::Man(args)) => man::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
    }
}
