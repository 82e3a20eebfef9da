//! Moves taken back: the positions from which one move leads to a given one.

use super::bitboard::{Board, CENTRE, Squares};

/// Steps to the eight neighbours: columns, rows.
const STEPS: [(i8, i8); 8] = [
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
];

impl Board {
    /// The positions, each seen from its side to move, that one legal move turns into this one. They
    /// need not be reachable from the start of the game.
    pub fn predecessors(self) -> Vec<Board> {
        let mut found = Vec::new();
        // Whoever moved last owns `opponent`; the centre is occupied from the start.
        for square in Squares(self.opponent & !CENTRE) {
            let mut turned = vec![0_u64];
            for step in STEPS {
                let runs = runs(self.opponent, square.index(), step);
                let before = turned.clone();
                turned.extend(
                    runs.iter()
                        .flat_map(|run| before.iter().map(move |set| set | run)),
                );
            }
            for &flipped in turned.iter().filter(|&&set| set != 0) {
                let before = Board {
                    own: self.opponent & !flipped & !square.bit(),
                    opponent: self.own | flipped,
                };
                // A run that could have been turned and was not makes it another move.
                if before.flips(square) == flipped {
                    found.push(before);
                }
            }
        }
        found
    }
}

/// What the move on a square may have turned in one direction: 1, 2, … discs of the mover, with one
/// more behind them that was there before.
fn runs(mover: u64, square: u8, (column, row): (i8, i8)) -> Vec<u64> {
    let (mut x, mut y) = ((square % 8) as i8, (square / 8) as i8);
    let mut runs = Vec::new();
    let mut run = 0;
    loop {
        (x, y) = (x + column, y + row);
        if !(0..8).contains(&x) || !(0..8).contains(&y) {
            return runs;
        }
        let bit = 1_u64 << (y * 8 + x);
        if mover & bit == 0 {
            return runs;
        }
        if run != 0 {
            runs.push(run);
        }
        run |= bit;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Game, Move};
    use std::collections::{BTreeMap, BTreeSet};

    /// Forward and backward are the same relation, over all reachable positions of four plies.
    #[test]
    fn predecessors_are_the_positions_whose_moves_lead_here() {
        let mut floor = BTreeSet::from([Game::new().board()]);
        for _ in 0..5 {
            let mut links: BTreeMap<Board, BTreeSet<Board>> = BTreeMap::new();
            for &board in &floor {
                for square in Squares(board.legal_moves()) {
                    let next = board.play(square).unwrap();
                    links.entry(next).or_default().insert(board);
                }
            }
            for (next, before) in &links {
                let found = next.predecessors();
                let reachable: BTreeSet<Board> = found
                    .iter()
                    .copied()
                    .filter(|b| floor.contains(b))
                    .collect();
                assert_eq!(&reachable, before, "{next:?}");
                // The unreachable ones too have the move.
                for board in &found {
                    assert!(Squares(board.legal_moves()).any(|s| board.play(s) == Some(*next)));
                }
                let different: BTreeSet<&Board> = found.iter().collect();
                assert_eq!(different.len(), found.len());
            }
            floor = links.into_keys().collect();
        }
    }

    /// Long runs and several directions at once, over a whole game.
    #[test]
    fn every_position_of_a_game_has_the_one_before_it() {
        let game = Game::from_move_text(
            "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1f7e2g3h4f1e1f2g1b1f8g8b3h3b2h5b7a3a4a1a2c1h2h1g2b8a8g7h8h7h6",
        )
        .unwrap();
        let mut replay = Game::new();
        for &mv in game.moves() {
            let before = replay.board();
            replay.play(mv).unwrap();
            if mv != Move::Pass {
                assert!(replay.board().predecessors().contains(&before));
            }
        }
    }
}
