//! How many positions there are, as far as that is known.

/// Distinct positions per phase (discs − 4), up to the eight symmetries of the board and with the
/// side to move counted, that play from the start position reaches. Exhaustive
/// enumeration; the figures of the dataset generator that this one follows agree up to phase 9.
const DISTINCT_POSITIONS: [u64; 11] = [
    1, 1, 3, 14, 60, 322, 1_773, 10_649, 67_245, 434_029, 2_958_586,
];

/// Distinct positions of `phase` up to symmetry, where the number is known (phases 0 to 10).
pub fn distinct_positions(phase: u8) -> Option<u64> {
    DISTINCT_POSITIONS.get(usize::from(phase)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Squares};
    use std::collections::HashSet;

    /// Plays every move of every position, in every order, which is slow but misses nothing.
    #[test]
    fn shallow_counts_agree_with_a_plain_walk() {
        let mut layer: HashSet<Board> = HashSet::from([Board::START.canonical()]);
        for phase in 0..=7 {
            let count = layer.len() as u64;
            assert_eq!(distinct_positions(phase), Some(count), "phase {phase}");
            let mut next = HashSet::new();
            for &board in &layer {
                let mover = if board.must_pass() {
                    board.passed()
                } else {
                    board
                };
                let moves = Squares(mover.legal_moves());
                next.extend(moves.filter_map(|mv| mover.play(mv)).map(Board::canonical));
            }
            layer = next;
        }
        assert_eq!(distinct_positions(11), None);
        assert_eq!(distinct_positions(60), None);
    }
}
