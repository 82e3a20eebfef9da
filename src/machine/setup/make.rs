//! Runs a set-up target of make.

use super::SetupError;
use super::missing::Recipe;
use crate::base::stop::Stop;
use rustix::process::{Pid, Signal, kill_process_group};
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitStatus, Stdio};

/// Runs the recipe's target. Its output goes to stderr, or nowhere when `quiet`. Whoever calls has
/// signals raise `stop`: the terminal's Ctrl+C does not reach make by itself.
pub(super) fn run(recipe: &Recipe, quiet: bool, stop: &Stop) -> Result<(), SetupError> {
    let failed = |reason: String| SetupError::MakeFailed {
        target: recipe.target,
        reason: reason.into(),
    };
    let mut command = Command::new("make");
    command
        .arg("-C")
        .arg(&recipe.folder)
        .arg("--no-print-directory")
        .arg(recipe.target)
        .stdin(Stdio::null())
        .stderr(if quiet {
            Stdio::piped()
        } else {
            Stdio::inherit()
        })
        // stdout is for results; make tells what it does.
        .stdout(match quiet {
            true => Stdio::null(),
            false => Stdio::from(std::io::stderr()),
        })
        // Of its own, so that a stop reaches everything that make has started.
        .process_group(0);
    let mut child = command
        .spawn()
        .map_err(|error| failed(format!("make cannot be started ({error})")))?;
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let guard = stop.on_request(move || {
        if let Some(group) = group {
            // It is gone already when this fails.
            let _ = kill_process_group(group, Signal::TERM);
        }
    });
    let mut said = String::new();
    if let Some(mut stderr) = child.stderr.take() {
        let mut bytes = Vec::new();
        // What cannot be read is not told; the exit status still is.
        let _ = stderr.read_to_end(&mut bytes);
        said = String::from_utf8_lossy(&bytes).into_owned();
    }
    let status = child.wait();
    drop(guard);
    if stop.is_requested() {
        return Err(SetupError::Stopped);
    }
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(failed(reason(&said, status))),
        Err(error) => Err(failed(error.to_string())),
    }
}

/// The script's own last words, where they were kept; make's `*** Error 1` says nothing.
fn reason(said: &str, status: ExitStatus) -> String {
    said.lines()
        .rev()
        .map(str::trim)
        .find(|line| !line.is_empty() && !line.starts_with("make"))
        .map_or_else(|| format!("see above ({status})"), str::to_owned)
}
