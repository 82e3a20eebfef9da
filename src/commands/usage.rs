//! The command line, read; what is wrong with it is told in the form that it asks for.

use crate::base::shown::Shown;
use crate::cli::{self, Cli};
use crate::progress::{Style, print_fatal};
use clap::FromArgMatches;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

/// What was typed, or the exit code after help, version or an error was printed.
pub fn parse() -> Result<Cli, ExitCode> {
    let matches = cli::command().try_get_matches();
    let matches =
        matches.map_err(|error| path_for_command(&error).unwrap_or_else(|| readable(error)));
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

/// What was meant by the name of a file or a folder where a command is expected.
fn path_for_command(error: &clap::Error) -> Option<clap::Error> {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return None;
    }
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let path = Path::new(word);
    let is_config = path.extension().is_some_and(|ending| ending == "toml");
    let shown = word.shown();
    let advice = match is_config {
        true => format!("to make the data that it describes: rdg --config {shown}"),
        false if path.exists() => {
            format!("to see what is in it: rdg inspect {shown}; to check it: rdg verify {shown}")
        }
        false => return None,
    };
    let text = format!("`{shown}` is not a command; {advice}\n");
    Some(clap::Error::raw(ErrorKind::InvalidSubcommand, text))
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
