//! What games cost before any has been played: from tables, for engines whose cost is known.

use crate::config::{DatasetConfig, EngineSpec, RunEngines};

/// The columns of [`EMBEDDED`]: the phase at which the engine takes over, and so many further on.
const FIRST: f64 = 1.0;
const STEP: f64 = 10.0;

/// Milliseconds of CPU time per game of the embedded engine by level, from phase 1, 11, 21, 31, 41 and
/// 51: phase 21 by runs of one worker on an x86-64 server, the others by `rdg --dry-run --measure`
/// beside it. Between two levels, and beyond the last, a level costs as many times the one before as
/// the two differ.
const EMBEDDED: [(u32, [f64; 6]); 8] = [
    (0, [0.030, 0.026, 0.022, 0.017, 0.011, 0.0035]),
    (1, [0.074, 0.063, 0.048, 0.032, 0.0163, 0.0043]),
    (2, [0.43, 0.335, 0.254, 0.16, 0.068, 0.0058]),
    (4, [4.3, 3.35, 2.35, 1.35, 0.455, 0.0062]),
    (6, [23.0, 19.0, 13.6, 7.3, 2.4, 0.0066]),
    (8, [92.0, 73.0, 51.6, 29.0, 7.6, 0.0070]),
    (10, [350.0, 280.0, 194.0, 107.0, 25.0, 0.0074]),
    (12, [1230.0, 980.0, 677.0, 340.0, 78.0, 0.0078]),
];

/// Seconds per game on one worker for each phase at which games leave the playout, 0..=60; `None` for
/// an engine that nobody knows.
pub(super) fn per_worker(engines: &RunEngines) -> Option<Vec<f64>> {
    let of = |phase: u8| seconds_per_game(&engines.self_play, f64::from(phase));
    (0..=60).map(of).collect()
}

/// The same for all workers together on so many CPUs.
pub fn prices(config: &DatasetConfig, engines: &RunEngines, cpus: usize) -> Option<Vec<f64>> {
    let at_once = at_once(config, engines, cpus);
    let one = per_worker(engines)?;
    Some(one.into_iter().map(|seconds| seconds / at_once).collect())
}

/// Games that can be played at the same time.
pub(super) fn at_once(config: &DatasetConfig, engines: &RunEngines, cpus: usize) -> f64 {
    let workers = config.self_play.workers.max(1) as f64;
    let threads = f64::from(engines.self_play.threads.max(1));
    workers.min(cpus.max(1) as f64 / threads)
}

fn seconds_per_game(spec: &EngineSpec, anchor: f64) -> Option<f64> {
    if let Some(time) = spec.move_time {
        return Some(time.as_secs_f64() * (60.0 - anchor));
    }
    spec.entry
        .kind
        .is_embedded()
        .then(|| embedded(spec.level, anchor))
}

fn embedded(level: u32, anchor: f64) -> f64 {
    let index = EMBEDDED
        .partition_point(|&(known, _)| known <= level)
        .max(1)
        - 1;
    let (known, row) = EMBEDDED[index];
    let ms = between(&row, anchor);
    if known == level {
        return ms / 1e3;
    }
    let (below, above) = match EMBEDDED.get(index + 1) {
        Some(&next) => ((known, row), next),
        None => (EMBEDDED[index - 1], (known, row)),
    };
    let factor = between(&above.1, anchor) / between(&below.1, anchor);
    let levels = f64::from(level - known) / f64::from(above.0 - below.0);
    ms * factor.powf(levels) / 1e3
}

/// A row at a phase between its columns; next to nothing is left at the last phase.
fn between(row: &[f64; 6], anchor: f64) -> f64 {
    let column = (anchor - FIRST).max(0.0) / STEP;
    let index = column as usize;
    match row.get(index + 1) {
        Some(next) => {
            let share = column - index as f64;
            row[index].powf(1.0 - share) * next.powf(share)
        }
        None => row[5] * (1.0 - (column - 5.0)).max(0.02),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_falls_with_the_phase_and_rises_with_the_level() {
        for level in 1..=30 {
            for phase in 1..60 {
                let here = embedded(level, f64::from(phase));
                let later = embedded(level, f64::from(phase + 1));
                assert!(here.is_finite() && later > 0.0, "{level} {phase}");
                assert!(later < here, "level {level}, phase {phase}: {here} {later}");
                assert!(
                    embedded(level + 1, f64::from(phase)) > here,
                    "{level} {phase}"
                );
            }
        }
        for (level, row) in EMBEDDED {
            for (column, ms) in row.into_iter().enumerate() {
                let phase = FIRST + STEP * column as f64;
                assert!((embedded(level, phase) * 1e3 - ms).abs() < 1e-9);
            }
        }
    }
}
