//! `rdg --dry-run`: what a run would make and need, on standard output.

use super::runner::{Closing, End, Runner};
use crate::generate::Request;
use crate::generate::plan;
use crate::progress::Style;
use std::process::ExitCode;

/// Prints the plan, as one JSON object where JSON is asked for. Warnings are a part of it: a plan
/// with warnings is a success all the same.
pub(super) fn run(request: &Request, style: Style) -> ExitCode {
    Runner::plain_at_once("generate").run_at_once(|_| {
        let report = plan::build(request);
        End::Finished(Closing::words(move |mut out| match style {
            Style::Json => report.write_json(&mut out),
            _ => report.write_text(&mut out),
        }))
    })
}
