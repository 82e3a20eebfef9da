//! Evaluation by patterns: the sum of one weight per pattern instance, plus weights for the number
//! of moves of each side, with separate weights for nine stages of the game.
//!
//! Weights are whole numbers of an eighth of a disc in one byte each. They are fitted to the final
//! results of games by [`fit`], from positions that rdg itself generates: `scripts/fit-patterns.sh`.

mod contents;
mod file;
pub mod fit;
mod shapes;

use super::explain::Share;
use super::midgame::Errors;
use crate::board::Board;
use crate::board::cpu::Cpu;
use contents::{Sums, contents, sums};
use shapes::{INSTANCES, SHAPES, instances};
use std::sync::{Arc, LazyLock};

/// Stages of the game, each with its own weights.
pub const STAGES: usize = 9;

/// Move counts that have a weight of their own; larger ones share the last.
const MOVE_COUNTS: usize = 32;

/// Weights per disc.
const UNITS_PER_DISC: i32 = 8;

/// The stage of a position: stages are six discs long, but for the first, which ends with 15.
#[inline(always)]
pub(super) const fn stage(discs: u32) -> usize {
    let stage = discs.saturating_sub(10) as usize / 6;
    if stage < STAGES { stage } else { STAGES - 1 }
}

/// Weights of one stage as the search reads them.
#[derive(Clone)]
struct Stage {
    /// Tables of all shapes, one after the other, a weight for every content.
    patterns: Box<[i8]>,
    /// By the number of moves of the side to move.
    own_moves: [i8; MOVE_COUNTS],
    /// By the number of moves of the other side.
    opponent_moves: [i8; MOVE_COUNTS],
}

/// The evaluation; clones share the weights.
#[derive(Clone)]
pub struct Patterns {
    stages: Arc<[Stage]>,
    /// Where each instance's table begins.
    offsets: [u32; INSTANCES],
    sums: &'static Sums,
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
        let own_moves = cpu.legal_moves(board.own, board.opponent).count_ones();
        let opponent_moves = cpu.legal_moves(board.opponent, board.own).count_ones();
        let weights = &self.stages[stage(board.discs())];
        let mut sum = i32::from(weights.own_moves[own_moves as usize % MOVE_COUNTS])
            + i32::from(weights.opponent_moves[opponent_moves as usize % MOVE_COUNTS]);
        let contents = contents(self.sums, board);
        for instance in 0..INSTANCES {
            let at = self.offsets[instance] as usize + usize::from(contents.0[instance]);
            sum += i32::from(weights.patterns[at]);
        }
        sum * super::CENTIDISC / UNITS_PER_DISC
    }
}

impl Patterns {
    /// The stage of a position, from 1, with the number of stages, and what each shape and each
    /// side's number of moves adds to the evaluation.
    pub fn shares(&self, board: Board) -> ((usize, usize), Vec<Share>) {
        let stage = stage(board.discs());
        let weights = &self.stages[stage];
        let discs = |sum: i32| f64::from(sum) / f64::from(UNITS_PER_DISC);
        let contents = contents(self.sums, board);
        let mut sums = [0; SHAPES.len()];
        for (number, instance) in instances().iter().enumerate() {
            let at = self.offsets[number] as usize + usize::from(contents.0[number]);
            sums[instance.shape] += i32::from(weights.patterns[at]);
        }
        let of_shapes = SHAPES.iter().zip(sums).map(|(shape, sum)| Share {
            name: shape.name,
            own: None,
            opponent: None,
            discs: discs(sum),
        });
        let count = |moves: u64| moves.count_ones() as usize;
        let own = count(board.legal_moves());
        let opponent = count(board.passed().legal_moves());
        let of_moves = i32::from(weights.own_moves[own % MOVE_COUNTS])
            + i32::from(weights.opponent_moves[opponent % MOVE_COUNTS]);
        let moves = Share {
            name: "legal moves",
            own: Some(own as f64),
            opponent: Some(opponent as f64),
            discs: discs(of_moves),
        };
        ((stage + 1, STAGES), of_shapes.chain([moves]).collect())
    }
}

/// Where each shape's table begins in a stage, and the length of all of them.
fn table_offsets() -> ([usize; SHAPES.len()], usize) {
    let mut offsets = [0; SHAPES.len()];
    let mut end = 0;
    for (offset, shape) in offsets.iter_mut().zip(&SHAPES) {
        *offset = end;
        end += shape.contents();
    }
    (offsets, end)
}

/// Where each instance's table begins in a stage.
fn instance_offsets() -> [u32; INSTANCES] {
    let (tables, _) = table_offsets();
    let mut offsets = [0; INSTANCES];
    for (offset, instance) in offsets.iter_mut().zip(instances()) {
        *offset = tables[instance.shape] as u32;
    }
    offsets
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

    #[test]
    fn stages_cover_the_game() {
        for (discs, expected) in [(0, 0), (4, 0), (15, 0), (16, 1), (57, 7), (58, 8), (64, 8)] {
            assert_eq!(stage(discs), expected, "{discs} discs");
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
