//! Files opened as far as they can be: what is broken is told in one sentence each, and the rest is
//! used.

use super::DatasetError;
use super::record::RECORD_SIZE;
use super::rules::RecordFault;
use super::split::Split;
use super::tree::{PhaseFiles, RecordFile, Records};
use crate::base::shown::Shown;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Something broken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// The file or folder.
    pub path: PathBuf,
    /// The record, from 0, where one is meant.
    pub record: Option<u64>,
    /// The sentence; it names file and record.
    pub message: String,
}

impl Damage {
    /// Of a file or folder as a whole.
    pub fn of(path: &Path, error: &DatasetError) -> Damage {
        Damage {
            path: path.to_owned(),
            record: None,
            message: error.to_string(),
        }
    }

    /// Of a record, and of so many others of the same file behind it.
    pub fn of_record(path: &Path, record: u64, fault: RecordFault, others: u64) -> Damage {
        let error = DatasetError::BadRecord {
            path: path.to_owned(),
            record,
            fault,
        };
        let more = match others {
            0 => String::new(),
            1 => "; another record is broken too, see rdg verify".to_owned(),
            n => format!("; {n} more are broken too, see rdg verify"),
        };
        Damage {
            path: path.to_owned(),
            record: Some(record),
            message: format!("{error}{more}"),
        }
    }

    /// For programs.
    pub fn json(&self) -> Value {
        json!({
            "path": self.path.to_string_lossy(),
            "record": self.record,
            "message": self.message,
        })
    }
}

/// Opens the files of a phase.
pub(crate) fn open_files<'a>(
    files: &'a PhaseFiles,
    damage: &mut Vec<Damage>,
) -> Vec<(&'a RecordFile, Records)> {
    // A folder of other files alone is not a phase of ours that misses some.
    if files.missing.len() < Split::ALL.len() {
        for path in &files.missing {
            damage.push(Damage {
                path: path.clone(),
                record: None,
                message: format!("{} is missing", path.shown()),
            });
        }
    }
    let mut open = Vec::new();
    for file in &files.files {
        match Records::open(&file.path) {
            Ok(records) => {
                damage.extend(torn_end(&records));
                open.push((file, records));
            }
            Err(error) => damage.push(Damage::of(&file.path, &error)),
        }
    }
    open
}

fn torn_end(records: &Records) -> Option<Damage> {
    let torn = records.torn_bytes();
    (torn > 0).then(|| Damage {
        path: records.path().to_owned(),
        record: Some(records.count()),
        message: format!(
            "{}, record {}: cut short, {torn} of {RECORD_SIZE} bytes are there",
            records.path().shown(),
            records.count()
        ),
    })
}
