//! The contents of all pattern instances of a position at once.
//!
//! A content is a sum over the discs: digit 1 or 2 times a power of 3 for each. So the board is cut
//! into sixteen pieces of four squares, and for each piece and each of its sixteen subsets the sum
//! for every instance is tabulated: 24 kB for 48 instances, added up lane by lane.

use super::shapes::Instance;
use crate::board::Board;

/// Lanes of a row: whole vectors, enough for the instances of the standard shapes.
pub(super) const LANES: usize = 48;

/// One number per instance.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct Lanes(pub(super) [u16; LANES]);

/// Sums by piece (four squares from a1 on) and subset.
pub(super) struct Sums([[Lanes; 16]; 16]);

impl Sums {
    /// The table of at most [`LANES`] instances.
    pub(super) fn new(instances: &[Instance]) -> Box<Sums> {
        let mut power_of = vec![[0u16; LANES]; 64];
        for (lane, instance) in instances.iter().enumerate() {
            for (place, square) in instance.squares.iter().enumerate() {
                power_of[usize::from(square.index())][lane] = 3u16.pow(place as u32);
            }
        }
        let mut sums = Box::new(Sums([[Lanes([0; LANES]); 16]; 16]));
        for (piece, subsets) in sums.0.iter_mut().enumerate() {
            for (subset, sum) in subsets.iter_mut().enumerate() {
                for place in (0..4).filter(|place| subset >> place & 1 != 0) {
                    for (lane, power) in power_of[4 * piece + place].iter().enumerate() {
                        sum.0[lane] += power;
                    }
                }
            }
        }
        sums
    }

    /// The content of each instance, seen from the side to move. Lanes past the last instance are 0.
    #[inline(always)]
    pub(super) fn contents(&self, board: Board) -> Lanes {
        let mut total = Lanes([0; LANES]);
        for (piece, subsets) in self.0.iter().enumerate() {
            let own = &subsets[(board.own >> (4 * piece) & 15) as usize].0;
            let opponent = &subsets[(board.opponent >> (4 * piece) & 15) as usize].0;
            for lane in 0..LANES {
                let digit_two = opponent[lane].wrapping_add(opponent[lane]);
                total.0[lane] = total.0[lane]
                    .wrapping_add(own[lane])
                    .wrapping_add(digit_two);
            }
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use super::super::shapes::{instances, standard};
    use super::*;
    use proptest::prelude::*;
    use std::sync::LazyLock;

    static SUMS: LazyLock<(Vec<Instance>, Box<Sums>)> = LazyLock::new(|| {
        let instances = instances(&standard());
        let sums = Sums::new(&instances);
        (instances, sums)
    });

    proptest! {
        #[test]
        fn contents_are_read_digit_by_digit(a: u64, b: u64) {
            let board = Board { own: a & !b, opponent: b & !a };
            let found = SUMS.1.contents(board);
            for (lane, instance) in SUMS.0.iter().enumerate() {
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
