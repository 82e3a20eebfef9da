//! Many empty squares: table, sorted moves, cut-offs from what the table knows of the successors.

use super::super::kernel::Kernel;
use super::super::midgame;
use super::super::order::{CAPACITY, Candidates, remembered, remembered_rank};
use super::super::split::{Best, best_of_rest, search_pv_rest};
use super::super::table::{EXACT, Entry, Key, View};
use super::super::worker::{Line, Worker};
use super::shallow::odd_quadrants;
use super::{INFINITE, null_window, search_known, stability_cut};
use crate::board::{Board, Move, Square};

/// From this many empties on, the table is asked about all successors before any is searched.
const TRANSPOSITION_CUT_EMPTIES: u32 = 10;

/// From this many empties on, moves are ranked by the static evaluation of where they lead.
const EVALUATED_EMPTIES: u32 = 12;

/// From this many empties on, moves are ranked by a search of one ply, and of one more for every
/// two empties more.
const SEARCHED_EMPTIES: u32 = 17;

/// From this many empties on, a node is worth the trouble of sharing it among threads.
const SHARED_EMPTIES: u32 = 14;

/// What a move of the opponent costs where moves are ranked by values in hundredths of a disc: the
/// fewer there are, the smaller is the tree.
const MOBILITY_WEIGHT: i32 = 150;

/// Value of `board`, fail-soft, with the line that leads to it.
#[inline(always)]
pub(in super::super) fn pv<C: Kernel>(
    worker: &mut Worker<'_, C>,
    board: Board,
    alpha: i32,
    beta: i32,
    line: &mut Line,
) -> i32 {
    worker.nodes += 1;
    worker.poll();
    *line = Line::EMPTY;
    let legal = worker.cpu.legal_moves(board.own, board.opponent);
    if legal == 0 {
        let passed = board.passed();
        if worker.cpu.legal_moves(passed.own, passed.opponent) == 0 {
            return worker.rule.final_score(board);
        }
        let mut rest = Line::EMPTY;
        let score = -C::endgame_pv(worker, passed, -beta, -alpha, &mut rest);
        line.set(Move::Pass, &rest);
        return score;
    }
    // 1. Order. The table's bounds do not end the search here: a line is wanted, and they have none.
    let key = Key::new(board);
    let known = part(worker, board.empties()).probe(key);
    let mut candidates = Candidates::new(worker.cpu, board, legal);
    sort(worker, board, &mut candidates, known);
    // 2. Principal variation: the first move is searched for its value; of each other it is only
    // asked, with a window of no width, whether it is better, which nearly always costs less. One
    // that is gets its value, too.
    let mut best = Best::nothing(alpha, INFINITE);
    let mut rest = Line::EMPTY;
    while let Some((square, child)) = candidates.next_best() {
        let alpha = best.alpha;
        let mut score = -INFINITE;
        let mut open = best.square.is_none();
        if !open {
            score = -null_window(worker, child, -alpha - 1);
            open = score > alpha && score < beta;
        }
        if open && !worker.stopped {
            score = -C::endgame_pv(worker, child, -beta, -alpha, &mut rest);
        }
        if worker.stopped {
            return 0;
        }
        best.take(square, score, &rest, line);
        if score >= beta {
            break;
        }
        if worker.is_shared && board.empties() >= SHARED_EMPTIES {
            let moves = candidates.by_ref().collect();
            let pv = C::endgame_pv;
            search_pv_rest(worker, moves, beta, &mut best, line, null_window, pv);
            if worker.stopped {
                return 0;
            }
        }
    }
    // 3. Remember: inside the window the value is exact, outside it is a bound.
    let bounds = best.bounds(alpha, beta, INFINITE);
    store(worker, key, board, bounds, remembered(best.square, known));
    best.score
}

