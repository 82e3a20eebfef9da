//! What `rdg verify` tells, for people and for programs.

use super::fault::{Fault, FaultList, Place};
use super::records::Source;
use crate::base::shown::Shown;
use crate::dataset::DatasetError;
use crate::dataset::record::{RECORD_SIZE, file_size};
use crate::dataset::tree::{PhaseFiles, Tree};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The outcome of a verification.
#[derive(Debug)]
pub struct Report {
    paths: Vec<PathBuf>,
    phases: u64,
    files: u64,
    records: u64,
    bytes: u64,
    /// Games that were replayed.
    pub(super) games: u64,
    notes: Vec<String>,
    /// What is wrong.
    pub faults: FaultList,
}

/// The JSON form.
#[derive(Serialize)]
struct Json<'a> {
    schema: &'static str,
    paths: Vec<String>,
    sound: bool,
    phases: u64,
    files: u64,
    records: u64,
    bytes: u64,
    games: u64,
    fault_count: u64,
    faults_by_kind: &'a std::collections::BTreeMap<&'static str, u64>,
    faults: &'a [Fault],
    notes: &'a [String],
}

impl Report {
    pub(super) fn new(paths: &[PathBuf], limit: usize) -> Report {
        Report {
            paths: paths.to_vec(),
            phases: 0,
            files: 0,
            records: 0,
            bytes: 0,
            games: 0,
            notes: Vec::new(),
            faults: FaultList::new(limit),
        }
    }

    pub(super) fn unreadable(&mut self, path: &Path, error: &DatasetError) {
        let place = Place {
            phase: 0,
            part: 0,
            record: None,
        };
        let kind = match error.is_missing() {
            true => "missing_file",
            false => "unreadable",
        };
        let mut faults = FaultList::new(1);
        faults.add(place, path, kind, error.to_string());
        self.faults.append(faults);
    }

    pub(super) fn note_unfinished(&mut self, files: &PhaseFiles) {
        if let Some(folder) = &files.folder {
            self.notes.push(format!(
                "{} is unfinished; rdg --resume goes on with it",
                folder.shown()
            ));
        }
    }

    pub(super) fn count(&mut self, tree: &Tree, sources: &[Source]) {
        self.phases += tree.phases.len() as u64;
        self.files += sources.len() as u64;
        for source in sources {
            let records = source.records.count();
            self.records += records;
            self.bytes += file_size(records).unwrap_or(0) + u64::from(source.records.torn_bytes());
        }
    }

    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty()
    }

    /// Records looked at.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// One line per fault, then what was looked at.
    pub fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        for fault in self.faults.first() {
            match fault.record {
                Some(record) => {
                    let byte = 10 + record * RECORD_SIZE as u64;
                    let path = fault.path.shown();
                    writeln!(
                        out,
                        "{path}, record {record} (byte {byte}): {}",
                        fault.message.shown()
                    )?;
                }
                // What the system says names the file itself.
                None if fault.message.contains(&*fault.path.to_string_lossy())
                    || fault.message.contains(&fault.path.shown().to_string()) =>
                {
                    writeln!(out, "{}", fault.message.shown())?;
                }
                None => writeln!(out, "{}: {}", fault.path.shown(), fault.message.shown())?,
            }
        }
        let total = self.faults.total();
        let more = total - self.faults.first().len() as u64;
        if more > 0 {
            writeln!(out, "… and {more} more")?;
        }
        for note in &self.notes {
            writeln!(out, "note: {}", note.shown())?;
        }
        let looked_at = format!(
            "{} in {}, {} phase{}",
            counted(self.records, "record"),
            counted(self.files, "file"),
            self.phases,
            if self.phases == 1 { "" } else { "s" }
        );
        let looked_at = match self.games {
            0 => looked_at,
            games => format!("{looked_at}, {} replayed", counted(games, "game")),
        };
        if total == 0 {
            writeln!(out, "{looked_at}: no error found")
        } else {
            let kinds: Vec<String> = self
                .faults
                .by_kind()
                .iter()
                .map(|(kind, n)| format!("{n} {kind}"))
                .collect();
            let faults = counted(total, "error");
            writeln!(out, "{looked_at}: {faults} ({})", kinds.join(", "))
        }
    }

    /// One JSON object.
    pub fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        let json = Json {
            schema: "rdg_verify_v1",
            paths: self
                .paths
                .iter()
                .map(|path| path.to_string_lossy().into_owned())
                .collect(),
            sound: self.is_sound(),
            phases: self.phases,
            files: self.files,
            records: self.records,
            bytes: self.bytes,
            games: self.games,
            fault_count: self.faults.total(),
            faults_by_kind: self.faults.by_kind(),
            faults: self.faults.first(),
            notes: &self.notes,
        };
        serde_json::to_writer_pretty(&mut *out, &json)?;
        writeln!(out)
    }
}

fn counted(n: u64, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}
