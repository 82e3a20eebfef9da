//! `rdg play` as a person meets it, through pipes.

use crate::common::{Env, code, stderr, stdout};
use rdg::board::{Color, Game, Move, Square, Squares};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

/// Black to move. After a1 White has no move, and Black goes on with c8, which ends the game.
const PASS: &str = "-OX----- -------- -------- -------- -------- -------- -------- XO------ X";

/// Types `typed` and then ends the input.
fn play(env: &Env, args: &[&str], typed: &str) -> Output {
    env.run_with_input(&[&["play"], args].concat(), typed)
}

/// The same, for what has to end well.
fn played(env: &Env, args: &[&str], typed: &str) -> String {
    let run = play(env, args, typed);
    assert_eq!(code(&run), 0, "{}{}", stdout(&run), stderr(&run));
    assert_eq!(stderr(&run), "");
    stdout(&run)
}

/// The last line that begins with `label`.
fn told<'a>(text: &'a str, label: &str) -> &'a str {
    text.lines()
        .rev()
        .find_map(|line| line.strip_prefix(label))
        .unwrap_or_else(|| panic!("no {label} in {text}"))
        .trim()
}

fn replayed(text: &str) -> Game {
    Game::from_move_text(told(text, "Game:")).expect("the game's text keeps the rules")
}

fn executable(env: &Env, name: &str, script: &str) {
    let path = env.write(name, script);
    std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).expect("it is our file");
}

/// An NBoard engine that plays well and does `fault` at question number `at` of each process; the
/// start-up test asks two.
fn faulty(env: &Env, at: u32, fault: &str) {
    let rdg = assert_cmd::cargo::cargo_bin!("rdg");
    executable(
        env,
        "faulty",
        &format!(
            "#!/bin/sh\nn=0\nwhile read -r line; do\n  case \"$line\" in\n    go*) n=$((n+1)); if [ \
             $n -ge {at} ]; then {fault}; fi;;\n  esac\n  echo \"$line\"\ndone | '{}' engine nboard \
             --level 1\n",
            rdg.display()
        ),
    );
    env.write(
        "app.toml",
        "setup = \"off\"\n[engines.faulty]\nkind = \"nboard\"\nbinary = \"faulty\"\ntimeout = \
         \"2s\"\nstartup_timeout = \"60s\"\n",
    );
}

const FAULTY: [&str; 4] = ["--app-config", "app.toml", "--engine", "faulty"];

#[test]
fn without_a_word_it_begins_and_says_what_to_do() {
    let env = Env::new();
    let text = played(&env, &[], "");
    for part in [
        "Black (X): you",
        "White (O): builtin level",
        "Type a move such as f5, or ? for help.",
        "Black 2, White 2; 60 empty",
        "Black (X) to move",
        "Game: \n",
        "Result: unfinished",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains('\x1b'));
    assert!(env.files().is_empty());
}

#[test]
fn a_move_is_answered_and_the_answer_marked() {
    let env = Env::new();
    let text = played(&env, &[], "F5\nquit\nthis is not read any more\n");
    let game = replayed(&text);
    assert_eq!(game.moves().len(), 2);
    let answer = game.moves()[1];
    assert!(text.contains(&format!("White (O) plays {answer}\n")));
    let board = text.rfind("     a     b").expect("a board is drawn");
    assert_eq!(text[board..].matches("|O|").count(), 1, "{text}");
    assert!(text.contains("Black 3, White 3; 58 empty"));
}

#[test]
fn engines_play_a_whole_game_by_the_rules() {
    let env = Env::new();
    let sides = ["--black", "builtin:1", "--white", "builtin:2"];
    let text = played(&env, &sides, "");
    let game = replayed(&text);
    assert!(game.is_over());
    let (black, white) = game.board().colors(game.color());
    let (black, white) = (black.count_ones(), white.count_ones());
    let empties = 64 - black - white;
    let result = told(&text, "Result:");
    let counts = format!("(Black {black}, White {white}; ");
    assert!(result.contains(&counts), "{result}");
    let winner = match black.cmp(&white) {
        std::cmp::Ordering::Greater => format!("Black wins by {}", black - white + empties),
        std::cmp::Ordering::Less => format!("White wins by {}", white - black + empties),
        std::cmp::Ordering::Equal => "a draw".to_owned(),
    };
    assert!(result.starts_with(&winner), "{result}");
    let plays = text.matches(" plays ").count();
    let passes = text.matches("has no move and passes").count();
    assert_eq!(plays + passes, game.moves().len());
    // Level 0 is random, so this is another game.
    let sides = ["--black", "builtin", "--white", "builtin", "--level", "0"];
    assert!(replayed(&played(&env, &sides, "")).is_over());
}

