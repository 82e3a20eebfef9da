//! The engine against the rules and against exhaustive search.

use super::*;
use crate::board::cpu::Portable;
use crate::board::{Color, Squares, Symmetry, parse_position};

fn engine(level: u32) -> Builtin {
    Builtin::new("builtin", level, 1, None, &Stop::new()).expect("a valid level")
}

/// A whole game by one engine.
fn play_out(engine: &mut Builtin, mut game: Game) -> Game {
    engine.new_game().expect("never fails");
    game.pass_if_forced();
    while !game.is_over() {
        let square = engine.choose(&game).expect("a move");
        game.play(square.into()).expect("a legal move");
        game.pass_if_forced();
    }
    game
}

/// Plain exhaustive search.
fn exhaustive(board: Board, rule: ScoreRule) -> i32 {
    let legal = board.legal_moves();
    if legal == 0 {
        if board.is_game_over() {
            return rule.final_score(board);
        }
        return -exhaustive(board.passed(), rule);
    }
    Squares(legal)
        .map(|square| -exhaustive(board.after(square, board.flips(square)), rule))
        .max()
        .expect("a legal move")
}

/// The position with `empties` empty squares and a legal move in random game number `seed`, if
/// that game gets there.
fn random_position(seed: u64, empties: u32) -> Option<Board> {
    let mut state = seed;
    let mut board = Board::START;
    loop {
        if board.must_pass() {
            board = board.passed();
        }
        let legal = board.legal_moves();
        if legal == 0 {
            return None;
        }
        if board.empties() <= empties {
            return Some(board);
        }
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let nth = (state >> 33) % u64::from(legal.count_ones());
        let square = Squares(legal).nth(nth as usize).expect("counted");
        board = board.after(square, board.flips(square));
    }
}

#[test]
fn games_are_legal_and_repeatable_at_every_low_level() {
    for level in 0..=4 {
        let mut played = engine(level);
        let first = play_out(&mut played, Game::new());
        let other = Game::from_move_text("f5d6c3d3c4f4").expect("legal");
        let _ = play_out(&mut played, other);
        assert_eq!(play_out(&mut played, Game::new()), first, "level {level}");
        assert_eq!(
            play_out(&mut engine(level), Game::new()),
            first,
            "level {level}"
        );
    }
}

#[test]
fn solved_games_end_with_the_value_of_exhaustive_search() {
    for seed in 0..20 {
        let Some(board) = random_position(seed, 8) else {
            continue;
        };
        for rule in ScoreRule::ALL {
            let mut solving = engine(4).with_rule(rule);
            let game = play_out(&mut solving, Game::from_position(board, Color::Black));
            assert_eq!(i32::from(game.black_score(rule)), exhaustive(board, rule));
        }
    }
}

#[test]
fn both_rules_equal_exhaustive_search() {
    for seed in 0..40 {
        let Some(board) = random_position(seed, 9) else {
            continue;
        };
        for rule in [ScoreRule::Plain, ScoreRule::WinnerTakesEmpties] {
            let evaluation = Evaluation::default();
            let stop = Stop::new();
            let setting = Setting {
                evaluation: &evaluation,
                rule,
                threads: Threads::one(),
                stop: stop.flag(),
            };
            let mut table = Table::new(12);
            let found = best_line(board, Reach::End, &mut table, &setting).expect("not stopped");
            assert_eq!(found.score, f64::from(exhaustive(board, rule)));
            let mut game = Game::from_position(board, Color::Black);
            for mv in found.line {
                game.play(mv).expect("legal");
            }
            assert!(game.is_over());
        }
    }
}

#[test]
fn the_four_first_moves_score_the_same() {
    let scores = engine(5).score_moves(&Game::new()).expect("scores");
    assert_eq!(scores.len(), 4);
    for score in &scores {
        assert_eq!(score.score, scores[0].score);
        assert_eq!(score.line[0], Move::Play(score.square));
    }
}

#[test]
fn a_corner_to_take_comes_first() {
    let text = "----XOO-----OO---O-OXOX--XXXXOO----XXOXX-OOXO-X----X-O---------- X";
    let (board, color) = parse_position(text).expect("a position");
    let h1 = Square::ALL[7];
    for symmetry in Symmetry::ALL {
        let game = Game::from_position(symmetry.apply_board(board), color);
        let corner = symmetry.apply_square(h1);
        assert!(game.board().is_legal(corner));
        for level in 1..=5 {
            let scores = engine(level).score_moves(&game).expect("scores");
            assert_eq!(scores[0].square, corner, "level {level}");
            assert!(scores[0].score > scores[1].score, "level {level}");
            assert_eq!(engine(level).choose(&game).expect("a move"), corner);
        }
    }
}

