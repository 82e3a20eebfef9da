//! The inner loop: a batch of records at once, written so that the compiler turns it into vector
//! code, for three generations of x86-64 and for everything else.
//!
//! It answers two questions per record: may something be wrong (then [`super::records`] looks at
//! it one by one), and what key stands for the position up to symmetry.

use crate::board::{Board, CENTRE, Symmetry};
use crate::dataset::record::{RECORD_SIZE, Record};
use crate::dataset::rules::{MAX_VALUE, beside};
use crate::dataset::value_rules::{CORNERS, FullLines};

/// Records of one batch.
pub(super) const BATCH: usize = 64;

/// What a batch of records is held against.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// Discs on each board; `None`: any number.
    pub discs: Option<u32>,
    /// Whether all discs must hang together.
    pub joined: bool,
    /// Mixed into the keys: no file can be made to fit an unknown one.
    pub seed: u64,
}

/// A batch and what came of it.
#[derive(Debug)]
pub(super) struct Batch {
    /// The records taken apart.
    own: [u64; BATCH],
    opponent: [u64; BATCH],
    /// −32768..=32767.
    value: [i64; BATCH],
    /// 0 where all is well; anything else is to be looked at.
    pub attention: [u64; BATCH],
    /// Equal positions up to symmetry have equal keys; others hardly ever.
    pub key: [u64; BATCH],
}

impl Batch {
    /// An empty one.
    pub(super) fn new() -> Batch {
        Batch {
            own: [0; BATCH],
            opponent: [0; BATCH],
            value: [0; BATCH],
            attention: [0; BATCH],
            key: [0; BATCH],
        }
    }

    /// Record number `i` of the batch.
    pub(super) fn record(&self, i: usize) -> Record {
        Record {
            board: Board {
                own: self.own[i],
                opponent: self.opponent[i],
            },
            value: self.value[i] as i16,
        }
    }

    /// Value of record number `i`.
    #[inline(always)]
    pub(super) fn value(&self, i: usize) -> i64 {
        self.value[i]
    }
}

