//! `rdg fit` as a user meets it, and its weights wherever weights go.

use crate::common::dataset::Config;
use crate::common::{Env, code, stderr, stdout};
use serde_json::Value;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

/// A small dataset in `out`.
fn dataset(env: &Env) -> Config {
    let config = Config::new("20..25").samples(60).split(0.6, 0.2, 0.2);
    config.generate(env);
    config
}

fn fit(env: &Env, args: &[&str]) -> Output {
    env.run(&[&["fit", "out", "--no-progress"], args].concat())
}

#[test]
fn weights_are_made_described_and_played_with() {
    let env = Env::new();
    dataset(&env);
    let run = fit(&env, &["--output", "w.bin", "--epochs", "3"]);
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    let text = stdout(&run);
    assert!(text.contains("errors on test"), "{text}");
    assert!(stderr(&run).contains("has no positions: its weights are those of stage"));
    let described = std::fs::read_to_string(env.path("w.bin.json")).unwrap();
    let described: Value = serde_json::from_str(&described).unwrap();
    assert_eq!(described["schema"], "rdg_fit_v1");
    assert_eq!(described["score_rule"], "plain_disc_difference");
    assert_eq!(described["labels"][0], "result");
    assert!(!env.path("w.bin.fit").exists());
    for args in [
        "match w.bin:2 builtin:1 --games 2 --json",
        "match w.bin w.bin:10ms --games 2 --time 10ms --json",
        "analyze f5d6c3 --weights w.bin --level 2 --json",
    ] {
        let run = env.run(&args.split(' ').collect::<Vec<_>>());
        assert_eq!(code(&run), 0, "{args}: {}", stderr(&run));
        let _: Value = serde_json::from_str(&stdout(&run)).expect("JSON");
    }
    let run = env.run(&["match", "w.bin:2", "builtin:1", "--games", "2", "--json"]);
    let found: Value = serde_json::from_str(&stdout(&run)).unwrap();
    assert_eq!(found["first"], "w.bin level 2");
    // Weights like any others of a registry.
    env.write(
        "app2.toml",
        "setup = 'off'\n[engines.mine]\nkind = 'builtin'\nlevel = 1\neval_file = 'w.bin'\n",
    );
    let args = [
        "match",
        "mine",
        "builtin:1",
        "--games",
        "2",
        "--app-config",
        "app2.toml",
    ];
    let run = env.run(&args);
    assert_eq!(code(&run), 0, "{}", stderr(&run));
}

#[test]
fn a_killed_fit_goes_on_to_the_same_bytes() {
    let env = Env::new();
    dataset(&env);
    let epochs = ["--epochs", "400", "--rate", "0.0005"];
    let run = fit(&env, &[&["--output", "whole.bin"], &epochs[..]].concat());
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    let expected = std::fs::read(env.path("whole.bin")).unwrap();
    let args = [
        &[
            "fit",
            "out",
            "--json-progress",
            "--resume",
            "--output",
            "w.bin",
        ],
        &epochs[..],
    ];
    for threads in ["1", "3", "2", "1"] {
        let mut child = env
            .rdg()
            .args(args.concat())
            .args(["--threads", threads])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program can be started");
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_millis(150) && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = child.kill();
        let _ = child.wait();
    }
    let run = env.run(&args.concat());
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    assert!(std::fs::read(env.path("w.bin")).unwrap() == expected);
    let run = env.run(&args.concat());
    assert_eq!(code(&run), 0, "{}", stderr(&run));
}