#[test]
fn a_raised_stop_ends_the_search() {
    let stop = Stop::new();
    let mut engine = Builtin::new("builtin", 20, 1, None, &stop).expect("valid");
    stop.request();
    assert!(matches!(
        engine.choose(&Game::new()),
        Err(EngineError::Stopped)
    ));
    assert!(matches!(
        engine.score_moves(&Game::new()),
        Err(EngineError::Stopped)
    ));
}

#[test]
fn impossible_levels_are_refused_by_name() {
    let error = Builtin::new("mine", 61, 1, None, &Stop::new())
        .err()
        .expect("refused");
    assert!(error.to_string().contains("`mine`"));
    assert!(error.to_string().contains("61"));
}

/// Plain minimax of a depth: a pass is no ply, a finished game has its final score.
fn minimax(board: Board, depth: u32, evaluation: &Evaluation, rule: ScoreRule) -> i32 {
    let legal = board.legal_moves();
    if legal == 0 {
        if board.is_game_over() {
            return rule.final_score(board) * CENTIDISC;
        }
        return -minimax(board.passed(), depth, evaluation, rule);
    }
    if depth == 0 {
        return evaluation.centidiscs(Portable, board);
    }
    Squares(legal)
        .map(|square| {
            let child = board.after(square, board.flips(square));
            -minimax(child, depth - 1, evaluation, rule)
        })
        .max()
        .expect("a legal move")
}

#[test]
fn a_search_of_a_depth_is_plain_minimax_of_that_depth() {
    let mut weights = SQUARE_WEIGHTS;
    weights[0] = 999;
    for evaluation in [
        Evaluation::default(),
        Evaluation::turnstone(),
        Evaluation::square_weights(weights),
    ] {
        for seed in 0..60 {
            let Some(board) = random_position(seed, 10 + seed as u32 % 45) else {
                continue;
            };
            let stop = Stop::new();
            let rule = ScoreRule::Plain;
            let setting = Setting {
                evaluation: &evaluation,
                rule,
                threads: Threads::one(),
                stop: stop.flag(),
            };
            let mut table = Table::new(10);
            for depth in 1..=4 {
                let expected = f64::from(minimax(board, depth, &evaluation, rule)) / 100.0;
                let reach = Reach::Plies(depth);
                let found = best_line(board, reach, &mut table, &setting).expect("not stopped");
                assert_eq!(found.score, expected, "depth {depth}, seed {seed}");
                assert_eq!(found.depth, depth);
                let scores = score_moves(board, reach, &mut table, &setting).expect("scores");
                assert_eq!(scores[0].score, expected, "depth {depth}, seed {seed}");
            }
        }
    }
}

fn setting<'a>(evaluation: &'a Evaluation, stop: &'a Stop) -> Setting<'a> {
    Setting {
        evaluation,
        rule: ScoreRule::Plain,
        threads: Threads::one(),
        stop: stop.flag(),
    }
}

#[test]
fn selective_search_at_full_confidence_is_the_full_search() {
    let (evaluation, stop) = (Evaluation::default(), Stop::new());
    let setting = setting(&evaluation, &stop);
    for seed in 0..40 {
        let Some(board) = random_position(seed + 500, 8 + seed as u32 % 40) else {
            continue;
        };
        for plies in [1, 3, 5, 6, 60] {
            if plies == 60 && board.empties() > 14 {
                continue;
            }
            let confidence = Confidence::FULL;
            let reach = Reach::Selective { plies, confidence };
            let found = best_line(board, reach, &mut Table::new(12), &setting);
            let full = match plies < board.empties() {
                true => Reach::Plies(plies),
                false => Reach::End,
            };
            let expected = best_line(board, full, &mut Table::new(12), &setting);
            assert_eq!(found, expected, "seed {seed}, {plies} plies");
        }
    }
}

/// Errors of which no search ever can be sure, or none at all.
fn made_up_errors(deviation: i32) -> midgame::Errors {
    use midgame::{Deep, Error, Errors};
    let mut errors = Errors::default();
    let error = Error {
        slope: 1000,
        bias: 0,
        deviation,
    };
    for shallow in 0..=midgame::MAX_SHALLOW {
        for depth in 1..=midgame::MAX_DEPTH {
            for stage in 0..patterns::STAGES {
                errors.set(Deep::Plies(stage, depth), shallow, error);
            }
        }
        for empties in 1..=midgame::MAX_EMPTIES {
            errors.set(Deep::End(empties), shallow, error);
        }
    }
    errors
}

