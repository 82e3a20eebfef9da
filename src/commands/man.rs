//! `rdg man`: manual pages, on standard output, from the same source as `--help`.

use super::EXIT_USAGE;
use super::stdout::print;
use crate::base::shown::Shown;
use crate::cli::{Cli, ManArgs};
use crate::progress::{Style, print_fatal};
use clap::CommandFactory;
use clap_mangen::Man;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// Prints the page of rdg, or of one of its commands.
pub(super) fn run(args: &ManArgs) -> ExitCode {
    if let Some(folder) = &args.all {
        return match write_all(folder) {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => {
                print_fatal(Style::Lines, &message);
                ExitCode::FAILURE
            }
        };
    }
    let page = match page(args.command.as_deref()) {
        Ok(page) => page,
        Err(message) => {
            print_fatal(Style::Lines, &message);
            return ExitCode::from(EXIT_USAGE);
        }
    };
    match print(|out| out.write_all(&page)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(()) => ExitCode::FAILURE,
    }
}

/// `rdg.1`, `rdg-import.1` … in a folder, which is made if it is not there.
fn write_all(folder: &Path) -> Result<(), String> {
    let cannot = |path: &Path, error: io::Error| format!("cannot write {}: {error}", path.shown());
    std::fs::create_dir_all(folder).map_err(|error| cannot(folder, error))?;
    let mut whole = Cli::command();
    whole.build();
    let commands = whole.get_subcommands().map(|command| command.get_name());
    for name in std::iter::once(None).chain(commands.filter(|name| *name != "help").map(Some)) {
        let path = folder.join(match name {
            None => "rdg.1".to_owned(),
            Some(name) => format!("rdg-{name}.1"),
        });
        std::fs::write(&path, page(name)?).map_err(|error| cannot(&path, error))?;
    }
    Ok(())
}

fn page(name: Option<&str>) -> Result<Vec<u8>, String> {
    let mut whole = Cli::command();
    // Gives every command its full name and the options it shares.
    whole.build();
    let command = match name {
        None => whole,
        Some(name) => {
            let names: Vec<&str> = whole.get_subcommands().map(|c| c.get_name()).collect();
            let known = names.join(", ");
            let found = whole.find_subcommand(name).cloned();
            found.ok_or_else(|| {
                let name = name.shown();
                format!("there is no command `{name}` to show the manual of; there are: {known}")
            })?
        }
    };
    render(command).map_err(|error| format!("the manual page cannot be made: {error}"))
}

fn render(command: clap::Command) -> io::Result<Vec<u8>> {
    let synopsis = synopsis(&command);
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    let page = String::from_utf8_lossy(&page);
    // The one that it makes leaves out what follows the options.
    let (Some(from), Some(to)) = (page.find(SYNOPSIS), page.find(DESCRIPTION)) else {
        return Ok(page.into_owned().into_bytes());
    };
    let from = from + SYNOPSIS.len();
    Ok([&page[..from], &synopsis, &page[to..]]
        .concat()
        .into_bytes())
}

const SYNOPSIS: &str = ".SH SYNOPSIS\n";
const DESCRIPTION: &str = "\n.SH DESCRIPTION";

/// Each option with its value, then what stands alone.
fn synopsis(command: &clap::Command) -> String {
    let name = command.get_bin_name().unwrap_or(command.get_name());
    let mut text = format!("\\fB{}\\fR", name.replace('-', "\\-"));
    let visible = || command.get_arguments().filter(|arg| !arg.is_hide_set());
    let optional = |arg: &clap::Arg, words: String| match arg.is_required_set() {
        true => format!(" {words}"),
        false => format!(" [{words}]"),
    };
    for arg in visible().filter(|arg| !arg.is_positional()) {
        let Some(long) = arg.get_long() else { continue };
        let mut words = format!("\\fB\\-\\-{}\\fR", long.replace('-', "\\-"));
        if arg.get_action().takes_values() {
            words += &values(arg);
        }
        text += &optional(arg, words);
    }
    for arg in visible().filter(|arg| arg.is_positional()) {
        text += &optional(arg, values(arg).trim_start().to_owned());
    }
    if command.has_subcommands() {
        text += " [\\fICOMMAND\\fR]";
    }
    text
}

/// The names of an argument's values, with dots where there may be more.
fn values(arg: &clap::Arg) -> String {
    let names = arg.get_value_names().unwrap_or_default();
    let mut text: String = (names.iter())
        .map(|name| format!(" \\fI{}\\fR", name.replace('-', "\\-")))
        .collect();
    if matches!(arg.get_action(), clap::ArgAction::Append) {
        text += "...";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page_with_its_options() {
        let text = |name: Option<&str>| {
            String::from_utf8(page(name).expect("the page is made")).expect("UTF-8")
        };
        let main = text(None);
        for option in ["\\-\\-resume", "\\-\\-json\\-progress", "rdg\\-import(1)"] {
            assert!(main.contains(option), "{option} is missing");
        }
        for command in Cli::command().get_subcommands() {
            let page = text(Some(command.get_name()));
            assert!(page.contains("SH SYNOPSIS"), "{}", command.get_name());
        }
        let verify = text(Some("verify"));
        assert!(verify.contains("\\-\\-json"));
        for part in [
            "\\fBrdg verify\\fR",
            " [\\fB\\-\\-limit\\fR \\fIN\\fR]",
            " [\\fB\\-\\-thorough\\fR]",
            " \\fIPATH\\fR...\n.SH",
        ] {
            assert!(verify.contains(part), "{part}: {verify}");
        }
        assert!(page(Some("nonsense")).is_err());
    }
}
