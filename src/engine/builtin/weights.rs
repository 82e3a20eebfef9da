//! The evaluations that the search can use, and how one is read from a file.

use super::midgame::Errors;
use super::patterns::Patterns;
use super::terms::{Breakdown, CORNERS, ENDGAME_EMPTIES, SQUARE_WEIGHTS, stable_edge_discs};
use super::weight_file::{read_weight_file, whole_weights};
use crate::board::Board;
use crate::board::cpu::Cpu;
use std::path::Path;

/// Scores inside the search are in hundredths of a disc.
pub const CENTIDISC: i32 = 100;

/// The largest score, 64 discs.
pub const MAX_CENTIDISCS: i32 = 64 * CENTIDISC;

/// A static evaluation: what the final disc difference is expected to be.
#[derive(Clone, Debug)]
pub enum Evaluation {
    /// Patterns of squares, fitted to the results of games.
    Patterns(Patterns),
    /// The named terms of [`Breakdown`].
    Turnstone(SquareSums),
    /// The sum of 64 square weights alone, as learned by temporal differences, divided by the sum
    /// of their absolute values: a side that holds every good square, and nothing bad, has 64 discs.
    SquareWeights(SquareSums),
}

impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation::Patterns(Patterns::embedded())
    }
}

impl Evaluation {
    /// The named terms with their own square weights.
    pub fn turnstone() -> Evaluation {
        Evaluation::Turnstone(SquareSums::new(SQUARE_WEIGHTS))
    }

    /// The evaluation by these 64 weights, a1 … h8.
    pub fn square_weights(weights: [i32; 64]) -> Evaluation {
        Evaluation::SquareWeights(SquareSums::new(weights))
    }

    /// Reads an evaluation from a file, whose content tells its kind: eight lines of eight numbers
    /// are square weights, a file that begins with the word `RDGPATTERN` holds pattern weights.
    ///
    /// # Errors
    /// One sentence that names the file, says what is wrong and what it should hold.
    pub fn from_file(path: &Path) -> Result<Evaluation, String> {
        if let Some(patterns) = Patterns::from_file(path)? {
            return Ok(Evaluation::Patterns(patterns));
        }
        let weights = read_weight_file(path)?;
        Ok(Evaluation::square_weights(whole_weights(&weights)))
    }

    /// Expected final disc difference for the side to move, in hundredths of a disc, within
    /// ±[`MAX_CENTIDISCS`]. The same for all symmetric images if the square weights are symmetric.
    /// Patterns know whose move it is; the others are negated when the sides are swapped.
    #[inline(always)]
    pub fn centidiscs<C: Cpu>(&self, cpu: C, board: Board) -> i32 {
        let score = match self {
            Evaluation::Patterns(patterns) => patterns.centidiscs(cpu, board),
            Evaluation::Turnstone(sums) => turnstone(cpu, board, sums),
            Evaluation::SquareWeights(sums) => {
                let difference = i64::from(sums.difference(board));
                (difference * i64::from(MAX_CENTIDISCS) / i64::from(sums.absolute)) as i32
            }
        };
        score.clamp(-MAX_CENTIDISCS, MAX_CENTIDISCS)
    }

    /// How well its shallow searches foretell its deep ones, if that was measured. Without it,
    /// nothing is pruned by it.
    #[inline(always)]
    pub fn errors(&self) -> Option<&Errors> {
        match self {
            Evaluation::Patterns(patterns) => patterns.errors(),
            _ => None,
        }
    }

    /// The named terms of a position, with this evaluation's square weights if it has any.
    pub fn breakdown(&self, board: Board) -> Breakdown {
        match self {
            Evaluation::Patterns(_) => Breakdown::new(board, &SQUARE_WEIGHTS),
            Evaluation::Turnstone(sums) | Evaluation::SquareWeights(sums) => {
                Breakdown::new(board, &sums.weights)
            }
        }
    }
}

/// Points of the middle-game total that are worth one disc of the final result.
pub(super) const POINTS_PER_DISC: i32 = 40;

/// The total of [`Breakdown`] in whole numbers, scaled to hundredths of a disc.
#[inline(always)]
fn turnstone<C: Cpu>(cpu: C, board: Board, sums: &SquareSums) -> i32 {
    let square = sums.difference(board);
    let count = |set: u64| set.count_ones() as i32;
    let discs = count(board.own) - count(board.opponent);
    let (mut corners, mut stable) = (0, 0);
    if board.occupied() & CORNERS != 0 {
        corners = count(board.own & CORNERS) - count(board.opponent & CORNERS);
        stable = count(stable_edge_discs(board.own)) - count(stable_edge_discs(board.opponent));
    }
    if board.empties() > ENDGAME_EMPTIES {
        let own_moves = count(cpu.legal_moves(board.own, board.opponent));
        let opponent_moves = count(cpu.legal_moves(board.opponent, board.own));
        let both = (own_moves + opponent_moves).max(1);
        // Twice the total, so that half points of the discs stay whole.
        let doubled = 2 * square
            + 2 * 8 * 100 * (own_moves - opponent_moves) / both
            + 2 * 80 * corners
            + 2 * 12 * stable
            + discs;
        doubled * CENTIDISC / (2 * POINTS_PER_DISC)
    } else {
        // Five times the total, so that fifths of the squares stay whole.
        (square + 5 * 60 * corners + 5 * 20 * stable + 5 * 100 * discs) / 5
    }
}