#[test]
fn what_is_not_improbable_is_not_left_out() {
    let stop = Stop::new();
    let embedded = patterns::Patterns::embedded();
    let with =
        |deviation| Evaluation::Patterns(embedded.clone().with_errors(made_up_errors(deviation)));
    let (unsure, sure) = (with(100_000), with(0));
    let mut differing = 0;
    for seed in 0..30 {
        let Some(board) = random_position(seed + 900, 13 + seed as u32) else {
            continue;
        };
        let plies = if board.empties() <= 15 { 60 } else { 6 };
        let confidence = Confidence::P73;
        let search = |evaluation, reach| {
            best_line(
                board,
                reach,
                &mut Table::new(14),
                &setting(evaluation, &stop),
            )
            .expect("not stopped")
        };
        let reach = Reach::Selective { plies, confidence };
        let full = match plies {
            60 => Reach::End,
            plies => Reach::Plies(plies),
        };
        let (expected, all) = (search(&unsure, full), search(&unsure, reach));
        assert_eq!(all.score, expected.score, "seed {seed}");
        assert!(!all.exact);
        let few = search(&sure, reach);
        assert!(few.nodes < all.nodes, "seed {seed}");
        differing += u32::from(few.score != all.score);
    }
    assert!(differing > 0, "shallow searches cannot always be right");
}

#[test]
fn no_guess_is_called_exact() {
    let (evaluation, stop) = (Evaluation::default(), Stop::new());
    let setting = setting(&evaluation, &stop);
    for seed in 0..12 {
        let Some(board) = random_position(seed + 700, 6 + seed as u32) else {
            continue;
        };
        for confidence in Confidence::ALL {
            let plies = board.empties();
            let reach = Reach::Selective { plies, confidence };
            // The same table for all: what is exact in it must not lend its name to a guess.
            let mut table = Table::new(12);
            let solved = best_line(board, Reach::End, &mut table, &setting).expect("not stopped");
            let found = best_line(board, reach, &mut table, &setting).expect("not stopped");
            assert!(solved.exact);
            assert_eq!(found.exact, confidence == Confidence::FULL, "seed {seed}");
            assert_eq!(found.depth, plies);
            if found.exact {
                assert_eq!(found.score, solved.score);
            }
        }
    }
}

#[test]
fn an_evaluation_of_unknown_errors_leaves_nothing_out() {
    let (evaluation, stop) = (Evaluation::turnstone(), Stop::new());
    assert!(evaluation.errors().is_none());
    let setting = setting(&evaluation, &stop);
    let board = random_position(3, 30).expect("this game gets there");
    let (plies, confidence) = (5, Confidence::P73);
    let reach = Reach::Selective { plies, confidence };
    let found = best_line(board, reach, &mut Table::new(12), &setting).expect("not stopped");
    let full = best_line(board, Reach::Plies(5), &mut Table::new(12), &setting);
    assert_eq!(found, full.expect("not stopped"));
    assert_eq!(found.confidence, Confidence::FULL);
}

#[test]
fn a_search_by_time_always_has_a_move_and_solves_what_it_can() {
    use std::time::Duration;
    for evaluation in [Evaluation::default(), Evaluation::turnstone()] {
        let stop = Stop::new();
        let setting = setting(&evaluation, &stop);
        for seed in 0..20 {
            let Some(board) = random_position(seed + 300, 1 + 3 * seed as u32) else {
                continue;
            };
            let reach = Reach::Within(Duration::ZERO);
            let found = best_line(board, reach, &mut Table::new(12), &setting);
            let found = found.expect("not stopped");
            let Some(&Move::Play(square)) = found.line.first() else {
                panic!("no move in {board:?}");
            };
            assert!(board.is_legal(square));
            // One ply is searched in any case.
            assert_eq!(found.exact, board.empties() == 1);
        }
        // However slow the machine is, an hour is enough.
        let board = random_position(1, 14).expect("this game gets there");
        let reach = Reach::Within(Duration::from_secs(3600));
        let found = best_line(board, reach, &mut Table::new(16), &setting).expect("not stopped");
        let solved = best_line(board, Reach::End, &mut Table::new(16), &setting);
        assert!(found.exact);
        assert_eq!(found.score, solved.expect("not stopped").score);
        stop.request();
        let stopped = best_line(board, reach, &mut Table::new(16), &setting);
        assert_eq!(stopped, Err(Stopped));
    }
}

/// What games consist of must not change unnoticed: a dataset is continued by the same engine only.
/// If this fails on purpose, raise [`REVISION`] and put both new values here.
#[test]
fn moves_change_only_together_with_the_revision() {
    use sha2::{Digest, Sha256};
    let mut digest = Sha256::new();
    for level in 0..=6 {
        let mut engine = engine(level);
        for seed in 0..6 {
            let empties = 60 - 9 * seed as u32;
            let board = random_position(seed + 100, empties).expect("these games get there");
            let game = play_out(&mut engine, Game::from_position(board, Color::Black));
            digest.update(game.move_text());
            digest.update("\n");
        }
    }
    let digest: String = digest.finalize()[..8]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!((REVISION, digest.as_str()), (8, "419e8609c12a6074"));
}
