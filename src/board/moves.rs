//! Legal-move generation: parallel-prefix fill in eight directions.
//!
//! A move is an empty square from which a straight run of opponent discs leads to an own disc.

/// Squares on which the owner of `own` may play.
#[inline]
pub fn legal_moves(own: u64, opponent: u64) -> u64 {
    portable(own, opponent)
}

#[inline]
fn portable(own: u64, opponent: u64) -> u64 {
    // Runs along ranks and diagonals never pass the a and h files.
    let inner = opponent & 0x7e7e_7e7e_7e7e_7e7e;
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
