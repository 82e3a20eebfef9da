//! Speed of the search: `cargo bench --bench solver [-- FIRST LAST]` solves the FFO positions from
//! FIRST to LAST (by default 1 to 44) with one thread and plays games of self-play from phase 20.
//! `-- FIRST LAST THREADS` solves each position with one thread and with THREADS in turn and gives
//! the ratio of the times on the clock.

use rdg::arena::positions::ffo;
use rdg::base::stop::Stop;
use rdg::board::{Color, Game, Squares};
use rdg::engine::Engine;
use rdg::engine::builtin::{
    Builtin, Evaluation, Reach, ScoreRule, Setting, Table, Threads, best_line,
};
use rustix::time::{ClockId, clock_gettime};
use std::time::Instant;

fn main() {
    let numbers: Vec<u32> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    let (first, last) = match numbers[..] {
        [first, last, ..] => (first, last),
        _ => (1, 44),
    };
    if let [_, _, threads, ..] = numbers[..] {
        compare(first, last, threads);
        return;
    }
    solve(first, last);
    // With a range, only that is measured.
    if numbers.len() < 2 {
        for level in [1, 2, 4, 6, 8, 10, 12, 14] {
            self_play(level);
        }
    }
}

/// CPU time of this thread in seconds: other work on the machine does not count.
fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn solve(first: u32, last: u32) {
    let evaluation = Evaluation::default();
    let stop = Stop::new();
    let setting = Setting {
        evaluation: &evaluation,
        rule: ScoreRule::WinnerTakesEmpties,
        threads: Threads::one(),
        stop: stop.flag(),
    };
    let (mut nodes, mut seconds) = (0, 0.0);
    println!("  no empties  score      nodes      time    nodes/s");
    for position in ffo() {
        if !(first..=last).contains(&position.number) {
            continue;
        }
        let mut table = Table::new(22);
        let start = cpu_seconds();
        let found =
            best_line(position.board, Reach::End, &mut table, &setting).expect("never stopped");
        let time = cpu_seconds() - start;
        let wrong = found.score != f64::from(position.score);
        println!(
            "{:>4} {:>7} {:>6} {:>10} {:>8.3}s {:>8.2} M {}",
            position.number,
            position.board.empties(),
            found.score,
            found.nodes,
            time,
            found.nodes as f64 / time / 1e6,
            if wrong { "WRONG" } else { "" }
        );
        nodes += found.nodes;
        seconds += time;
    }
    println!(
        "{first}-{last}: {:.2} M nodes, {seconds:.3} s, {:.2} M nodes/s",
        nodes as f64 / 1e6,
        nodes as f64 / seconds / 1e6
    );
}

fn compare(first: u32, last: u32, number: u32) {
    let evaluation = Evaluation::default();
    let stop = Stop::new();
    let many = Threads::new(number).expect("the system gives threads");
    let mut sums = [(0.0, 0), (0.0, 0)];
    println!("  no empties  score    1 thread {number:>4} threads  ratio  nodes' ratio");
    for position in ffo() {
        if !(first..=last).contains(&position.number) {
            continue;
        }
        let [one, many] = [Threads::one(), &many].map(|threads| {
            let setting = Setting {
                evaluation: &evaluation,
                rule: ScoreRule::WinnerTakesEmpties,
                threads,
                stop: stop.flag(),
            };
            let mut table = Table::new(22);
            let start = Instant::now();
            let found = best_line(position.board, Reach::End, &mut table, &setting);
            let time = start.elapsed().as_secs_f64();
            let found = found.expect("never stopped");
            assert_eq!(found.score, f64::from(position.score));
            (time, found.nodes)
        });
        println!(
            "{:>4} {:>7} {:>6} {:>10.3}s {:>11.3}s {:>6.2} {:>13.2}",
            position.number,
            position.board.empties(),
            position.score,
            one.0,
            many.0,
            one.0 / many.0,
            many.1 as f64 / one.1 as f64
        );
        for (sum, part) in sums.iter_mut().zip([one, many]) {
            sum.0 += part.0;
            sum.1 += part.1;
        }
    }
    let [one, many] = sums;
    println!(
        "all: {:.2} times as fast with {number} threads, {:.2} times the nodes",
        one.0 / many.0,
        many.1 as f64 / one.1 as f64
    );
}

fn self_play(level: u32) {
    let mut engine = Builtin::new("builtin", level, 1, None, &Stop::new()).expect("a valid level");
    let mut state = 1u64;
    let (mut games, mut sum, mut moves, mut slowest) = (0, 0i64, 0, 0.0f64);
    let start = cpu_seconds();
    while cpu_seconds() - start < 4.0 {
        let mut game = Game::new();
        while game.board().phase() < 20 {
            game.pass_if_forced();
            let legal = game.board().legal_moves();
            if legal == 0 {
                game = Game::from_position(rdg::board::Board::START, Color::Black);
                continue;
            }
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let nth = (state >> 33) % u64::from(legal.count_ones());
            let square = Squares(legal).nth(nth as usize).expect("counted");
            game.play_known(square, game.board().flips(square));
        }
        engine.new_game().expect("never fails");
        loop {
            game.pass_if_forced();
            if game.is_over() {
                break;
            }
            let before = cpu_seconds();
            let square = engine.choose(&game).expect("a move");
            slowest = slowest.max(cpu_seconds() - before);
            moves += 1;
            game.play_known(square, game.board().flips(square));
        }
        games += 1;
        sum += i64::from(game.black_difference());
    }
    let seconds = cpu_seconds() - start;
    println!(
        "level {level}: {:.2} games/s from phase 20, {:.3} ms per move, {:.1} ms at worst ({games} games, sum {sum})",
        f64::from(games) / seconds,
        seconds * 1e3 / f64::from(moves),
        slowest * 1e3,
    );
}
