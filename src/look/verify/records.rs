//! The records of a dataset: every rule that a record keeps by itself, and duplicates, over all
//! files in parallel.

use super::duplicates::{Repeated, passes, repeated};
use super::fault::{FaultList, Place};
use super::kernel::{BATCH, Batch, Kernel, Wanted};
use crate::base::shown::Shown;
use crate::board::Board;
use crate::board::enumerate::Enumeration;
use crate::dataset::DatasetError;
use crate::dataset::blocks::{BLOCK, Block, Blocks};
use crate::dataset::counters::ValueHistogram;
use crate::dataset::record::{RECORD_SIZE, Record};
use crate::dataset::rules::{MAX_VALUE, RecordFault, apart, check_record};
use crate::dataset::split::{Split, Thresholds, split_hash};
use crate::dataset::tree::Records;
use crate::dataset::value_rules::{PLAYED_OUT_EMPTIES, ValueRule};
use crate::dataset::watch::Watch;
use crate::look::partitions::{self, Partitions};
use rayon::prelude::*;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// In data of at most so many records every position's split is checked. In larger data the hash
/// would cost more than everything else together, and a file that was split by another rule shows
/// at once all the same.
const SMALL: u64 = 1 << 20;

/// Of larger data the split of one batch in so many is checked.
const SPLIT_SAMPLE: usize = 64;

/// Records of a group of phases that are looked through for duplicates together.
const GROUP: u64 = 1 << 20;

/// What the records of a phase are held against.
#[derive(Clone, Copy, Debug)]
pub(super) struct PhaseRules {
    /// Discs − 4; `None`: any.
    pub phase: Option<u8>,
    /// Whether all discs must hang together: not so for games from a set-up start.
    pub joined: bool,
    /// How values were made.
    pub value: ValueRule,
    /// The shares, where the split is that of the position's hash.
    pub split: Option<Thresholds>,
    /// Whether every position must be one that is reachable from the start position.
    pub reachable: bool,
}

/// One open file with its place in the report.
#[derive(Debug)]
pub(super) struct Source {
    /// The phase.
    pub phase: usize,
    /// The file within it.
    pub part: usize,
    /// Its split, where its name tells it.
    pub split: Option<Split>,
    /// The records.
    pub records: Records,
}

/// How thorough, and with how much memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Every position's split, not a sample of them.
    pub every_split: bool,
    /// For keys; more records are gone through in several passes.
    pub memory_bytes: u64,
    /// Faults kept per block.
    pub limit: usize,
}

/// Values of a phase: how often −64..=64 occur.
type Histogram = [u64; 129];

/// Everything that the threads share.
struct Job<'a> {
    sources: &'a [Source],
    rules: &'a [PhaseRules],
    effort: Effort,
    watch: &'a dyn Watch,
    /// Positions of the shallow phases, where they are asked for.
    reachable: Option<&'a Enumeration>,
    kernel: Kernel,
    seed: u64,
    histograms: Vec<Mutex<Histogram>>,
    faults: Mutex<&'a mut FaultList>,
}

/// Memory of one thread.
struct Scratch {
    bytes: Vec<[u8; RECORD_SIZE]>,
    keys: Vec<u64>,
    dealt: partitions::Scratch<u64>,
    batch: Batch,
}

/// Checks all records; gives the values of each phase.
pub(super) fn check_records(
    sources: &[Source],
    rules: &[PhaseRules],
    reachable: Option<&Enumeration>,
    effort: Effort,
    watch: &dyn Watch,
    faults: &mut FaultList,
) -> Vec<ValueHistogram> {
    let counts = sources.iter().map(|source| source.records.count());
    let total = counts.fold(0, u64::saturating_add);
    let job = Job {
        sources,
        rules,
        effort: Effort {
            every_split: effort.every_split || total <= SMALL,
            ..effort
        },
        watch,
        reachable,
        kernel: Kernel::detect(),
        seed: RandomState::new().hash_one(sources.len()),
        histograms: rules.iter().map(|_| Mutex::new([0; 129])).collect(),
        faults: Mutex::new(faults),
    };
    let groups: Vec<Group> = groups(sources)
        .into_iter()
        .map(|range| Group::new(sources, range, effort.memory_bytes))
        .collect();
    for group in &groups {
        let bytes = group.records.saturating_mul(RECORD_SIZE as u64);
        watch.expect(bytes.saturating_mul(group.passes));
    }
    let mut table = Partitions::new();
    for group in &groups {
        job.group(group, &mut table);
    }
    job.histograms
        .into_iter()
        .map(|histogram| {
            let histogram = histogram
                .into_inner()
                .unwrap_or_else(PoisonError::into_inner);
            let values = (-MAX_VALUE..=MAX_VALUE).zip(histogram);
            ValueHistogram(values.filter(|(_, n)| *n > 0).collect())
        })
        .collect()
}