#[test]
fn two_persons_play_a_known_game_to_its_end() {
    let env = Env::new();
    // The shortest game there is: White is wiped out after nine moves.
    let typed = "e6\nf4\ne3\nf6\ng5\nd6\ne7\nf5\nc5\n";
    let sides = ["--black", "person", "--white", "me"];
    let text = played(&env, &sides, typed);
    assert_eq!(told(&text, "Game:"), "e6f4e3f6g5d6e7f5c5");
    assert_eq!(
        told(&text, "Result:"),
        "Black wins by 64 with the empty squares (Black 13, White 0; 51 empty)"
    );
    assert_eq!(text.matches("Result:").count(), 1, "{text}");
    // The end is no end: back, and another way.
    let text = played(&env, &sides, &format!("{typed}a1\nhint\nundo\nc4\n"));
    assert!(told(&text, "Game:").starts_with("e6f4e3f6g5d6e7f5c4"));
    assert_eq!(text.matches("The game is over").count(), 3, "{text}");
}

#[test]
fn undo_goes_back_to_the_persons_move_and_redo_forth() {
    let env = Env::new();
    let text = played(&env, &[], "undo\nf5\nundo\n");
    assert!(text.contains("There is no move of yours to take back."));
    assert_eq!(told(&text, "Game:"), "");
    let both = played(&env, &[], "f5\nundo\nredo\nredo\n");
    assert!(both.contains("There is nothing to play again."));
    assert_eq!(replayed(&both).moves().len(), 2);
    assert!(both.contains("Taken back: f5 "));
    // The engine finds its way after it: the game goes on by the rules.
    let legal = |text: &str| {
        Squares(replayed(text).board().legal_moves())
            .next()
            .unwrap()
    };
    let second = legal(&both);
    let on = played(&env, &[], &format!("f5\n{second}\nundo\n{second}\n"));
    assert_eq!(replayed(&on).moves().len(), 4);
    // White has the first move of the engine before its own, which stays.
    let white = played(&env, &["--colour", "white"], "undo\n");
    assert_eq!(replayed(&white).moves().len(), 1);
}

#[test]
fn moves_given_at_the_start_are_not_taken_back() {
    let env = Env::new();
    let text = played(
        &env,
        &["--moves", "f5d6", "--white", "person", "--black", "person"],
        "c3\nundo\nundo\n",
    );
    assert_eq!(told(&text, "Game:"), "f5d6");
}

/// The board with scores is the one that `rdg analyze` draws, to the last character.
#[test]
fn hints_are_the_scores_of_analyze() {
    let env = Env::new();
    let board = |text: &str| -> String {
        let at = text.rfind("     a     b").expect("a board is drawn");
        text[at..].lines().take(9).collect::<Vec<_>>().join("\n")
    };
    for (moves, level) in [("f5d6c3", "builtin"), ("f5f6e6f4e3", "builtin:4")] {
        let found = stdout(&env.run(&["analyze", moves, "--engine", level]));
        let persons = ["--black", "person", "--white", "person"];
        let asked = ["--moves", moves, "--hint-engine", level];
        let text = played(&env, &[&persons[..], &asked].concat(), "hint\n");
        assert!(board(&found).contains('['), "{found}");
        assert_eq!(board(&text), board(&found));
        let shown = played(&env, &[&persons[..], &asked, &["--hints"]].concat(), "");
        assert_eq!(board(&shown), board(&found));
        let toggled = played(&env, &[&persons[..], &asked].concat(), "hints\n");
        assert_eq!(board(&toggled), board(&found));
        let off = played(&env, &[&persons[..], &asked].concat(), "hints\nhints\n");
        assert!(!board(&off).contains('['), "{off}");
    }
}

