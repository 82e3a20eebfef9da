//! Putting the known positions to an engine.

use super::known;
use crate::board::Game;
use crate::engine::{Engine, EngineError};

/// What came of known positions.
pub struct Answers {
    /// All of them.
    pub asked: usize,
    /// Those of them that have one best move.
    pub endgames: usize,
    /// How often it was the answer.
    pub found: usize,
}

/// Asks about every known position that is no special case.
pub fn ask_positions(engine: &mut dyn Engine) -> Result<Answers, EngineError> {
    let ordinary = known::ordinary();
    for game in &ordinary {
        engine.new_game()?;
        engine.choose(game)?;
    }
    let endgames = known::endgames();
    let mut found = 0;
    for (game, best) in &endgames {
        engine.new_game()?;
        found += usize::from(engine.choose(game)? == *best);
    }
    Ok(Answers {
        asked: ordinary.len() + endgames.len(),
        endgames: endgames.len(),
        found,
    })
}

/// Asks before and after passes and early ends.
pub fn ask_passes(engine: &mut dyn Engine) -> Result<(), EngineError> {
    for [before, after] in known::passes() {
        // As one game that goes on, and taken up after the pass.
        engine.new_game()?;
        engine.choose(&before)?;
        engine.choose(&after)?;
        engine.new_game()?;
        engine.choose(&after)?;
    }
    for mut game in known::early_ends() {
        engine.new_game()?;
        let square = engine.choose(&game)?;
        game.play_known(square, game.board().flips(square));
        // Whatever it makes of an end, the next game is a new one.
        engine.new_game()?;
        engine.choose(&Game::new())?;
    }
    Ok(())
}
