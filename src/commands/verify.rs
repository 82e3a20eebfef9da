//! `rdg verify`: what was typed, as work and an exit code.

use super::runner::{Closing, End, Runner};
use crate::cli::VerifyArgs;
use crate::look::verify::{Options, verify_watched};
use std::process::ExitCode;

/// Verifies and reports; success means that nothing is wrong.
pub(super) fn run(args: &VerifyArgs) -> ExitCode {
    let options = Options {
        limit: args.limit,
        thorough: args.thorough,
        replay: args.replay,
        memory_bytes: args.memory << 20,
    };
    let json = args.json;
    Runner::reading("verify", &args.progress)
        .with(args.threads)
        .run_at_once(|running| {
            let report = verify_watched(&args.paths, &options, running);
            let is_sound = report.is_sound();
            let closing = Closing::words(move |mut out| match json {
                true => report.write_json(&mut out),
                false => report.write_text(&mut out),
            });
            match is_sound {
                true => End::Finished(closing),
                false => End::Unsound {
                    closing,
                    errors: Vec::new(),
                },
            }
        })
}
