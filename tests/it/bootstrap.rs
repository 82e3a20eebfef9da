//! `rdg bootstrap`: rounds from nothing.

use crate::common::{Env, code, stderr, stdout};
use serde_json::Value;
use std::process::Stdio;
use std::time::{Duration, Instant};

const SMALL: &str =
    "bootstrap --rounds 2 --samples 60 --level 1 --match-games 20 --match-level 1 --seed 5";

fn rounds(env: &Env, more: &[&str]) -> std::process::Output {
    let words: Vec<&str> = SMALL.split(' ').chain(more.iter().copied()).collect();
    env.run(&words)
}

#[test]
fn rounds_are_kept_continued_and_the_same_again() {
    let env = Env::new();
    let run = rounds(&env, &["--output", "whole", "--workers", "2"]);
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    let text = stdout(&run);
    assert!(
        text.contains("rdg match whole/round_2/weights.bin:1 builtin:1"),
        "{text}"
    );
    for file in [
        "round_0/weights.txt",
        "round_1/config.toml",
        "round_1/app.toml",
        "round_1/data/phase_08/train.rd",
        "round_1/weights.bin",
        "round_2/weights.bin.json",
    ] {
        assert!(env.path("whole").join(file).is_file(), "{file}");
    }
    // Killed here and there, then continued, with other numbers of workers.
    for workers in ["1", "3", "2"] {
        let mut child = env
            .rdg()
            .args(SMALL.split(' '))
            .args(["--output", "cut", "--resume", "--workers", workers])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program can be started");
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_millis(400) && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = child.kill();
        let _ = child.wait();
    }
    let run = rounds(&env, &["--output", "cut", "--resume", "--json"]);
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    let found: Value = serde_json::from_str(&stdout(&run)).expect("JSON");
    assert_eq!(found["rounds"].as_array().map(Vec::len), Some(2));
    for round in ["round_1/weights.bin", "round_2/weights.bin"] {
        let of = |folder: &str| std::fs::read(env.path(folder).join(round)).unwrap();
        assert!(of("whole") == of("cut"), "{round}");
    }
    // One more round.
    let more = [
        "bootstrap",
        "--output",
        "cut",
        "--resume",
        "--rounds",
        "3",
        "--json",
    ];
    let run = env.run(&more);
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    let found: Value = serde_json::from_str(&stdout(&run)).expect("JSON");
    assert_eq!(found["rounds"].as_array().map(Vec::len), Some(3));
    assert_eq!(found["settings"]["level"], 1);
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let env = Env::new();
    env.write("bad.txt", "1 2 3\n");
    let args = ["--output", "out", "--rounds", "1", "--samples", "20"];
    let run = rounds_of(&env, &args);
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    for (args, part) in [
        (&["--output", "out"][..], "holds rounds already"),
        (
            &["--output", "out", "--resume", "--level", "2"],
            "another --level (1, not 2)",
        ),
        (
            &["--output", "new", "--match-games", "3"],
            "--match-games is 3",
        ),
        (&["--output", "new", "--level", "61"], "--level is 61"),
        (&["--output", "new", "--samples", "0"], "--samples is 0"),
        (
            &["--output", "new", "--start", "bad.txt"],
            "bad.txt holds 3 numbers",
        ),
        (
            &["--output", "new", "--start", "gone.bin"],
            "gone.bin cannot be read",
        ),
    ] {
        let run = env.run(&[&["bootstrap"], args].concat());
        assert_eq!(code(&run), 2, "{args:?}: {}", stderr(&run));
        assert!(stderr(&run).contains(part), "{args:?}: {}", stderr(&run));
        assert!(!env.path("new").exists(), "{args:?}");
    }
}

fn rounds_of(env: &Env, args: &[&str]) -> std::process::Output {
    let small = [
        "bootstrap",
        "--level",
        "1",
        "--match-games",
        "2",
        "--match-level",
        "1",
    ];
    env.run(&[&small, args].concat())
}
