//! Finds keys that occur more than once, 8 bytes for each record and one pass over the memory.
//!
//! Keys are dealt out by their leading bits to partitions that fit the CPU's cache; each partition
//! is then looked through by itself.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Keys per partition for which the table of one partition stays in the cache.
const PARTITION_KEYS: u64 = 1 << 14;

/// More partitions than this make the shares of one block too small to be copied quickly.
const MAX_PARTITIONS: u64 = 1 << 11;

/// Repeated keys that are remembered. More are only counted.
const MAX_REPEATED: usize = 1 << 20;

/// Gathers keys from many threads.
#[derive(Debug)]
pub struct KeyTable {
    /// The part of all keys that this pass is about.
    pass: u64,
    passes: u64,
    partitions: Vec<Mutex<Vec<u64>>>,
}

/// What a table found.
#[derive(Debug, Default)]
pub struct Repeated {
    /// Keys that occur more than once, sorted; not all of them when there are very many.
    pub keys: Vec<u64>,
    /// Occurrences beyond the first of each.
    pub surplus: u64,
    /// Whether `keys` holds all of them.
    pub complete: bool,
}

/// How many passes keep the keys of so many records within a budget of memory.
pub fn passes(records: u64, memory_bytes: u64) -> u64 {
    // A quarter for the ends of growing partitions.
    records
        .saturating_mul(10)
        .div_ceil(memory_bytes.max(1 << 20))
        .max(1)
}

impl KeyTable {
    /// Room for nothing yet.
    pub fn new() -> KeyTable {
        KeyTable {
            pass: 0,
            passes: 1,
            partitions: Vec::new(),
        }
    }

    /// Makes room for the keys of pass number `pass` out of `passes` over so many records. Memory
    /// of earlier passes is used again.
    pub fn begin(&mut self, records: u64, pass: u64, passes: u64) {
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

    /// Adds the keys of a block. `scratch` is memory that is used again.
    pub fn add(&self, keys: &[u64], scratch: &mut KeyScratch) {
        let partitions = self.partitions.len();
        let first = self.pass as usize * partitions;
        let all = (self.passes as usize * partitions) as u128;
        // Which partition: the high half of key × partitions spreads them evenly.
        let partition = |key: u64| {
            let at = ((u128::from(key) * all) >> 64) as usize;
            at.wrapping_sub(first)
        };
        if partitions == 1 && self.passes == 1 {
            lock(&self.partitions[0]).extend_from_slice(keys);
            return;
        }
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
            let count = *end;
            *end = sum;
            sum += count;
        }
        scratch.sorted.resize(keys.len(), 0);
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

    /// Looks through all partitions, in parallel.
    pub fn repeated(&self) -> Repeated {
        use rayon::prelude::*;
        let mut found = self
            .partitions
            .par_iter()
            .map_init(Vec::new, |table, partition| {
                repeated_in(&lock(partition), table)
            })
            .reduce(
                || Repeated {
                    complete: true,
                    ..Repeated::default()
                },
                |mut a, mut b| {
                    a.keys.append(&mut b.keys);
                    a.surplus += b.surplus;
                    a.complete &= b.complete;
                    if a.keys.len() > MAX_REPEATED {
                        a.keys.truncate(MAX_REPEATED);
                        a.complete = false;
                    }
                    a
                },
            );
        found.keys.sort_unstable();
        found
    }
}

/// Memory of one thread that fills a table.
#[derive(Debug, Default)]
pub struct KeyScratch {
    ends: Vec<u32>,
    sorted: Vec<u64>,
}

fn lock(partition: &Mutex<Vec<u64>>) -> MutexGuard<'_, Vec<u64>> {
    partition.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The keys that occur more than once in one partition; `table` is memory that is used again.
fn repeated_in(keys: &[u64], table: &mut Vec<u64>) -> Repeated {
    let slots = (2 * keys.len()).next_power_of_two();
    table.clear();
    table.resize(slots, 0);
    let mut found = Repeated {
        complete: true,
        ..Repeated::default()
    };
    // Zero marks a free slot, so that key is counted apart.
    let mut zeros = 0_u64;
    for &key in keys {
        if key == 0 {
            zeros += 1;
            continue;
        }
        // The low bits: the high ones are what the partition has in common.
        let mut at = key as usize & (slots - 1);
        loop {
            let there = table[at];
            if there == key {
                found.surplus += 1;
                found.keys.push(key);
                break;
            }
            if there == 0 {
                table[at] = key;
                break;
            }
            at = (at + 1) & (slots - 1);
        }
    }
    if zeros > 1 {
        found.surplus += zeros - 1;
        found.keys.push(0);
    }
    found.keys.sort_unstable();
    found.keys.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn random_keys(n: usize, distinct: u64) -> Vec<u64> {
        let mut x = 1_u64;
        (0..n)
            .map(|_| {
                x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                // Spread over all 64 bits, as hashes are.
                ((x >> 33) % distinct).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            })
            .collect()
    }

    #[test]
    fn agrees_with_a_map_in_any_number_of_passes() {
        for (n, distinct, passes) in [
            (0, 1, 1),
            (10, 3, 1),
            (90_000, 80_000, 1),
            (90_000, 80_000, 3),
            (50_000, 1, 2),
        ] {
            let keys = random_keys(n, distinct);
            let mut counts = HashMap::new();
            for &key in &keys {
                *counts.entry(key).or_insert(0_u64) += 1;
            }
            let mut expected: Vec<u64> = counts
                .iter()
                .filter(|(_, n)| **n > 1)
                .map(|(key, _)| *key)
                .collect();
            expected.sort_unstable();
            let mut found = Vec::new();
            let mut surplus = 0;
            let mut table = KeyTable::new();
            for pass in 0..passes {
                table.begin(n as u64, pass, passes);
                for block in keys.chunks(1000) {
                    table.add(block, &mut KeyScratch::default());
                }
                let repeated = table.repeated();
                assert!(repeated.complete);
                found.extend(repeated.keys);
                surplus += repeated.surplus;
            }
            found.sort_unstable();
            assert_eq!(found, expected);
            assert_eq!(surplus, (n - counts.len()) as u64);
        }
    }

    #[test]
    fn passes_follow_the_budget() {
        assert_eq!(passes(0, 1 << 30), 1);
        assert_eq!(passes(100_000_000, 1 << 30), 1);
        assert_eq!(passes(1_000_000_000, 1 << 30), 10);
        assert_eq!(passes(u64::MAX, 0), u64::MAX.div_ceil(1 << 20));
    }
}
