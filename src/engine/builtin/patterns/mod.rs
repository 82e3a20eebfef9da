//! Evaluation by patterns: the sum of one weight per pattern instance, plus weights for the number
//! of moves of each side, with separate weights for each stage of the game.
//!
//! Weights are whole steps of 1/200 disc. They are fitted to the values of positions by
//! [`crate::fit`]; `scripts/builtin-weights.sh` makes the embedded ones.

mod contents;
mod file;
mod layout;
mod shapes;
mod stages;

pub use file::Stored;
pub use layout::Layout;
pub use shapes::{MAX_SHAPES, MAX_SQUARES, Shape, parse_shapes, standard};
pub use stages::{MAX_STAGES, Stages};

use super::explain::Share;
use super::midgame::Errors;
use crate::board::Board;
use crate::board::cpu::Cpu;
use layout::{Block, MOVE_COUNTS, count_of};
use std::sync::{Arc, LazyLock};

/// Steps of weights per disc: two for each hundredth, in which the search counts, so that eighths
/// of a disc, the unit of older files, are whole too.
pub const STEPS_PER_DISC: i32 = 200;

const STEPS_PER_CENTIDISC: i32 = STEPS_PER_DISC / super::CENTIDISC;

/// Stages by which the errors of searches are measured.
pub const STAGES: usize = 9;

/// Instances of the standard shapes: the loop over them is unrolled.
const STANDARD_INSTANCES: usize = 42;

/// The stage by which errors are measured: six discs long, but for the first, which ends with 15.
#[inline(always)]
pub(super) const fn stage(discs: u32) -> usize {
    let stage = discs.saturating_sub(10) as usize / 6;
    if stage < STAGES { stage } else { STAGES - 1 }
}

/// Weights of one stage as the search reads them.
struct Stage {
    /// Tables of all shapes, one after the other, a weight for every content.
    patterns: Box<[i16]>,
    /// By the number of moves of the side to move, and of the other side.
    moves: [[i16; MOVE_COUNTS]; 2],
}

/// The evaluation; clones share the weights.
#[derive(Clone)]
pub struct Patterns {
    stages: Arc<[Stage]>,
    stage_of: Stages,
    layout: Arc<Layout>,
    /// How well shallow searches with these weights foretell deep ones.
    errors: Option<Arc<Errors>>,
}

impl std::fmt::Debug for Patterns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Patterns").finish_non_exhaustive()
    }
}

static EMBEDDED: LazyLock<Patterns> = LazyLock::new(|| {
    let errors = Errors::from_text(include_str!("errors.txt")).expect("a test reads them");
    Patterns::from_bytes(include_bytes!("weights.bin"))
        .expect("a test reads the embedded weights")
        .with_errors(errors)
});

impl Patterns {
    /// Weights for use.
    pub(crate) fn new(stored: &Stored, layout: Layout) -> Patterns {
        let of_stage = |weights: &Vec<i16>| {
            let (patterns, moves) = layout.spread(weights);
            Stage { patterns, moves }
        };
        Patterns {
            stages: stored.weights.iter().map(of_stage).collect(),
            stage_of: stored.stages,
            layout: Arc::new(layout),
            errors: None,
        }
    }

    /// The weights that are part of the program.
    pub fn embedded() -> Patterns {
        EMBEDDED.clone()
    }

    /// The same weights with what was measured of their errors.
    pub fn with_errors(self, errors: Errors) -> Patterns {
        Patterns {
            errors: Some(Arc::new(errors)),
            ..self
        }
    }

    /// How well shallow searches foretell deep ones, if it was measured.
    #[inline(always)]
    pub fn errors(&self) -> Option<&Errors> {
        self.errors.as_deref()
    }

    /// Expected final disc difference in hundredths of a disc, not clamped.
    #[inline(always)]
    pub fn centidiscs<C: Cpu>(&self, cpu: C, board: Board) -> i32 {
        let own_moves = cpu.legal_moves(board.own, board.opponent);
        let opponent_moves = cpu.legal_moves(board.opponent, board.own);
        let weights = &self.stages[self.stage_of.of(board.discs())];
        let mut sum = i32::from(weights.moves[0][count_of(own_moves)])
            + i32::from(weights.moves[1][count_of(opponent_moves)]);
        for block in &self.layout.blocks {
            sum += match block.shapes.len() {
                STANDARD_INSTANCES => weights.sum(block, STANDARD_INSTANCES, board),
                instances => weights.sum(block, instances, board),
            };
        }
        sum / STEPS_PER_CENTIDISC
    }

