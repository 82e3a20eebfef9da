//! The contents of all pattern instances of a position at once.
//!
//! A content is a sum over the discs: digit 1 or 2 times a power of 3 for each. So the board is cut
//! into sixteen pieces of four squares, and for each piece and each of its sixteen subsets the sum
//! for every instance is tabulated: 24 kB in all, added up lane by lane.

use super::shapes::instances;
use crate::board::Board;
use std::sync::LazyLock;

/// Lanes of a row: the instances, filled up to whole vectors.
pub(super) const LANES: usize = 48;

/// One number per instance.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct Lanes(pub(super) [u16; LANES]);

/// Sums by piece (four squares from a1 on) and subset.
pub(super) type Sums = [[Lanes; 16]; 16];

static SUMS: LazyLock<Box<Sums>> = LazyLock::new(|| {
    let mut power_of = vec![[0u16; LANES]; 64];
    for (lane, instance) in instances().iter().enumerate() {
        for (place, square) in instance.squares.iter().enumerate() {
            power_of[usize::from(square.index())][lane] = 3u16.pow(place as u32);
        }
    }
    let mut sums = Box::new([[Lanes([0; LANES]); 16]; 16]);
    for (piece, subsets) in sums.iter_mut().enumerate() {
        for (subset, sum) in subsets.iter_mut().enumerate() {
            for place in (0..4).filter(|place| subset >> place & 1 != 0) {
                for (lane, power) in power_of[4 * piece + place].iter().enumerate() {
                    sum.0[lane] += power;
                }
            }
        }
    }
    sums
});

/// The table, to be fetched once and kept.
pub(super) fn sums() -> &'static Sums {
    &SUMS
}

/// The content of each instance, seen from the side to move. Lanes past the last instance are 0.
#[inline(always)]
pub(super) fn contents(sums: &Sums, board: Board) -> Lanes {
    let mut total = Lanes([0; LANES]);
    for piece in 0..16 {
        let own = &sums[piece][(board.own >> (4 * piece) & 15) as usize].0;
        let opponent = &sums[piece][(board.opponent >> (4 * piece) & 15) as usize].0;
        for lane in 0..LANES {
            let digit_two = opponent[lane].wrapping_add(opponent[lane]);
            total.0[lane] = total.0[lane]
                .wrapping_add(own[lane])
                .wrapping_add(digit_two);
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn contents_are_read_digit_by_digit(a: u64, b: u64) {
            let board = Board { own: a & !b, opponent: b & !a };
            let found = contents(sums(), board);
            for (lane, instance) in instances().iter().enumerate() {
                let mut expected = 0;
                for square in instance.squares.iter().rev() {
                    expected *= 3;
                    expected += u16::from(board.own & square.bit() != 0);
                    expected += 2 * u16::from(board.opponent & square.bit() != 0);
                }
                prop_assert_eq!(found.0[lane], expected);
            }
        }
    }
}
