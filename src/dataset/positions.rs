//! A set of positions in as little memory as probing allows: it decides what is a duplicate.

use super::DatasetError;
use crate::board::Board;
use std::hash::{BuildHasher, RandomState};

/// Slots for so many positions: 1.41 for each, which with 17 bytes per slot is 23.97 bytes.
const SLOTS: u64 = 141;
const PER: u64 = 100;
const MIN_SLOTS: usize = 48;

/// Bytes of a slot: a position and its tag.
const SLOT_BYTES: u64 = size_of::<Board>() as u64 + 1;

/// The tag of a slot that holds nothing.
const FREE: u8 = 0;

/// A set of canonical positions ([`Board::canonical`]): open addressing with linear probing, 24
/// bytes for each expected position.
///
/// Beside each slot of 16 bytes stands a tag of one: a new position, the common case, is known to
/// be new from the tags alone, which stay in the cache where the slots would not.
///
/// What it answers depends on what was inserted alone; where things lie inside differs from run to
/// run, so that no file can be made to slow it down.
#[derive(Debug)]
pub struct PositionSet {
    /// Eight bits of the hash of what the slot holds, never [`FREE`]; as long as `slots`.
    tags: Vec<u8>,
    slots: Vec<Board>,
    len: u64,
    /// Positions above which it grows.
    limit: u64,
    seed: u64,
}

/// Where a position is, or where it belongs.
enum Place {
    Held,
    Free { slot: usize, tag: u8 },
}

impl PositionSet {
    /// Room for `n` positions, taken at once: a run that cannot have it learns so at its start.
    /// More than `n` are fine and make it grow.
    pub fn for_expected(n: u64) -> Result<PositionSet, DatasetError> {
        let (tags, slots) = allocate(n)?;
        Ok(PositionSet {
            limit: limit(slots.len()).max(n),
            tags,
            slots,
            len: 0,
            seed: RandomState::new().hash_one(0x5eed_u64),
        })
    }

    /// Adds a position; says whether it is new. The caller makes it canonical.
    ///
    /// # Errors
    /// No memory to grow; the set is as before.
    #[inline]
    pub fn insert(&mut self, position: Board) -> Result<bool, DatasetError> {
        let Place::Free { mut slot, tag } = self.find(position) else {
            return Ok(false);
        };
        if self.len >= self.limit {
            self.grow()?;
            if let Place::Free { slot: moved, .. } = self.find(position) {
                slot = moved;
            }
        }
        self.tags[slot] = tag;
        self.slots[slot] = position;
        self.len += 1;
        Ok(true)
    }

    /// Whether it holds the position.
    #[inline]
    pub fn contains(&self, position: Board) -> bool {
        matches!(self.find(position), Place::Held)
    }

    /// Positions in it.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Nothing in it.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes of memory taken.
    pub fn memory_bytes(&self) -> u64 {
        self.slots.capacity() as u64 * SLOT_BYTES
    }

    /// Brings the place of a position into the cache. In a large set each look waits for memory;
    /// looks that do not depend on each other wait together, so whoever is about to insert many
    /// positions warms all of them first.
    #[inline]
    pub fn warm(&self, position: Board) {
        let home = self.home(self.hash(position));
        prefetch(&self.tags[home]);
        prefetch(&self.slots[home]);
    }

    /// Where the search for a position with this hash begins: the high half of hash × slots is an
    /// even spread over any number of slots.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.slots.len() as u128) >> 64) as usize
    }

    #[inline]
    fn find(&self, position: Board) -> Place {
        let hash = self.hash(position);
        // The low bits: the high ones are much the same for all that begin at one place.
        let tag = (hash as u8).max(FREE + 1);
        let mut slot = self.home(hash);
        loop {
            let here = self.tags[slot];
            if here == FREE {
                return Place::Free { slot, tag };
            }
            if here == tag && self.slots[slot] == position {
                return Place::Held;
            }
            slot += 1;
            if slot == self.slots.len() {
                slot = 0;
            }
        }
    }

    #[inline]
    fn hash(&self, position: Board) -> u64 {
        // Two multiplications with folding, as in wyhash.
        let fold = |a: u64, b: u64| {
            let product = u128::from(a) * u128::from(b);
            product as u64 ^ (product >> 64) as u64
        };
        let first = fold(
            position.own ^ self.seed,
            position.opponent ^ 0x9e37_79b9_7f4a_7c15,
        );
        fold(
            first ^ position.own.rotate_left(32),
            0xd6e8_feb8_6659_fd93 ^ self.seed,
        )
    }

    #[cold]
    fn grow(&mut self) -> Result<(), DatasetError> {
        let (tags, slots) = allocate(self.limit.saturating_mul(3) / 2 + 16)?;
        let mut grown = PositionSet {
            limit: limit(slots.len()),
            tags,
            slots,
            ..*self
        };
        for (&tag, &position) in self.tags.iter().zip(&self.slots) {
            if tag != FREE
                && let Place::Free { slot, tag } = grown.find(position)
            {
                grown.tags[slot] = tag;
                grown.slots[slot] = position;
            }
        }
        *self = grown;
        Ok(())
    }
}