/// Which code the CPU can run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kernel {
    /// Any CPU.
    Portable,
    /// x86-64-v3.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// x86-64-v4 with vector population count.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Kernel {
    /// The fastest that runs here.
    pub(super) fn detect() -> Kernel {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            let avx2 = has!("avx2") && has!("bmi1") && has!("bmi2") && has!("popcnt");
            if avx2
                && has!("avx512f")
                && has!("avx512bw")
                && has!("avx512cd")
                && has!("avx512dq")
                && has!("avx512vl")
                && has!("avx512vpopcntdq")
            {
                return Kernel::Avx512;
            }
            if avx2 {
                return Kernel::Avx2;
            }
        }
        Kernel::Portable
    }

    /// Examines up to [`BATCH`] records; what lies behind them in the batch means nothing.
    #[inline]
    pub(super) fn examine(self, records: &[[u8; RECORD_SIZE]], wanted: &Wanted, batch: &mut Batch) {
        match self {
            Kernel::Portable => examine(records, wanted, batch),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `detect` gives this variant only where the CPU has every feature.
            Kernel::Avx2 => unsafe { examine_avx2(records, wanted, batch) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Kernel::Avx512 => unsafe { examine_avx512(records, wanted, batch) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn examine_avx2(records: &[[u8; RECORD_SIZE]], wanted: &Wanted, batch: &mut Batch) {
    examine(records, wanted, batch);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(
    enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vpopcntdq,avx2,bmi1,bmi2,popcnt"
)]
fn examine_avx512(records: &[[u8; RECORD_SIZE]], wanted: &Wanted, batch: &mut Batch) {
    examine(records, wanted, batch);
}

#[inline(always)]
fn examine(records: &[[u8; RECORD_SIZE]], wanted: &Wanted, batch: &mut Batch) {
    for (i, bytes) in records.iter().take(BATCH).enumerate() {
        let Record { board, value } = Record::decode(bytes);
        batch.own[i] = board.own;
        batch.opponent[i] = board.opponent;
        batch.value[i] = i64::from(value);
    }
    for i in 0..BATCH {
        batch.key[i] = key(batch.own[i], batch.opponent[i], wanted.seed);
    }
    let (discs, any_discs) = match wanted.discs {
        Some(discs) => (u64::from(discs), 0),
        None => (0, u64::MAX),
    };
    for i in 0..BATCH {
        batch.attention[i] = suspicion(batch.own[i], batch.opponent[i], batch.value[i])
            | ((u64::from((batch.own[i] | batch.opponent[i]).count_ones()) ^ discs) & !any_discs);
    }
    let mut coarse = 0;
    for i in 0..BATCH {
        coarse |= enough_discs(batch.own[i], batch.opponent[i], batch.value[i]);
    }
    if coarse != 0 {
        for i in 0..BATCH {
            batch.attention[i] |= too_many_safe(batch.own[i], batch.opponent[i], batch.value[i]);
        }
    }
    if wanted.joined {
        for i in 0..BATCH {
            batch.attention[i] |= perhaps_apart(batch.own[i] | batch.opponent[i]);
        }
    }
}

/// 0 only where no rule of a record can be broken but those on the number of discs, and those that
/// are looked at one by one near the end of the game.
#[inline(always)]
fn suspicion(own: u64, opponent: u64, value: i64) -> u64 {
    let both = own & opponent;
    let centre = (own | opponent) & CENTRE ^ CENTRE;
    let range = u64::from(value > i64::from(MAX_VALUE)) | u64::from(value < -i64::from(MAX_VALUE));
    // Perhaps over: its value must be looked at.
    let no_move = u64::from(moves(own, opponent) == 0);
    both | centre | range | no_move
}

#[inline(always)]
fn discs(set: u64) -> i64 {
    i64::from(set.count_ones())
}

/// 0 where no side has enough discs to make the value impossible if all of them were safe.
#[inline(always)]
fn enough_discs(own: u64, opponent: u64, value: i64) -> u64 {
    let too_high = u64::from(value + 2 * discs(opponent) > 64) & u64::from(opponent & CORNERS != 0);
    let too_low = u64::from(2 * discs(own) - value > 64) & u64::from(own & CORNERS != 0);
    too_high | too_low
}

/// Not 0 where the discs that can never be turned make the value impossible. Steps from corners
/// and full lines are counted, few of them: longer chains are rare and prove hardly more.
#[inline(always)]
fn too_many_safe(own: u64, opponent: u64, value: i64) -> u64 {
    let lines = FullLines::of(own | opponent);
    let too_high = u64::from(value + 2 * discs(safe(&lines, opponent)) > 64);
    let too_low = u64::from(2 * discs(safe(&lines, own)) - value > 64);
    too_high | too_low
}

/// Discs of `own` that can never be turned, as far as five steps tell.
#[inline(always)]
fn safe(lines: &FullLines, own: u64) -> u64 {
    let mut safe = lines.safe(own, 0);
    for _ in 0..4 {
        safe = lines.safe(own, safe);
    }
    safe
}

/// Discs that five steps from the centre do not reach; 0 is a proof that none stands apart.
#[inline(always)]
fn perhaps_apart(occupied: u64) -> u64 {
    let mut joined = occupied & CENTRE;
    for _ in 0..5 {
        joined = beside(joined) & occupied;
    }
    occupied & !joined
}

/// The legal moves of `own`. The rules' own version picks its code at run time, which keeps a loop
/// around it from becoming vector code.
#[inline(always)]
fn moves(own: u64, opponent: u64) -> u64 {
    let inner = opponent & 0x7e7e_7e7e_7e7e_7e7e;
    (along::<1>(own, inner)
        | along::<8>(own, opponent)
        | along::<7>(own, inner)
        | along::<9>(own, inner))
        & !(own | opponent)
}

/// The squares behind runs of `through` that begin beside `own`, both ways along a line.
#[inline(always)]
fn along<const STEP: u32>(own: u64, through: u64) -> u64 {
    let mut up = through & (own << STEP);
    let mut down = through & (own >> STEP);
    up |= through & (up << STEP);
    down |= through & (down >> STEP);
    let pairs_up = through & (through << STEP);
    let pairs_down = through & (through >> STEP);
    up |= pairs_up & (up << (2 * STEP));
    down |= pairs_down & (down >> (2 * STEP));
    up |= pairs_up & (up << (2 * STEP));
    down |= pairs_down & (down >> (2 * STEP));
    (up << STEP) | (down >> STEP)
}

/// A hash of the canonical form: two rounds of a 64-bit mixer, between which the second half comes
/// in. Collisions cost time, never a wrong answer.
#[inline(always)]
fn key(own: u64, opponent: u64, seed: u64) -> u64 {
    let mut best = (own, opponent);
    for symmetry in &Symmetry::ALL[1..] {
        let image = (symmetry.apply(own), symmetry.apply(opponent));
        let smaller = (image.0 < best.0) | ((image.0 == best.0) & (image.1 < best.1));
        best.0 = if smaller { image.0 } else { best.0 };
        best.1 = if smaller { image.1 } else { best.1 };
    }
    mix(mix(best.0 ^ seed).wrapping_add(best.1))
}

/// The finisher of MurmurHash3: a bijection of 64 bits.
#[inline(always)]
fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let x = (x ^ (x >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ (x >> 33)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::rules::apart;
    use crate::dataset::value_rules::safe_discs;
    use proptest::prelude::*;

    const WANTED: Wanted = Wanted {
        discs: None,
        joined: true,
        seed: 7,
    };

    /// In played games the few steps find nearly every safe disc.
    #[test]
    fn few_steps_find_nearly_all_safe_discs() {
        let (mut few, mut all) = (0, 0);
        for corner_region in [
            0x0307_u64,
            0x0103_070f,
            0x01_0307_0f1f,
            0x0103_070f_1f3f_7fff,
        ] {
            few += safe(&FullLines::of(corner_region), corner_region).count_ones();
            all += safe_discs(corner_region, 0).count_ones();
        }
        assert_eq!(all, 5 + 10 + 15 + 36);
        assert!(few >= all - 12, "{few} of {all}");
    }

    proptest! {
        #[test]
        fn keys_are_those_of_the_canonical_form(a: u64, b: u64, seed: u64) {
            let board = Board { own: a & !b, opponent: b & !a };
            let canonical = board.canonical();
            let expected = mix(mix(canonical.own ^ seed).wrapping_add(canonical.opponent));
            for s in Symmetry::ALL {
                let image = s.apply_board(board);
                prop_assert_eq!(key(image.own, image.opponent, seed), expected);
            }
        }

        #[test]
        fn moves_are_those_of_the_rules(a: u64, b: u64) {
            let board = Board { own: a & !b, opponent: b & !a };
            prop_assert_eq!(moves(board.own, board.opponent), board.legal_moves());
        }

        /// Few steps prove no more than many, and on dense boards as much.
        #[test]
        fn safe_discs_are_those_of_the_rules(a: u64, b: u64, c: u64) {
            let occupied = a | b | c;
            let own = occupied & a;
            let few = safe(&FullLines::of(occupied), own);
            let all = safe_discs(own, occupied & !own);
            prop_assert_eq!(few & !all, 0);
            let dense = safe(&FullLines::of(u64::MAX), own);
            prop_assert_eq!(dense, own);
        }

        #[test]
        fn no_disc_apart_goes_unnoticed(occupied: u64) {
            let occupied = occupied | CENTRE;
            prop_assert!(perhaps_apart(occupied) & apart(occupied) == apart(occupied));
        }

        #[test]
        fn every_kernel_says_the_same(records in prop::collection::vec(any::<[u8; RECORD_SIZE]>(), 0..=BATCH)) {
            let mut expected = Batch::new();
            Kernel::Portable.examine(&records, &WANTED, &mut expected);
            #[allow(unused_mut)] // Only x86-64 has others.
            let mut others = vec![Kernel::detect()];
            #[cfg(target_arch = "x86_64")]
            if Kernel::detect() == Kernel::Avx512 {
                others.push(Kernel::Avx2);
            }
            for kernel in others {
                let mut batch = Batch::new();
                kernel.examine(&records, &WANTED, &mut batch);
                prop_assert_eq!(batch.attention, expected.attention);
                prop_assert_eq!(batch.key, expected.key);
            }
        }
    }
}
