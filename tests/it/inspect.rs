//! `rdg inspect` as a user meets it, over records written by hand.

use crate::common::by_hand::{after_f5, file, hopeless, no_text, over, pass, squares, unread};
use crate::common::dataset::Config;
use crate::common::{Env, code, stderr, stdout};
use serde_json::Value;
use std::collections::BTreeSet;

fn json(env: &Env, args: &[&str]) -> Value {
    let run = env.run(&[&["inspect", "--json"], args].concat());
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    serde_json::from_str(&stdout(&run)).expect("stdout is JSON and nothing else")
}

/// 2, 4, 4, 4, 5, 5, 7, 9: the mean is 5, the standard deviation 2.
fn phase_1(env: &Env) {
    let values = [2, 4, 4, 4, 5, 5, 7, 9].map(after_f5);
    env.write("data/phase_01/train.rd", file(&values[..5]));
    env.write("data/phase_01/valid.rd", file(&values[5..7]));
    env.write("data/phase_01/test.rd", file(&values[7..]));
}

#[test]
fn a_phase_adds_up() {
    let env = Env::new();
    phase_1(&env);
    let found = json(&env, &["data/phase_01"]);
    assert_eq!(found["schema"], "rdg_inspect_v1");
    assert_eq!(found["sound"], true);
    let inspected = &found["inspected"][0];
    assert_eq!(inspected["kind"], "phase");
    assert_eq!(inspected["record_magic"], "RDGBBVAL1\n");
    assert_eq!(inspected["records"], 8);
    assert_eq!(inspected["bytes"], 3 * 10 + 8 * 18);
    let phase = &inspected["phases"][0];
    assert_eq!((&phase["phase"], &phase["discs"]), (&1.into(), &5.into()));
    assert_eq!(
        phase["split"],
        serde_json::json!({"train": 5, "valid": 2, "test": 1, "other": 0})
    );
    let value = &phase["total"]["value"];
    assert_eq!(value["mean"], 5.0);
    assert_eq!(value["standard_deviation"], 2.0);
    assert_eq!((&value["min"], &value["max"]), (&2.into(), &9.into()));
    assert_eq!(
        value["histogram"],
        serde_json::json!({"2": 1, "4": 3, "5": 2, "7": 1, "9": 1})
    );
    let train = &phase["files"][0]["total"];
    assert_eq!(
        (&train["records"], &train["value"]["mean"]),
        (&5.into(), &3.8.into())
    );
    assert_eq!(inspected["total"], phase["total"]);

    let run = env.run(&["inspect", "data/phase_01", "--no-emoji"]);
    let text = stdout(&run);
    let lines: Vec<Vec<&str>> = text
        .lines()
        .map(|l| l.split_whitespace().collect())
        .collect();
    let row = ["all", "1", "8", "2", "9", "5.00", "2.00", "0%", "0%"];
    assert!(lines.iter().any(|line| line == &row), "{text}");
    // The longest line is the one of 3 and 4.
    let bars: Vec<(&str, usize)> = lines
        .iter()
        .filter(|line| line.last().is_some_and(|bar| bar.starts_with('#')))
        .map(|line| (line[0], line[line.len() - 1].len()))
        .collect();
    let labels: Vec<&str> = bars.iter().map(|bar| bar.0).collect();
    assert_eq!(labels, ["+1..+2", "+3..+4", "+5..+6", "+7..+8", "+9..+10"]);
    assert_eq!(bars[1].1, bars.iter().map(|bar| bar.1).max().unwrap());
    assert_eq!((bars[0].1 * 3).abs_diff(bars[1].1) / 3, 0, "{text}");
}

