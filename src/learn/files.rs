//! What a run of learning keeps on disk, and its names.
//!
//! ```text
//! weight_initial.txt       before learning, whole numbers
//! weight_epoch_N.txt       after epoch N, whole numbers
//! weight_d_epoch_N.txt     after epoch N, real numbers
//! weight_final.txt         the result, whole numbers
//! weight_d_final.txt       the result, real numbers
//! learn.json               settings, seed, learning curve, final match
//! learn_state.json         what is needed to continue
//! ```
//!
//! Every file is written whole or not at all. A state is stored after the weight files that
//! belong to its epoch, so whatever it does not cover is made again, with the same bytes.

use super::error::LearnError;
use super::settings::Settings;
use super::trainer::{EpochStats, Trainer};
use super::weights::Weights;
use super::{check::Check, td::REWARD};
use crate::arena::matches::Statistics;
use crate::base::version::GENERATOR_VERSION;
use crate::dataset::DatasetError;
use crate::dataset::files::write_file;
use crate::dataset::json::{read_schema, write_json};
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

/// Name of the file with the result's history.
pub(crate) const REPORT_FILE: &str = "learn.json";

/// Name of the file that a run continues from.
pub(crate) const STATE_FILE: &str = "learn_state.json";

/// Schema of [`STATE_FILE`].
const STATE_SCHEMA: &str = "rdg_learn_state_v1";

/// Schema of [`REPORT_FILE`].
const REPORT_SCHEMA: &str = "rdg_learn_v1";

/// The output folder of a run, which holds its lock.
pub(crate) struct Folder(PathBuf);

#[derive(Serialize)]
struct StateOut<'a> {
    schema: &'static str,
    state: &'a Trainer,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StateIn {
    #[serde(rename = "schema")]
    _schema: String,
    state: Trainer,
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    generator_version: &'static str,
    reward: f64,
    settings: &'a Settings,
    initial_weights: &'a Weights,
    final_weights: &'a Weights,
    final_check: Option<&'a Statistics>,
    checks: &'a [Check],
    epochs: &'a [EpochStats],
}

impl Folder {
    /// The files of learning in `path`.
    pub(crate) fn new(path: &Path) -> Folder {
        Folder(path.to_owned())
    }

    /// Where the state is.
    pub(crate) fn state_path(&self) -> PathBuf {
        self.0.join(STATE_FILE)
    }

