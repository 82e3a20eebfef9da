//! From what was typed and where stderr leads to, how a run is shown and logged.

use crate::arena::analyze::picture::{Look, WIDTH};
use crate::cli::ProgressArgs;
use crate::config::LogConfig;
use crate::progress::logging::{self, LogError, LogGuard, LogOptions};
use crate::progress::{DisplayOptions, Style};
use std::env;
use std::ffi::OsString;
use std::time::Duration;

/// How often a run is shown where nothing is said: a file of lines is read later, and a night of seconds
/// is long.
const EACH_SECOND: Duration = Duration::from_secs(1);
const EACH_MINUTE: Duration = Duration::from_secs(60);

/// How a run is shown: the dashboard where stderr is a terminal that can redraw, plain lines
/// elsewhere, or what the options say.
pub(super) fn display_options(args: &ProgressArgs) -> DisplayOptions {
    choose(
        args,
        rustix::termios::isatty(rustix::stdio::stderr()),
        |name| env::var_os(name),
    )
}

/// Starts the log if the command line or app.toml (where there is one) names a file. The guard is
/// to be kept until everything is done.
///
/// # Errors
/// When the file cannot be used, or `RUST_LOG` cannot be understood: a fault of the configuration.
pub(super) fn start_log(
    args: &ProgressArgs,
    config: Option<&LogConfig>,
) -> Result<Option<LogGuard>, LogError> {
    LogOptions::new(args.log_file.as_deref(), config)
        .map(|options| logging::start(&options))
        .transpose()
}

/// Whether results on stdout may have colours: on a terminal that has them, unless refused by
/// `--no-color` or `NO_COLOR`.
pub(super) fn stdout_color(no_color: bool) -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    !no_color
        && !is_set("NO_COLOR")
        && is_set("TERM")
        && env::var_os("TERM") != Some("dumb".into())
        && rustix::termios::isatty(rustix::stdio::stdout())
}

/// Whether stderr leads to a terminal on which a line can be drawn again.
pub(super) fn stderr_can_redraw() -> bool {
    let kind = env::var_os("TERM").filter(|kind| !kind.is_empty());
    kind.is_some_and(|kind| kind != "dumb") && rustix::termios::isatty(rustix::stdio::stderr())
}

/// Whether results on stdout may have characters beyond ASCII: in a UTF-8 locale, unless refused
/// by `--no-emoji` or a dumb terminal.
pub(super) fn stdout_symbols(no_emoji: bool) -> bool {
    !no_emoji
        && env::var_os("TERM") != Some("dumb".into())
        && speaks_utf8(&|name: &str| env::var_os(name))
}

/// Columns of the terminal that stdout leads to; a readable number elsewhere.
pub(super) fn stdout_width() -> usize {
    stdout_columns().unwrap_or(100).clamp(60, 120)
}

/// Columns of the terminal that stdout leads to, where it leads to one that tells.
pub(super) fn stdout_columns() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(rustix::stdio::stdout()).ok()?;
    (size.ws_col > 0).then_some(usize::from(size.ws_col))
}

/// How boards are drawn on stdout: with colours or without, narrow on a narrow terminal.
pub(super) fn stdout_look(no_color: bool) -> Look {
    Look {
        color: stdout_color(no_color),
        narrow: stdout_columns().is_some_and(|columns| columns < WIDTH),
    }
}

fn choose(
    args: &ProgressArgs,
    is_terminal: bool,
    variable: impl Fn(&str) -> Option<OsString>,
) -> DisplayOptions {
    // A variable that is set to nothing counts as not set (https://no-color.org).
    let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
    let can_redraw = is_terminal && is_set("TERM") && variable("TERM") != Some("dumb".into());
    let style = if args.quiet {
        Style::Silent
    } else if args.json_progress {
        Style::Json
    } else if args.no_progress || !can_redraw {
        Style::Lines
    } else {
        Style::Dashboard
    };
    let interval = args.progress_interval.unwrap_or(EACH_SECOND);
    DisplayOptions {
        style,
        color: !args.no_color && !is_set("NO_COLOR"),
        emoji: !args.no_emoji && speaks_utf8(&variable),
        interval,
        later_interval: match (args.progress_interval, style) {
            (None, Style::Lines | Style::Json) => EACH_MINUTE,
            _ => interval,
        },
    }
}

