//! `rdg overlap` as a user meets it, over positions whose images were found by hand.

use crate::common::by_hand::{Row, after_f5, file, hopeless, no_text, over, pass, squares, unread};
use crate::common::dataset::Config;
use crate::common::{Env, code, stderr, stdout};
use serde_json::{Value, json};

fn position(own: &str, opponent: &str) -> Row {
    (squares(own), squares(opponent), 0)
}

/// The first move of the other three kinds leads to images of the position after f5.
fn after_c4() -> Row {
    position("e5", "c4 d4 e4 d5")
}

/// The three positions after two moves, each with an image of it.
fn parallel() -> [Row; 2] {
    let image = position("e4 e5 e6", "d4 d5 d6");
    [position("d5 e5 f5", "d4 e4 f4"), image]
}

fn perpendicular() -> Row {
    position("e4 e5 f5", "d4 d5 d6")
}

fn diagonal() -> [Row; 2] {
    let image = position("e4 d5 e6", "d4 e5 f6");
    [position("e4 d5 f5", "d4 e5 f6"), image]
}

fn phase(env: &Env, folder: &str, files: [&[Row]; 3]) {
    for (name, rows) in ["train", "valid", "test"].into_iter().zip(files) {
        env.write(&format!("{folder}/{name}.rd"), file(rows));
    }
}

fn two_datasets(env: &Env) {
    phase(env, "a/phase_01", [&[after_f5(5)], &[], &[]]);
    phase(
        env,
        "a/phase_02",
        [&[parallel()[0], perpendicular()], &[diagonal()[0]], &[]],
    );
    phase(env, "a/phase_07", [&[pass(1)], &[], &[]]);
    phase(env, "b/phase_01", [&[after_c4()], &[], &[]]);
    phase(env, "b/phase_02", [&[diagonal()[1]], &[parallel()[1]], &[]]);
    phase(env, "b/phase_09", [&[], &[], &[over(-13)]]);
}

fn json(env: &Env, args: &[&str]) -> Value {
    let run = env.run(&[&["overlap", "--json"], args].concat());
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    serde_json::from_str(&stdout(&run)).expect("stdout is JSON and nothing else")
}

#[test]
fn shared_positions_are_counted_per_phase_and_split() {
    let env = Env::new();
    two_datasets(&env);
    let run = env.run(&["overlap", "a", "b"]);
    assert_eq!((code(&run), stderr(&run)), (0, String::new()));
    let text = stdout(&run);
    let words: Vec<String> = text
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    for line in [
        "A a: 9 files, 5 records, 5 positions",
        "B b: 9 files, 4 records, 4 positions",
        "phase A B shared of A of B train valid test crossed",
        "1 1 1 1 100% 100% 1 0 0 0",
        "2 3 2 2 66.7% 100% 0 0 0 2",
        "7 1 0 0 0% 0% 0 0 0 0",
        "9 0 1 0 0% 0% 0 0 0 0",
        "all 5 4 3 60.0% 75.0% 1 0 0 2",
        "Only in A: phase 7",
        "Only in B: phase 9",
        "B train B valid B test",
        "A train 1 1 0",
        "A valid 1 0 0",
        "A test 0 0 0",
        "Within A no position is there twice.",
        "Within B no position is there twice.",
    ] {
        assert!(
            words.iter().any(|found| found == line),
            "no `{line}` in\n{text}"
        );
    }
    let found = json(&env, &["a", "b"]);
    assert_eq!(found["schema"], "rdg_overlap_v1");
    assert_eq!(found["phases_only_in_a"], json!([7]));
    assert_eq!(found["phases_only_in_b"], json!([9]));
    let second = &found["phases"][1];
    assert_eq!(second["phase"], 2);
    assert_eq!(
        (&second["shared"], &second["crossed"]),
        (&2.into(), &2.into())
    );
    assert_eq!(second["shared_share_of_b"], 1.0);
    let none = json!({"train": 0, "valid": 0, "test": 0, "other": 0});
    assert_eq!(
        second["shared_by_file"],
        json!({
            "train": {"train": 0, "valid": 1, "test": 0, "other": 0},
            "valid": {"train": 1, "valid": 0, "test": 0, "other": 0},
            "test": none,
            "other": none,
        })
    );
    assert_eq!(found["total"]["shared_share_of_a"], 0.6);
}

