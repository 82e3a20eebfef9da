//! `rdg bench`: the measurements as a table or as JSON; a wrong result is a failure.

use super::runner::{Closing, End, Failure, Runner};
use crate::base::shown::Shown;
use crate::cli::BenchArgs;
use crate::engine::EngineError;
use crate::engine::builtin::Threads;
use crate::machine::bench::labels::{markdown, measure, sets, to_json as labels_to_json};
use crate::machine::bench::report::{Row, table_head, table_line, to_json};
use crate::machine::bench::{self, BenchOptions};
use crate::progress::{Again, RunInfo, Steps};
use std::io::Write;
use std::process::ExitCode;

/// Measures; exit code 1 when a result is wrong.
pub(super) fn run(args: &BenchArgs) -> ExitCode {
    if args.labels {
        return labels(args);
    }
    let options = BenchOptions {
        quick: args.quick,
        threads: args.threads,
        ffo: args.ffo.clone(),
    };
    let info = RunInfo {
        command: "bench",
        workers: args.threads as usize,
        ..RunInfo::default()
    };
    let prepare = || match Threads::new(options.threads) {
        Ok(threads) => Ok((info, threads)),
        Err(error) => Err(Failure::Failed(format!("{error}; lower --threads"))),
    };
    Runner::quiet("bench", &args.progress).run(
        |_| prepare(),
        |threads, running| {
            // A reader that has gone takes no more rows: the measurements have nobody to be made for.
            let print = |text: &str| {
                let mut out = std::io::stdout().lock();
                let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
                if written.is_err() {
                    running.stop.request();
                }
                written.is_ok()
            };
            let mut has_reader = true;
            let mut rows: Vec<Row> = Vec::new();
            if !args.json {
                has_reader = print(&table_head());
            }
            let finished = bench::run(&options, &threads, &running.stop, |row| {
                if !args.json {
                    has_reader &= print(&table_line(&row));
                }
                rows.push(row);
            });
            if !has_reader {
                return End::Finished(Closing::default());
            }
            if finished.is_err() {
                return End::Interrupted(Closing::default(), Again::from_the_start());
            }
            let wrong = rows.iter().filter(|row| row.is_wrong()).count();
            let closing = match args.json {
                true => Closing::text(to_json(&rows, options.threads, options.quick)),
                false => Closing::default(),
            };
            match wrong {
                0 => End::Finished(closing),
                _ => End::Unsound {
                    closing,
                    errors: vec![format!(
                        "{wrong} results are wrong; this build must not make data"
                    )],
                },
            }
        },
    )
}

/// Positions of each set where it should be quick.
const QUICK_POSITIONS: usize = 20;

/// The table of labels, or the positions that it is made with.
fn labels(args: &BenchArgs) -> ExitCode {
    let info = RunInfo {
        command: "bench",
        workers: 1,
        ..RunInfo::default()
    };
    let positions = match args.quick {
        true => QUICK_POSITIONS,
        false => sets::COUNT,
    };
    Runner::quiet("bench", &args.progress).run(
        |_| Ok((info, ())),
        |(), running| {
            if let Some(folder) = &args.remake {
                return match sets::make(folder, &running.stop) {
                    Ok(()) => End::Finished(Closing::default()),
                    Err(sets::MakeError::Engine(EngineError::Stopped)) => stopped(),
                    Err(error) => Failure::Failed(error.to_string()).into(),
                };
            }
            if let Some(folder) = &args.write {
                return match sets::write(folder) {
                    Ok(()) => End::Finished(Closing::text(format!(
                        "{} and {}: solved positions with 20, 16 and 12 empty squares, the winner \
                         takes the empty ones\n",
                        folder.join("random").shown(),
                        folder.join("strong").shown()
                    ))),
                    Err(error) => Failure::Failed(error.to_string()).into(),
                };
            }
            let told = |what: &str| {
                running.progress.update(|now| {
                    let steps = now.steps.get_or_insert(Steps {
                        total: Some(6),
                        unit: "set",
                        ..Steps::default()
                    });
                    steps.done += 1;
                });
                tracing::debug!("labels: {what}");
            };
            match measure(positions, args.quick, &running.stop, told) {
                Ok(tables) => End::Finished(Closing::text(match args.json {
                    true => format!("{:#}\n", labels_to_json(&tables, positions)),
                    false => markdown(&tables),
                })),
                Err(EngineError::Stopped) => stopped(),
                Err(error) => Failure::Failed(error.to_string()).into(),
            }
        },
    )
}

fn stopped() -> End {
    End::Interrupted(Closing::default(), Again::from_the_start())
}
