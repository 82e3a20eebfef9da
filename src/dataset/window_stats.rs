//! `window_stats.json`: what the games of each window gave.

use super::counters::{Counters, is_zero};
use serde::{Deserialize, Serialize};

/// Name of the file's form.
pub const WINDOW_STATS_SCHEMA: &str = "rdg_window_stats_v1";

/// window_stats.json.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WindowStats {
    /// [`WINDOW_STATS_SCHEMA`].
    pub schema: String,
    /// Phases per game.
    pub size: u8,
    /// When the file was written, RFC 3339.
    pub generated_at: String,
    /// Games of all windows.
    pub total_trajectories: u64,
    /// Of them, those that were over before their anchor.
    #[serde(default)]
    pub total_ended_early: u64,
    /// Of them, those thrown away because their anchor was too good for one side.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub total_unbalanced: u64,
    /// Of them, those lost to failures of engines.
    pub total_failed_trajectories: u64,
    /// Records written.
    pub total_extracted_samples: u64,
    /// Positions passed over.
    pub total_duplicate_samples: u64,
    /// Each window, by anchor.
    pub windows: Vec<WindowEntry>,
}

/// One window.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WindowEntry {
    /// Its first phase, where random play ends.
    pub anchor: u8,
    /// The configured phases in it.
    pub phases: Vec<u8>,
    /// Games begun.
    pub trajectories: u64,
    /// Games played to the end.
    pub self_play_games: u64,
    /// Moves in them.
    pub self_play_moves: u64,
    /// Forced passes in them.
    pub self_play_pass_count: u64,
    /// Deadlines missed by engines.
    pub engine_timeouts: u64,
    /// Other failures of engines.
    pub engine_errors: u64,
    /// Records written.
    pub extracted_samples: u64,
    /// Positions passed over.
    pub duplicate_samples: u64,
    /// Games that were over before the anchor.
    #[serde(default)]
    pub ended_early: u64,
    /// Games thrown away because their anchor was too good for one side.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unbalanced: u64,
    /// Games lost to failures of engines.
    pub failed_trajectories: u64,
    /// Working time.
    pub elapsed_seconds: f64,
}

impl WindowEntry {
    /// From the counters of the window's phases, each of which counts the window's games, and its
    /// own samples and duplicates. A phase that was rebuilt alone has played games of its own:
    /// then the largest counts are given.
    pub fn from_phases(
        anchor: u8,
        phases: &[(u8, &Counters)],
        elapsed_seconds: f64,
    ) -> WindowEntry {
        let most =
            |count: fn(&Counters) -> u64| phases.iter().map(|(_, c)| count(c)).max().unwrap_or(0);
        let sum = |count: fn(&Counters) -> u64| phases.iter().map(|(_, c)| count(c)).sum();
        WindowEntry {
            anchor,
            phases: phases.iter().map(|&(phase, _)| phase).collect(),
            trajectories: most(|c| c.attempts),
            self_play_games: most(|c| c.self_play.games),
            self_play_moves: most(|c| c.self_play.moves),
            self_play_pass_count: most(|c| c.self_play.pass_count),
            engine_timeouts: most(|c| c.self_play.failures.timeouts()),
            engine_errors: most(|c| c.self_play.failures.errors()),
            extracted_samples: sum(|c| c.values.count()),
            duplicate_samples: sum(|c| c.duplicate_positions),
            // A phase counts those too that ended between the anchor and itself.
            ended_early: most(|c| {
                let others = [c.self_play.games, c.failed_attempts, c.unbalanced];
                let others = others.into_iter().fold(0, u64::saturating_add);
                c.attempts.saturating_sub(others)
            }),
            unbalanced: most(|c| c.unbalanced),
            failed_trajectories: most(|c| c.failed_attempts),
            elapsed_seconds,
        }
    }
}

impl WindowStats {
    /// From the windows.
    pub fn new(size: u8, windows: Vec<WindowEntry>) -> WindowStats {
        let sum = |count: fn(&WindowEntry) -> u64| windows.iter().map(count).sum();
        WindowStats {
            schema: WINDOW_STATS_SCHEMA.to_owned(),
            size,
            generated_at: crate::base::clock::now(),
            total_trajectories: sum(|w| w.trajectories),
            total_ended_early: sum(|w| w.ended_early),
            total_unbalanced: sum(|w| w.unbalanced),
            total_failed_trajectories: sum(|w| w.failed_trajectories),
            total_extracted_samples: sum(|w| w.extracted_samples),
            total_duplicate_samples: sum(|w| w.duplicate_samples),
            windows,
        }
    }
}
