//! Speed of the rules' inner loops: `cargo bench --bench board`. Prints nanoseconds per call and
//! the ratio to the first line of each group. Each variant runs in turn, several rounds, and the
//! best round counts, so that other work on the machine disturbs little.

use rdg::board::cpu::{Cpu, Portable, V3, V4};
use rdg::board::{Board, Squares, perft};
use std::hint::black_box;
use std::time::Instant;

const ROUNDS: usize = 15;

fn main() {
    let positions = positions();
    let moves: Vec<(Board, u8)> = positions
        .iter()
        .flat_map(|&board| Squares(board.legal_moves()).map(move |s| (board, s.index())))
        .collect();
    let lasts: Vec<(u64, u8)> = moves.iter().map(|&(b, s)| (b.own, s)).collect();

    group(
        "legal moves",
        positions.len(),
        &mut [
            ("portable", &mut || legal(Portable, &positions)),
            ("x86-64-v3", &mut || {
                V3::detect().map_or(0, |cpu| {
                    cpu.run(
                        #[inline(always)]
                        || legal(cpu, &positions),
                    )
                })
            }),
            ("x86-64-v4", &mut || {
                V4::detect().map_or(0, |cpu| {
                    cpu.run(
                        #[inline(always)]
                        || legal(cpu, &positions),
                    )
                })
            }),
            ("Board method", &mut || {
                positions.iter().fold(0, |a, b| a ^ b.legal_moves())
            }),
        ],
    );
    group(
        "flips",
        moves.len(),
        &mut [
            ("portable", &mut || flips(Portable, &moves)),
            ("x86-64-v3", &mut || {
                V3::detect().map_or(0, |cpu| {
                    cpu.run(
                        #[inline(always)]
                        || flips(cpu, &moves),
                    )
                })
            }),
            ("x86-64-v4", &mut || {
                V4::detect().map_or(0, |cpu| {
                    cpu.run(
                        #[inline(always)]
                        || flips(cpu, &moves),
                    )
                })
            }),
            ("Board method", &mut || {
                moves.iter().fold(0, |a, &(b, s)| {
                    a ^ rdg::board::Square::new(s).map_or(0, |s| b.flips(s))
                })
            }),
        ],
    );
    group(
        "flips, one after the other",
        moves.len(),
        &mut [
            ("portable", &mut || chained(Portable, &moves)),
            ("x86-64-v3", &mut || {
                V3::detect().map_or(0, |cpu| {
                    cpu.run(
                        #[inline(always)]
                        || chained(cpu, &moves),
                    )
                })
            }),
            ("x86-64-v4", &mut || {
                V4::detect().map_or(0, |cpu| {
                    cpu.run(
                        #[inline(always)]
                        || chained(cpu, &moves),
                    )
                })
            }),
        ],
    );
    group(
        "last flips",
        lasts.len(),
        &mut [
            ("portable", &mut || last(Portable, &lasts)),
            ("x86-64-v3", &mut || {
                V3::detect().map_or(0, |cpu| {
                    cpu.run(
                        #[inline(always)]
                        || last(cpu, &lasts),
                    )
                })
            }),
            ("x86-64-v4", &mut || {
                V4::detect().map_or(0, |cpu| {
                    cpu.run(
                        #[inline(always)]
                        || last(cpu, &lasts),
                    )
                })
            }),
        ],
    );
    group(
        "canonical form",
        positions.len(),
        &mut [("Board method", &mut || {
            positions.iter().fold(0, |a, b| a ^ b.canonical().own)
        })],
    );
    group(
        "perft 8 (per leaf)",
        390_216,
        &mut [("perft", &mut || perft(Board::START, 8))],
    );
}

#[inline(always)]
fn legal<C: Cpu>(cpu: C, positions: &[Board]) -> u64 {
    positions
        .iter()
        .fold(0, |a, b| a ^ cpu.legal_moves(b.own, b.opponent))
}

#[inline(always)]
fn flips<C: Cpu>(cpu: C, moves: &[(Board, u8)]) -> u64 {
    moves
        .iter()
        .fold(0, |a, &(b, s)| a ^ cpu.flips(s, b.own, b.opponent))
}

/// Each call waits for the one before, as along a line of play.
#[inline(always)]
fn chained<C: Cpu>(cpu: C, moves: &[(Board, u8)]) -> u64 {
    let nothing = black_box(0);
    moves.iter().fold(0, |a, &(b, s)| {
        a ^ cpu.flips(s, b.own ^ (a & nothing), b.opponent)
    })
}

#[inline(always)]
fn last<C: Cpu>(cpu: C, positions: &[(u64, u8)]) -> u64 {
    positions
        .iter()
        .fold(0, |a, &(own, s)| a + u64::from(cpu.last_flips(s, own)))
}

type Variant<'a> = (&'a str, &'a mut dyn FnMut() -> u64);

fn group(name: &str, calls: usize, variants: &mut [Variant<'_>]) {
    let mut best = vec![f64::INFINITY; variants.len()];
    for _ in 0..ROUNDS {
        for (variant, best) in variants.iter_mut().zip(&mut best) {
            let start = Instant::now();
            black_box((variant.1)());
            *best = best.min(start.elapsed().as_secs_f64());
        }
    }
    println!("{name}");
    for (variant, seconds) in variants.iter().zip(&best) {
        println!(
            "  {:<28}{:>8.2} ns {:>7.2}x",
            variant.0,
            seconds * 1e9 / calls as f64,
            best[0] / seconds
        );
    }
}

/// Positions of random games, in the order in which they were played.
fn positions() -> Vec<Board> {
    let mut state = 1u64;
    let mut positions = Vec::new();
    for _ in 0..400 {
        let mut board = Board::START;
        loop {
            if board.must_pass() {
                board = board.passed();
            }
            let legal = board.legal_moves();
            if legal == 0 {
                break;
            }
            positions.push(board);
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let nth = (state >> 33) % u64::from(legal.count_ones());
            let square = Squares(legal).nth(nth as usize).expect("counted");
            board = board.after(square, board.flips(square));
        }
    }
    positions
}
