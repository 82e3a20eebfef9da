//! `rdg engine`: what others see of the embedded engine over NBoard and GTP.

use crate::common::{Env, code, stderr, stdout};
use std::io::{BufRead, BufReader, Write};
use std::process::{Output, Stdio};

/// Everything that the engine answers to `input`, which ends with the end of file.
fn converse(args: &[&str], input: &str) -> Output {
    Env::new().run_with_input(&[&["engine"], args].concat(), input)
}

#[test]
fn nboard_answers_as_edax_does() {
    let output = converse(
        &["nboard", "--level", "3"],
        "nboard 1\nping 7\ngame (;GM[Othello];)\nmove f5\nmove a1\ngo\nset depth 4\nfoo\n",
    );
    assert_eq!(code(&output), 0);
    let said = stdout(&output);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "pong 7");
    assert_eq!(lines[1], "status rdg is thinking");
    // After f5 White has three moves.
    let answer: Vec<&str> = lines[2].split(' ').collect();
    let &["===", mv, score, time] = &answer[..] else {
        panic!("{said}");
    };
    assert!(["d6", "f4", "f6"].contains(&mv), "{said}");
    for (number, digits) in [(score, 2), (time, 1)] {
        let (whole, rest) = number.split_once('.').unwrap();
        assert!(
            whole.parse::<i32>().is_ok() && rest.len() == digits,
            "{said}"
        );
    }
    assert_eq!(lines[3..], ["status rdg is waiting", "set myname rdg4"]);
    assert_eq!(
        stderr(&output),
        "Error: Cannot parse move \"a1\"\nError: unknown command \"foo\" \"\"\n"
    );
}

#[test]
fn nboard_passes_and_scores() {
    let passing = "***************O***OO*OO***O*O-O*OO*OOOO*OOOO*O-*-OOOO**----O***";
    let over = "***************************************************************-";
    let output = converse(
        &["nboard", "--level", "8"],
        &format!(
            "game (;GM[Othello]BO[8 {passing} O];)\ngo\nhint 5\nmove pa\nhint 60\n\
             game (;GM[Othello]BO[8 {over} *];)\ngo\n"
        ),
    );
    let said = stdout(&output);
    let lines: Vec<&str> = said
        .lines()
        .filter(|line| !line.starts_with("status"))
        .collect();
    assert!(lines[0].starts_with("=== pa"), "{said}");
    assert!(lines.last().unwrap().starts_with("=== --"), "{said}");
    // Two engines agree on it: Black's best is worth 42, with seven squares left.
    let scores = &lines[1..lines.len() - 1];
    let words: Vec<&str> = scores[0].split(' ').collect();
    assert_eq!((words[0], words[2]), ("search", "42"), "{said}");
    assert_eq!(stderr(&output), "");
}

/// The score of each answer to `go`; `None` where it has none.
fn scores_of_moves(level: &str, input: &str) -> Vec<Option<f64>> {
    let output = converse(&["nboard", "--level", level], input);
    assert_eq!(stderr(&output), "");
    let said = stdout(&output);
    let answers = said.lines().filter_map(|line| line.strip_prefix("=== "));
    answers
        .map(|answer| match answer.contains('/') {
            true => None,
            false => Some(answer.split(' ').nth(1).unwrap().parse().unwrap()),
        })
        .collect()
}

#[test]
fn moves_come_with_the_score_for_the_side_to_move() {
    // Edax 4.6 plays it so: Black wins by 44 from here on, and White passes after a1.
    let game = "e6d6c3f4d7c5g4g3c4g5b5c7f5a5a6d8a4f7f6d3h4c2e7e3g6f8b4b3e2h5b6f3h6g7c6a7d2d1c1b1\
                a8f2b8a3b7c8a2e1h8h7g8h3e8b2";
    let mut moves: String = (0..game.len() / 2)
        .map(|at| format!("move {}\n", &game[2 * at..2 * at + 2]))
        .collect();
    moves.insert_str(0, "game (;GM[Othello];)\n");
    let (black, white) = (Some(44.0), Some(-44.0));
    // In one game, where later answers follow from the first search, and each on its own.
    let played = format!("{moves}go\nmove a1\ngo\nmove pa\ngo\nmove h2\ngo\n");
    assert_eq!(scores_of_moves("8", &played), [black, None, black, white]);
    let last = format!("{moves}move a1\nmove pa\nmove h2\ngo\n");
    assert_eq!(scores_of_moves("8", &last), [white]);
    // A drawn move has no score.
    assert_eq!(scores_of_moves("0", &last), [None]);
}

#[test]
fn gtp_numbers_its_answers() {
    let output = converse(
        &["gtp", "--level", "1"],
        "1 name\n\n# nothing\n2 play b f5\n3 play b f6\n4 genmove B\n5 reg_genmove w\n6 play W PASS\n\
         7 frobnicate\n8 boardsize 10\n9 known_command genmove\n10 quit\n11 name\n",
    );
    assert_eq!(code(&output), 0);
    let said = stdout(&output);
    let answers: Vec<&str> = said.split_terminator("\n\n").collect();
    assert_eq!(answers.len(), 10, "{said}");
    assert_eq!(answers[0], "=1 rdg");
    assert_eq!(answers[1], "=2");
    assert!(answers[2].starts_with("?3 illegal move"));
    assert!(answers[3].starts_with("?4 "), "White is to move and can");
    assert!(["=5 D6", "=5 F4", "=5 F6"].contains(&answers[4]), "{said}");
    assert!(answers[5].starts_with("?6 "), "no pass where a move exists");
    assert_eq!(
        answers[6..9],
        ["?7 unknown command", "?8 unacceptable size", "=9 true"]
    );
    assert_eq!(answers[9], "=10");
    assert_eq!(stderr(&output), "");
}

