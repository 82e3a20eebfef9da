//! `rdg inspect`: what is in files of records, for somebody who wants to see it.
//!
//! Files are read once, on all threads, in memory that does not grow with them. What is damaged is
//! told and left out; the rest is shown. Whether the data keeps every rule is `rdg verify`'s
//! question, not asked here.

mod facts;
mod games;
mod histogram;
mod json;
mod measure;
mod sample;
mod text;

use crate::base::shown::Shown;
pub(crate) use facts::facts;
pub use games::{GamesView, games_at, view_games};
pub use histogram::Canvas;
pub use json::object;
pub use measure::Measured;
pub use sample::Sample;
pub use text::write_text;

use crate::base::draw::draw;
use crate::dataset::DatasetError;
use crate::dataset::damage::{Damage, open_files};
use crate::dataset::metadata::Metadata;
use crate::dataset::record::{MAGIC, RECORD_SIZE};
use crate::dataset::split::Split;
use crate::dataset::tree::{PhaseFiles, RecordFile, Records, Tree, TreeKind};
use crate::dataset::watch::Watch;
use std::path::{Path, PathBuf};

/// What is to be shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// What all records add up to.
    Summary,
    /// So many records drawn at random.
    Sample {
        /// How many.
        count: u64,
        /// Decides which.
        seed: u64,
    },
    /// The record of this number, from 0.
    Record(u64),
}

/// What was found at one path.
#[derive(Debug)]
pub struct Inspection {
    /// As it was named.
    pub path: PathBuf,
    /// What it is.
    pub kind: TreeKind,
    /// Its phases, ascending; one for a file or a phase folder.
    pub phases: Vec<PhaseView>,
    /// Single records, where those were wanted.
    pub samples: Vec<Sample>,
    /// What could not be read or is broken, in the order of the files.
    pub damage: Vec<Damage>,
}

/// One phase.
#[derive(Debug)]
pub struct PhaseView {
    /// Discs − 4, where the folder's name or metadata.json tells it.
    pub phase: Option<u8>,
    /// metadata.json, where there is one.
    pub metadata: Option<Metadata>,
    /// The files that could be opened.
    pub files: Vec<FileView>,
}

/// One file.
#[derive(Debug)]
pub struct FileView {
    /// Where it is.
    pub path: PathBuf,
    /// Which of the three it is, by its name.
    pub split: Option<Split>,
    /// Whole records in it.
    pub records: u64,
    /// Bytes of header, records and a torn end.
    pub bytes: u64,
    /// What its records add up to; nothing where only single records were wanted.
    pub measured: Option<Measured>,
}

impl PhaseView {
    /// What all its files add up to.
    pub fn measured(&self) -> Measured {
        let mut sum = Measured::NONE;
        for measured in self.files.iter().filter_map(|file| file.measured.as_ref()) {
            sum.add(measured);
        }
        sum
    }

    /// Records in train, valid, test, and files of other names.
    pub fn split_sizes(&self) -> [u64; 4] {
        let mut sizes = [0; 4];
        for file in &self.files {
            sizes[file.split.map_or(3, Split::index)] += file.records;
        }
        sizes
    }
}

impl Inspection {
    /// All files that could be opened.
    pub fn files(&self) -> impl Iterator<Item = &FileView> {
        self.phases.iter().flat_map(|phase| &phase.files)
    }

    /// Whole records in them.
    pub fn records(&self) -> u64 {
        self.files().map(|file| file.records).sum()
    }

    /// What they add up to.
    pub fn measured(&self) -> Measured {
        let mut sum = Measured::NONE;
        for phase in &self.phases {
            sum.add(&phase.measured());
        }
        sum
    }
}

/// Inspects what lies at a path.
///
/// # Errors
/// Nothing is there, or a folder without records. Everything else that is wrong is part of the
/// result.
pub fn inspect(
    path: &Path,
    wanted: Wanted,
    watch: &impl Watch,
) -> Result<Inspection, DatasetError> {
    let tree = Tree::find(path)?;
    let mut damage = Vec::new();
    let mut phases = Vec::new();
    let mut open = Vec::new();
    for files in &tree.phases {
        let (phase, records) = open_phase(files, &mut damage);
        phases.push(phase);
        open.push(records);
    }
    let mut inspection = Inspection {
        path: tree.root,
        kind: tree.kind,
        phases,
        samples: Vec::new(),
        damage,
    };
    match wanted {
        Wanted::Summary => summarise(&mut inspection, &open, watch),
        Wanted::Sample { count, seed } => {
            let numbers = draw(inspection.records(), count, seed);
            let counts: Vec<u64> = inspection.files().map(|file| file.records).collect();
            take(&mut inspection, &open, &sample::places(&counts, &numbers));
        }
        Wanted::Record(number) => {
            let first = inspection.files().next();
            if let Some(beyond) = first.and_then(|file| no_such_record(file, number)) {
                inspection.damage.push(beyond);
            } else if first.is_some() {
                take(&mut inspection, &open, &[(0, number)]);
            }
        }
    }
    Ok(inspection)
}

