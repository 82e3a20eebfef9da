//! A real engine over GTP: Debian's `gtp-rhino`. Skipped where it is not installed.

use crate::common::engines::{finish, legal_squares, opening, spec_with_args};
use rdg::base::stop::Stop;
use rdg::board::{Board, Color, Game, Move, Square, parse_position};
use rdg::config::EngineSpec;
use rdg::engine::{self, Engine, EngineError};
use std::path::Path;

const PROGRAM: &str = "/usr/games/gtp-rhino";

fn grhino(level: u32) -> Option<EngineSpec> {
    let program = Path::new(PROGRAM);
    if !program.exists() {
        eprintln!("skipped: {PROGRAM} is not installed (Debian package grhino)");
        return None;
    }
    let args = ["-l", "{level}", "-b", "0"];
    Some(spec_with_args("gtp", program, level, &args))
}

fn launch(spec: &EngineSpec) -> Box<dyn Engine> {
    engine::launch(spec, &Stop::new()).expect("GRhino starts")
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
        finish(&mut *engine, &mut game).unwrap();
        passes += game.moves().iter().filter(|mv| **mv == Move::Pass).count();
        games.push(game);
    }
    assert!(passes > 0, "these games hold no forced pass: choose others");
    // Another process, other order, each game taken up at the same place.
    let mut again = launch(&spec);
    for number in (0..8).rev() {
        let mut game = opening(number, 12 + 5 * number as usize);
        again.new_game().unwrap();
        finish(&mut *again, &mut game).unwrap();
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
                *legal_squares(&game).last().unwrap()
            }
            1 => engine.choose(&game).unwrap(),
            _ => legal_squares(&game)[0],
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
    finish(&mut *engine, &mut game).unwrap();
    // White has one disc left, and every move takes it.
    let square = |text: &str| text.parse::<Square>().unwrap().bit();
    let nearly_wiped_out = Board {
        own: square("d4") | square("e4") | square("d5"),
        opponent: square("e5"),
    };
    let mut game = Game::from_position(nearly_wiped_out, Color::Black);
    finish(&mut *engine, &mut game).unwrap();
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
    finish(&mut *engine, &mut opening(1, 50)).unwrap();
}

#[test]
fn moves_cannot_be_scored() {
    let Some(spec) = grhino(1) else { return };
    let error = launch(&spec).score_moves(&Game::new()).unwrap_err();
    assert!(matches!(error, EngineError::CannotScore { .. }), "{error}");
}