/// Whether the locale's characters are UTF-8: the first of its three variables that is set decides.
fn speaks_utf8(variable: &impl Fn(&str) -> Option<OsString>) -> bool {
    ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(variable)
        .find(|value| !value.is_empty())
        .is_some_and(|value| {
            let name = value.to_string_lossy().to_ascii_lowercase();
            name.contains("utf-8") || name.contains("utf8")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args() -> ProgressArgs {
        ProgressArgs {
            no_progress: false,
            quiet: false,
            json_progress: false,
            log_file: None,
            no_color: false,
            no_emoji: false,
            progress_interval: None,
        }
    }

    fn with(
        args: &ProgressArgs,
        terminal: bool,
        variables: &[(&str, &str)],
    ) -> (Style, bool, bool) {
        let options = choose(args, terminal, |name| {
            let found = variables.iter().find(|(key, _)| *key == name);
            found.map(|(_, value)| value.into())
        });
        (options.style, options.color, options.emoji)
    }

    #[test]
    fn the_terminal_decides_where_no_option_does() {
        let usual = [("TERM", "xterm"), ("LANG", "ja_JP.UTF-8")];
        let plain = args();
        assert_eq!(with(&plain, true, &usual), (Style::Dashboard, true, true));
        assert_eq!(with(&plain, false, &usual).0, Style::Lines);
        assert_eq!(with(&plain, true, &[("TERM", "dumb")]).0, Style::Lines);
        assert_eq!(with(&plain, true, &[]).0, Style::Lines);
        let json = ProgressArgs {
            json_progress: true,
            ..args()
        };
        assert_eq!(with(&json, true, &usual).0, Style::Json);
        let lines = ProgressArgs {
            no_progress: true,
            ..args()
        };
        assert_eq!(with(&lines, true, &usual).0, Style::Lines);
        let quiet = ProgressArgs {
            quiet: true,
            ..args()
        };
        assert_eq!(with(&quiet, true, &usual).0, Style::Silent);
    }

    #[test]
    fn colours_and_emoji_can_be_refused() {
        let refused = [("TERM", "xterm"), ("NO_COLOR", "1"), ("LC_ALL", "C")];
        assert_eq!(
            with(&args(), true, &refused),
            (Style::Dashboard, false, false)
        );
        let empty = [("TERM", "xterm"), ("NO_COLOR", ""), ("LC_ALL", "C.utf8")];
        assert_eq!(with(&args(), true, &empty), (Style::Dashboard, true, true));
        let options = ProgressArgs {
            no_color: true,
            no_emoji: true,
            ..args()
        };
        assert_eq!(
            with(&options, true, &empty),
            (Style::Dashboard, false, false)
        );
    }

    #[test]
    fn lines_become_rare_unless_an_interval_is_asked_for() {
        let intervals = |args: &ProgressArgs, terminal| {
            let options = choose(args, terminal, |name| {
                (name == "TERM").then(|| "xterm".into())
            });
            (options.interval.as_secs(), options.later_interval.as_secs())
        };
        assert_eq!(intervals(&args(), true), (1, 1));
        assert_eq!(intervals(&args(), false), (1, 60));
        let json = ProgressArgs {
            json_progress: true,
            ..args()
        };
        assert_eq!(intervals(&json, true), (1, 60));
        let asked = ProgressArgs {
            progress_interval: Some(Duration::from_secs(5)),
            ..args()
        };
        assert_eq!(intervals(&asked, false), (5, 5));
    }
}