    /// The names of this folder's files that a run of learning has written, sorted.
    pub(crate) fn learned_files(&self) -> Result<Vec<String>, LearnError> {
        let reading = |e| DatasetError::io("read", &self.0)(e);
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.0).map_err(reading)? {
            if let Ok(name) = entry.map_err(reading)?.file_name().into_string()
                && is_ours(&name)
            {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }

    /// Removes the files of an earlier run, and nothing else. The state goes first: without it
    /// nobody continues what is half gone.
    pub(crate) fn clear(&self) -> Result<(), LearnError> {
        let mut names = self.learned_files()?;
        names.sort_by_key(|name| name != STATE_FILE);
        for name in names {
            let path = self.0.join(name);
            fs::remove_file(&path).map_err(DatasetError::io("remove", &path))?;
        }
        Ok(())
    }

    /// The stored state; `None` where there is none.
    pub(crate) fn load(&self) -> Result<Option<Trainer>, LearnError> {
        let path = self.state_path();
        let trainer = match read_schema::<StateIn>(&path, STATE_SCHEMA) {
            Ok(state) => state.state,
            Err(error) if error.is_missing() => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let bad = |reason: &str| {
            Err(LearnError::BadState {
                state: path.clone(),
                reason: reason.into(),
            })
        };
        if trainer.settings.check().is_err() {
            return bad("it holds settings that are not allowed");
        }
        if trainer.curve.len() != trainer.epoch as usize {
            return bad("its learning curve does not fit its number of epochs");
        }
        let all = [&trainer.initial, &trainer.weights, &trainer.averaged];
        if !all.iter().all(|weights| weights.are_sound()) {
            return bad("it holds weights that are out of range");
        }
        Ok(Some(trainer))
    }

    /// Stores the state.
    pub(crate) fn save(&self, trainer: &Trainer) -> Result<(), LearnError> {
        let state = StateOut {
            schema: STATE_SCHEMA,
            state: trainer,
        };
        Ok(write_json(&self.state_path(), &state)?)
    }

    /// Writes `weight_initial.txt`.
    pub(crate) fn write_initial(&self, weights: &Weights) -> Result<(), LearnError> {
        self.write("weight_initial.txt", &whole(weights))
    }

    /// Writes both files of an epoch.
    pub(crate) fn write_epoch(&self, epoch: u32, weights: &Weights) -> Result<(), LearnError> {
        self.write(&format!("weight_epoch_{epoch}.txt"), &whole(weights))?;
        self.write(&format!("weight_d_epoch_{epoch}.txt"), &real(weights))
    }

    /// Writes the result and its history.
    pub(crate) fn write_final(
        &self,
        trainer: &Trainer,
        check: Option<&Statistics>,
    ) -> Result<(), LearnError> {
        self.write("weight_final.txt", &whole(trainer.result()))?;
        self.write("weight_d_final.txt", &real(trainer.result()))?;
        let report = Report {
            schema: REPORT_SCHEMA,
            generator_version: GENERATOR_VERSION,
            reward: REWARD,
            settings: &trainer.settings,
            initial_weights: &trainer.initial,
            final_weights: trainer.result(),
            final_check: check,
            checks: &trainer.checks,
            epochs: &trainer.curve,
        };
        Ok(write_json(&self.0.join(REPORT_FILE), &report)?)
    }

    fn write(&self, name: &str, text: &str) -> Result<(), LearnError> {
        Ok(write_file(&self.0.join(name), text.as_bytes())?)
    }
}

/// Whether a run of learning writes files of this name.
fn is_ours(name: &str) -> bool {
    let is_weights = |name: &str| {
        let Some(stem) = name.strip_suffix(".txt") else {
            return false;
        };
        let stem = stem.strip_prefix("d_").unwrap_or(stem);
        let is_epoch = |n: &str| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit());
        stem == "initial" || stem == "final" || stem.strip_prefix("epoch_").is_some_and(is_epoch)
    };
    name == REPORT_FILE
        || name == STATE_FILE
        || name.strip_prefix("weight_").is_some_and(is_weights)
}

/// Eight lines of whole numbers.
fn whole(weights: &Weights) -> String {
    table(&weights.rounded().0)
}

/// Eight lines of real numbers, each with as many digits as it takes to read it back exactly.
fn real(weights: &Weights) -> String {
    table(&weights.0)
}

fn table(numbers: &[impl Display; 64]) -> String {
    let words: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    let width = words.iter().map(String::len).max().unwrap_or(0);
    let line = |row: &[String]| {
        let cells: Vec<String> = row.iter().map(|word| format!("{word:>width$}")).collect();
        cells.join(" ") + "\n"
    };
    words.chunks(8).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::builtin::parse_weights;

    #[test]
    fn tables_are_readable_and_read_back_exactly() {
        let text = whole(&Weights::corner_table());
        assert_eq!(text.lines().next(), Some("100 -20  10   5   5  10 -20 100"));
        let mut weights = Weights::corner_table();
        weights.0[3] = 0.1 + 0.2;
        weights.0[4] = -1.0 / 3.0;
        weights.0[5] = 1e-12;
        let read = parse_weights(&real(&weights)).unwrap();
        assert_eq!(read.map(f64::to_bits), weights.0.map(f64::to_bits));
    }

    #[test]
    fn only_files_of_learning_are_ours() {
        for name in [
            "weight_initial.txt",
            "weight_final.txt",
            "weight_d_final.txt",
            "weight_epoch_100.txt",
            "weight_d_epoch_5.txt",
            "learn.json",
            "learn_state.json",
        ] {
            assert!(is_ours(name), "{name}");
        }
        for name in [
            "weight_mine.txt",
            "weight_epoch_.txt",
            "weight_epoch_1a.txt",
            "weight_final.txt.bak",
            "notes.txt",
            "summary.json",
        ] {
            assert!(!is_ours(name), "{name}");
        }
    }

    #[test]
    fn states_that_cannot_be_are_refused() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = Folder::new(temporary.path());
        assert!(folder.load().unwrap().is_none());
        let good = Trainer::new(Settings::quick(1), Weights::corner_table());
        folder.save(&good).unwrap();
        assert_eq!(folder.load().unwrap(), Some(good.clone()));
        let mut bad = good.clone();
        bad.epoch = 3;
        folder.save(&bad).unwrap();
        assert!(
            folder
                .load()
                .unwrap_err()
                .to_string()
                .contains("learning curve")
        );
        let mut bad = good.clone();
        bad.weights.0[0] = 1e9;
        folder.save(&bad).unwrap();
        assert!(
            folder
                .load()
                .unwrap_err()
                .to_string()
                .contains("out of range")
        );
        for junk in ["", "{}", "[1, 2", "{\"schema\": \"rdg_learn_state_v1\"}"] {
            fs::write(folder.state_path(), junk).unwrap();
            assert!(folder.load().unwrap_err().to_string().contains(STATE_FILE));
        }
    }
}
