//! What every long command does alike: a log that cannot be opened, a signal, success, failure;
//! each with its exit code and its last JSON event.

use crate::common::by_hand::{after_f5, file, over};
use crate::common::{Env, code};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::process::{Output, Stdio};

/// A command in four situations.
struct Case {
    name: &'static str,
    /// Succeeds within a moment.
    good: &'static [&'static str],
    /// Fails, and not because of what was typed.
    bad: &'static [&'static str],
    /// Would take very long.
    long: &'static [&'static str],
}

const CASES: [Case; 12] = [
    Case {
        name: "generate",
        good: &["--config", "good.toml", "--app-config", "app.toml"],
        bad: &["--config", "bad.toml", "--app-config", "gone.toml"],
        long: &["--config", "long.toml", "--app-config", "app.toml"],
    },
    Case {
        name: "import",
        good: &["import", "games.txt", "--output", "imported"],
        bad: &["import", "missing.txt", "--output", "imported-bad"],
        long: &["import", "many.txt", "--output", "imported-long"],
    },
    Case {
        name: "learn",
        good: &[
            "learn",
            "--output",
            "learned",
            "--epochs",
            "1",
            "--games",
            "2",
            "--depth",
            "1",
            "--check-games",
            "0",
        ],
        bad: &[
            "learn", "--output", "taken", "--epochs", "1", "--games", "2",
        ],
        long: &["learn", "--output", "learned-long", "--epochs", "100000"],
    },
    Case {
        name: "label",
        good: &[
            "label",
            "phase_09/train.rd",
            "--exact",
            "--score-rule",
            "plain",
            "--output",
            "labelled",
        ],
        bad: &["label", "missing.rd", "--exact", "--output", "labelled-bad"],
        long: &[
            "label",
            "phase_01/train.rd",
            "--exact",
            "--score-rule",
            "plain",
            "--output",
            "labelled-long",
        ],
    },
    Case {
        name: "fit",
        good: &["fit", "few.rd", "--output", "fitted.bin", "--force"],
        bad: &["fit", "missing.rd", "--output", "fitted-bad.bin"],
        long: &["fit", "vast.rd", "--output", "fitted-long.bin"],
    },
    Case {
        name: "bootstrap",
        good: &[
            "bootstrap",
            "--output",
            "rounds",
            "--force",
            "--rounds",
            "1",
            "--samples",
            "20",
            "--level",
            "1",
            "--match-games",
            "2",
            "--match-level",
            "1",
        ],
        bad: &["bootstrap", "--output", "taken"],
        long: &["bootstrap", "--output", "rounds-long", "--samples", "60000"],
    },
    Case {
        name: "match",
        good: &["match", "builtin:1", "builtin:2", "--games", "2"],
        bad: &[
            "match",
            "gone:1",
            "builtin:1",
            "--games",
            "2",
            "--app-config",
            "gone.toml",
        ],
        long: &["match", "builtin:2", "builtin:2", "--games", "1000000"],
    },
    Case {
        name: "verify",
        good: &["verify", "empty.rd"],
        bad: &["verify", "missing.rd"],
        long: &["verify", "vast.rd"],
    },
    Case {
        name: "overlap",
        good: &["overlap", "empty.rd", "empty.rd"],
        bad: &["overlap", "missing.rd", "empty.rd"],
        long: &["overlap", "vast.rd", "vast.rd"],
    },
    Case {
        name: "inspect",
        good: &["inspect", "empty.rd"],
        bad: &["inspect", "missing.rd"],
        long: &["inspect", "vast.rd"],
    },
    Case {
        name: "report",
        good: &["report", "empty.rd", "--output", "report.html"],
        bad: &["report", "missing.rd", "--output", "report-bad.html"],
        long: &["report", "vast.rd", "--output", "report-long.html"],
    },
    Case {
        name: "bench",
        good: &["bench", "--ffo", "1"],
        // Standard output is a full disk; see `run`.
        bad: &["bench", "--ffo", "1", "--json"],
        long: &["bench"],
    },
];

