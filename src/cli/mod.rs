//! Command-line types. They hold what was typed; `commands` turns it into work.

mod analyze;
mod bench;
mod bootstrap;
mod doctor;
mod engine;
mod export;
mod fit;
mod generate;
mod help;
mod import;
mod init;
mod inspect;
mod label;
mod learn;
mod match_;
mod merge;
mod overlap;
mod play;
mod progress;
mod report;
mod score_rule;
mod shell;
mod threads;
mod verify;

pub(crate) use analyze::AnalyzeArgs;
pub(crate) use bench::BenchArgs;
pub(crate) use bootstrap::BootstrapArgs;
pub(crate) use doctor::DoctorArgs;
pub(crate) use engine::{EngineArgs, ProtocolArg};
pub(crate) use export::ExportArgs;
pub(crate) use fit::FitArgs;
pub(crate) use generate::GenerateArgs;
pub(crate) use help::command;
pub(crate) use import::{ImportArgs, ValuesArg};
pub(crate) use init::InitArgs;
pub(crate) use inspect::InspectArgs;
pub(crate) use label::LabelArgs;
pub(crate) use learn::LearnArgs;
pub(crate) use match_::MatchArgs;
pub(crate) use merge::MergeArgs;
pub(crate) use overlap::OverlapArgs;
pub(crate) use play::{ColorArg, PlayArgs};
pub(crate) use progress::ProgressArgs;
pub(crate) use report::ReportArgs;
pub(crate) use shell::{CompletionsArgs, ManArgs};
pub(crate) use threads::ThreadsArg;
pub(crate) use verify::VerifyArgs;

use crate::base::version;
use clap::{Parser, Subcommand};

/// The whole command line: `rdg [OPTIONS]` generates, `rdg <COMMAND>` does something else.
#[derive(Parser, Debug)]
#[command(
    name = "rdg",
    version = version::GENERATOR_VERSION,
    long_version = version::LONG_VERSION,
    about = "Make training data for Reversi (Othello) evaluation functions by self-play",
    override_usage = "rdg [OPTIONS], or rdg <COMMAND> [OPTIONS]",
    args_conflicts_with_subcommands = true
)]
pub struct Cli {
    /// Options of generation, the job without a command.
    #[command(flatten)]
    pub generate: GenerateArgs,

    /// What to do instead of generating.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The jobs beside generation.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Make the data that --config describes: what rdg does anyhow
    Generate(GenerateArgs),
    /// Write configurations to start from, and the scripts for engines
    Init(InitArgs),
    /// Make a dataset of games that others played
    Import(ImportArgs),
    /// Write datasets in the formats that trainers read
    Export(ExportArgs),
    /// Show a position with the score of every move
    Analyze(AnalyzeArgs),
    /// Make one dataset of shards, or of several datasets
    Merge(MergeArgs),
    /// Give positions new values by search, or compare the old ones
    Label(LabelArgs),
    /// Learn square weights by self-play (temporal differences)
    Learn(LearnArgs),
    /// Make an evaluation from nothing: rounds of games and fits
    Bootstrap(BootstrapArgs),
    /// Fit pattern weights for the embedded engine to datasets
    Fit(FitArgs),
    /// Play a match between two engines or weight files
    Match(MatchArgs),
    /// Play a game in the terminal, or watch two engines
    Play(PlayArgs),
    /// Serve the embedded engine to other programs (NBoard, GTP)
    Engine(EngineArgs),
    /// Check engines: start, rules, speed, and what to do
    Doctor(DoctorArgs),
    /// Show what is in files and datasets, down to single positions
    Inspect(InspectArgs),
    /// Draw datasets as one page to look at
    Report(ReportArgs),
    /// Count the positions that two files or datasets share
    Overlap(OverlapArgs),
    /// Check every rule of files and datasets; exit 1 if one is broken
    Verify(VerifyArgs),
    /// Print completions for a shell
    Completions(CompletionsArgs),
    /// Print the manual page of rdg or of one command
    Man(ManArgs),
    /// Measure this machine: rules, solver, search, self-play
    Bench(BenchArgs),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use clap::error::ErrorKind;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn conflicting_options_are_usage_errors() {
        use ErrorKind::{
            ArgumentConflict, MissingRequiredArgument, UnknownArgument, ValueValidation,
        };
        let cases: &[(&[&str], ErrorKind)] = &[
            (&["--resume", "--force"], ArgumentConflict),
            (&["--repair"], MissingRequiredArgument),
            (&["--repair", "--force"], ArgumentConflict),
            (&["--no-progress", "--json-progress"], ArgumentConflict),
            (&["--progress-interval", "0"], ValueValidation),
            (&["--progress-interval", "0s"], ValueValidation),
            (&["--progress-interval", "fast"], ValueValidation),
            (&["--progress-interval=-1s"], ValueValidation),
            (&["--frobnicate"], UnknownArgument),
        ];
        for (args, kind) in cases {
            let error = Cli::try_parse_from(["rdg"].iter().chain(*args))
                .expect_err(&format!("{args:?} must be refused"));
            assert_eq!(error.kind(), *kind, "{args:?}");
            assert_eq!(error.exit_code(), 2, "{args:?}");
        }
    }

    #[test]
    fn defaults_are_the_documented_ones() {
        let cli = Cli::try_parse_from(["rdg"]).expect("no option is required");
        let args = &cli.generate;
        // The usual places are looked through then.
        assert_eq!((&args.config, &args.app_config), (&None, &None));
        assert_eq!(args.progress.progress_interval, None);
        assert!(cli.command.is_none());
    }
}
