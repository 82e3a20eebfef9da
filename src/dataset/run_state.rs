//! `run_state.json`: the checkpoint of a phase. Whatever it counts is on disk.

use super::DatasetError;
use super::counters::Counters;
use super::json::{read_json, read_schema, write_json};
use super::layout::PhaseDir;
use super::metadata::{DataMode, Generation};
use super::stats::SplitCounts;
use serde::{Deserialize, Serialize};
use std::path::Path;

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
    /// Every game that is counted here is kept, in a folder `games_NN`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keeps_games: bool,
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

/// No run counts more of anything; what is near 2^63 would overflow sums.
const MOST_COUNTED: u64 = 1 << 53;

impl RunState {
    /// In which numbers it contradicts itself, if it does. Each game of a phase is counted once as an
    /// attempt, is the next number, and gave a record or a duplicate, or is counted as what became of it.
    pub fn contradiction(&self) -> Option<String> {
        if !matches!(self.mode, DataMode::Normal | DataMode::AllPositions) {
            return None;
        }
        let counters = &self.counters;
        let outcomes = [
            ("records", self.records.total()),
            ("duplicate_positions", counters.duplicate_positions),
            ("ended_early", counters.ended_early),
            ("unbalanced", counters.unbalanced),
            ("failed_attempts", counters.failed_attempts),
        ];
        let all = [
            ("next_game", self.next_game),
            ("attempts", counters.attempts),
            ("self_play.games", counters.self_play.games),
        ];
        let too_many = all
            .iter()
            .chain(&outcomes)
            .find(|(_, count)| *count > MOST_COUNTED);
        if let Some((name, count)) = too_many {
            return Some(format!("{name} is {count}, more than any run counts"));
        }
        let counted: u64 = outcomes.iter().map(|(_, count)| count).sum();
        if counted != counters.attempts {
            return Some(format!(
                "it counts {} games, but {counted} records, duplicates, and games that ended early, \
                 were unbalanced or failed",
                counters.attempts
            ));
        }
        (self.next_game != counters.attempts).then(|| {
            format!(
                "next_game is {}, but it counts {} games",
                self.next_game, counters.attempts
            )
        })
    }

    /// Reads a phase's checkpoint.
    ///
    /// # Errors
    /// No such file ([`DatasetError::is_missing`]); one of another version or not to be understood
    /// ([`DatasetError::is_corruption`]); one of another phase.
    pub fn read(dir: &PhaseDir) -> Result<RunState, DatasetError> {
        let path = dir.run_state();
        let mut state: RunState = read_schema(&path, RUN_STATE_SCHEMA)?;
        if state.phase != dir.phase() {
            return Err(DatasetError::Json {
                path,
                reason: format!("it is that of phase {}", state.phase).into(),
            });
        }
        if !counts_early_ends(&path)? && state.reproducible {
            // Before these were counted apart. Reproducible data has lost no game.
            let counters = &mut state.counters;
            counters.ended_early = std::mem::take(&mut counters.failed_attempts);
        }
        Ok(state)
    }

    /// Replaces a phase's checkpoint. Sync the records first.
    pub fn write(&self, dir: &PhaseDir) -> Result<(), DatasetError> {
        write_json(&dir.run_state(), self)
    }
}

/// Whether games that ended early stand apart from those that failed.
fn counts_early_ends(path: &Path) -> Result<bool, DatasetError> {
    let state: serde_json::Value = read_json(path)?;
    Ok(state.pointer("/counters/ended_early").is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn older_states_call_games_failed_that_ended_early() {
        let folder = tempfile::tempdir().unwrap();
        let dir = PhaseDir::new(folder.path(), 50);
        std::fs::create_dir(dir.path()).unwrap();
        let read = |reproducible: bool, counters: serde_json::Value| {
            let state = json!({
                "schema": RUN_STATE_SCHEMA, "mode": "normal", "generation": "phase", "phase": 50,
                "seed": 1, "config_effective_hash": "", "hash_definition": "", "settings": {},
                "next_game": 9, "records": {"train": 1, "valid": 1, "test": 1},
                "complete": false, "reproducible": reproducible, "samples_per_phase": 9,
                "started_at": "", "elapsed_seconds": 1.0, "counters": counters,
            });
            std::fs::write(dir.run_state(), state.to_string()).unwrap();
            let counters = RunState::read(&dir).unwrap().counters;
            (counters.ended_early, counters.failed_attempts)
        };
        assert_eq!(read(true, json!({"failed_attempts": 6})), (6, 0));
        // Some of them were lost; nobody knows how many.
        assert_eq!(read(false, json!({"failed_attempts": 6})), (0, 6));
        let apart = json!({"failed_attempts": 2, "ended_early": 4});
        assert_eq!(read(true, apart), (4, 2));
    }
}