/// Null-window search of many empties in a position whose legal moves are known.
#[inline(always)]
pub(in super::super) fn deep<C: Kernel>(
    worker: &mut Worker<'_, C>,
    board: Board,
    legal: u64,
    alpha: i32,
) -> i32 {
    worker.nodes += 1;
    worker.poll();
    // 1. Stability: the opponent keeps its stable discs in any play, so no result is above 64 less
    // twice their number.
    if let Some(bound) = stability_cut(worker, board, alpha) {
        return bound;
    }
    // 2. Pass, or the end of the game.
    let key = Key::new(board);
    if legal == 0 {
        let passed = board.passed();
        let legal = worker.cpu.legal_moves(passed.own, passed.opponent);
        if legal == 0 {
            return worker.rule.final_score(board);
        }
        return -C::endgame_deep(worker, passed, legal, -alpha - 1);
    }
    // 3. Table: a true bound on the other side of the window settles the node. What an estimating
    // search stored is no bound on the result, but its moves help the order.
    let known = part(worker, board.empties()).probe(key);
    let mut bounds = (-INFINITE, INFINITE);
    if let Some(entry) = known
        && entry.depth >= EXACT
    {
        bounds = (i32::from(entry.lower), i32::from(entry.upper));
        if bounds.0 > alpha {
            return bounds.0;
        }
        if bounds.1 <= alpha {
            return bounds.1;
        }
    }
    // 4. Enhanced transposition cut: if one successor is known to be worth little enough to the
    // opponent, the move that leads there refutes the node, and nothing need be searched.
    let mut candidates = Candidates::new(worker.cpu, board, legal);
    if board.empties() >= TRANSPOSITION_CUT_EMPTIES {
        let successors = part(worker, board.empties() - 1);
        let mut keys = [key; CAPACITY];
        for (place, key) in keys[..candidates.len()].iter_mut().enumerate() {
            *key = Key::new(candidates.at(place).1);
            successors.prefetch(*key);
        }
        for &key in &keys[..candidates.len()] {
            if let Some(entry) = successors.probe(key)
                && entry.depth >= EXACT
                && -i32::from(entry.upper) > alpha
            {
                return -i32::from(entry.upper);
            }
        }
    }
    // 5. Order: see `sort`. It decides how much is searched, never the value.
    sort(worker, board, &mut candidates, known);
    // 6. Search, until a move is worth more than alpha: how much more does not matter. Once the
    // first, likely best, move did not suffice, all of them probably must be searched, and
    // several threads share them (young brothers wait).
    let (mut best, mut best_move) = (-INFINITE, None);
    while let Some(place) = candidates.next_place() {
        let (square, child) = candidates.at(place);
        let score = -search_known(worker, child, candidates.moves(place), -alpha - 1);
        if worker.stopped {
            return 0;
        }
        if score > best {
            best = score;
            best_move = Some(square);
            if score > alpha {
                break;
            }
        }
        if worker.is_shared && board.empties() >= SHARED_EMPTIES {
            let rest: Vec<_> = candidates.by_ref().collect();
            let search = |helper: &mut Worker<'_, C>, child| null_window(helper, child, -alpha - 1);
            let found = best_of_rest(worker, &rest, alpha, search);
            if worker.stopped {
                return 0;
            }
            if let Some((score, square)) = found
                && score > best
            {
                best = score;
                best_move = Some(square);
            }
        }
    }
    // 7. Remember: above alpha the best value found is a lower bound, otherwise all moves were
    // searched and it is an upper one. The other bound is still what the table knew.
    if best > alpha {
        bounds.0 = best;
    } else {
        bounds.1 = best;
    }
    store(worker, key, board, bounds, remembered(best_move, known));
    best
}

/// Ranks the moves: the table's first; then with many empties by a shallow search, with fewer by
/// how few moves they leave the opponent, corners counting double, where moves into odd regions
/// and onto good squares break near ties.
#[inline(always)]
fn sort<C: Kernel>(
    worker: &mut Worker<'_, C>,
    board: Board,
    candidates: &mut Candidates,
    known: Option<Entry>,
) {
    let empties = board.empties();
    let odd = odd_quadrants(board.empty());
    for place in 0..candidates.len() {
        let (square, child) = candidates.at(place);
        let moves = worker.cpu.legal_moves(child.own, child.opponent);
        candidates.note_moves(place, moves);
        if let Some(rank) = remembered_rank(square, known) {
            candidates.rank(place, rank);
            continue;
        }
        let mobility = (moves.count_ones() + (moves & CORNERS).count_ones()) as i32;
        let rank = if empties >= SEARCHED_EMPTIES {
            let depth = (empties - SEARCHED_EMPTIES) / 2 + 1;
            let (worst, best) = (-midgame::INFINITE, midgame::INFINITE);
            let mut line = Line::EMPTY;
            let value = C::midgame_pv(worker, child, depth, worst, best, &mut line);
            -value - MOBILITY_WEIGHT * mobility
        } else if empties >= EVALUATED_EMPTIES {
            -worker.evaluation.centidiscs(worker.cpu, child) - MOBILITY_WEIGHT * mobility
        } else {
            mobility_rank(square, moves, odd)
        };
        candidates.rank(place, rank);
    }
}

/// The rank of a move to `square` after which the opponent may play on `moves`, while the squares of
/// `odd` lie in regions with an odd number of empty ones.
#[inline(always)]
pub(super) fn mobility_rank(square: Square, moves: u64, odd: u64) -> i32 {
    let mobility = (moves.count_ones() + (moves & CORNERS).count_ones()) as i32;
    let index = square.index();
    let parity = i32::from(odd >> index & 1 != 0);
    -16 * mobility + 8 * parity + i32::from(SQUARE_VALUES[usize::from(index)])
}

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// How good a square tends to be, 0..=7.
static SQUARE_VALUES: [i8; 64] = [
    7, 2, 6, 5, 5, 6, 2, 7, //
    2, 0, 3, 3, 3, 3, 0, 2, //
    6, 3, 4, 4, 4, 4, 3, 6, //
    5, 3, 4, 3, 3, 4, 3, 5, //
    5, 3, 4, 3, 3, 4, 3, 5, //
    6, 3, 4, 4, 4, 4, 3, 6, //
    2, 0, 3, 3, 3, 3, 0, 2, //
    7, 2, 6, 5, 5, 6, 2, 7, //
];

/// With at most this many empties, what is found out goes into the thread's own part of the table.
const NEAR_EMPTIES: u32 = 15;

/// The part of the table for positions with this many empties.
#[inline(always)]
fn part<'a, C: Kernel>(worker: &Worker<'a, C>, empties: u32) -> View<'a> {
    if empties <= NEAR_EMPTIES {
        worker.near
    } else {
        worker.table
    }
}

#[inline(always)]
fn store<C: Kernel>(
    worker: &Worker<'_, C>,
    key: Key,
    board: Board,
    bounds: (i32, i32),
    moves: [u8; 2],
) {
    let entry = Entry {
        lower: bounds.0 as i16,
        upper: bounds.1 as i16,
        depth: EXACT + board.empties() as u8,
        confidence: 0,
        moves,
    };
    part(worker, board.empties()).store(key, entry);
}