#[test]
fn passes_finished_games_and_unknown_phases() {
    let env = Env::new();
    let rows = [over(-13), pass(3), after_f5(1), after_f5(-1)];
    env.write("mixed.rd", file(&rows));
    let found = json(&env, &["mixed.rd"]);
    let total = &found["inspected"][0]["total"];
    assert_eq!(
        (&total["must_pass"], &total["game_over"]),
        (&1.into(), &1.into())
    );
    assert_eq!(total["must_pass_share"], 0.25);
    assert_eq!(
        total["records_by_phase"],
        serde_json::json!({"1": 2, "7": 1, "9": 1})
    );
    assert_eq!(found["inspected"][0]["phases"][0]["phase"], Value::Null);
    let text = stdout(&env.run(&["inspect", "mixed.rd"]));
    assert!(text.contains("RDGBBVAL1"), "{text}");
    let row = [
        "mixed.rd", "1,7,9", "4", "-13", "3", "-2.50", "6.22", "25.0%", "25.0%",
    ];
    let found = |line: &str| line.split_whitespace().eq(row);
    assert!(text.lines().any(found), "{text}");
}

#[test]
fn a_generated_dataset_says_how_it_was_made_and_agrees_with_its_statistics() {
    let env = Env::new();
    Config::new("20..23").samples(40).window(4).generate(&env);
    let found = json(&env, &["out"]);
    let phases = found["inspected"][0]["phases"].as_array().unwrap();
    assert_eq!(phases.len(), 4);
    for (number, phase) in (20..).zip(phases) {
        let stats =
            crate::common::dataset::json(&env.path(&format!("out/phase_{number}/stats.json")));
        assert_eq!(phase["phase"], number);
        for key in ["min", "max", "histogram"] {
            assert_eq!(phase["total"]["value"][key], stats["value"][key], "{key}");
        }
        let mean = |of: &Value| of["value"]["mean"].as_f64().unwrap();
        assert!((mean(&phase["total"]) - mean(&stats)).abs() < 1e-9);
        for split in ["train", "valid", "test"] {
            assert_eq!(phase["split"][split], stats["split"][split]);
        }
        assert_eq!(phase["metadata"]["seed"], 42);
        assert_eq!(phase["metadata"]["engine"]["name"], "builtin");
    }
    let text = stdout(&env.run(&["inspect", "out"]));
    for fact in [
        "out: dataset of 4 phases, 12 files, phases 20-23, 160 records",
        "  Mode        normal, windows of 4 phases\n",
        "  Engine      builtin level 1, 1 thread\n",
        "  Seed        42\n",
    ] {
        assert!(text.contains(fact), "no `{fact}` in\n{text}");
    }
    // A folder or a file of it knows as much.
    for path in ["out/phase_21", "out/phase_21/train.rd"] {
        let text = stdout(&env.run(&["inspect", path]));
        assert!(text.contains("  Seed        42\n"), "{text}");
    }
}

#[test]
fn a_record_is_shown_as_a_board() {
    let env = Env::new();
    env.write("x.rd", file(&[pass(3), after_f5(-12), over(-13)]));
    let run = env.run(&["inspect", "x.rd", "--record", "1"]);
    let board = "\
x.rd, record 1
    a b c d e f g h
  1 - - - - - - - -    X to move
  2 - - - - - - - -    Value -12
  3 - - - - - - - -    Phase 1: X 1, O 4, 59 empty
  4 - - - X O . - -    Moves f4 d6 f6
  5 - - - O O O - -
  6 - - - . - . - -
  7 - - - - - - - -
  8 - - - - - - - -
";
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    assert!(stdout(&run).ends_with(board), "{}", stdout(&run));
    let text = |n: &str| stdout(&env.run(&["inspect", "x.rd", "--record", n]));
    assert!(text("0").contains("X must pass\n"), "{}", text("0"));
    assert!(text("2").contains("The game is over\n"), "{}", text("2"));
    let found = json(&env, &["x.rd", "--record", "1"]);
    let sample = &found["inspected"][0]["samples"][0];
    assert_eq!(sample["own"], squares("d4"));
    assert_eq!(sample["value"], -12);
    assert_eq!(sample["legal_moves"], serde_json::json!(["f4", "d6", "f6"]));
    for beyond in ["3", "18446744073709551615"] {
        let run = env.run(&["inspect", "x.rd", "--record", beyond]);
        assert_eq!(code(&run), 1);
        let said =
            format!("error: x.rd has 3 records, numbered from 0; there is no record {beyond}\n");
        assert_eq!(stderr(&run), said);
    }
}

