//! The order in which moves are tried: what is likely best comes first.

use super::table::Entry;
use crate::board::{Board, Square, Squares};

/// No position has more legal moves: 33 are known to occur, sets beyond play may have a few more.
const CAPACITY: usize = 64;

/// A legal move and where it leads.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) square: Square,
    /// The position after it, seen from the other side.
    pub(super) child: Board,
    /// Larger is tried earlier.
    pub(super) promise: i32,
}

/// The legal moves of a position.
pub(super) struct Candidates {
    list: [Candidate; CAPACITY],
    length: usize,
}

impl Candidates {
    /// All moves of the set `legal`, from a1 to h8, without promise.
    pub(super) fn new(board: Board, legal: u64) -> Candidates {
        let mut candidates = Candidates {
            list: [Candidate {
                square: Square::ALL[0],
                child: board,
                promise: 0,
            }; CAPACITY],
            length: 0,
        };
        for square in Squares(legal) {
            candidates.list[candidates.length] = Candidate {
                square,
                child: board.after(square, board.flips(square)),
                promise: 0,
            };
            candidates.length += 1;
        }
        candidates
    }

    /// The moves in their present order.
    pub(super) fn as_slice(&self) -> &[Candidate] {
        &self.list[..self.length]
    }

    /// Sorts by what `promise` says, best first; the table's moves come before all others.
    pub(super) fn sort(&mut self, known: Option<Entry>, promise: impl Fn(&Candidate) -> i32) {
        let moves = known.map_or([Entry::NO_MOVE; 2], |entry| entry.moves);
        let list = &mut self.list[..self.length];
        for candidate in list.iter_mut() {
            candidate.promise = match candidate.square.index() {
                index if index == moves[0] => i32::MAX,
                index if index == moves[1] => i32::MAX - 1,
                _ => promise(candidate),
            };
        }
        // Few elements: insertion sort, which also keeps equals in board order.
        for i in 1..list.len() {
            let inserted = list[i];
            let mut at = i;
            while at > 0 && list[at - 1].promise < inserted.promise {
                list[at] = list[at - 1];
                at -= 1;
            }
            list[at] = inserted;
        }
    }
}

/// The moves to remember: `best` first, what was remembered before second.
pub(super) fn remembered(best: Option<Square>, known: Option<Entry>) -> [u8; 2] {
    let before = known.map_or([Entry::NO_MOVE; 2], |entry| entry.moves);
    match best {
        Some(best) if best.index() != before[0] => [best.index(), before[0]],
        _ => before,
    }
}
