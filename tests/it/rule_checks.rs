//! What the rules alone say about boards, evaluation and search: no playing strength, only
//! properties that must hold whatever the program thinks of a position.
//!
//! The reference is a board of 64 cells and a walk along each direction, as the rules are told to
//! people. It shares nothing with the program's own boards.

use crate::common::engines::{legal_squares, opening};
use rdg::base::stop::Stop;
use rdg::board::{Board, Color, Game, Move, Square, Squares, Symmetry, parse_position};
use rdg::engine::builtin::{Breakdown, Builtin, SQUARE_WEIGHTS, TermWeights, Terms};
use rdg::engine::{Engine, MoveScore};
use std::collections::BTreeSet;

/// +1: Black, −1: White, 0: empty; a1, b1 … h8.
type Cells = [i32; 64];

const DIRECTIONS: [(i32, i32); 8] = [
    (-1, -1),
    (0, -1),
    (1, -1),
    (-1, 0),
    (1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
];

fn sign(color: Color) -> i32 {
    match color {
        Color::Black => 1,
        Color::White => -1,
    }
}

fn cells(game: &Game) -> Cells {
    let (black, white) = game.board().colors(game.color());
    std::array::from_fn(|i| (black >> i & 1) as i32 - (white >> i & 1) as i32)
}

/// The discs that a disc of `side` on `at` turns: in each direction the unbroken run of the other
/// side's discs that ends at one of its own.
fn turned(cells: &Cells, at: usize, side: i32) -> Vec<usize> {
    let mut all = Vec::new();
    if cells[at] != 0 {
        return all;
    }
    for (dx, dy) in DIRECTIONS {
        let mut run = Vec::new();
        let (mut x, mut y) = (at as i32 % 8 + dx, at as i32 / 8 + dy);
        while (0..8).contains(&x) && (0..8).contains(&y) {
            let here = (y * 8 + x) as usize;
            match cells[here] * side {
                -1 => run.push(here),
                1 => {
                    all.append(&mut run);
                    break;
                }
                _ => break,
            }
            (x, y) = (x + dx, y + dy);
        }
    }
    all
}

fn moves_of(cells: &Cells, side: i32) -> Vec<usize> {
    (0..64)
        .filter(|&at| !turned(cells, at, side).is_empty())
        .collect()
}

fn after(cells: &Cells, at: usize, side: i32) -> Cells {
    let mut next = *cells;
    next[at] = side;
    for other in turned(cells, at, side) {
        next[other] = side;
    }
    next
}

/// The value with best play for `side`, empty squares to the winner, by trying everything.
fn value(cells: &Cells, side: i32) -> i32 {
    let moves = moves_of(cells, side);
    if moves.is_empty() {
        if moves_of(cells, -side).is_empty() {
            let difference: i32 = cells.iter().sum::<i32>() * side;
            let empties = cells.iter().filter(|&&cell| cell == 0).count() as i32;
            return difference + difference.signum() * empties;
        }
        return -value(cells, -side);
    }
    moves
        .into_iter()
        .map(|at| -value(&after(cells, at, side), -side))
        .max()
        .expect("there is a move")
}

/// Positions of all stages of many games, each with at least one legal move.
fn positions() -> impl Iterator<Item = Game> {
    (0..60u64)
        .flat_map(|plies| (0..4).map(move |n| opening(plies * 4 + n, plies as usize)))
        .filter(|game| game.board().legal_moves() != 0)
}

fn builtin(level: u32) -> Builtin {
    Builtin::new("builtin", level, 1, None, &Stop::new()).expect("it needs no file")
}

fn scores(level: u32, game: &Game) -> Vec<MoveScore> {
    let mut engine = builtin(level);
    engine.new_game().expect("it can always begin");
    engine.score_moves(game).expect("there is a move")
}

fn terms(game: &Game) -> Breakdown {
    Breakdown::new(game.board(), &SQUARE_WEIGHTS)
}

fn at(name: &str) -> usize {
    usize::from(name.parse::<Square>().expect("a square").index())
}

fn position(text: &str) -> Game {
    let (board, color) = parse_position(text).expect("a position");
    Game::from_position(board, color)
}

#[test]
fn the_start_has_exactly_four_moves() {
    let mut expected = ["d3", "c4", "f5", "e6"].map(at);
    expected.sort_unstable();
    let game = Game::new();
    let found: Vec<usize> = legal_squares(&game)
        .iter()
        .map(|s| usize::from(s.index()))
        .collect();
    assert_eq!(found, expected);
    assert_eq!(moves_of(&cells(&game), 1), expected);
    assert_eq!(game.color(), Color::Black);
}

#[test]
fn the_four_first_moves_have_equal_scores_and_equal_terms() {
    for level in 1..=6 {
        let found = scores(level, &Game::new());
        assert_eq!(found.len(), 4);
        for score in &found {
            assert_eq!(score.score, found[0].score, "level {level}: {found:?}");
        }
    }
    let after: Vec<Breakdown> = legal_squares(&Game::new())
        .into_iter()
        .map(|square| {
            let mut game = Game::new();
            game.play(square.into()).expect("it is legal");
            terms(&game)
        })
        .collect();
    assert!(after.iter().all(|breakdown| *breakdown == after[0]));
}

#[test]
fn a_move_adds_the_disc_and_what_it_turns() {
    for game in positions() {
        let (before, side) = (cells(&game), sign(game.color()));
        for square in legal_squares(&game) {
            let mut next = game.clone();
            next.play(square.into()).expect("it is legal");
            let count = |cells: &Cells, of: i32| cells.iter().filter(|&&c| c == of).count();
            let turned = turned(&before, usize::from(square.index()), side).len();
            assert!(turned >= 1);
            let now = cells(&next);
            assert_eq!(count(&now, side), count(&before, side) + 1 + turned);
            assert_eq!(count(&now, -side), count(&before, -side) - turned);
            assert_eq!(next.board().discs(), game.board().discs() + 1);
        }
    }
}

#[test]
fn a_square_that_turns_nothing_is_no_move() {
    for game in positions() {
        let (cells, side) = (cells(&game), sign(game.color()));
        for square in Square::ALL {
            let turns = !turned(&cells, usize::from(square.index()), side).is_empty();
            assert_eq!(game.board().is_legal(square), turns, "{square}");
            assert_eq!(game.clone().play(square.into()).is_ok(), turns, "{square}");
        }
    }
}

#[test]
fn a_move_turns_the_discs_between_and_changes_nothing_else() {
    for game in positions() {
        let (before, side) = (cells(&game), sign(game.color()));
        for square in legal_squares(&game) {
            let mut next = game.clone();
            next.play(square.into()).expect("it is legal");
            let expected = after(&before, usize::from(square.index()), side);
            assert_eq!(cells(&next), expected);
        }
    }
}

#[test]
fn an_occupied_square_is_no_move_and_stays_occupied() {
    for game in positions() {
        let occupied = game.board().occupied();
        assert_eq!(game.board().legal_moves() & occupied, 0);
        for square in legal_squares(&game) {
            let mut next = game.clone();
            next.play(square.into()).expect("it is legal");
            assert_eq!(next.board().occupied(), occupied | square.bit());
        }
    }
}

#[test]
fn a_refused_move_changes_nothing() {
    for game in positions() {
        for square in Square::ALL {
            let mut same = game.clone();
            if same.play(square.into()).is_err() {
                assert_eq!(same, game);
            }
        }
    }
}

/// Plays at random to the end and shows every position on the way.
fn whole_game(number: u64, mut look: impl FnMut(&Game)) -> Game {
    let mut game = Game::new();
    let mut state = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    loop {
        look(&game);
        if game.is_over() {
            return game;
        }
        if game.pass_if_forced() {
            continue;
        }
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let legal = legal_squares(&game);
        let square = legal[(state >> 33) as usize % legal.len()];
        game.play(square.into()).expect("it is legal");
    }
}

#[test]
fn passing_is_for_who_has_no_move_and_turns_no_disc() {
    let mut passes = 0;
    for number in 0..100 {
        whole_game(number, |game| {
            let (before, side) = (cells(game), sign(game.color()));
            let must = moves_of(&before, side).is_empty() && !moves_of(&before, -side).is_empty();
            let mut next = game.clone();
            assert_eq!(next.play(Move::Pass).is_ok(), must);
            assert_eq!(game.board().must_pass(), must);
            assert_eq!(cells(&next), before);
            assert_eq!(next.color() != game.color(), must);
            passes += usize::from(must);
        });
    }
    assert!(passes > 20, "only {passes} passes were seen");
}

#[test]
fn the_game_ends_when_neither_side_has_a_move_and_not_before() {
    let mut early = 0;
    for number in 0..300 {
        let game = whole_game(number, |game| {
            let cells = cells(game);
            let nobody = moves_of(&cells, 1).is_empty() && moves_of(&cells, -1).is_empty();
            assert_eq!(game.is_over(), nobody);
        });
        early += usize::from(game.board().empties() > 0);
    }
    assert!(early > 0, "no game ended before the board was full");
    // The shortest game: White has no disc left after nine moves.
    let game = Game::from_move_text("e6f4e3f6g5d6e7f5c5").expect("a legal game");
    assert!(game.is_over());
    assert_eq!(cells(&game).iter().filter(|&&c| c == -1).count(), 0);
}

#[test]
fn sides_alternate_and_no_pass_follows_a_pass() {
    for number in 0..100 {
        let game = whole_game(number, |game| {
            let whites = game.moves().len() % 2 == 1;
            assert_eq!(game.color() == Color::White, whites);
        });
        let passes = |pair: &[Move]| pair[0] == Move::Pass && pair[1] == Move::Pass;
        assert!(!game.moves().windows(2).any(passes));
        // Nobody passes at the end of a game: then it is over instead.
        assert_ne!(game.moves().last(), Some(&Move::Pass));
    }
}

#[test]
fn a_game_has_at_most_sixty_discs_to_place() {
    for number in 0..100 {
        let game = whole_game(number, |_| {});
        let placed = game.moves().iter().filter(|mv| **mv != Move::Pass).count();
        assert!(placed <= 60);
        assert_eq!(game.board().discs() as usize, 4 + placed);
        assert_eq!(game.board().empties() as usize, 60 - placed);
    }
}

#[test]
fn taking_back_gives_the_position_before_to_the_last_disc() {
    for number in 0..20 {
        let mut seen = Vec::new();
        let mut game = whole_game(number, |game| seen.push(game.clone()));
        while let Some(before) = seen.pop() {
            assert_eq!(game, before);
            game.undo();
        }
        assert_eq!(game, Game::new());
    }
}

#[test]
fn the_result_is_the_difference_of_the_discs() {
    for number in 0..100 {
        let game = whole_game(number, |_| {});
        let difference: i32 = cells(&game).iter().sum();
        assert_eq!(i32::from(game.black_difference()), difference);
    }
}

#[test]
fn symmetric_images_have_symmetric_moves_and_results() {
    for game in positions() {
        let board = game.board();
        for symmetry in Symmetry::ALL {
            let image = symmetry.apply_board(board);
            assert_eq!(image.legal_moves(), symmetry.apply(board.legal_moves()));
            for square in Squares(board.legal_moves()) {
                let here = board.play(square).expect("it is legal");
                let there = image.play(symmetry.apply_square(square));
                assert_eq!(there, Some(symmetry.apply_board(here)));
            }
        }
    }
}

#[test]
fn symmetric_images_have_the_same_scores_and_terms() {
    for game in positions().step_by(9) {
        let board = game.board();
        let scored = |board: Board| {
            let game = Game::from_position(board, Color::Black);
            let mut found: Vec<(Square, i64)> = scores(2, &game)
                .iter()
                .map(|score| (score.square, (score.score * 100.0).round() as i64))
                .collect();
            found.sort_by_key(|(square, _)| square.index());
            found
        };
        let here = scored(board);
        for symmetry in Symmetry::ALL {
            let image = symmetry.apply_board(board);
            let mut moved: Vec<(Square, i64)> = here
                .iter()
                .map(|&(square, score)| (symmetry.apply_square(square), score))
                .collect();
            moved.sort_by_key(|(square, _)| square.index());
            assert_eq!(scored(image), moved, "{}", board.to_text(Color::Black));
            let image = Breakdown::new(image, &SQUARE_WEIGHTS);
            assert_eq!(image, Breakdown::new(board, &SQUARE_WEIGHTS));
        }
    }
}

#[test]
fn black_and_white_are_judged_alike() {
    for game in positions().step_by(9) {
        // The same discs for the side to move, in the other colour.
        let other = Game::from_position(game.board(), game.color().other());
        let of = |game: &Game| -> Vec<(Square, f64)> {
            let found = scores(2, game);
            found.iter().map(|s| (s.square, s.score)).collect()
        };
        assert_eq!(of(&game), of(&other));
        let here = terms(&game);
        let there = Breakdown::new(game.board().passed(), &SQUARE_WEIGHTS);
        assert_eq!((here.own, here.opponent), (there.opponent, there.own));
        assert_eq!(here.difference.total, -there.difference.total);
    }
}

/// The discs of `side` that stand in unbroken runs along the edges from a corner of its own.
fn edge_runs(cells: &Cells, side: i32) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for (corner, steps) in [
        (0i32, [1i32, 8]),
        (7, [-1, 8]),
        (56, [1, -8]),
        (63, [-1, -8]),
    ] {
        for step in steps {
            for n in 0..8 {
                let here = (corner + n * step) as usize;
                if cells[here] != side {
                    break;
                }
                found.insert(here);
            }
        }
    }
    found
}

