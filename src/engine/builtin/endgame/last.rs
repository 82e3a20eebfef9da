//! The last four empty squares, each count with its own code: no loop, no table, no legal-move set.
//!
//! Every function returns a value on the right side of `alpha` (fail-soft). Empty squares come in
//! the order in which they are tried: a square that is alone in its quadrant first, because whoever
//! plays into an odd region tends to play last there.

use super::super::kernel::Kernel;
use super::super::worker::Worker;
use super::INFINITE;
use crate::board::Board;

/// The eight (or fewer) squares around each square: a move needs an opponent's disc among them.
static NEIGHBOURS: [u64; 64] = {
    let mut all = [0; 64];
    let mut square = 0;
    while square < 64 {
        let bit = 1u64 << square;
        let row = bit | (bit & !0x8080_8080_8080_8080) << 1 | (bit & !0x0101_0101_0101_0101) >> 1;
        all[square] = (row | row << 8 | row >> 8) & !bit;
        square += 1;
    }
    all
};

/// Whether two squares lie in the same quarter of the board.
#[inline(always)]
fn same_quadrant(a: u8, b: u8) -> bool {
    (a ^ b) & 0b10_0100 == 0
}

/// Takes the lowest square out of a set.
#[inline(always)]
fn take_lowest(set: &mut u64) -> u8 {
    let square = set.trailing_zeros() as u8 & 63;
    *set &= set.wrapping_sub(1);
    square
}

/// Discs that a move turns; answers 0 without a look along the lines where no neighbour is an
/// opponent's.
#[inline(always)]
fn flips<C: Kernel>(worker: &Worker<'_, C>, square: u8, board: Board) -> u64 {
    if NEIGHBOURS[usize::from(square & 63)] & board.opponent == 0 {
        return 0;
    }
    worker.cpu.flips(square, board.own, board.opponent)
}

#[inline(always)]
fn after(board: Board, square: u8, flipped: u64) -> Board {
    Board {
        own: board.opponent ^ flipped,
        opponent: board.own | flipped | 1 << square,
    }
}

/// Tries one square: what a move there is worth goes into `$best`, and a value above `$alpha` is
/// given back at once. A macro, since unrolled code is a tenth faster here than a loop over the
/// squares.
macro_rules! try_square {
    ($worker:ident, $board:ident, $square:ident, $best:ident > $alpha:ident, |$next:ident| $rest:expr) => {
        let flipped = flips($worker, $square, $board);
        if flipped != 0 {
            let $next = after($board, $square, flipped);
            $best = $best.max(-$rest);
            if $best > $alpha {
                return $best;
            }
        }
    };
}

/// Four empty squares.
#[inline(always)]
pub(in super::super) fn last_four<C: Kernel>(
    worker: &mut Worker<'_, C>,
    board: Board,
    alpha: i32,
) -> i32 {
    worker.nodes += 1;
    let mut empty = board.empty();
    let mut a = take_lowest(&mut empty);
    let mut b = take_lowest(&mut empty);
    let mut c = take_lowest(&mut empty);
    let mut d = take_lowest(&mut empty);
    // Squares alone in their quadrant to the front; the last two decide the rest.
    if same_quadrant(a, b) {
        if !same_quadrant(c, d) && !same_quadrant(a, c) && !same_quadrant(a, d) {
            (a, b, c, d) = (c, d, a, b);
        } else if same_quadrant(a, c) {
            (a, d) = (d, a);
        } else if same_quadrant(a, d) {
            (a, c) = (c, a);
        }
    } else if same_quadrant(a, c) {
        if same_quadrant(a, d) {
            (a, b) = (b, a);
        } else if !same_quadrant(b, d) {
            (a, b, c, d) = (b, d, a, c);
        }
    } else if same_quadrant(a, d) {
        if !same_quadrant(b, c) {
            (a, b, c, d) = (b, c, a, d);
        }
    } else if same_quadrant(b, c) && !same_quadrant(b, d) {
        (a, b, c, d) = (a, d, b, c);
    } else if same_quadrant(b, d) && !same_quadrant(b, c) {
        (a, b, c, d) = (a, c, b, d);
    }
    let mut best = -INFINITE;
    let limit = -alpha - 1;
    try_square!(
        worker,
        board,
        a,
        best > alpha,
        |next| C::endgame_last_three(worker, next, b, c, d, limit)
    );
    try_square!(
        worker,
        board,
        b,
        best > alpha,
        |next| C::endgame_last_three(worker, next, a, c, d, limit)
    );
    try_square!(
        worker,
        board,
        c,
        best > alpha,
        |next| C::endgame_last_three(worker, next, a, b, d, limit)
    );
    try_square!(
        worker,
        board,
        d,
        best > alpha,
        |next| C::endgame_last_three(worker, next, a, b, c, limit)
    );
    if best > -INFINITE {
        return best;
    }
    let passed = board.passed();
    if worker.cpu.legal_moves(passed.own, passed.opponent) == 0 {
        return worker.rule.final_score(board);
    }
    -C::endgame_last_four(worker, passed, -alpha - 1)
}

