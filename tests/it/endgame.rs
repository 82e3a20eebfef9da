//! The solver against values from outside: other solvers' results, exhaustive search, symmetry.

use proptest::prelude::*;
use rdg::arena::positions::{KnownPosition, ffo};
use rdg::base::stop::Stop;
use rdg::board::{Board, Color, Game, Move, Squares, Symmetry};
use rdg::engine::builtin::{
    Evaluation, Found, Reach, ScoreRule, Setting, Table, Threads, best_line, score_moves,
};

fn solve(board: Board, rule: ScoreRule, table_bits: u32) -> Found {
    solve_with(Threads::one(), board, rule, table_bits)
}

fn solve_with(threads: &Threads, board: Board, rule: ScoreRule, table_bits: u32) -> Found {
    let evaluation = Evaluation::default();
    let stop = Stop::new();
    let setting = Setting {
        evaluation: &evaluation,
        rule,
        threads,
        stop: stop.flag(),
    };
    best_line(board, Reach::End, &mut Table::new(table_bits), &setting).expect("never stopped")
}

/// The value is the published one, the move one of those that reach it, and the line really leads
/// to that result.
fn check(position: &KnownPosition) {
    check_with(Threads::one(), position);
}

fn check_with(threads: &Threads, position: &KnownPosition) {
    let KnownPosition { number, board, .. } = *position;
    let found = solve_with(threads, board, ScoreRule::WinnerTakesEmpties, 20);
    assert_eq!(found.score, f64::from(position.score), "FFO {number}");
    assert!(found.exact);
    let mut game = Game::from_position(board, Color::Black);
    for &mv in &found.line {
        game.play(mv).expect("a legal line");
    }
    assert!(game.is_over(), "FFO {number}");
    let (end, color) = (game.board(), game.color());
    let for_white = color == Color::White;
    let score = end.winner_takes_empties() * if for_white { -1 } else { 1 };
    assert_eq!(i32::from(score), position.score, "FFO {number}");
    match found.line[0] {
        Move::Play(square) => assert!(position.best.contains(&square), "FFO {number}"),
        Move::Pass => panic!("FFO {number} has a legal move"),
    }
}

fn check_range(from: u32, to: u32) {
    for position in ffo() {
        if (from..=to).contains(&position.number) {
            check(&position);
        }
    }
}

#[test]
fn ffo_1_to_37() {
    check_range(1, 37);
}

#[test]
fn ffo_38_and_39() {
    check_range(38, 39);
}

/// Published values of every legal move, of [`ffo`]'s positions from `from` to `to`.
fn check_every_move(from: u32, to: u32) {
    let (evaluation, stop) = (Evaluation::default(), Stop::new());
    let threads = Threads::new(2).expect("the system gives threads");
    let setting = Setting {
        evaluation: &evaluation,
        rule: ScoreRule::WinnerTakesEmpties,
        threads: &threads,
        stop: stop.flag(),
    };
    let lines = include_str!("../data/ffo_moves.txt").lines();
    let mut table = Table::new(20);
    let mut checked = 0;
    for line in lines.filter(|line| !line.starts_with('#')) {
        let mut words = line.split(' ');
        let number: u32 = words.next().expect("a number").parse().expect("a number");
        if !(from..=to).contains(&number) {
            continue;
        }
        let mut published: Vec<(String, f64)> = words
            .map(|word| {
                let (square, value) = word.split_at(2);
                (square.to_string(), value.parse().expect("a value"))
            })
            .collect();
        let position = ffo().into_iter().find(|p| p.number == number);
        let board = position.expect("there").board;
        let mut found: Vec<(String, f64)> = score_moves(board, Reach::End, &mut table, &setting)
            .expect("never stopped")
            .into_iter()
            .inspect(|found| assert!(found.exact))
            .map(|found| (found.square.to_string(), found.score))
            .collect();
        let by_square = |a: &(String, f64), b: &(String, f64)| a.0.cmp(&b.0);
        published.sort_by(by_square);
        found.sort_by(by_square);
        assert_eq!(found, published, "FFO {number}");
        checked += 1;
    }
    assert_eq!(checked, to - from + 1);
}

#[test]
fn ffo_1_to_37_every_move() {
    check_every_move(1, 37);
}

#[test]
fn ffo_40_to_44_every_move() {
    check_every_move(40, 44);
}

/// Where nothing may be left out on a guess, the whole tree must not be searched for a forecast.
#[test]
fn an_evaluation_of_unknown_errors_solves_as_well() {
    let (evaluation, stop) = (Evaluation::turnstone(), Stop::new());
    let setting = Setting {
        evaluation: &evaluation,
        rule: ScoreRule::WinnerTakesEmpties,
        threads: Threads::one(),
        stop: stop.flag(),
    };
    let position = ffo().into_iter().find(|p| p.number == 23).expect("there");
    assert_eq!(position.board.empties(), 18);
    let mut table = Table::new(16);
    let found = best_line(position.board, Reach::End, &mut table, &setting).expect("not stopped");
    assert_eq!(found.score, f64::from(position.score));
    assert!(found.nodes < 5_000_000, "{}", found.nodes);
}

