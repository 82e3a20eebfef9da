//! A very fast search of a few plies on whole-number square weights: what self-play and matches
//! of weight files are played with. Gives exactly the value of plain minimax.
//!
//! The value of a position that is not searched any further is Σ weight × disc for the side to
//! move; a finished game is worth more than any evaluation, [`WIN`] and its disc difference. At
//! the end of the search a game counts as finished when the board is full or one side has no disc
//! left (both seen without generating moves); before it, by the rules. A pass costs no ply.
//!
//! What makes it fast: the evaluation is carried along (a move changes it by its square's weight
//! and twice the weights of the discs it turns, which eight table look-ups sum), the last ply is
//! a loop over moves without making them, moves are tried by that change, best first.

use super::weights::IntegerWeights;
use crate::board::{Board, Squares};

/// Base of the value of a won game, beyond any sum of sound weights.
pub const WIN: i32 = 1 << 28;

/// Bound for windows: beyond every value.
pub const INFINITY: i32 = 1 << 30;

/// Weights made ready for the search. Cheap to make (a few microseconds), shared by threads.
pub struct Search {
    weights: [i32; 64],
    /// `rows[r][byte]`: sum of the weights of row r's squares in `byte`.
    rows: Box<[[i32; 256]; 8]>,
    depth: u32,
}

/// What the search found for a position with a legal move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// Minimax value for the side to move.
    pub value: i32,
    /// All moves that have it.
    pub best: u64,
}

#[derive(Clone, Copy)]
struct Candidate {
    board: Board,
    /// Evaluation after the move, for the side that made it.
    gained: i32,
    square: u8,
}

impl Search {
    /// A search of `depth` plies, at least 1.
    pub fn new(weights: &IntegerWeights, depth: u32) -> Search {
        let mut rows = Box::new([[0; 256]; 8]);
        for (row, sums) in rows.iter_mut().enumerate() {
            for (byte, sum) in sums.iter_mut().enumerate() {
                *sum = (0..8)
                    .filter(|file| byte >> file & 1 != 0)
                    .map(|file| weights.0[row * 8 + file])
                    .sum();
            }
        }
        Search {
            weights: weights.0,
            rows,
            depth: depth.max(1),
        }
    }

    /// The best moves of the side to move; `best` is empty when it has none. Every root move
    /// that might equal the best is searched with a window that tells whether it does.
    pub fn best_moves(&self, board: Board) -> Found {
        let mut buffer = [NO_CANDIDATE; MAX_MOVES];
        let moves = self.ordered(board, self.evaluate(board), &mut buffer);
        let mut found = Found {
            value: -INFINITY,
            best: 0,
        };
        for candidate in moves {
            // A move is of interest from the best value on, so the window opens one below it.
            let alpha = (found.value - 1).max(-INFINITY);
            let value = -self.value(
                candidate.board,
                -candidate.gained,
                self.depth - 1,
                -INFINITY,
                -alpha,
            );
            let bit = 1 << candidate.square;
            if value > found.value {
                found = Found { value, best: bit };
            } else if value == found.value {
                found.best |= bit;
            }
        }
        found
    }

    /// Σ weight × disc for the side to move.
    #[inline]
    pub fn evaluate(&self, board: Board) -> i32 {
        self.sum(board.own) - self.sum(board.opponent)
    }

    #[inline(always)]
    fn sum(&self, set: u64) -> i32 {
        let bytes = set.to_le_bytes();
        let rows = self.rows.iter().zip(bytes);
        rows.map(|(sums, byte)| sums[usize::from(byte)]).sum()
    }

    /// Fail-soft alpha-beta; `value` is the evaluation of `board`.
    fn value(&self, board: Board, value: i32, depth: u32, alpha: i32, beta: i32) -> i32 {
        match depth {
            0 => leaf(board, value),
            1 if has_two_empties(board) => self.last_ply(board, value, beta),
            _ => self.inner(board, value, depth, alpha, beta),
        }
    }