#[test]
fn one_side_is_looked_through_by_itself() {
    let env = Env::new();
    let [one, image] = parallel();
    phase(
        &env,
        "c/phase_02",
        [&[one, image, perpendicular()], &[one], &[diagonal()[0]]],
    );
    let found = json(&env, &["c"]);
    assert_eq!(found["b"], Value::Null);
    let a = &found["total"]["a"];
    assert_eq!((&a["records"], &a["positions"]), (&5.into(), &3.into()));
    assert_eq!(
        a["within"]["train"],
        json!({"valid": 1, "test": 0, "other": 0})
    );
    let text = stdout(&env.run(&["overlap", "c"]));
    assert!(
        text.contains("2 records repeat a position that is there before"),
        "{text}"
    );
    assert!(
        text.contains("1 positions are both in train and in valid"),
        "{text}"
    );
    two_datasets(&env);
    let text = stdout(&env.run(&["overlap", "a"]));
    assert!(text.contains("no position is there twice"), "{text}");
}

#[test]
fn who_is_to_move_and_where_a_file_lies_make_their_difference() {
    let env = Env::new();
    // Three in a line against a corner of three.
    let (own, opponent, value) = perpendicular();
    env.write("x.rd", file(&[perpendicular(), pass(0)]));
    env.write("passed.rd", file(&[(opponent, own, value)]));
    assert_eq!(json(&env, &["x.rd", "passed.rd"])["total"]["shared"], 0);
    // The phase is that of the discs, in files of any name.
    let found = json(&env, &["x.rd", "x.rd"]);
    assert_eq!(found["total"]["shared"], 2);
    let phases: Vec<&Value> = found["phases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| &p["phase"])
        .collect();
    assert_eq!(phases, [&json!(2), &json!(7)]);
    assert_eq!(found["total"]["shared_by_file"]["other"]["other"], 2);
}

#[test]
fn more_than_the_memory_holds_is_counted_in_several_passes() {
    let env = Env::new();
    // c4 has no image but its own under a symmetry that keeps it, so that different opponents'
    // discs make different positions.
    let own = squares("c4 d4 e4 d5 e5");
    let rows = |numbers: std::ops::Range<u64>| numbers.map(move |n| (own, n, 0));
    let mirrored = |(own, opponent, value): Row| {
        let mirror = |set: u64| {
            let rows = set.to_le_bytes().map(u8::reverse_bits);
            u64::from_le_bytes(rows)
        };
        (mirror(own), mirror(opponent), value)
    };
    let a: Vec<Row> = rows(0..70_000).collect();
    let b: Vec<Row> = rows(40_000..110_000).map(mirrored).collect();
    env.write("a.rd", file(&a));
    env.write("b.rd", file(&b));
    let once = json(&env, &["a.rd", "b.rd"]);
    assert_eq!(once["total"]["shared"], 30_000);
    assert_eq!(once["total"]["a"]["positions"], 70_000);
    assert_eq!(json(&env, &["a.rd", "b.rd", "--memory", "1"]), once);
}

#[test]
fn generated_data_has_no_position_twice_and_all_of_itself() {
    let env = Env::new();
    Config::new("20..22")
        .samples(50)
        .window(3)
        .split(0.6, 0.2, 0.2)
        .generate(&env);
    let found = json(&env, &["out", "out"]);
    let total = &found["total"];
    assert_eq!(
        (&total["shared"], &total["crossed"]),
        (&150.into(), &0.into())
    );
    assert_eq!(total["a"]["positions"], total["a"]["records"]);
    let found = json(&env, &["out/phase_20", "out/phase_21/train.rd"]);
    assert_eq!(found["total"]["shared"], 0);
}

/// A game's samples stay together by game, and lie beside each other in different splits by position.
#[test]
fn positions_a_move_away_from_train_are_counted() {
    let test_positions = |by: &'static str| {
        let env = Env::new();
        let config = Config::new("20..24").samples(60).window(5);
        config.split(0.5, 0.2, 0.3).split_by(by).generate(&env);
        let found = json(&env, &["out"]);
        let rows = found["a"]["one_move_away"].as_array().unwrap();
        let row = rows.iter().find(|row| row["split"] == "test").unwrap();
        let number = |value: &Value| value.as_u64().unwrap();
        let text = stdout(&env.run(&["overlap", "out"]));
        let words = format!(
            "Within it {} of {} positions of test",
            row["neighbours"]["train"], row["drawn"]
        );
        assert!(text.contains(&words), "{text}");
        (
            number(&row["drawn"]),
            number(&row["neighbours"]["train"]),
            number(&row["neighbours"]["test"]),
        )
    };
    let (drawn, in_train, in_test) = test_positions("game");
    assert!(in_train * 20 < drawn, "{in_train} of {drawn}");
    assert!(in_test * 10 > drawn * 9, "{in_test} of {drawn}");
    // Each neighbour before and after is in train with a chance of a half.
    let (drawn, in_train, _) = test_positions("position");
    assert!(in_train * 2 > drawn, "{in_train} of {drawn}");
}