#[test]
fn ffo_40_to_42() {
    check_range(40, 42);
}

#[test]
fn ffo_43_and_44() {
    check_range(43, 44);
}

#[test]
fn ffo_20_to_36_by_several_threads() {
    for number in [2, 5] {
        let threads = Threads::new(number).expect("the system gives threads");
        for position in ffo() {
            if (20..=36).contains(&position.number) {
                check_with(&threads, &position);
            }
        }
    }
}

/// Also when a small table is overwritten all the time, and for every move by itself.
#[test]
fn scores_do_not_depend_on_the_number_of_threads() {
    let threads = [1, 2, 4].map(|number| Threads::new(number).expect("threads"));
    let (evaluation, stop) = (Evaluation::default(), Stop::new());
    let mut searched = 0;
    for seed in 0..24u32 {
        let picks: Vec<u8> = (0..60)
            .map(|ply| (seed * 37 + ply * (seed + 11)) as u8)
            .collect();
        let Some(board) = played(&picks, 14 + seed % 30) else {
            continue;
        };
        if board.legal_moves() == 0 {
            continue;
        }
        let reach = match board.empties() {
            ..=16 => Reach::End,
            _ => Reach::Plies(7),
        };
        let found = threads.each_ref().map(|threads| {
            let rule = ScoreRule::Plain;
            let setting = Setting {
                evaluation: &evaluation,
                rule,
                threads,
                stop: stop.flag(),
            };
            let best = best_line(board, reach, &mut Table::new(8), &setting).expect("not stopped");
            let moves = score_moves(board, reach, &mut Table::new(8), &setting);
            let mut moves = moves.expect("not stopped");
            moves.sort_by_key(|score| score.square.index());
            let moves: Vec<_> = moves.iter().map(|m| (m.square, m.score, m.exact)).collect();
            (best.score, best.exact, moves)
        });
        assert_eq!(found[0], found[1], "{board:?}");
        assert_eq!(found[0], found[2], "{board:?}");
        let best = found[0]
            .2
            .iter()
            .map(|&(_, score, _)| score)
            .fold(-64.0, f64::max);
        assert_eq!(best, found[0].0, "the best move's score is the position's");
        searched += 1;
    }
    assert!(searched > 15, "{searched} positions");
}

#[test]
fn a_search_by_several_threads_can_be_stopped() {
    let stop = Stop::new();
    let threads = Threads::new(3).expect("threads");
    let evaluation = Evaluation::default();
    let setting = Setting {
        evaluation: &evaluation,
        rule: ScoreRule::Plain,
        threads: &threads,
        stop: stop.flag(),
    };
    std::thread::scope(|scope| {
        let mut table = Table::new(12);
        let setting = &setting;
        // Takes years.
        let search = scope.spawn(move || best_line(Board::START, Reach::End, &mut table, setting));
        std::thread::sleep(std::time::Duration::from_millis(200));
        stop.request();
        assert!(search.join().expect("no panic").is_err());
    });
}

/// Plain alpha-beta without any of the solver's means.
fn plain(board: Board, rule: ScoreRule, mut alpha: i32, beta: i32) -> i32 {
    let legal = board.legal_moves();
    if legal == 0 {
        if board.is_game_over() {
            return match rule {
                ScoreRule::Plain => i32::from(board.disc_difference()),
                ScoreRule::WinnerTakesEmpties => i32::from(board.winner_takes_empties()),
            };
        }
        return -plain(board.passed(), rule, -beta, -alpha);
    }
    for square in Squares(legal) {
        let child = board.after(square, board.flips(square));
        alpha = alpha.max(-plain(child, rule, -beta, -alpha));
        if alpha >= beta {
            break;
        }
    }
    alpha
}

/// Without alpha-beta.
fn exhaustive(board: Board, rule: ScoreRule) -> i32 {
    let legal = board.legal_moves();
    if legal == 0 {
        if board.is_game_over() {
            return plain(board, rule, -64, 64);
        }
        return -exhaustive(board.passed(), rule);
    }
    Squares(legal)
        .map(|square| -exhaustive(board.after(square, board.flips(square)), rule))
        .max()
        .expect("there is a legal move")
}

/// The position with `empties` empty squares in the game that `picks` choose the moves of.
fn played(picks: &[u8], empties: u32) -> Option<Board> {
    let mut board = Board::START;
    for &pick in picks {
        if board.must_pass() {
            board = board.passed();
        }
        let legal = board.legal_moves();
        if legal == 0 || board.empties() == empties {
            break;
        }
        let nth = usize::from(pick) % legal.count_ones() as usize;
        let square = Squares(legal).nth(nth).expect("counted");
        board = board.after(square, board.flips(square));
    }
    (board.empties() == empties).then_some(board)
}