fn env() -> Env {
    let env = Env::new();
    let config = |output: &str, samples: u64| {
        format!(
            "mode = \"normal\"\noutput_dir = \"{output}\"\nphases = \"55\"\n\
             samples_per_phase = {samples}\nseed = 7\n[self_play]\nworkers = 1\n\
             [self_play.ai]\nname = \"builtin\"\nlevel = 1\n"
        )
    };
    env.write("good.toml", config("good", 3));
    let bad = config("bad", 3).replace("\"builtin\"", "\"gone\"");
    env.write("bad.toml", bad);
    env.write("long.toml", config("long", 100_000_000));
    env.write(
        "app.toml",
        "setup = \"off\"\n[engines.builtin]\nkind = \"builtin\"\n",
    );
    env.write(
        "gone.toml",
        "setup = \"off\"\n[engines.gone]\nkind = \"nboard\"\nbinary = \"/bin/false\"\n",
    );
    env.write("taken", "a file, not a folder");
    env.write("games.txt", "e6f4e3f6g5d6e7f5c5\n");
    env.write("empty.rd", "RDGBBVAL1\n");
    env.write("phase_09/train.rd", file(&[over(3)]));
    env.write("phase_01/train.rd", file(&[after_f5(3)]));
    // The start position, three times.
    let start = [
        &0x0000_0008_1000_0000u64.to_le_bytes()[..],
        &0x0000_0010_0800_0000u64.to_le_bytes(),
        &[0, 0],
    ];
    let mut few = b"RDGBBVAL1\n".to_vec();
    few.extend(start.concat().repeat(3));
    env.write("few.rd", few);
    let vast = env.write("vast.rd", "RDGBBVAL1\n");
    // Holes: no disk space, but a minute and more of reading.
    let file = std::fs::File::options().write(true).open(vast).unwrap();
    file.set_len(10 + 18 * 4_000_000_000).unwrap();
    env
}

/// The last event of the run, and the code of its end.
fn ended(output: &Output) -> (i32, String) {
    let text = String::from_utf8_lossy(&output.stderr);
    let last = text.lines().last().unwrap_or_default();
    let event: Value = serde_json::from_str(last)
        .unwrap_or_else(|error| panic!("{error}: the last line is no event in {text}"));
    let name = event["event"].as_str().unwrap_or_default();
    (code(output), name.to_owned())
}

fn run(env: &Env, words: &[&str], more: &[&str]) -> Output {
    let mut command = env.rdg();
    command.args(words).arg("--json-progress").args(more);
    if words.contains(&"--json") {
        let full = std::fs::File::options().write(true).open("/dev/full");
        command.stdout(full.unwrap());
    }
    command.output().expect("the program can be started")
}

#[test]
fn a_log_that_cannot_be_opened_is_a_usage_error() {
    let env = env();
    for case in CASES {
        let output = run(&env, case.good, &["--log-file", "taken/rdg.log"]);
        assert_eq!(ended(&output), (2, "fatal".to_owned()), "{}", case.name);
    }
    assert!(!env.path("good").exists() && !env.path("imported").exists());
}

#[test]
fn success_ends_with_finished() {
    let env = env();
    for case in CASES {
        let output = run(&env, case.good, &["--log-file", "logs/rdg.log"]);
        assert_eq!(ended(&output), (0, "finished".to_owned()), "{}", case.name);
        let log = std::fs::read_to_string(env.path("logs/rdg.log")).unwrap();
        assert!(log.contains("run finished"), "{}: {log}", case.name);
        std::fs::remove_file(env.path("logs/rdg.log")).unwrap();
    }
}

#[test]
fn failure_ends_with_fatal() {
    let env = env();
    for case in CASES {
        let output = run(&env, case.bad, &[]);
        let (code, event) = ended_or_unwritable(&output);
        assert_eq!((code, event.as_str()), (1, "fatal"), "{}", case.name);
    }
}