#[test]
fn what_cannot_be_read_is_said() {
    let env = Env::new();
    two_datasets(&env);
    for (path, reason) in hopeless(&env) {
        for is_first in [true, false] {
            let mut command = env.rdg();
            command.arg("overlap");
            let run = match is_first {
                true => command.arg(&path).arg("a").output().unwrap(),
                false => command.arg("a").arg(&path).output().unwrap(),
            };
            let said = stderr(&run);
            assert_eq!(code(&run), 1, "{path:?}");
            assert_eq!(said.lines().count(), 1, "{path:?}: {said}");
            assert!(
                said.starts_with("error: ") && said.contains(reason),
                "{path:?}: {said}"
            );
        }
    }
    // Both at once are told at once.
    let run = env.run(&["overlap", "nothing", "nowhere"]);
    assert_eq!((code(&run), stderr(&run).lines().count()), (1, 2));
}

#[test]
fn broken_records_are_left_out_and_said() {
    let env = Env::new();
    two_datasets(&env);
    let overlapping = position("d4 e4", "e4 d5 e5 f5");
    let few = position("d4", "e5");
    let mut torn = file(&[overlapping, few, after_f5(999), pass(0), over(0)]);
    torn.truncate(torn.len() - 1);
    env.write("broken.rd", torn);
    let run = env.run(&["overlap", "broken.rd", "a"]);
    assert_eq!(code(&run), 1);
    let expected = [
        "error: broken.rd, record 4: cut short, 17 of 18 bytes are there",
        "error: broken.rd, record 0: 1 squares are held by both sides; another record is broken \
         too, see rdg verify",
    ];
    assert_eq!(stderr(&run).lines().collect::<Vec<_>>(), expected);
    let run = env.run(&["overlap", "broken.rd", "a", "--json"]);
    let found: Value = serde_json::from_str(&stdout(&run)).unwrap();
    assert_eq!(
        (&found["sound"], &found["total"]["shared"]),
        (&false.into(), &2.into())
    );
    assert_eq!(found["damage"].as_array().unwrap().len(), 2);
}

#[test]
fn names_that_are_no_text_and_readers_that_go_away() {
    let env = Env::new();
    two_datasets(&env);
    let path = no_text(&env);
    std::fs::write(&path, file(&[after_f5(1)])).unwrap();
    for more in [&[][..], &["--json"]] {
        let run = env
            .rdg()
            .arg("overlap")
            .arg(&path)
            .arg("a")
            .args(more)
            .output()
            .unwrap();
        assert_eq!(code(&run), 0, "{}", stderr(&run));
        assert!(!stdout(&run).contains('\x1b'));
    }
    let run = unread(&env, &["overlap", "a"], &env.path("b"));
    assert_eq!((code(&run), stderr(&run)), (0, String::new()));
}

#[test]
fn words_that_make_no_sense_are_usage_errors() {
    let env = Env::new();
    two_datasets(&env);
    for args in [
        &["overlap"][..],
        &["overlap", "a", "b", "a"],
        &["overlap", "a", "--memory", "0"],
        &["overlap", "a", "--memory", "-1"],
    ] {
        let run = env.run(args);
        assert_eq!((code(&run), stdout(&run)), (2, String::new()), "{args:?}");
    }
}
