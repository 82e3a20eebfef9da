//! The order in which moves are tried: what is likely best comes first.

use super::table::Entry;
use crate::board::cpu::Cpu;
use crate::board::{Board, Square};

/// Room for every square: positions that people make up may have more moves than any game.
const CAPACITY: usize = 64;

/// Ranks are kept above this, so that they are positive numbers of 24 bits.
const RANK_ZERO: i32 = 1 << 22;

/// The legal moves of a position, handed out best first.
pub(super) struct Candidates {
    board: Board,
    /// Rank in the high bits; in the low byte the place in `flips`, counted down so that equal
    /// ranks come out in board order. 0 once handed out.
    keys: [u32; CAPACITY],
    squares: [u8; CAPACITY],
    flips: [u64; CAPACITY],
    length: usize,
}

impl Candidates {
    /// All moves of the set `legal`, from a1 to h8, all of the same rank.
    #[inline(always)]
    pub(super) fn new<C: Cpu>(cpu: C, board: Board, legal: u64) -> Candidates {
        let mut candidates = Candidates {
            board,
            keys: [0; CAPACITY],
            squares: [0; CAPACITY],
            flips: [0; CAPACITY],
            length: 0,
        };
        let mut set = legal;
        while set != 0 {
            let square = set.trailing_zeros() as u8 & 63;
            set &= set - 1;
            let at = candidates.length % CAPACITY;
            candidates.squares[at] = square;
            candidates.flips[at] = cpu.flips(square, board.own, board.opponent);
            candidates.keys[at] = (RANK_ZERO as u32) << 8 | (CAPACITY - at) as u32;
            candidates.length += 1;
        }
        candidates
    }

    #[inline(always)]
    fn at(&self, place: usize) -> (Square, Board) {
        let place = place % CAPACITY;
        let square = Square::ALL[usize::from(self.squares[place] & 63)];
        (square, self.board.after(square, self.flips[place]))
    }

    /// The positions after each move, seen from the other side.
    #[inline(always)]
    pub(super) fn children(&self) -> impl Iterator<Item = Board> {
        (0..self.length).map(|place| self.at(place).1)
    }

    /// Gives every move its rank, larger being tried earlier, within ±4 million; the table's moves
    /// come before all others.
    #[inline(always)]
    pub(super) fn rank(&mut self, known: Option<Entry>, rank: impl Fn(Square, Board) -> i32) {
        let moves = known.map_or([Entry::NO_MOVE; 2], |entry| entry.moves);
        for place in 0..self.length % (CAPACITY + 1) {
            let (square, child) = self.at(place);
            let rank = if square.index() == moves[0] {
                2 * RANK_ZERO
            } else if square.index() == moves[1] {
                2 * RANK_ZERO - 1
            } else {
                rank(square, child)
            };
            self.keys[place] = ((RANK_ZERO + rank) as u32) << 8 | (CAPACITY - place) as u32;
        }
    }

    /// The best move not handed out yet, and the position after it.
    #[inline(always)]
    pub(super) fn next_best(&mut self) -> Option<(Square, Board)> {
        let best = self.keys[..self.length % (CAPACITY + 1)]
            .iter()
            .copied()
            .max()
            .filter(|&key| key != 0)?;
        let place = (CAPACITY - (best & 0xff) as usize) % CAPACITY;
        self.keys[place] = 0;
        Some(self.at(place))
    }
}

/// The moves to remember: `best` first, what was remembered before second.
#[inline(always)]
pub(super) fn remembered(best: Option<Square>, known: Option<Entry>) -> [u8; 2] {
    let before = known.map_or([Entry::NO_MOVE; 2], |entry| entry.moves);
    match best {
        Some(best) if best.index() != before[0] => [best.index(), before[0]],
        _ => before,
    }
}
