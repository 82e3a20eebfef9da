//! `rdg label`: new values for old positions.

use crate::common::by_hand::{after_f5, file, over, pass};
use crate::common::dataset::{Config, bytes_of_phases, exact_value, json, records};
use crate::common::{Env, code, stderr, stdout};
use serde_json::Value;
use std::process::Stdio;
use std::time::Duration;

const SPLITS: [&str; 3] = ["train", "valid", "test"];

/// Runs it and gives standard output; it must succeed.
fn label(env: &Env, args: &[&str]) -> String {
    let mut words = vec!["label"];
    words.extend(args);
    let output = env.run(&words);
    assert_eq!(code(&output), 0, "{args:?}: {}", stderr(&output));
    stdout(&output)
}

/// Runs it; it must end with this code, having said all of these.
fn fails(env: &Env, args: &[&str], expected: i32, says: &[&str]) {
    let mut words = vec!["label"];
    words.extend(args);
    let output = env.run(&words);
    let said = stderr(&output);
    assert_eq!(code(&output), expected, "{args:?}: {said}");
    for what in says {
        assert!(said.contains(what), "{args:?}: {what} is missing in {said}");
    }
}

fn succeeds(env: &Env, args: &[&str]) -> String {
    let output = env.run(args);
    let said = stdout(&output) + &stderr(&output);
    assert_eq!(code(&output), 0, "{args:?}: {said}");
    said
}

#[test]
fn exact_play_labelled_exactly_changes_nothing() {
    // Level 8 plays exactly from 16 empty squares on.
    for rule in ["plain", "winner_takes_empties"] {
        let env = Env::new();
        let config = Config::new("44,50,57")
            .level(8)
            .samples(20)
            .score_rule(rule);
        let config = config.split(0.5, 0.25, 0.25);
        config.generate(&env);
        let said = label(&env, &["out", "--exact", "--output", "new", "--json"]);
        let found: Value = serde_json::from_str(&said).unwrap();
        assert_eq!(found["all"]["n"], 60, "{rule}");
        assert_eq!(found["all"]["share_equal"], 1.0, "{rule}: {said}");
        assert_eq!(
            bytes_of_phases(&env.path("new")),
            bytes_of_phases(&env.path("out"))
        );
        let metadata = json(&env.path("new/phase_50/metadata.json"));
        assert_eq!(metadata["label"], "exact");
        assert_eq!(
            metadata["seed"], 42,
            "how the positions were found is still told"
        );
        succeeds(&env, &["verify", "new"]);
        let shown = succeeds(&env, &["inspect", "new"]);
        assert!(shown.contains("value with best play"), "{shown}");
        succeeds(&env, &["overlap", "new", "out"]);
        succeeds(
            &env,
            &["export", "new", "--format", "csv", "--output", "new.csv"],
        );
        // Generation takes it for no output of its own.
        let other = env.path("configs/config.toml");
        let text = std::fs::read_to_string(&other).unwrap();
        env.write(
            "configs/other.toml",
            text.replace("\"../out\"", "\"../new\""),
        );
        for words in [&["--resume"][..], &["--resume", "--repair"]] {
            let mut all = vec![
                "--config",
                "configs/other.toml",
                "--app-config",
                "configs/app.toml",
            ];
            all.extend(words);
            let output = env.run(&all);
            assert_ne!(code(&output), 0);
            assert!(stderr(&output).contains("rdg label"), "{}", stderr(&output));
        }
    }
}

#[test]
fn exact_values_are_those_of_trying_everything() {
    let env = Env::new();
    // Moves by lot.
    Config::new("53,56,60").level(0).samples(25).generate(&env);
    label(&env, &["out", "--exact", "--output", "new"]);
    let mut changed = 0;
    for phase in [53, 56, 60] {
        for split in SPLITS {
            let old = records(&env.path("out"), phase, split);
            let new = records(&env.path("new"), phase, split);
            assert_eq!(old.len(), new.len());
            for (old, new) in old.iter().zip(&new) {
                assert_eq!(
                    (old.own, old.opponent),
                    (new.own, new.opponent),
                    "order and split are kept"
                );
                assert_eq!(new.value, exact_value(new.own, new.opponent));
                changed += i32::from(old.value != new.value);
            }
        }
    }
    assert!(changed > 0, "random moves are not the best ones");
    let told = json(&env.path("new/label.json"));
    assert_eq!(told["complete"], true);
    succeeds(&env, &["verify", "new"]);
}

