//! `rdg overlap`: how many positions, up to the symmetries of the board, two files, phases or
//! datasets share, or one has in several of its files.
//!
//! Positions are compared whole and by their own number of discs, whatever a folder is called. Each
//! takes 18 bytes of memory; what does not fit the budget is gone through in several passes.

mod counts;
mod json;
mod keys;
mod text;

pub use counts::{Counts, FILES, Side, place};
pub use json::object;
pub use text::write_text;

use super::partitions::{Partitions, Scratch};
use crate::dataset::DatasetError;
use crate::dataset::blocks::for_each_block;
use crate::dataset::damage::{Damage, open_files};
use crate::dataset::record::{RECORD_SIZE, Record};
use crate::dataset::rules::{RecordFault, check_record};
use crate::dataset::split::Split;
use crate::dataset::tree::{Records, Tree};
use crate::dataset::watch::Watch;
use crate::look::neighbours::{Neighbours, neighbours};
use keys::{Key, passes};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Two sides compared, or one with itself.
#[derive(Debug)]
pub struct Comparison {
    /// The first.
    pub a: SideFacts,
    /// The second, where two were named.
    pub b: Option<SideFacts>,
    /// The phases that occur on either side, ascending.
    pub phases: Vec<(u8, Counts)>,
    /// What could not be read or is broken, and is left out.
    pub damage: Vec<Damage>,
}

/// What was compared.
#[derive(Clone, Debug)]
pub struct SideFacts {
    /// As it was named.
    pub path: PathBuf,
    /// Files that could be opened.
    pub files: usize,
    /// Whole records in them, broken ones included.
    pub records: u64,
    /// How many of its test positions, drawn at random, are one move away from its train positions, and
    /// so on; empty where it has no splits.
    pub neighbours: Vec<Neighbours>,
}

impl Comparison {
    /// All phases together.
    pub fn total(&self) -> Counts {
        let mut total = Counts::none();
        for (_, counts) in &self.phases {
            total.add(counts);
        }
        total
    }

    /// Phases that only this side has.
    pub fn only_in(&self, side: Side) -> Vec<u8> {
        let other = match side {
            Side::A => Side::B,
            Side::B => Side::A,
        };
        let only = self
            .phases
            .iter()
            .filter(|(_, counts)| counts.records(other) == 0);
        only.map(|(phase, _)| *phase).collect()
    }
}

/// One open file.
struct Source {
    place: usize,
    records: Records,
    broken: Mutex<Broken>,
}

/// Records that are no positions.
#[derive(Default)]
struct Broken {
    count: u64,
    first: Option<(u64, RecordFault)>,
}

/// Compares what lies at two paths, or looks through what lies at one.
///
/// # Errors
/// For each path where nothing is, or a folder without records.
pub fn overlap(
    a: &Path,
    b: Option<&Path>,
    memory_bytes: u64,
    watch: &impl Watch,
) -> Result<Comparison, Vec<DatasetError>> {
    let (mut trees, mut errors) = (Vec::new(), Vec::new());
    for path in std::iter::once(a).chain(b) {
        match Tree::find(path) {
            Ok(tree) => trees.push(tree),
            Err(error) => errors.push(error),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut damage = Vec::new();
    let mut sources = Vec::new();
    let mut facts = Vec::new();
    for (tree, side) in trees.iter().zip([Side::A, Side::B]) {
        let before = sources.len();
        open(tree, side, &mut sources, &mut damage);
        let neighbours = neighbours(tree).unwrap_or_else(|error| {
            damage.push(Damage::of(&tree.root, &error));
            Vec::new()
        });
        facts.push(SideFacts {
            path: tree.root.clone(),
            files: sources.len() - before,
            records: sources[before..].iter().map(|s| s.records.count()).sum(),
            neighbours,
        });
    }
    let phases = compare(&sources, memory_bytes, watch, &mut damage);
    for source in sources {
        let broken = source
            .broken
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some((number, fault)) = broken.first {
            let path = source.records.path();
            damage.push(Damage::of_record(path, number, fault, broken.count - 1));
        }
    }
    let mut facts = facts.into_iter();
    let nothing = || SideFacts {
        path: a.to_owned(),
        files: 0,
        records: 0,
        neighbours: Vec::new(),
    };
    Ok(Comparison {
        a: facts.next().unwrap_or_else(nothing),
        b: facts.next(),
        phases,
        damage,
    })
}

fn open(tree: &Tree, side: Side, sources: &mut Vec<Source>, damage: &mut Vec<Damage>) {
    for phase in &tree.phases {
        for (file, records) in open_files(phase, damage) {
            sources.push(Source {
                place: place(side, file.split.map_or(FILES - 1, Split::index)),
                records,
                broken: Mutex::default(),
            });
        }
    }
}

fn compare(
    sources: &[Source],
    memory_bytes: u64,
    watch: &impl Watch,
    damage: &mut Vec<Damage>,
) -> Vec<(u8, Counts)> {
    let files: Vec<&Records> = sources.iter().map(|source| &source.records).collect();
    let records = files.iter().map(|file| file.count()).sum();
    let passes = passes(records, memory_bytes);
    watch.expect((records * RECORD_SIZE as u64).saturating_mul(passes));
    let mut phases: BTreeMap<u8, Counts> = BTreeMap::new();
    let mut table = Partitions::new();
    for pass in 0..passes {
        table.begin(records, pass, passes);
        let memory = || (Vec::new(), Scratch::default());
        let errors = for_each_block(&files, memory, |(keys, scratch), file, first, records| {
            let broken = sources[file].keys(first, records, keys);
            if pass == 0 {
                sources[file].add_broken(broken);
            }
            table.add(keys, scratch);
            watch.read(size_of_val(records) as u64);
        });
        // A file that cannot be read stays so in the next pass.
        if pass == 0 {
            let errors = errors.iter();
            damage.extend(errors.map(|(file, error)| Damage::of(files[*file].path(), error)));
        }
        let found = keys::count(&table, BTreeMap::new, count, |mut a, b| {
            add_phases(&mut a, b);
            a
        });
        add_phases(&mut phases, found);
    }
    phases.into_iter().collect()
}

fn count(phases: &mut BTreeMap<u8, Counts>, phase: u8, found: &[u64; keys::PLACES]) {
    phases
        .entry(phase)
        .or_insert_with(Counts::none)
        .count(found);
}

fn add_phases(sum: &mut BTreeMap<u8, Counts>, other: BTreeMap<u8, Counts>) {
    for (phase, counts) in other {
        sum.entry(phase).or_insert_with(Counts::none).add(&counts);
    }
}

impl Source {
    /// The keys of a block, and the records that have none.
    fn keys(&self, first: u64, records: &[[u8; RECORD_SIZE]], keys: &mut Vec<Key>) -> Broken {
        keys.clear();
        let mut broken = Broken::default();
        for (number, bytes) in (first..).zip(records) {
            let board = Record::decode(bytes).board;
            // Values are not compared, so a bad one is no hindrance.
            match check_record(&Record { board, value: 0 }, None) {
                Ok(()) => keys.push(Key::new(board, self.place)),
                Err(fault) => {
                    broken.count += 1;
                    broken.first.get_or_insert((number, fault));
                }
            }
        }
        broken
    }

    fn add_broken(&self, more: Broken) {
        let Some(first) = more.first else { return };
        let mut broken = self.broken.lock().unwrap_or_else(PoisonError::into_inner);
        broken.count += more.count;
        broken.first = match broken.first {
            Some(there) if there.0 < first.0 => Some(there),
            _ => Some(first),
        };
    }
}