/// Three empty squares.
#[inline(always)]
pub(in super::super) fn last_three<C: Kernel>(
    worker: &mut Worker<'_, C>,
    board: Board,
    a: u8,
    b: u8,
    c: u8,
    alpha: i32,
) -> i32 {
    worker.nodes += 1;
    let (a, b, c) = if same_quadrant(a, b) {
        (c, a, b)
    } else if same_quadrant(a, c) {
        (b, a, c)
    } else {
        (a, b, c)
    };
    let best = best_of_three(worker, board, [a, b, c], alpha);
    if best > -INFINITE {
        return best;
    }
    // A pass: the same for the other side, whose value counts the other way.
    let best = best_of_three(worker, board.passed(), [a, b, c], -alpha - 1);
    if best > -INFINITE {
        return -best;
    }
    worker.rule.final_score(board)
}

/// The best value of the moves on three squares, -[`INFINITE`] if there is none.
#[inline(always)]
fn best_of_three<C: Kernel>(
    worker: &mut Worker<'_, C>,
    board: Board,
    [a, b, c]: [u8; 3],
    alpha: i32,
) -> i32 {
    let mut best = -INFINITE;
    let limit = -alpha - 1;
    try_square!(worker, board, a, best > alpha, |next| C::endgame_last_two(
        worker, next, b, c, limit
    ));
    try_square!(worker, board, b, best > alpha, |next| C::endgame_last_two(
        worker, next, a, c, limit
    ));
    try_square!(worker, board, c, best > alpha, |next| C::endgame_last_two(
        worker, next, a, b, limit
    ));
    best
}

/// Two empty squares.
#[inline(always)]
pub(in super::super) fn last_two<C: Kernel>(
    worker: &mut Worker<'_, C>,
    board: Board,
    a: u8,
    b: u8,
    alpha: i32,
) -> i32 {
    worker.nodes += 1;
    let best = best_of_two(worker, board, a, b, alpha);
    if best > -INFINITE {
        return best;
    }
    let best = best_of_two(worker, board.passed(), a, b, -alpha - 1);
    if best > -INFINITE {
        return -best;
    }
    worker.rule.final_score(board)
}

/// The best value of the moves on two squares, -[`INFINITE`] if there is none.
#[inline(always)]
fn best_of_two<C: Kernel>(worker: &Worker<'_, C>, board: Board, a: u8, b: u8, alpha: i32) -> i32 {
    let mut best = -INFINITE;
    let limit = -alpha - 1;
    try_square!(worker, board, a, best > alpha, |next| last_one(
        worker, next.own, b, limit
    ));
    try_square!(worker, board, b, best > alpha, |next| last_one(
        worker, next.own, a, limit
    ));
    best
}

/// One empty square: the value for the owner of `own`, to move, by counting alone.
#[inline(always)]
fn last_one<C: Kernel>(worker: &Worker<'_, C>, own: u64, square: u8, alpha: i32) -> i32 {
    // 63 discs lie on the board, so the difference is 2 × own − 63; a move adds its disc and turns
    // `turned`.
    let difference = 2 * own.count_ones() as i32 - 63;
    let turned = worker.cpu.last_flips(square, own) as i32;
    if turned != 0 {
        return difference + 2 * turned + 1;
    }
    // Without a move the side gets no more than the square as the winner's; if that is too little,
    // what the other side could turn does not matter.
    if difference < alpha {
        return difference + 1;
    }
    let opponent = !own & !(1 << square);
    let turned = worker.cpu.last_flips(square, opponent) as i32;
    if turned != 0 {
        return difference - 2 * turned - 1;
    }
    worker.rule.with_empties(difference, 1)
}