#[test]
fn only_unbroken_runs_from_a_corner_count_as_stable() {
    // a1 b1 c1 hang together; e1 stands behind a gap, a3 behind another, b2 inside; h8 is White's.
    let game =
        position("XXX-X--- -X------ X------- ---OX--- ---XO--- -------- -------O -------O X");
    assert_eq!(terms(&game).own.stable, 3.0);
    assert_eq!(terms(&game).opponent.stable, 2.0);
    // A run without its corner is none.
    let game =
        position("-XXXXXX- X------- X------- ---OX--- ---XO--- X------- X------- -------- X");
    assert_eq!(terms(&game).own.stable, 0.0);
    // A whole edge is counted once, though both of its corners begin runs.
    let game =
        position("XXXXXXXX -------- -------- ---OX--- ---XO--- -------- -------- -------- X");
    assert_eq!(terms(&game).own.stable, 8.0);
    for number in 0..40 {
        whole_game(number, |game| {
            let (cells, side) = (cells(game), sign(game.color()));
            let found = terms(game);
            assert_eq!(found.own.stable as usize, edge_runs(&cells, side).len());
            assert_eq!(
                found.opponent.stable as usize,
                edge_runs(&cells, -side).len()
            );
        });
    }
}

#[test]
fn what_counts_as_stable_is_never_turned_again() {
    let mut seen = 0;
    for number in 0..100 {
        let mut stable: Vec<(usize, i32)> = Vec::new();
        whole_game(number, |game| {
            let cells = cells(game);
            for &(at, side) in &stable {
                assert_eq!(cells[at], side);
            }
            stable.clear();
            for side in [1, -1] {
                stable.extend(edge_runs(&cells, side).into_iter().map(|at| (at, side)));
            }
            seen += stable.len();
        });
    }
    assert!(seen > 1000, "only {seen} stable discs were seen");
}

