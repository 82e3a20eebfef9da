//! `rdg analyze` as a user meets it.

use crate::common::dataset::{Config, records};
use crate::common::{Env, code, stderr, stdout};
use serde_json::Value;

/// Black to move with a1 to take, 14 empties. Read to the end of the game it is a draw, and every
/// other move loses by six discs or more.
const CORNER: &str = "-OX-O--- -XXXOO-X OOOOOOX- OOOXOO-X OOXOXOX- OOOXXXOO OO-XX-X- O-OXXXXX X";

fn json(env: &Env, args: &[&str]) -> Value {
    let run = env.run(&[&["analyze", "--json"], args].concat());
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    serde_json::from_str(&stdout(&run)).expect("stdout is JSON and nothing else")
}

#[test]
fn the_four_first_moves_have_equal_scores() {
    let env = Env::new();
    for args in [
        &["--level", "5"][..],
        &["--depth", "4"],
        &["--engine", "builtin:7"],
    ] {
        let found = json(&env, args);
        let moves = found["moves"].as_array().unwrap();
        assert_eq!(moves.len(), 4);
        for mv in moves {
            assert_eq!(mv["score"], moves[0]["score"], "{args:?}: {found}");
            assert_eq!(mv["best"], true);
        }
        assert_eq!(found["discs"]["empty"], 60);
        assert_eq!(found["evaluation"]["kind"], "patterns");
        assert_eq!(found["evaluation"]["stage"], 1);
    }
}

