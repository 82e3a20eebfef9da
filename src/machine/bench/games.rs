//! Whole games of self-play, as generation plays them: random to a phase, then both sides by the
//! embedded engine.

use super::report::Row;
use super::{BenchOptions, Interrupted, Lcg};
use crate::base::stop::Stop;
use crate::board::{Game, Squares};
use crate::engine::Engine;
use crate::engine::builtin::{Builtin, Level};
use std::time::Instant;

/// The phase at which the engine takes over.
const START_PHASE: u8 = 20;

pub(super) fn measure(
    options: &BenchOptions,
    stop: &Stop,
    row: &mut impl FnMut(Row),
) -> Result<(), Interrupted> {
    let (levels, seconds): (&[u32], f64) = if options.quick {
        (&[0, 1, 2, 4, 8], 0.5)
    } else {
        (&[0, 1, 2, 4, 6, 8, 10, 12], 4.0)
    };
    for &level in levels {
        let Ok(mut engine) = Builtin::new("builtin", level, 1, None, stop) else {
            continue;
        };
        let mut random = Lcg(1);
        let (mut games, mut moves) = (0, 0);
        let start = Instant::now();
        // At least one game, however long it takes.
        while games == 0 || start.elapsed().as_secs_f64() < seconds {
            moves += play(&mut engine, &mut random)?;
            games += 1;
        }
        let elapsed = start.elapsed().as_secs_f64();
        let exact = Level::new(level).map_or(0, |l| l.exact_from);
        row(Row::new(
            "games",
            format!("level {level}, phase {START_PHASE}"),
            games,
            "games",
            elapsed,
        )
        .noted(format!(
            "{:.3} ms per move, exact from {exact} empties, one thread",
            elapsed * 1e3 / moves.max(1) as f64
        )));
    }
    Ok(())
}

/// One game; gives the number of moves that the engine was asked for.
fn play(engine: &mut Builtin, random: &mut Lcg) -> Result<u64, Interrupted> {
    let mut game = Game::new();
    while game.board().phase() < START_PHASE {
        game.pass_if_forced();
        let legal = game.board().legal_moves();
        let Some(square) = Squares(legal).nth(random.below(legal.count_ones())) else {
            // Over before the phase: another one.
            game = Game::new();
            continue;
        };
        game.play_known(square, game.board().flips(square));
    }
    engine.new_game().map_err(|_| Interrupted)?;
    let mut moves = 0;
    loop {
        game.pass_if_forced();
        if game.is_over() {
            return Ok(moves);
        }
        let square = engine.choose(&game).map_err(|_| Interrupted)?;
        game.play_known(square, game.board().flips(square));
        moves += 1;
    }
}
