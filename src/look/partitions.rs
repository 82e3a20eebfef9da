//! Keys from many threads, dealt out by their hashes to partitions that fit the processor's cache,
//! in as many passes as a budget of memory asks for: the first half of finding what occurs twice.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Keys per partition for which what is made of one partition stays in the cache.
const PARTITION_KEYS: u64 = 1 << 14;

/// More partitions than this make the shares of one block too small to be copied quickly.
const MAX_PARTITIONS: u64 = 1 << 11;

/// What can be dealt out.
pub(super) trait Dealt: Copy + Default + Send {
    /// An even spread over 0..2^64.
    fn hash(self) -> u64;
}

/// The keys of one pass.
#[derive(Debug)]
pub(super) struct Partitions<K> {
    pass: u64,
    passes: u64,
    partitions: Vec<Mutex<Vec<K>>>,
}

/// Memory of one thread that deals out keys.
#[derive(Debug, Default)]
pub(super) struct Scratch<K> {
    ends: Vec<u32>,
    sorted: Vec<K>,
}

/// How many passes keep the keys of so many records, of so many bytes each, within a budget.
pub(super) fn passes(records: u64, bytes: u64, memory_bytes: u64) -> u64 {
    records
        .saturating_mul(bytes)
        .div_ceil(memory_bytes.max(1 << 20))
        .max(1)
}

impl<K: Dealt> Partitions<K> {
    /// Room for nothing yet.
    pub(super) fn new() -> Partitions<K> {
        Partitions {
            pass: 0,
            passes: 1,
            partitions: Vec::new(),
        }
    }

    /// Makes room for the keys of pass number `pass` out of `passes` over so many records. Memory
    /// of earlier passes is used again.
    pub(super) fn begin(&mut self, records: u64, pass: u64, passes: u64) {
        let keys = records / passes + 1;
        let partitions = keys
            .div_ceil(PARTITION_KEYS)
            .next_power_of_two()
            .min(MAX_PARTITIONS);
        // Shares of random keys differ by a few times the root of their size.
        let share = keys / partitions;
        let room = (share + share / 32 + 64) as usize;
        (self.pass, self.passes) = (pass, passes);
        self.partitions
            .resize_with(partitions as usize, Mutex::default);
        for partition in &mut self.partitions {
            let keys = partition.get_mut().unwrap_or_else(PoisonError::into_inner);
            keys.clear();
            keys.reserve(room);
        }
    }

    /// Adds those of a block's keys that belong to this pass.
    pub(super) fn add(&self, keys: &[K], scratch: &mut Scratch<K>) {
        let partitions = self.partitions.len();
        if partitions == 1 && self.passes == 1 {
            lock(&self.partitions[0]).extend_from_slice(keys);
            return;
        }
        let first = self.pass as usize * partitions;
        let all = u128::from(self.passes) * partitions as u128;
        // The high half of hash × partitions spreads them evenly.
        let partition = |key: K| {
            let at = ((u128::from(key.hash()) * all) >> 64) as usize;
            at.wrapping_sub(first)
        };
        // Sorted by partition first, so that each is locked once.
        scratch.ends.clear();
        scratch.ends.resize(partitions, 0);
        for &key in keys {
            if let Some(count) = scratch.ends.get_mut(partition(key)) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for end in &mut scratch.ends {
            sum += std::mem::replace(end, sum);
        }
        scratch.sorted.resize(keys.len(), K::default());
        for &key in keys {
            if let Some(end) = scratch.ends.get_mut(partition(key)) {
                scratch.sorted[*end as usize] = key;
                *end += 1;
            }
        }
        let mut start = 0;
        for (partition, &end) in self.partitions.iter().zip(&scratch.ends) {
            let run = &scratch.sorted[start as usize..end as usize];
            if !run.is_empty() {
                lock(partition).extend_from_slice(run);
            }
            start = end;
        }
    }

    /// Every partition. Equal keys are in the same one.
    pub(super) fn each(&self) -> &[Mutex<Vec<K>>] {
        &self.partitions
    }
}

/// The keys of a partition.
pub(super) fn lock<K>(partition: &Mutex<Vec<K>>) -> MutexGuard<'_, Vec<K>> {
    partition.lock().unwrap_or_else(PoisonError::into_inner)
}