    fn inner(&self, board: Board, value: i32, depth: u32, mut alpha: i32, beta: i32) -> i32 {
        let mut buffer = [NO_CANDIDATE; MAX_MOVES];
        let moves = self.ordered(board, value, &mut buffer);
        if moves.is_empty() {
            return self.no_move(board, value, depth, alpha, beta);
        }
        let mut best = -INFINITY;
        for candidate in moves {
            let found = -self.value(candidate.board, -candidate.gained, depth - 1, -beta, -alpha);
            if found > best {
                best = found;
                if best >= beta {
                    break;
                }
                alpha = alpha.max(best);
            }
        }
        best
    }

    /// Depth 1 with at least two empty squares: no move made, only its gain looked up.
    #[inline]
    fn last_ply(&self, board: Board, value: i32, beta: i32) -> i32 {
        let moves = board.legal_moves();
        if moves == 0 {
            return self.no_move(board, value, 1, -INFINITY, beta);
        }
        let mut best = -INFINITY;
        for square in Squares(moves) {
            let flipped = board.flips(square);
            let reached = if flipped == board.opponent {
                leaf(board.after(square, flipped), 0).wrapping_neg()
            } else {
                value + self.weights[usize::from(square.index())] + 2 * self.sum(flipped)
            };
            if reached > best {
                best = reached;
                if best >= beta {
                    break;
                }
            }
        }
        best
    }

    #[cold]
    fn no_move(&self, board: Board, value: i32, depth: u32, alpha: i32, beta: i32) -> i32 {
        let passed = board.passed();
        if passed.legal_moves() == 0 {
            finished(board)
        } else {
            -self.value(passed, -value, depth, -beta, -alpha)
        }
    }

    /// The legal moves with the positions they lead to, largest gain first.
    fn ordered<'a>(
        &self,
        board: Board,
        value: i32,
        buffer: &'a mut [Candidate; MAX_MOVES],
    ) -> &'a [Candidate] {
        let mut n = 0;
        for square in Squares(board.legal_moves()) {
            let flipped = board.flips(square);
            let candidate = Candidate {
                board: board.after(square, flipped),
                gained: value + self.weights[usize::from(square.index())] + 2 * self.sum(flipped),
                square: square.index(),
            };
            let mut at = n;
            while at > 0 && buffer[at - 1].gained < candidate.gained {
                buffer[at] = buffer[at - 1];
                at -= 1;
            }
            buffer[at] = candidate;
            n += 1;
        }
        &buffer[..n]
    }
}

/// Room in a move buffer: every square that a disc can be played on. Games need 33 at most, but
/// positions may be given by hand.
const MAX_MOVES: usize = 60;

/// Fills the move buffers.
const NO_CANDIDATE: Candidate = Candidate {
    board: Board::START,
    gained: 0,
    square: 0,
};

/// The value of a position at the end of the search.
#[inline(always)]
fn leaf(board: Board, value: i32) -> i32 {
    if board.own == 0 || board.opponent == 0 || board.empty() == 0 {
        finished(board)
    } else {
        value
    }
}

/// The value of a finished game for the side to move.
fn finished(board: Board) -> i32 {
    let difference = i32::from(board.disc_difference());
    difference.signum() * WIN + difference
}

#[inline(always)]
fn has_two_empties(board: Board) -> bool {
    let empty = board.empty();
    empty & empty.wrapping_sub(1) != 0
}

#[cfg(test)]
mod tests {
    use super::super::weights::Weights;
    use super::*;
    use proptest::prelude::*;

