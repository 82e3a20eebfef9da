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

/// Moves whose times are kept; low levels make millions.
const MOST_TIMES: usize = 1 << 20;

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
        let mut games = 0;
        let mut times = Vec::new();
        let start = Instant::now();
        // At least one game, however long it takes.
        while games == 0 || start.elapsed().as_secs_f64() < seconds {
            play(&mut engine, &mut random, &mut times)?;
            games += 1;
        }
        let elapsed = start.elapsed().as_secs_f64();
        let exact = Level::new(level).map_or(0, |l| l.exact_from);
        let mean = times.iter().map(|(time, _)| time).sum::<f64>() / times.len().max(1) as f64;
        times.sort_by(|a, b| a.0.total_cmp(&b.0));
        let median = times.get(times.len() / 2).map_or(0.0, |(time, _)| *time);
        let (slowest, phase) = times.last().copied().unwrap_or_default();
        row(Row::new(
            "games",
            format!("level {level}, phase {START_PHASE}"),
            games,
            "games",
            elapsed,
        )
        .noted(format!(
            "a move: median {:.4} ms, mean {:.4}, slowest {:.1} at phase {phase}; exact from \
             {exact} empties, one thread",
            median * 1e3,
            mean * 1e3,
            slowest * 1e3
        )));
    }
    Ok(())
}

/// One game; notes the seconds and the phase of each move that the engine was asked for.
fn play(
    engine: &mut Builtin,
    random: &mut Lcg,
    times: &mut Vec<(f64, u8)>,
) -> Result<(), Interrupted> {
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
    loop {
        game.pass_if_forced();
        if game.is_over() {
            return Ok(());
        }
        let begin = Instant::now();
        let square = engine.choose(&game).map_err(|_| Interrupted)?;
        if times.len() < MOST_TIMES {
            times.push((begin.elapsed().as_secs_f64(), game.board().phase()));
        }
        game.play_known(square, game.board().flips(square));
    }
}