#[test]
fn samples_are_different_records_and_a_seed_repeats_them() {
    let env = Env::new();
    env.write("phase_01/train.rd", file(&[0, 1, 2, 3, 4].map(after_f5)));
    env.write("phase_01/valid.rd", file(&[5, 6].map(after_f5)));
    env.write("phase_01/test.rd", file(&[7].map(after_f5)));
    let values = |args: &[&str]| -> Vec<i64> {
        let found = json(&env, &[&["phase_01"], args].concat());
        let samples = found["inspected"][0]["samples"].as_array().unwrap();
        samples
            .iter()
            .map(|s| s["value"].as_i64().unwrap())
            .collect()
    };
    let drawn = values(&["--sample", "3", "--seed", "5"]);
    assert_eq!(drawn, values(&["--sample", "3", "--seed", "5"]));
    assert_eq!(drawn.iter().collect::<BTreeSet<_>>().len(), 3);
    assert_eq!(values(&["--sample", "100"]), [0, 1, 2, 3, 4, 5, 6, 7]);
    // Every record has its turn, whatever file it is in.
    let all: BTreeSet<i64> = (0..60)
        .flat_map(|seed| values(&["--sample", "1", "--seed", &seed.to_string()]))
        .collect();
    assert_eq!(all.len(), 8);
    let text = stdout(&env.run(&["inspect", "phase_01", "--sample", "2"]));
    assert_eq!(text.matches("X to move").count(), 2, "{text}");
    assert!(
        text.contains("2 of 8 records, drawn with --seed "),
        "{text}"
    );
}

#[test]
fn what_cannot_be_read_is_said_and_the_rest_is_shown() {
    let env = Env::new();
    phase_1(&env);
    for (path, reason) in hopeless(&env) {
        for more in [&[][..], &["--json"], &["--sample", "2"]] {
            let mut command = env.rdg();
            command.arg("inspect").arg(&path).arg("data").args(more);
            let run = command.output().unwrap();
            let said = stderr(&run);
            assert_eq!(code(&run), 1, "{path:?}");
            assert_eq!(said.lines().count(), 1, "{path:?}: {said}");
            assert!(
                said.starts_with("error: ") && said.contains(reason),
                "{path:?}: {said}"
            );
            assert!(said.contains(&*path.to_string_lossy()), "{said}");
            match more {
                ["--json"] => {
                    let found: Value = serde_json::from_str(&stdout(&run)).unwrap();
                    assert_eq!(found["sound"], false);
                    assert_eq!(found["damage"].as_array().unwrap().len(), 1);
                    let all = found["inspected"].as_array().unwrap();
                    assert_eq!(all.last().unwrap()["records"], 8, "{path:?}");
                }
                _ => assert!(stdout(&run).contains("8 records"), "{path:?}"),
            }
        }
    }
}

