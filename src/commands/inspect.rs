//! `rdg inspect`: what was typed, as work and an exit code.

use super::display::{stdout_columns, stdout_symbols};
use super::meter::Meter;
use super::{EXIT_USAGE, stdout};
use crate::cli::InspectArgs;
use crate::dataset::damage::Damage;
use crate::look::inspect::{Canvas, Wanted, inspect, object, write_text};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::process::ExitCode;

/// Inspects and shows; success means that nothing is damaged.
pub fn run(args: &InspectArgs) -> ExitCode {
    let wanted = match (args.sample, args.record) {
        (Some(count), _) => Wanted::Sample {
            count,
            seed: args
                .seed
                .unwrap_or_else(|| RandomState::new().hash_one(count)),
        },
        (None, Some(number)) => Wanted::Record(number),
        (None, None) => Wanted::Summary,
    };
    if let Wanted::Record(_) = wanted
        && let Some(folder) = args.paths.iter().find(|path| path.is_dir())
    {
        let _ = writeln!(
            io::stderr(),
            "error: --record needs a file, {} is a folder; name one of the .rd files in it",
            folder.display()
        );
        return ExitCode::from(EXIT_USAGE);
    }
    let meter = Meter::start("inspect");
    let mut inspections = Vec::new();
    let mut damage = Vec::new();
    for path in &args.paths {
        match inspect(path, wanted, &meter) {
            Ok(inspection) => {
                damage.extend(inspection.damage.iter().cloned());
                inspections.push(inspection);
            }
            Err(error) => damage.push(Damage::of(path, &error)),
        }
    }
    drop(meter);
    let canvas = Canvas {
        width: stdout_columns().unwrap_or(80).min(120),
        ascii: !stdout_symbols(args.no_emoji),
    };
    let printed = stdout::print(|out| {
        if args.json {
            return writeln!(out, "{:#}", object(&inspections, wanted, &damage));
        }
        for (number, inspection) in inspections.iter().enumerate() {
            if number > 0 {
                writeln!(out)?;
            }
            write_text(inspection, wanted, canvas, out)?;
        }
        Ok(())
    });
    for damage in &damage {
        let _ = writeln!(io::stderr(), "error: {}", damage.message);
    }
    match printed {
        Ok(()) if damage.is_empty() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
