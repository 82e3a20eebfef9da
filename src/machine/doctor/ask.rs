//! Putting the known positions to an engine.

use super::known;
use crate::engine::{Engine, EngineError};
use std::time::{Duration, Instant};

/// What came of known positions.
pub(super) struct Answers {
    /// All of them.
    pub asked: usize,
    /// Those of them that have one best move.
    pub endgames: usize,
    /// How often it was the answer.
    pub found: usize,
}

/// Asks about every known position that is no special case.
/// Leaves early ones, which take a deep level long, out when `time` is over.
pub(super) fn ask_positions(
    engine: &mut dyn Engine,
    time: Duration,
) -> Result<Answers, EngineError> {
    let began = Instant::now();
    let mut ordinary = 0;
    for game in known::ordinary().iter().rev() {
        let asked = Instant::now();
        engine.new_game()?;
        engine.choose(game)?;
        ordinary += 1;
        // Each position is earlier than the one before, and may take very much longer.
        if began.elapsed() > time || asked.elapsed() > time / 20 {
            break;
        }
    }
    let endgames = known::endgames();
    let mut found = 0;
    for (game, best) in &endgames {
        engine.new_game()?;
        found += usize::from(engine.choose(game)? == *best);
    }
    Ok(Answers {
        asked: ordinary + endgames.len(),
        endgames: endgames.len(),
        found,
    })
}

/// Asks before and after passes and early ends.
pub(super) fn ask_passes(engine: &mut dyn Engine) -> Result<(), EngineError> {
    for [before, after] in known::passes() {
        // As one game that goes on, and taken up after the pass.
        engine.new_game()?;
        engine.choose(&before)?;
        engine.choose(&after)?;
        engine.new_game()?;
        engine.choose(&after)?;
    }
    let endgames = known::endgames();
    for (mut game, (next, _)) in known::early_ends().into_iter().zip(endgames) {
        engine.new_game()?;
        let square = engine.choose(&game)?;
        game.play_known(square, game.board().flips(square));
        // Whatever it makes of an end, the next game is a new one.
        engine.new_game()?;
        engine.choose(&next)?;
    }
    Ok(())
}
