//! `rdg report`: what was typed, as work and an exit code.

use super::meter::Meter;
use super::stdout;
use crate::base::text::printable;
use crate::cli::ReportArgs;
use crate::dataset::damage::Damage;
use crate::dataset::json::write_file;
use crate::look::report::{Attachment, Report, gather, object, page};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Draws the page; success means that it is written and nothing is damaged.
pub fn run(args: &ReportArgs) -> ExitCode {
    let given: [(&'static str, &[PathBuf]); 4] = [
        ("compare", &args.compare),
        ("fit", &args.fit),
        ("learn", &args.learn),
        ("match", &args.matches),
    ];
    let mut attachments = Vec::new();
    for (kind, paths) in given {
        for path in paths {
            match Attachment::read(kind, path) {
                Ok(attachment) => attachments.push(attachment),
                Err(error) => {
                    tell(&error.to_string());
                    return ExitCode::FAILURE;
                }
            }
        }
    }
    let meter = Meter::start("report");
    let datasets = args.paths.iter().map(|path| gather(path, &meter)).collect();
    drop(meter);
    let report = Report {
        datasets,
        attachments,
    };
    let damage: Vec<Damage> = report.damage().cloned().collect();
    for damage in &damage {
        tell(&damage.message);
    }
    if report
        .datasets
        .iter()
        .all(|dataset| dataset.inspection.is_none())
    {
        return ExitCode::FAILURE;
    }
    if let Some(output) = &args.output
        && let Err(error) = write_file(output, page(&report).as_bytes())
    {
        tell(&error.to_string());
        return ExitCode::FAILURE;
    }
    let printed = stdout::print(|out| match (args.json, &args.output) {
        (true, _) => writeln!(out, "{:#}", object(&report)),
        (false, Some(output)) => {
            writeln!(out, "{}", printable(&output.display().to_string()))
        }
        (false, None) => Ok(()),
    });
    match printed {
        Ok(()) if damage.is_empty() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn tell(message: &str) {
    let _ = writeln!(io::stderr(), "error: {}", printable(message));
}
