//! `rdg overlap`: what was typed, as work and an exit code.

use super::runner::{Closing, End, Runner};
use crate::cli::OverlapArgs;
use crate::look::overlap::{object, overlap, write_text};
use std::process::ExitCode;

/// Compares and shows; success means that everything could be compared.
pub(super) fn run(args: &OverlapArgs) -> ExitCode {
    let json = args.json;
    Runner::reading("overlap", &args.progress)
        .with(args.threads)
        .run_at_once(|running| {
            let memory = args.memory << 20;
            let comparison = match overlap(&args.a, args.b.as_deref(), memory, running) {
                Ok(comparison) => comparison,
                Err(errors) => {
                    return End::Unsound {
                        closing: Closing::default(),
                        errors: errors.iter().map(ToString::to_string).collect(),
                    };
                }
            };
            let damage = comparison.damage.iter();
            let errors: Vec<String> = damage.map(|damage| damage.message.clone()).collect();
            let closing = Closing::words(move |mut out| match json {
                true => writeln!(out, "{:#}", object(&comparison)),
                false => write_text(&comparison, &mut out),
            });
            match errors.is_empty() {
                true => End::Finished(closing),
                false => End::Unsound { closing, errors },
            }
        })
}
