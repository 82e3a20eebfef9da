//! The transposition table: what earlier searches of this game found out about positions.
//!
//! Entries carry the number of the search (the *generation*) that wrote them; those from before the
//! game's first search count as empty. So a new game starts with an empty table at no cost, and
//! nothing that was searched before can change its moves; within a game, entries of earlier
//! searches give way first. Threads share a table without locks: each entry is two words, and the
//! first is the position's hash xor the second, so a torn pair never matches.

use crate::board::Board;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Entries of one bucket; together they fill a cache line.
const WAYS: usize = 4;

/// Added to the number of empties, this is the depth under which exact searches store their results,
/// in discs instead of hundredths.
pub(super) const EXACT: u8 = 64;

/// Searches that one game can tell apart; later ones share the last number.
const SEARCHES_PER_GAME: u8 = 100;

/// What is known about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// The score is at least this.
    pub lower: i16,
    /// The score is at most this.
    pub upper: i16,
    /// Plies searched, or [`EXACT`] + empties; below 128.
    pub depth: u8,
    /// The number of the search's confidence, below 8; it says nothing of an exact result.
    pub confidence: u8,
    /// The best moves known, best first; 64 stands for none.
    pub moves: [u8; 2],
}

impl Entry {
    /// No move.
    pub(super) const NO_MOVE: u8 = 64;

    fn pack(self, generation: u8) -> u64 {
        u64::from(self.lower as u16)
            | u64::from(self.upper as u16) << 16
            | u64::from(self.depth & 0x7f) << 32
            | u64::from(self.confidence & 7) << 39
            | u64::from(self.moves[0] & 0x7f) << 42
            | u64::from(self.moves[1] & 0x7f) << 49
            | u64::from(generation) << 56
    }

    fn unpack(word: u64) -> Entry {
        Entry {
            lower: word as u16 as i16,
            upper: (word >> 16) as u16 as i16,
            depth: (word >> 32) as u8 & 0x7f,
            confidence: (word >> 39) as u8 & 7,
            moves: [(word >> 42) as u8 & 0x7f, (word >> 49) as u8 & 0x7f],
        }
    }
}

/// Hash of a position: which bucket, and what tells its entries apart. Both parts together have
/// more than 64 bits, so that two positions are never taken for one in practice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Key {
    bucket: u64,
    check: u64,
}

impl Key {
    /// The key of a position.
    #[inline(always)]
    pub(super) fn new(board: Board) -> Key {
        // Odd multipliers (fractions of the golden ratio, of √2 and √3) and xor-shifts: each step
        // is a bijection of its operand.
        let a = board.own.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let a = a ^ (a >> 32);
        let b = board.opponent.wrapping_mul(0xbb67_ae85_84ca_a73b);
        let b = b ^ (b >> 29);
        let check = (a.wrapping_add(b.rotate_left(23))).wrapping_mul(0x6a09_e667_f3bc_c909);
        let bucket = (a ^ b.rotate_left(41)).wrapping_mul(0xd6e8_feb8_6659_fd93) ^ check;
        Key {
            bucket,
            check: check ^ (check >> 31),
        }
    }
}

/// The most threads that keep a near part of their own; further ones share.
const NEAR_PARTS: usize = 64;

/// A near part has two to the power of this many entries, 256 kB: it stays in a core's own cache.
const NEAR_BITS: u32 = 14;

#[derive(Default)]
#[repr(align(64))]
struct Bucket([[AtomicU64; 2]; WAYS]);

/// A fixed number of entries.
///
/// The table has a *far* part, which all threads share, and *near* parts, one per thread. Near the
/// end of the game positions are many and cheap, and a look into memory would cost more than the
/// search that it saves; they go into the near part.
pub struct Table {
    far: Part,
    near: Box<[OnceLock<Part>]>,
    near_bits: u32,
    /// Generation of the game's first search, never 0: zeroed entries belong to no game.
    first: u8,
    /// Generation of the present search.
    generation: u8,
}

impl Table {
    /// A table of 2 to the power of `bits` entries, of which at least 8 are made.
    pub fn new(bits: u32) -> Table {
        Table {
            far: Part::new(bits),
            near: (0..NEAR_PARTS).map(|_| OnceLock::new()).collect(),
            near_bits: bits.min(NEAR_BITS),
            first: 1,
            generation: 1,
        }
    }

    /// Forgets everything: the next search is the first of a game.
    pub fn start_game(&mut self) {
        self.first = if self.generation < u8::MAX - SEARCHES_PER_GAME {
            self.generation + 1
        } else {
            // The numbers run out: what is in the table must not be taken for new.
            self.far.clear();
            for near in &mut self.near {
                if let Some(part) = near.get_mut() {
                    part.clear();
                }
            }
            1
        };
        self.generation = self.first;
    }

    /// Makes the entries so far old: they are still used, but give way first.
    pub fn start_search(&mut self) {
        if self.generation - self.first < SEARCHES_PER_GAME {
            self.generation += 1;
        }
    }

    /// The part that all threads share.
    pub(super) fn far(&self) -> View<'_> {
        self.view(&self.far)
    }

    /// The part of the thread of this number.
    pub(super) fn near(&self, thread: usize) -> View<'_> {
        let part = &self.near[thread % NEAR_PARTS];
        self.view(part.get_or_init(|| Part::new(self.near_bits)))
    }

    fn view<'a>(&self, part: &'a Part) -> View<'a> {
        View {
            buckets: &part.buckets,
            shift: part.shift,
            first: self.first,
            generation: self.generation,
        }
    }
}