    /// The stage of a position, from 1, with the number of stages, and what each shape and each
    /// side's number of moves adds to the evaluation.
    pub fn shares(&self, board: Board) -> ((usize, usize), Vec<Share>) {
        let stage = self.stage_of.of(board.discs());
        let weights = &self.stages[stage];
        let discs = |sum: i32| f64::from(sum) / f64::from(STEPS_PER_DISC);
        let shapes = self.layout.shapes();
        let mut sums = vec![0; shapes.len()];
        for block in &self.layout.blocks {
            let contents = block.sums.contents(board);
            for (lane, &shape) in block.shapes.iter().enumerate() {
                let at = block.offsets[lane] as usize + usize::from(contents.0[lane]);
                sums[shape] += i32::from(weights.patterns[at]);
            }
        }
        let of_shapes = shapes.iter().zip(sums).map(|(shape, sum)| Share {
            name: shape.name(),
            own: None,
            opponent: None,
            discs: discs(sum),
        });
        let moves = [board.legal_moves(), board.passed().legal_moves()];
        let of_moves: i32 = weights
            .moves
            .iter()
            .zip(moves)
            .map(|(of_count, moves)| i32::from(of_count[count_of(moves)]))
            .sum();
        let [own, opponent] = moves.map(|moves| Some(f64::from(moves.count_ones())));
        let moves = Share {
            name: "legal moves".to_owned(),
            own,
            opponent,
            discs: discs(of_moves),
        };
        let stages = self.stage_of.number();
        ((stage + 1, stages), of_shapes.chain([moves]).collect())
    }
}

impl Stage {
    /// The weights of a block's first `instances` instances, added up.
    #[inline(always)]
    fn sum(&self, block: &Block, instances: usize, board: Board) -> i32 {
        let contents = block.sums.contents(board);
        let mut sum = 0;
        for lane in 0..instances.min(contents.0.len()) {
            let at = block.offsets[lane] as usize + usize::from(contents.0[lane]);
            sum += i32::from(self.patterns[at]);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::super::midgame::{Deep, MAX_EMPTIES};
    use super::*;
    use crate::board::Symmetry;
    use crate::board::cpu::{Portable, V3, V4};
    use proptest::prelude::*;

    /// If this fails, the weights changed: measure their errors anew with
    /// `cargo run --release --example measure_errors > src/engine/builtin/patterns/errors.txt`.
    #[test]
    fn the_errors_were_measured_with_these_weights() {
        use sha2::{Digest, Sha256};
        let digest: String = Sha256::digest(include_bytes!("weights.bin"))[..8]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let line = format!("# weights {digest}");
        assert!(
            include_str!("errors.txt").lines().any(|l| l == line),
            "{line}"
        );
        let errors = EMBEDDED.errors().expect("measured");
        for stage in 0..STAGES - 1 {
            assert!(
                errors.get(Deep::Plies(stage, 4), 2).is_some(),
                "stage {stage}"
            );
        }
        for empties in 12..=MAX_EMPTIES {
            assert!(
                errors.get(Deep::End(empties), 4).is_some(),
                "{empties} empties"
            );
        }
    }

    proptest! {
        #[test]
        fn every_image_and_every_cpu_agree(a: u64, b: u64, c: u64) {
            let board = Board { own: a & !b & c, opponent: b & !a & c };
            let patterns = Patterns::embedded();
            let score = patterns.centidiscs(Portable, board);
            for symmetry in Symmetry::ALL {
                prop_assert_eq!(patterns.centidiscs(Portable, symmetry.apply_board(board)), score);
            }
            if let Some(cpu) = V3::detect() {
                prop_assert_eq!(patterns.centidiscs(cpu, board), score);
            }
            if let Some(cpu) = V4::detect() {
                prop_assert_eq!(patterns.centidiscs(cpu, board), score);
            }
        }
    }
}
