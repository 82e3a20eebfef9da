//! A real engine over GTP: Debian's `gtp-rhino`. Skipped where it is not installed.

use rdg::board::{Board, Color, Game, Move, Square, parse_position};
use rdg::config::{EngineEntry, EngineKind, EngineSpec};
use rdg::engine::{self, Engine, EngineError};
use rdg::stop::Stop;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

const PROGRAM: &str = "/usr/games/gtp-rhino";

fn grhino(level: u32) -> Option<EngineSpec> {
    if !Path::new(PROGRAM).exists() {
        eprintln!("skipped: {PROGRAM} is not installed (Debian package grhino)");
        return None;
    }
    Some(EngineSpec {
        entry: EngineEntry {
            name: "grhino".to_owned(),
            kind: EngineKind::Gtp,
            binary: Some(PROGRAM.into()),
            eval_file: None,
            level: None,
            threads: None,
            timeout: None,
            startup_timeout: None,
            args: ["-l", "{level}", "-b", "0"].map(str::to_owned).to_vec(),
            options: BTreeMap::new(),
        },
        level,
        threads: 1,
        timeout: Duration::from_secs(30),
        startup_timeout: Duration::from_secs(30),
    })
}

fn launch(spec: &EngineSpec) -> Box<dyn Engine> {
    engine::launch(spec, &Stop::new()).expect("GRhino starts")
}

/// Plays `game` to its end, one engine for both sides.
fn finish(engine: &mut dyn Engine, game: &mut Game) {
    while !game.is_over() {
        if !game.pass_if_forced() {
            let square = engine.choose(game).expect("a legal answer");
            game.play(square.into()).expect("answers are legal");
        }
    }
}

/// An opening of `plies` moves, another one for each `number`.
fn opening(number: u64, plies: usize) -> Game {
    let mut state = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut game = Game::new();
    while game.moves().len() < plies && !game.is_over() {
        if game.pass_if_forced() {
            continue;
        }
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let legal: Vec<Square> = Square::ALL
            .into_iter()
            .filter(|&square| game.board().is_legal(square))
            .collect();
        let chosen = legal[(state >> 33) as usize % legal.len()];
        game.play(chosen.into()).unwrap();
    }
    game
}

#[test]
fn whole_games_are_played_and_repeat_themselves() {
    let Some(spec) = grhino(1) else { return };
    let mut engine = launch(&spec);
    assert!(engine.is_reproducible());
    let mut games = Vec::new();
    let mut passes = 0;
    for number in 0..8 {
        let mut game = opening(number, 12 + 5 * number as usize);
        engine.new_game().unwrap();
        finish(&mut *engine, &mut game);
        passes += game.moves().iter().filter(|mv| **mv == Move::Pass).count();
        games.push(game);
    }
    assert!(passes > 0, "these games hold no forced pass: choose others");
    // Another process, other order, each game taken up at the same place.
    let mut again = launch(&spec);
    for number in (0..8).rev() {
        let mut game = opening(number, 12 + 5 * number as usize);
        again.new_game().unwrap();
        finish(&mut *again, &mut game);
        assert_eq!(game, games[number as usize], "game {number}");
    }
}

#[test]
fn an_engine_hears_the_moves_of_others() {
    let Some(spec) = grhino(1) else { return };
    let mut engine = launch(&spec);
    let mut game = Game::new();
    let mut turn = 0;
    engine.new_game().unwrap();
    while !game.is_over() {
        if game.pass_if_forced() {
            continue;
        }
        turn += 1;
        let square = match turn % 3 {
            // The engine is asked, and its answer is not always what is played.
            0 => {
                engine.choose(&game).unwrap();
                Square::new(63 - game.board().legal_moves().leading_zeros() as u8).unwrap()
            }
            1 => engine.choose(&game).unwrap(),
            _ => Square::new(game.board().legal_moves().trailing_zeros() as u8).unwrap(),
        };
        game.play(square.into()).unwrap();
    }
}

#[test]
fn positions_are_set_up_whoever_is_to_move() {
    let Some(spec) = grhino(1) else { return };
    let mut engine = launch(&spec);
    let (board, color) =
        parse_position("----O-----XOOO--XXO-OOOO-OXXOO--OXOXOO--X---XX-------XX--------X O")
            .unwrap();
    assert_eq!(color, Color::White);
    let mut game = Game::from_position(board, color);
    engine.new_game().unwrap();
    finish(&mut *engine, &mut game);
    // White has one disc left, and every move takes it.
    let square = |text: &str| text.parse::<Square>().unwrap().bit();
    let nearly_wiped_out = Board {
        own: square("d4") | square("e4") | square("d5"),
        opponent: square("e5"),
    };
    let mut game = Game::from_position(nearly_wiped_out, Color::Black);
    finish(&mut *engine, &mut game);
    assert_eq!((game.moves().len(), game.black_difference()), (1, 5));
    // GRhino wants discs on the four squares in the middle, and says so in its way.
    let corner = Board {
        own: square("a1"),
        opponent: square("b1"),
    };
    let error = engine
        .choose(&Game::from_position(corner, Color::Black))
        .unwrap_err();
    assert!(matches!(error, EngineError::CannotSetUp { .. }), "{error}");
    // The process is as good as before.
    finish(&mut *engine, &mut opening(1, 50));
}

#[test]
fn moves_cannot_be_scored() {
    let Some(spec) = grhino(1) else { return };
    let error = launch(&spec).score_moves(&Game::new()).unwrap_err();
    assert!(matches!(error, EngineError::CannotScore { .. }), "{error}");
}
