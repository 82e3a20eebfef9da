//! `rdg bench`: the measurements as a table or as JSON; a wrong result is a failure.

use super::watch_signals;
use crate::base::stop::Stop;
use crate::cli::BenchArgs;
use crate::engine::builtin::Threads;
use crate::machine::bench::report::{Row, table_head, table_line, to_json};
use crate::machine::bench::{self, BenchOptions};
use std::io::Write;
use std::process::ExitCode;

/// Measures; exit code 1 when a result is wrong.
pub fn run(args: &BenchArgs) -> ExitCode {
    let stop = Stop::new();
    let signals = match watch_signals(&stop) {
        Ok(signals) => signals,
        Err(code) => return code,
    };
    let options = BenchOptions {
        quick: args.quick,
        threads: args.threads,
        ffo: args.ffo.clone(),
    };
    let threads = match Threads::new(options.threads) {
        Ok(threads) => threads,
        Err(error) => {
            eprintln!("error: {error}; lower --threads");
            return ExitCode::FAILURE;
        }
    };
    // A reader that has gone takes no more rows, and the measurements have nobody to be made for.
    let print = |text: &str| {
        let mut out = std::io::stdout().lock();
        if out
            .write_all(text.as_bytes())
            .and_then(|()| out.flush())
            .is_err()
        {
            stop.request();
        }
    };
    let mut rows: Vec<Row> = Vec::new();
    if !args.json {
        print(&table_head());
    }
    let finished = bench::run(&options, &threads, &stop, |row| {
        if !args.json {
            print(&table_line(&row));
        }
        rows.push(row);
    });
    if finished.is_err() {
        // Without a signal it was the closed pipe.
        return signals
            .exit_code()
            .map_or(ExitCode::SUCCESS, ExitCode::from);
    }
    if args.json {
        print(&to_json(&rows, options.threads, options.quick));
    }
    let wrong = rows.iter().filter(|row| row.is_wrong()).count();
    if wrong > 0 {
        eprintln!("error: {wrong} results are wrong; this build must not make data");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