    /// Minimax as a person would write it: no windows, no tables, evaluation from scratch.
    fn minimax(weights: &IntegerWeights, board: Board, depth: u32) -> i32 {
        let over_at_sight = board.empty() == 0 || board.own == 0 || board.opponent == 0;
        if depth == 0 && !over_at_sight {
            let sum = |set: u64| -> i32 {
                Squares(set)
                    .map(|s| weights.0[usize::from(s.index())])
                    .sum()
            };
            return sum(board.own) - sum(board.opponent);
        }
        if board.is_game_over() {
            let difference = i32::from(board.disc_difference());
            return difference + WIN * difference.signum();
        }
        if board.legal_moves() == 0 {
            return -minimax(weights, board.passed(), depth);
        }
        children(board)
            .map(|(_, child)| -minimax(weights, child, depth - 1))
            .max()
            .expect("there is a legal move")
    }

    fn children(board: Board) -> impl Iterator<Item = (u64, Board)> {
        Squares(board.legal_moves()).filter_map(move |s| Some((s.bit(), board.play(s)?)))
    }

    /// A position as play makes it: each number picks a move.
    fn played(picks: &[u8]) -> Board {
        let mut board = Board::START;
        for &pick in picks {
            if board.must_pass() {
                board = board.passed();
            }
            let moves: Vec<(u64, Board)> = children(board).collect();
            let Some((_, child)) = moves.get(usize::from(pick) % moves.len().max(1)) else {
                break;
            };
            board = *child;
        }
        board
    }

    fn check(weights: &IntegerWeights, board: Board, depth: u32) {
        let found = Search::new(weights, depth).best_moves(board);
        let values: Vec<(u64, i32)> = children(board)
            .map(|(bit, child)| (bit, -minimax(weights, child, depth - 1)))
            .collect();
        let Some(best) = values.iter().map(|v| v.1).max() else {
            assert_eq!(found.best, 0);
            return;
        };
        let all_best = values
            .iter()
            .filter(|v| v.1 == best)
            .fold(0, |set, v| set | v.0);
        assert_eq!((found.value, found.best), (best, all_best));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn same_value_and_best_moves_as_plain_minimax(
            picks in prop::collection::vec(any::<u8>(), 0..62),
            weights in prop::collection::vec(-300i32..300, 64),
            depth in 1u32..4,
        ) {
            let weights = IntegerWeights(weights.try_into().expect("64 were drawn"));
            check(&weights, played(&picks), depth);
        }

        /// Small weights make many equal values.
        #[test]
        fn all_of_the_equally_best_moves_are_found(
            picks in prop::collection::vec(any::<u8>(), 0..62),
            weights in prop::collection::vec(-1i32..2, 64),
            depth in 1u32..4,
        ) {
            let weights = IntegerWeights(weights.try_into().expect("64 were drawn"));
            check(&weights, played(&picks), depth);
        }

        /// Not only positions from play: any two sets of discs, wipe-outs and all.
        #[test]
        fn any_board_is_searched_right(a: u64, b: u64, sparse: u64, depth in 1u32..4) {
            let weights = Weights::corner_table().rounded();
            check(&weights, Board { own: a & !b, opponent: b & !a }, depth);
            check(&weights, Board { own: a & sparse, opponent: !a & sparse & b }, depth.min(2));
        }
    }

    #[test]
    fn a_win_in_sight_is_preferred_to_any_evaluation() {
        // The ninth move of the shortest game, c5, leaves White without a disc.
        let game = crate::board::Game::from_move_text("e6f4e3f6g5d6e7f5").unwrap();
        let found = Search::new(&Weights::ZERO.rounded(), 1).best_moves(game.board());
        assert_eq!(found.value, WIN + 13);
        assert_eq!(
            Squares(found.best)
                .map(|s| s.to_string())
                .collect::<Vec<_>>(),
            ["c5"]
        );
    }

    #[test]
    fn the_four_first_moves_are_equal() {
        for depth in 1..=4 {
            let found =
                Search::new(&Weights::corner_table().rounded(), depth).best_moves(Board::START);
            assert_eq!(found.best, Board::START.legal_moves(), "depth {depth}");
        }
    }
}
