//! Engines for tests of the library: specifications, and games against them.

use rdg::board::{Game, Square};
use rdg::config::{EngineEntry, EngineSpec};
use rdg::engine::{Engine, EngineError};
use std::path::Path;
use std::time::Duration;

/// An engine of the kind of this name with generous deadlines and nothing else set.
pub fn spec(kind: &str, binary: &Path, level: u32) -> EngineSpec {
    let mut entry = EngineEntry::new(kind, rdg::engine::kinds::kind(kind));
    entry.binary = Some(binary.to_owned());
    EngineSpec {
        move_time: None,
        timeout: Duration::from_secs(60),
        ..EngineSpec::new(entry, level)
    }
}

/// The same with words on its command line.
pub fn spec_with_args(kind: &str, binary: &Path, level: u32, args: &[&str]) -> EngineSpec {
    let mut spec = spec(kind, binary, level);
    spec.entry.args = args.iter().map(|&word| word.to_owned()).collect();
    spec
}

/// Plays `game` to its end, `engine` for both sides.
pub fn finish(engine: &mut dyn Engine, game: &mut Game) -> Result<(), EngineError> {
    while !game.is_over() {
        if !game.pass_if_forced() {
            let square = engine.choose(game)?;
            game.play(square.into()).expect("answers are legal");
        }
    }
    Ok(())
}

/// An opening of `plies` moves, another one for each `number`; shorter if the game ends before.
pub fn opening(number: u64, plies: usize) -> Game {
    let mut state = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut game = Game::new();
    while game.moves().len() < plies && !game.is_over() {
        if game.pass_if_forced() {
            continue;
        }
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let legal: Vec<Square> = legal_squares(&game);
        let chosen = legal[(state >> 33) as usize % legal.len()];
        game.play(chosen.into()).expect("one of the legal moves");
    }
    game
}

/// The legal moves from a1 to h8.
pub fn legal_squares(game: &Game) -> Vec<Square> {
    let board = game.board();
    Square::ALL
        .into_iter()
        .filter(|&square| board.is_legal(square))
        .collect()
}
