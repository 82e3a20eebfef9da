//! Counting move sequences, the standard check of move generation.

use super::{Board, Squares};

/// Number of move sequences of `depth` plies from `board`; a pass is a ply, and a game that is
/// over counts as one leaf.
pub fn perft(board: Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = board.legal_moves();
    if moves == 0 {
        let passed = board.passed();
        return if passed.legal_moves() == 0 {
            1
        } else {
            perft(passed, depth - 1)
        };
    }
    if depth == 1 {
        return u64::from(moves.count_ones());
    }
    Squares(moves)
        .map(|square| perft(board.after(square, board.flips(square)), depth - 1))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_numbers() {
        // Widely published values, a pass counting as a ply.
        let expected = [4, 12, 56, 244, 1396, 8200, 55092, 390_216, 3_005_288];
        for (depth, nodes) in (1..).zip(expected) {
            assert_eq!(perft(Board::START, depth), nodes, "depth {depth}");
        }
    }
}