#[test]
fn a_corner_belongs_to_its_owner_for_ever() {
    for number in 0..100 {
        let mut corners = [0; 4];
        whole_game(number, |game| {
            let cells = cells(game);
            for (owner, at) in corners.iter_mut().zip([0, 7, 56, 63]) {
                assert!(*owner == 0 || *owner == cells[at]);
                *owner = cells[at];
            }
            let mine = corners.iter().filter(|&&c| c == sign(game.color())).count();
            assert_eq!(terms(game).own.corners as usize, mine);
        });
    }
}

#[test]
fn mobility_is_a_share_and_nothing_when_nobody_can_move() {
    for number in 0..40 {
        whole_game(number, |game| {
            let (cells, side) = (cells(game), sign(game.color()));
            let own = moves_of(&cells, side).len() as f64;
            let other = moves_of(&cells, -side).len() as f64;
            let expected = match own + other {
                0.0 => 0.0,
                both => 100.0 * (own - other) / both,
            };
            let found = terms(game).difference.mobility;
            assert!((found - expected).abs() < 1e-9, "{found} {expected}");
            assert!((-100.0..=100.0).contains(&found));
            assert!(!game.is_over() || found == 0.0);
        });
    }
}

#[test]
fn the_total_is_the_weighted_sum_of_the_terms() {
    let middle = TermWeights {
        square: 1.0,
        mobility: 8.0,
        corners: 80.0,
        stable: 12.0,
        discs: 0.5,
    };
    let end = TermWeights {
        square: 0.2,
        mobility: 0.0,
        corners: 60.0,
        stable: 20.0,
        discs: 100.0,
    };
    assert_eq!(TermWeights::at(13), middle);
    assert_eq!(TermWeights::at(12), end);
    for number in 0..40 {
        whole_game(number, |game| {
            let cells = cells(game);
            let (side, empties) = (sign(game.color()), game.board().empties());
            let weights = if empties > 12 { middle } else { end };
            let found = terms(game);
            for (terms, side) in [(found.own, side), (found.opponent, -side)] {
                let Terms {
                    square,
                    mobility,
                    corners,
                    stable,
                    discs,
                    total,
                } = terms;
                let own = || (0..64).filter(|&at| cells[at] == side);
                assert_eq!(discs as usize, own().count());
                let squares: i32 = own().map(|at| SQUARE_WEIGHTS[at]).sum();
                assert_eq!(square, f64::from(squares));
                let sum = weights.square * square
                    + weights.mobility * mobility
                    + weights.corners * corners
                    + weights.stable * stable
                    + weights.discs * discs;
                assert!((total - sum).abs() < 1e-9);
            }
            let difference = found.own.total - found.opponent.total;
            assert!((found.difference.total - difference).abs() < 1e-9);
        });
    }
}

