//! `rdg report`: what was typed, as work and an exit code.

use super::runner::{Closing, End, Failure, Runner};
use crate::base::shown::Shown;
use crate::cli::ReportArgs;
use crate::dataset::files::write_file;
use crate::look::report::{Attachment, Report, gather, object, page};
use std::path::PathBuf;
use std::process::ExitCode;

/// Draws the page; success means that it is written and nothing is damaged.
pub(super) fn run(args: &ReportArgs) -> ExitCode {
    let output = args.output.clone();
    let json = args.json;
    Runner::reading("report", &args.progress)
        .with(args.threads)
        .run_at_once(|running| {
            let attachments = match attachments(args) {
                Ok(attachments) => attachments,
                Err(message) => return Failure::Failed(message).into(),
            };
            let datasets = args.paths.iter().map(|path| gather(path, running));
            let report = Report {
                datasets: datasets.collect(),
                attachments,
            };
            let errors: Vec<String> = report
                .damage()
                .map(|d| d.message.shown().to_string())
                .collect();
            let is_empty = |report: &Report| report.datasets.iter().all(|d| d.inspection.is_none());
            if is_empty(&report) {
                return End::Unsound {
                    closing: Closing::default(),
                    errors,
                };
            }
            if let Some(output) = &output
                && let Err(error) = write_file(output, page(&report).as_bytes())
            {
                return Failure::Failed(error.to_string().shown().to_string()).into();
            }
            let closing = Closing::words(move |out| match (json, &output) {
                (true, _) => writeln!(out, "{:#}", object(&report)),
                (false, Some(output)) => writeln!(out, "{}", output.shown()),
                (false, None) => Ok(()),
            });
            match errors.is_empty() {
                true => End::Finished(closing),
                false => End::Unsound { closing, errors },
            }
        })
}

/// The JSON files of other commands.
fn attachments(args: &ReportArgs) -> Result<Vec<Attachment>, String> {
    let given: [(&'static str, &[PathBuf]); 4] = [
        ("compare", &args.compare),
        ("fit", &args.fit),
        ("learn", &args.learn),
        ("match", &args.matches),
    ];
    let mut attachments = Vec::new();
    for (kind, paths) in given {
        for path in paths {
            let read = Attachment::read(kind, path);
            attachments.push(read.map_err(|error| error.to_string().shown().to_string())?);
        }
    }
    Ok(attachments)
}