#[test]
fn a_wrong_word_is_answered_with_what_is_possible() {
    let env = Env::new();
    let text = played(
        &env,
        &[],
        "a1\nd4\nhello\npass\nf5 d6\nlevel much\n\n\x1b[2J\nlevel 61\n",
    );
    for part in [
        "a1 is not allowed, it would turn no disc; your moves are d3 c4 f5 e6.",
        "d4 is not allowed, there is a disc already; your moves are d3 c4 f5 e6.",
        "`hello` is neither a move such as f5 nor one of the words hint, ",
        "Only who has no move passes; yours are d3 c4 f5 e6.",
        "Only `f5` is understood",
        "A level is a whole number",
        "has no level 61; choose 0 to 60.",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains('\x1b'), "{text:?}");
    assert_eq!(told(&text, "Game:"), "");
    // Bytes that are no text, and a line without end.
    let mut typed = vec![0xff, 0xfe, 0, b'\n'];
    typed.extend(std::iter::repeat_n(b'x', 1 << 20));
    typed.extend(b"\nf5\n");
    let mut child = env
        .rdg()
        .arg("play")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&typed).unwrap();
    let run = child.wait_with_output().unwrap();
    assert_eq!(code(&run), 0);
    assert_eq!(replayed(&stdout(&run)).moves().len(), 2);
}

#[test]
fn help_lists_everything_in_40_columns() {
    let env = Env::new();
    let text = played(&env, &[], "?\n");
    let help = &text[text.find("You can type").expect("help is shown")..];
    for word in ["hint", "undo", "level", "swap", "resign", "new", "quit"] {
        assert!(help.contains(word), "{word}: {help}");
    }
}

#[test]
fn resigning_ends_the_game_and_can_be_taken_back() {
    let env = Env::new();
    let text = played(&env, &[], "f5\nresign\n");
    assert!(told(&text, "Result:").starts_with("White wins, Black has resigned"));
    let text = played(&env, &[], "f5\nresign\nf4\nundo\n");
    assert!(text.contains("The game goes on."));
    assert!(told(&text, "Result:").starts_with("unfinished"));
}

