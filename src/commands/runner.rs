//! The one way of every command: arguments become options, the work runs, its result is told.
//!
//! What a command says about its beginning and its end stands here alone: the log, the signals,
//! the display, the closing event, the closing words on standard output, the exit code.

use super::display::{display_options, start_log};
use super::meter::Meter;
use super::{EXIT_USAGE, stdout};
use crate::base::clock;
use crate::base::shown::Shown;
use crate::base::signals::Signals;
use crate::base::stop::Stop;
use crate::cli::{ProgressArgs, ThreadsArg};
use crate::config::LogConfig;
use crate::dataset::watch::Watch;
use crate::progress::{Again, Display, DisplayOptions, Event, Progress, RunInfo, RunReport, Style};
use crate::progress::{Steps, print_fatal};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Writes results to standard output.
pub(super) type Words = Box<dyn FnOnce(&mut dyn Write) -> io::Result<()>>;

/// Why a command did not do its work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Failure {
    /// What was typed or configured is wrong: exit code 2.
    Usage(String),
    /// The work failed: exit code 1, or the signal's if one came first.
    Failed(String),
    /// A signal ended it before anything was done: the signal's exit code.
    Stopped,
}

/// How the work of a command ended.
pub(super) enum End {
    /// All is done.
    Finished(Closing),
    /// The work is done, and what it looked at is not in order: exit code 1.
    Unsound {
        /// What is told as after a success.
        closing: Closing,
        /// What is wrong, for stderr: one line each. The closing words have said it if empty.
        errors: Vec<String>,
    },
    /// A signal ended it: the signal's exit code.
    Interrupted(Closing, Again),
    /// It failed.
    Failed(Failure),
}

impl From<Failure> for End {
    fn from(failure: Failure) -> End {
        End::Failed(failure)
    }
}

/// What is told at the end.
#[derive(Default)]
pub(super) struct Closing {
    /// The figures of the closing event.
    pub(super) report: RunReport,
    /// The result on standard output.
    pub(super) words: Option<Words>,
}

impl Closing {
    /// A result on standard output.
    pub(super) fn words(words: impl FnOnce(&mut dyn Write) -> io::Result<()> + 'static) -> Closing {
        Closing {
            words: Some(Box::new(words)),
            ..Closing::default()
        }
    }

    /// The text on standard output.
    pub(super) fn text(words: String) -> Closing {
        Closing {
            words: Some(text(words)),
            ..Closing::default()
        }
    }
}

/// A text as closing words.
pub(super) fn text(text: String) -> Words {
    Box::new(move |out| out.write_all(text.as_bytes()))
}

/// What the work of a command speaks into and listens to.
pub(super) struct Running {
    /// Raised by a signal.
    pub(super) stop: Stop,
    /// Counters and events.
    pub(super) progress: Arc<Progress>,
    /// How far the reading of files has come.
    pub(super) meter: Arc<Meter>,
    /// How the command is shown.
    pub(super) style: Style,
    began: Instant,
}

impl Running {
    /// Time since the command began.
    pub(super) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }
}

impl Watch for Running {
    fn expect(&self, bytes: u64) {
        self.meter.expect(bytes);
        self.progress.update(|now| {
            let steps = now.steps.get_or_insert(Steps::bytes());
            steps.total = Some(steps.total.unwrap_or(0).saturating_add(bytes));
        });
    }

    fn read(&self, bytes: u64) {
        self.meter.read(bytes);
        self.progress.update(|now| {
            let steps = now.steps.get_or_insert(Steps::bytes());
            steps.done = steps.done.saturating_add(bytes);
        });
    }
}

/// How a command is watched.
pub(super) struct Runner<'a> {
    command: &'static str,
    options: Option<&'a ProgressArgs>,
    log: Option<&'a LogConfig>,
    /// Whether the display appears without being asked for.
    is_shown: bool,
    /// Whether a signal ends the process on the spot: nothing is to be written or tidied up.
    ends_at_once: bool,
}

