//! The search of the middle game: `cargo bench --bench midgame -- [nodes | cost | match [MS [PAIRS]]]`.
//!
//! `nodes` counts the positions visited to depths 6 to 12 with and without selective search, on the
//! same positions. `cost` gives the CPU time of searches of each depth and to the end at each
//! confidence, by the number of empties: what the levels are chosen by. `match` plays selective search
//! against full search at equal CPU time: one step deeper, as long as less than a share of MS
//! milliseconds is used.

use rayon::prelude::*;
use rdg::base::stop::Stop;
use rdg::board::{Board, Move, Square, Squares};
use rdg::engine::builtin::{
    Confidence, Evaluation, Reach, ScoreRule, Setting, Table, Threads, best_line,
};
use rustix::time::{ClockId, clock_gettime};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<u64> = words.iter().filter_map(|w| w.parse().ok()).collect();
    let number = |place: usize, usual: u64| numbers.get(place).copied().unwrap_or(usual);
    let wants = |word: &str| words.iter().any(|w| w == word);
    if wants("match") {
        play_match(number(0, 10), number(1, 100), &words);
    } else if wants("cost") {
        cost(number(0, 20) as usize);
    } else {
        nodes(number(0, 12) as u32);
    }
}

fn nodes(deepest: u32) {
    println!(
        "depth  all nodes    73 %   87 %   95 %   99 %  (times fewer; mean difference in discs)"
    );
    for depth in (6..=deepest).step_by(2) {
        let boards: Vec<Board> = (0..6u32)
            .flat_map(|i| positions(44 - 4 * i, 2, 7 + u64::from(i)))
            .collect();
        let mut results = Confidence::ALL.map(|confidence| {
            let reach = Reach::Selective {
                plies: depth,
                confidence,
            };
            let found: Vec<(u64, f64)> = boards
                .iter()
                .map(|&board| {
                    let (nodes, score, _) = search(board, reach);
                    (nodes, score)
                })
                .collect();
            found
        });
        let [selective @ .., full] = &mut results;
        let sum = |found: &[(u64, f64)]| found.iter().map(|f| f.0).sum::<u64>();
        print!("{depth:>5} {:>10}", sum(full));
        for found in selective {
            let off: f64 = found
                .iter()
                .zip(&*full)
                .map(|(a, b)| (a.1 - b.1).abs())
                .sum();
            print!(
                " {:>5.1} {:.2}",
                sum(full) as f64 / sum(found) as f64,
                off / found.len() as f64
            );
        }
        println!();
    }
}

/// Milliseconds of CPU per search.
fn cost(number: usize) {
    println!("to the end: empties, then ms at 73 %, 87 %, 95 %, 99 %, exactly");
    for empties in (8..=20).step_by(2) {
        let number = if empties > 18 {
            number.div_ceil(4)
        } else {
            number
        };
        let boards = positions(empties, number, 100 + u64::from(empties));
        let times = Confidence::ALL.map(|confidence| {
            mean(
                &boards,
                Reach::Selective {
                    plies: empties,
                    confidence,
                },
            )
        });
        println!("{empties:>5} {times:>9.3?}");
    }
    println!(
        "middle game: depth, then ms with 44, 36, 28, 20 empties at 73 %, 87 %, and all nodes"
    );
    for depth in 1..=12 {
        print!("{depth:>5}");
        let number = if depth > 10 {
            number.div_ceil(4)
        } else {
            number
        };
        for confidence in [Confidence::P73, Confidence::P87, Confidence::FULL] {
            for empties in [44, 36, 28, 20] {
                let boards = positions(empties, number, 200 + u64::from(empties));
                let reach = Reach::Selective {
                    plies: depth,
                    confidence,
                };
                print!(" {:>8.3}", mean(&boards, reach));
            }
            print!("  |");
        }
        println!();
    }
}

fn mean(boards: &[Board], reach: Reach) -> f64 {
    let sum: f64 = boards.iter().map(|&board| search(board, reach).2).sum();
    sum * 1e3 / boards.len() as f64
}

/// Nodes, score and CPU seconds, with a fresh table.
fn search(board: Board, reach: Reach) -> (u64, f64, f64) {
    let evaluation = Evaluation::default();
    let stop = Stop::new();
    let setting = Setting {
        evaluation: &evaluation,
        rule: ScoreRule::Plain,
        threads: Threads::one(),
        stop: stop.flag(),
    };
    let mut table = Table::new(16);
    let start = cpu_seconds();
    let found = best_line(board, reach, &mut table, &setting).expect("never stopped");
    (found.nodes, found.score, cpu_seconds() - start)
}

