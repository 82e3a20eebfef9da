//! `rdg verify`: what was typed, as work and an exit code.

use super::meter::Meter;
use super::stdout::print;
use crate::cli::VerifyArgs;
use crate::look::verify::{Options, verify_watched};
use std::process::ExitCode;

/// Verifies and reports; success means that nothing is wrong.
pub fn run(args: &VerifyArgs) -> ExitCode {
    let options = Options {
        limit: args.limit,
        thorough: args.thorough,
        memory_bytes: args.memory << 20,
    };
    let meter = Meter::start("verify");
    let report = verify_watched(&args.paths, &options, &meter);
    drop(meter);
    let printed = print(|out| match args.json {
        true => report.write_json(out),
        false => report.write_text(out),
    });
    match printed {
        Ok(()) if report.is_sound() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