/// A result that cannot be written is told behind the last event.
fn ended_or_unwritable(output: &Output) -> (i32, String) {
    let text = String::from_utf8_lossy(&output.stderr);
    match text.contains("cannot write to standard output") {
        true => (code(output), "fatal".to_owned()),
        false => ended(output),
    }
}

#[test]
fn a_signal_ends_with_interrupted() {
    let env = env();
    env.write("many.txt", "e6f4e3f6g5d6e7f5c5\n".repeat(2_000_000));
    for (signal, expected) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        for case in CASES {
            let mut child = env
                .rdg()
                .args(case.long)
                .args(["--json-progress", "--progress-interval", "10ms"])
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .expect("the program can be started");
            let mut lines = BufReader::new(child.stderr.take().expect("it is piped"));
            let mut text = String::new();
            while !text.contains("\"event\":\"progress\"") {
                let count = lines.read_line(&mut text).expect("it is UTF-8");
                assert!(count > 0, "{} ended before it began: {text}", case.name);
            }
            let id = i32::try_from(child.id()).expect("process ids are small");
            kill_process(Pid::from_raw(id).expect("not 0"), signal).expect("it is there");
            lines.read_to_string(&mut text).expect("it is UTF-8");
            let status = child.wait().expect("it ends");
            assert_eq!(status.code(), Some(expected), "{}: {text}", case.name);
            let last = text.lines().last().unwrap_or_default();
            let event: Value = serde_json::from_str(last).expect("an event is JSON");
            assert_eq!(event["event"], "interrupted", "{}: {text}", case.name);
            let again = event["resume_command"].as_str().unwrap_or_default();
            let resumes = ["generate", "label", "learn", "bootstrap"].contains(&case.name);
            assert_eq!(event["continues"], resumes, "{}", case.name);
            assert_eq!(again.ends_with("--resume"), resumes, "{again}");
        }
        // What was interrupted has left state behind; the next round begins anew.
        for folder in ["long", "labelled-long", "learned-long", "rounds-long"] {
            let _ = std::fs::remove_dir_all(env.path(folder));
        }
    }
}

#[test]
fn a_registry_that_is_named_and_wrong_is_refused_whoever_plays() {
    let env = env();
    env.write("wrong.toml", "engines = 7\n");
    for words in [
        &["match", "builtin:1", "builtin:1", "--games", "2"][..],
        &["analyze"],
        &["doctor", "builtin"],
        &["play", "--black", "builtin", "--white", "builtin"],
    ] {
        for file in ["wrong.toml", "nowhere.toml"] {
            let mut all = words.to_vec();
            all.extend(["--app-config", file]);
            let output = env.run(&all);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(code(&output), 2, "{all:?}: {said}");
            assert!(said.contains(file), "{all:?}: {said}");
        }
    }
}

#[test]
fn a_match_ends_without_figures_that_it_does_not_have() {
    let env = env();
    let output = env.run(&[
        "match",
        "builtin:1",
        "builtin:1",
        "--games",
        "2",
        "--no-progress",
    ]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let last = said.lines().last().unwrap_or_default().to_owned();
    assert!(last.contains("finished games=2"), "{said}");
    assert!(
        !said.contains("samples=") && !said.contains("output="),
        "{said}"
    );
}

#[test]
fn a_fifo_as_a_file_of_records_is_refused() {
    let env = env();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        env.path("fifo.rd"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_raw_mode(0o600),
        0,
    )
    .expect("a FIFO can be made");
    for words in [
        &["analyze", "--file", "fifo.rd"][..],
        &["verify", "fifo.rd"],
        &["inspect", "fifo.rd"],
        &["overlap", "fifo.rd"],
    ] {
        let output = env.run(words);
        assert_ne!(code(&output), 0, "{words:?}");
        let all = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&all).into_owned();
        assert!(said.contains("fifo.rd"), "{words:?}: {said}");
    }
}