#[test]
fn a_corner_to_take_comes_first() {
    let env = Env::new();
    for depth in ["1", "2", "4", "14"] {
        let found = json(&env, &["--depth", depth, CORNER]);
        assert_eq!(found["moves"][0]["move"], "a1", "depth {depth}: {found}");
        let scores: Vec<f64> = found["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(|mv| mv["score"].as_f64().unwrap())
            .collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    }
}

/// Every move's score is its own value, not a bound: each equals the value of the position after
/// it, asked for by itself.
#[test]
fn each_score_is_that_of_the_position_behind_it() {
    let env = Env::new();
    let found = json(&env, &["--depth", "4", "f5d6c3d3c4"]);
    for mv in found["moves"].as_array().unwrap() {
        let moves = format!("f5d6c3d3c4{}", mv["move"].as_str().unwrap());
        let reply = json(&env, &["--depth", "3", &moves]);
        let best = reply["moves"][0]["score"].as_f64().unwrap();
        assert_eq!(mv["score"].as_f64().unwrap(), -best + 0.0, "{moves}");
    }
}

#[test]
fn scores_near_the_end_are_exact_and_marked_so() {
    let env = Env::new();
    // White's last disc goes with c5.
    let found = json(&env, &["e6f4e3f6g5d6e7f5", "--depth", "3"]);
    assert_eq!(found["moves"][0]["move"], "c5");
    assert_eq!(found["moves"][0]["score"], 64.0);
    let over = json(&env, &["e6f4e3f6g5d6e7f5c5"]);
    assert_eq!(over["game_over"], true);
    assert_eq!(over["moves"].as_array().unwrap().len(), 0);
}

#[test]
fn the_picture_is_readable_without_colours() {
    let env = Env::new();
    let run = env.run(&["analyze", CORNER, "--depth", "3"]);
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    let text = stdout(&run);
    assert!(!text.contains('\x1b'));
    let row = text.lines().nth(1).unwrap();
    assert!(row.starts_with("1 [+"), "{text}");
    for part in [
        "Black (X) to move",
        "Discs: Black",
        "Evaluation by patterns, stage 7 of 9",
        "edge with both X squares",
        "legal moves",
        "sum",
        "depth 3",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn words_may_be_given_apart_and_options_anywhere() {
    let env = Env::new();
    let together = json(&env, &["--depth", "2", "f5d6c3"]);
    assert_eq!(together, json(&env, &["f5", "d6", "c3", "--depth", "2"]));
    let squares = together["position"].as_str().unwrap();
    let as_position = json(&env, &[squares, "O", "--depth", "2"]);
    assert_eq!(as_position["moves"], together["moves"]);
}

#[test]
fn a_pass_is_said() {
    let env = Env::new();
    // White has no disc beyond Black's; Black could take b1 from c1.
    let position = "XO------ -------- -------- -------- -------- -------- -------- -------- O";
    let found = json(&env, &[position]);
    assert_eq!(found["must_pass"], true);
    let run = env.run(&["analyze", position]);
    assert!(
        stdout(&run).contains("White (O) has no move and must pass"),
        "{}",
        stdout(&run)
    );
}

#[test]
fn records_of_a_dataset_are_shown_by_number() {
    let env = Env::new();
    let mut bytes = b"RDGBBVAL1\n".to_vec();
    // The start position with value 4.
    bytes.extend(0x0000_0008_1000_0000u64.to_le_bytes());
    bytes.extend(0x0000_0010_0800_0000u64.to_le_bytes());
    bytes.extend(4i16.to_le_bytes());
    env.write("a.rd", &bytes);
    let found = json(&env, &["--file", "a.rd", "--record", "0", "--depth", "1"]);
    assert_eq!(found["recorded_value"], 4);
    assert_eq!(found["moves"].as_array().unwrap().len(), 4);
    assert_eq!(found["recorded_rule"], Value::Null);
}

#[test]
fn the_rule_of_a_dataset_is_told_with_its_value() {
    for (rule, name, words) in [
        ("plain", "plain_disc_difference", "count for nobody"),
        (
            "winner_takes_empties",
            "winner_takes_empties",
            "the winner takes",
        ),
    ] {
        let env = Env::new();
        Config::new("50").samples(3).score_rule(rule).generate(&env);
        let file = ["train", "valid", "test"]
            .map(|split| format!("out/phase_50/{split}.rd"))
            .into_iter()
            .find(|file| std::fs::metadata(env.path(file)).unwrap().len() > 18)
            .unwrap();
        let args = ["--file", &file, "--record", "0", "--depth", "1"];
        assert_eq!(json(&env, &args)["recorded_rule"], name);
        let run = env.run(&[&["analyze"][..], &args].concat());
        assert!(stdout(&run).contains(words), "{}", stdout(&run));
    }
}

#[test]
fn learned_weights_value_positions() {
    let env = Env::new();
    // Only a1 counts, and counts against its owner.
    env.write(
        "w.txt",
        "-9 0 0 0 0 0 0 0\n".to_owned() + &"0 0 0 0 0 0 0 0\n".repeat(7),
    );
    let found = json(&env, &[CORNER, "--weights", "w.txt", "--depth", "1"]);
    let moves = found["moves"].as_array().unwrap();
    assert_eq!(moves.last().unwrap()["move"], "a1");
    // Black does not hold a1 yet.
    let evaluation = &found["evaluation"];
    assert_eq!(evaluation["kind"], "square_weights");
    assert_eq!(evaluation["discs"], 0.0);
    // After a1, which costs all there is; White sees it the other way round.
    let taken = CORNER.replacen('-', "X", 1).replace("X X", "X O");
    let found = json(&env, &[&taken, "--weights", "w.txt", "--depth", "1"]);
    let evaluation = &found["evaluation"];
    assert_eq!(evaluation["shares"][0]["opponent"], -9.0, "{found}");
    assert_eq!(evaluation["shares"][0]["own"], 0.0);
    assert_eq!(evaluation["discs"], 64.0);
}

/// What is shown is what plays: a search of one ply without its search.
#[test]
fn the_evaluation_shown_is_the_one_that_plays() {
    let env = Env::new();
    let found = json(&env, &["--depth", "1", "f5d6c3d3c4f4f6f3e6e7"]);
    for mv in found["moves"].as_array().unwrap() {
        let moves = format!("f5d6c3d3c4f4f6f3e6e7{}", mv["move"].as_str().unwrap());
        let after = json(&env, &["--depth", "1", &moves]);
        let said = after["evaluation"]["discs"].as_f64().unwrap();
        assert_eq!(mv["score"].as_f64().unwrap(), 0.0 - said, "{moves}");
    }
}

#[test]
fn faults_are_one_sentence_with_exit_code_2() {
    let env = Env::new();
    env.write("junk.rd", "junk");
    env.write("bad.txt", "1 2 3");
    let cases: [(&[&str], &[&str]); 9] = [
        (&["f5a1"], &["illegal move a1 at move 2"]),
        (&["hello"], &["`hello` is neither a position nor a game"]),
        (&["x--x"], &["neither a position nor a game"]),
        (&["--file", "junk.rd"], &["junk.rd", "RDGBBVAL1"]),
        (&["--file", "none.rd"], &["none.rd", "cannot read"]),
        (&["--engine", "edx"], &["app.toml", "--app-config"]),
        (&["--engine", "a b"], &["`a b` is not an engine"]),
        (&["--engine", "builtin:61"], &["61"]),
        (&["--record", "3"], &["--file"]),
    ];
    for (args, parts) in cases {
        let run = env.run(&[&["analyze"], args].concat());
        let message = stderr(&run);
        assert_eq!(code(&run), 2, "{args:?}: {message}");
        for part in parts {
            assert!(message.contains(part), "{args:?}: {message}");
        }
        assert_eq!(stdout(&run), "");
    }
    let run = env.run(&["analyze", "--weights", "bad.txt"]);
    assert!(stderr(&run).contains("bad.txt") && stderr(&run).contains("3 numbers"));
    assert_ne!(code(&run), 0);
}

/// What import reads, typed, pasted, or from standard input.
#[test]
fn every_spelling_of_a_position_is_understood() {
    let env = Env::new();
    let start = "---------------------------O*------*O---------------------------";
    let board = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *";
    let analysis = |text: &str| {
        let found = json(&env, &["--level", "1", text]);
        let run = env.run_with_input(&["analyze", "--json", "--level", "1", "-"], text);
        assert_eq!(code(&run), 0, "{text}: {}", stderr(&run));
        let read: Value = serde_json::from_str(&stdout(&run)).unwrap();
        assert_eq!(read["moves"], found["moves"], "{text}");
        assert_eq!(read["discs"], found["discs"], "{text}");
        found
    };
    let expected = analysis("f5d6c3");
    for text in [
        "1. f5 d6 2. c3".to_owned(),
        "f5-d6-c3".to_owned(),
        "F5,D6,C3".to_owned(),
        format!("{start} * F5D6C3"),
        format!("{board} f5 d6 c3"),
        "(;GM[2]SZ[8];B[f5];W[d6];B[c3])".to_owned(),
        "[Event \"x\"]\r\n\r\n1. f5 d6 2. c3 *\r\n".to_owned(),
    ] {
        assert_eq!(analysis(&text)["moves"], expected["moves"], "{text}");
    }
    let expected = analysis("");
    for text in [
        board.to_owned(),
        format!("[{board}]"),
        format!("{start} X; f5:+0"),
    ] {
        assert_eq!(analysis(&text)["moves"], expected["moves"], "{text}");
    }
    // The first problem of a well-known collection, as its file has it.
    let line = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38";
    assert_eq!(analysis(line)["discs"]["empty"], 20);
}

#[test]
fn junk_on_standard_input_is_one_sentence() {
    let env = Env::new();
    for (text, words) in [
        ("hello", "neither a position nor a game"),
        ("f5f5", "illegal move f5"),
        ("f5d6 hello", "is not a move"),
    ] {
        let run = env.run_with_input(&["analyze", "-"], text);
        assert_ne!(code(&run), 0, "{text:?}");
        assert!(stdout(&run).is_empty());
        assert!(stderr(&run).contains(words), "{}", stderr(&run));
        assert_eq!(stderr(&run).trim().lines().count(), 1, "{}", stderr(&run));
    }
}

#[test]
fn score_labels_are_what_the_engine_says_when_it_is_to_move() {
    let env = Env::new();
    let config = Config::new("38")
        .samples(40)
        .score_rule("winner_takes_empties");
    config.generate(&env);
    let run = env.run(&[
        "label",
        "out",
        "--engine",
        "builtin:4",
        "--output",
        "scored",
    ]);
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    let path = env.path("scored/phase_38/train.rd");
    for (number, record) in records(&env.path("scored"), 38, "train").iter().enumerate() {
        let (path, number) = (path.to_str().unwrap(), number.to_string());
        let said = json(&env, &["--file", path, "--record", &number, "--level", "4"]);
        let Some(score) = said["choice"]["score"].as_f64() else {
            // A pass: the value is that of the position behind it.
            assert_eq!(said["must_pass"], true, "{said}");
            continue;
        };
        let rounded = (score * 100.0).round() / 100.0;
        assert_eq!(f64::from(record.value), rounded.round(), "{number}: {said}");
    }
}
