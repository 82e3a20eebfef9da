//! Conversations that were recorded with Edax 4.6 and Egaroucid 7.8.1: our side says what the
//! record says, and understands the recorded answers.

use crate::common::Env;
use crate::common::engines::{finish, spec};
use rdg::base::stop::Stop;
use rdg::board::{Game, Move, parse_position};
use rdg::config::{EngineSpec, OptionValue};
use rdg::engine::{self, Engine, EngineError};
use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// A conversation with a recorded engine.
#[derive(Default)]
struct Script(String);

impl Script {
    fn started_as(&mut self, words: &str) {
        let _ = writeln!(self.0, "= {words}");
    }
    fn told(&mut self, line: &str) {
        let _ = writeln!(self.0, "> {line}");
    }
    fn answers(&mut self, lines: &[&str]) {
        for line in lines {
            let _ = writeln!(self.0, "< {line}");
        }
    }
    fn complains(&mut self, text: &str) {
        let _ = writeln!(self.0, "! {text}");
    }

    /// Makes it a program in `env`.
    fn program(&self, env: &Env) -> std::path::PathBuf {
        let program = env.write("engine", include_str!("transcripts/replay.sh"));
        std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
        env.write("engine.script", &self.0);
        program
    }
}

/// Edax' part of a conversation.
impl Script {
    fn edax_set_up(&mut self, squares: &str, side: char) {
        self.told(&format!(
            "game (;GM[Othello]PC[rdg]PB[b]PW[w]RE[?]TI[0]TY[8]BO[8 {} {side}];)",
            squares.replace('X', "*")
        ));
    }
    fn edax_answers(&mut self, answer: &str) {
        self.told("go");
        self.answers(&[
            "status Edax is thinking",
            &format!("=== {answer} 0.0"),
            "status Edax is waiting",
        ]);
    }
    fn edax_start(&mut self) {
        self.told("nboard 1");
        self.told("ping 1");
        self.answers(&["pong 1"]);
        self.edax_set_up(&first_test_position(), '*');
        self.edax_answers("a1 44.00");
        self.told("move a1");
        self.told("move pa");
        self.edax_answers("h2 44.00");
    }
}

/// The first position of the start-up test, replayed from the recorded game.
fn first_test_position() -> String {
    let game = Game::from_move_text(
        "e6d6c3f4d7c5g4g3c4g5b5c7f5a5a6d8a4f7f6d3h4c2e7e3g6f8b4b3e2h5b6f3h6g7c6a7d2d1c1b1\
         a8f2b8a3b7c8a2e1h8h7g8h3e8b2",
    )
    .unwrap();
    game.board().to_text(game.color())
}

/// Moves and scores of a recorded game.
fn recorded(name: &str) -> Vec<(Move, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/it/transcripts")
        .join(name);
    std::fs::read_to_string(path)
        .unwrap()
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let (mv, score) = line.split_once(' ').unwrap_or((line, ""));
            (mv.parse().unwrap(), score.to_owned())
        })
        .collect()
}

