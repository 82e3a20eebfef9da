//! Positions gathered from many threads: 16 bytes each, dealt out by a hash to partitions that are
//! then sorted one by one.

use crate::board::{Board, CENTRE};
use crate::look::partitions::{self, Dealt, Partitions, lock};
use rayon::prelude::*;

/// A canonical position with where it was found: `own` above, below it the occupied squares, whose
/// four centre squares hold the place, as they are occupied in every position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) struct Key(u128);

/// Places that a key can name: the four files of either side.
pub(super) const PLACES: usize = 8;

/// d4, the lowest of the centre squares, then e4 and d5.
const PLACE_BITS: [u32; 3] = [27, 28, 35];

impl Key {
    /// Of a position that holds all four centre squares, in place `place` (below [`PLACES`]).
    #[inline]
    pub(super) fn new(board: Board, place: usize) -> Key {
        let canonical = board.canonical();
        let mut low = canonical.occupied() & !CENTRE;
        for (bit, square) in PLACE_BITS.into_iter().enumerate() {
            low |= ((place as u64 >> bit) & 1) << square;
        }
        Key(u128::from(canonical.own) << 64 | u128::from(low))
    }

    /// Where it was found.
    pub(super) fn place(self) -> usize {
        let bits = PLACE_BITS.into_iter().enumerate();
        bits.fold(0, |place, (bit, square)| {
            place | ((self.0 >> square & 1) as usize) << bit
        })
    }

    /// Discs on its board − 4.
    pub(super) fn phase(self) -> u8 {
        (self.0 as u64 & !CENTRE).count_ones() as u8
    }

    /// The position alone.
    #[inline]
    fn position(self) -> u128 {
        self.0 & !u128::from(CENTRE)
    }
}

impl Dealt for Key {
    #[inline]
    fn hash(self) -> u64 {
        let position = self.position();
        let product = u128::from((position >> 64) as u64 ^ 0x9e37_79b9_7f4a_7c15)
            * u128::from(position as u64 ^ 0xd6e8_feb8_6659_fd93);
        ((product >> 64) as u64 ^ product as u64).wrapping_mul(0x9fb2_1c65_1e98_df25)
    }
}

/// How many passes keep the keys of so many records within a budget of memory.
pub(super) fn passes(records: u64, memory_bytes: u64) -> u64 {
    // A bit more than 16 bytes for the ends of the partitions.
    partitions::passes(records, 18, memory_bytes)
}

/// Hands each position of a pass, with how often it was found in each place, to `visit`, and gives
/// what `merge` makes of the results of all threads.
pub(super) fn count<T: Send>(
    keys: &Partitions<Key>,
    start: impl Fn() -> T + Sync + Send,
    visit: impl Fn(&mut T, u8, &[u64; PLACES]) + Sync,
    merge: impl Fn(T, T) -> T + Sync + Send,
) -> T {
    keys.each()
        .par_iter()
        .fold(&start, |mut result, partition| {
            let mut keys = lock(partition);
            keys.sort_unstable_by_key(|key| key.position());
            for equal in keys.chunk_by(|a, b| a.position() == b.position()) {
                let mut found = [0; PLACES];
                for key in equal {
                    found[key.place()] += 1;
                }
                visit(&mut result, equal[0].phase(), &found);
            }
            result
        })
        .reduce(&start, merge)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Symmetry;
    use crate::look::partitions::Scratch;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn a_key_is_its_position_up_to_symmetry_and_its_place(a: u64, b: u64, c: u64, place in 0..PLACES) {
            let occupied = a & b | CENTRE;
            let board = Board { own: occupied & c, opponent: occupied & !c };
            let key = Key::new(board, place);
            prop_assert_eq!(key.place(), place);
            prop_assert_eq!(u32::from(key.phase()) + 4, board.discs());
            for s in Symmetry::ALL {
                let image = Key::new(s.apply_board(board), (place + 3) % PLACES);
                prop_assert_eq!(image.position(), key.position());
                prop_assert_eq!(image.hash(), key.hash());
            }
            prop_assert_ne!(Key::new(board.passed(), place).position(), key.position());
        }

        /// One pass or several, the counts are those of a map.
        #[test]
        fn counts_are_those_of_a_map(found: Vec<(u8, u8)>, passes in 1_u64..4) {
            let board = |n: u8| Board { own: CENTRE | u64::from(n), opponent: u64::from(!n) << 56 };
            let mut expected: BTreeMap<Board, [u64; PLACES]> = BTreeMap::new();
            let mut keys = Vec::new();
            for &(number, place) in &found {
                let place = usize::from(place) % PLACES;
                let board = board(number % 32);
                expected.entry(board.canonical()).or_default()[place] += 1;
                keys.push(Key::new(board, place));
            }
            let mut counts: Vec<(u8, [u64; PLACES])> = Vec::new();
            let mut table = Partitions::new();
            for pass in 0..passes {
                table.begin(found.len() as u64, pass, passes);
                table.add(&keys, &mut Scratch::default());
                counts.extend(count(
                    &table,
                    Vec::new,
                    |all, phase, found| all.push((phase, *found)),
                    |mut a, mut b| { a.append(&mut b); a },
                ));
            }
            let mut expected: Vec<_> = expected.into_iter().map(|(b, n)| (b.phase(), n)).collect();
            expected.sort();
            counts.sort();
            prop_assert_eq!(counts, expected);
        }
    }
}
