//! `run_state.json`: the checkpoint of a phase. Whatever it counts is on disk.

use super::DatasetError;
use super::counters::Counters;
use super::json::{read_schema, write_json};
use super::layout::PhaseDir;
use super::metadata::{DataMode, Generation};
use super::stats::SplitCounts;
use serde::{Deserialize, Serialize};

/// Name of the file's form.
pub const RUN_STATE_SCHEMA: &str = "rdg_run_state_v1";

/// run_state.json.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunState {
    /// [`RUN_STATE_SCHEMA`].
    pub schema: String,
    /// How positions are found.
    pub mode: DataMode,
    /// What one game gives.
    pub generation: Generation,
    /// Discs − 4.
    pub phase: u8,
    /// First phase of the window, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<u8>,
    /// Master seed.
    pub seed: u64,
    /// Hash of what decides this phase's data.
    pub config_effective_hash: String,
    /// Which definition of that hash.
    pub hash_definition: String,
    /// What the hash covers, in clear: what differs can be told by name and value.
    pub settings: serde_json::Map<String, serde_json::Value>,
    /// Number of the first game that is not in the records.
    pub next_game: u64,
    /// Records on disk that count; what lies behind them is a torn tail.
    pub records: SplitCounts,
    /// The phase had all its samples.
    pub complete: bool,
    /// So far every byte follows from the seed.
    #[serde(default = "yes")]
    pub reproducible: bool,
    /// The target at that time.
    pub samples_per_phase: u64,
    /// When the phase was begun, RFC 3339.
    pub started_at: String,
    /// Working time so far, interruptions not counted.
    pub elapsed_seconds: f64,
    /// Of it, the walk of all_positions mode.
    #[serde(default)]
    pub enumeration_seconds: f64,
    /// Working time of the whole run when this was written, earlier runs included.
    #[serde(default)]
    pub run_elapsed_seconds: f64,
    /// Everything counted so far.
    pub counters: Counters,
}

fn yes() -> bool {
    true
}

impl RunState {
    /// Reads a phase's checkpoint.
    ///
    /// # Errors
    /// No such file ([`DatasetError::is_missing`]); one of another version or not to be understood
    /// ([`DatasetError::is_corruption`]); one of another phase.
    pub fn read(dir: &PhaseDir) -> Result<RunState, DatasetError> {
        let path = dir.run_state();
        let state: RunState = read_schema(&path, RUN_STATE_SCHEMA)?;
        if state.phase != dir.phase() {
            return Err(DatasetError::Json {
                path,
                reason: format!("it is that of phase {}", state.phase),
            });
        }
        Ok(state)
    }

    /// Replaces a phase's checkpoint. Sync the records first.
    pub fn write(&self, dir: &PhaseDir) -> Result<(), DatasetError> {
        write_json(&dir.run_state(), self)
    }
}
