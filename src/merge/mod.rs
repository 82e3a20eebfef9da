//! Datasets that have no games in common become one: imports, older data, other seeds.
//!
//! Position by position, phase by phase: test files before valid before train, so that a position
//! that lies in several splits stays out of what is learned from; within a split in the order in
//! which the datasets were named. Of positions that are equal up to symmetry the first one stays.

mod error;
mod files;

pub(crate) use error::MergeError;

use crate::base::clock;
use crate::base::stop::Stop;
use crate::base::text::phases as shown;
use crate::dataset::DatasetError;
use crate::dataset::counters::ValueHistogram;
use crate::dataset::layout::{PhaseDir, summary_path};
use crate::dataset::lock::OutputLock;
use crate::dataset::metadata::Metadata;
use crate::dataset::positions::PositionSet;
use crate::dataset::record::{RECORD_SIZE, Record};
use crate::dataset::rules::check_record;
use crate::dataset::split::Split;
use crate::dataset::tree::{PhaseFiles, Records, Tree, TreeKind};
use crate::dataset::watch::Watch;
use crate::dataset::writer::PhaseWriter;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Records of one read.
const BLOCK: usize = 1 << 16;

/// What is to be merged.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// Datasets.
    pub inputs: Vec<PathBuf>,
    /// Where the new one goes; it has no phases yet.
    pub output: PathBuf,
    /// Exclude other runs on the output.
    pub lock: bool,
}

/// What became of a phase.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct MergedPhase {
    /// Records read.
    pub read: u64,
    /// Records written, by split.
    pub records: [u64; 3],
    /// Records that were there before, up to symmetry.
    pub duplicates: u64,
    /// Of these, such as were in different splits.
    pub between_splits: u64,
    values: ValueHistogram,
}

/// A finished merge.
#[derive(Clone, Debug, Default)]
pub(crate) struct Merged {
    /// By phase.
    pub phases: BTreeMap<u8, MergedPhase>,
    /// What a user should know.
    pub warnings: Vec<String>,
}

/// One phase of one dataset.
struct Part {
    files: PhaseFiles,
    metadata: Metadata,
}

/// The phases of all datasets, by number.
type Parts = BTreeMap<u8, Vec<Part>>;

/// Merges. Phases that were begun are removed when it fails or is stopped.
pub(crate) fn merge_datasets(
    options: &Options,
    watch: &dyn Watch,
    stop: &Stop,
) -> Result<Merged, MergeError> {
    let (parts, warnings) = look(options)?;
    let _lock = match options.lock {
        true => Some(OutputLock::acquire(&options.output)?),
        false => None,
    };
    for &phase in parts.keys() {
        let dir = PhaseDir::new(&options.output, phase);
        if dir.exists()? {
            let path = dir.path().to_owned();
            return Err(MergeError::OutputExists { path });
        }
    }
    let started_at = clock::now();
    let since = std::time::Instant::now();
    let mut merged = Merged {
        warnings,
        ..Merged::default()
    };
    let mut stats = Vec::new();
    for (&phase, parts) in &parts {
        let dir = PhaseDir::new(&options.output, phase);
        let end = merge_phase(&dir, parts, watch, stop).and_then(|found| {
            let elapsed = since.elapsed().as_secs_f64();
            let metadatas: Vec<&Metadata> = parts.iter().map(|part| &part.metadata).collect();
            stats.push(files::write_phase(
                &dir,
                &metadatas,
                &found,
                &started_at,
                elapsed,
            )?);
            Ok(found)
        });
        match end {
            Ok(found) => merged.phases.insert(phase, found),
            Err(error) => {
                // What is there without its JSON files would look like a dataset.
                for &phase in parts_begun(&merged, phase).iter() {
                    let _ = PhaseDir::new(&options.output, phase).remove();
                }
                return Err(error);
            }
        };
    }
    let elapsed = since.elapsed().as_secs_f64();
    files::write_summary(&summary_path(&options.output), &stats, started_at, elapsed)?;
    Ok(merged)
}

fn parts_begun(merged: &Merged, phase: u8) -> Vec<u8> {
    merged.phases.keys().copied().chain([phase]).collect()
}

