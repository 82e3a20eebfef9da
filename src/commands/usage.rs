//! The command line, read; what is wrong with it is told in the form that it asks for.

use crate::base::shown::Shown;
use crate::cli::{self, Cli};
use crate::progress::{Style, print_fatal};
use clap::FromArgMatches;
use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

/// What was typed, or the exit code after help, version or an error was printed.
pub fn parse() -> Result<Cli, ExitCode> {
    let matches = cli::command().try_get_matches().map_err(readable);
    let cli = matches.and_then(|matches| Cli::from_arg_matches(&matches));
    cli.map_err(|error| {
        let wants_json = std::env::args_os().any(|word| word == OsStr::new("--json-progress"));
        if error.use_stderr() && wants_json {
            // A program reads along: help on stdout stays help, an error becomes an event.
            let text = error.render().to_string();
            let message = text.strip_prefix("error: ").unwrap_or(&text);
            print_fatal(Style::Json, message.trim_end());
        } else {
            // Nobody is left to be told that this could not be printed.
            let _ = error.print();
        }
        ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(super::EXIT_USAGE))
    })
}

/// The same error about words whose unseen characters are spelled out, as messages quote them.
fn readable(error: clap::Error) -> clap::Error {
    let words: Vec<OsString> = std::env::args_os().collect();
    let spelled = words.iter().map(|word| word.shown().to_string());
    match words
        .iter()
        .zip(spelled.clone())
        .any(|(word, text)| *word != *text)
    {
        true => match cli::command().try_get_matches_from(spelled) {
            Err(spelled) if spelled.kind() == error.kind() => spelled,
            _ => error,
        },
        false => error,
    }
}
