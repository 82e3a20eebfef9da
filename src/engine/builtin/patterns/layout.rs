//! Where everything stands: which weights a position takes part in, and in which order weights are
//! stored.

use super::contents::{LANES, Sums};
use super::shapes::{Instance, Shape, instances};
use crate::board::Board;

/// Move counts that have a weight of their own; larger ones share the last.
pub(super) const MOVE_COUNTS: usize = 32;

/// Shapes with all that follows from them.
pub struct Layout {
    shapes: Vec<Shape>,
    /// For each content of each shape, shape after shape, the number of its stored weight.
    number_of: Vec<u32>,
    /// Stored weights of the patterns; those by own moves follow, then those by the opponent's.
    moves_at: usize,
    pub(super) blocks: Vec<Block>,
}

/// As many instances as fit one row of sums.
pub(super) struct Block {
    pub(super) sums: Box<Sums>,
    /// Where each instance's table of contents begins.
    pub(super) offsets: [u32; LANES],
    /// The shape of each instance.
    pub(super) shapes: Vec<usize>,
}

impl Block {
    fn new(part: &[Instance], tables: &[usize]) -> Block {
        let mut offsets = [0; LANES];
        for (offset, instance) in offsets.iter_mut().zip(part) {
            *offset = tables[instance.shape] as u32;
        }
        Block {
            sums: Sums::new(part),
            offsets,
            shapes: part.iter().map(|instance| instance.shape).collect(),
        }
    }
}

impl Layout {
    /// For these shapes.
    pub fn new(shapes: Vec<Shape>) -> Layout {
        let (mut number_of, mut tables, mut length) = (Vec::new(), Vec::new(), 0);
        for shape in &shapes {
            tables.push(number_of.len());
            let (numbers, count) = shape.weight_numbers();
            number_of.extend(numbers.iter().map(|n| n + length as u32));
            length += count;
        }
        let instances = instances(&shapes);
        let blocks = instances.chunks(LANES);
        Layout {
            number_of,
            moves_at: length,
            blocks: blocks.map(|part| Block::new(part, &tables)).collect(),
            shapes,
        }
    }

    /// The shapes.
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// Stored weights of a stage.
    pub fn weights(&self) -> usize {
        self.moves_at + 2 * MOVE_COUNTS
    }

    /// Weights that take part in one position.
    pub fn features(&self) -> usize {
        let instances = self.blocks.iter().map(|block| block.shapes.len());
        instances.sum::<usize>() + 2
    }

    /// The numbers of the stored weights that add up to a position's value, into the first
    /// [`Layout::features`] places of `into`.
    #[inline]
    pub fn fill(&self, board: Board, into: &mut [u32]) {
        let mut places = into.iter_mut();
        for block in &self.blocks {
            let contents = block.sums.contents(board);
            for (lane, place) in (0..block.shapes.len()).zip(places.by_ref()) {
                let at = block.offsets[lane] as usize + usize::from(contents.0[lane]);
                *place = self.number_of[at];
            }
        }
        let moves = [board.legal_moves(), board.passed().legal_moves()];
        for ((side, moves), place) in moves.into_iter().enumerate().zip(places) {
            *place = (self.moves_at + side * MOVE_COUNTS + count_of(moves)) as u32;
        }
    }

    /// Stored weights as the search reads them: one for every content, then by moves.
    pub(super) fn spread<T: Copy>(&self, stored: &[T]) -> (Box<[T]>, [[T; MOVE_COUNTS]; 2]) {
        let of = |&number: &u32| stored[number as usize];
        let moves = |at: usize| std::array::from_fn(|count| stored[at + count]);
        (
            self.number_of.iter().map(of).collect(),
            [moves(self.moves_at), moves(self.moves_at + MOVE_COUNTS)],
        )
    }
}

/// The place of a number of moves among the weights.
#[inline(always)]
pub(super) fn count_of(moves: u64) -> usize {
    moves.count_ones() as usize % MOVE_COUNTS
}
