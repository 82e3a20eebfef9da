//! `rdg [OPTIONS]`: generation.

use crate::cli::GenerateArgs;
use std::process::ExitCode;

/// Generates the dataset that the configuration describes.
pub fn run(args: &GenerateArgs) -> ExitCode {
    eprintln!(
        "rdg: generation from {} is not part of this build yet",
        args.config.display()
    );
    ExitCode::FAILURE
}
