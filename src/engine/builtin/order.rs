//! The order in which moves are tried: what is likely best comes first.

use super::table::Entry;
use crate::board::cpu::Cpu;
use crate::board::{Board, Square};

/// Room for every square: positions that people make up may have more moves than any game.
pub(super) const CAPACITY: usize = 64;

/// Ranks are kept above this, so that they are positive numbers of 24 bits.
const RANK_ZERO: i32 = 1 << 22;

/// The legal moves of a position, handed out best first.
pub(super) type Candidates = List<CAPACITY>;

/// The same for positions with at most sixteen empty squares.
pub(super) type Few = List<16>;

/// At most `N` legal moves of a position, handed out best first. `N` is a power of two.
pub(super) struct List<const N: usize> {
    board: Board,
    /// Rank in the high bits; in the low byte the place in `flips`, counted down so that equal
    /// ranks come out in board order. 0 once handed out.
    keys: [u32; N],
    squares: [u8; N],
    flips: [u64; N],
    /// The opponent's moves afterwards, where they were noted.
    moves: [u64; N],
    length: usize,
}

impl<const N: usize> List<N> {
    /// All moves of the set `legal`, from a1 to h8, all of the same rank.
    #[inline(always)]
    pub(super) fn new<C: Cpu>(cpu: C, board: Board, legal: u64) -> List<N> {
        let mut candidates = List {
            board,
            keys: [0; N],
            squares: [0; N],
            flips: [0; N],
            moves: [0; N],
            length: 0,
        };
        let mut set = legal;
        while set != 0 {
            let square = set.trailing_zeros() as u8 & 63;
            set &= set - 1;
            let at = candidates.length % N;
            candidates.squares[at] = square;
            candidates.flips[at] = cpu.flips(square, board.own, board.opponent);
            candidates.keys[at] = (RANK_ZERO as u32) << 8 | (N - at) as u32;
            candidates.length += 1;
        }
        candidates
    }

    /// How many moves there are, handed out or not.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.length.min(N)
    }

    /// The move at a place below [`Candidates::len`], and the position after it, seen from the
    /// other side.
    #[inline(always)]
    pub(super) fn at(&self, place: usize) -> (Square, Board) {
        let place = place % N;
        let square = Square::ALL[usize::from(self.squares[place] & 63)];
        (square, self.board.after(square, self.flips[place]))
    }

    /// Ranks the move at `place`: larger is tried earlier, within ±4 million.
    #[inline(always)]
    pub(super) fn rank(&mut self, place: usize, rank: i32) {
        let place = place % N;
        self.keys[place] = ((RANK_ZERO + rank) as u32) << 8 | (N - place) as u32;
    }

    /// Notes the opponent's legal moves after the move at `place`.
    #[inline(always)]
    pub(super) fn note_moves(&mut self, place: usize, moves: u64) {
        self.moves[place % N] = moves;
    }

    /// The opponent's legal moves after the move at `place`, as they were noted.
    #[inline(always)]
    pub(super) fn moves(&self, place: usize) -> u64 {
        self.moves[place % N]
    }

    /// The best move not handed out yet, and the position after it.
    #[inline(always)]
    pub(super) fn next_best(&mut self) -> Option<(Square, Board)> {
        self.next_place().map(|place| self.at(place))
    }

    /// The place of the best move not handed out yet.
    #[inline(always)]
    pub(super) fn next_place(&mut self) -> Option<usize> {
        let mut best = 0;
        for place in 0..self.len() {
            best = best.max(self.keys[place]);
        }
        if best == 0 {
            return None;
        }
        let place = (N - (best & 0xff) as usize) % N;
        self.keys[place] = 0;
        Some(place)
    }
}

impl<const N: usize> Iterator for List<N> {
    type Item = (Square, Board);

    fn next(&mut self) -> Option<(Square, Board)> {
        self.next_best()
    }
}

/// The rank of a move that the table remembers, above all others; `None` for any other move.
#[inline(always)]
pub(super) fn remembered_rank(square: Square, known: Option<Entry>) -> Option<i32> {
    let moves = match known {
        Some(entry) => entry.moves,
        None => return None,
    };
    if square.index() == moves[0] {
        Some(2 * RANK_ZERO)
    } else if square.index() == moves[1] {
        Some(2 * RANK_ZERO - 1)
    } else {
        None
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
