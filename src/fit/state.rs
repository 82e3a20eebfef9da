//! The folder of a fit at work, beside the file of weights: the dealt positions, and after every
//! few epochs a checkpoint. It is removed when the fit is done.

use super::FitError;
use super::baseline::Baseline;
use super::options::FitOptions;
use super::sources::Sources;
use super::spool::Decks;
use crate::base::shown::Shown;
use crate::dataset::DatasetError;
use crate::dataset::files::{check_own_folder, write_file};
use crate::dataset::json::{read_schema, write_json};
use crate::engine::builtin::patterns::Shape;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

const SCHEMA: &str = "rdg_fit_state_v1";

/// What decides the weights, in words that can be compared.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Settings {
    pub(super) epochs: u32,
    pub(super) rate: f64,
    pub(super) l2: f64,
    pub(super) stages: usize,
    /// SHA-256 of the file of weights that it began with, hex; empty where it began with zero.
    pub(super) start: String,
    /// Squares of each pattern.
    pub(super) patterns: Vec<String>,
    /// Files and the records in each.
    pub(super) inputs: Vec<(String, u64)>,
}

/// How far one stage has come.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Course {
    /// The epoch whose weights are kept, from 1; 0: none.
    pub(super) best_epoch: u32,
    /// Their error on the valid split; `None` where it has no position.
    pub(super) best: Option<f64>,
    /// Epochs since that were not better.
    pub(super) waited: u32,
    /// Root of the mean squared error met while learning, in the last epoch.
    pub(super) train: Option<f64>,
}

/// A checkpoint without its weights.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct State {
    pub(super) schema: String,
    pub(super) settings: Settings,
    pub(super) score_rule: String,
    pub(super) labels: Vec<String>,
    pub(super) decks: Decks,
    /// Positions of train by stage, without those of neighbours.
    pub(super) positions: Vec<u64>,
    pub(super) baselines: Vec<Baseline>,
    /// Epochs done.
    pub(super) epoch: u32,
    pub(super) courses: Vec<Course>,
}

/// Weights of all stages.
pub(super) type Weights = Vec<Vec<f32>>;

/// The folder.
pub(super) struct Folder {
    path: PathBuf,
}

impl Settings {
    pub(super) fn new(options: &FitOptions, sources: &Sources, start: String) -> Settings {
        let squares = |shape: &Shape| {
            let squares = shape.squares().iter().map(ToString::to_string);
            squares.collect::<Vec<_>>().join(" ")
        };
        Settings {
            epochs: options.epochs,
            rate: options.rate,
            l2: options.l2,
            stages: options.stages,
            start,
            patterns: options.shapes.iter().map(squares).collect(),
            inputs: sources.listed(),
        }
    }

    /// The first difference: option, value then, value now.
    pub(super) fn difference(&self, now: &Settings) -> Option<(String, String, String)> {
        let pairs = [
            ("--epochs", self.epochs.to_string(), now.epochs.to_string()),
            ("--rate", self.rate.to_string(), now.rate.to_string()),
            ("--l2", self.l2.to_string(), now.l2.to_string()),
            ("--stages", self.stages.to_string(), now.stages.to_string()),
            ("--start", self.start.clone(), now.start.clone()),
        ];
        if let Some((what, was, is)) = pairs.into_iter().find(|(_, was, is)| was != is) {
            return Some((what.to_owned(), was, is));
        }
        if self.patterns != now.patterns {
            let count = |of: &Settings| format!("{} patterns", of.patterns.len());
            return Some(("--patterns".to_owned(), count(self), count(now)));
        }
        let input = |of: &Settings, at: usize| {
            let input = of.inputs.get(at);
            input.map_or("none".to_owned(), |(path, records)| {
                format!("{path} with {records} records")
            })
        };
        let longest = self.inputs.len().max(now.inputs.len());
        (0..longest)
            .find(|&at| self.inputs.get(at) != now.inputs.get(at))
            .map(|at| ("dataset".to_owned(), input(self, at), input(now, at)))
    }
}

impl Folder {
    /// That of a file of weights: `FILE.fit`.
    pub(super) fn of(output: &Path) -> Folder {
        let mut name = OsString::from(output.file_name().unwrap_or_default());
        name.push(".fit");
        Folder {
            path: output.with_file_name(name),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn rows(&self) -> PathBuf {
        self.path.join("rows")
    }

    fn state(&self) -> PathBuf {
        self.path.join("state.json")
    }

    fn weights(&self, epoch: u32) -> PathBuf {
        self.path.join(format!("weights_{epoch}"))
    }

    /// Whether something was begun here.
    pub(super) fn exists(&self) -> Result<bool, FitError> {
        check_own_folder(&self.path)?;
        Ok(self.path.exists())
    }

    /// The checkpoint, and its weights: those of the last epoch and the best ones.
    pub(super) fn load(
        &self,
        length: usize,
    ) -> Result<Option<(State, Weights, Weights)>, FitError> {
        let path = self.state();
        let state: State = match read_schema(&path, SCHEMA) {
            Ok(state) => state,
            Err(error) if error.is_missing() => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let bad = |reason: String| FitError::BadState {
            path: path.clone(),
            reason: reason.into(),
        };
        let weights = self.weights(state.epoch);
        let bytes = fs::read(&weights)
            .map_err(|error| bad(format!("{} cannot be read: {error}", weights.shown())))?;
        let stages = state.settings.stages;
        let Some((content, sum)) = bytes.split_last_chunk::<4>() else {
            return Err(bad("its weights are missing".to_owned()));
        };
        if content.len() != 8 * stages * length || crc32fast::hash(content).to_le_bytes() != *sum {
            return Err(bad("its weights are damaged".to_owned()));
        }
        let numbers: Vec<f32> = content
            .as_chunks::<4>()
            .0
            .iter()
            .map(|bytes| f32::from_le_bytes(*bytes))
            .collect();
        let mut all: Weights = numbers.chunks(length).map(<[f32]>::to_vec).collect();
        let best = all.split_off(stages);
        Ok(Some((state, all, best)))
    }

    /// Writes a checkpoint: first the weights under a name of their own, then what refers to them.
    pub(super) fn save(
        &self,
        state: &State,
        now: &Weights,
        best: &Weights,
    ) -> Result<(), FitError> {
        let numbers = now.iter().chain(best).flatten();
        let mut bytes: Vec<u8> = numbers.flat_map(|weight| weight.to_le_bytes()).collect();
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        write_file(&self.weights(state.epoch), &bytes)?;
        write_json(&self.state(), state)?;
        for entry in fs::read_dir(&self.path).map_err(DatasetError::io("read", &self.path))? {
            let path = entry.map_err(DatasetError::io("read", &self.path))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with("weights_") && path != self.weights(state.epoch) {
                let _ = fs::remove_file(&path);
            }
        }
        Ok(())
    }

    /// Removes the checkpoint of an earlier fit, before its positions are replaced.
    pub(super) fn forget(&self) -> Result<(), FitError> {
        let path = self.state();
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(DatasetError::io("remove", &path)(error).into())
            }
            _ => Ok(()),
        }
    }

    /// Removes it.
    pub(super) fn remove(&self) -> Result<(), FitError> {
        match fs::remove_dir_all(&self.path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(DatasetError::io("remove", &self.path)(error).into())
            }
            _ => Ok(()),
        }
    }
}

impl State {
    pub(super) fn schema() -> String {
        SCHEMA.to_owned()
    }
}