/// Opens the files of a phase and reads its metadata.
fn open_phase(files: &PhaseFiles, damage: &mut Vec<Damage>) -> (PhaseView, Vec<Records>) {
    let metadata = match metadata_path(files).map(|path| Metadata::read(&path)) {
        Some(Ok(metadata)) => Some(metadata),
        Some(Err(error)) if !error.is_missing() => {
            let path = metadata_path(files).unwrap_or_default();
            damage.push(Damage::of(&path, &error));
            None
        }
        _ => None,
    };
    let mut view = PhaseView {
        phase: files.phase.or(metadata.as_ref().map(|m| m.phase)),
        metadata,
        files: Vec::new(),
    };
    let mut open = Vec::new();
    for (file, records) in open_files(files, damage) {
        view.files.push(file_view(file, &records));
        open.push(records);
    }
    (view, open)
}

fn file_view(file: &RecordFile, records: &Records) -> FileView {
    let size = MAGIC.len() as u64 + records.count() * RECORD_SIZE as u64;
    FileView {
        path: file.path.clone(),
        split: file.split,
        records: records.count(),
        bytes: size + u64::from(records.torn_bytes()),
        measured: None,
    }
}

fn no_such_record(file: &FileView, number: u64) -> Option<Damage> {
    (number >= file.records).then(|| Damage {
        path: file.path.clone(),
        record: Some(number),
        message: format!(
            "{} has {} records, numbered from 0; there is no record {number}",
            file.path.shown(),
            file.records
        ),
    })
}

/// metadata.json beside the records; beside a file named alone only where it is one of the three.
fn metadata_path(files: &PhaseFiles) -> Option<PathBuf> {
    match &files.folder {
        Some(folder) => Some(folder.join("metadata.json")),
        None => {
            let file = files.files.first().filter(|file| file.split.is_some())?;
            Some(file.path.with_file_name("metadata.json"))
        }
    }
}

fn summarise(inspection: &mut Inspection, open: &[Vec<Records>], watch: &impl Watch) {
    let files: Vec<&Records> = open.iter().flatten().collect();
    let phases: Vec<Option<u8>> = inspection
        .phases
        .iter()
        .flat_map(|phase| phase.files.iter().map(|_| phase.phase))
        .collect();
    let bytes = files.iter().map(|file| file.count() * RECORD_SIZE as u64);
    watch.expect(bytes.sum());
    let (measures, errors) = measure::measure(&files, &phases, |bytes| watch.read(bytes));
    let views = inspection
        .phases
        .iter_mut()
        .flat_map(|phase| &mut phase.files);
    let mut errors = errors.into_iter().peekable();
    for (index, (view, measure)) in views.zip(measures).enumerate() {
        if let Some((number, fault)) = measure.first_broken {
            let others = measure.measured.broken - 1;
            let damage = Damage::of_record(&view.path, number, fault, others);
            inspection.damage.push(damage);
        }
        if let Some((_, error)) = errors.next_if(|(file, _)| *file == index) {
            inspection.damage.push(Damage::of(&view.path, &error));
        }
        view.measured = Some(measure.measured);
    }
}

/// Reads single records.
fn take(inspection: &mut Inspection, open: &[Vec<Records>], places: &[(usize, u64)]) {
    let phases: Vec<Option<u8>> = inspection
        .phases
        .iter()
        .flat_map(|phase| phase.files.iter().map(|_| phase.phase))
        .collect();
    let files: Vec<&Records> = open.iter().flatten().collect();
    for &(file, number) in places {
        let records = files[file];
        match sample::read(records, phases[file], number) {
            Ok(sample) => {
                if let Some(fault) = sample.fault {
                    let damage = Damage::of_record(&sample.path, number, fault, 0);
                    inspection.damage.push(damage);
                }
                inspection.samples.push(sample);
            }
            Err(error) => inspection.damage.push(Damage::of(records.path(), &error)),
        }
    }
}
