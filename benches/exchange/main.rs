//! What rdg adds to an engine's own thinking: each exchange beside the least that one can cost, how
//! busy engines are kept, and memory per worker. The engine is this program itself, started with
//! words of its own; it answers at once, or computes for a given time.
//!
//! `cargo bench --bench exchange`; with words, only the parts named: `driver`, `program`, `busy`,
//! `memory`.
//! What is compared is measured in turn; the best of several rounds counts, the worst is told too.

// Path::display: files of its own.
#![allow(clippy::disallowed_methods)]

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

/// `affinity` of config.toml.
const AFFINITIES: [&str; 3] = ["false", "true", "\"auto\""];

/// Shortest and longest of some rounds.
#[derive(Clone, Copy)]
struct Times {
    best: Duration,
    worst: Duration,
}

impl Times {
    const NONE: Times = Times {
        best: Duration::MAX,
        worst: Duration::ZERO,
    };

    fn add(&mut self, time: Duration) {
        self.best = self.best.min(time);
        self.worst = self.worst.max(time);
    }
}

/// The floor, the driver alone and the whole program, in turn.
fn moves(manner: Manner, cpus: usize, driver: bool, program: bool) {
    let folder = tempfile::tempdir().expect("the system has a temporary folder");
    let mut least = Duration::MAX;
    let mut of_driver = [Times::NONE; 2];
    let mut of_program = [Times::NONE; AFFINITIES.len()];
    for _ in 0..ROUNDS {
        least = least.min(floor::measure(manner, folder.path(), ROUND));
        for (is_pinned, times) in [false, true].into_iter().zip(&mut of_driver) {
            if driver {
                times.add(library::measure(manner, folder.path(), is_pinned, ROUND));
            }
        }
        for (affinity, times) in AFFINITIES.into_iter().zip(&mut of_program) {
            if program {
                times.add(program::generate(manner, cpus, affinity, 1000).per_question());
            }
        }
    }
    let writes = match manner.flushes_each_line {
        false => "one write per answer",
        true => "three writes per answer, as Edax",
    };
    println!("engine that answers at once, {writes}; the best and the worst of {ROUNDS} rounds");
    let micros = |time: Duration| time.as_secs_f64() * 1e6;
    let floors = |time: Duration| time.as_secs_f64() / least.as_secs_f64();
    println!("  floor, on one CPU          {:>6.2} µs", micros(least));
    let rows = (AFFINITIES.iter().zip(&of_driver).map(|row| ("driver", row)))
        .filter(|_| driver)
        .chain(
            (AFFINITIES
                .iter()
                .zip(&of_program)
                .map(|row| ("program", row)))
            .filter(|_| program),
        );
    for (name, (affinity, times)) in rows {
        println!(
            "  {:<26} {:>6.2} µs, {:.2} to {:.2} times the floor",
            format!("{name}, affinity {affinity}"),
            micros(times.best),
            floors(times.best),
            floors(times.worst)
        );
    }
    if program {
        let samples =
            |time: Duration| 10.0 * cpus as f64 / time.as_secs_f64() / floor::questions_per_game();
        let each = AFFINITIES.into_iter().zip(of_program);
        let each: Vec<String> = each
            .map(|(affinity, times)| format!("{:.0} with affinity {affinity}", samples(times.best)))
            .collect();
        println!(
            "  samples/s in windows of ten phases: {}; at the floor {:.0}",
            each.join(", "),
            samples(least)
        );
    }
}

fn busy(busy: Duration, cpus: usize, samples: u64) {
    let manner = Manner {
        busy,
        flushes_each_line: true,
    };
    let mut best = [0.0_f64; AFFINITIES.len()];
    for _ in 0..3 {
        for (affinity, best) in AFFINITIES.into_iter().zip(&mut best) {
            *best = best.max(program::generate(manner, cpus, affinity, samples).busy_share());
        }
    }
    let each: Vec<String> = AFFINITIES
        .iter()
        .zip(best)
        .map(|(affinity, share)| format!("{:.1} % with affinity {affinity}", 100.0 * share))
        .collect();
    println!(
        "engine that computes for {busy:?}: it is busy {}",
        each.join(", ")
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
