//! Signals and the exit codes they lead to.

#![cfg(unix)]

use crate::common::{Env, code};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};

const OPTIONS: [&str; 7] = [
    "--config",
    "config.toml",
    "--app-config",
    "app.toml",
    "--json-progress",
    "--progress-interval",
    "10ms",
];

/// A run with days of work before it.
fn configs(env: &Env, engine: &str) {
    env.write(
        "config.toml",
        "mode = \"normal\"\noutput_dir = \"out\"\nphases = \"20\"\nsamples_per_phase = 100000\n\
         seed = 7\n[self_play]\nworkers = 1\n[self_play.ai]\nname = \"player\"\nlevel = 3\n",
    );
    env.write(
        "app.toml",
        format!("setup = \"off\"\n[engines.player]\n{engine}\n"),
    );
}

/// Starts the command and waits until its first games are there.
fn begin(mut command: Command) -> (Child, BufReader<ChildStderr>) {
    let mut child = command
        .stderr(Stdio::piped())
        .spawn()
        .expect("it can be started");
    let mut lines = BufReader::new(child.stderr.take().expect("it is piped"));
    let mut line = String::new();
    while !line.contains("\"progress\"") || line.contains("\"games\":0,") {
        line.clear();
        let count = lines.read_line(&mut line).expect("it is UTF-8");
        assert!(count > 0, "the run ended before it began");
    }
    (child, lines)
}

fn send(child: &Child, signal: Signal) {
    let id = i32::try_from(child.id()).expect("process ids are small");
    let id = Pid::from_raw(id).expect("a process id is not 0");
    kill_process(id, signal).expect("the process is there");
}

/// Waits for the end, and gives the last line with it.
fn end(mut child: Child, mut lines: BufReader<ChildStderr>) -> (ExitStatus, String) {
    let mut text = String::new();
    lines.read_to_string(&mut text).expect("it is UTF-8");
    let status = child.wait().expect("it ends");
    let last = text.lines().last().unwrap_or_default().to_owned();
    (status, last)
}

/// Whether the tests were started so that this signal is ignored, as `nohup` does: then it is
/// ignored by every child as well.
fn is_ignored_here(signal: Signal) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask & (1 << (signal.as_raw() - 1)) != 0)
}

#[test]
fn the_first_signal_stops_in_order() {
    for (signal, exit_code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        if is_ignored_here(signal) {
            continue;
        }
        let env = Env::new();
        configs(&env, "kind = \"builtin\"");
        let mut command = env.rdg();
        command.args(OPTIONS);
        let (child, lines) = begin(command);
        send(&child, signal);
        let (status, last) = end(child, lines);
        assert_eq!(status.code(), Some(exit_code), "{last}");
        let event: serde_json::Value = serde_json::from_str(&last).expect("it is JSON");
        assert_eq!(event["event"], "interrupted");
        let resume = event["resume_command"].as_str().expect("it is a text");
        assert!(resume.ends_with(" --resume"), "{resume}");
        assert!(env.path("out/phase_20/run_state.json").exists());
    }
}

#[test]
fn what_nohup_ignores_stays_ignored() {
    let env = Env::new();
    configs(&env, "kind = \"builtin\"");
    let program = env.rdg().get_program().to_owned();
    let mut command = Command::new("nohup");
    command
        .arg(program)
        .args(OPTIONS)
        .current_dir(env.path(""))
        .stdin(Stdio::null());
    command.stdout(Stdio::null());
    let (child, mut lines) = begin(command);
    send(&child, Signal::HUP);
    let mut line = String::new();
    for _ in 0..20 {
        line.clear();
        lines.read_line(&mut line).expect("it is UTF-8");
        assert!(line.contains("\"progress\""), "the run goes on: {line}");
    }
    send(&child, Signal::TERM);
    let (status, _) = end(child, lines);
    assert_eq!(status.code(), Some(143));
}

#[test]
fn the_second_signal_ends_at_once() {
    let env = Env::new();
    configs(&env, "kind = \"builtin\"");
    let mut command = env.rdg();
    command.args(OPTIONS);
    let (child, lines) = begin(command);
    // Stopped, so that both are waiting when it goes on: the first one's work has no time.
    send(&child, Signal::STOP);
    send(&child, Signal::INT);
    send(&child, Signal::TERM);
    send(&child, Signal::CONT);
    let (status, _) = end(child, lines);
    let code = status.code();
    assert!(
        matches!(code, Some(130 | 143)),
        "{code:?} {:?}",
        status.signal()
    );
    // What is there can be continued.
    let output = env.run(&[&OPTIONS[..4], &["--dry-run", "--resume"]].concat());
    assert_eq!(self::code(&output), 0);
}
