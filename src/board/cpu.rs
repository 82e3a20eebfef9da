//! The rules' inner loops for the instruction sets that they are written for.
//!
//! One program runs on any x86-64 and on ARM, and still uses the better instructions where they are
//! there. Two ways lead to them. [`Board`](super::Board)'s methods ask once which CPU this is and
//! then call the fitting function. A loop that is hot enough to be compiled for each instruction
//! set takes a [`Cpu`] as a type parameter: the value proves that its instructions exist.

use super::{flips, last_flips, moves};

/// An instruction set. A value exists only where the machine has it.
pub trait Cpu: Copy + Send + Sync + 'static {
    /// For people: `portable`, `x86-64-v3`.
    const NAME: &'static str;

    /// Runs `work`, compiled for this instruction set wherever it is inlined: mark the closure
    /// and what it calls `#[inline(always)]`.
    fn run<R>(self, work: impl FnOnce() -> R) -> R;

    /// Squares on which the owner of `own` may play.
    fn legal_moves(self, own: u64, opponent: u64) -> u64;

    /// Discs of `opponent` that are turned when the owner of `own` plays on the empty square
    /// `square` (0..=63); 0 when the move is illegal.
    fn flips(self, square: u8, own: u64, opponent: u64) -> u64;

    /// How many discs are turned when the owner of `own` plays on `square`, the last empty square.
    fn last_flips(self, square: u8, own: u64) -> u32;
}

/// The name of the instruction set that this machine's searches run on.
pub fn name() -> &'static str {
    V3::detect().map_or(Portable::NAME, |_| V3::NAME)
}

/// What every machine can do.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Cpu for Portable {
    const NAME: &'static str = "portable";

    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }

    #[inline(always)]
    fn legal_moves(self, own: u64, opponent: u64) -> u64 {
        moves::portable(own, opponent)
    }

    #[inline(always)]
    fn flips(self, square: u8, own: u64, opponent: u64) -> u64 {
        flips::portable(square, own, opponent)
    }

    #[inline(always)]
    fn last_flips(self, square: u8, own: u64) -> u32 {
        last_flips::portable(square, own)
    }
}

#[cfg(not(target_arch = "x86_64"))]
pub use other::V3;
#[cfg(target_arch = "x86_64")]
pub use x86::V3;
#[cfg(target_arch = "x86_64")]
pub(super) use x86::or_lanes;

/// Elsewhere than on x86-64 nothing can be a [`V3`].
#[cfg(not(target_arch = "x86_64"))]
mod other {
    use super::Cpu;

    /// Instructions of x86-64, of which this machine has none.
    #[derive(Clone, Copy, Debug)]
    pub enum V3 {}

    impl V3 {
        /// `None`.
        #[inline(always)]
        pub fn detect() -> Option<V3> {
            None
        }
    }

    impl Cpu for V3 {
        const NAME: &'static str = "x86-64-v3";

        fn run<R>(self, _work: impl FnOnce() -> R) -> R {
            match self {}
        }

        fn legal_moves(self, _own: u64, _opponent: u64) -> u64 {
            match self {}
        }

        fn flips(self, _square: u8, _own: u64, _opponent: u64) -> u64 {
            match self {}
        }

        fn last_flips(self, _square: u8, _own: u64) -> u32 {
            match self {}
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Cpu, flips, last_flips, moves};
    use std::arch::x86_64::*;
    use std::sync::atomic::{AtomicU8, Ordering};

    /// AVX2, BMI1, BMI2, LZCNT and POPCNT: x86 machines since about 2013 (Intel) and 2015 (AMD).
    #[derive(Clone, Copy, Debug)]
    pub struct V3(());

    const UNKNOWN: u8 = 0;
    const ABSENT: u8 = 1;
    const PRESENT: u8 = 2;
    static DETECTED: AtomicU8 = AtomicU8::new(UNKNOWN);

    impl V3 {
        /// The proof that this machine has the instructions, or `None`.
        #[inline(always)]
        pub fn detect() -> Option<V3> {
            match DETECTED.load(Ordering::Relaxed) {
                PRESENT => Some(V3(())),
                ABSENT => None,
                _ => V3::ask(),
            }
        }

