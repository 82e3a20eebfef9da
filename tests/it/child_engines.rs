//! Engines as processes: rdg's own over both protocols, and GRhino where it is installed. Whole
//! runs are reproducible with them, and they cope with passes and early ends.

use crate::common::dataset::{Config, bytes_of_phases, json};
use crate::common::engines::{finish, spec_with_args};
use crate::common::{Env, code};
use rdg::base::stop::Stop;
use rdg::board::{Game, Move};
use rdg::config::EngineSpec;
use rdg::engine::{self, Engine};
use std::collections::BTreeMap;
use std::path::Path;

const GRHINO: &str = "/usr/games/gtp-rhino";

/// Program, kind and command line of each.
fn engines() -> Vec<(&'static Path, &'static str, Vec<&'static str>)> {
    let own = assert_cmd::cargo::cargo_bin!("rdg");
    let served = |protocol| vec!["engine", protocol, "--level", "{level}"];
    let mut engines = vec![
        (own, "nboard", served("nboard")),
        (own, "gtp", served("gtp")),
    ];
    match Path::new(GRHINO) {
        path if path.exists() => {
            engines.push((path, "gtp", vec!["-l", "{level}", "-b", "0"]));
        }
        path => eprintln!("skipped: {} is not installed", path.display()),
    }
    engines
}

#[test]
fn an_option_says_that_an_engine_repeats_its_games() {
    let program = assert_cmd::cargo::cargo_bin!("rdg");
    for said in [true, false] {
        let env = Env::new();
        let entry = format!(
            "kind = \"gtp\"\nbinary = \"{}\"\nargs = [\"engine\", \"gtp\", \"--level\", \"{{level}}\"]\n\
             options = {{ reproducible = {said} }}",
            program.display()
        );
        let config = Config::new("55").samples(2).workers(1);
        config.engine("child", &entry).generate(&env);
        let metadata = json(&env.path("out/phase_55/metadata.json"));
        assert_eq!(metadata["reproducible"], said);
        assert!(metadata.get("reproducible_reason").is_none(), "{metadata}");
    }
}

fn launch(spec: &EngineSpec) -> Box<dyn Engine> {
    engine::launch(spec, &Stop::new()).expect("it starts")
}

#[test]
fn the_same_seed_gives_the_same_bytes_for_any_number_of_workers() {
    for (program, kind, args) in engines() {
        let entry = format!(
            "kind = \"{kind}\"\nbinary = \"{}\"\nargs = {args:?}",
            program.display()
        );
        // Half of the moves before the phase are the embedded engine's.
        let config = Config::new("18..20,50")
            .window(2)
            .samples(8)
            .playout_ai(0.5)
            .engine("child", &entry);
        let runs: Vec<BTreeMap<String, Vec<u8>>> = [1, 2, 5]
            .into_iter()
            .map(|workers| {
                let env = Env::new();
                config.clone().workers(workers).generate(&env);
                let metadata = json(&env.path("out/phase_50/metadata.json"));
                assert_eq!(metadata["engine"]["self_play"]["name"], "child");
                assert_eq!(metadata["engine"]["playout"]["name"], "builtin");
                assert!(metadata["reproducible"].is_null(), "{metadata}");
                let reason = metadata["reproducible_reason"].as_str().unwrap();
                assert!(reason.contains("rdg doctor child"), "{reason}");
                assert_eq!(code(&env.run(&["verify", "out"])), 0);
                bytes_of_phases(&env.path("out"))
            })
            .collect();
        assert!(runs[0].values().any(|bytes| bytes.len() > 10));
        assert_eq!(runs[0], runs[1], "{args:?}");
        assert_eq!(runs[0], runs[2], "{args:?}");
    }
}

/// White passes after Black's a1, and Black wins by 44 as a strong engine played on.
const WHITE_PASSES: &str = "e6d6c3f4d7c5g4g3c4g5b5c7f5a5a6d8a4f7f6d3h4c2e7e3g6f8b4b3e2h5b6f3h6g7c6\
                            a7d2d1c1b1a8f2b8a3b7c8a2e1h8h7g8h3e8b2a1";

/// White's only move leaves Black without one.
const BLACK_PASSES: &str = "f5f6e6f4f3d6c4d3f7g6d2f8g8d1g4b3h5f2b4g3f1e1g2h7b2e8d8c3e2h3h6g1h2a5e3\
                            a2c2a1a4h4g5e7g7c5b1a3c6c1h8b6a6a7d7c7c8";

/// The next move, White's only one, ends the game with eleven squares empty.
const EARLY_END: &str = "e6f6c4e7f5e3d3g4f2c3c5e2g7g1f4g6f1e1h3h8c2f3d1b3d2h4b2a1h7h6a4b4a2b6g2b1g5a3\
                         g3c1h5h2c6c7b7a8d7c8pa";

/// Black's c5 leaves White without discs: the shortest game there is.
const WIPE_OUT: &str = "e6f4e3f6g5d6e7f5";

#[test]
fn passes_and_early_ends_are_played_over_both_protocols() {
    for (program, kind, args) in engines() {
        let spec = spec_with_args(kind, program, 3, &args);
        let mut engine = launch(&spec);
        // The same process plays them all, so an end must not spoil the next game.
        for round in 0..2 {
            for (text, passes) in [(WHITE_PASSES, 1), (BLACK_PASSES, 1), (EARLY_END, 0)] {
                let mut game = Game::from_move_text(text).unwrap();
                let before = game.moves().len();
                engine.new_game().unwrap();
                finish(&mut *engine, &mut game).unwrap();
                assert!(game.is_over());
                let played = &game.moves()[before..];
                let passed = played.iter().filter(|mv| **mv == Move::Pass).count();
                assert!(passed >= passes, "{args:?}, round {round}: {played:?}");
                let empty = game.board().empties();
                assert_eq!(empty == 11, text == EARLY_END, "{args:?}: {empty}");
            }
            let mut game = Game::from_move_text(WIPE_OUT).unwrap();
            engine.new_game().unwrap();
            finish(&mut *engine, &mut game).unwrap();
            // Nobody overlooks a move that wins every disc.
            assert_eq!(
                game.moves().last(),
                Some(&"c5".parse().unwrap()),
                "{args:?}"
            );
            assert_eq!(game.black_difference(), 13);
        }
    }
}
