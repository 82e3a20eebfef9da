//! `summary.json`: one run over all its phases.

use super::counters::is_zero;
use super::import::{ImportCounts, ImportedFile};
use super::metadata::{DataMode, Generation};
use super::stats::{PhaseStats, SplitCounts};
use serde::{Deserialize, Serialize};

/// Name of the file's form.
pub const SUMMARY_SCHEMA: &str = "rdg_summary_v1";

/// summary.json.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// [`SUMMARY_SCHEMA`].
    pub schema: String,
    /// How positions were found.
    pub mode: DataMode,
    /// What one game gives.
    pub generation: Generation,
    /// Master seed, configured or drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// When the first phase was begun, RFC 3339.
    pub started_at: String,
    /// When the last one was finished, RFC 3339.
    pub finished_at: String,
    /// Working time, interruptions not counted.
    pub elapsed_seconds: f64,
    /// The phases, ascending.
    pub phases: Vec<u8>,
    /// Records in all of them.
    pub total_samples: u64,
    /// Records per split in all of them.
    pub split: SplitCounts,
    /// Each phase.
    pub phase_stats: Vec<PhaseSummary>,
    /// The games of an import.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub import: Option<ImportCounts>,
    /// The files of an import: the first thousand of them, in the order of reading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs: Option<Vec<ImportedFile>>,
}

/// One phase in `phase_stats`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct PhaseSummary {
    /// Discs − 4.
    pub phase: u8,
    /// Records.
    pub emitted_samples: u64,
    /// Games that were over before the phase.
    #[serde(default)]
    pub ended_early: u64,
    /// Games thrown away because their anchor was too good for one side.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unbalanced: u64,
    /// Games lost to failures of engines (import: bad games).
    pub failed_attempts: u64,
    /// Positions passed over.
    pub duplicate_positions: u64,
    /// Their share.
    pub duplicate_rate: f64,
}

impl Summary {
    /// From the statistics of the phases. `elapsed_seconds` is the working time of the whole: the
    /// phases of a window share theirs, so it is no sum.
    pub fn new(
        mode: DataMode,
        generation: Generation,
        started_at: String,
        finished_at: String,
        elapsed_seconds: f64,
        phases: &[PhaseStats],
    ) -> Summary {
        let mut phases: Vec<&PhaseStats> = phases.iter().collect();
        phases.sort_by_key(|stats| stats.phase);
        let mut split = SplitCounts::default();
        for stats in &phases {
            split.train += stats.split.train;
            split.valid += stats.split.valid;
            split.test += stats.split.test;
        }
        Summary {
            schema: SUMMARY_SCHEMA.to_owned(),
            mode,
            generation,
            seed: None,
            started_at,
            finished_at,
            elapsed_seconds,
            phases: phases.iter().map(|stats| stats.phase).collect(),
            total_samples: split.total(),
            split,
            phase_stats: phases
                .iter()
                .map(|stats| PhaseSummary {
                    phase: stats.phase,
                    emitted_samples: stats.emitted_samples,
                    ended_early: stats.ended_early,
                    unbalanced: stats.unbalanced,
                    failed_attempts: stats.failed_attempts,
                    duplicate_positions: stats.duplicate_positions,
                    duplicate_rate: stats.duplicate_rate,
                })
                .collect(),
            import: None,
            inputs: None,
        }
    }
}
