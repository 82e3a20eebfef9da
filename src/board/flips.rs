//! The discs that a move turns.

/// Discs of `opponent` that are turned when the owner of `own` plays on the empty square `square`
/// (0..=63); 0 when the move is illegal.
#[inline]
pub fn flips(square: u8, own: u64, opponent: u64) -> u64 {
    portable(square, own, opponent)
}

#[inline]
fn portable(square: u8, own: u64, opponent: u64) -> u64 {
    let from = 1u64 << square;
    let inner = opponent & 0x7e7e_7e7e_7e7e_7e7e;
    line::<1>(from, own, inner)
        | line::<8>(from, own, opponent)
        | line::<7>(from, own, inner)
        | line::<9>(from, own, inner)
}

/// Runs of `through` from `from` both ways along one line, kept where an own disc ends them.
#[inline(always)]
fn line<const SHIFT: u32>(from: u64, own: u64, through: u64) -> u64 {
    let mut left = through & (from << SHIFT);
    let mut right = through & (from >> SHIFT);
    left |= through & (left << SHIFT);
    right |= through & (right >> SHIFT);
    let through_left = through & (through << SHIFT);
    let through_right = through & (through >> SHIFT);
    left |= through_left & (left << (2 * SHIFT));
    right |= through_right & (right >> (2 * SHIFT));
    left |= through_left & (left << (2 * SHIFT));
    right |= through_right & (right >> (2 * SHIFT));
    let mut flipped = 0;
    if own & (left << SHIFT) != 0 {
        flipped |= left;
    }
    if own & (right >> SHIFT) != 0 {
        flipped |= right;
    }
    flipped
}

#[cfg(test)]
mod tests {
    use crate::board::{Board, Square, Squares};

    /// Square-by-square walk, as a person would do it.
    fn walked(board: Board, square: Square) -> u64 {
        let mut flipped = 0;
        let (file, rank) = (square.file() as i32, square.rank() as i32);
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
            let (mut f, mut r, mut run) = (file + df, rank + dr, 0u64);
            while (0..8).contains(&f) && (0..8).contains(&r) {
                let bit = 1u64 << (r * 8 + f);
                if board.opponent & bit != 0 {
                    run |= bit;
                } else {
                    if board.own & bit != 0 {
                        flipped |= run;
                    }
                    break;
                }
                (f, r) = (f + df, r + dr);
            }
        }
        flipped
    }

    proptest::proptest! {
        #[test]
        fn flips_and_moves_agree_with_walking(a: u64, b: u64, sparse: u64) {
            for board in [Board { own: a & !b, opponent: b & !a }, Board { own: a & sparse, opponent: !a & sparse }] {
                let mut legal = 0;
                for square in Squares(board.empty()) {
                    let expected = walked(board, square);
                    proptest::prop_assert_eq!(board.flips(square), expected);
                    if expected != 0 {
                        legal |= square.bit();
                    }
                }
                proptest::prop_assert_eq!(board.legal_moves(), legal);
            }
        }
    }
}
