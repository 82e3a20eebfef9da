//! The files that a fit reads, and what they have in common.

use super::FitError;
use crate::base::shown::Shown;
use crate::config::SplitRatios;
use crate::dataset::DatasetError;
use crate::dataset::metadata::{Metadata, PLAIN_DISC_DIFFERENCE};
use crate::dataset::record::{RECORD_SIZE, Record};
use crate::dataset::rules::{MAX_VALUE, RecordFault, check_record};
use crate::dataset::split::{Split, split_of};
use crate::dataset::tree::{PhaseFiles, Records, Tree};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Records that are read at once.
const BLOCK: u64 = 1 << 14;

/// All files, in the order in which they were named.
pub(super) struct Sources {
    files: Vec<Source>,
    /// As metadata.json writes it; plain where nobody says.
    pub(super) score_rule: String,
    /// What stands for the value: `result`, `score`.
    pub(super) labels: BTreeSet<String>,
    /// What a user should know.
    pub(super) warnings: Vec<String>,
}

struct Source {
    records: Records,
    phase: Option<u8>,
    split: Option<Split>,
}

impl Sources {
    pub(super) fn open(inputs: &[PathBuf]) -> Result<Sources, FitError> {
        let mut sources = Sources {
            files: Vec::new(),
            score_rule: PLAIN_DISC_DIFFERENCE.to_owned(),
            labels: BTreeSet::new(),
            warnings: Vec::new(),
        };
        let mut seen = BTreeSet::new();
        let mut rule = None;
        for input in inputs {
            for files in &Tree::find(input)?.phases {
                sources.open_phase(files, &mut seen, &mut rule)?;
            }
        }
        if let Some((_, rule)) = rule {
            sources.score_rule = rule;
        }
        Ok(sources)
    }

    fn open_phase(
        &mut self,
        files: &PhaseFiles,
        seen: &mut BTreeSet<PathBuf>,
        rule: &mut Option<(PathBuf, String)>,
    ) -> Result<(), FitError> {
        let metadata = files.read_metadata()?;
        let said = metadata.as_ref().map(|m: &Metadata| m.score_rule.as_str());
        let said = said.unwrap_or(PLAIN_DISC_DIFFERENCE);
        for file in &files.files {
            let records = Records::open(&file.path)?;
            if records.torn_bytes() > 0 {
                return Err(FitError::Torn {
                    path: file.path.clone(),
                    torn: records.torn_bytes(),
                });
            }
            let real = std::fs::canonicalize(&file.path).unwrap_or_else(|_| file.path.clone());
            if !seen.insert(real) {
                return Err(FitError::NamedTwice {
                    path: file.path.clone(),
                });
            }
            if records.count() > 0 {
                take_rule(rule, &file.path, said)?;
                let label = metadata.as_ref().map(Metadata::label).unwrap_or_default();
                self.labels.insert(label.name().to_owned());
            }
            if file.split.is_none() && records.count() > 0 {
                self.warnings.push(format!(
                    "{} tells no split by its name: its positions are shared out, 98 % train, 1 % valid, \
                     1 % test",
                    file.path.shown()
                ));
            }
            self.files.push(Source {
                phase: metadata.as_ref().map(|m| m.phase).or(files.phase),
                split: file.split,
                records,
            });
        }
        Ok(())
    }

    /// Each file and the number of its records, by which a resumed fit knows them again.
    pub(super) fn listed(&self) -> Vec<(String, u64)> {
        let of = |source: &Source| {
            let path = source.records.path();
            (path.to_string_lossy().into_owned(), source.records.count())
        };
        self.files.iter().map(of).collect()
    }

    /// Records of all files.
    pub(super) fn records(&self) -> u64 {
        self.files.iter().map(|file| file.records.count()).sum()
    }

    /// Hands every record to `each`, in order; `read` hears of every block.
    pub(super) fn for_each(
        &self,
        mut read: impl FnMut(u64) -> Result<(), FitError>,
        mut each: impl FnMut(Split, &Record) -> Result<(), FitError>,
    ) -> Result<(), FitError> {
        // Of files whose name tells no split.
        let shares = SplitRatios::default();
        let mut block = Vec::new();
        for source in &self.files {
            let mut first = 0;
            while first < source.records.count() {
                let count = BLOCK.min(source.records.count() - first);
                block.resize(count as usize, [0; RECORD_SIZE]);
                source.records.read(first, &mut block)?;
                for (number, bytes) in (first..).zip(&block) {
                    let record = Record::decode(bytes);
                    check(source, number, &record)?;
                    let split = source
                        .split
                        .unwrap_or_else(|| split_of(record.board.canonical(), &shares));
                    each(split, &record)?;
                }
                first += count;
                read(count)?;
            }
        }
        Ok(())
    }
}

fn take_rule(
    rule: &mut Option<(PathBuf, String)>,
    path: &Path,
    said: &str,
) -> Result<(), FitError> {
    match rule {
        Some((first, is)) if is != said => Err(FitError::MixedRule {
            first: first.clone(),
            first_is: is.clone().into(),
            second: path.to_owned(),
            second_is: said.into(),
        }),
        Some(_) => Ok(()),
        None => {
            *rule = Some((path.to_owned(), said.to_owned()));
            Ok(())
        }
    }
}

/// Positions of other starts are as good as any; what cannot be a position or a value is not.
fn check(source: &Source, number: u64, record: &Record) -> Result<(), FitError> {
    let fault = match check_record(record, source.phase) {
        Ok(()) => return Ok(()),
        Err(RecordFault::EmptyCentre | RecordFault::TooFewDiscs(_)) => {
            match (-MAX_VALUE..=MAX_VALUE).contains(&record.value) {
                true => return Ok(()),
                false => RecordFault::ValueRange(record.value),
            }
        }
        Err(fault) => fault,
    };
    Err(FitError::BadRecord(DatasetError::BadRecord {
        path: source.records.path().to_owned(),
        record: number,
        fault,
    }))
}
