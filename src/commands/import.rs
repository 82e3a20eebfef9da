//! `rdg import`: games that others played become a dataset.

use super::runner::{Closing, End, Failure, Runner, games_report, text};
use crate::base::shown::Shown;
use crate::board::ScoreRule;
use crate::cli::{ImportArgs, ValuesArg};
use crate::config::SplitBy;
use crate::import::{self, Filter, ImportError, ImportOptions, ImportReport, Values};
use crate::progress::{Again, RunInfo, RunReport, Style};
use std::process::ExitCode;
use std::thread::available_parallelism;

/// Imports, shows it and sums it up.
pub(super) fn run(args: &ImportArgs) -> ExitCode {
    let options = options(args);
    let info = RunInfo {
        command: "import",
        output_dir: options.output_dir.clone(),
        workers: options.threads,
        ..RunInfo::default()
    };
    Runner::shown("import", &args.progress).run(
        |_| Ok((info, options)),
        |options, running| {
            let result = import::run(&options, &running.progress, &running.stop);
            let games = games_report(running, options.output_dir.clone());
            match result {
                Ok(report) => {
                    let samples = report.phases.iter().map(|stats| stats.emitted_samples);
                    let samples = Some(samples.sum());
                    let is_told = running.style != Style::Json;
                    End::Finished(Closing {
                        report: RunReport {
                            samples,
                            new_samples: samples,
                            games: report.tally.games,
                            ..games
                        },
                        words: is_told.then(|| text(closing(&options, &report))),
                    })
                }
                Err(ImportError::Interrupted) => {
                    let report = RunReport {
                        samples: Some(0),
                        new_samples: Some(0),
                        ..games
                    };
                    let closing = Closing {
                        report,
                        words: None,
                    };
                    End::Interrupted(closing, Again::from_the_start())
                }
                Err(error) => Failure::Failed(error.to_string()).into(),
            }
        },
    )
}

fn options(args: &ImportArgs) -> ImportOptions {
    ImportOptions {
        inputs: args.inputs.clone(),
        output_dir: args.output.clone(),
        force: args.force,
        format: args.format,
        phases: args.phases.clone(),
        split: args.split,
        split_by: match args.values {
            ValuesArg::OfGames => args.split_by,
            // Positions have no game.
            ValuesArg::AsGiven => SplitBy::Position,
        },
        max_per_game: args.max_per_game.map(Into::into),
        winner_only: args.winner_only,
        duplicates: args.duplicates,
        score_rule: args.score_rule.unwrap_or(ScoreRule::Plain),
        values: match args.values {
            ValuesArg::OfGames => Values::OfGames,
            ValuesArg::AsGiven => Values::AsGiven { round: args.round },
        },
        filter: Filter {
            players: args.player.iter().map(|name| name.to_lowercase()).collect(),
            years: args.year.clone(),
            min_rating: args.min_rating,
        },
        unfinished: args.unfinished,
        strict: args.strict,
        threads: args
            .threads
            .or_else(|| available_parallelism().ok())
            .map_or(1, Into::into),
        reported_bad_games: args.report.into(),
    }
}

/// What a person reads at the end.
fn closing(options: &ImportOptions, report: &ImportReport) -> String {
    let tally = &report.tally;
    let sum = |field: fn(&crate::dataset::stats::PhaseStats) -> u64| -> u64 {
        report.phases.iter().map(field).sum()
    };
    let recorded = sum(|stats| stats.emitted_samples);
    let mut lines = vec![format!(
        "games      {} read, {} used",
        tally.games, tally.used
    )];
    let mut note = |count: u64, text: &str| {
        if count > 0 {
            lines.push(format!("           {count} {text}"));
        }
    };
    note(tally.unfinished, "not played to the end, left out");
    note(
        tally.claimed,
        "not played to the end, taken with their claimed result",
    );
    note(
        tally.filtered,
        "left out by --player, --year and --min-rating",
    );
    note(
        tally.contradicted,
        "claim another result than their board shows, which counts",
    );
    note(tally.mirrored, "on the mirrored start, turned");
    for (reason, &count) in &tally.bad {
        note(count, &format!("bad: {}", reason.replace('_', " ")));
    }
    note(tally.skipped_files, "files without games passed over");
    lines.push(format!(
        "positions  {} taken, {recorded} recorded, {} duplicates",
        tally.positions,
        sum(|stats| stats.duplicate_positions)
    ));
    lines.push(format!(
        "split      train {}, valid {}, test {}",
        sum(|stats| stats.split.train),
        sum(|stats| stats.split.valid),
        sum(|stats| stats.split.test)
    ));
    lines.push(format!("output     {}", options.output_dir.shown()));
    lines.join("\n") + "\n"
}