#[test]
fn threads_and_kills_change_no_byte() {
    let env = Env::new();
    Config::new("30,31,48").level(1).samples(300).generate(&env);
    let words = ["out", "--engine", "builtin:5", "--no-progress"];
    for (threads, output) in [("1", "one"), ("3", "three")] {
        let mut all = words.to_vec();
        all.extend(["--threads", threads, "--output", output]);
        label(&env, &all);
    }
    let expected = bytes_of_phases(&env.path("one"));
    assert_eq!(bytes_of_phases(&env.path("three")), expected);
    assert_ne!(bytes_of_phases(&env.path("out")), expected);
    let mut kills = 0;
    for round in 0..40_u64 {
        let mut child = env
            .rdg()
            .arg("label")
            .args(words)
            .args(["--threads", "2", "--output", "killed", "--resume"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(10 + 37 * (round % 9) + 20 * round));
        if child.try_wait().unwrap().is_none() {
            kills += 1;
        }
        let _ = child.kill();
        if child.wait().unwrap().success() {
            break;
        }
    }
    let mut all = words.to_vec();
    all.extend(["--output", "killed", "--resume"]);
    label(&env, &all);
    assert!(kills > 0, "none came in time");
    assert_eq!(bytes_of_phases(&env.path("killed")), expected);
    succeeds(&env, &["verify", "killed"]);
}

#[test]
fn a_signal_saves_what_is_done_and_resume_goes_on() {
    let env = Env::new();
    Config::new("24").level(1).samples(2_500).generate(&env);
    let words = [
        "label",
        "out",
        "--engine",
        "builtin:6",
        "--output",
        "new",
        "--no-progress",
    ];
    let child = env
        .rdg()
        .args(words)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !env.path("new/phase_24/train.rd").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let id = rustix::process::Pid::from_raw(child.id() as i32).unwrap();
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 130, "{}", stderr(&output));
    assert!(stderr(&output).contains("--resume"), "{}", stderr(&output));
    let state = json(&env.path("new/label.json"));
    assert_eq!(state["complete"], false);
    // Without the word it is refused, with other settings too.
    fails(&env, &words[1..], 2, &["--resume"]);
    let others: [(&[&str], &str); 4] = [
        (&["out", "--exact"], "builtin level 6"),
        (&["out", "--engine", "builtin:7"], "builtin level 6"),
        (
            &["out", "--engine", "builtin:6", "--empties", "0..40"],
            "0..60",
        ),
        (&["one_more", "--engine", "builtin:6"], "records"),
    ];
    std::fs::create_dir_all(env.path("one_more")).unwrap();
    let mut changed = std::fs::read(env.path("out/phase_24/train.rd")).unwrap();
    changed[10 + 16] ^= 2;
    for name in ["metadata.json", "stats.json", "valid.rd", "test.rd"] {
        let from = env.path("out/phase_24").join(name);
        env.write(
            &format!("one_more/phase_24/{name}"),
            std::fs::read(from).unwrap(),
        );
    }
    env.write("one_more/phase_24/train.rd", changed);
    for (words, says) in others {
        let mut all = words.to_vec();
        all.extend(["--output", "new", "--resume"]);
        fails(&env, &all, 2, &["begun with", says]);
    }
    label(
        &env,
        &[
            "out",
            "--engine",
            "builtin:6",
            "--output",
            "new",
            "--resume",
        ],
    );
    assert_eq!(json(&env.path("new/label.json"))["complete"], true);
    // What is done is not done again.
    label(
        &env,
        &[
            "out",
            "--engine",
            "builtin:6",
            "--output",
            "new",
            "--resume",
        ],
    );
    succeeds(&env, &["verify", "new"]);
}

