//! The discs that a move turns.

use super::cpu::{Cpu, V3};

/// Discs of `opponent` that are turned when the owner of `own` plays on the empty square `square`
/// (0..=63); 0 when the move is illegal.
#[inline(always)]
pub(super) fn flips(square: u8, own: u64, opponent: u64) -> u64 {
    if let Some(cpu) = V3::detect() {
        return cpu.flips(square, own, opponent);
    }
    portable(square, own, opponent)
}

/// Runs from the square along four lines, one after the other.
#[inline(always)]
pub(super) fn portable(square: u8, own: u64, opponent: u64) -> u64 {
    let rays = &RAYS[usize::from(square & 63)];
    let mut flipped = 0;
    for lane in 0..4 {
        // Squares of the ray that stop a run; the nearest decides.
        let up = rays.up[lane];
        let stop = !opponent & up;
        let nearest = stop & stop.wrapping_neg();
        let outflank = nearest & own;
        flipped |= outflank.wrapping_sub(u64::from(outflank != 0)) & up;
        let down = rays.down[lane];
        let stop = (!opponent & down) | 1;
        let nearest = (1 << 63) >> stop.leading_zeros();
        let outflank = nearest & own & down;
        flipped |= (outflank.wrapping_neg() << 1) & down;
    }
    flipped
}

/// The same, the four lines side by side in the lanes of a vector, for each of the two ways.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn v3(square: u8, own: u64, opponent: u64) -> u64 {
    use std::arch::x86_64::*;
    let rays = &RAYS[usize::from(square & 63)];
    // SAFETY: both are aligned to 32 bytes and hold four lanes.
    let (up, down) = unsafe {
        (
            _mm256_load_si256(rays.up.as_ptr().cast()),
            _mm256_load_si256(rays.down.as_ptr().cast()),
        )
    };
    let own = _mm256_set1_epi64x(own as i64);
    let opponent = _mm256_set1_epi64x(opponent as i64);
    let ones = _mm256_set1_epi64x(-1);
    let zero = _mm256_setzero_si256();

    // Upward: with every square that is no stop set, adding one carries to the nearest stop.
    let passable = _mm256_or_si256(_mm256_andnot_si256(up, ones), opponent);
    let carried = _mm256_sub_epi64(passable, ones);
    let outflank = _mm256_and_si256(_mm256_and_si256(carried, own), up);
    let nothing = _mm256_cmpeq_epi64(outflank, zero);
    let below = _mm256_add_epi64(outflank, ones);
    let flipped_up = _mm256_and_si256(_mm256_andnot_si256(nothing, below), up);

    // Downward: smear the stops towards the end of the ray; the nearest has none above it.
    let step = _mm256_set_epi64x(9, 7, 8, 1);
    let stops = _mm256_andnot_si256(opponent, down);
    let mut smeared = _mm256_or_si256(stops, _mm256_srlv_epi64(stops, step));
    let two = _mm256_add_epi64(step, step);
    smeared = _mm256_or_si256(smeared, _mm256_srlv_epi64(smeared, two));
    smeared = _mm256_or_si256(
        smeared,
        _mm256_srlv_epi64(smeared, _mm256_add_epi64(two, two)),
    );
    let nearest = _mm256_andnot_si256(_mm256_srlv_epi64(smeared, step), stops);
    let outflank = _mm256_and_si256(nearest, own);
    let above = _mm256_slli_epi64(_mm256_sub_epi64(zero, outflank), 1);
    let flipped_down = _mm256_and_si256(above, down);

    super::cpu::or_lanes(_mm256_or_si256(flipped_up, flipped_down))
}

/// The same with AVX-512, which counts leading zeros in each lane, so that the nearest stop needs no
/// smearing in either way.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f,avx512cd,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn v4(square: u8, own: u64, opponent: u64) -> u64 {
    use std::arch::x86_64::*;
    let rays = &RAYS[usize::from(square & 63)];
    // SAFETY: both are aligned to 32 bytes and hold four lanes.
    let (up, down) = unsafe {
        (
            _mm256_load_si256(rays.up.as_ptr().cast()),
            _mm256_load_si256(rays.down.as_ptr().cast()),
        )
    };
    let own = _mm256_set1_epi64x(own as i64);
    let opponent = _mm256_set1_epi64x(opponent as i64);
    let ones = _mm256_set1_epi64x(-1);
    let zero = _mm256_setzero_si256();

    // Upward: the lowest stop; if it is an own disc, everything of the ray below it is turned.
    let stops = _mm256_andnot_si256(opponent, up);
    let nearest = _mm256_and_si256(stops, _mm256_sub_epi64(zero, stops));
    let outflanked = _mm256_test_epi64_mask(nearest, own);
    let below = _mm256_maskz_add_epi64(outflanked, nearest, ones);
    let flipped_up = _mm256_and_si256(below, up);

    // Downward: the highest stop.
    let stops = _mm256_andnot_si256(opponent, down);
    let highest = _mm256_set1_epi64x(i64::MIN);
    let nearest = _mm256_srlv_epi64(highest, _mm256_lzcnt_epi64(stops));
    let outflank = _mm256_and_si256(nearest, own);
    let above = _mm256_slli_epi64(_mm256_sub_epi64(zero, outflank), 1);
    let flipped_down = _mm256_and_si256(above, down);

    super::cpu::or_lanes(_mm256_or_si256(flipped_up, flipped_down))
}

/// The squares seen from one square along four lines, the square itself left out. Lanes: rank,
/// file, the diagonal of step 7, the diagonal of step 9.
#[repr(align(64))]
struct Rays {
    /// Towards higher indices.
    up: [u64; 4],
    /// Towards lower indices.
    down: [u64; 4],
}

static RAYS: [Rays; 64] = {
    let mut all = [const {
        Rays {
            up: [0; 4],
            down: [0; 4],
        }
    }; 64];
    let mut square = 0;
    while square < 64 {
        let mut lane = 0;
        while lane < 4 {
            let (df, dr) = [(1, 0), (0, 1), (-1, 1), (1, 1)][lane];
            all[square].up[lane] = ray(square as i32, df, dr);
            all[square].down[lane] = ray(square as i32, -df, -dr);
            lane += 1;
        }
        square += 1;
    }
    all
};

const fn ray(square: i32, df: i32, dr: i32) -> u64 {
    let (mut file, mut rank) = (square % 8 + df, square / 8 + dr);
    let mut set = 0;
    while 0 <= file && file < 8 && 0 <= rank && rank < 8 {
        set |= 1 << (rank * 8 + file);
        file += df;
        rank += dr;
    }
    set
}
