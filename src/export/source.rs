//! The files of records that an export reads, and what they have in common.

use super::error::ExportError;
use super::options::ExportOptions;
use crate::base::shown::Shown;
use crate::dataset::metadata::{Metadata, PLAIN_DISC_DIFFERENCE};
use crate::dataset::split::Split;
use crate::dataset::tree::{PhaseFiles, Records, Tree};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The label of data whose metadata names none: the result of the game.
const RESULT: &str = "result";

/// One file.
#[derive(Debug)]
pub(super) struct Source {
    /// Open.
    pub records: Records,
    /// Discs − 4, where metadata.json or the folder's name tells it.
    pub phase: Option<u8>,
    /// By its name.
    pub split: Option<Split>,
    /// Its first record's number when the records of all files are numbered through.
    pub first: u64,
    /// Which of [`Sources::metadata`] describes it.
    pub metadata: Option<usize>,
}

/// All files, in the order in which they are exported.
#[derive(Debug)]
pub(super) struct Sources {
    /// By input; phases ascending; train, valid, test, then others by name.
    pub files: Vec<Source>,
    /// The metadata.json files beside them.
    pub metadata: Vec<Metadata>,
    /// As metadata.json writes it; plain where nobody says.
    pub score_rule: String,
    /// `result`, `score` or `exact`; several joined by `+` where phases of one dataset differ.
    pub label: String,
    /// Records of all files, whether they are of a wanted phase or not.
    pub records: u64,
    /// What a user should know.
    pub warnings: Vec<String>,
}

/// A rule or label, and who said so.
struct Said {
    what: &'static str,
    by: Option<(PathBuf, String)>,
}

impl Said {
    fn take(&mut self, path: &Path, word: &str) -> Result<(), ExportError> {
        match &self.by {
            Some((first, is)) if is != word => Err(ExportError::Mixed {
                what: self.what,
                first: first.clone(),
                first_is: is.clone().into(),
                second: path.to_owned(),
                second_is: word.into(),
            }),
            Some(_) => Ok(()),
            None => {
                self.by = Some((path.to_owned(), word.to_owned()));
                Ok(())
            }
        }
    }
}

impl Sources {
    /// Finds and opens what is asked for.
    ///
    /// # Errors
    /// Nothing is there, a file cannot be read or ends inside a record, or the inputs do not
    /// belong together.
    pub(super) fn open(options: &ExportOptions) -> Result<Sources, ExportError> {
        let mut sources = Sources {
            files: Vec::new(),
            metadata: Vec::new(),
            score_rule: String::new(),
            label: String::new(),
            records: 0,
            warnings: Vec::new(),
        };
        let mut rule = Said {
            what: "score_rule",
            by: None,
        };
        let mut label = Said {
            what: "label",
            by: None,
        };
        let mut seen = BTreeSet::new();
        for input in &options.inputs {
            let tree = Tree::find(input)?;
            let mut labels = BTreeSet::new();
            for files in &tree.phases {
                let used = sources.open_phase(files, options, &mut seen, &mut rule)?;
                labels.extend(used);
            }
            // Phases of one dataset may have different ones: some were given new values.
            let labels: Vec<String> = labels.into_iter().collect();
            if !labels.is_empty() {
                label.take(input, &labels.join("+"))?;
            }
        }
        sources.score_rule = rule
            .by
            .map_or_else(|| PLAIN_DISC_DIFFERENCE.to_owned(), |(_, word)| word);
        sources.label = label.by.map_or_else(|| RESULT.to_owned(), |(_, word)| word);
        if sources.files.is_empty() {
            return Err(ExportError::Nothing {
                reason: "no file of the inputs is of a wanted --split and --phases".into(),
            });
        }
        Ok(sources)
    }

    fn open_phase(
        &mut self,
        files: &PhaseFiles,
        options: &ExportOptions,
        seen: &mut BTreeSet<PathBuf>,
        rule: &mut Said,
    ) -> Result<Option<String>, ExportError> {
        let metadata = files.read_metadata()?;
        let its_label = metadata.as_ref().map(Metadata::label).unwrap_or_default();
        let phase = metadata.as_ref().map(|m| m.phase).or(files.phase);
        if phase.is_some_and(|phase| !is_wanted(&options.phases, phase)) {
            return Ok(None);
        }
        if files.missing.len() < Split::ALL.len() {
            for path in &files.missing {
                self.warnings.push(format!("{} is missing", path.shown()));
            }
        }
        let number = self.metadata.len();
        let mut is_used = false;
        let mut has_records = false;
        for file in &files.files {
            if !options.splits.is_empty() && file.split.is_none_or(|s| !options.splits.contains(&s))
            {
                if file.split.is_none() {
                    self.warnings.push(format!(
                        "{} is left out: its name tells no split",
                        file.path.shown()
                    ));
                }
                continue;
            }
            let records = Records::open(&file.path)?;
            if records.torn_bytes() > 0 {
                return Err(ExportError::Torn {
                    path: file.path.clone(),
                    torn: records.torn_bytes(),
                });
            }
            let real = std::fs::canonicalize(&file.path).unwrap_or_else(|_| file.path.clone());
            if !seen.insert(real) {
                return Err(ExportError::NamedTwice {
                    path: file.path.clone(),
                });
            }
            if records.count() > 0 {
                let metadata = metadata.as_ref();
                rule.take(
                    &file.path,
                    metadata.map_or(PLAIN_DISC_DIFFERENCE, |m| m.score_rule.as_str()),
                )?;
                has_records = true;
            }
            is_used = true;
            self.files.push(Source {
                phase,
                split: file.split,
                first: self.records,
                metadata: metadata.is_some().then_some(number),
                records,
            });
            self.records += self.files[self.files.len() - 1].records.count();
        }
        if is_used {
            self.metadata.extend(metadata);
        }
        Ok(has_records.then(|| its_label.name().to_owned()))
    }

    /// The metadata of a phase's files, each once.
    pub(super) fn metadata_of_phase(&self, phase: u8) -> Vec<&Metadata> {
        let numbers: BTreeSet<usize> = self
            .files
            .iter()
            .filter(|file| file.phase == Some(phase))
            .filter_map(|file| file.metadata)
            .collect();
        numbers.into_iter().map(|n| &self.metadata[n]).collect()
    }
}

/// Whether a phase is among the wanted ones; an empty list wants all.
pub(super) fn is_wanted(phases: &[u8], phase: u8) -> bool {
    phases.is_empty() || phases.contains(&phase)
}
