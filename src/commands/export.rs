//! `rdg export`: what was typed, as work and an exit code.

use super::runner::{Closing, End, Failure, Runner};
use crate::base::shown::Shown;
use crate::base::text::{bytes, count};
use crate::cli::ExportArgs;
use crate::dataset::json::read_json;
use crate::export::{self, ExportError, ExportOptions, ExportReport, Layout};
use crate::progress::{Again, Event, Style};
use std::io::{self, Write};
use std::process::ExitCode;
use std::thread::available_parallelism;

/// More files than this are summed up.
const LISTED: usize = 12;

/// Exports and says what was written.
pub(super) fn run(args: &ExportArgs) -> ExitCode {
    let options = options(args);
    let json = args.json;
    Runner::quiet("export", &args.progress).run_at_once(|running| {
        let report = match export::run(&options, running, &running.stop) {
            Ok(report) => report,
            Err(ExportError::Interrupted) => {
                return End::Interrupted(Closing::default(), Again::from_the_start());
            }
            Err(error) => {
                let message = error.to_string().shown().to_string();
                return match error.is_usage() {
                    true => Failure::Usage(message).into(),
                    false => Failure::Failed(message).into(),
                };
            }
        };
        for warning in &report.warnings {
            let warning = warning.shown().to_string();
            match running.style {
                Style::Silent => {
                    let _ = writeln!(io::stderr(), "warning: {warning}");
                }
                _ => running.progress.emit(Event::Warning(warning)),
            }
        }
        End::Finished(Closing::words(move |mut out| match json {
            true => {
                let object: serde_json::Value = read_json(&report.sidecar)
                    .map_err(|error| io::Error::other(error.to_string()))?;
                writeln!(out, "{object:#}")
            }
            false => summary(&options, &report, &mut out),
        }))
    })
}

fn options(args: &ExportArgs) -> ExportOptions {
    ExportOptions {
        inputs: args.inputs.clone(),
        output: args.output.clone(),
        format: args.format,
        pad: usize::from(args.pad),
        splits: args.split.clone(),
        phases: args.phases.clone().unwrap_or_default(),
        layout: args.layout,
        shuffle: args.shuffle,
        symmetries: args.symmetries,
        sample: args.sample,
        max_records_per_file: args.max_records_per_file,
        memory: args.memory << 20,
        accept_score_rule: args.accept_score_rule,
        force: args.force,
        threads: args
            .threads
            .or_else(|| available_parallelism().ok())
            .map_or(1, Into::into),
    }
}

/// What a person reads at the end.
fn summary(options: &ExportOptions, report: &ExportReport, out: &mut impl Write) -> io::Result<()> {
    if let Some(games) = report.games {
        writeln!(out, "games      {} written", count(games.written))?;
        if games.left_out > 0 {
            writeln!(
                out,
                "           {} left out: given up, thrown away, or over too early",
                count(games.left_out)
            )?;
        }
        return place(options, report, out);
    }
    let total: u64 = report.files.iter().map(|file| file.bytes).sum();
    writeln!(
        out,
        "positions  {} in {} files, {}",
        count(report.records()),
        report.files.len(),
        bytes(total)
    )?;
    writeln!(out, "values     {}, {}", report.label, report.score_rule)?;
    for invented in &report.invented {
        writeln!(out, "invented   {invented}")?;
    }
    if report.files.len() <= LISTED && report.layout == Layout::Single {
        for file in &report.files {
            let name = file.path.shown().to_string();
            writeln!(out, "file       {name}, {} positions", count(file.records))?;
        }
    }
    place(options, report, out)
}

/// Where to find it.
fn place(options: &ExportOptions, report: &ExportReport, out: &mut impl Write) -> io::Result<()> {
    let output = options.output.shown().to_string();
    writeln!(out, "output     {}", output.shown())?;
    let sidecar = report.sidecar.shown().to_string();
    writeln!(out, "described  {}", sidecar.shown())
}