fn launch(spec: &EngineSpec) -> Box<dyn Engine> {
    engine::launch(spec, &Stop::new()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn whole_games_of_edax() {
    for (level, hash_bits, result) in [(1, 10, 16), (5, 14, 6), (10, 16, 16)] {
        let game = recorded(&format!("edax-level{level}.txt"));
        let mut script = Script::default();
        script.started_as(&format!(
            "-nboard -q -book-usage off -ponder off -n 1 -l {level} -h {hash_bits}"
        ));
        script.edax_start();
        script.edax_set_up(&Game::new().board().to_text(Game::new().color()), '*');
        let mut first = true;
        let mut passed = false;
        for (at, (mv, score)) in game.iter().enumerate() {
            // The recording asked even where there was only a pass; we never do.
            if *mv == Move::Pass {
                passed = true;
                continue;
            }
            if !first {
                let last = &game[if passed { at - 2 } else { at - 1 }].0;
                script.told(&format!("move {last}"));
                if passed {
                    script.told("move pa");
                }
            }
            script.edax_answers(&format!("{mv} {score}"));
            (first, passed) = (false, false);
        }
        let env = Env::new();
        let mut engine = launch(&spec("edax", &script.program(&env), level));
        let mut played = Game::new();
        engine.new_game().unwrap();
        finish(&mut *engine, &mut played).unwrap_or_else(|error| panic!("level {level}: {error}"));
        let moves: Vec<Move> = game.into_iter().map(|(mv, _)| mv).collect();
        assert_eq!(played.moves(), moves);
        assert_eq!(played.black_difference(), result, "level {level}");
    }
}

#[test]
fn edax_scores_every_move() {
    let squares = "----O-----XOOO--XXO-OOOO-OXXOO--OXOXOO--X---XX-------XX--------X";
    let mut script = Script::default();
    script.edax_start();
    script.edax_set_up(squares, 'O');
    script.told("hint 60");
    script.answers(&[
        "status Edax is thinking",
        "search c6A4d3G6 -17 0 10",
        "search a7D3d6G6 -19 0 10",
        "search b6D3d6A4 -20 0 10",
        "search d7A4g6D3 -25 0 10",
        "search c1A4e7C6 -25 0 10",
        "search e7A4c6D3 -25 0 10",
        "search f8A4c6D6 -29 0 10",
        "search b2A4c6A2 -36 0 10",
        "status Edax is waiting",
    ]);
    // Asked for a move next, it gets the position anew: its table has seen too much.
    script.edax_set_up(squares, 'O');
    script.edax_answers("c6 -17.00");
    let env = Env::new();
    let mut engine = launch(&spec("edax", &script.program(&env), 10));
    let (board, color) = parse_position(&format!("{squares} O")).unwrap();
    let game = Game::from_position(board, color);
    let scores = engine.score_moves(&game).unwrap();
    assert_eq!(scores.len(), 8);
    assert_eq!(scores[0].square.to_string(), "c6");
    assert_eq!((scores[0].score, scores[0].depth), (-17.0, 10));
    assert!(!scores[0].exact, "33 squares are empty");
    let line: String = scores[0].line.iter().map(Move::to_string).collect();
    assert_eq!(line, "c6a4d3g6");
    assert_eq!(scores[7].square.to_string(), "b2");
    assert_eq!(engine.choose(&game).unwrap().to_string(), "c6");
}

#[test]
fn a_move_that_edax_refused_is_noticed() {
    let mut script = Script::default();
    script.edax_start();
    script.edax_set_up(&Game::new().board().to_text(Game::new().color()), '*');
    script.edax_answers("f5 0.00");
    script.told("move f5");
    // As it does with an illegal move; it then goes on from its old board.
    script.complains("Error: Cannot parse move \"f5\"");
    script.edax_answers("f4 7.00");
    let env = Env::new();
    let mut engine = launch(&spec("edax", &script.program(&env), 1));
    let error = finish(&mut *engine, &mut Game::new()).unwrap_err();
    assert!(
        matches!(&error, EngineError::OutOfStep { what, .. } if what.to_string().contains("Cannot parse move")),
        "{error}"
    );
}

#[test]
fn edax_that_cannot_start_says_why() {
    let env = Env::new();
    let fails = |body: &str| {
        let program = env.write("engine", format!("#!/bin/sh\n{body}\n"));
        std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
        let error = engine::launch(&spec("edax", &program, 1), &Stop::new());
        error.err().expect("it must not start").to_string()
    };
    assert_eq!(
        fails("printf 'Cannot open data/eval.dat' >&2; exit 1"),
        "engine `edax` ended while starting: exit code 1; it said: Cannot open data/eval.dat"
    );
    let bad =
        fails("printf '\\nFATAL ERROR: eval.c\\nbad.dat is not an Edax file\\n' >&2; kill -6 $$");
    assert!(
        bad.contains("SIGABRT") && bad.contains("bad.dat is not an Edax file"),
        "{bad}"
    );
    assert!(fails("kill -4 $$").contains("built for another CPU"));
    assert!(fails("echo 'Usage: edax' >&2; exit 0").contains("exit code 0; it said: Usage: edax"));
    assert!(fails("kill -11 $$").contains("SIGSEGV"));
}

/// Egaroucid's console.
impl Script {
    fn console_answers(&mut self, position: &str, answer: &str) {
        self.told(&format!("setboard {position}"));
        self.told("go");
        // Its prompts come on stderr, without line ends.
        self.complains("> > ");
        self.answers(&[answer]);
    }
    fn console_start(&mut self) {
        self.complains("[ERROR] can't open hash25.eghs");
        self.complains("[ERROR] can't get hash. you can ignore this error");
        let first = first_test_position();
        self.console_answers(&format!("{first} X"), "a1 44");
        let mut game =
            Game::from_position(parse_position(&first).unwrap().0, rdg::board::Color::Black);
        game.play("a1".parse().unwrap()).unwrap();
        game.pass_if_forced();
        let second = game.board().to_text(game.color());
        self.console_answers(&format!("{second} X"), "h2 44");
    }
}

const MIDGAME: &str = "----O-----XOOO--XXO-OOOO-OXXOO--OXOXOO--X---XX-------XX--------X O";

#[test]
fn egaroucid_in_its_console() {
    let mut script = Script::default();
    script.started_as("-q -nobook -noautopass -showvalue -l 10 -t 1");
    script.console_start();
    script.told("clearcache");
    script.console_answers(MIDGAME, "c6 -16");
    let (board, color) = parse_position(MIDGAME).unwrap();
    let mut game = Game::from_position(board, color);
    let after = {
        let mut game = game.clone();
        game.play("c6".parse().unwrap()).unwrap();
        game.board().to_text(game.color())
    };
    script.console_answers(&format!("{after} X"), "a4 13");
    script.told(&format!("setboard {MIDGAME}"));
    script.told("hint 60");
    script.answers(&[
        "|          Level|          Depth|           Move|          Score|           Time|          Nodes|            NPS|",
        "|             10|        10@100%|             c6|             -8|  000:00:00.000|            296|         296000|",
        "|             10|        10@100%|             b6|            -19|  000:00:00.021|         162084|        7718285|",
        "|             10|        10@100%|             a7|            -20|  000:00:00.058|         491154|        8468172|",
        "|             10|        10@100%|             c1|            -24|  000:00:00.028|         237079|        8467107|",
        "|             10|        10@100%|             d7|            -26|  000:00:00.025|         229206|        9168240|",
        "|             10|        10@100%|             e7|            -26|  000:00:00.027|         251925|        9330555|",
        "|             10|        10@100%|             f8|            -30|  000:00:00.054|         505630|        9363518|",
        "|             10|        10@100%|             b2|            -37|  000:00:00.000|             12|          12000|",
    ]);
    script.told("clearcache");
    script.console_answers(MIDGAME, "c6 -16");
    let env = Env::new();
    let mut engine = launch(&spec("egaroucid", &script.program(&env), 10));
    assert!(engine.is_reproducible());
    engine.new_game().unwrap();
    let start = game.clone();
    for mv in ["c6", "a4"] {
        let square = engine
            .choose(&game)
            .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(square.to_string(), mv);
        game.play(square.into()).unwrap();
    }
    let scores = engine.score_moves(&start).unwrap();
    let told: Vec<(String, f64)> = scores
        .iter()
        .map(|found| (found.square.to_string(), found.score))
        .collect();
    assert_eq!(told.len(), 8);
    assert_eq!(told[0], ("c6".to_owned(), -8.0));
    assert_eq!(told[7], ("b2".to_owned(), -37.0));
    assert_eq!(engine.choose(&start).unwrap().to_string(), "c6");
}

#[test]
fn egaroucid_errors_are_understood() {
    for (complaint, answer, expected) in [
        (
            "> [ERROR] invalid argument got length 3 expected 65",
            "c6 -16",
            "lost track",
        ),
        ("> > [ERROR] game over", "?? -126", "which is not a move"),
        (
            "> ",
            "[ERROR] command `setboard` not found",
            "which is not a move",
        ),
        ("> ", "ps -126", "illegal move pass"),
        ("> ", "a1 3", "illegal move a1"),
    ] {
        let mut script = Script::default();
        script.console_start();
        script.told(&format!("setboard {MIDGAME}"));
        script.told("go");
        script.complains(complaint);
        script.answers(&[answer]);
        let env = Env::new();
        let mut spec = spec("egaroucid", &script.program(&env), 10);
        spec.entry
            .options
            .insert("fresh_table".to_owned(), OptionValue::Bool(false));
        let mut engine = launch(&spec);
        assert!(!engine.is_reproducible(), "its table is kept");
        let (board, color) = parse_position(MIDGAME).unwrap();
        let error = engine
            .choose(&Game::from_position(board, color))
            .unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn egaroucid_that_fails_to_start_is_tried_again() {
    let mut script = Script::default();
    script.console_start();
    let env = Env::new();
    let program = script.program(&env);
    // The real thing, one time in fifty: exit code 0 and a garbled path.
    let count = env.path("starts");
    let flaky = env.write(
        "flaky",
        format!(
            "#!/bin/sh\necho x >>'{}'\n[ $(wc -l <'{}') -ge 3 ] && exec '{}' \"$@\"\n\
             printf \"[ERROR] [FATAL] can't open eval bin/x\\240Ce/eval.egev2\\n\" >&2\nexit 0\n",
            count.display(),
            count.display(),
            program.display()
        ),
    );
    std::fs::set_permissions(&flaky, PermissionsExt::from_mode(0o755)).unwrap();
    drop(launch(&spec("egaroucid", &flaky, 10)));
    assert_eq!(std::fs::read_to_string(&count).unwrap().lines().count(), 3);
    let hopeless = env.write("hopeless", "#!/bin/sh\necho '[ERROR] [FATAL] broken' >&2\n");
    std::fs::set_permissions(&hopeless, PermissionsExt::from_mode(0o755)).unwrap();
    let error = engine::launch(&spec("egaroucid", &hopeless, 1), &Stop::new());
    assert_eq!(
        error.err().expect("it must not start").to_string(),
        "engine `egaroucid` ended while starting: exit code 0; it said: [ERROR] [FATAL] broken"
    );
}

/// Egaroucid over GTP.
struct GtpScript {
    script: Script,
    number: u32,
}

impl GtpScript {
    fn told(&mut self, command: &str, answer: &str) {
        self.number += 1;
        let number = self.number;
        self.script.told(&format!("{number} {command}"));
        let space = if answer.is_empty() { "" } else { " " };
        self.script
            .answers(&[&format!("={number}{space}{answer}"), ""]);
    }
}

#[test]
fn whole_games_of_egaroucid_over_gtp() {
    for (level, result) in [(1, 30), (5, 14), (10, 2)] {
        let game = recorded(&format!("egaroucid-level{level}.txt"));
        let mut gtp = GtpScript {
            script: Script::default(),
            number: 0,
        };
        gtp.script
            .started_as(&format!("-gtp -q -nobook -l {level} -t 1"));
        gtp.told("protocol_version", "2.0");
        gtp.told(
            "list_commands",
            "quit\n< play\n< genmove\n< showboard\n< undo\n< reg_genmove",
        );
        // The start-up test: the recorded game move by move, with a pass at its end.
        let mut test = Game::from_move_text(
            "e6d6c3f4d7c5g4g3c4g5b5c7f5a5a6d8a4f7f6d3h4c2e7e3g6f8b4b3e2h5b6f3h6g7c6a7d2d1c1b1\
             a8f2b8a3b7c8a2e1h8h7g8h3e8b2",
        )
        .unwrap();
        gtp.told("clear_board", "");
        for (at, mv) in test.moves().to_vec().iter().enumerate() {
            let color = ['B', 'W'][at % 2];
            gtp.told(
                &format!("play {color} {}", mv.to_string().to_uppercase()),
                "",
            );
        }
        gtp.told("genmove B", "A1");
        test.play("a1".parse().unwrap()).unwrap();
        gtp.told("play W PASS", "");
        gtp.told("genmove B", "H2");
        // The game itself: one command for each move, but for the passes.
        gtp.told("clear_board", "");
        for (at, (mv, _)) in game.iter().enumerate() {
            let color = ['B', 'W'][at % 2];
            match mv {
                Move::Pass => gtp.told(&format!("play {color} PASS"), ""),
                Move::Play(square) => gtp.told(
                    &format!("genmove {color}"),
                    &square.to_string().to_uppercase(),
                ),
            }
        }
        let env = Env::new();
        let mut spec = spec("egaroucid", &gtp.script.program(&env), level);
        spec.entry
            .options
            .insert("protocol".to_owned(), OptionValue::Text("gtp".to_owned()));
        let mut engine = launch(&spec);
        assert!(!engine.is_reproducible(), "nothing clears its table");
        let mut played = Game::new();
        engine.new_game().unwrap();
        finish(&mut *engine, &mut played).unwrap_or_else(|error| panic!("level {level}: {error}"));
        let moves: Vec<Move> = game.into_iter().map(|(mv, _)| mv).collect();
        assert_eq!(played.moves(), moves);
        assert_eq!(played.black_difference(), result, "level {level}");
        // Any other position is out of its reach, and it is told so before anything is sent.
        let (board, color) = parse_position(MIDGAME).unwrap();
        let error = engine
            .choose(&Game::from_position(board, color))
            .unwrap_err();
        assert!(matches!(error, EngineError::CannotSetUp { .. }), "{error}");
    }
}

#[test]
fn a_move_that_a_gtp_engine_refused_is_noticed() {
    let env = Env::new();
    // Accepts everything but one move.
    let program = env.write(
        "engine",
        "#!/bin/sh\nwhile read -r number command; do\n  case $command in\n    \
         'play B C3') printf '?%s illegal move\\n\\n' \"$number\" ;;\n    \
         *) printf '=%s\\n\\n' \"$number\" ;;\n  esac\ndone\n",
    );
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    // The start-up test holds c3 as a move of Black.
    let error = engine::launch(&spec("gtp", &program, 1), &Stop::new());
    let error = error.err().expect("it must fail the test").to_string();
    assert!(
        error.contains("it refused the move c3 with `illegal move`"),
        "{error}"
    );
}