/// Ranges of sources: whole phases, as many as it takes to keep all threads busy. Positions of
/// different phases are never equal, and the keys of a small group stay in the cache.
fn groups(sources: &[Source]) -> Vec<Range<usize>> {
    let mut groups = Vec::new();
    let mut start = 0;
    let mut records = 0;
    for (at, source) in sources.iter().enumerate() {
        let is_new_phase = at > 0 && sources[at - 1].phase != source.phase;
        if is_new_phase && records >= GROUP {
            groups.push(start..at);
            (start, records) = (at, 0);
        }
        records += source.records.count();
    }
    groups.push(start..sources.len());
    groups
}

/// Phases that are looked through together.
struct Group {
    /// Index of its first source.
    start: usize,
    records: u64,
    passes: u64,
    blocks: Blocks,
}

impl Group {
    fn new(sources: &[Source], range: Range<usize>, memory_bytes: u64) -> Group {
        let counts = sources[range.clone()]
            .iter()
            .map(|source| source.records.count());
        let records = counts.clone().fold(0, u64::saturating_add);
        Group {
            start: range.start,
            records,
            passes: passes(records, memory_bytes),
            blocks: Blocks::new(counts),
        }
    }
}

impl Scratch {
    fn new() -> Scratch {
        Scratch {
            bytes: vec![[0; RECORD_SIZE]; BLOCK as usize],
            keys: Vec::with_capacity(BLOCK as usize),
            dealt: partitions::Scratch::default(),
            batch: Batch::new(),
        }
    }
}