const RULES: [ScoreRule; 2] = [ScoreRule::Plain, ScoreRule::WinnerTakesEmpties];

fn picks() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn few_empties_equal_exhaustive_search(picks in picks(), empties in 0u32..=9) {
        if let Some(board) = played(&picks, empties) {
            for rule in RULES {
                prop_assert_eq!(solve(board, rule, 10).score, f64::from(exhaustive(board, rule)));
            }
        }
    }

    #[test]
    fn a_side_to_move_that_must_pass_is_worth_what_the_other_side_gets(picks in picks(), empties in 1u32..=12) {
        if let Some(board) = played(&picks, empties) {
            for rule in RULES {
                for board in [board, board.passed()] {
                    if board.must_pass() {
                        prop_assert_eq!(solve(board, rule, 10).score, -solve(board.passed(), rule, 10).score);
                    }
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn more_empties_equal_plain_alpha_beta(picks in picks(), empties in 10u32..=14) {
        if let Some(board) = played(&picks, empties) {
            for rule in RULES {
                let expected = f64::from(plain(board, rule, -64, 64));
                prop_assert_eq!(solve(board, rule, 12).score, expected);
            }
        }
    }

    #[test]
    fn symmetric_images_have_the_same_value(picks in picks(), empties in 8u32..=15) {
        if let Some(board) = played(&picks, empties) {
            let score = solve(board, ScoreRule::WinnerTakesEmpties, 12).score;
            for symmetry in Symmetry::ALL {
                let image = symmetry.apply_board(board);
                prop_assert_eq!(solve(image, ScoreRule::WinnerTakesEmpties, 12).score, score);
            }
        }
    }

    #[test]
    fn colours_change_nothing_but_the_point_of_view(picks in picks(), empties in 8u32..=14) {
        if let Some(board) = played(&picks, empties) {
            // The same discs with Black and White to move: what one side wins, the other loses.
            let mover = Game::from_position(board, Color::Black);
            let swapped = Game::from_position(board, Color::White);
            let line = solve(board, ScoreRule::Plain, 12);
            let end = |mut game: Game| {
                for &mv in &line.line {
                    game.play(mv).expect("a legal line");
                }
                f64::from(game.black_difference())
            };
            prop_assert_eq!(end(mover), line.score);
            prop_assert_eq!(end(swapped), -line.score);
        }
    }

    #[test]
    fn every_move_has_its_own_true_value(picks in picks(), empties in 6u32..=10) {
        if let Some(board) = played(&picks, empties) {
            let evaluation = Evaluation::default();
            let stop = Stop::new();
            for rule in RULES {
                let setting = Setting { evaluation: &evaluation, rule, threads: Threads::one(), stop: stop.flag() };
                let scores = score_moves(board, Reach::End, &mut Table::new(10), &setting).expect("never stopped");
                prop_assert_eq!(scores.len(), board.legal_moves().count_ones() as usize);
                for found in scores {
                    let child = board.play(found.square).expect("legal");
                    prop_assert_eq!(found.score, -f64::from(plain(child, rule, -64, 64)));
                    prop_assert!(found.exact);
                }
            }
        }
    }
}

/// `cargo test --release --test it -- --ignored ten_thousand_positions`.
#[test]
#[ignore = "takes minutes"]
fn ten_thousand_positions_equal_plain_alpha_beta() {
    let mut state = 1u64;
    let (mut solved, mut empties) = (0, 10);
    while solved < 10_000 {
        let picks: Vec<u8> = (0..60)
            .map(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (state >> 56) as u8
            })
            .collect();
        let Some(board) = played(&picks, empties) else {
            continue;
        };
        for rule in RULES {
            let expected = f64::from(plain(board, rule, -64, 64));
            assert_eq!(solve(board, rule, 12).score, expected, "{board:?}");
        }
        solved += 1;
        empties = 10 + solved % 3;
    }
}

/// Positions that no game reaches must not trip the solver either.
#[test]
fn made_up_positions_are_solved_too() {
    let full = Board {
        own: 0xffff_0000_ffff_0000,
        opponent: 0x0000_ffff_0000_ffff,
    };
    assert_eq!(solve(full, ScoreRule::Plain, 8).score, 0.0);
    assert!(solve(full, ScoreRule::Plain, 8).line.is_empty());
    let alone = Board {
        own: 0xffff_ffff_ffff_0000,
        opponent: 0,
    };
    assert_eq!(solve(alone, ScoreRule::Plain, 8).score, 48.0);
    assert_eq!(solve(alone, ScoreRule::WinnerTakesEmpties, 8).score, 64.0);
    // The one empty square, a1, is on no line with b3, the opponent's only disc: nobody can play there.
    let stuck = Board {
        own: !1 & !0x2_0000,
        opponent: 0x2_0000,
    };
    assert_eq!(solve(stuck, ScoreRule::Plain, 8).score, 61.0);
    assert_eq!(solve(stuck, ScoreRule::WinnerTakesEmpties, 8).score, 62.0);
}
