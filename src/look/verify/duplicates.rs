//! Finds keys that occur more than once, 8 bytes for each record and one pass over the memory.

use crate::look::partitions::{self, Dealt, Partitions, lock};
use rayon::prelude::*;

/// Repeated keys that are remembered. More are only counted.
const MAX_REPEATED: usize = 1 << 20;

/// Keys are hashes already. What a partition has in common are their leading bits.
impl Dealt for u64 {
    fn hash(self) -> u64 {
        self
    }
}

/// What a table found.
#[derive(Debug, Default)]
pub(super) struct Repeated {
    /// Keys that occur more than once, sorted; not all of them when there are very many.
    pub keys: Vec<u64>,
    /// Occurrences beyond the first of each.
    pub surplus: u64,
    /// Whether `keys` holds all of them.
    pub complete: bool,
}

/// How many passes keep the keys of so many records within a budget of memory.
pub(super) fn passes(records: u64, memory_bytes: u64) -> u64 {
    // A quarter for the ends of growing partitions.
    partitions::passes(records, 10, memory_bytes)
}

/// Looks through all partitions, in parallel.
pub(super) fn repeated(keys: &Partitions<u64>) -> Repeated {
    let mut found = keys
        .each()
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
    use crate::look::partitions::Scratch;
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
            let mut table = Partitions::new();
            for pass in 0..passes {
                table.begin(n as u64, pass, passes);
                for block in keys.chunks(1000) {
                    table.add(block, &mut Scratch::default());
                }
                let result = repeated(&table);
                assert!(result.complete);
                found.extend(result.keys);
                surplus += result.surplus;
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