impl Job<'_> {
    /// Checks a group of phases, in as many passes as memory asks for.
    fn group(&self, group: &Group, table: &mut Partitions<u64>) {
        for pass in 0..group.passes {
            table.begin(group.records, pass, group.passes);
            let table = &*table;
            group
                .blocks
                .par_iter()
                .for_each_init(Scratch::new, |scratch, block| {
                    let source = group.start + block.file;
                    self.block(source, &block, pass == 0, table, scratch);
                    self.watch.read((block.count * RECORD_SIZE) as u64);
                });
            self.report_duplicates(group, repeated(table));
        }
    }

    /// Reads a block, checks it where `check` says so, and adds its keys to the table.
    fn block(
        &self,
        source: usize,
        block: &Block,
        check: bool,
        table: &Partitions<u64>,
        scratch: &mut Scratch,
    ) {
        let source = &self.sources[source];
        let rules = &self.rules[source.phase];
        let bytes = &mut scratch.bytes[..block.count];
        if let Err(error) = source.records.read(block.first, bytes) {
            self.unreadable(source, &error);
            return;
        }
        let wanted = self.wanted(rules);
        // Near the end every value can be computed; shallow positions are looked up.
        let check_all = rules.reachable
            || rules
                .phase
                .is_some_and(|phase| u32::from(phase) + PLAYED_OUT_EMPTIES >= 60);
        let mut found = BlockFaults::new(self.effort.limit);
        let mut histogram = [[0_u64; 129]; 2];
        scratch.keys.clear();
        let mut number = block.first;
        for (at, records) in bytes.chunks(BATCH).enumerate() {
            let batch = &mut scratch.batch;
            self.kernel.examine(records, &wanted, batch);
            scratch.keys.extend_from_slice(&batch.key[..records.len()]);
            if check {
                for i in 0..records.len() {
                    // Two tables in turn: adding to one number twice in a row has to wait.
                    if let Some(count) = histogram[i % 2].get_mut((batch.value(i) + 64) as usize) {
                        *count += 1;
                    }
                    if batch.attention[i] != 0 || check_all {
                        let fault = self.check(&batch.record(i), rules);
                        found.add(number + i as u64, fault);
                    }
                }
                if self.effort.every_split || at % SPLIT_SAMPLE == 0 {
                    self.check_splits(source, rules, number, records, &mut found);
                }
            }
            number += records.len() as u64;
        }
        table.add(&scratch.keys, &mut scratch.dealt);
        if check {
            let mut total = lock(&self.histograms[source.phase]);
            for (sum, counts) in total.iter_mut().zip(histogram[0].iter().zip(&histogram[1])) {
                *sum += counts.0 + counts.1;
            }
            drop(total);
            self.report(source, found);
        }
    }

    fn wanted(&self, rules: &PhaseRules) -> Wanted {
        Wanted {
            discs: rules.phase.map(|phase| u32::from(phase) + 4),
            joined: rules.joined,
            seed: self.seed,
        }
    }

    /// Every rule that a record keeps by itself, one after the other.
    fn check(&self, record: &Record, rules: &PhaseRules) -> Result<(), RecordFault> {
        check_record(record, rules.phase)?;
        if rules.joined {
            match apart(record.board.occupied()).count_ones() {
                0 => {}
                n => return Err(RecordFault::Apart(n)),
            }
        }
        rules.value.check(record.board, record.value)?;
        if rules.reachable
            && let (Some(all), Some(phase)) = (self.reachable, rules.phase)
            && !all.contains(phase, record.board.canonical())
        {
            return Err(RecordFault::Unreachable);
        }
        Ok(())
    }

    fn check_splits(
        &self,
        source: &Source,
        rules: &PhaseRules,
        number: u64,
        records: &[[u8; RECORD_SIZE]],
        found: &mut BlockFaults,
    ) {
        let (Some(split), Some(thresholds)) = (source.split, &rules.split) else {
            return;
        };
        for (i, bytes) in records.iter().enumerate() {
            let record = Record::decode(bytes);
            // A record that is broken otherwise has a fault already.
            if check_record(&record, rules.phase).is_err() {
                continue;
            }
            let canonical = record.board.canonical();
            let right = thresholds.split(split_hash(canonical));
            if right != split {
                found.add(
                    number + i as u64,
                    Err(RecordFault::OtherSplit(right.name())),
                );
            }
        }
    }

    fn unreadable(&self, source: &Source, error: &DatasetError) {
        let place = Place {
            phase: source.phase,
            part: source.part,
            record: None,
        };
        lock(&self.faults).add(
            place,
            source.records.path(),
            "unreadable",
            error.to_string(),
        );
    }

    fn report(&self, source: &Source, found: BlockFaults) {
        if found.is_empty() {
            return;
        }
        let mut faults = lock(&self.faults);
        for (record, fault) in found.first {
            let place = Place {
                phase: source.phase,
                part: source.part,
                record: Some(record),
            };
            faults.add_record(place, source.records.path(), &fault);
        }
        for (kind, n) in found.rest {
            faults.count(kind, n);
        }
    }

    /// Looks up where repeated keys are, and whether their positions are indeed the same.
    fn report_duplicates(&self, group: &Group, repeated: Repeated) {
        if repeated.keys.is_empty() {
            return;
        }
        let mut first_of: HashMap<(u64, Board), (usize, u64)> = HashMap::new();
        let mut reported = 0;
        let mut scratch = Scratch::new();
        for number in 0..group.blocks.count() {
            let block = group.blocks.at(number);
            let index = group.start + block.file;
            let source = &self.sources[index];
            let bytes = &mut scratch.bytes[..block.count];
            if let Err(error) = source.records.read(block.first, bytes) {
                self.unreadable(source, &error);
                continue;
            }
            let wanted = self.wanted(&self.rules[source.phase]);
            let mut number = block.first;
            for records in bytes.chunks(BATCH) {
                self.kernel.examine(records, &wanted, &mut scratch.batch);
                for i in 0..records.len() {
                    let key = scratch.batch.key[i];
                    if repeated.keys.binary_search(&key).is_err() {
                        continue;
                    }
                    let board = scratch.batch.record(i).board.canonical();
                    let here = (index, number + i as u64);
                    match first_of.entry((key, board)) {
                        std::collections::hash_map::Entry::Vacant(new) => {
                            new.insert(here);
                        }
                        std::collections::hash_map::Entry::Occupied(first) => {
                            self.duplicate(here, *first.get());
                            reported += 1;
                        }
                    }
                }
                number += records.len() as u64;
            }
        }
        if !repeated.complete {
            // Too many to be told apart; equal keys are equal positions but for a freak.
            let uncounted = repeated.surplus.saturating_sub(reported);
            lock(&self.faults).count("duplicate", uncounted);
        }
    }

    fn duplicate(&self, here: (usize, u64), first: (usize, u64)) {
        let (source, first_source) = (&self.sources[here.0], &self.sources[first.0]);
        let place = Place {
            phase: source.phase,
            part: source.part,
            record: Some(here.1),
        };
        let name = first_source.records.path().file_name().unwrap_or_default();
        let (kind, message) = if here.0 == first.0 {
            let message = format!("the position of record {} again, up to symmetry", first.1);
            ("duplicate", message)
        } else {
            let message = format!(
                "the position of record {} of {} again, up to symmetry",
                first.1,
                name.shown()
            );
            ("in_two_files", message)
        };
        lock(&self.faults).add(place, source.records.path(), kind, message);
    }
}

/// Faults of one block: the first ones, and how many more of each kind.
struct BlockFaults {
    limit: usize,
    first: Vec<(u64, RecordFault)>,
    rest: std::collections::BTreeMap<&'static str, u64>,
}

impl BlockFaults {
    fn new(limit: usize) -> BlockFaults {
        BlockFaults {
            limit,
            first: Vec::new(),
            rest: std::collections::BTreeMap::new(),
        }
    }

    #[inline]
    fn add(&mut self, record: u64, outcome: Result<(), RecordFault>) {
        let Err(fault) = outcome else { return };
        // Splits are checked behind the rest of their batch.
        if self.first.len() < self.limit + BATCH {
            self.first.push((record, fault));
        } else {
            *self.rest.entry(super::fault::kind(&fault)).or_default() += 1;
        }
    }

    fn is_empty(&self) -> bool {
        self.first.is_empty() && self.rest.is_empty()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
