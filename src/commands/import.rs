//! `rdg import`: games that others played become a dataset.

use super::display_options;
use crate::base::signals::Signals;
use crate::base::stop::Stop;
use crate::cli::ImportArgs;
use crate::import::{self, ImportError, ImportOptions, ImportReport};
use crate::progress::logging::{self, LogOptions};
use crate::progress::{Display, Event, RunInfo, RunReport, Style, print_fatal};
use std::io::Write;
use std::process::ExitCode;
use std::thread::available_parallelism;

/// Imports, shows it and sums it up.
pub fn run(args: &ImportArgs) -> ExitCode {
    let display = display_options(&args.progress);
    let style = display.style;
    let fail = |message: &str| {
        print_fatal(style, message);
        ExitCode::FAILURE
    };
    let log = match LogOptions::new(args.progress.log_file.as_deref(), None)
        .map(|options| logging::start(&options))
        .transpose()
    {
        Ok(log) => log,
        Err(error) => return fail(&error.to_string()),
    };
    let stop = Stop::new();
    let signals = match Signals::install(&stop) {
        Ok(signals) => signals,
        Err(error) => return fail(&format!("cannot handle signals: {error}")),
    };
    let options = options(args);
    let display = Display::start(
        &display,
        RunInfo {
            command: "import",
            mode: "",
            output_dir: options.output_dir.clone(),
            seed: None,
            workers: options.threads,
            engine: String::new(),
        },
    );
    let progress = display.progress();
    let result = import::run(&options, &progress, &stop);
    let code = match &result {
        Ok(_) => ExitCode::SUCCESS,
        Err(ImportError::Interrupted) => {
            progress.emit(Event::Interrupted {
                report: RunReport {
                    games: progress.snapshot().games,
                    output_dir: options.output_dir.clone(),
                    ..RunReport::default()
                },
                resume: command_line(),
            });
            ExitCode::from(signals.exit_code().unwrap_or(1))
        }
        Err(error) => {
            progress.emit(Event::Fatal(error.to_string()));
            ExitCode::FAILURE
        }
    };
    display.finish();
    drop(log);
    if let (Ok(report), true) = (&result, style != Style::Json) {
        // A reader that has gone is no failure of the import.
        let _ = std::io::stdout().write_all(closing(&options, report).as_bytes());
    }
    code
}

fn options(args: &ImportArgs) -> ImportOptions {
    ImportOptions {
        inputs: args.inputs.clone(),
        output_dir: args.output.clone(),
        force: args.force,
        format: args.format,
        phases: args.phases.clone(),
        split: args.split,
        split_by: args.split_by,
        max_per_game: args.max_per_game.map(Into::into),
        winner_only: args.winner_only,
        duplicates: args.duplicates,
        score_rule: args.score_rule,
        unfinished: args.unfinished,
        strict: args.strict,
        threads: args
            .threads
            .or_else(|| available_parallelism().ok())
            .map_or(1, Into::into),
        reported_bad_games: args.report.into(),
    }
}

/// This command again: an import begins anew.
fn command_line() -> String {
    let quoted = |word: std::ffi::OsString| {
        let word = word.to_string_lossy().into_owned();
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+@%".contains(c);
        match !word.is_empty() && word.chars().all(plain) {
            true => word,
            false => format!("'{}'", word.replace('\'', r"'\''")),
        }
    };
    let words: Vec<String> = std::env::args_os().map(quoted).collect();
    words.join(" ")
}

/// What a person reads at the end.
fn closing(options: &ImportOptions, report: &ImportReport) -> String {
    let tally = &report.tally;
    let sum = |field: fn(&crate::dataset::stats::PhaseStats) -> u64| -> u64 {
        report.phases.iter().map(field).sum()
    };
    let recorded = sum(|stats| stats.emitted_samples);
    let mut lines = vec![format!(
        "games      {} read, {} used",
        tally.games, tally.used
    )];
    let mut note = |count: u64, text: &str| {
        if count > 0 {
            lines.push(format!("           {count} {text}"));
        }
    };
    note(tally.unfinished, "not played to the end, left out");
    note(
        tally.claimed,
        "not played to the end, taken with their claimed result",
    );
    note(tally.mirrored, "on the mirrored start, turned");
    for (reason, &count) in &tally.bad {
        note(count, &format!("bad: {}", reason.replace('_', " ")));
    }
    note(tally.skipped_files, "files without games passed over");
    lines.push(format!(
        "positions  {} taken, {recorded} recorded, {} duplicates",
        tally.positions,
        sum(|stats| stats.duplicate_positions)
    ));
    lines.push(format!(
        "split      train {}, valid {}, test {}",
        sum(|stats| stats.split.train),
        sum(|stats| stats.split.valid),
        sum(|stats| stats.split.test)
    ));
    lines.push(format!("output     {}", options.output_dir.display()));
    lines.join("\n") + "\n"
}
