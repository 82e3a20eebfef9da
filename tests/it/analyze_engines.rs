//! `rdg analyze --engine`: scores of other engines, good and bad.

use crate::bad_engines::harness::{assert_no_process_is_left, bad_engine, executable};
use crate::common::{Env, code, stderr, stdout};
use serde_json::{Value, json};

/// Fourteen empty squares, and one with eight.
const LATE: &str = "-OX-O--- -XXXOO-X OOOOOOX- OOOXOO-X OOXOXOX- OOOXXXOO OO-XX-X- O-OXXXXX X";
const END: &str = "XXXXXXXXXXXXXXXOXXXOOXOOXXXOXO-OXOOXOOOOXOOOOXO-X-OOOOXX----OXXX X";

/// Writes app.toml with one engine.
fn app(env: &Env, name: &str, entry: &str) {
    env.write(
        "configs/app.toml",
        format!("setup = \"off\"\n[engines.{name}]\n{entry}\n"),
    );
}

/// Each move with its score, depth and continuation, best first.
fn scores(env: &Env, engine: &str, position: &str) -> Vec<Value> {
    let output = env.run(&["analyze", "--json", "--engine", engine, position]);
    assert_eq!(code(&output), 0, "{engine}: {}", stderr(&output));
    let found: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let moves = found["moves"].as_array().unwrap().iter();
    moves
        .map(|mv| json!([mv["move"], mv["score"], mv["depth"], mv["line"]]))
        .collect()
}

#[test]
fn engine_processes_give_the_scores_that_the_engine_gives_itself() {
    let own = assert_cmd::cargo::cargo_bin!("rdg");
    let env = Env::new();
    let own = own.display();
    let nboard = format!(
        "kind = \"nboard\"\nbinary = \"{own}\"\nargs = [\"engine\", \"nboard\", \"--level\", \
         \"{{level}}\"]"
    );
    // Started as Edax is, with the level behind `-l`.
    let script = format!(
        "#!/bin/sh\nwhile [ \"$1\" != -l ]; do shift; done\nexec '{own}' engine nboard --level \"$2\"\n"
    );
    executable(&env, "edax", script);
    let edax = "kind = \"edax\"\nbinary = \"../edax\"".to_owned();
    for entry in [nboard, edax] {
        app(&env, "child", &entry);
        let mut fractions = 0;
        for (level, position) in [
            (4, "f5"),
            (4, "f5d6c3d3c4f4"),
            (5, "f5f6e6f4f3d6c4d3f7g6d2"),
            (5, LATE),
            (5, END),
        ] {
            let expected = scores(&env, &format!("builtin:{level}"), position);
            let found = scores(&env, &format!("child:{level}"), position);
            assert_eq!(found, expected, "{entry}: {position}");
            let fraction = |mv: &&Value| mv[1].as_f64().unwrap().fract() != 0.0;
            fractions += found.iter().filter(fraction).count();
        }
        assert!(fractions > 0, "nothing is rounded");
    }
    // Two engines agree on it: the best is worth 42, with seven squares left.
    assert_eq!(scores(&env, "child:5", END)[0][1], 42.0);
}

#[test]
fn the_least_that_the_protocol_asks_for_is_enough() {
    let env = Env::new();
    app(&env, "bad", &bad_engine(&env, "hints-bare", "nboard"));
    // Its scores grow from a1 to h8, and with the depth.
    let found = scores(&env, "bad", "f5d6c3d3c4f4");
    let count = found.len();
    assert_eq!(found[0][1].as_f64(), Some(2.0 * (count as f64 - 1.0) + 0.5));
    assert_eq!(found[count - 1][1].as_f64(), Some(0.5));
    assert!(found.iter().all(|mv| mv[2] == 2), "the last depth counts");
    assert_no_process_is_left(&env, "hints-bare");
}

#[test]
fn an_engine_without_usable_scores_is_one_sentence() {
    for (fault, kind, words) in [
        ("well-behaved", "nboard", "cannot score moves"),
        ("no-status", "nboard", "cannot score moves"),
        ("well-behaved", "gtp", "cannot score moves"),
        (
            "hints-nonsense",
            "nboard",
            "`search nothing 1 0 5` is not a move with its score and depth",
        ),
        ("hints-no-number", "nboard", "NaN 0 5` is not a move"),
        ("hints-illegal", "nboard", "illegal move d4"),
        ("hints-too-few", "nboard", "it scored 1 of "),
        ("hints-hang", "nboard", "did not answer within 1s"),
        ("hints-exit", "nboard", "scoring moves: exit code 4"),
    ] {
        let env = Env::new();
        let mut entry = bad_engine(&env, fault, kind);
        if words.contains("did not answer") {
            entry += "\ntimeout = \"1s\"";
        }
        app(&env, "bad", &entry);
        let output = env.run(&["analyze", "--engine", "bad", "f5d6c3"]);
        let said = stderr(&output);
        assert_eq!(code(&output), 1, "{kind} {fault}: {said}");
        assert_eq!(stdout(&output), "");
        assert!(said.starts_with("error: engine `bad` "), "{fault}: {said}");
        assert!(said.contains(words), "{kind} {fault}: {said}");
        assert_eq!(said.lines().count(), 1, "{fault}: {said}");
        assert_no_process_is_left(&env, fault);
    }
}
