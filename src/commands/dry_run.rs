//! `rdg --dry-run`: what a run would make and need, on standard output.

use super::stdout::print;
use crate::generate::Request;
use crate::generate::plan;
use crate::progress::Style;
use std::process::ExitCode;

/// Prints the plan, as one JSON object where JSON is asked for. Warnings are a part of it: a plan
/// with warnings is a success all the same.
pub fn run(request: &Request, style: Style) -> ExitCode {
    let report = plan::build(request);
    let printed = print(|out| match style {
        Style::Json => report.write_json(out),
        _ => report.write_text(out),
    });
    match printed {
        Ok(()) => ExitCode::SUCCESS,
        Err(()) => ExitCode::FAILURE,
    }
}