/// Entries, by hash.
struct Part {
    buckets: Box<[Bucket]>,
    /// How far a hash is shifted to give a bucket's index.
    shift: u32,
}

impl Part {
    fn new(bits: u32) -> Part {
        let bucket_bits = bits.saturating_sub(WAYS.ilog2()).max(1);
        Part {
            buckets: zeroed_buckets(1 << bucket_bits),
            shift: 64 - bucket_bits,
        }
    }

    fn clear(&mut self) {
        for bucket in &mut self.buckets {
            *bucket = Bucket::default();
        }
    }
}

/// Empty buckets, in large pages where the system has them: a search hits another page with nearly
/// every look, and with small pages the look-up of the page costs as much again.
fn zeroed_buckets(number: usize) -> Box<[Bucket]> {
    let mut buckets = Box::<[Bucket]>::new_uninit_slice(number);
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};
        const PAGE: usize = 4096;
        let bytes = size_of_val::<[_]>(&buckets);
        let begin = buckets.as_mut_ptr();
        let skipped = begin.cast::<u8>().align_offset(PAGE);
        if bytes >= 1 << 21 && skipped < bytes {
            // SAFETY: the memory is owned and not yet used; the advice changes no contents.
            // It is only advice, so it does not matter whether it is taken.
            let _ = unsafe {
                let pages = begin.cast::<u8>().add(skipped);
                madvise(pages.cast(), bytes - skipped, Advice::LinuxHugepage)
            };
        }
    }
    for bucket in &mut buckets {
        bucket.write(Bucket::default());
    }
    // SAFETY: every bucket was written.
    unsafe { buckets.assume_init() }
}

/// A part of the table as one search sees it.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    buckets: &'a [Bucket],
    shift: u32,
    first: u8,
    generation: u8,
}

impl View<'_> {
    #[inline(always)]
    fn bucket(&self, key: Key) -> &[[AtomicU64; 2]; WAYS] {
        &self.buckets[(key.bucket >> self.shift) as usize].0
    }

    /// Asks the memory for the entries of `key`, which are wanted soon: a table is larger than the
    /// caches, and waiting for it would cost more than all else that is done for a position.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: Key) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const _ = self.bucket(key);
            // SAFETY: a hint about memory that belongs to the table; every x86-64 has it.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known about the position of `key`.
    #[inline(always)]
    pub(super) fn probe(&self, key: Key) -> Option<Entry> {
        for slot in self.bucket(key) {
            let word = slot[1].load(Ordering::Relaxed);
            let check = slot[0].load(Ordering::Relaxed);
            if check ^ word == key.check && (word >> 56) as u8 >= self.first {
                return Some(Entry::unpack(word));
            }
        }
        None
    }

    /// Stores what a search found. An entry of the same position is replaced, except that an exact
    /// one keeps its place against an estimate; else the first empty place is taken, or that of
    /// the oldest and shallowest entry.
    #[inline(always)]
    pub(super) fn store(&self, key: Key, entry: Entry) {
        let bucket = self.bucket(key);
        let mut worst = (u32::MAX, &bucket[0]);
        for slot in bucket {
            let word = slot[1].load(Ordering::Relaxed);
            let check = slot[0].load(Ordering::Relaxed);
            let generation = (word >> 56) as u8;
            let of_this_game = generation >= self.first;
            if of_this_game && check ^ word == key.check {
                if Entry::unpack(word).depth >= EXACT && entry.depth < EXACT {
                    return;
                }
                worst.1 = slot;
                break;
            }
            let of_this_search = generation == self.generation;
            let worth = if of_this_game {
                1 + (word >> 32 & 0x7f) as u32 + 256 * u32::from(of_this_search)
            } else {
                0
            };
            if worth < worst.0 {
                worst = (worth, slot);
            }
        }
        let word = entry.pack(self.generation);
        worst.1[0].store(key.check ^ word, Ordering::Relaxed);
        worst.1[1].store(word, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entry(depth: u8, lower: i16, upper: i16) -> Entry {
        Entry {
            lower,
            upper,
            depth,
            confidence: 0,
            moves: [19, Entry::NO_MOVE],
        }
    }

    proptest! {
        #[test]
        fn entries_survive_packing(
            lower: i16,
            upper: i16,
            depth in 0u8..128,
            confidence in 0u8..8,
            moves in [0u8..=64, 0u8..=64],
            generation: u8,
        ) {
            let entry = Entry { lower, upper, depth, confidence, moves };
            prop_assert_eq!(Entry::unpack(entry.pack(generation)), entry);
        }
    }

    #[test]
    fn a_new_game_knows_nothing_even_after_the_numbers_came_round() {
        let mut table = Table::new(4);
        let key = Key::new(Board::START);
        for game in 0..600 {
            assert_eq!(table.far().probe(key), None);
            for _ in 0..game % 200 {
                table.start_search();
                table.far().store(key, entry(3, -5, 7));
                assert_eq!(table.far().probe(key), Some(entry(3, -5, 7)));
            }
            table.start_game();
        }
    }

    #[test]
    fn exact_results_are_not_lost_to_shallow_ones() {
        let table = Table::new(4);
        let key = Key::new(Board::START);
        table.far().store(key, entry(EXACT + 20, 2, 2));
        table.far().store(key, entry(9, -100, 100));
        assert_eq!(table.far().probe(key), Some(entry(EXACT + 20, 2, 2)));
    }

    #[test]
    fn the_side_to_move_matters() {
        assert_ne!(Key::new(Board::START), Key::new(Board::START.passed()));
    }
}
