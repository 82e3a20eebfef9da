//! The levels of x86-64 that are worth code of their own.

use super::Cpu;
use crate::board::{flips, last_flips, moves};
use std::arch::x86_64::*;
use std::sync::atomic::{AtomicU8, Ordering};

const UNKNOWN: u8 = 0;
const ABSENT: u8 = 1;
const PRESENT: u8 = 2;

macro_rules! level {
    (
        $(#[$doc:meta])* $type:ident = $name:literal, needs $features:literal [$($feature:tt)*];
        $flips:path, $last_flips:path
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $type(());

        impl $type {
            /// The proof that this machine has the instructions, or `None`.
            #[inline(always)]
            pub fn detect() -> Option<$type> {
                static DETECTED: AtomicU8 = AtomicU8::new(UNKNOWN);

                #[cold]
                fn ask() -> Option<$type> {
                    let present = true $(&& is_x86_feature_detected!($feature))*;
                    DETECTED.store(if present { PRESENT } else { ABSENT }, Ordering::Relaxed);
                    present.then_some($type(()))
                }

                match DETECTED.load(Ordering::Relaxed) {
                    PRESENT => Some($type(())),
                    ABSENT => None,
                    _ => ask(),
                }
            }
        }

        impl Cpu for $type {
            const NAME: &'static str = $name;

            #[inline(always)]
            fn run<R>(self, work: impl FnOnce() -> R) -> R {
                #[target_feature(enable = $features)]
                fn compiled<R>(work: impl FnOnce() -> R) -> R {
                    work()
                }
                // SAFETY: the value is only made where the instructions were detected.
                unsafe { compiled(work) }
            }

            #[inline(always)]
            fn legal_moves(self, own: u64, opponent: u64) -> u64 {
                // SAFETY: the value is only made where the instructions were detected.
                unsafe { moves::v3(own, opponent) }
            }

            #[inline(always)]
            fn flips(self, square: u8, own: u64, opponent: u64) -> u64 {
                // SAFETY: the value is only made where the instructions were detected.
                unsafe { $flips(square, own, opponent) }
            }

            #[inline(always)]
            fn last_flips(self, square: u8, own: u64) -> u32 {
                // SAFETY: the value is only made where the instructions were detected.
                unsafe { $last_flips(square, own) }
            }
        }
    };
}

level! {
    /// AVX2, BMI1, BMI2, LZCNT and POPCNT: x86 machines since about 2013 (Intel) and 2015 (AMD).
    V3 = "x86-64-v3", needs "avx2,bmi1,bmi2,lzcnt,popcnt"
        ["avx2" "bmi1" "bmi2" "lzcnt" "popcnt"];
    flips::v3, last_flips::v3
}

level! {
    /// What [`V3`] has, and of AVX-512 the parts F, CD and VL: servers since 2017 (Intel), all AMD
    /// machines since 2022. Vectors stay 256 bits wide.
    V4 = "x86-64-v4", needs "avx512f,avx512cd,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt"
        ["avx512f" "avx512cd" "avx512vl" "avx2" "bmi1" "bmi2" "lzcnt" "popcnt"];
    flips::v4, last_flips::v4
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