/// The phases of all datasets, and whether they go together.
fn look(options: &Options) -> Result<(Parts, Vec<String>), MergeError> {
    let mut parts: Parts = BTreeMap::new();
    let mut roots = BTreeSet::new();
    for input in &options.inputs {
        let tree = Tree::find(input)?;
        if tree.kind != TreeKind::Dataset {
            let path = input.clone();
            return Err(MergeError::NotADataset { path });
        }
        let root = std::fs::canonicalize(input).map_err(DatasetError::io("read", input))?;
        if !roots.insert(root) {
            let path = input.clone();
            return Err(MergeError::Twice { path });
        }
        for files in tree.phases {
            let (Some(phase), Some(path)) = (files.phase, files.beside("metadata.json")) else {
                continue;
            };
            let metadata = match Metadata::read(&path) {
                Err(error) if error.is_missing() => {
                    return Err(MergeError::Unfinished {
                        path: files.folder.unwrap_or_default(),
                    });
                }
                metadata => metadata?,
            };
            let all = parts.entry(phase).or_default();
            all.push(Part { files, metadata });
        }
    }
    let all: Vec<&Part> = parts.values().flatten().collect();
    let folder = |part: &Part| part.files.folder.clone().unwrap_or_default();
    if let Some(first) = all.first() {
        for other in &all {
            let of = |part: &Part| files::meaning(&part.metadata);
            if of(first) != of(other) {
                return Err(MergeError::Differ {
                    first: folder(first),
                    first_is: of(first).into(),
                    second: folder(other),
                    second_is: of(other).into(),
                });
            }
        }
    }
    let warnings = same_seeds(&parts);
    Ok((parts, warnings))
}

/// Says which phases were made twice from the same games.
fn same_seeds(parts: &Parts) -> Vec<String> {
    let is_twice = |parts: &Vec<Part>| {
        let mut seen = BTreeSet::new();
        parts.iter().any(|part| {
            let seed = part.metadata.seed;
            seed.is_some() && !seen.insert((seed, part.metadata.random_plies))
        })
    };
    let phases: Vec<u8> = parts
        .iter()
        .filter(|(_, parts)| is_twice(parts))
        .map(|(&phase, _)| phase)
        .collect();
    if phases.is_empty() {
        return Vec::new();
    }
    vec![format!(
        "phases {} were made with the same seed more than once: their games have the same openings, \
         so most of the positions are the same",
        shown(&phases)
    )]
}

fn merge_phase(
    dir: &PhaseDir,
    parts: &[Part],
    watch: &dyn Watch,
    stop: &Stop,
) -> Result<MergedPhase, MergeError> {
    let mut opened = Vec::new();
    for part in parts {
        for file in &part.files.files {
            // A file of another name is none of the three; a missing one is an empty one.
            if let Some(split) = file.split {
                let records = Records::open(&file.path)?;
                watch.expect(records.count() * RECORD_SIZE as u64);
                opened.push((split, records));
            }
        }
    }
    // Test before valid before train; the sort is stable.
    opened.sort_by_key(|(split, _)| std::cmp::Reverse(split.index()));
    let most: u64 = opened.iter().map(|(_, records)| records.count()).sum();
    let mut seen = PositionSet::for_expected(most)?;
    let mut earlier = match opened.iter().any(|(split, _)| *split != Split::Train) {
        true => Some(PositionSet::for_expected(0)?),
        false => None,
    };
    let mut writer = PhaseWriter::create(dir)?;
    let mut merged = MergedPhase::default();
    let mut buffer = vec![[0; RECORD_SIZE]; BLOCK];
    let mut now = None;
    for (split, records) in &opened {
        if now != Some(*split) {
            // Positions of the splits before this one.
            now = Some(*split);
            if let Some(earlier) = &mut earlier {
                *earlier = PositionSet::for_expected(0)?;
            }
        }
        let mut first = 0;
        while first < records.count() {
            if stop.is_requested() {
                return Err(MergeError::Interrupted);
            }
            let count = BLOCK.min(usize::try_from(records.count() - first).unwrap_or(BLOCK));
            records.read(first, &mut buffer[..count])?;
            for (number, bytes) in (first..).zip(&buffer[..count]) {
                let record = Record::decode(bytes);
                check_record(&record, Some(dir.phase())).map_err(|fault| {
                    DatasetError::BadRecord {
                        path: records.path().to_owned(),
                        record: number,
                        fault,
                    }
                })?;
                let canonical = record.board.canonical();
                merged.read += 1;
                if seen.insert(canonical)? {
                    writer.append(*split, &record)?;
                    merged.records[split.index()] += 1;
                    merged.values.count_value(record.value);
                    if let Some(own) = &mut earlier {
                        own.insert(canonical)?;
                    }
                } else {
                    merged.duplicates += 1;
                    let is_own = earlier.as_ref().is_none_or(|own| own.contains(canonical));
                    merged.between_splits += u64::from(!is_own);
                }
            }
            watch.read(count as u64 * RECORD_SIZE as u64);
            first += count as u64;
        }
    }
    writer.sync()?;
    Ok(merged)
}

/// Whether a folder holds a dataset rather than a shard.
pub(crate) fn is_dataset(path: &Path) -> bool {
    !path.join("shard.json").exists()
}
