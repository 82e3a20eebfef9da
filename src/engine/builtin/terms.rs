//! The evaluation as a sum of terms that have names, for people to read.
//!
//! Terms and weights are those of the TurnStone program: weights of squares, mobility as a share,
//! corners, stable discs counted low (only along edges from an own corner), discs. With at most
//! [`ENDGAME_EMPTIES`] empty squares other weights take over, led by the discs.

use crate::board::Board;

/// From this many empty squares downward the endgame weights count.
pub const ENDGAME_EMPTIES: u32 = 12;

/// Weights of the squares a1 … h8: corners are worth most, what gives them away costs.
pub const SQUARE_WEIGHTS: [i32; 64] = [
    120, -20, 20, 5, 5, 20, -20, 120, //
    -20, -40, -5, -5, -5, -5, -40, -20, //
    20, -5, 15, 3, 3, 15, -5, 20, //
    5, -5, 3, 3, 3, 3, -5, 5, //
    5, -5, 3, 3, 3, 3, -5, 5, //
    20, -5, 15, 3, 3, 15, -5, 20, //
    -20, -40, -5, -5, -5, -5, -40, -20, //
    120, -20, 20, 5, 5, 20, -20, 120, //
];

/// The four corner squares.
pub(super) const CORNERS: u64 = 0x8100_0000_0000_0081;

/// One side's share of the evaluation, or the difference between the sides.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Terms {
    /// Sum of the weights of the squares it holds.
    pub square: f64,
    /// 100 × its legal moves / the legal moves of both sides; 0 when nobody has one.
    pub mobility: f64,
    /// Corners it holds.
    pub corners: f64,
    /// Discs on edges in an unbroken run from a corner of its own: these are never turned again.
    pub stable: f64,
    /// Its discs.
    pub discs: f64,
    /// The weighted sum of the terms.
    pub total: f64,
}

/// The evaluation of a position, term by term.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Breakdown {
    /// The side to move.
    pub own: Terms,
    /// The other side.
    pub opponent: Terms,
    /// `own` − `opponent`, term by term.
    pub difference: Terms,
}

/// What one unit of each term adds to the total.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TermWeights {
    /// Per point of square weight.
    pub square: f64,
    /// Per percent of mobility.
    pub mobility: f64,
    /// Per corner.
    pub corners: f64,
    /// Per stable disc.
    pub stable: f64,
    /// Per disc.
    pub discs: f64,
}

impl TermWeights {
    /// The weights that count with `empties` empty squares.
    pub const fn at(empties: u32) -> TermWeights {
        if empties > ENDGAME_EMPTIES {
            TermWeights {
                square: 1.0,
                mobility: 8.0,
                corners: 80.0,
                stable: 12.0,
                discs: 0.5,
            }
        } else {
            TermWeights {
                square: 0.2,
                mobility: 0.0,
                corners: 60.0,
                stable: 20.0,
                discs: 100.0,
            }
        }
    }
}

impl Breakdown {
    /// Evaluates `board`, with `square_weights` for the squares (a1 … h8).
    pub fn new(board: Board, square_weights: &[i32; 64]) -> Breakdown {
        let weights = TermWeights::at(board.empties());
        let moves = [board.legal_moves(), board.passed().legal_moves()].map(u64::count_ones);
        let side = |discs: u64, moves_of_side: u32| {
            let square: i32 = (0..64)
                .filter(|i| discs >> i & 1 != 0)
                .map(|i| square_weights[i])
                .sum();
            let mobility = match moves[0] + moves[1] {
                0 => 0.0,
                both => 100.0 * f64::from(moves_of_side) / f64::from(both),
            };
            let mut terms = Terms {
                square: f64::from(square),
                mobility,
                corners: f64::from((discs & CORNERS).count_ones()),
                stable: f64::from(stable_edge_discs(discs).count_ones()),
                discs: f64::from(discs.count_ones()),
                total: 0.0,
            };
            terms.total = weights.square * terms.square
                + weights.mobility * terms.mobility
                + weights.corners * terms.corners
                + weights.stable * terms.stable
                + weights.discs * terms.discs;
            terms
        };
        let own = side(board.own, moves[0]);
        let opponent = side(board.opponent, moves[1]);
        Breakdown {
            own,
            opponent,
            difference: Terms {
                square: own.square - opponent.square,
                mobility: own.mobility - opponent.mobility,
                corners: own.corners - opponent.corners,
                stable: own.stable - opponent.stable,
                discs: own.discs - opponent.discs,
                total: own.total - opponent.total,
            },
        }
    }
}

