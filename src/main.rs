//! The `rdg` program: parse, run, exit code; nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::SUCCESS
}