/// CPU time of this thread in seconds: other work on the machine does not count.
fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Positions with a legal move, from games with sixteen random moves that go on with little thought.
fn positions(empties: u32, number: usize, seed: u64) -> Vec<Board> {
    let evaluation = Evaluation::default();
    let stop = Stop::new();
    let setting = Setting {
        evaluation: &evaluation,
        rule: ScoreRule::Plain,
        threads: Threads::one(),
        stop: stop.flag(),
    };
    let mut table = Table::new(8);
    let mut state = seed;
    let mut found = Vec::new();
    while found.len() < number {
        let mut board = Board::START;
        loop {
            if board.must_pass() {
                board = board.passed();
            }
            let legal = board.legal_moves();
            if legal == 0 {
                break;
            }
            if board.empties() == empties {
                found.push(board);
                break;
            }
            let square = if board.empties() > 44 {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let nth = (state >> 33) % u64::from(legal.count_ones());
                Squares(legal).nth(nth as usize)
            } else {
                let line = best_line(board, Reach::Plies(2), &mut table, &setting);
                match line.expect("never stopped").line.first() {
                    Some(&Move::Play(square)) => Some(square),
                    _ => None,
                }
            };
            let square = square.expect("there is a legal move");
            board = board.after(square, board.flips(square));
        }
    }
    found
}

/// Selective search against full search, every opening twice.
fn play_match(ms: u64, pairs: u64, words: &[String]) {
    let budget = ms as f64 / 1e3;
    let confidence = |usual| {
        let named = |c: &&Confidence| words.contains(&format!("{}%", c.percent()));
        Confidence::ALL
            .iter()
            .rev()
            .find(named)
            .copied()
            .unwrap_or(usual)
    };
    let players = [confidence(Confidence::P87), {
        let against = words
            .iter()
            .position(|w| w == "against")
            .map(|at| &words[at + 1]);
        let named = |c: &&Confidence| against == Some(&format!("{}", c.percent()));
        Confidence::ALL
            .iter()
            .find(named)
            .copied()
            .unwrap_or(Confidence::FULL)
    }];
    let results: Vec<([f64; 2], [f64; 2])> = (0..pairs)
        .into_par_iter()
        .map(|pair| {
            let opening = positions(44, 1, 1_000 + pair)[0];
            let mut used = [0.0; 2];
            let first = game(opening, budget, players, [0, 1], &mut used);
            let second = -game(opening, budget, players, [1, 0], &mut used);
            ([first, second], used)
        })
        .collect();
    let means: Vec<f64> = results.iter().map(|(r, _)| (r[0] + r[1]) / 2.0).collect();
    let count = means.len() as f64;
    let mean = means.iter().sum::<f64>() / count;
    let variance = means.iter().map(|m| (m - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let games = results.iter().flat_map(|(r, _)| r);
    let (mut won, mut lost) = (0, 0);
    for &result in games {
        won += u32::from(result > 0.0);
        lost += u32::from(result < 0.0);
    }
    let used = [0, 1].map(|side| results.iter().map(|(_, used)| used[side]).sum::<f64>());
    println!(
        "{} % against {} % at {ms} ms: {mean:+.2} ± {:.2} discs a game (95 %), {won} won, {lost} \
         lost of {}, CPU time {:.2} : 1",
        players[0].percent(),
        players[1].percent(),
        1.96 * (variance / count).sqrt(),
        2 * pairs,
        used[0] / used[1]
    );
}

/// The disc difference for the side to move in `board`, which is the player `order[0]`.
fn game(
    mut board: Board,
    budget: f64,
    players: [Confidence; 2],
    order: [usize; 2],
    used: &mut [f64; 2],
) -> f64 {
    let mut tables = [Table::new(18), Table::new(18)];
    let mut side = 0;
    loop {
        if board.legal_moves() == 0 {
            if board.is_game_over() {
                let difference = board.own.count_ones() as f64 - board.opponent.count_ones() as f64;
                return if side == 0 { difference } else { -difference };
            }
            board = board.passed();
        } else {
            let player = order[side];
            let (square, seconds) = choose(board, budget, players[player], &mut tables[player]);
            used[player] += seconds;
            board = board.after(square, board.flips(square));
        }
        side = 1 - side;
    }
}

/// A move by as many steps as are begun within a share of the CPU time.
fn choose(board: Board, budget: f64, confidence: Confidence, table: &mut Table) -> (Square, f64) {
    const BEGUN_WITHIN: f64 = 0.4;
    let evaluation = Evaluation::default();
    let stop = Stop::new();
    let setting = Setting {
        evaluation: &evaluation,
        rule: ScoreRule::Plain,
        threads: Threads::one(),
        stop: stop.flag(),
    };
    let empties = board.empties();
    let deepest = empties.saturating_sub(8).max(1);
    let middle = (1..=deepest).map(|plies| Reach::Selective { plies, confidence });
    let ends = Confidence::ALL
        .into_iter()
        .filter(|&end| end == Confidence::FULL || (confidence != Confidence::FULL && empties > 12));
    let ends = ends.map(|confidence| Reach::Selective {
        plies: empties,
        confidence,
    });
    let start = cpu_seconds();
    let mut chosen = None;
    for reach in middle.chain(ends) {
        if chosen.is_some() && cpu_seconds() - start > BEGUN_WITHIN * budget {
            break;
        }
        let found = best_line(board, reach, table, &setting).expect("never stopped");
        chosen = found.line.first().copied();
    }
    match chosen {
        Some(Move::Play(square)) => (square, cpu_seconds() - start),
        _ => unreachable!("there is a legal move"),
    }
}
