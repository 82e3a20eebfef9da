//! `rdg fit`: pattern weights from datasets.

use super::runner::{Closing, End, Failure, Runner, text};
use crate::base::shown::Shown;
use crate::base::stop::Stop;
use crate::cli::FitArgs;
use crate::engine::builtin::patterns::{Shape, parse_shapes, standard};
use crate::fit::{Existing, FitError, FitOptions, FitReport, Fitted, prepare, run as fit};
use crate::progress::{Again, Event, Progress, RunInfo, RunReport};
use std::path::Path;
use std::process::ExitCode;
use std::thread::available_parallelism;

/// A file of patterns is a short text.
const MAX_PATTERNS_BYTES: u64 = 1 << 20;

/// Fits and says how good the weights are.
pub(super) fn run(args: &FitArgs) -> ExitCode {
    let prepare = |_: &Stop| {
        let options = options(args).map_err(failure)?;
        let info = RunInfo {
            command: "fit",
            output_dir: args.output.clone(),
            workers: options.threads,
            ..RunInfo::default()
        };
        Ok((info, prepare(options).map_err(failure)?))
    };
    Runner::shown("fit", &args.progress).run(prepare, |prepared, running| {
        let progress = &running.progress;
        for warning in prepared.warnings() {
            warn(progress, warning);
        }
        if args.resume && prepared.epochs_done() == 0 {
            tracing::info!("nothing to continue: the fit begins at the first epoch");
        }
        let known = prepared.warnings().len();
        let result = fit(prepared, progress, &running.stop);
        let closing = |words: Option<String>| Closing {
            report: RunReport {
                elapsed: running.elapsed(),
                output_dir: args.output.clone(),
                ..RunReport::default()
            },
            words: words.map(text),
        };
        match result {
            Ok(Fitted::Finished(report)) => {
                report
                    .warnings
                    .iter()
                    .skip(known)
                    .for_each(|warning| warn(progress, warning));
                End::Finished(closing(Some(words(args, &report))))
            }
            Ok(Fitted::Already) => {
                let words = format!("{} is finished\n", args.output.shown());
                End::Finished(closing((!args.json).then_some(words)))
            }
            Ok(Fitted::Interrupted { epoch, epochs }) => {
                let kept = match epoch {
                    0 => "no epoch was done, there are no weights yet".to_owned(),
                    _ => format!(
                        "{epoch} of {epochs} epochs are done; the best weights so far are in {}",
                        args.output.shown()
                    ),
                };
                warn(progress, &kept);
                let again = match epoch {
                    0 => Again::from_the_start(),
                    _ => Again::resuming(),
                };
                End::Interrupted(closing(None), again)
            }
            Err(error) => failure(error).into(),
        }
    })
}

fn failure(error: FitError) -> Failure {
    let message = error.to_string().shown().to_string();
    match error.is_usage() {
        true => Failure::Usage(message),
        false => Failure::Failed(message),
    }
}

fn warn(progress: &Progress, warning: &str) {
    progress.emit(Event::Warning(warning.shown().to_string()));
}

fn words(args: &FitArgs, report: &FitReport) -> String {
    match args.json {
        true => serde_json::to_string_pretty(report).map_or_else(|e| e.to_string(), |j| j + "\n"),
        false => report.to_text(),
    }
}

fn options(args: &FitArgs) -> Result<FitOptions, FitError> {
    Ok(FitOptions {
        inputs: args.inputs.clone(),
        output: args.output.clone(),
        existing: match (args.resume, args.force) {
            (true, _) => Existing::Continue,
            (_, true) => Existing::Replace,
            _ => Existing::Refuse,
        },
        epochs: args.epochs,
        rate: args.rate,
        l2: args.l2,
        stages: args.stages,
        shapes: match &args.patterns {
            Some(path) => read_patterns(path)?,
            None => standard(),
        },
        start: args.start.clone(),
        threads: args
            .threads
            .or_else(|| available_parallelism().ok())
            .map_or(1, Into::into),
    })
}

fn read_patterns(path: &Path) -> Result<Vec<Shape>, FitError> {
    let bad = |reason: String| FitError::Patterns {
        path: path.to_owned(),
        reason: reason.into(),
    };
    let found = std::fs::metadata(path).map_err(|e| bad(format!("cannot be read: {e}")))?;
    if !found.is_file() || found.len() > MAX_PATTERNS_BYTES {
        return Err(bad("is not a short text of squares".to_owned()));
    }
    let text = std::fs::read_to_string(path).map_err(|e| bad(format!("cannot be read: {e}")))?;
    parse_shapes(&text).map_err(bad)
}
