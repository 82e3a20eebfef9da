//! The rules: perft, random playouts, enumeration.

use super::naive::NaiveBoard;
use super::report::Row;
use super::{BenchOptions, Interrupted, Lcg, timed};
use crate::base::stop::Stop;
use crate::board::enumerate::Enumeration;
use crate::board::{Board, Squares, distinct_positions, perft};
use std::hint::black_box;

/// Move sequences from the start position by depth, a pass counting as a ply (published).
pub(crate) const PERFT: [u64; 11] = [
    4,
    12,
    56,
    244,
    1396,
    8200,
    55_092,
    390_216,
    3_005_288,
    24_571_284,
    212_258_800,
];

/// The phase that playouts go to.
const PLAYOUT_PHASE: u8 = 30;

pub(super) fn measure(
    options: &BenchOptions,
    stop: &Stop,
    row: &mut impl FnMut(Row),
) -> Result<(), Interrupted> {
    let deepest = if options.quick { 9 } else { 11 };
    for depth in 9..=deepest {
        let (nodes, seconds) = timed(|| perft(Board::START, depth));
        let right = nodes == PERFT[depth as usize - 1];
        row(Row::new("perft", format!("depth {depth}"), nodes, "nodes", seconds).checked(right));
        stopped(stop)?;
    }
    playouts(options, row);
    stopped(stop)?;
    enumeration(options, stop, row)
}

fn playouts(options: &BenchOptions, row: &mut impl FnMut(Row)) {
    let count = if options.quick { 20_000 } else { 200_000 };
    let naive_count = count / 40;
    let (naive, naive_seconds) = timed(|| naive_playouts(naive_count));
    let (same, _) = timed(|| playouts_to_phase(naive_count));
    let (boards, seconds) = timed(|| playouts_to_phase(count));
    black_box(boards);
    let baseline = Row::new(
        "playouts",
        format!("phase {PLAYOUT_PHASE}, array board"),
        naive_count,
        "playouts",
        naive_seconds,
    );
    let fast = Row::new(
        "playouts",
        format!("phase {PLAYOUT_PHASE}"),
        count,
        "playouts",
        seconds,
    );
    let ratio = fast.per_second / baseline.per_second;
    row(baseline.noted("baseline, one thread"));
    row(fast
        .checked(naive == same)
        .noted(format!("{ratio:.1} times the array board, one thread")));
}

/// Xor of all positions that `count` random playouts lead to.
fn playouts_to_phase(count: u64) -> (u64, u64) {
    let mut random = Lcg(1);
    let mut sum = (0, 0);
    for _ in 0..count {
        let mut board = Board::START;
        while board.phase() < PLAYOUT_PHASE {
            let legal = board.legal_moves();
            if legal == 0 {
                board = board.passed();
                if board.legal_moves() == 0 {
                    break;
                }
                continue;
            }
            let nth = random.below(legal.count_ones());
            let Some(square) = Squares(legal).nth(nth) else {
                break;
            };
            board = board.after(square, board.flips(square));
        }
        sum = (sum.0 ^ board.own, sum.1 ^ board.opponent);
    }
    sum
}

/// The same games on the array board.
fn naive_playouts(count: u64) -> (u64, u64) {
    let mut random = Lcg(1);
    let mut sum = (0, 0);
    for _ in 0..count {
        let mut board = NaiveBoard::start();
        let mut discs = 4;
        while discs < PLAYOUT_PHASE + 4 {
            let legal = board.legal_moves();
            if legal.is_empty() {
                board.pass();
                if board.legal_moves().is_empty() {
                    break;
                }
                continue;
            }
            board.play(legal[random.below(legal.len() as u32)]);
            discs += 1;
        }
        let (own, opponent) = board.to_bits();
        sum = (sum.0 ^ own, sum.1 ^ opponent);
    }
    sum
}

fn enumeration(
    options: &BenchOptions,
    stop: &Stop,
    row: &mut impl FnMut(Row),
) -> Result<(), Interrupted> {
    let deepest = if options.quick { 8 } else { 10 };
    let Ok(pool) = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads as usize)
        .build()
    else {
        return Ok(());
    };
    for phase in [deepest - 1, deepest] {
        let (found, seconds) = timed(|| pool.install(|| Enumeration::up_to(phase, stop)));
        let Ok(found) = found else {
            return Err(Interrupted);
        };
        let count = found.count(phase);
        row(Row::new(
            "enumeration",
            format!("phase {phase}"),
            count,
            "positions",
            seconds,
        )
        .checked(distinct_positions(phase) == Some(count))
        .noted(format!("{} moves made", found.tally(phase).nodes)));
    }
    Ok(())
}

fn stopped(stop: &Stop) -> Result<(), Interrupted> {
    if stop.is_requested() {
        Err(Interrupted)
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_boards_play_the_same_games() {
        assert_eq!(playouts_to_phase(300), naive_playouts(300));
    }
}
