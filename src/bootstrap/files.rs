//! The folder of the rounds.
//!
//! ```text
//! <output>/
//!   bootstrap.json           settings, and what each finished round came to
//!   round_0/weights.txt      the square weights of the beginning, where they are the start
//!   round_1/
//!     config.toml app.toml   what the games were played with
//!     data/                  the positions
//!     weights.bin            what was fitted to them; weights.bin.json describes it
//!   round_2/ …
//! ```

use super::BootstrapError;
use super::report::RoundReport;
use super::settings::{Settings, Start};
use crate::dataset::DatasetError;
use crate::dataset::files::write_file;
use crate::dataset::json::{read_schema, write_json};
use crate::engine::builtin::{Evaluation, SQUARE_WEIGHTS};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

pub(super) const SCHEMA: &str = "rdg_bootstrap_v1";

/// bootstrap.json.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct State {
    pub(super) schema: String,
    pub(super) settings: Settings,
    pub(super) rounds: Vec<RoundReport>,
}

/// The folder.
pub(super) struct Folder {
    path: PathBuf,
}

impl Folder {
    pub(super) fn new(path: &Path) -> Folder {
        Folder {
            path: path.to_owned(),
        }
    }

    pub(super) fn round(&self, round: u32) -> PathBuf {
        self.path.join(format!("round_{round}"))
    }

    fn state(&self) -> PathBuf {
        self.path.join("bootstrap.json")
    }

    pub(super) fn load(&self) -> Result<Option<State>, BootstrapError> {
        match read_schema(&self.state(), SCHEMA) {
            Ok(state) => Ok(Some(state)),
            Err(error) if error.is_missing() => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    pub(super) fn save(&self, state: &State) -> Result<(), BootstrapError> {
        Ok(write_json(&self.state(), state)?)
    }

    /// Removes the rounds, and nothing else.
    pub(super) fn clear(&self) -> Result<(), BootstrapError> {
        let gone = |result: std::io::Result<()>, path: &Path| match result {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(DatasetError::io("remove", path)(error))
            }
            _ => Ok(()),
        };
        gone(fs::remove_file(self.state()), &self.state())?;
        let entries = match fs::read_dir(&self.path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(DatasetError::io("read", &self.path)(error).into()),
        };
        for entry in entries {
            let path = entry.map_err(DatasetError::io("read", &self.path))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let number = name.strip_prefix("round_").map(str::parse::<u32>);
            if matches!(number, Some(Ok(_))) && path.is_dir() && !path.is_symlink() {
                gone(fs::remove_dir_all(&path), &path)?;
            }
        }
        Ok(())
    }

    /// The weights of a round; `None` for the embedded ones.
    pub(super) fn weights(&self, round: u32, settings: &Settings) -> Option<PathBuf> {
        match (round, &settings.start) {
            (0, Start::Squares) => Some(self.round(0).join("weights.txt")),
            (0, Start::Builtin) => None,
            (0, Start::File(path)) => Some(PathBuf::from(path)),
            (round, _) => Some(self.round(round).join("weights.bin")),
        }
    }

    /// Makes round 0, where it is not there yet.
    pub(super) fn begin(&self, settings: &Settings) -> Result<(), BootstrapError> {
        match &settings.start {
            Start::Squares => {
                let rows = SQUARE_WEIGHTS.chunks(8).map(|row| {
                    let numbers: Vec<String> = row.iter().map(ToString::to_string).collect();
                    numbers.join(" ") + "\n"
                });
                self.make(0)?;
                let path = self.round(0).join("weights.txt");
                Ok(write_file(&path, rows.collect::<String>().as_bytes())?)
            }
            Start::Builtin => Ok(()),
            Start::File(path) => Evaluation::from_file(Path::new(path))
                .map(|_| ())
                .map_err(|reason| BootstrapError::Start(reason.into())),
        }
    }

    /// Makes the folder of a round.
    pub(super) fn make(&self, round: u32) -> Result<PathBuf, BootstrapError> {
        let path = self.round(round);
        fs::create_dir_all(&path).map_err(DatasetError::io("create", &path))?;
        Ok(path)
    }
}
