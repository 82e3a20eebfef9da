//! The `rdg` program: parse, run, exit code; nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    match rdg::parse() {
        Ok(cli) => rdg::run(cli),
        Err(code) => code,
    }
}
