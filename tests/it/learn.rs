//! `rdg learn` as a user meets it: files, continuation, faults.

use crate::common::{Env, code, stderr, stdout};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

/// Every file of the folder with its content.
fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| {
            let path = entry.expect("it can be read").path();
            let name = path.file_name().expect("it has a name");
            let bytes = std::fs::read(&path).expect("it can be read");
            (name.to_string_lossy().into_owned(), bytes)
        })
        .collect()
}

const COURSE: &str = "learn --epochs 60 --games 10 --depth 2 --save-every 5 --check-every 20 \
                      --check-games 40 --seed 11";

fn course<'a>(more: &[&'a str]) -> Vec<&'a str> {
    COURSE
        .split_whitespace()
        .chain(more.iter().copied())
        .collect()
}

fn start(env: &Env, args: &[&str]) -> Child {
    env.rdg()
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program can be started")
}

#[test]
fn a_quick_run_leaves_the_documented_files() {
    let env = Env::new();
    let run = env.run(&["learn", "--quick", "--seed", "5", "--output", "out"]);
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    let names: Vec<String> = content(&env.path("out")).into_keys().collect();
    assert_eq!(
        names,
        [
            "learn.json",
            "learn_state.json",
            "weight_d_final.txt",
            "weight_final.txt",
            "weight_initial.txt"
        ]
    );
    let table = std::fs::read_to_string(env.path("out/weight_final.txt")).unwrap();
    assert_eq!(table.lines().count(), 8);
    let rows = table.lines().map(|line| line.split_whitespace().count());
    assert!(rows.eq([8; 8]));
    let report: Value =
        serde_json::from_slice(&std::fs::read(env.path("out/learn.json")).unwrap()).unwrap();
    assert_eq!(report["schema"], "rdg_learn_v1");
    assert_eq!(report["settings"]["seed"], 5);
    assert_eq!(report["epochs"].as_array().unwrap().len(), 5);
    assert_eq!(report["final_check"]["games"], 100);
    let summary = stdout(&run);
    let next = "rdg play --weights out/weight_final.txt";
    for part in ["Learning curve", "100 games at depth 3", next] {
        assert!(summary.contains(part), "{summary}");
    }
    // What it advises works.
    let words: Vec<&str> = next.split(' ').skip(1).collect();
    let played = env.run(&words);
    assert_eq!(code(&played), 0, "{}", stderr(&played));
    assert!(
        stdout(&played).contains("White (O): builtin"),
        "{}",
        stdout(&played)
    );
}