/// The discs of one side in unbroken runs along the edges from its own corners, corners included.
/// Stable discs elsewhere are missed; none is counted that can still be turned.
#[inline(always)]
pub(super) fn stable_edge_discs(discs: u64) -> u64 {
    const TOP_AND_BOTTOM: u64 = 0xff00_0000_0000_00ff;
    const LEFT_AND_RIGHT: u64 = 0x8181_8181_8181_8181;
    let corners = discs & CORNERS;
    if corners == 0 {
        return 0;
    }
    let horizontal = discs & TOP_AND_BOTTOM;
    let vertical = discs & LEFT_AND_RIGHT;
    let (mut east, mut west) = (corners, corners);
    let (mut south, mut north) = (corners, corners);
    // The farthest corner is seven steps away. A shift past the end of a rank lands on the other
    // edge file, which is no part of a run: the masks that follow the files forbid it.
    for _ in 0..7 {
        east |= east << 1 & horizontal & !0x0101_0101_0101_0101;
        west |= west >> 1 & horizontal & !0x8080_8080_8080_8080;
        south |= south << 8 & vertical;
        north |= north >> 8 & vertical;
    }
    east | west | south | north
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, Square, Symmetry, parse_position};

    fn set(names: &str) -> u64 {
        names
            .split_whitespace()
            .map(|n| n.parse::<Square>().expect("a square").bit())
            .sum()
    }

    #[test]
    fn weights_are_symmetric() {
        for symmetry in Symmetry::ALL {
            for square in Square::ALL {
                let image = symmetry.apply_square(square);
                assert_eq!(
                    SQUARE_WEIGHTS[usize::from(square.index())],
                    SQUARE_WEIGHTS[usize::from(image.index())],
                    "{square} and {image}"
                );
            }
        }
    }

    #[test]
    fn only_runs_from_an_own_corner_are_stable() {
        for (discs, stable) in [
            ("", ""),
            ("b1 c1 d1", ""),
            ("a1", "a1"),
            ("a1 b1 c1 e1", "a1 b1 c1"),
            ("h1 h2 h3 g2 g1", "h1 h2 h3 g1"),
            ("a8 a7 b8 b7 d8", "a8 a7 b8"),
            ("h8 a1", "h8 a1"),
            // The end of one rank and the start of the next are no neighbours.
            ("h1 a2", "h1"),
            ("a8 h7", "a8"),
            ("a1 b1 c1 d1 e1 f1 g1 h1 h2", "a1 b1 c1 d1 e1 f1 g1 h1 h2"),
        ] {
            assert_eq!(stable_edge_discs(set(discs)), set(stable), "{discs}");
        }
    }

    #[test]
    fn the_sides_swap_with_the_side_to_move() {
        let (board, color) =
            parse_position("XXXXX---OOX---O-OOXXX---OOXXXO--OOXXOO--O-XOOO-----XO----------- X")
                .expect("a position");
        assert_eq!(color, Color::Black);
        let (mine, yours) = (
            Breakdown::new(board, &SQUARE_WEIGHTS),
            Breakdown::new(board.passed(), &SQUARE_WEIGHTS),
        );
        assert_eq!((mine.own, mine.opponent), (yours.opponent, yours.own));
        assert_eq!(mine.difference.total, -yours.difference.total);
    }

    #[test]
    fn start_position_is_even() {
        let start = Breakdown::new(Board::START, &SQUARE_WEIGHTS);
        assert_eq!(start.difference, Terms::default());
        assert_eq!(start.own.mobility, 50.0);
        assert_eq!(start.own.discs, 2.0);
    }

    #[test]
    fn a_game_that_is_over_has_no_mobility() {
        let board = Board {
            own: 0x1fff,
            opponent: 0,
        };
        assert_eq!(Breakdown::new(board, &SQUARE_WEIGHTS).own.mobility, 0.0);
    }
}
