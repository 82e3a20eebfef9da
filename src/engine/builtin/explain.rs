//! The evaluation of one position taken apart, for people to read.

use super::terms::{Breakdown, TermWeights, Terms};
use super::weights::{CENTIDISC, Evaluation, POINTS_PER_DISC};
use crate::board::Board;
use crate::board::cpu::Portable;

/// What an evaluation says of a position, and what it comes from.
#[derive(Clone, PartialEq, Debug)]
pub struct Explanation {
    /// `patterns`, `terms` or `square_weights`.
    pub kind: &'static str,
    /// The stage of the game whose weights count, from 1, and how many there are; `None` where the
    /// same weights count throughout.
    pub stage: Option<(usize, usize)>,
    /// What adds up to `discs`.
    pub shares: Vec<Share>,
    /// Expected final disc difference for the side to move, as the search uses it: rounded, and
    /// never beyond ± 64.
    pub discs: f64,
}

/// A part of the evaluation.
#[derive(Clone, PartialEq, Debug)]
pub struct Share {
    /// What is looked at.
    pub name: String,
    /// What the side to move has of it, where it belongs to one side.
    pub own: Option<f64>,
    /// What the other side has of it.
    pub opponent: Option<f64>,
    /// What it adds, in discs for the side to move.
    pub discs: f64,
}

impl Evaluation {
    /// Takes the evaluation of a position apart.
    pub fn explain(&self, board: Board) -> Explanation {
        let discs = f64::from(self.centidiscs(Portable, board)) / f64::from(CENTIDISC);
        let (kind, stage, shares) = match self {
            Evaluation::Patterns(patterns) => {
                let (stage, shares) = patterns.shares(board);
                ("patterns", Some(stage), shares)
            }
            Evaluation::Turnstone(_) => ("terms", None, terms(board, &self.breakdown(board))),
            Evaluation::SquareWeights(_) => {
                let of = self.breakdown(board);
                let share = Share {
                    name: "weights of the squares".to_owned(),
                    own: Some(of.own.square),
                    opponent: Some(of.opponent.square),
                    discs,
                };
                ("square_weights", None, vec![share])
            }
        };
        Explanation {
            kind,
            stage,
            shares,
            discs,
        }
    }
}

fn terms(board: Board, of: &Breakdown) -> Vec<Share> {
    let weights = TermWeights::at(board.empties());
    let points_per_disc = if board.empties() > super::ENDGAME_EMPTIES {
        f64::from(POINTS_PER_DISC)
    } else {
        100.0
    };
    type Pick = fn(&Terms) -> f64;
    let rows: [(&'static str, Pick, f64); 5] = [
        ("squares", |t| t.square, weights.square),
        ("mobility %", |t| t.mobility, weights.mobility),
        ("corners", |t| t.corners, weights.corners),
        ("stable discs", |t| t.stable, weights.stable),
        ("discs", |t| t.discs, weights.discs),
    ];
    rows.into_iter()
        .map(|(name, pick, weight)| Share {
            name: name.to_owned(),
            own: Some(pick(&of.own)),
            opponent: Some(pick(&of.opponent)),
            discs: weight * pick(&of.difference) / points_per_disc,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::SQUARE_WEIGHTS;
    use super::*;
    use crate::board::{Squares, Symmetry};

    #[test]
    fn shares_add_up_to_what_the_search_uses() {
        for evaluation in [
            Evaluation::default(),
            Evaluation::turnstone(),
            Evaluation::square_weights(SQUARE_WEIGHTS),
        ] {
            let mut board = Board::START;
            for ply in 0..50 {
                let found = evaluation.explain(board);
                let sum: f64 = found.shares.iter().map(|share| share.discs).sum();
                let sum = sum.clamp(-64.0, 64.0);
                assert!((sum - found.discs).abs() < 0.05, "{sum} in {found:?}");
                let image = evaluation.explain(Symmetry::ALL[5].apply_board(board));
                assert_eq!(image, found);
                let legal = board.legal_moves();
                let nth = ply * 7 % legal.count_ones().max(1) as usize;
                board = match Squares(legal).nth(nth) {
                    Some(square) => board.after(square, board.flips(square)),
                    None => board.passed(),
                };
            }
        }
    }
}