#[test]
fn the_square_weights_are_symmetric_with_the_corners_on_top() {
    for symmetry in Symmetry::ALL {
        for square in Square::ALL {
            let image = symmetry.apply_square(square);
            assert_eq!(
                SQUARE_WEIGHTS[usize::from(square.index())],
                SQUARE_WEIGHTS[usize::from(image.index())]
            );
        }
    }
    let corners = ["a1", "h1", "a8", "h8"].map(at);
    let diagonal = ["b2", "g2", "b7", "g7"].map(at);
    for (square, &weight) in SQUARE_WEIGHTS.iter().enumerate() {
        assert_eq!(weight == 120, corners.contains(&square));
        assert_eq!(weight == -40, diagonal.contains(&square));
        assert!((-40..=120).contains(&weight));
    }
}

/// Everything tried to the end: a1 makes a draw, every other move loses.
#[test]
fn a_corner_that_is_best_comes_first() {
    let game =
        position("-OX-O--- -XXXOO-X OOOOOOX- OOOXOO-X OOXOXOX- OOOXXXOO OO-XX-X- O-OXXXXX X");
    for level in [1, 2, 3, 4, 6, 10] {
        let found = scores(level, &game);
        assert_eq!(usize::from(found[0].square.index()), at("a1"), "{found:?}");
        let mut engine = builtin(level);
        engine.new_game().expect("it can always begin");
        let chosen = engine.choose(&game).expect("there is a move");
        assert_eq!(usize::from(chosen.index()), at("a1"), "level {level}");
    }
}