#[test]
fn gtp_passes_are_played_or_inferred() {
    let passing = "XXXXXXXXXXXXXXXOXXXOOXOOXXXOXO-OXOOXOOOOXOOOOXO-X-OOOOXX----OXXX";
    let output = converse(
        &["gtp", "--level", "8"],
        &format!(
            "rdg-setup_board {passing} O\nreg_genmove w\ngenmove w\ngenmove b\n\
             rdg-setup_board {passing} O\ngenmove b\n\
             rdg-setup_board {passing} O\nplay w pass\nreg_genmove b\nrdg-setup_board X\n"
        ),
    );
    let said = stdout(&output);
    let answers: Vec<&str> = said.split_terminator("\n\n").collect();
    assert_eq!(answers[1..3], ["= PASS", "= PASS"]);
    let best = answers[3];
    assert_eq!(answers[5], best, "the pass is inferred");
    assert_eq!(answers[8], best, "the pass was played");
    assert!(answers[9].starts_with("? syntax error"));
}

#[test]
fn a_search_ends_when_told_to() {
    let env = Env::new();
    let mut child = env
        .rdg()
        .args(["engine", "nboard", "--level", "60"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || answers.next().unwrap().unwrap();
    for word in ["stop", "ping 3", "quit"] {
        stdin
            .write_all(b"game (;GM[Othello];)\nmove f5\ngo\n")
            .unwrap();
        assert_eq!(next(), "status rdg is thinking");
        writeln!(stdin, "{word}").unwrap();
        assert!(next().starts_with("=== "), "{word}");
        assert_eq!(next(), "status rdg is waiting");
        if word == "ping 3" {
            assert_eq!(next(), "pong 3");
        }
    }
    assert!(child.wait().unwrap().success());
}

#[test]
fn nobody_listens_nobody_thinks() {
    let env = Env::new();
    let mut child = env
        .rdg()
        .args(["engine", "nboard", "--level", "60"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin
        .write_all(b"game (;GM[Othello];)\nmove f5\ngo\n")
        .unwrap();
    let mut line = String::new();
    let mut answers = BufReader::new(child.stdout.take().unwrap());
    answers.read_line(&mut line).unwrap();
    assert_eq!(line, "status rdg is thinking\n");
    // As when the driver is killed.
    drop((stdin, answers));
    assert!(child.wait().unwrap().success());
}

#[test]
fn faulty_settings_are_usage_errors() {
    for args in [
        &["nboard", "--level", "61"][..],
        &["gtp", "--eval", "no/such/file"],
        &["uci"],
        &["gtp", "--threads", "0"],
        &[],
    ] {
        let output = converse(args, "");
        assert_eq!(code(&output), 2, "{args:?}");
        assert_eq!(stdout(&output), "");
        assert!(
            stderr(&output).starts_with("error: "),
            "{}",
            stderr(&output)
        );
    }
}

#[test]
fn junk_is_survived() {
    let mut junk = vec![b'x'; 1 << 20];
    junk.extend(b"\n\0\xff\xfe\r\n\r\nping 1\r\n");
    for protocol in ["nboard", "gtp"] {
        let env = Env::new();
        let mut child = env
            .rdg()
            .args(["engine", protocol, "--level", "0"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(&junk).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(code(&output), 0, "{protocol}");
        assert_eq!(stdout(&output).contains("pong 1"), protocol == "nboard");
    }
}

#[test]
fn both_versions_of_nboard_are_served_without_a_complaint() {
    let start = "---------------------------O*------*O---------------------------";
    let game = format!("set game (;GM[Othello]PC[x]TY[8]BO[8 {start} *];)\n");
    for (version, extra, mv) in [
        (
            2,
            "set depth 1\nset contempt 0\nset whatever else\n",
            "move F5//1.0",
        ),
        (2, "", "move f5"),
        (1, "", "F5"),
        (1, "", "F5/0.00/0.5"),
    ] {
        let input = format!("nboard {version}\n{extra}{game}{mv}\nping 2\ngo\nquit\n");
        let output = converse(&["nboard", "--level", "1"], &input);
        assert_eq!((code(&output), stderr(&output)), (0, String::new()), "{mv}");
        let said = stdout(&output);
        let answer = said.lines().find_map(|line| line.strip_prefix("=== "));
        let answer = answer.unwrap_or_else(|| panic!("{said}"));
        // What White can answer to f5.
        assert!(["d6", "f4", "f6"].contains(&&answer[..2]), "{mv}: {said}");
    }
    // White has to pass.
    let passing = "***************O***OO*OO***O*O-O*OO*OOOO*OOOO*O-*-OOOO**----O***";
    for pass in ["PA", "move PA", "move pass"] {
        let game = format!("set game (;GM[Othello]BO[8 {passing} O];)\n");
        let input = format!("nboard 2\n{game}{pass}\ngo\n");
        let output = converse(&["nboard", "--level", "1"], &input);
        assert_eq!(stderr(&output), "", "{pass}");
        let said = stdout(&output);
        let answer = said.lines().find(|line| line.starts_with("=== "));
        assert_ne!(answer.map(|answer| &answer[..6]), Some("=== pa"), "{said}");
    }
}
