//! What watching a run costs: counters, and each style of showing them, as shares of one core.
//!
//! `cargo bench --bench progress`

use rdg::progress::{Display, DisplayOptions, PhaseProgress, Progress, RunInfo, Snapshot, Style};
use std::fs;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Changes of the counters, as many as the games of a long run. A run makes far fewer: the
/// collector changes them once per batch of games.
const UPDATES: u32 = 10_000_000;

/// Time that a game takes at the very least: random moves to phase 20, the rest by the embedded
/// engine at level 1 (about 110 µs on the machine this was written on).
const SHORTEST_GAME: Duration = Duration::from_micros(50);

fn main() -> std::io::Result<()> {
    // What is shown goes nowhere.
    rustix::stdio::dup2_stderr(fs::File::options().write(true).open("/dev/null")?)?;
    counters();
    for (name, style, interval) in [
        ("dashboard", Style::Dashboard, 50),
        ("lines", Style::Lines, 5),
        ("json", Style::Json, 5),
    ] {
        showing(name, style, Duration::from_millis(interval));
    }
    Ok(())
}

fn counters() {
    let silent = time_updates(&Progress::silent());
    let display = Display::start(&options(Style::Json, Duration::from_millis(10)), info());
    let shown = time_updates(&display.progress());
    drop(display);
    for (name, each) in [("unseen", silent), ("shown every 10 ms", shown)] {
        println!(
            "{UPDATES} changes of counters, {name}: {each:.1} ns each, {:.3} % of as many games of {} µs",
            100.0 * each / SHORTEST_GAME.as_nanos() as f64,
            SHORTEST_GAME.as_micros()
        );
    }
}

/// Nanoseconds per change.
fn time_updates(progress: &Progress) -> f64 {
    progress.update(|now| *now = snapshot());
    let began = Instant::now();
    for game in 0..UPDATES {
        progress.update(|now| {
            now.games += 1;
            now.phases[game as usize % 51].done += 1;
            now.splits[0] += 1;
        });
    }
    black_box(progress.snapshot());
    began.elapsed().as_nanos() as f64 / f64::from(UPDATES)
}

fn showing(name: &str, style: Style, interval: Duration) {
    let display = Display::start(&options(style, interval), info());
    let progress = display.progress();
    progress.update(|now| *now = snapshot());
    let wait = Duration::from_secs(3);
    std::thread::sleep(wait);
    let spent = cpu_time_of("display");
    drop(display);
    let updates = wait.as_secs_f64() / interval.as_secs_f64();
    let each = spent.as_secs_f64() / updates;
    println!(
        "{name:<9} {:>7.1} µs of CPU time for one update: {:.3} % of a core at 1 s, {:.2} % at {} ms",
        each * 1e6,
        each * 100.0,
        each * 100.0 / interval.as_secs_f64(),
        interval.as_millis()
    );
}

/// CPU time of this process' threads of that name.
fn cpu_time_of(name: &str) -> Duration {
    let mut sum = Duration::ZERO;
    for task in fs::read_dir("/proc/self/task")
        .into_iter()
        .flatten()
        .flatten()
    {
        let file = |file: &str| fs::read_to_string(task.path().join(file)).unwrap_or_default();
        if file("comm").trim() == name {
            let schedstat = file("schedstat");
            let nanoseconds = schedstat
                .split(' ')
                .next()
                .and_then(|field| field.parse().ok());
            sum += Duration::from_nanos(nanoseconds.unwrap_or(0));
        }
    }
    sum
}

fn options(style: Style, interval: Duration) -> DisplayOptions {
    DisplayOptions {
        style,
        color: true,
        emoji: true,
        interval,
        later_interval: interval,
    }
}

fn info() -> RunInfo {
    RunInfo {
        command: "generate",
        mode: "normal",
        output_dir: "datasets/edax_lv20".into(),
        seed: Some(42),
        workers: 8,
        engine: "edax level 20".to_owned(),
        prices: Vec::new(),
    }
}

/// Phases 10 to 60, of which ten are being filled.
fn snapshot() -> Snapshot {
    let phase = |phase: u8| PhaseProgress {
        phase,
        anchor: phase / 10 * 10,
        target: 1_000_000,
        done: u64::from(phase) * 1000,
        resumed: 0,
    };
    Snapshot {
        phases: (10..=60).map(phase).collect(),
        active: (10..20).collect(),
        games: 123_456,
        splits: [1_000_000, 10_000, 10_000],
        ..Snapshot::default()
    }
}
