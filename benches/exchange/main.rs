//! What rdg adds to an engine's own thinking: each exchange beside the least that one can cost, how
//! busy engines are kept, and memory per worker. The engine is this program itself, started with
//! words of its own; it answers at once, or computes for a given time.
//!
//! `cargo bench --bench exchange`; with words, only the parts named: `driver`, `program`, `busy`,
//! `memory`.
//! What is compared is measured in turn, and the best of several rounds counts.

mod floor;
mod games;
mod library;
mod null_engine;
mod program;

use null_engine::Manner;
use std::time::Duration;

const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_millis(200);

fn main() {
    null_engine::run_if_asked();
    let words: Vec<String> = std::env::args().skip(1).collect();
    let is_wanted = |part: &str| {
        let mut parts = words.iter().filter(|word| !word.starts_with('-'));
        parts.clone().next().is_none() || parts.any(|word| word == part)
    };
    let cpus = rdg::engine::affinity::allowed_cpus().len();
    println!("{cpus} CPUs, as many workers; times per question and worker");
    let (driver, program) = (is_wanted("driver"), is_wanted("program"));
    for flushes_each_line in [false, true] {
        let manner = Manner {
            busy: Duration::ZERO,
            flushes_each_line,
        };
        if driver || program {
            moves(manner, cpus, driver, program);
        }
    }
    if is_wanted("busy") {
        for (micros, samples) in [(100, 2000), (1000, 200)] {
            busy(Duration::from_micros(micros), cpus, samples);
        }
    }
    if is_wanted("memory") {
        memory();
    }
}

/// The floor, the driver alone and the whole program, in turn.
fn moves(manner: Manner, cpus: usize, driver: bool, program: bool) {
    let folder = tempfile::tempdir().expect("the system has a temporary folder");
    let mut least = Duration::MAX;
    let mut of_driver = [Duration::MAX; 2];
    let mut of_program = [Duration::MAX; 2];
    for _ in 0..ROUNDS {
        least = least.min(floor::measure(manner, folder.path(), ROUND));
        for is_pinned in [false, true] {
            if driver {
                let best = &mut of_driver[usize::from(is_pinned)];
                *best = (*best).min(library::measure(manner, folder.path(), is_pinned, ROUND));
            }
            if program {
                let best = &mut of_program[usize::from(is_pinned)];
                let run = program::generate(manner, cpus, is_pinned, 1000);
                *best = (*best).min(run.per_question());
            }
        }
    }
    let writes = match manner.flushes_each_line {
        false => "one write per answer",
        true => "three writes per answer, as Edax",
    };
    println!("engine that answers at once, {writes}");
    let micros = |time: Duration| time.as_secs_f64() * 1e6;
    println!("  floor, on one CPU    {:>6.2} µs", micros(least));
    let rows = [
        ("driver", driver, of_driver),
        ("program", program, of_program),
    ];
    for (name, _, best) in rows.into_iter().filter(|row| row.1) {
        for (name_of_affinity, time) in ["", ", affinity"].into_iter().zip(best) {
            println!(
                "  {:<20} {:>6.2} µs, {:.2} times the floor",
                format!("{name}{name_of_affinity}"),
                micros(time),
                time.as_secs_f64() / least.as_secs_f64()
            );
        }
        println!(
            "  {name}: affinity makes it {:.2} times as fast",
            best[0].as_secs_f64() / best[1].as_secs_f64()
        );
    }
    if program {
        let samples =
            |time: Duration| 10.0 * cpus as f64 / time.as_secs_f64() / floor::questions_per_game();
        println!(
            "  samples/s in windows of ten phases: {:.0}, {:.0} with affinity; at the floor {:.0}",
            samples(of_program[0]),
            samples(of_program[1]),
            samples(least)
        );
    }
}

fn busy(busy: Duration, cpus: usize, samples: u64) {
    let manner = Manner {
        busy,
        flushes_each_line: true,
    };
    let mut best: [f64; 2] = [0.0; 2];
    for _ in 0..3 {
        for (is_pinned, best) in [false, true].into_iter().zip(&mut best) {
            *best = best.max(program::generate(manner, cpus, is_pinned, samples).busy_share());
        }
    }
    println!(
        "engine that computes for {busy:?}: it is busy {:.1} % of the time, {:.1} % with affinity",
        100.0 * best[0],
        100.0 * best[1]
    );
}

fn memory() {
    let (few, many) = (10, 200);
    match (program::memory(few), program::memory(many)) {
        (Some(of_few), Some(of_many)) => println!(
            "memory of the program: {:.1} MB with {few} workers, {:.1} MB with {many}: {:.0} kB per \
             worker",
            of_few as f64 / 1e6,
            of_many as f64 / 1e6,
            (of_many as f64 - of_few as f64) / (many - few) as f64 / 1e3
        ),
        _ => println!("memory of the program: the system does not tell"),
    }
}