/// The recommended course, in full: what it learns from nothing beats both nothing and a table of
/// the kind that beginners' books give, with 95 % confidence over 400 games at depth 3.
#[test]
fn the_recommended_course_beats_its_start_and_a_corner_table() {
    let env = Env::new();
    let quick = ["learn", "--quick", "--initial", "corners", "--output", "c"];
    assert_eq!(code(&env.run(&quick)), 0);
    let learned = env.run(&["learn", "--output", "out", "--seed", "1"]);
    assert_eq!(code(&learned), 0, "{}", stderr(&learned));
    let report: Value =
        serde_json::from_slice(&std::fs::read(env.path("out/learn.json")).unwrap()).unwrap();
    assert_eq!(report["epochs"].as_array().unwrap().len(), 500);
    for start in ["out/weight_initial.txt", "c/weight_initial.txt"] {
        let args = ["match", "out/weight_final.txt", start, "--json"];
        let run = env.run(&args);
        assert_eq!(code(&run), 0, "{}", stderr(&run));
        let found: Value = serde_json::from_slice(&run.stdout).unwrap();
        let result = &found["result"];
        assert_eq!(result["games"], 400);
        let low = |interval: &str| result[interval]["low"].as_f64().unwrap();
        assert!(low("score_interval") > 0.5, "{start}: {result}");
        assert!(low("difference_interval") > 0.0, "{start}: {result}");
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_for_any_number_of_workers() {
    let env = Env::new();
    for (workers, out) in [("1", "a"), ("3", "b")] {
        let run = env.run(&course(&["--workers", workers, "--output", out]));
        assert_eq!(code(&run), 0, "{}", stderr(&run));
    }
    assert_eq!(content(&env.path("a")), content(&env.path("b")));
    assert!(env.path("a/weight_d_epoch_55.txt").exists());
}

#[test]
fn killed_again_and_again_it_ends_with_the_same_bytes() {
    let env = Env::new();
    let whole = env.run(&course(&["--output", "whole"]));
    assert_eq!(code(&whole), 0, "{}", stderr(&whole));
    let mut kills = 0;
    for round in 0..200u64 {
        let mut child = start(&env, &course(&["--output", "cut", "--resume"]));
        // Moments that differ from round to round, later ones so that the run ends some time.
        std::thread::sleep(Duration::from_millis(4 + round * 7 % 23 + round));
        if child.try_wait().expect("it can be asked").is_some() {
            assert!(child.wait().unwrap().success());
            break;
        }
        child.kill().expect("it can be killed");
        child.wait().expect("it has ended");
        kills += 1;
    }
    assert!(kills > 0);
    let last = env.run(&course(&["--output", "cut", "--resume"]));
    assert_eq!(code(&last), 0, "{}", stderr(&last));
    let mut cut = content(&env.path("cut"));
    // What a killed writer leaves beside a file is replaced by the next; a kill may be the last.
    cut.retain(|name, _| !name.starts_with('.'));
    assert_eq!(content(&env.path("whole")), cut);
}

#[test]
fn a_signal_stops_it_with_a_checkpoint_and_the_command_to_continue() {
    let env = Env::new();
    let long = "learn --epochs 100000 --games 20 --seed 3 --output out";
    let args: Vec<&str> = long.split(' ').collect();
    let child = start(&env, &args);
    let state = env.path("out/learn_state.json");
    while !state.exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 143, "{}", stderr(&output));
    assert!(stderr(&output).contains("--resume"), "{}", stderr(&output));
    let read = || -> Value { serde_json::from_slice(&std::fs::read(&state).unwrap()).unwrap() };
    let done = read()["state"]["epoch"].as_u64().unwrap();
    assert!(done >= 1);
    let fewer = (done - 1).max(1).to_string();
    if done > 1 {
        let run = env.run(&["learn", "--resume", "--output", "out", "--epochs", &fewer]);
        assert_eq!(code(&run), 2);
        assert!(
            stderr(&run).contains("are learned already"),
            "{}",
            stderr(&run)
        );
    }
    let more = (done + 2).to_string();
    let args = ["learn", "--resume", "--output", "out", "--epochs", &more];
    let run = env.run(&args);
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    assert_eq!(read()["state"]["epoch"].as_u64(), Some(done + 2));
}

#[test]
fn a_finished_run_is_continued_to_more_epochs_as_if_it_had_never_ended() {
    let env = Env::new();
    let base = ["learn", "--games", "8", "--depth", "2", "--seed", "2"];
    let run = |more: &[&str]| {
        let output = env.run(&[&base[..], more].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
    };
    run(&["--check-every", "4", "--epochs", "9", "--output", "steps"]);
    let output = env.run(&["learn", "--resume", "--output", "steps", "--epochs", "20"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    run(&["--check-every", "4", "--epochs", "20", "--output", "once"]);
    assert_eq!(content(&env.path("once")), content(&env.path("steps")));
}

#[test]
fn earlier_results_are_never_lost_by_accident() {
    let env = Env::new();
    let quick = ["learn", "--quick", "--output", "out", "--seed", "1"];
    assert_eq!(code(&env.run(&quick)), 0);
    std::fs::write(env.path("out/weight_mine.txt"), "mine").unwrap();
    let before = content(&env.path("out"));

    let again = env.run(&quick);
    assert_eq!(code(&again), 2);
    for word in ["--resume", "--force", "out"] {
        assert!(stderr(&again).contains(word), "{}", stderr(&again));
    }
    let other = ["learn", "--resume", "--output", "out", "--alpha", "0.002"];
    let other = env.run(&other);
    assert_eq!(code(&other), 2);
    let message = stderr(&other);
    assert!(message.contains("--alpha 0.001, not 0.002"), "{message}");
    let silly = ["--force", "--initial", "huge.txt", "--alpha", "0.03"];
    env.write(
        "huge.txt",
        "1000000 1000000 1000000 1000000 1000000 1000000 1000000 1000000\n".repeat(8),
    );
    let silly = env.run(&[&quick[..], &silly[..]].concat());
    assert_eq!(code(&silly), 1, "{}", stderr(&silly));
    assert!(
        stderr(&silly).contains("the weights ran away in epoch 1"),
        "{}",
        stderr(&silly)
    );
    assert_eq!(content(&env.path("out")), before);

    let forced = [
        "learn", "--quick", "--output", "out", "--seed", "2", "--force",
    ];
    assert_eq!(code(&env.run(&forced)), 0);
    let after = content(&env.path("out"));
    assert_ne!(after["weight_d_final.txt"], before["weight_d_final.txt"]);
    assert_eq!(after["weight_mine.txt"], before["weight_mine.txt"]);
}

#[test]
fn bad_words_and_files_are_one_sentence_each() {
    let env = Env::new();
    let row = "1 2 3 4 5 6 7 8\n";
    env.write("short.txt", &row.repeat(8)[2..]);
    env.write("letters.txt", row.repeat(8).replacen('3', "x", 1));
    env.write("infinite.txt", row.repeat(8).replacen('3', "inf", 1));
    env.write("shape.txt", "1 2 3 4\n".repeat(16));
    env.write("binary.txt", [0u8, 159, 146, 150]);
    let cases: [(&[&str], &[&str]); 12] = [
        (&["--initial", "short.txt"], &["short.txt", "63 numbers"]),
        (&["--initial", "letters.txt"], &["letters.txt", "`x`"]),
        (&["--initial", "infinite.txt"], &["infinite.txt", "`inf`"]),
        (&["--initial", "shape.txt"], &["shape.txt", "eight lines"]),
        (&["--initial", "binary.txt"], &["binary.txt", "binary"]),
        (&["--initial", "none.txt"], &["none.txt", "cannot be read"]),
        (&["--alpha", "nan"], &["--alpha", "NaN"]),
        (&["--alpha", "-1"], &["--alpha", "above 0"]),
        (&["--alpha", "1"], &["--alpha", "grow without end"]),
        (&["--depth", "0"], &["--depth", "1 to 8"]),
        (&["--epochs", "0"], &["--epochs"]),
        (&["--check-games", "7"], &["--check-games", "even"]),
    ];
    for (args, parts) in cases {
        let run = env.run(&[&["learn", "--output", "out"], args].concat());
        let message = stderr(&run);
        assert_eq!(code(&run), 2, "{args:?}: {message}");
        for part in parts {
            assert!(message.contains(part), "{args:?}: {message}");
        }
        assert!(!message.contains("panicked"));
        assert_eq!(message.trim_end().lines().count(), 1, "{message}");
    }
}

#[test]
fn a_damaged_state_is_named_and_nothing_is_touched() {
    let env = Env::new();
    assert_eq!(code(&env.run(&["learn", "--quick", "--output", "out"])), 0);
    env.write(
        "out/learn_state.json",
        "{\"schema\": \"rdg_learn_state_v1\", \"state\": {}}",
    );
    let before = content(&env.path("out"));
    let run = env.run(&["learn", "--resume", "--output", "out"]);
    assert_eq!(code(&run), 1);
    assert!(
        stderr(&run).contains("learn_state.json"),
        "{}",
        stderr(&run)
    );
    std::fs::remove_file(env.path("out/learn_state.json")).unwrap();
    let run = env.run(&["learn", "--resume", "--output", "out"]);
    assert_eq!(code(&run), 1);
    assert!(stderr(&run).contains("it is missing"), "{}", stderr(&run));
    let mut after = content(&env.path("out"));
    after.insert(
        "learn_state.json".to_owned(),
        before["learn_state.json"].clone(),
    );
    assert_eq!(after, before);
}

#[test]
fn progress_for_programs_tells_the_curve() {
    let env = Env::new();
    let run = env.run(&["learn", "--quick", "--output", "out", "--json-progress"]);
    assert_eq!(code(&run), 0);
    let lines: Vec<Value> = stderr(&run)
        .lines()
        .map(|line| serde_json::from_str(line).expect("each line is an object"))
        .collect();
    let events: Vec<&str> = lines.iter().filter_map(|l| l["event"].as_str()).collect();
    assert_eq!(events.first(), Some(&"start"));
    assert_eq!(events.last(), Some(&"finished"));
    assert_eq!(events.iter().filter(|e| **e == "checked").count(), 5);
    assert_eq!(stdout(&run), "");
}
