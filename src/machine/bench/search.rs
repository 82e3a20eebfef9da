//! The search: positions with known values, and depths of the middle game.

use super::report::Row;
use super::{BenchOptions, Interrupted, timed};
use crate::arena::positions::{KnownPosition, ffo};
use crate::base::stop::Stop;
use crate::board::{Board, Game, Move};
use crate::engine::builtin::{
    Evaluation, Found, Reach, ScoreRule, Setting, Table, Threads, best_line,
};
use std::ops::RangeInclusive;

/// Size of the table, as a power of two of entries.
const TABLE_BITS: u32 = 22;

/// Openings from which the middle game is searched.
const OPENINGS: [&str; 4] = [
    "f5d6c3d3c4f4f6f3e6e7",
    "f5f6e6f4e3c5c4d3f3e2",
    "f5d6c5f4e3c6d3f6e6d7g4c4g5c3f7d2",
    "f5f6e6f4e3c5c4d3f3e2c3",
];

pub(super) fn measure(
    options: &BenchOptions,
    threads: &Threads,
    stop: &Stop,
    row: &mut impl FnMut(Row),
) -> Result<(), Interrupted> {
    let evaluation = Evaluation::default();
    let setting = setting(&evaluation, threads, stop);
    let depth = if options.quick { 8 } else { 12 };
    let (mut nodes, mut seconds) = (0, 0.0);
    for opening in OPENINGS {
        let Ok(game) = Game::from_move_text(opening) else {
            continue;
        };
        let (found, time) = search(game.board(), Reach::Plies(depth), &setting)?;
        nodes += found.nodes;
        seconds += time;
        let name = format!("depth {depth}, phase {}", game.board().phase());
        row(Row::new("search", name, found.nodes, "nodes", time).noted(result(&found)));
    }
    row(Row::new(
        "search",
        format!("depth {depth}, all"),
        nodes,
        "nodes",
        seconds,
    ));

    let sets: &[(u32, u32)] = if options.quick {
        &[(1, 19), (20, 25)]
    } else {
        &[(1, 19), (20, 39), (40, 44), (45, 49)]
    };
    for &(first, last) in sets {
        solve(&(first..=last), threads, stop, row)?;
    }
    Ok(())
}

/// The FFO endgame positions of these numbers, and their sum.
pub(super) fn solve(
    numbers: &RangeInclusive<u32>,
    threads: &Threads,
    stop: &Stop,
    row: &mut impl FnMut(Row),
) -> Result<(), Interrupted> {
    let evaluation = Evaluation::default();
    let setting = setting(&evaluation, threads, stop);
    let (mut nodes, mut seconds, mut correct) = (0, 0.0, true);
    for position in ffo() {
        if !numbers.contains(&position.number) {
            continue;
        }
        let (found, time) = search(position.board, Reach::End, &setting)?;
        let right = is_right(&position, &found);
        nodes += found.nodes;
        seconds += time;
        correct &= right;
        // The easy ones only count in their sum, unless something is wrong.
        if !right || position.number >= 40 {
            let name = format!(
                "FFO {}, {} empties",
                position.number,
                position.board.empties()
            );
            row(Row::new("solver", name, found.nodes, "nodes", time)
                .checked(right)
                .noted(result(&found)));
        }
    }
    let name = format!("FFO {} to {}", numbers.start(), numbers.end());
    row(Row::new("solver", name, nodes, "nodes", seconds).checked(correct));
    Ok(())
}

fn setting<'a>(evaluation: &'a Evaluation, threads: &'a Threads, stop: &'a Stop) -> Setting<'a> {
    Setting {
        evaluation,
        rule: ScoreRule::WinnerTakesEmpties,
        threads,
        stop: stop.flag(),
    }
}

fn search(board: Board, reach: Reach, setting: &Setting<'_>) -> Result<(Found, f64), Interrupted> {
    let mut table = Table::new(TABLE_BITS);
    let (found, seconds) = timed(|| best_line(board, reach, &mut table, setting));
    match found {
        Ok(found) => Ok((found, seconds)),
        Err(_) => Err(Interrupted),
    }
}

/// The value is the known one and the move one of those that reach it.
fn is_right(position: &KnownPosition, found: &Found) -> bool {
    let best = match found.line.first() {
        Some(Move::Play(square)) => position.best.contains(square),
        _ => false,
    };
    best && found.score == f64::from(position.score)
}

fn result(found: &Found) -> String {
    let best = found.line.first().map_or("-".to_owned(), Move::to_string);
    format!("{best} {:+.2}", found.score)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_legal() {
        for opening in OPENINGS {
            let game = Game::from_move_text(opening).expect("a legal opening");
            assert!(!game.is_over());
        }
    }
}