/// Each move's score is its own value and no bound: it equals what trying everything finds.
#[test]
fn scores_near_the_end_are_those_of_trying_everything() {
    let mut compared = 0;
    for number in 0..40 {
        let game = opening(number, 53 + number as usize % 5);
        if game.board().legal_moves() == 0 {
            continue;
        }
        let (cells, side) = (cells(&game), sign(game.color()));
        let found = scores(6, &game);
        assert_eq!(found.len(), moves_of(&cells, side).len());
        for score in &found {
            let next = after(&cells, usize::from(score.square.index()), side);
            let expected = -value(&next, -side);
            assert!(score.exact);
            assert_eq!(score.score, f64::from(expected), "{}", score.square);
            compared += 1;
        }
        assert!(found.is_sorted_by(|a, b| a.score >= b.score));
    }
    assert!(compared > 60, "only {compared} moves were compared");
}

#[test]
fn whatever_the_level_the_answer_is_a_legal_move_and_the_same_each_time() {
    for game in positions().step_by(11) {
        let (cells, side) = (cells(&game), sign(game.color()));
        let legal = moves_of(&cells, side);
        for level in [0, 1, 2, 4] {
            let ask = || {
                let mut engine = builtin(level);
                engine.new_game().expect("it can always begin");
                usize::from(engine.choose(&game).expect("there is a move").index())
            };
            let chosen = ask();
            assert!(legal.contains(&chosen), "level {level}");
            assert_eq!(ask(), chosen, "level {level}");
        }
    }
}

#[test]
fn even_positions_have_no_lead() {
    let found = terms(&Game::new());
    assert_eq!(found.own, found.opponent);
    assert_eq!(found.difference, Terms::default());
}