#[test]
fn data_of_two_rules_is_refused_and_files_in_the_way_are_named() {
    let env = Env::new();
    dataset(&env);
    let other = Config::new("20..21")
        .samples(20)
        .score_rule("winner_takes_empties");
    let text = std::fs::read_to_string(env.path("out/phase_20/metadata.json")).unwrap();
    drop(other);
    std::fs::create_dir_all(env.path("other/phase_20")).unwrap();
    for file in ["train.rd", "valid.rd", "test.rd"] {
        let from = env.path("out/phase_20").join(file);
        std::fs::copy(from, env.path("other/phase_20").join(file)).unwrap();
    }
    let text = text.replace("plain_disc_difference", "winner_takes_empties");
    env.write("other/phase_20/metadata.json", text);
    let run = fit(&env, &["other", "--output", "w.bin"]);
    assert_eq!(code(&run), 2);
    let said = stderr(&run);
    for part in [
        "plain_disc_difference",
        "winner_takes_empties",
        "fit them apart",
    ] {
        assert!(said.contains(part), "{said}");
    }
    let labelled = std::fs::read_to_string(env.path("other/phase_20/metadata.json")).unwrap();
    let labelled = labelled.replacen('{', "{\n  \"label\": \"score\",", 1);
    env.write("other/phase_20/metadata.json", labelled);
    let run = env.run(&[
        "fit",
        "other",
        "--output",
        "s.bin",
        "--epochs",
        "1",
        "--no-progress",
    ]);
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    assert!(
        stdout(&run).contains("values: score, winner_takes_empties"),
        "{}",
        stdout(&run)
    );
    env.write("patterns.txt", "a1 b1\na9\n");
    for (args, part) in [
        (&["--output", "s.bin"][..], "s.bin exists already"),
        (&["--output", "out"], "out"),
        (&["--output", "w.bin", "--rate", "-1"], "--rate is -1"),
        (&["--output", "w.bin", "--rate", "NaN"], "--rate is NaN"),
        (
            &["--output", "w.bin", "--patterns", "patterns.txt"],
            "line 2 has \"a9\"",
        ),
        (
            &["--output", "w.bin", "--patterns", "gone.txt"],
            "gone.txt cannot be read",
        ),
        (&["--output", "w.bin", "--stages", "99"], "choose 1 to 54"),
    ] {
        let run = fit(&env, args);
        assert_ne!(code(&run), 0, "{args:?}");
        let said = stderr(&run);
        assert!(said.contains(part), "{args:?}: {said}");
        assert!(!said.contains("panicked"), "{said}");
        assert!(!env.path("w.bin").exists());
    }
}

/// Weight files that are none, each with what is said of it.
fn damaged(env: &Env) -> Vec<(&'static str, &'static str)> {
    let run = fit(env, &["--output", "good.bin", "--epochs", "1"]);
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    let good = std::fs::read(env.path("good.bin")).unwrap();
    let mut changed = good.clone();
    changed[1000] ^= 1;
    env.write("changed.bin", changed);
    env.write("cut.bin", &good[..good.len() / 2]);
    env.write("newer.bin", b"RDGPATTERN9\x1b[2J\x07");
    env.write("junk.bin", b"\x1b[2J\x07\x00\xff\xfe");
    env.write("escape.txt", "1 2 3\n\x1b]0;title\x07 5\n");
    std::fs::create_dir_all(env.path("folder.bin")).unwrap();
    vec![
        ("changed.bin", "is damaged: its checksum"),
        ("cut.bin", "has fewer"),
        ("newer.bin", "a version that this rdg does not know"),
        ("junk.bin", "it is binary"),
        ("escape.txt", "which is not a number"),
        ("folder.bin", "folder.bin"),
        ("gone.bin", "gone.bin"),
    ]
}

#[test]
fn damaged_weights_are_told_in_one_sentence_everywhere() {
    let env = Env::new();
    let config = dataset(&env);
    drop(config);
    for (file, part) in damaged(&env) {
        env.write(
            "bad.toml",
            format!("setup = 'off'\n[engines.builtin]\nkind = 'builtin'\neval_file = '{file}'\n"),
        );
        env.write(
            "bad-config.toml",
            "output_dir = 'bad'\nphases = '55'\nsamples_per_phase = 3\nseed = 1\n\
             [self_play.ai]\nname = 'builtin'\nlevel = 1\n",
        );
        let player = format!("{file}:2");
        for args in [
            &["analyze", "f5", "--weights", file][..],
            &["play", "--weights", file],
            &["match", &player, "builtin:1", "--games", "2"],
            &["engine", "gtp", "--eval", file],
            &[
                "--config",
                "bad-config.toml",
                "--app-config",
                "bad.toml",
                "--no-progress",
            ],
        ] {
            let run = env.run(args);
            let said = stderr(&run);
            assert_ne!(code(&run), 0, "{args:?}");
            assert!(
                said.contains(part) && said.contains(file),
                "{args:?}: {said:?}"
            );
            let raw = |c: char| c.is_control() && c != '\n';
            assert!(!said.contains(raw), "{args:?}: {said:?}");
            assert!(!stdout(&run).contains(raw), "{args:?}");
            let errors = said
                .lines()
                .filter(|line| line.starts_with("error"))
                .count();
            assert_eq!(errors, 1, "{args:?}: {said}");
            assert!(!Path::new(&env.path("bad/phase_55/train.rd")).exists());
        }
    }
}
