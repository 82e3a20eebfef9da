//! `rdg engine`: serves the embedded engine.

use super::EXIT_USAGE;
use crate::arena::serve::{Protocol, ServeError, Settings, serve};
use crate::cli::{EngineArgs, ProtocolArg};
use std::process::ExitCode;

/// Serves until end of input. A faulty setting is a usage error.
pub fn run(args: &EngineArgs) -> ExitCode {
    let settings = Settings {
        level: args.level,
        threads: args.threads,
        eval_file: args.eval.clone(),
    };
    let protocol = match args.protocol {
        ProtocolArg::Nboard => Protocol::Nboard,
        ProtocolArg::Gtp => Protocol::Gtp,
    };
    match serve(protocol, &settings) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            match error {
                ServeError::Engine(_) => ExitCode::from(EXIT_USAGE),
                ServeError::Pipe(_) => ExitCode::FAILURE,
            }
        }
    }
}
