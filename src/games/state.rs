//! `games_state.json`: the checkpoint of a games file. Whatever it counts is on disk.

use super::error::GamesError;
use super::game::Ending;
use super::layout::GamesDir;
use crate::dataset::DatasetError;
use crate::dataset::json::{read_schema, write_json};
use crate::dataset::metadata::{DataMode, Generation};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Name of the file's form.
pub const GAMES_STATE_SCHEMA: &str = "rdg_games_state_v1";

/// games_state.json.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GamesState {
    /// [`GAMES_STATE_SCHEMA`].
    pub schema: String,
    /// How positions are found.
    pub mode: DataMode,
    /// What one game gives.
    pub generation: Generation,
    /// Ply at which the random part of the games ends.
    pub anchor: u8,
    /// Master seed.
    pub seed: u64,
    /// What decides the games, by name; the same for every phase of a window.
    pub settings: Map<String, Value>,
    /// Number of the first game.
    #[serde(default)]
    pub first_game: u64,
    /// Difference between one number and the next: 1, or the number of shards.
    #[serde(default = "one")]
    pub step: u64,
    /// Number of the first game that is not in the file.
    pub next_game: u64,
    /// Games in the file.
    pub games: u64,
    /// Bytes of the file that count; what lies behind them is a torn tail.
    pub bytes: u64,
    /// Every game follows from the seed.
    #[serde(default = "yes")]
    pub reproducible: bool,
    /// How the games ended.
    pub endings: EndingCounts,
}

fn yes() -> bool {
    true
}

fn one() -> u64 {
    1
}

/// Games by how they ended.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct EndingCounts {
    /// See [`Ending::Finished`].
    pub finished: u64,
    /// See [`Ending::EndedEarly`].
    pub ended_early: u64,
    /// See [`Ending::Unbalanced`].
    pub unbalanced: u64,
    /// See [`Ending::GivenUp`].
    pub given_up: u64,
}

impl EndingCounts {
    /// Counts one game.
    pub fn count(&mut self, ending: Ending) {
        *match ending {
            Ending::Finished => &mut self.finished,
            Ending::EndedEarly => &mut self.ended_early,
            Ending::Unbalanced => &mut self.unbalanced,
            Ending::GivenUp => &mut self.given_up,
        } += 1;
    }

    /// How many ended like this.
    pub fn of(&self, ending: Ending) -> u64 {
        match ending {
            Ending::Finished => self.finished,
            Ending::EndedEarly => self.ended_early,
            Ending::Unbalanced => self.unbalanced,
            Ending::GivenUp => self.given_up,
        }
    }
}

impl GamesState {
    /// Reads the checkpoint of a games file.
    ///
    /// # Errors
    /// No such file; one of another version or not to be understood; one whose numbers do not fit
    /// each other, or of other games than the folder's name says.
    pub fn read(dir: &GamesDir) -> Result<GamesState, GamesError> {
        let path = dir.state();
        let state: GamesState = read_schema(&path, GAMES_STATE_SCHEMA)?;
        let next = state
            .games
            .checked_mul(state.step)
            .and_then(|span| span.checked_add(state.first_game));
        let reason = if state.anchor != dir.anchor() {
            format!("it is that of games_{:02}", state.anchor)
        } else if state.step == 0 || state.first_game >= state.step || next != Some(state.next_game)
        {
            "its numbers of games do not fit each other".to_owned()
        } else {
            return Ok(state);
        };
        Err(DatasetError::Json {
            path,
            reason: reason.into(),
        }
        .into())
    }

    /// Replaces the checkpoint. Sync the games first.
    pub fn write(&self, dir: &GamesDir) -> Result<(), GamesError> {
        Ok(write_json(&dir.state(), self)?)
    }
}
