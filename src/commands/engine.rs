//! `rdg engine`: serves the embedded engine.

use super::runner::{Closing, End, Failure, Runner};
use crate::arena::serve::{Protocol, ServeError, Settings, serve};
use crate::cli::{EngineArgs, ProtocolArg};
use std::process::ExitCode;

/// Serves until end of input. A wrong setting is a usage error.
pub(super) fn run(args: &EngineArgs) -> ExitCode {
    let settings = Settings {
        level: args.level,
        threads: args.threads,
        eval_file: args.eval.clone(),
    };
    let protocol = match args.protocol {
        ProtocolArg::Nboard => Protocol::Nboard,
        ProtocolArg::Gtp => Protocol::Gtp,
    };
    Runner::plain_at_once("engine").run_at_once(|_| match serve(protocol, &settings) {
        Ok(()) => End::Finished(Closing::default()),
        Err(error @ ServeError::Engine(_)) => Failure::Usage(error.to_string()).into(),
        Err(error @ ServeError::Pipe(_)) => Failure::Failed(error.to_string()).into(),
    })
}
