//! `label.json`: how a dataset was labelled, how far that has come, and how its old values differed.

use super::LabelError;
use super::compare::{all, phases_json, write_differences};
use super::difference::{Difference, PhaseDifference};
use super::input::Input;
use crate::base::{clock, version};
use crate::dataset::json::{read_schema, write_json};
use crate::dataset::label::{LABEL_FILE, Labeller};
use crate::dataset::metadata::path_text;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Name of the file's form.
pub(super) const LABEL_SCHEMA: &str = "rdg_label_v1";

/// What decides the bytes of the output.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Settings {
    /// Who gives the values.
    pub by: Labeller,
    /// Positions with so many empty squares get new values, from the first to the last number.
    pub empties: [u8; 2],
    /// Whether the others are kept as they are.
    pub keep_others: bool,
    /// The files of the input, in the order of reading.
    pub inputs: Vec<InputDigest>,
}

/// A file of the input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct InputDigest {
    /// Discs − 4.
    pub phase: u8,
    /// Its name.
    pub file: String,
    /// Records in it.
    pub records: u64,
    /// SHA-256 of its records, hex.
    pub sha256: String,
}

/// How far a phase has come. The records that this counts are on disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Current {
    /// Discs − 4.
    pub phase: u8,
    /// Records done: train, valid, test.
    pub records: [u64; 3],
    /// How their old values differ.
    pub difference: Difference,
}

/// label.json.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct LabelState {
    /// [`LABEL_SCHEMA`].
    pub schema: String,
    /// The dataset with the old values.
    pub input: String,
    /// What decides the bytes.
    pub settings: Settings,
    /// All is done.
    pub complete: bool,
    /// Finished phases with new values: how the old ones differ.
    pub phases: Vec<PhaseDifference>,
    /// All finished phases.
    pub finished: Vec<u8>,
    /// The phase that is being worked on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current: Option<Current>,
    /// Version of rdg.
    pub generator_version: String,
    /// When it was begun, RFC 3339.
    pub started_at: String,
    /// Working time so far, interruptions not counted.
    pub elapsed_seconds: f64,
}

impl Settings {
    /// For an input whose files have these digests.
    pub(crate) fn new(
        by: Labeller,
        empties: [u8; 2],
        keep_others: bool,
        input: &Input,
        digests: &[[u8; 32]],
    ) -> Settings {
        let files = input
            .phases
            .iter()
            .flat_map(|phase| phase.files.iter().map(|file| (phase.phase, file)));
        let inputs = files.zip(digests).map(|((phase, file), digest)| {
            let name = file.records.path().file_name().unwrap_or_default();
            InputDigest {
                phase,
                file: name.to_string_lossy().into_owned(),
                records: file.records.count(),
                sha256: hex(digest),
            }
        });
        Settings {
            by,
            empties,
            keep_others,
            inputs: inputs.collect(),
        }
    }

    /// One digest for all files.
    pub(crate) fn inputs_sha256(&self) -> String {
        let mut hasher = Sha256::new();
        for file in &self.inputs {
            hasher.update(&file.sha256);
        }
        hex(&hasher.finalize())
    }

    /// The first thing in which these differ, as a part of a sentence.
    fn difference(&self, begun: &Settings) -> Option<String> {
        if self.by != begun.by {
            let same = self.by.title() == begun.by.title();
            return Some(match same {
                true => format!("another build of what gives the {}", begun.by.title()),
                false => format!("the {}", begun.by.title()),
            });
        }
        if self.empties != begun.empties {
            let [first, last] = begun.empties;
            return Some(format!("--empties {first}..{last}"));
        }
        if self.keep_others != begun.keep_others {
            return Some(match begun.keep_others {
                true => "--keep-others".to_owned(),
                false => "no --keep-others".to_owned(),
            });
        }
        if self.inputs.len() != begun.inputs.len() {
            return Some("another number of input files".to_owned());
        }
        let mut files = self.inputs.iter().zip(&begun.inputs);
        files
            .find(|(new, old)| new != old)
            .map(|(_, old)| format!("other records in phase {}, {}", old.phase, old.file))
    }
}

impl LabelState {
    /// Nothing is done yet.
    pub(crate) fn new(input: &Path, settings: Settings) -> LabelState {
        LabelState {
            schema: LABEL_SCHEMA.to_owned(),
            input: path_text(input),
            settings,
            complete: false,
            phases: Vec::new(),
            finished: Vec::new(),
            current: None,
            generator_version: version::GENERATOR_VERSION.to_owned(),
            started_at: clock::now(),
            elapsed_seconds: 0.0,
        }
    }

    /// For programs: the file, with the differences worked out.
    pub(crate) fn json(&self) -> Value {
        json!({
            "schema": self.schema,
            "input": self.input,
            "by": self.settings.by,
            "empties": self.settings.empties,
            "keep_others": self.settings.keep_others,
            "complete": self.complete,
            "finished_phases": self.finished,
            "difference": "old value - new value, in discs",
            "all": all(&self.phases).json(),
            "phases": phases_json(&self.phases),
            "elapsed_seconds": self.elapsed_seconds,
        })
    }

    /// For people: how the old values differed.
    ///
    /// # Errors
    /// As those of `out`.
    pub(crate) fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "old values against the {}", self.settings.by.title())?;
        write_differences(&self.phases, out)
    }

    /// Where it lies.
    pub(crate) fn path(output: &Path) -> PathBuf {
        output.join(LABEL_FILE)
    }

    /// What is there; `None` where nothing was begun.
    ///
    /// # Errors
    /// It cannot be read, or was begun with other settings.
    pub(crate) fn resume(
        output: &Path,
        settings: &Settings,
    ) -> Result<Option<LabelState>, LabelError> {
        let state: LabelState = match read_schema(&LabelState::path(output), LABEL_SCHEMA) {
            Ok(state) => state,
            Err(error) if error.is_missing() => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        match settings.difference(&state.settings) {
            None => Ok(Some(state)),
            Some(what) => Err(LabelError::OtherSettings {
                path: output.to_owned(),
                what: what.into(),
            }),
        }
    }

    /// Replaces the file. Sync the records first.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn write(&self, output: &Path) -> Result<(), LabelError> {
        Ok(write_json(&LabelState::path(output), self)?)
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