impl<'a> Runner<'a> {
    /// A command that makes something: shown all the time.
    pub(super) fn shown(command: &'static str, options: &'a ProgressArgs) -> Runner<'a> {
        Runner {
            command,
            options: Some(options),
            log: None,
            is_shown: true,
            ends_at_once: false,
        }
    }

    /// A command whose result is on standard output: events are told where they are asked for. It
    /// listens to the stop by itself.
    pub(super) fn quiet(command: &'static str, options: &'a ProgressArgs) -> Runner<'a> {
        Runner {
            is_shown: false,
            ..Runner::shown(command, options)
        }
    }

    /// A command that only reads files: a signal ends it wherever it is.
    pub(super) fn reading(command: &'static str, options: &'a ProgressArgs) -> Runner<'a> {
        Runner {
            ends_at_once: true,
            ..Runner::quiet(command, options)
        }
    }

    /// Reads with so many threads, where a number is asked for.
    pub(super) fn with(self, threads: ThreadsArg) -> Runner<'a> {
        if let Some(number) = threads.threads {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(number.get());
            if let Err(error) = pool.build_global() {
                tracing::warn!("cannot read with {number} threads: {error}");
            }
        }
        self
    }

    /// A command without progress and log, such as a game with a person.
    pub(super) fn plain(command: &'static str) -> Runner<'static> {
        Runner {
            command,
            options: None,
            log: None,
            is_shown: false,
            ends_at_once: false,
        }
    }

    /// The same, ended wherever it is by a signal.
    pub(super) fn plain_at_once(command: &'static str) -> Runner<'static> {
        Runner {
            ends_at_once: true,
            ..Runner::plain(command)
        }
    }

    /// With the log that app.toml names.
    pub(super) fn with_log(self, log: &'a LogConfig) -> Runner<'a> {
        Runner {
            log: Some(log),
            ..self
        }
    }

    /// Tells what is wrong with what was typed or configured, before anything is begun.
    pub(super) fn refuse(&self, message: &str) -> ExitCode {
        print_fatal(self.display().style, message);
        ExitCode::from(EXIT_USAGE)
    }

    /// For commands that need no preparation.
    pub(super) fn run_at_once(self, work: impl FnOnce(&Running) -> End) -> ExitCode {
        let info = RunInfo {
            command: self.command,
            ..RunInfo::default()
        };
        self.run(|_| Ok((info, ())), |(), running| work(running))
    }

    /// Opens the log, listens to signals, prepares, shows the work, and tells how it ended.
    pub(super) fn run<P>(
        self,
        prepare: impl FnOnce(&Stop) -> Result<(RunInfo, P), Failure>,
        work: impl FnOnce(P, &Running) -> End,
    ) -> ExitCode {
        let began = Instant::now();
        let options = self.display();
        let style = options.style;
        let no_options = self.options.is_none();
        // Kept to the end: it writes what is still on its way to the log.
        let _log = match self
            .options
            .map(|args| start_log(args, self.log))
            .transpose()
        {
            Ok(log) => log,
            Err(error) => return self.refuse(&error.to_string()),
        };
        if let Err(error) = clock::check() {
            print_fatal(style, &error);
            return ExitCode::FAILURE;
        }
        let stop = Stop::new();
        let signals = match Signals::install(&stop) {
            Ok(signals) => signals,
            Err(error) => {
                print_fatal(style, &format!("cannot handle signals: {error}"));
                return ExitCode::FAILURE;
            }
        };
        let (info, prepared) = match prepare(&stop) {
            Ok(prepared) => prepared,
            Err(failure) => {
                if let Some(message) = failure.message() {
                    print_fatal(style, message);
                }
                return failure.exit_code(&signals);
            }
        };
        let display = match no_options {
            true => None,
            false => Some(Display::start(&options, info)),
        };
        let progress = display
            .as_ref()
            .map_or_else(|| Arc::new(Progress::silent()), Display::progress);
        let meter = Arc::new(Meter::start(self.command, self.has_meter()));
        let display = Arc::new(Mutex::new(display));
        let take_display = || {
            let mut display = display.lock().unwrap_or_else(PoisonError::into_inner);
            display.take()
        };
        let at_once = self.ends_at_once.then(|| {
            let (display, meter) = (display.clone(), meter.clone());
            let (progress, signals) = (progress.clone(), signals.clone());
            stop.on_request(move || {
                meter.clear();
                progress.emit(Event::Interrupted {
                    report: RunReport {
                        elapsed: began.elapsed(),
                        ..RunReport::default()
                    },
                    again: Again::from_the_start(),
                });
                drop(
                    display
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .take(),
                );
                std::process::exit(i32::from(signals.exit_code().unwrap_or(1)));
            })
        });
        let running = Running {
            stop: stop.clone(),
            progress: progress.clone(),
            meter,
            style,
            began,
        };
        let end = work(prepared, &running);
        drop(at_once);
        running.meter.clear();
        let tell_failure = |message: &str| match style {
            Style::Silent => print_fatal(style, message),
            _ => progress.emit(Event::Fatal(message.to_owned())),
        };
        let (code, words, errors) = match end {
            End::Finished(closing) => {
                progress.emit(Event::Finished(closing.report));
                (ExitCode::SUCCESS, closing.words, Vec::new())
            }
            End::Interrupted(closing, again) => {
                progress.emit(Event::Interrupted {
                    report: closing.report,
                    again,
                });
                let code = ExitCode::from(signals.exit_code().unwrap_or(1));
                (code, closing.words, Vec::new())
            }
            End::Unsound { closing, errors } if style == Style::Silent => {
                (ExitCode::FAILURE, closing.words, errors)
            }
            End::Unsound { closing, errors } => {
                let message = match errors.is_empty() {
                    true => "errors were found; the report names them".to_owned(),
                    false => errors.join("\n"),
                };
                tell_failure(&message);
                (ExitCode::FAILURE, closing.words, Vec::new())
            }
            End::Failed(failure) => {
                if let Some(message) = failure.message() {
                    tell_failure(message);
                }
                (failure.exit_code(&signals), None, Vec::new())
            }
        };
        drop(take_display());
        let printed = words.map_or(Ok(()), |words| stdout::print(|out| words(out)));
        for error in errors {
            let _ = writeln!(io::stderr(), "error: {}", error.shown());
        }
        match printed {
            Ok(()) => code,
            Err(()) => ExitCode::FAILURE,
        }
    }

    fn display(&self) -> DisplayOptions {
        let asked = self.options.map(display_options);
        let mut options = asked.unwrap_or(DisplayOptions {
            style: Style::Silent,
            color: false,
            emoji: false,
            interval: Duration::from_secs(1),
            later_interval: Duration::from_secs(1),
        });
        if !self.is_shown && options.style != Style::Json {
            options.style = Style::Silent;
        }
        options
    }

    /// Whether one line on the terminal says how far the reading has come.
    fn has_meter(&self) -> bool {
        let style = self.options.map(|args| display_options(args).style);
        !self.is_shown && style == Some(Style::Dashboard)
    }
}

impl Failure {
    fn message(&self) -> Option<&str> {
        match self {
            Failure::Usage(message) | Failure::Failed(message) => Some(message),
            Failure::Stopped => None,
        }
    }

    fn exit_code(&self, signals: &Signals) -> ExitCode {
        match (signals.exit_code(), self) {
            (Some(code), _) => ExitCode::from(code),
            (None, Failure::Usage(_)) => ExitCode::from(EXIT_USAGE),
            (None, _) => ExitCode::FAILURE,
        }
    }
}

/// The figures of a command that plays games into a folder (empty: none) and records nothing.
pub(super) fn games_report(running: &Running, output_dir: PathBuf) -> RunReport {
    RunReport {
        games: running.progress.snapshot().games,
        elapsed: running.elapsed(),
        output_dir,
        ..RunReport::default()
    }
}
