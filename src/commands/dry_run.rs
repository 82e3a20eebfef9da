//! `rdg --dry-run`: what a run would make and need, on standard output.

use super::runner::{Closing, End, Failure, Runner};
use crate::engine::EngineError;
use crate::generate::Request;
use crate::generate::measure::{Measured, measure};
use crate::generate::plan;
use crate::progress::{Again, Style};
use std::process::ExitCode;

/// Prints the plan, as one JSON object where JSON is asked for. Warnings are a part of it: a plan
/// with warnings is a success all the same.
pub(super) fn run(request: &Request, style: Style, measured: bool) -> ExitCode {
    if !measured {
        return Runner::plain_at_once("generate").run_at_once(|_| tell(request, None, style));
    }
    // The engines are to be ended when a signal comes.
    Runner::plain("generate").run_at_once(|running| match measure(request, &running.stop) {
        Ok(found) => tell(request, Some(&found), style),
        Err(EngineError::Stopped) => End::Interrupted(Closing::default(), Again::from_the_start()),
        Err(error) => Failure::Failed(error.to_string()).into(),
    })
}

fn tell(request: &Request, measured: Option<&Measured>, style: Style) -> End {
    let report = plan::build(request, measured);
    End::Finished(Closing::words(move |mut out| match style {
        Style::Json => report.write_json(&mut out),
        _ => report.write_text(&mut out),
    }))
}
