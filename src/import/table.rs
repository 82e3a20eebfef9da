//! Distinct positions and what they were met with, in the order in which they were met first.

use super::positions::Sample;
use crate::board::Board;
use crate::dataset::split::Split;
use std::cmp::Ordering;
use std::hash::{BuildHasher, RandomState};

/// A distinct position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// What its eight images have in common.
    pub canonical: Board,
    /// As it was met first.
    pub board: Board,
    /// When: the number of that sample in its phase.
    pub first: u64,
    /// Sum of its values.
    pub sum: i64,
    /// How many these are.
    pub count: u64,
    /// The first of them.
    pub first_value: i8,
    /// Where games decide, the strictest split that one of its games has (test before valid before
    /// train). The values are those of such games: no label of a laxer split holds their results.
    pub split: Option<Split>,
    /// Met more than once.
    pub repeated: bool,
}

impl Entry {
    #[inline]
    fn meet(&mut self, sample: &Sample) {
        self.repeated = true;
        match sample.split.cmp(&self.split) {
            Ordering::Less => {}
            Ordering::Equal => {
                self.sum += i64::from(sample.value);
                self.count += 1;
            }
            Ordering::Greater => {
                self.split = sample.split;
                (self.sum, self.count) = (sample.value.into(), 1);
                self.first_value = sample.value;
            }
        }
    }
}

/// Open addressing with linear probing over numbers of entries. Where entries lie inside differs
/// from run to run, so that no file can be made to slow it down; what comes out does not.
pub(super) struct Table {
    entries: Vec<Entry>,
    /// Number of the entry + 1, 0 where free; a power of two of them, at most half in use.
    slots: Vec<u32>,
    seed: u64,
}

impl Table {
    /// Without positions. It grows as needed; up to `expected` of them it need not.
    pub(super) fn new(expected: u64) -> Table {
        let slots = usize::try_from(expected).map_or(0, |n| n.min(1 << 24) * 2);
        Table {
            entries: Vec::new(),
            slots: vec![0; slots.next_power_of_two().max(1 << 6)],
            seed: RandomState::new().hash_one(0x5eed_u64),
        }
    }

    /// The positions in the order in which they were met first.
    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Adds the `number`-th sample, whose canonical form is `canonical`.
    #[inline]
    pub(super) fn add(&mut self, canonical: Board, number: u64, sample: &Sample) {
        let slot = self.find(canonical);
        match self.slots[slot].checked_sub(1) {
            Some(index) => {
                self.entries[index as usize].meet(sample);
            }
            None => {
                self.entries.push(Entry {
                    canonical,
                    board: sample.board,
                    first: number,
                    sum: sample.value.into(),
                    count: 1,
                    first_value: sample.value,
                    split: sample.split,
                    repeated: false,
                });
                // A table is limited to far fewer entries than a u32 can number.
                self.slots[slot] = self.entries.len() as u32;
                if self.entries.len() * 2 > self.slots.len() {
                    self.grow();
                }
            }
        }
    }

    /// The slot that holds the position, or the free one where it belongs.
    #[inline]
    fn find(&self, canonical: Board) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = self.hash(canonical) as usize & mask;
        while let Some(index) = self.slots[slot].checked_sub(1) {
            if self.entries[index as usize].canonical == canonical {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }

    #[inline]
    fn hash(&self, board: Board) -> u64 {
        let folded = |a: u64, b: u64| {
            let product = u128::from(a) * u128::from(b);
            (product >> 64) as u64 ^ product as u64
        };
        // Odd constants: digits of pi and e.
        let mixed = folded(
            board.own ^ self.seed ^ 0x243f_6a88_85a3_08d3,
            board.opponent ^ self.seed.rotate_left(32) ^ 0xb7e1_5162_8aed_2a6b,
        );
        folded(mixed ^ board.own, 0x9e37_79b9_7f4a_7c15)
    }

    #[cold]
    fn grow(&mut self) {
        let count = self.slots.len() * 2;
        self.slots.clear();
        self.slots.resize(count, 0);
        for index in 0..self.entries.len() {
            let slot = self.find(self.entries[index].canonical);
            self.slots[slot] = index as u32 + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn sums_and_order_are_those_of_a_plain_map() {
        let mut table = Table::new(10);
        let mut plain: HashMap<Board, (u64, i64, u64)> = HashMap::new();
        let mut state = 1u64;
        for number in 0..50_000u64 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let board = Board {
                own: state >> 50,
                opponent: 1 << 63,
            };
            let value = (state >> 40) as i8;
            let sample = Sample {
                board,
                value,
                split: None,
            };
            table.add(board, number, &sample);
            let entry = plain.entry(board).or_insert((number, 0, 0));
            entry.1 += i64::from(value);
            entry.2 += 1;
        }
        assert_eq!(table.entries().len(), plain.len());
        assert!(
            table
                .entries()
                .windows(2)
                .all(|pair| pair[0].first < pair[1].first)
        );
        for entry in table.entries() {
            assert_eq!(plain[&entry.board], (entry.first, entry.sum, entry.count));
        }
    }
}