/// Sums of square weights over sets of squares, by table.
#[derive(Clone, Debug)]
pub struct SquareSums {
    weights: [i32; 64],
    /// Sum of the absolute weights, at least 1.
    absolute: i32,
    /// For each rank, the sum of the weights in each of its 256 subsets.
    by_rank: Box<[[i32; 256]; 8]>,
}

impl SquareSums {
    /// The largest absolute weight: 64 of them still fit every sum.
    pub const MAX_WEIGHT: i32 = 1_000_000;

    /// Tables for these weights, which are brought within ±[`SquareSums::MAX_WEIGHT`].
    pub fn new(weights: [i32; 64]) -> SquareSums {
        let weights = weights.map(|w| w.clamp(-Self::MAX_WEIGHT, Self::MAX_WEIGHT));
        let mut by_rank = Box::new([[0; 256]; 8]);
        for (rank, sums) in by_rank.iter_mut().enumerate() {
            for (subset, sum) in sums.iter_mut().enumerate() {
                *sum = (0..8)
                    .filter(|file| subset >> file & 1 != 0)
                    .map(|file| weights[rank * 8 + file])
                    .sum();
            }
        }
        SquareSums {
            weights,
            absolute: weights.iter().map(|w| w.abs()).sum::<i32>().max(1),
            by_rank,
        }
    }

    /// Sum over the own discs − sum over the opponent's.
    #[inline(always)]
    fn difference(&self, board: Board) -> i32 {
        let (own, opponent) = (board.own.to_le_bytes(), board.opponent.to_le_bytes());
        let mut sum = 0;
        for (rank, sums) in self.by_rank.iter().enumerate() {
            sum += sums[usize::from(own[rank])] - sums[usize::from(opponent[rank])];
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::cpu::Portable;
    use crate::board::{Squares, Symmetry};
    use proptest::prelude::*;

    /// Positions as play makes them: `plies` moves, each picked by one number.
    fn played(picks: &[u8]) -> Board {
        let mut board = Board::START;
        for &pick in picks {
            if board.must_pass() {
                board = board.passed();
            }
            let moves = board.legal_moves();
            if moves == 0 {
                break;
            }
            let nth = usize::from(pick) % moves.count_ones() as usize;
            let square = Squares(moves).nth(nth).expect("counted");
            board = board.after(square, board.flips(square));
        }
        board
    }

    proptest! {
        #[test]
        fn whole_numbers_follow_the_named_terms(picks in prop::collection::vec(any::<u8>(), 0..60)) {
            let board = played(&picks);
            let evaluation = Evaluation::turnstone();
            let total = evaluation.breakdown(board).difference.total;
            let scale = if board.empties() > ENDGAME_EMPTIES { 100.0 / f64::from(POINTS_PER_DISC) } else { 1.0 };
            let expected = (total * scale).clamp(-6400.0, 6400.0);
            let got = f64::from(evaluation.centidiscs(Portable, board));
            // Whole-number divisions lose less than three hundredths of a disc.
            prop_assert!((got - expected).abs() <= 3.0, "{got} and {expected}");
        }

        #[test]
        fn symmetric_and_antisymmetric(picks in prop::collection::vec(any::<u8>(), 0..60)) {
            let board = played(&picks);
            let evaluation = Evaluation::turnstone();
            let score = evaluation.centidiscs(Portable, board);
            prop_assert_eq!(evaluation.centidiscs(Portable, board.passed()), -score);
            for symmetry in Symmetry::ALL {
                prop_assert_eq!(evaluation.centidiscs(Portable, symmetry.apply_board(board)), score);
            }
        }
    }

    #[test]
    fn extreme_weights_stay_within_sixty_four_discs() {
        for weights in [[SquareSums::MAX_WEIGHT; 64], [i32::MIN; 64], [0; 64]] {
            let evaluation = Evaluation::square_weights(weights);
            let all = Board {
                own: u64::MAX,
                opponent: 0,
            };
            assert!(evaluation.centidiscs(Portable, all).abs() <= MAX_CENTIDISCS);
        }
    }
}
