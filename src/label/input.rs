//! The data that is to be labelled.

use super::LabelError;
use crate::board::ScoreRule;
use crate::dataset::json::read_json;
use crate::dataset::metadata::Metadata;
use crate::dataset::record::{RECORD_SIZE, Record};
use crate::dataset::split::Split;
use crate::dataset::stats::PhaseStats;
use crate::dataset::tree::{PhaseFiles, Records, Tree, TreeKind};
use crate::dataset::value_rules::score_rule;
use std::path::{Path, PathBuf};

/// A dataset, a phase, or a file.
#[derive(Debug)]
pub(crate) struct Input {
    /// Ascending.
    pub phases: Vec<InputPhase>,
}

/// One phase.
#[derive(Debug)]
pub(crate) struct InputPhase {
    /// Discs − 4.
    pub phase: u8,
    /// How its values count.
    pub rule: ScoreRule,
    /// metadata.json, where there is one.
    pub metadata: Option<Metadata>,
    /// stats.json, where there is one.
    pub stats: Option<PhaseStats>,
    /// Open files: train, valid, test, then others by name.
    pub files: Vec<InputFile>,
}

/// One file.
#[derive(Debug)]
pub(crate) struct InputFile {
    /// Which of the three it is, by its name.
    pub split: Option<Split>,
    /// Its records.
    pub records: Records,
}

impl InputPhase {
    /// Empty squares of its positions.
    pub(crate) fn empties(&self) -> u8 {
        60 - self.phase
    }

    /// Records in all files.
    pub(crate) fn count(&self) -> u64 {
        self.files.iter().map(|file| file.records.count()).sum()
    }
}

impl Input {
    /// Opens what lies at `path`. `rule` is for data that does not say how its values count.
    ///
    /// # Errors
    /// Nothing is there, a file cannot be read or ends inside a record, the run that makes it has
    /// not ended, or the rule is unknown.
    pub(crate) fn open(path: &Path, rule: Option<ScoreRule>) -> Result<Input, LabelError> {
        let tree = Tree::find(path)?;
        let phases = tree.phases.iter();
        let mut phases: Vec<InputPhase> = phases
            .map(|files| open_phase(files, &tree, rule))
            .collect::<Result<_, _>>()?;
        phases.sort_by_key(|phase| phase.phase);
        let twice = phases.windows(2).find(|two| two[0].phase == two[1].phase);
        if let Some([one, _]) = twice {
            return Err(LabelError::Twice {
                path: path.to_owned(),
                phase: one.phase,
            });
        }
        Ok(Input { phases })
    }
}

fn open_phase(
    files: &PhaseFiles,
    tree: &Tree,
    named: Option<ScoreRule>,
) -> Result<InputPhase, LabelError> {
    let first = || files.files.first().map(|file| file.path.clone());
    let shown = || files.folder.clone().or_else(first).unwrap_or_default();
    let metadata = read_beside(files, "metadata.json", Metadata::read)?;
    let rule = match (&metadata, named) {
        (Some((path, metadata)), named) => {
            let found = score_rule(&metadata.score_rule);
            let is_other = named.is_some() && named != found;
            match found {
                Some(rule) if !is_other => rule,
                _ => {
                    return Err(LabelError::OtherRule {
                        path: path.clone(),
                        found: metadata.score_rule.clone().into(),
                    });
                }
            }
        }
        (None, _) if beside(files, "run_state.json").is_some_and(|path| path.exists()) => {
            return Err(LabelError::Unfinished { path: shown() });
        }
        (None, Some(rule)) => rule,
        (None, None) => return Err(LabelError::UnknownRule { path: shown() }),
    };
    // In data of rdg's own one of the three that is not there is lost.
    if let (Some(_), Some(path), TreeKind::Dataset | TreeKind::Phase) =
        (&metadata, files.missing.first(), tree.kind)
    {
        return Err(LabelError::MissingFile { path: path.clone() });
    }
    let mut open = Vec::new();
    for file in &files.files {
        let records = Records::open(&file.path)?;
        if records.torn_bytes() > 0 {
            return Err(LabelError::Torn {
                path: file.path.clone(),
                torn: records.torn_bytes(),
            });
        }
        open.push(InputFile {
            split: file.split,
            records,
        });
    }
    let metadata = metadata.map(|(_, metadata)| metadata);
    let told = files.phase.or(metadata.as_ref().map(|m| m.phase));
    let phase = match told.filter(|phase| *phase <= 60) {
        Some(phase) => phase,
        None => phase_of_records(&open)?.ok_or_else(|| LabelError::NoPhase { path: shown() })?,
    };
    let stats = read_beside(files, "stats.json", read_json)?.map(|(_, stats)| stats);
    Ok(InputPhase {
        phase,
        rule,
        metadata,
        stats,
        files: open,
    })
}

/// A file of the folder; beside a file named alone only where that is one of the three.
fn beside(files: &PhaseFiles, name: &str) -> Option<PathBuf> {
    match &files.folder {
        Some(folder) => Some(folder.join(name)),
        None => {
            let file = files.files.first().filter(|file| file.split.is_some())?;
            Some(file.path.with_file_name(name))
        }
    }
}

fn read_beside<T>(
    files: &PhaseFiles,
    name: &str,
    read: impl FnOnce(&Path) -> Result<T, crate::dataset::DatasetError>,
) -> Result<Option<(PathBuf, T)>, LabelError> {
    let Some(path) = beside(files, name) else {
        return Ok(None);
    };
    match read(&path) {
        Ok(read) => Ok(Some((path, read))),
        Err(error) if error.is_missing() => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// By the first record; the others are held against it when they are read.
fn phase_of_records(files: &[InputFile]) -> Result<Option<u8>, LabelError> {
    let Some(file) = files.iter().find(|file| file.records.count() > 0) else {
        return Ok(None);
    };
    let mut first = [[0; RECORD_SIZE]];
    file.records.read(0, &mut first)?;
    let discs = Record::decode(&first[0]).board.discs();
    Ok(u8::try_from(discs.saturating_sub(4))
        .ok()
        .filter(|phase| *phase <= 60))
}
