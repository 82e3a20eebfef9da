//! The `rdg` program: parse, run, exit code; nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    match rdg::commands::parse() {
        Ok(cli) => rdg::commands::run(cli),
        Err(code) => code,
    }
}
