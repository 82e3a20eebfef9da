//! `rdg inspect`: what was typed, as work and an exit code.

use super::display::{stdout_columns, stdout_symbols};
use super::runner::{Closing, End, Runner};
use crate::base::shown::Shown;
use crate::cli::InspectArgs;
use crate::dataset::damage::Damage;
use crate::dataset::tree::Tree;
use crate::look::inspect::{Canvas, Wanted, games_at, inspect, object, view_games, write_text};
use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::process::ExitCode;

/// Inspects and shows; success means that nothing is damaged.
pub(super) fn run(args: &InspectArgs) -> ExitCode {
    let runner = Runner::reading("inspect", &args.progress).with(args.threads);
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
        && let Some(folder) = args
            .paths
            .iter()
            .find(|path| path.is_dir() && games_at(path).is_empty())
    {
        return runner.refuse(&format!(
            "--record needs a file, {} is a folder; name one of the .rd files in it",
            folder.shown()
        ));
    }
    let json = args.json;
    let canvas = Canvas {
        width: stdout_columns().unwrap_or(80).min(120),
        ascii: !stdout_symbols(args.progress.no_emoji),
    };
    runner.run_at_once(|running| {
        let mut inspections = Vec::new();
        let mut damage = Vec::new();
        let mut games = Vec::new();
        for path in &args.paths {
            let kept = games_at(path);
            for path in &kept {
                match view_games(path, wanted, running) {
                    Ok(view) => {
                        damage.extend(view.damage().iter().map(|text| Damage {
                            path: path.clone(),
                            record: None,
                            message: text.clone(),
                        }));
                        games.push(view);
                    }
                    Err(error) => damage.push(Damage {
                        path: path.clone(),
                        record: None,
                        message: error.to_string(),
                    }),
                }
            }
            // Games alone, or beside records.
            let is_one = matches!(wanted, Wanted::Record(_));
            if !kept.is_empty() && (is_one || !holds_records(path)) {
                continue;
            }
            match inspect(path, wanted, running) {
                Ok(inspection) => {
                    damage.extend(inspection.damage.iter().cloned());
                    inspections.push(inspection);
                }
                Err(error) => damage.push(Damage::of(path, &error)),
            }
        }
        let errors: Vec<String> = damage.iter().map(|damage| damage.message.clone()).collect();
        let closing = Closing::words(move |mut out| {
            if json {
                let mut object = object(&inspections, wanted, &damage);
                if !games.is_empty() {
                    object["games"] = serde_json::to_value(&games).unwrap_or_default();
                }
                return writeln!(out, "{object:#}");
            }
            for (number, inspection) in inspections.iter().enumerate() {
                if number > 0 {
                    writeln!(out)?;
                }
                write_text(inspection, wanted, canvas, &mut out)?;
            }
            for (number, games) in games.iter().enumerate() {
                if number > 0 || !inspections.is_empty() {
                    writeln!(out)?;
                }
                games.write_text(out)?;
            }
            Ok(())
        });
        match errors.is_empty() {
            true => End::Finished(closing),
            false => End::Unsound { closing, errors },
        }
    })
}

fn holds_records(path: &Path) -> bool {
    path.is_dir() && Tree::find(path).is_ok()
}