#[test]
fn positions_outside_the_range_are_left_out_or_kept() {
    let env = Env::new();
    Config::new("20,50,52").level(1).samples(30).generate(&env);
    let old = bytes_of_phases(&env.path("out"));
    label(
        &env,
        &["out", "--exact", "--empties", "8..9", "--output", "few"],
    );
    assert!(!env.path("few/phase_20").exists() && !env.path("few/phase_50").exists());
    label(
        &env,
        &[
            "out",
            "--exact",
            "--empties",
            "8",
            "--keep-others",
            "--output",
            "all",
        ],
    );
    let new = bytes_of_phases(&env.path("all"));
    let few = bytes_of_phases(&env.path("few"));
    for (name, bytes) in &new {
        let expected = match name.contains("phase_52") {
            true => &few[name],
            false => &old[name],
        };
        assert_eq!(bytes, expected, "{name}");
    }
    let metadata = |phase: u8| json(&env.path(&format!("all/phase_{phase}/metadata.json")));
    assert_eq!(metadata(52)["label"], "exact");
    assert_eq!(metadata(52)["labelled"]["kept"], false);
    assert_eq!(metadata(20).get("label"), None);
    assert_eq!(metadata(20)["labelled"]["kept"], true);
    for folder in ["few", "all"] {
        succeeds(&env, &["verify", folder]);
        succeeds(&env, &["inspect", folder]);
    }
    succeeds(
        &env,
        &["export", "all", "--format", "csv", "--output", "all.csv"],
    );
    fails(
        &env,
        &["out", "--exact", "--empties", "1..7", "--output", "none"],
        2,
        &["out has no positions with 1 to 7 empty squares"],
    );
    assert!(!env.path("none").exists());
}

#[test]
fn damaged_data_is_told_before_anything_is_written() {
    let env = Env::new();
    Config::new("50,52").level(1).samples(30).generate(&env);
    let path = env.path("out/phase_52/train.rd");
    let sound = std::fs::read(&path).unwrap();
    let mut overlap = sound.clone();
    for at in 0..8 {
        overlap[10 + 18 * 5 + at] = 0xff;
        overlap[10 + 18 * 5 + 8 + at] = 0xff;
    }
    let cases: [(&str, Vec<u8>, &str); 4] = [
        ("held by both sides", overlap, "record 5"),
        ("torn", sound[..sound.len() - 7].to_vec(), "11 bytes of 18"),
        ("no header", sound[1..].to_vec(), "RDGBBVAL1"),
        ("junk", vec![7; 1000], "RDGBBVAL1"),
    ];
    for (name, bytes, says) in cases {
        std::fs::write(&path, bytes).unwrap();
        fails(
            &env,
            &["out", "--exact", "--output", "new"],
            1,
            &["phase_52/train.rd", says],
        );
        assert!(!env.path("new").exists(), "{name}");
        fails(
            &env,
            &["out", "--exact", "--compare"],
            1,
            &["phase_52/train.rd", says],
        );
    }
    std::fs::remove_file(&path).unwrap();
    fails(
        &env,
        &["out", "--exact", "--output", "new"],
        1,
        &["train.rd is missing"],
    );
    std::fs::write(&path, sound).unwrap();
    // What was labelled halfway is refused where its checkpoint cannot be read.
    label(&env, &["out", "--exact", "--output", "new"]);
    env.write("new/label.json", "{");
    fails(
        &env,
        &["out", "--exact", "--output", "new", "--resume"],
        1,
        &["label.json"],
    );
}

#[test]
fn outputs_that_are_in_the_way() {
    let env = Env::new();
    Config::new("55").level(1).samples(10).generate(&env);
    let inside = [
        "out",
        "out/",
        "out/new",
        "./out/../out/deep/er",
        "out/phase_55",
    ];
    for output in inside {
        fails(
            &env,
            &["out", "--exact", "--output", output],
            2,
            &["lies in"],
        );
    }
    std::os::unix::fs::symlink("out", env.path("link")).unwrap();
    fails(
        &env,
        &["out", "--exact", "--output", "link/x"],
        2,
        &["lies in"],
    );
    env.write("taken/phase_55/mine", "");
    fails(
        &env,
        &["out", "--exact", "--output", "taken"],
        2,
        &["phase_55 is there"],
    );
    env.write("summed/summary.json", "{}");
    fails(
        &env,
        &["out", "--exact", "--output", "summed"],
        2,
        &["summary.json"],
    );
    env.write("file", "");
    fails(&env, &["out", "--exact", "--output", "file"], 1, &["file"]);
    assert_eq!(std::fs::read_dir(env.path("out")).unwrap().count(), 2);
}