        #[cold]
        fn ask() -> Option<V3> {
            let present = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            DETECTED.store(if present { PRESENT } else { ABSENT }, Ordering::Relaxed);
            present.then_some(V3(()))
        }
    }

    /// The union of four sets.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(in crate::board) fn or_lanes(sets: __m256i) -> u64 {
        let two = _mm_or_si128(
            _mm256_castsi256_si128(sets),
            _mm256_extracti128_si256(sets, 1),
        );
        _mm_cvtsi128_si64(_mm_or_si128(two, _mm_unpackhi_epi64(two, two))) as u64
    }

    impl Cpu for V3 {
        const NAME: &'static str = "x86-64-v3";

        #[inline(always)]
        fn run<R>(self, work: impl FnOnce() -> R) -> R {
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            fn compiled<R>(work: impl FnOnce() -> R) -> R {
                work()
            }
            // SAFETY: a `V3` is only made where the instructions were detected.
            unsafe { compiled(work) }
        }

        #[inline(always)]
        fn legal_moves(self, own: u64, opponent: u64) -> u64 {
            // SAFETY: a `V3` is only made where the instructions were detected.
            unsafe { moves::v3(own, opponent) }
        }

        #[inline(always)]
        fn flips(self, square: u8, own: u64, opponent: u64) -> u64 {
            // SAFETY: a `V3` is only made where the instructions were detected.
            unsafe { flips::v3(square, own, opponent) }
        }

        #[inline(always)]
        fn last_flips(self, square: u8, own: u64) -> u32 {
            // SAFETY: a `V3` is only made where the instructions were detected.
            unsafe { last_flips::v3(square, own) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Calls `check` with every instruction set that this machine has.
    macro_rules! for_each_cpu {
        ($check:expr) => {{
            $check(Portable)?;
            if let Some(cpu) = V3::detect() {
                $check(cpu)?;
            }
        }};
    }

    /// What turning discs means, square by square along the eight directions.
    fn walked(square: u8, own: u64, opponent: u64) -> u64 {
        let mut flipped = 0;
        for (df, dr) in [
            (1, 0),
            (-1, 0),
            (0, 1),
            (0, -1),
            (1, 1),
            (1, -1),
            (-1, 1),
            (-1, -1),
        ] {
            let (mut file, mut rank) = (i32::from(square % 8) + df, i32::from(square / 8) + dr);
            let mut run = 0;
            while (0..8).contains(&file) && (0..8).contains(&rank) {
                let bit = 1u64 << (rank * 8 + file);
                if opponent & bit == 0 {
                    if own & bit != 0 {
                        flipped |= run;
                    }
                    break;
                }
                run |= bit;
                (file, rank) = (file + df, rank + dr);
            }
        }
        flipped
    }

    fn check<C: Cpu>(cpu: C, own: u64, opponent: u64) -> Result<(), TestCaseError> {
        let mut legal = 0;
        for square in 0..64u8 {
            let bit = 1u64 << square;
            if (own | opponent) & bit == 0 {
                let expected = walked(square, own, opponent);
                prop_assert_eq!(cpu.flips(square, own, opponent), expected, "{}", C::NAME);
                if expected != 0 {
                    legal |= bit;
                }
            }
            let full = !(own | bit);
            let expected = walked(square, own & !bit, full).count_ones();
            prop_assert_eq!(cpu.last_flips(square, own & !bit), expected, "{}", C::NAME);
        }
        prop_assert_eq!(cpu.legal_moves(own, opponent), legal, "{}", C::NAME);
        Ok(())
    }

    proptest! {
        #[test]
        fn every_instruction_set_follows_the_rules(a: u64, b: u64, c: u64) {
            // Evenly mixed, few own discs, few opponent's discs, few empties.
            for (own, opponent) in [(a & !b, b & !a), (a & b & c, !(a & b & c)), (a & !b & c, !a & c), (a | b, !(a | b) & (c | a))] {
                for_each_cpu!(|cpu| check(cpu, own, opponent & !own));
                let sparse = !(a & b & c);
                for_each_cpu!(|cpu| check(cpu, own & sparse, opponent & !own & sparse));
            }
        }
    }
}
