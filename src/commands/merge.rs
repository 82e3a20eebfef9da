//! `rdg merge`: shards, or datasets, become one dataset.

use super::runner::{Closing, End, Failure, Runner, text};
use crate::base::shown::Shown;
use crate::base::text::count;
use crate::cli::MergeArgs;
use crate::generate::GenerateError;
use crate::generate::shard::{MergeRequest, Merged, merge_shards};
use crate::merge::{self, MergeError, merge_datasets};
use crate::progress::{Again, Event, RunInfo, Style};
use std::process::ExitCode;

/// Merges, and says what is there and what lacks.
pub(super) fn run(args: &MergeArgs) -> ExitCode {
    let datasets = args
        .inputs
        .iter()
        .filter(|path| merge::is_dataset(path))
        .count();
    match datasets {
        0 => shards(args),
        n if n == args.inputs.len() => whole_datasets(args),
        _ => Runner::shown("merge", &args.progress).run_at_once(|_| {
            let message = "some of these folders are shards and some are not; merge the shards \
                           first, then the datasets";
            Failure::Failed(message.to_owned()).into()
        }),
    }
}

fn shards(args: &MergeArgs) -> ExitCode {
    let info = RunInfo {
        command: "merge",
        output_dir: args.output.clone(),
        workers: rayon::current_num_threads(),
        ..RunInfo::default()
    };
    let request = MergeRequest {
        shards: args.inputs.clone(),
        output: args.output.clone(),
        accept_failed: args.accept_failed,
        lock: !args.no_lock,
    };
    Runner::shown("merge", &args.progress).run(
        |_| Ok((info, request)),
        |request, running| {
            let (report, end) = merge_shards(&request, &running.progress, &running.stop);
            let is_told = running.style != Style::Json;
            let mut closing = Closing {
                report,
                words: None,
            };
            match end {
                Ok(merged) => {
                    closing.words = is_told.then(|| text(told(&merged)));
                    End::Finished(closing)
                }
                // The same command goes on with what is there.
                Err(GenerateError::Interrupted) => {
                    End::Interrupted(closing, Again::from_the_start())
                }
                Err(error) => Failure::Failed(error.to_string()).into(),
            }
        },
    )
}

/// What is there of each phase, and what is still to be done.
fn told(merged: &Merged) -> String {
    let mut text = String::new();
    for phase in &merged.phases {
        let lack = match phase.until {
            None => String::new(),
            Some(until) => format!(
                ", {} are missing: the shards should reach game {until}",
                count(phase.target - phase.samples.min(phase.target))
            ),
        };
        text += &format!(
            "phase {:02}: {} of {} samples from {} games{lack}\n",
            phase.phase,
            count(phase.samples),
            count(phase.target),
            count(phase.games)
        );
    }
    let mut until: Vec<(u8, u64)> = Vec::new();
    for phase in &merged.phases {
        let Some(game) = phase.until else { continue };
        match until.last_mut() {
            Some((anchor, last)) if *anchor == phase.anchor => *last = (*last).max(game),
            _ => until.push((phase.anchor, game)),
        }
    }
    if until.is_empty() {
        return text;
    }
    let games: Vec<String> = until
        .iter()
        .map(|(anchor, game)| format!("{anchor}:{game}"))
        .collect();
    text += &format!(
        "run every shard again with --until-game {} and merge again into the same folder; or finish \
         here: set output_dir in a copy of {} to this folder and run rdg --resume with it\n",
        games.join(","),
        merged.config.shown()
    );
    text
}

fn whole_datasets(args: &MergeArgs) -> ExitCode {
    let options = merge::Options {
        inputs: args.inputs.clone(),
        output: args.output.clone(),
        lock: !args.no_lock,
    };
    Runner::quiet("merge", &args.progress).run_at_once(|running| {
        let merged = match merge_datasets(&options, running, &running.stop) {
            Ok(merged) => merged,
            Err(MergeError::Interrupted) => {
                return End::Interrupted(Closing::default(), Again::from_the_start());
            }
            Err(error) => return Failure::Failed(error.to_string()).into(),
        };
        for warning in &merged.warnings {
            match running.style {
                Style::Silent => eprintln!("warning: {}", warning.shown()),
                _ => running.progress.emit(Event::Warning(warning.clone())),
            }
        }
        let mut words = String::new();
        for (phase, found) in &merged.phases {
            let [train, valid, test] = found.records.map(count);
            words += &format!(
                "phase {phase:02}: train {train}, valid {valid}, test {test}; {} of {} records were \
                 there already, {} of them in another split\n",
                count(found.duplicates),
                count(found.read),
                count(found.between_splits)
            );
        }
        words += "this dataset cannot be resumed: it has no games in common to go on with\n";
        End::Finished(Closing::text(words))
    })
}