#[test]
fn data_without_metadata_needs_its_rule_named() {
    let env = Env::new();
    // Phases 1, 9 and 6 in one file, and a file for each.
    env.write("mixed.rd", file(&[after_f5(0), over(0)]));
    env.write("loose.rd", file(&[over(-13), over(5)]));
    env.write("phase_09/train.rd", file(&[over(-13), over(5)]));
    env.write("foreign/phase_08/train.rd", file(&[pass(1)]));
    fails(
        &env,
        &["loose.rd", "--exact", "--compare"],
        2,
        &["--score-rule"],
    );
    let rule = ["--score-rule", "winner_takes_empties"];
    let with = |words: &[&'static str]| [words, &rule].concat();
    fails(
        &env,
        &with(&["mixed.rd", "--exact", "--compare"]),
        1,
        &["record 1"][..],
    );
    let said = label(&env, &with(&["loose.rd", "--exact", "--compare", "--json"]));
    let found: Value = serde_json::from_str(&said).unwrap();
    // Wiped out: -64 where the winner takes the empty squares, -13 where nobody does.
    assert_eq!(found["all"]["mean"], (51.0 + 69.0) / 2.0);
    let said = label(
        &env,
        &[
            "loose.rd",
            "--exact",
            "--compare",
            "--json",
            "--score-rule",
            "plain",
        ],
    );
    let found: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(found["all"]["mean"], 9.0);
    fails(
        &env,
        &with(&["loose.rd", "--exact", "--output", "new"]),
        2,
        &["train.rd"],
    );
    label(&env, &with(&["phase_09", "--exact", "--output", "new"]));
    let values: Vec<i16> = records(&env.path("new"), 9, "train")
        .iter()
        .map(|r| r.value)
        .collect();
    assert_eq!(values, [-64, -64]);
    assert_eq!(
        json(&env.path("new/phase_09/metadata.json"))["mode"],
        "label"
    );
    succeeds(&env, &["inspect", "new"]);
    // Both in the file: the position must be played out for the opponent, who may move.
    Config::new("55").level(1).samples(10).generate(&env);
    fails(
        &env,
        &with(&["out", "--exact", "--compare"]),
        2,
        &["score_rule"],
    );
}

#[test]
fn comparison_finds_the_errors_that_were_made() {
    let env = Env::new();
    Config::new("52,54")
        .level(1)
        .samples(60)
        .split(1.0, 0.0, 0.0)
        .generate(&env);
    label(&env, &["out", "--exact", "--output", "exact"]);
    let errors = [0, 0, 3, -5];
    for phase in [52, 54] {
        let rows: Vec<_> = records(&env.path("exact"), phase, "train")
            .iter()
            // With an error added they are values still.
            .filter(|record| record.value.abs() <= 54)
            .take(32)
            .enumerate()
            .map(|(at, record)| {
                let error = errors[at % 4] * if phase == 54 { 2 } else { 1 };
                (record.own, record.opponent, record.value, error)
            })
            .collect();
        assert_eq!(rows.len(), 32, "another seed");
        let rows: Vec<_> = rows
            .iter()
            .map(|row| (row.0, row.1, row.2 + row.3))
            .collect();
        env.write(&format!("exact/phase_{phase}/train.rd"), file(&rows));
    }
    let before = env.files();
    let said = label(&env, &["exact", "--exact", "--compare", "--json"]);
    assert_eq!(env.files(), before, "nothing is written");
    let found: Value = serde_json::from_str(&said).unwrap();
    let phase = |at: usize| &found["phases"][at];
    assert_eq!(
        (&phase(0)["phase"], &phase(0)["empties"]),
        (&52.into(), &8.into())
    );
    for (at, factor) in [(0, 1.0), (1, 2.0)] {
        let phase = phase(at);
        assert_eq!(phase["n"], 32);
        assert_eq!(phase["mean"], -0.5 * factor);
        assert_eq!(phase["mae"], 2.0 * factor);
        assert_eq!(phase["rmse"], 8.5_f64.sqrt() * factor);
        assert_eq!(phase["share_equal"], 0.5);
    }
    assert_eq!(found["all"]["n"], 64);
    assert_eq!(found["all"]["mean"], -0.75);
    let told = label(&env, &["exact", "--exact", "--compare"]);
    assert!(told.contains("RMSE") && told.contains("50.0 %"), "{told}");
    // A part of it, and the same part again.
    let words = ["exact", "--exact", "--compare", "--json", "--sample", "9"];
    let part: Value = serde_json::from_str(&label(&env, &words)).unwrap();
    assert_eq!(part["phases"][1]["n"], 9);
    let again: Value = serde_json::from_str(&label(&env, &words)).unwrap();
    assert_eq!(part, again);
    // What report draws.
    env.write("compare.json", said);
    succeeds(
        &env,
        &[
            "report",
            "out",
            "--compare",
            "compare.json",
            "--output",
            "page.html",
        ],
    );
    let page = std::fs::read_to_string(env.path("page.html")).unwrap();
    assert!(
        page.contains("root mean square error") && page.contains("<th>RMSE</th>"),
        "the label error is on the page"
    );
}

#[test]
fn scores_are_those_of_the_search() {
    let env = Env::new();
    let own = assert_cmd::cargo::cargo_bin!("rdg");
    env.write(
        "engines.toml",
        format!(
            "setup = \"off\"\n[engines.child]\nkind = \"nboard\"\nbinary = \"{}\"\n\
             args = [\"engine\", \"nboard\", \"--level\", \"{{level}}\"]\n\
             [engines.mute]\nkind = \"gtp\"\nbinary = \"{0}\"\nargs = [\"engine\", \"gtp\"]\n",
            own.display()
        ),
    );
    let rule = "winner_takes_empties";
    Config::new("36,49")
        .level(1)
        .samples(12)
        .score_rule(rule)
        .generate(&env);
    let registry = ["--app-config", "engines.toml"];
    for (engine, output) in [("builtin:3", "own"), ("child:3", "others")] {
        let mut words = vec![
            "out",
            "--engine",
            engine,
            "--output",
            output,
            "--threads",
            "2",
        ];
        words.extend(registry);
        label(&env, &words);
        let metadata = json(&env.path(output).join("phase_36/metadata.json"));
        assert_eq!(metadata["label"], "score");
        assert_eq!(metadata["labelled"]["by"]["level"], 3);
        succeeds(&env, &["verify", output]);
    }
    // As analyze scores the best move: exactly where both solve, and with a process everywhere.
    for (output, phase) in [("own", 49), ("others", 49), ("others", 36)] {
        let name = format!("{output}/phase_{phase}/train.rd");
        let values = records(&env.path(output), phase, "train");
        for (number, record) in values.iter().enumerate().take(6) {
            let number = number.to_string();
            let words = [
                "analyze",
                "--json",
                "--engine",
                "builtin:3",
                "--file",
                &name,
            ];
            let said = succeeds(&env, &[&words[..], &["--record", &number]].concat());
            let found: Value = serde_json::from_str(&said).unwrap();
            let best = found["moves"][0]["score"].as_f64();
            let Some(best) = best else { continue };
            assert_eq!(
                f64::from(record.value),
                best.round(),
                "{name}, {number}: {said}"
            );
        }
    }
    let refused: [(&str, &str); 4] = [
        ("builtin:0", "level 0"),
        ("builtin:100ms", "time"),
        ("mute", "cannot score"),
        ("nobody:3", "nobody"),
    ];
    for (engine, says) in refused {
        let mut words = vec!["out", "--engine", engine, "--output", "refused"];
        words.extend(registry);
        fails(&env, &words, 2, &[says]);
    }
    let mut words = vec![
        "out",
        "--engine",
        "child:3",
        "--empties",
        "11",
        "--output",
        "refused",
    ];
    words.extend(registry);
    let plain = Env::new();
    Config::new("49").level(1).samples(5).generate(&plain);
    let registry = env.path("engines.toml");
    *words.last_mut().unwrap() = registry.to_str().unwrap();
    fails(&plain, &words, 2, &["plain", "builtin or --exact"]);
    assert!(!env.path("refused").exists() && !plain.path("refused").exists());
}

#[test]
fn what_is_typed_wrong_is_refused() {
    let env = Env::new();
    let wrong: [&[&str]; 9] = [
        &["out"],
        &["out", "--exact"],
        &["out", "--output", "x"],
        &["out", "--exact", "--engine", "builtin:3", "--output", "x"],
        &["out", "--exact", "--compare", "--output", "x"],
        &["out", "--exact", "--output", "x", "--keep-others"],
        &["out", "--exact", "--output", "x", "--empties", "9..3"],
        &["out", "--exact", "--output", "x", "--sample", "3"],
        &["out", "--exact", "--output", "x", "--threads", "0"],
    ];
    for words in wrong {
        fails(&env, words, 2, &[]);
    }
    fails(
        &env,
        &["missing", "--exact", "--output", "x"],
        1,
        &["missing"],
    );
}
