//! `rdg --help`: one screen, the commands in the groups of what people do.

use super::Cli;
use clap::builder::styling::Styles;
use clap::{Arg, ArgAction, Command, CommandFactory};
use std::fmt::Write as _;

/// What people do, the main job first. A command that stands nowhere here comes at the end.
const GROUPS: [(&str, &[&str]); 4] = [
    (
        "Make data",
        &["generate", "init", "import", "merge", "label"],
    ),
    ("Look at it", &["inspect", "report", "verify", "overlap"]),
    ("Use it", &["export", "fit", "bootstrap", "learn"]),
    (
        "Engines and games, and help for the shell",
        &[
            "doctor",
            "analyze",
            "match",
            "play",
            "engine",
            "bench",
            "completions",
            "man",
        ],
    ),
];

const OTHERS: &str = "More";

/// The whole command line with its help.
pub(crate) fn command() -> Command {
    let command = Cli::command();
    let help = Arg::new("help")
        .short('h')
        .long("help")
        .help("Print this help (more: rdg help)")
        .action(ArgAction::HelpShort);
    let template = template(&command);
    // What is switched off here is switched off for every command, so each gets the usual one back.
    let usual = |command: Command| {
        let help = Arg::new("help").short('h').long("help");
        command.arg(help.help("Print help").action(ArgAction::Help))
    };
    command
        .disable_help_flag(true)
        .mut_subcommands(usual)
        .arg(help)
        .help_template(template)
}

fn template(command: &Command) -> String {
    let header = *Styles::styled().get_header();
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    let is_grouped = |name: &str| GROUPS.iter().any(|(_, names)| names.contains(&name));
    let others: Vec<&str> = (command.get_subcommands().map(Command::get_name))
        .filter(|name| !is_grouped(name))
        .collect();
    let groups = GROUPS.into_iter().chain([(OTHERS, others.as_slice())]);
    let groups = groups.filter(|(_, names)| !names.is_empty());
    for (heading, names) in groups {
        // A string takes everything.
        let _ = writeln!(text, "\n{header}{heading}:{header:#}");
        for name in names {
            let Some(found) = command.find_subcommand(name) else {
                continue;
            };
            let about = found.get_about().map(ToString::to_string);
            let _ = writeln!(text, "  {name:<12} {}", about.unwrap_or_default());
        }
    }
    let _ = write!(
        text,
        "\n{header}Options of generation:{header:#}\n{{options}}\n\n\
         All of one command: rdg help COMMAND. To begin: rdg init demo && cd demo && rdg"
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_fits_one_screen_and_names_every_command() {
        let text = command().term_width(80).render_help().to_string();
        assert!(text.lines().count() <= 56, "{text}");
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
        for found in Cli::command().get_subcommands() {
            let name = found.get_name();
            let told = text.lines().filter(|line| {
                let mut words = line.split_whitespace();
                line.starts_with("  ") && words.next() == Some(name)
            });
            assert_eq!(told.count(), 1, "{name} in {text}");
        }
    }

    #[test]
    fn each_command_says_what_it_does_in_the_imperative() {
        for found in Cli::command().get_subcommands() {
            let about = found.get_about().expect("it says so").to_string();
            let verb = about.split(' ').next().unwrap_or_default();
            let third_person = verb.ends_with('s') && !verb.ends_with("ss");
            assert!(
                !third_person && verb != "From" && !about.ends_with('.'),
                "{about}"
            );
            assert!(about.chars().count() <= 64, "{about}");
        }
    }
}