#[test]
fn sides_are_swapped_and_levels_changed_during_the_game() {
    let env = Env::new();
    let text = played(&env, &["--level", "2"], "level\nlevel 1\nswap\nlevel\n");
    for part in [
        "White (O): builtin level 2",
        "Your opponent is builtin level 1 now.",
        "Black (X): builtin level 1\nWhite (O): you",
        "Black (X) plays ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(replayed(&text).moves().len(), 1);
}

#[test]
fn a_forced_pass_is_played_and_announced() {
    let env = Env::new();
    let text = played(
        &env,
        &["--position", PASS, "--white", "person", "--black", "person"],
        "a1\nc8\n",
    );
    assert_eq!(
        text.matches("White (O) has no move and passes.").count(),
        1,
        "{text}"
    );
    assert_eq!(told(&text, "Game:"), "a1pac8");
    assert!(told(&text, "Result:").starts_with("Black wins by 64 with the empty squares"));
    let (squares, side) = PASS.split_at(PASS.len() - 2);
    assert_eq!(
        told(&text, "Start:"),
        squares.replace(' ', "") + side,
        "{text}"
    );
    // Back over the pass to the choice before it.
    let text = played(&env, &["--position", PASS], "a1\nundo\n");
    assert!(text.contains("Taken back: a1 pass"), "{text}");
}

#[test]
fn games_are_kept_in_files_that_import_reads() {
    let env = Env::new();
    let sides = ["--black", "builtin:1", "--white", "builtin:0"];
    let mut expected = Vec::new();
    for name in ["games.txt", "games.txt", "games.ggf", "games.sgf"] {
        let text = played(&env, &[&sides[..], &["--save", name]].concat(), "");
        expected.push(told(&text, "Game:").to_owned());
    }
    let kept = std::fs::read_to_string(env.path("games.txt")).unwrap();
    assert_eq!(kept, format!("{}\n{}\n", expected[0], expected[1]));
    for name in ["games.txt", "games.ggf", "games.sgf"] {
        let out = format!("{name}.out");
        let run = env.run(&["import", name, "--output", &out]);
        assert_eq!(code(&run), 0, "{name}: {}", stderr(&run));
        let summary: serde_json::Value = serde_json::from_slice(
            &std::fs::read(env.path(&format!("{out}/summary.json"))).unwrap(),
        )
        .unwrap();
        let games = if name == "games.txt" { 2 } else { 1 };
        assert_eq!(summary["import"]["games"], games, "{summary}");
    }
    // `new` keeps the game before it; a game without a move is none.
    played(&env, &["--save", "two.txt"], "f5\nnew\nd3\nnew\n");
    let kept = std::fs::read_to_string(env.path("two.txt")).unwrap();
    let begins: Vec<&str> = kept.lines().map(|line| &line[..2]).collect();
    assert_eq!(begins, ["f5", "d3"]);
    played(&env, &["--save", "none.txt"], "");
    assert!(!env.path("none.txt").exists());
}

#[test]
fn weights_of_a_file_play_and_judge() {
    let env = Env::new();
    // Only a1 counts, and counts against its owner.
    let rows = "0 0 0 0 0 0 0 0\n".repeat(7);
    env.write("w.txt", format!("-900 0 0 0 0 0 0 0\n{rows}"));
    env.write("v.txt", format!("900 0 0 0 0 0 0 0\n{rows}"));
    // White may take a1.
    let position = "-XO----- -------- -------- ---OX--- ---XO--- -------- -------- -------- O";
    for (file, takes_it) in [("w.txt", false), ("v.txt", true)] {
        for how in [
            vec!["--weights", file, "--level", "1"],
            vec!["--engine", file],
        ] {
            let text = played(&env, &[&["--position", position][..], &how].concat(), "");
            // The person is Black.
            assert!(text.contains("White (O) plays "), "{how:?}: {text}");
            let took_it = text.contains("White (O) plays a1");
            assert_eq!(took_it, takes_it, "{how:?}: {text}");
        }
    }
    let deeper = played(&env, &["--engine", "w.txt", "--level", "5"], "");
    assert!(deeper.contains("White (O): w.txt depth 5"), "{deeper}");
    let text = played(&env, &["--engine", "w.txt:2"], "level\nlevel 4\nlevel 9\n");
    for part in [
        "w.txt depth 2; another",
        "w.txt depth 4 now",
        "from 1 to 8, not 9",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn faults_are_one_sentence_with_exit_code_2() {
    let env = Env::new();
    env.write("bad.txt", "1 2 3");
    env.write("nan.txt", "nan ".repeat(64));
    env.write("w.txt", "1 2 3 4 5 6 7 8\n".repeat(8));
    env.write("letter", "Dear reader");
    let cases: [(&[&str], &[&str]); 17] = [
        (&["--weights", "bad.txt"], &["bad.txt", "3 numbers"]),
        (&["--weights", "nan.txt"], &["nan.txt"]),
        (&["--weights", "none.txt"], &["none.txt", "cannot be read"]),
        (&["--weights", "."], &["not a regular file"]),
        (&["--engine", "edx"], &["edx", "app.toml"]),
        (&["--black", "none.txt"], &["none.txt"]),
        (&["--level", "61"], &["61"]),
        (&["--level", "-1"], &["-1"]),
        (&["--engine", "w.txt", "--level", "9"], &["w.txt", "1 to 8"]),
        (
            &["--moves", "f5a1"],
            &["--moves", "illegal move a1 at move 2"],
        ),
        (&["--position", "----"], &["--position"]),
        (&["--moves", "f5", "--position", PASS], &["--moves"]),
        (&["--delay", "soon"], &["--delay", "soon"]),
        (&["--save", "letter"], &["letter", "holds no games"]),
        (
            &["--save", "a.txt", "--position", PASS],
            &["a.txt", "name it .ggf"],
        ),
        (
            &["--black", "builtin:1", "--engine", "builtin:2"],
            &["leave one away"],
        ),
        (&["--hint-engine", "a b"], &["`a b` is not an engine"]),
    ];
    let before = env.files();
    for (args, parts) in cases {
        let run = play(&env, args, "f5\n");
        let message = stderr(&run);
        assert_eq!(code(&run), 2, "{args:?}: {message}");
        for part in parts {
            assert!(message.contains(part), "{args:?}: {message}");
        }
        assert_eq!(stdout(&run), "");
    }
    assert_eq!(env.files(), before);
}

#[test]
fn an_engine_that_dies_is_started_again() {
    let env = Env::new();
    faulty(&env, 4, "exit 3");
    // The second answer of a process never comes.
    let text = played(&env, &FAULTY, "f5\n");
    let second = Squares(replayed(&text).board().legal_moves())
        .next()
        .unwrap();
    let text = played(&env, &FAULTY, &format!("f5\n{second}\n"));
    assert_eq!(replayed(&text).moves().len(), 4, "{text}");
    assert!(text.contains("engine `faulty` ended"), "{text}");
    assert!(text.contains("It was started again."), "{text}");
}

#[test]
fn an_engine_that_cannot_go_on_costs_no_game() {
    for (fault, said) in [
        ("exit 3", "engine `faulty` ended"),
        ("sleep 1000", "engine `faulty` did not answer within 2s"),
    ] {
        let env = Env::new();
        faulty(&env, 3, fault);
        let args = [&FAULTY[..], &["--save", "kept.txt"]].concat();
        let run = play(&env, &args, "f5\n");
        assert_eq!(code(&run), 1, "{}", stdout(&run));
        assert!(stderr(&run).contains(said), "{}", stderr(&run));
        assert_eq!(stderr(&run).matches("error:").count(), 1);
        assert_eq!(told(&stdout(&run), "Game:"), "f5");
        assert_eq!(
            std::fs::read_to_string(env.path("kept.txt")).unwrap(),
            "f5\n"
        );
    }
}

#[test]
fn an_engine_without_scores_gives_no_hints_and_the_game_goes_on() {
    let env = Env::new();
    let own = assert_cmd::cargo::cargo_bin!("rdg").display();
    env.write(
        "app.toml",
        format!(
            "setup = \"off\"\n[engines.mute]\nkind = \"gtp\"\nbinary = \"{own}\"\n\
             args = [\"engine\", \"gtp\"]\n"
        ),
    );
    let args = ["--app-config", "app.toml", "--hint-engine", "mute"];
    let text = played(&env, &args, "hint\nf5\n");
    assert!(
        text.contains("There are no hints: engine `mute` cannot score moves"),
        "{text}"
    );
    assert_eq!(replayed(&text).moves().len(), 2);
}

#[test]
fn a_signal_ends_it_with_the_games_text() {
    for (signal, expected) in [("INT", 130), ("TERM", 143)] {
        for args in [
            &[][..],
            &[
                "--black",
                "builtin:1",
                "--white",
                "builtin:1",
                "--delay",
                "1h",
            ],
        ] {
            let env = Env::new();
            let mut child = env
                .rdg()
                .arg("play")
                .args(args)
                .args(["--save", "kept.txt"])
                .stdin(Stdio::piped())
                .stdout(std::fs::File::create(env.path("out")).unwrap())
                .spawn()
                .unwrap();
            let mut stdin = child.stdin.take().unwrap();
            stdin.write_all(b"f5\n").unwrap();
            let seen = || std::fs::read_to_string(env.path("out")).unwrap();
            let began = Instant::now();
            while !seen().contains(" plays ")
                || !seen().contains("59 empty") && !seen().contains("58 empty")
            {
                assert!(began.elapsed() < Duration::from_secs(60), "{}", seen());
                std::thread::sleep(Duration::from_millis(20));
            }
            let id = child.id().to_string();
            let sent = std::process::Command::new("kill")
                .args(["-s", signal, &id])
                .status();
            assert!(sent.unwrap().success());
            assert_eq!(child.wait().unwrap().code(), Some(expected), "{}", seen());
            let kept = std::fs::read_to_string(env.path("kept.txt")).unwrap();
            assert_eq!(told(&seen(), "Game:"), kept.trim_end());
            assert!(kept.len() >= 3);
        }
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let env = Env::new();
    let mut child = env
        .rdg()
        .args(["play", "--black", "builtin:1", "--white", "builtin:1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let run = child.wait_with_output().unwrap();
    assert_eq!((code(&run), stderr(&run)), (0, String::new()));
}

#[test]
fn a_reader_that_goes_away_in_the_middle_costs_no_game() {
    let env = Env::new();
    let mut child = env
        .rdg()
        .args(["play", "--save", "kept.txt"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut seen = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut stdin = child.stdin.take().unwrap();
    let mut asked = || while seen.next().unwrap().unwrap() != "Black (X) to move" {};
    asked();
    stdin.write_all(b"f5\n").unwrap();
    // The engine has answered.
    asked();
    drop(seen);
    stdin.write_all(b"board\n").unwrap();
    drop(stdin);
    let run = child.wait_with_output().unwrap();
    assert_eq!((code(&run), stderr(&run)), (0, String::new()));
    let kept = std::fs::read_to_string(env.path("kept.txt")).unwrap();
    let game = Game::from_move_text(kept.trim_end()).unwrap();
    assert_eq!(game.moves().len(), 2, "{kept}");
}

#[test]
fn a_game_that_cannot_be_kept_is_told_in_full() {
    let env = Env::new();
    let program = assert_cmd::cargo::cargo_bin!("rdg");
    // No file may grow; standard output is a pipe.
    let script = format!(
        "ulimit -f 0; exec '{}' play --black me --white me --save kept.txt",
        program.display()
    );
    let mut child = std::process::Command::new("sh")
        .args(["-c", &script])
        .current_dir(env.path(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"f5\nd6\nnew\nc3\n").unwrap();
    drop(stdin);
    let run = child.wait_with_output().unwrap();
    assert_eq!(code(&run), 1, "{}", stdout(&run));
    // `new` leaves the game on the table, since it is nowhere else.
    let text = stdout(&run);
    assert!(
        text.contains("cannot write the game to kept.txt: "),
        "{text}"
    );
    assert_eq!(told(&text, "Game:"), "f5d6c3");
    let message = stderr(&run);
    assert!(
        message.contains("error: cannot write the game to kept.txt: "),
        "{message}"
    );
    assert_eq!(message.lines().count(), 1);
}

#[test]
fn a_finished_game_is_kept_at_once_and_only_once() {
    let env = Env::new();
    let typed = "e6\nf4\ne3\nf6\ng5\nd6\ne7\nf5\nc5\n";
    let args = ["--black", "me", "--white", "me", "--save", "kept.txt"];
    let text = played(&env, &args, &format!("{typed}board\nundo\nredo\n"));
    let kept = || std::fs::read_to_string(env.path("kept.txt")).unwrap();
    assert_eq!(kept(), "e6f4e3f6g5d6e7f5c5\n");
    assert_eq!(text.matches("Added to kept.txt").count(), 1, "{text}");
    // Another end is another game.
    played(&env, &args, &format!("{typed}undo\nc4\n"));
    assert_eq!(kept().lines().count(), 3, "{}", kept());
}

/// The engine process hears of every step back.
#[test]
fn an_engine_process_follows_undo_redo_swap_and_new() {
    let env = Env::new();
    faulty(&env, 1000, "exit 3");
    let text = played(
        &env,
        &FAULTY,
        "f5\nundo\nd3\nundo\nredo\nswap\nundo\nnew\nswap\nundo\nc4\n",
    );
    assert!(!text.contains("started again"), "{text}");
    let game = replayed(&text);
    assert_eq!(game.moves().len(), 2, "{text}");
    assert_eq!(game.moves()[0], Move::Play("c4".parse::<Square>().unwrap()));
}

#[test]
fn a_full_disk_is_told() {
    let env = Env::new();
    if !std::path::Path::new("/dev/full").exists() {
        return;
    }
    let run = env
        .rdg()
        .args(["play", "--black", "builtin:0", "--white", "builtin:0"])
        .stdout(
            std::fs::OpenOptions::new()
                .write(true)
                .open("/dev/full")
                .unwrap(),
        )
        .output()
        .unwrap();
    assert_eq!(code(&run), 1);
    assert!(stderr(&run).contains("cannot write to standard output"));
}

/// Debian's `gtp-rhino`, where it is installed.
#[test]
fn a_real_engine_plays_with_undo_and_swap() {
    if !std::path::Path::new("/usr/games/gtp-rhino").exists() {
        eprintln!("skipped: gtp-rhino is not installed (Debian package grhino)");
        return;
    }
    let env = Env::new();
    env.write(
        "app.toml",
        "setup = \"off\"\n[engines.grhino]\nkind = \"gtp\"\nbinary = \"/usr/games/gtp-rhino\"\n\
         args = [\"-l\", \"{level}\", \"-b\", \"0\"]\n",
    );
    let args = ["--app-config", "app.toml", "--engine", "grhino:1"];
    let text = played(&env, &args, "f5\nundo\nd3\nlevel 2\nswap\n");
    let game = replayed(&text);
    assert_eq!(game.moves()[0], Move::Play("d3".parse::<Square>().unwrap()));
    // Its answer as White, and after the swap its own move as Black.
    assert_eq!(
        (game.moves().len(), game.color()),
        (3, Color::White),
        "{text}"
    );
    let watch = [
        "--app-config",
        "app.toml",
        "--black",
        "grhino:1",
        "--white",
        "builtin:1",
    ];
    assert!(replayed(&played(&env, &watch, "")).is_over());
}
