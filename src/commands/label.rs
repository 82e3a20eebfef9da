//! `rdg label`: new values for old positions, or how far the old ones are from them.

use super::engines::{EngineName, Registry};
use super::runner::{Closing, End, Failure, Runner, Running, text};
use crate::base::shown::Shown;
use crate::cli::LabelArgs;
use crate::label::{
    CompareRequest, Empties, LabelError, LabelRequest, LabelState, Method, compare, label,
};
use crate::progress::{Again, RunInfo, RunReport, Style};
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread::available_parallelism;

/// Labels or compares.
pub(super) fn run(args: &LabelArgs) -> ExitCode {
    let shown = match args.compare {
        true => Runner::quiet("label", &args.progress),
        false => Runner::shown("label", &args.progress),
    };
    let method = match method(args) {
        Ok(method) => method,
        Err(message) => return shown.refuse(&message),
    };
    let threads = args
        .threads
        .or_else(|| available_parallelism().ok())
        .map_or(1, Into::into);
    let empties: Empties = args.empties.clone().unwrap_or(0..=60);
    let info = RunInfo {
        command: "label",
        output_dir: args.output.clone().unwrap_or_default(),
        workers: threads,
        engine: match &method {
            Method::Exact => "solver".to_owned(),
            Method::Engine(spec) => spec.title(),
        },
        ..RunInfo::default()
    };
    match &args.output {
        Some(output) => {
            let request = LabelRequest {
                input: args.input.clone(),
                output: output.clone(),
                resume: args.resume,
                method,
                empties,
                keep_others: args.keep_others,
                threads,
                rule: args.score_rule,
                lock: !args.no_lock,
            };
            shown.run(
                |_| Ok((info, request)),
                |request, running| written(&request, args.json, running),
            )
        }
        None => {
            let request = CompareRequest {
                input: args.input.clone(),
                method,
                empties,
                sample: args.sample.map(|count| (count, args.seed)),
                threads,
                rule: args.score_rule,
            };
            shown.run(
                |_| Ok((info, request)),
                |request, running| compared(&request, args.json, running),
            )
        }
    }
}

fn method(args: &LabelArgs) -> Result<Method, String> {
    let Some(word) = &args.engine else {
        return Ok(Method::Exact);
    };
    let mut registry = Registry::new(args.app_config.as_deref())?;
    let name = EngineName::parse(word).ok_or_else(|| {
        format!(
            "`{word}` is not an engine; write its name in {}, with a level after a colon if wanted",
            registry.path().shown()
        )
    })?;
    let mut spec = registry.engine(&name, None, None)?;
    // Many searches at once instead of many threads of one.
    spec.threads = 1;
    Ok(Method::Engine(Box::new(spec)))
}

fn written(request: &LabelRequest, json: bool, running: &Running) -> End {
    let result = label(request, &running.progress, &running.stop);
    let report = report(running, request.output.clone());
    match result {
        Ok(state) => {
            let words = match json {
                true => Some(text(format!("{:#}\n", state.json()))),
                false if running.style == Style::Json => None,
                false => Some(text(told(&state))),
            };
            End::Finished(Closing { report, words })
        }
        Err(LabelError::Interrupted) => End::Interrupted(
            Closing {
                report,
                words: None,
            },
            Again::resuming(),
        ),
        Err(error) => failure(&error),
    }
}

/// Records of this run that are on disk.
fn report(running: &Running, output_dir: PathBuf) -> RunReport {
    let now = running.progress.snapshot();
    let done: u64 = now.phases.iter().map(|phase| phase.done).sum();
    let before: u64 = now.phases.iter().map(|phase| phase.resumed).sum();
    RunReport {
        samples: Some(done),
        new_samples: Some(done - before),
        elapsed: running.elapsed(),
        output_dir,
        ..RunReport::default()
    }
}

fn told(state: &LabelState) -> String {
    let mut out = Vec::new();
    // Writing to memory cannot fail.
    let _ = state.write_text(&mut out);
    String::from_utf8_lossy(&out).into_owned()
}

fn compared(request: &CompareRequest, json: bool, running: &Running) -> End {
    match compare(request, &running.progress, &running.stop) {
        Ok(comparison) => End::Finished(Closing::words(move |mut out| match json {
            true => writeln!(out, "{:#}", comparison.json()),
            false => comparison.write_text(&mut out),
        })),
        Err(LabelError::Interrupted) => {
            End::Interrupted(Closing::default(), Again::from_the_start())
        }
        Err(error) => failure(&error),
    }
}

fn failure(error: &LabelError) -> End {
    let message = error.to_string().shown().to_string();
    match error.is_usage() {
        true => Failure::Usage(message).into(),
        false => Failure::Failed(message).into(),
    }
}
