//! Legal-move generation: parallel-prefix fill in eight directions.
//!
//! A move is an empty square from which a straight run of opponent discs leads to an own disc.

use super::cpu::{Cpu, V3};

/// Runs along ranks and diagonals never pass the a and h files.
const INNER_FILES: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// Squares on which the owner of `own` may play.
#[inline(always)]
pub(super) fn legal_moves(own: u64, opponent: u64) -> u64 {
    if let Some(cpu) = V3::detect() {
        return cpu.legal_moves(own, opponent);
    }
    portable(own, opponent)
}

/// Four lines, one after the other.
#[inline(always)]
pub(super) fn portable(own: u64, opponent: u64) -> u64 {
    let inner = opponent & INNER_FILES;
    let candidates = towards::<1>(own, inner)
        | towards::<8>(own, opponent)
        | towards::<7>(own, inner)
        | towards::<9>(own, inner);
    candidates & !(own | opponent)
}

/// Squares just behind a run of `through` that starts next to `own`, both ways along one line.
#[inline(always)]
fn towards<const SHIFT: u32>(own: u64, through: u64) -> u64 {
    let mut left = through & (own << SHIFT);
    let mut right = through & (own >> SHIFT);
    left |= through & (left << SHIFT);
    right |= through & (right >> SHIFT);
    let through_left = through & (through << SHIFT);
    let through_right = through & (through >> SHIFT);
    left |= through_left & (left << (2 * SHIFT));
    right |= through_right & (right >> (2 * SHIFT));
    left |= through_left & (left << (2 * SHIFT));
    right |= through_right & (right >> (2 * SHIFT));
    (left << SHIFT) | (right >> SHIFT)
}

/// The same, the four lines side by side in the lanes of one vector.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn v3(own: u64, opponent: u64) -> u64 {
    use std::arch::x86_64::*;
    let step = _mm256_set_epi64x(9, 7, 8, 1);
    let two_steps = _mm256_add_epi64(step, step);
    let inner = INNER_FILES as i64;
    let own4 = _mm256_set1_epi64x(own as i64);
    let through = _mm256_and_si256(
        _mm256_set1_epi64x(opponent as i64),
        _mm256_set_epi64x(inner, inner, -1, inner),
    );
    let mut left = _mm256_and_si256(through, _mm256_sllv_epi64(own4, step));
    let mut right = _mm256_and_si256(through, _mm256_srlv_epi64(own4, step));
    left = _mm256_or_si256(
        left,
        _mm256_and_si256(through, _mm256_sllv_epi64(left, step)),
    );
    right = _mm256_or_si256(
        right,
        _mm256_and_si256(through, _mm256_srlv_epi64(right, step)),
    );
    let through_left = _mm256_and_si256(through, _mm256_sllv_epi64(through, step));
    let through_right = _mm256_srlv_epi64(through_left, step);
    for _ in 0..2 {
        left = _mm256_or_si256(
            left,
            _mm256_and_si256(through_left, _mm256_sllv_epi64(left, two_steps)),
        );
        right = _mm256_or_si256(
            right,
            _mm256_and_si256(through_right, _mm256_srlv_epi64(right, two_steps)),
        );
    }
    let ends = _mm256_or_si256(
        _mm256_sllv_epi64(left, step),
        _mm256_srlv_epi64(right, step),
    );
    super::cpu::or_lanes(ends) & !(own | opponent)
}