/// Asks for the memory around `place` without waiting for it; does nothing where the processor has
/// no stable instruction for that.
#[inline(always)]
fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing and never faults; every x86-64 processor has it.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// Positions that so many slots take.
fn limit(slots: usize) -> u64 {
    slots as u64 * PER / SLOTS
}

fn allocate(positions: u64) -> Result<(Vec<u8>, Vec<Board>), DatasetError> {
    let out_of_memory = || DatasetError::OutOfMemory {
        positions,
        bytes: (positions / PER).saturating_mul(SLOTS * SLOT_BYTES),
    };
    let slots = positions.checked_mul(SLOTS).ok_or_else(out_of_memory)? / PER;
    let slots = usize::try_from(slots)
        .map_err(|_| out_of_memory())?
        .max(MIN_SLOTS);
    let mut tags = Vec::new();
    let mut table = Vec::new();
    let reserved = tags
        .try_reserve_exact(slots)
        .and_then(|()| table.try_reserve_exact(slots));
    reserved.map_err(|_| out_of_memory())?;
    tags.resize(slots, FREE);
    let empty = Board {
        own: 0,
        opponent: 0,
    };
    table.resize(slots, empty);
    Ok((tags, table))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    fn board(own: u64, opponent: u64) -> Board {
        Board { own, opponent }
    }

    #[test]
    fn expected_positions_fit_in_24_bytes_each() {
        for n in [1_000, 1_001, 99_999] {
            let mut set = PositionSet::for_expected(n).unwrap();
            let before = set.memory_bytes();
            assert!(before <= 24 * n, "{before} bytes for {n}");
            for i in 0..n {
                assert!(set.insert(board(i, 1 << 63)).unwrap());
            }
            assert_eq!((set.len(), set.memory_bytes()), (n, before));
            assert!(!set.insert(board(n - 1, 1 << 63)).unwrap());
        }
    }

    #[test]
    fn absurd_numbers_are_an_error_not_an_abort() {
        for n in [u64::MAX, u64::MAX / 2, u64::MAX / 24, 1 << 60] {
            let error = PositionSet::for_expected(n).unwrap_err();
            assert!(error.to_string().contains("no memory"), "{error}");
        }
    }

    #[test]
    fn grows_when_more_come() {
        let mut set = PositionSet::for_expected(0).unwrap();
        for i in 0..50_000 {
            assert!(set.insert(board(i * i, i)).unwrap());
        }
        assert_eq!(set.len(), 50_000);
        assert!((0..50_000).all(|i| set.contains(board(i * i, i))));
        assert!(!set.contains(board(5, 5)));
        assert!(set.memory_bytes() < 40 * 50_000);
    }

    proptest! {
        #[test]
        fn agrees_with_a_hash_set(keys: Vec<(u8, u8)>) {
            let mut set = PositionSet::for_expected(3).unwrap();
            let mut model = HashSet::new();
            for (own, opponent) in keys {
                let (own, opponent) = (u64::from(own % 16), u64::from(opponent % 16));
                prop_assert_eq!(set.contains(board(own, opponent)), model.contains(&(own, opponent)));
                prop_assert_eq!(set.insert(board(own, opponent)).unwrap(), model.insert((own, opponent)));
                prop_assert_eq!(set.len(), model.len() as u64);
            }
        }
    }
}
