//! The eight symmetries of the board and the canonical form.

use super::{Board, Square};

/// One of the eight ways to turn and mirror the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symmetry(u8);

impl Symmetry {
    /// All eight; the first is the identity.
    pub const ALL: [Symmetry; 8] = [
        Symmetry(0),
        Symmetry(1),
        Symmetry(2),
        Symmetry(3),
        Symmetry(4),
        Symmetry(5),
        Symmetry(6),
        Symmetry(7),
    ];

    /// The image of a set of squares: transposed first where bit 2 is set, then mirrored left to
    /// right (bit 0) and top to bottom (bit 1).
    #[inline(always)]
    pub const fn apply(self, set: u64) -> u64 {
        let mut set = set;
        if self.0 & 4 != 0 {
            set = transpose(set);
        }
        if self.0 & 1 != 0 {
            set = mirror_files(set);
        }
        if self.0 & 2 != 0 {
            set = set.swap_bytes();
        }
        set
    }

    /// The image of a position.
    #[inline(always)]
    pub const fn apply_board(self, board: Board) -> Board {
        Board {
            own: self.apply(board.own),
            opponent: self.apply(board.opponent),
        }
    }

    /// The image of a square.
    pub const fn apply_square(self, square: Square) -> Square {
        Square::ALL[self.apply(square.bit()).trailing_zeros() as usize]
    }

    /// The symmetry that undoes this one.
    pub const fn inverse(self) -> Symmetry {
        // A transposition swaps the roles of the two mirrors.
        if self.0 & 4 != 0 {
            Symmetry(4 | ((self.0 & 1) << 1) | ((self.0 & 2) >> 1))
        } else {
            self
        }
    }

    /// Whether the start position is its own image. The other four swap the colours of its discs.
    pub const fn keeps_start(self) -> bool {
        self.apply(Board::START.own) == Board::START.own
    }
}

/// Mirrors at the line between the d and e files.
#[inline(always)]
const fn mirror_files(set: u64) -> u64 {
    let set = ((set >> 1) & 0x5555_5555_5555_5555) | ((set & 0x5555_5555_5555_5555) << 1);
    let set = ((set >> 2) & 0x3333_3333_3333_3333) | ((set & 0x3333_3333_3333_3333) << 2);
    ((set >> 4) & 0x0f0f_0f0f_0f0f_0f0f) | ((set & 0x0f0f_0f0f_0f0f_0f0f) << 4)
}

/// Mirrors at the diagonal a1–h8.
#[inline(always)]
const fn transpose(set: u64) -> u64 {
    let t = (set ^ (set >> 7)) & 0x00aa_00aa_00aa_00aa;
    let set = set ^ t ^ (t << 7);
    let t = (set ^ (set >> 14)) & 0x0000_cccc_0000_cccc;
    let set = set ^ t ^ (t << 14);
    let t = (set ^ (set >> 28)) & 0x0000_0000_f0f0_f0f0;
    set ^ t ^ (t << 28)
}

impl Board {
    /// The smallest `(own, opponent)` among the eight images of the position. Two positions have
    /// the same canonical form if and only if a symmetry maps one to the other.
    #[inline]
    pub fn canonical(self) -> Board {
        let (own, opponent) = (self.own, self.opponent);
        let flat = smallest_mirror(own, opponent);
        let transposed = smallest_mirror(transpose(own), transpose(opponent));
        let smallest = flat.min(transposed);
        Board {
            own: (smallest >> 64) as u64,
            opponent: smallest as u64,
        }
    }

    /// The canonical form and a symmetry that leads to it.
    pub fn canonical_with_symmetry(self) -> (Board, Symmetry) {
        let mut best = (self, Symmetry(0));
        for symmetry in Symmetry::ALL {
            let image = symmetry.apply_board(self);
            if image < best.0 {
                best = (image, symmetry);
            }
        }
        best
    }
}

/// Smallest of the four images without transposition, `own` in the high half. As one number each,
/// images are compared without a branch, which could not be predicted.
#[inline(always)]
fn smallest_mirror(own: u64, opponent: u64) -> u128 {
    let number = |own: u64, opponent: u64| u128::from(own) << 64 | u128::from(opponent);
    let both_flips = |own: u64, opponent: u64| {
        number(own, opponent).min(number(own.swap_bytes(), opponent.swap_bytes()))
    };
    both_flips(own, opponent).min(both_flips(mirror_files(own), mirror_files(opponent)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn four_symmetries_keep_the_start_position() {
        let keeping = Symmetry::ALL.iter().filter(|s| s.keeps_start()).count();
        assert_eq!(keeping, 4);
    }

    #[test]
    fn the_eight_images_of_a_lopsided_set_differ() {
        let images: std::collections::BTreeSet<u64> = Symmetry::ALL
            .iter()
            .map(|s| s.apply(0x0000_0000_0000_0106))
            .collect();
        assert_eq!(images.len(), 8);
    }

    proptest! {
        #[test]
        fn inverse_undoes(a: u64) {
            for s in Symmetry::ALL {
                prop_assert_eq!(s.inverse().apply(s.apply(a)), a);
            }
        }

        #[test]
        fn canonical_is_the_smallest_image_and_the_same_for_all(a: u64, b: u64) {
            let board = Board { own: a & !b, opponent: b & !a };
            let smallest = Symmetry::ALL.iter().map(|s| s.apply_board(board)).min().unwrap();
            for s in Symmetry::ALL {
                prop_assert_eq!(s.apply_board(board).canonical(), smallest);
            }
            let (canonical, s) = board.canonical_with_symmetry();
            prop_assert_eq!(canonical, smallest);
            prop_assert_eq!(s.apply_board(board), smallest);
        }

        #[test]
        fn rules_commute_with_symmetries(a: u64, b: u64) {
            let board = Board { own: a & !b, opponent: b & !a };
            for s in Symmetry::ALL {
                prop_assert_eq!(s.apply_board(board).legal_moves(), s.apply(board.legal_moves()));
            }
        }
    }
}
