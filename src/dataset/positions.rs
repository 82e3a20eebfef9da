//! A set of positions in as little memory as probing allows: it decides what is a duplicate.

use super::DatasetError;
use crate::board::Board;
use std::hash::{BuildHasher, RandomState};

/// Slots per position at most filled: 3 for 2, which is 24 bytes per position.
const SLOTS: u64 = 3;
const PER: u64 = 2;
const MIN_SLOTS: usize = 48;

/// Positions with no disc mark free slots; no position of a game is one.
const FREE: Board = Board {
    own: 0,
    opponent: 0,
};

/// A set of canonical positions ([`Board::canonical`]): open addressing with linear probing over
/// 16-byte slots, 24 bytes for each expected position.
///
/// What it answers depends on what was inserted alone; where things lie inside differs from run to
/// run, so that no file can be made to slow it down.
#[derive(Debug)]
pub struct PositionSet {
    slots: Vec<Board>,
    len: u64,
    /// Positions above which it grows.
    limit: u64,
    holds_free: bool,
    seed: u64,
}

impl PositionSet {
    /// Room for `n` positions, taken at once: a run that cannot have it learns so at its start.
    /// More than `n` are fine and make it grow.
    pub fn for_expected(n: u64) -> Result<PositionSet, DatasetError> {
        let slots = allocate(n)?;
        Ok(PositionSet {
            limit: limit(slots.len()).max(n),
            slots,
            len: 0,
            holds_free: false,
            seed: RandomState::new().hash_one(0x5eed_u64),
        })
    }

    /// Adds a position; says whether it is new. The caller makes it canonical.
    ///
    /// # Errors
    /// No memory to grow; the set is as before.
    #[inline]
    pub fn insert(&mut self, position: Board) -> Result<bool, DatasetError> {
        if position == FREE {
            return Ok(!std::mem::replace(&mut self.holds_free, true));
        }
        let slot = self.find(position);
        if self.slots[slot] == position {
            return Ok(false);
        }
        if self.len < self.limit {
            self.slots[slot] = position;
        } else {
            self.grow()?;
            let slot = self.find(position);
            self.slots[slot] = position;
        }
        self.len += 1;
        Ok(true)
    }

    /// Whether it holds the position.
    #[inline]
    pub fn contains(&self, position: Board) -> bool {
        match position {
            FREE => self.holds_free,
            _ => self.slots[self.find(position)] == position,
        }
    }

    /// Positions in it.
    pub fn len(&self) -> u64 {
        self.len + u64::from(self.holds_free)
    }

    /// Nothing in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of memory taken.
    pub fn memory_bytes(&self) -> u64 {
        (self.slots.capacity() * size_of::<Board>()) as u64
    }

    /// The slot that holds the position, or the free one where it belongs.
    #[inline]
    fn find(&self, position: Board) -> usize {
        let slots = self.slots.len();
        // The high half of hash × slots is an even spread over any number of slots.
        let mut at = ((u128::from(self.hash(position)) * slots as u128) >> 64) as usize;
        loop {
            let here = self.slots[at];
            if here == position || here == FREE {
                return at;
            }
            at += 1;
            if at == slots {
                at = 0;
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
        let mut grown = PositionSet {
            slots: allocate(self.limit.saturating_mul(3) / 2 + 16)?,
            ..*self
        };
        grown.limit = limit(grown.slots.len());
        for &position in self.slots.iter().filter(|&&position| position != FREE) {
            let slot = grown.find(position);
            grown.slots[slot] = position;
        }
        *self = grown;
        Ok(())
    }
}

/// Positions that so many slots take.
fn limit(slots: usize) -> u64 {
    slots as u64 / SLOTS * PER
}

fn allocate(positions: u64) -> Result<Vec<Board>, DatasetError> {
    let out_of_memory = || DatasetError::OutOfMemory {
        positions,
        bytes: positions.saturating_mul(SLOTS * size_of::<Board>() as u64 / PER),
    };
    let slots = positions.checked_mul(SLOTS).ok_or_else(out_of_memory)? / PER;
    let slots = usize::try_from(slots)
        .map_err(|_| out_of_memory())?
        .max(MIN_SLOTS);
    let mut table = Vec::new();
    table
        .try_reserve_exact(slots)
        .map_err(|_| out_of_memory())?;
    table.resize(slots, FREE);
    Ok(table)
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