#[test]
fn damage_within_a_dataset_costs_only_itself() {
    let env = Env::new();
    phase_1(&env);
    let overlap = (squares("d4 e4"), squares("e4 d5 e5 f5"), 0);
    env.write(
        "data/phase_01/train.rd",
        file(&[after_f5(1), overlap, after_f5(3), after_f5(65), pass(0)]),
    );
    let mut torn = file(&[after_f5(-8), after_f5(-4)]);
    torn.truncate(torn.len() - 5);
    env.write("data/phase_01/valid.rd", torn);
    env.write("data/phase_01/metadata.json", "{\"schema\":");
    env.write("data/phase_02/train.rd", "no records");
    std::fs::create_dir_all(env.path("data/phase_02/valid.rd")).unwrap();
    let run = env.run(&["inspect", "data"]);
    assert_eq!(code(&run), 1);
    let said = stderr(&run);
    let expected = [
        "error: data/phase_01/metadata.json cannot be understood: EOF while parsing a value at \
         line 1 column 10",
        "error: data/phase_01/valid.rd, record 1: cut short, 13 of 18 bytes are there",
        "error: data/phase_02/test.rd is missing",
        "error: data/phase_02/train.rd is not an rdgbitboard_v1 file: it does not begin with \
         RDGBBVAL1",
        "error: cannot read data/phase_02/valid.rd: is a directory; a folder stands where a file \
         should be",
        "error: data/phase_01/train.rd, record 1: 1 squares are held by both sides; 2 more are \
         broken too, see rdg verify",
    ];
    assert_eq!(said.lines().collect::<Vec<_>>(), expected);
    // 1 and 3 of train, -8 of valid, 9 of test.
    let run = env.run(&["inspect", "data", "--json"]);
    let found: Value = serde_json::from_str(&stdout(&run)).unwrap();
    let total = &found["inspected"][0]["total"];
    assert_eq!(
        (&total["records"], &total["broken_records"]),
        (&7.into(), &3.into())
    );
    assert_eq!(total["value"]["mean"], 1.25);
    // A broken record that is asked for is shown as far as it can be.
    let run = env.run(&["inspect", "data/phase_01/train.rd", "--record", "1"]);
    assert_eq!(code(&run), 1);
    assert!(
        stdout(&run).contains("Own discs 0000000018000000"),
        "{}",
        stdout(&run)
    );
}

#[test]
fn names_that_are_no_text_cannot_steer_a_terminal() {
    let env = Env::new();
    let path = no_text(&env);
    std::fs::write(&path, file(&[after_f5(1)])).unwrap();
    for more in [&[][..], &["--record", "0"], &["--json"]] {
        let mut command = env.rdg();
        let run = command
            .arg("inspect")
            .arg(&path)
            .args(more)
            .output()
            .unwrap();
        assert_eq!(code(&run), 0, "{}", stderr(&run));
        assert!(!stdout(&run).contains('\x1b'));
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let env = Env::new();
    let path = env.write("big.rd", file(&vec![after_f5(1); 5000]));
    for args in [
        &["inspect"][..],
        &["inspect", "--sample", "5000"],
        &["inspect", "--json"],
    ] {
        let run = unread(&env, args, &path);
        assert_eq!((code(&run), stderr(&run)), (0, String::new()), "{args:?}");
    }
}

#[test]
fn block_characters_only_where_the_locale_has_them() {
    let env = Env::new();
    phase_1(&env);
    let text = |lang: &str, more: &[&str]| {
        let mut command = env.rdg();
        command
            .env_remove("LC_ALL")
            .env_remove("LC_CTYPE")
            .env("LANG", lang);
        stdout(
            &command
                .arg("inspect")
                .arg("data")
                .args(more)
                .output()
                .unwrap(),
        )
    };
    assert!(text("C", &[]).is_ascii());
    assert!(text("ja_JP.UTF-8", &["--no-emoji"]).is_ascii());
    let blocks = text("ja_JP.UTF-8", &[]);
    assert!(blocks.contains('█'));
    assert!(
        blocks.lines().all(|line| line.chars().count() < 80),
        "{blocks}"
    );
}

#[test]
fn words_that_make_no_sense_are_usage_errors() {
    let env = Env::new();
    phase_1(&env);
    for args in [
        &["inspect"][..],
        &["inspect", "data", "--sample", "0"],
        &["inspect", "data", "--sample", "-1"],
        &["inspect", "data", "--sample", "99999999999"],
        &["inspect", "data", "--seed", "1"],
        &["inspect", "data", "--record", "-1"],
        &[
            "inspect",
            "data/phase_01/train.rd",
            "--record",
            "1",
            "--sample",
            "1",
        ],
        &["inspect", "data", "--record", "1"],
    ] {
        let run = env.run(args);
        assert_eq!((code(&run), stdout(&run)), (2, String::new()), "{args:?}");
        assert!(stderr(&run).starts_with("error: "), "{}", stderr(&run));
    }
}
