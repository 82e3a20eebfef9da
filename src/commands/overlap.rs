//! `rdg overlap`: what was typed, as work and an exit code.

use super::meter::Meter;
use super::stdout;
use crate::cli::OverlapArgs;
use crate::look::overlap::{object, overlap, write_text};
use std::io::{self, Write};
use std::process::ExitCode;

/// Compares and shows; success means that everything could be compared.
pub fn run(args: &OverlapArgs) -> ExitCode {
    let meter = Meter::start("overlap");
    let compared = overlap(&args.a, args.b.as_deref(), args.memory << 20, &meter);
    drop(meter);
    let comparison = match compared {
        Ok(comparison) => comparison,
        Err(errors) => {
            for error in errors {
                let _ = writeln!(io::stderr(), "error: {error}");
            }
            return ExitCode::FAILURE;
        }
    };
    let printed = stdout::print(|out| match args.json {
        true => writeln!(out, "{:#}", object(&comparison)),
        false => write_text(&comparison, out),
    });
    for damage in &comparison.damage {
        let _ = writeln!(io::stderr(), "error: {}", damage.message);
    }
    match printed {
        Ok(()) if comparison.damage.is_empty() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
