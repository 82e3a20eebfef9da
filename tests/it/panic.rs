//! A bug in rdg, in a thread of a run that is being shown.

use rdg::progress::{Display, DisplayOptions, RunInfo, Style};
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Set for the process in which the fault is made.
const INSIDE: &str = "RDG_TEST_PANIC_INSIDE";

/// The test runs itself once more, to see all that such a process writes to stderr.
#[test]
fn a_fault_is_an_event_among_the_others() {
    if std::env::var_os(INSIDE).is_some() {
        fault();
        return;
    }
    let mut child = Command::new(std::env::current_exe().expect("a test has a program"))
        .args([
            "--exact",
            "panic::a_fault_is_an_event_among_the_others",
            "--nocapture",
        ])
        .env(INSIDE, "1")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it can be run again");
    let mut text = String::new();
    let mut pipe = child.stderr.take().expect("it is piped");
    pipe.read_to_string(&mut text).expect("it is UTF-8");
    assert!(child.wait().expect("it ends").success(), "{text}");
    let events: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
        .collect();
    let warning = events.iter().find(|event| event["event"] == "warning");
    let message = warning.expect("the fault is told")["message"].to_string();
    for part in ["worker-7", "panic.rs", "the sky fell"] {
        assert!(message.contains(part), "{part:?} is missing in {message}");
    }
}

fn fault() {
    let options = DisplayOptions {
        style: Style::Json,
        color: false,
        emoji: false,
        interval: Duration::from_millis(1),
        later_interval: Duration::from_millis(1),
    };
    let info = RunInfo {
        command: "generate",
        mode: "normal",
        output_dir: "out".into(),
        seed: None,
        workers: 1,
        engine: String::new(),
        prices: Vec::new(),
    };
    let display = Display::start(&options, info);
    let worker = std::thread::Builder::new()
        .name("worker-7".to_owned())
        .spawn(|| panic!("the sky {}", "fell"))
        .expect("a thread can be had");
    assert!(worker.join().is_err());
    display.finish();
}
