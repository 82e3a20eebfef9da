//! What generation adds to the engine's own thinking, as ratios of one run: the collector's share
//! of CPU time, the gain of a second worker, memory per remembered position, and enumeration
//! beside plain counting of moves.
//!
//! `cargo bench --bench generation`

use rdg::base::stop::Stop;
use rdg::board::enumerate::Enumeration;
use rdg::board::{Board, perft};
use rdg::config;
use rdg::dataset::positions::PositionSet;
use rdg::generate::{ExistingOutput, Request, run};
use rdg::progress::Progress;
use std::path::Path;
use std::time::{Duration, Instant};

fn main() {
    println!("generation, embedded engine, window 10..59 of 10, wall and CPU time");
    for level in [1, 3] {
        overhead(level);
    }
    memory();
    enumeration();
}

/// One run per number of workers, in turn, the better of three each.
fn overhead(level: u32) {
    let samples = if level == 1 { 6000 } else { 2000 };
    let mut best: [Option<Measured>; 2] = [None, None];
    for _ in 0..3 {
        for (workers, best) in (1..).zip(&mut best) {
            let measured = measure(level, workers, samples);
            if best.as_ref().is_none_or(|best| measured.wall < best.wall) {
                *best = Some(measured);
            }
        }
    }
    let [Some(one), Some(two)] = best else { return };
    for (workers, m) in [(1, &one), (2, &two)] {
        let share = m.others.as_secs_f64() / (m.workers + m.others).as_secs_f64();
        println!(
            "level {level}, {workers} workers: {:>8.0} samples/s, {:>5.2} % of CPU time outside \
             the workers",
            m.samples as f64 / m.wall.as_secs_f64(),
            100.0 * share
        );
    }
    println!(
        "level {level}: 2 workers give {:.2} times the samples per second of one",
        one.wall.as_secs_f64() / two.wall.as_secs_f64()
    );
}

struct Measured {
    wall: Duration,
    /// CPU time of worker threads.
    workers: Duration,
    /// CPU time of the collector, which this thread is, and of those that help it sync.
    others: Duration,
    samples: u64,
}

fn measure(level: u32, workers: usize, samples: u64) -> Measured {
    let folder = tempfile::tempdir().expect("the system has a temporary folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a temporary file can be written");
        path
    };
    let app = write("app.toml", "[engines.builtin]\nkind = \"builtin\"\n");
    let dataset = write(
        "config.toml",
        &format!(
            "output_dir = \"out\"\nphases = \"10..59\"\nsamples_per_phase = {samples}\nseed = 1\n\
             [self_play]\nworkers = {workers}\n[self_play.ai]\nname = \"builtin\"\nlevel = {level}\n\
             [window]\nenabled = true\nsize = 10\n"
        ),
    );
    let dataset = config::load_dataset(&dataset).expect("the configuration above is valid");
    let app = config::load_app(&app, &rdg::engine::KINDS).expect("the registry above is valid");
    let engines = dataset.engines(&app).expect("the engine is registered");
    let request = Request::new(dataset, &app, engines, ExistingOutput::Refuse);
    let (process, here) = (cpu_time(Path::new("/proc/self")), own_cpu_time());
    let started = Instant::now();
    let (report, end) = run(&request, &Progress::silent(), &Stop::new());
    let wall = started.elapsed();
    end.expect("nothing stands in the way of this run");
    let others = own_cpu_time().saturating_sub(here);
    let all = cpu_time(Path::new("/proc/self")).saturating_sub(process);
    Measured {
        wall,
        workers: all.saturating_sub(others),
        others,
        samples: report.samples.unwrap_or_default(),
    }
}

fn own_cpu_time() -> Duration {
    cpu_time(Path::new("/proc/thread-self"))
}

/// User and system time of a process or thread; 0 where /proc does not tell.
fn cpu_time(of: &Path) -> Duration {
    let text = std::fs::read_to_string(of.join("stat")).unwrap_or_default();
    let after_name = text.rsplit_once(')').map_or("", |(_, rest)| rest);
    let fields: Vec<u64> = after_name
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|n| n.parse().ok())
        .collect();
    // The kernel counts in hundredths of a second on every Linux that tells through /proc.
    Duration::from_millis(10 * fields.iter().sum::<u64>())
}

fn memory() {
    for n in [1_000, 100_000, 10_000_000] {
        if let Ok(set) = PositionSet::for_expected(n) {
            let bytes = set.memory_bytes() as f64 / n as f64;
            println!("{n:>9} positions remembered: {bytes:.2} bytes each");
        }
    }
}

fn enumeration() {
    // Both walk the tree from the start position: one merges, one does not.
    let started = Instant::now();
    let nodes = perft(Board::START, 9);
    let perft_rate = nodes as f64 / started.elapsed().as_secs_f64();
    for phase in [8, 9, 10] {
        let started = Instant::now();
        let Ok(all) = Enumeration::up_to(phase, &Stop::new()) else {
            return;
        };
        let time = started.elapsed().as_secs_f64();
        let rate = all.count(phase) as f64 / time;
        println!(
            "phase {phase:>2}: {:>9} positions in {time:.3} s, {rate:.0}/s, {:.3} of perft's {perft_rate:.0} nodes/s",
            all.count(phase),
            rate / perft_rate,
        );
    }
}
