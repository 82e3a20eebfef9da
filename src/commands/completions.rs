//! `rdg completions`: completions for a shell, on standard output.

use super::stdout::print;
use crate::cli::{Cli, CompletionsArgs};
use crate::config;
use crate::engine::kinds::KINDS;
use clap::builder::PossibleValuesParser;
use clap::{CommandFactory, ValueHint};
use std::collections::BTreeSet;
use std::io::Write;
use std::process::ExitCode;

/// Prints the completions.
pub(super) fn run(args: &CompletionsArgs) -> ExitCode {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut suggesting(), "rdg", &mut text);
    match print(|out| out.write_all(&text)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(()) => ExitCode::FAILURE,
    }
}

/// The command line with what may stand where: pages, files, and the engines that are known now.
fn suggesting() -> clap::Command {
    let command = Cli::command();
    let pages: Vec<String> = (command.get_subcommands().map(clap::Command::get_name))
        .map(str::to_owned)
        .collect();
    let files = |command: clap::Command| {
        command.mut_args(|arg| match arg.get_id().as_str() {
            "config" | "app_config" | "log_file" | "weights" => arg.value_hint(ValueHint::FilePath),
            _ => arg,
        })
    };
    files(command)
        .mut_subcommands(files)
        .mut_subcommand("man", |man| {
            man.mut_arg("command", |arg| {
                arg.value_parser(PossibleValuesParser::new(pages))
            })
        })
        .mut_subcommand("doctor", |doctor| {
            doctor.mut_arg("engines", suggest_engines)
        })
        .mut_subcommand("analyze", |analyze| {
            analyze.mut_arg("engine", suggest_engines)
        })
        .mut_subcommand("play", |play| play.mut_arg("hint_engine", suggest_engines))
}

fn suggest_engines(arg: clap::Arg) -> clap::Arg {
    arg.value_parser(PossibleValuesParser::new(engines()))
}

/// The embedded engine, and those of app.toml where there is one that can be read.
fn engines() -> BTreeSet<String> {
    let path = config::usual_file(config::APP_CONFIG_NAME);
    let app = match config::is_there(&path) {
        true => config::load_app(&path, &KINDS).ok(),
        false => None,
    };
    let app = app.unwrap_or_else(|| config::no_app(&path, &KINDS));
    app.engines.into_keys().collect()
}
