//! Where games begin: only in balanced positions, or with lines of a file.

use crate::common::dataset::{Config, bytes_of_games, bytes_of_phases, json, records};
use crate::common::{Env, code, stderr, stdout};
use crate::kept_games::survives_kills;
use crate::solved_endings::kept;
use rdg::base::rng::StreamKey;
use rdg::base::stop::Stop;
use rdg::board::{Board, Game, ScoreRule};
use rdg::engine::builtin::{Evaluation, Reach, Setting, Table, Threads, score_moves};
use rdg::games::{Ending, KeptGame};
use serde_json::Value;
use std::collections::BTreeSet;

/// The best of all moves, each scored on its own to the same depth.
fn score(board: Board) -> f64 {
    let stop = Stop::new();
    let setting = Setting {
        evaluation: &Evaluation::default(),
        rule: ScoreRule::Plain,
        threads: Threads::one(),
        stop: stop.flag(),
    };
    if board.is_game_over() {
        return f64::from(board.disc_difference());
    }
    if board.legal_moves() == 0 {
        // A pass is a ply of the four.
        let scores = score_moves(
            board.passed(),
            Reach::Plies(3),
            &mut Table::new(10),
            &setting,
        );
        return -best(&scores.unwrap());
    }
    best(&score_moves(board, Reach::Plies(4), &mut Table::new(10), &setting).unwrap())
}

fn best(scores: &[rdg::engine::MoveScore]) -> f64 {
    scores
        .iter()
        .map(|found| found.score)
        .fold(f64::MIN, f64::max)
}

/// The position at which self-play begins, or would.
fn anchor(kept: &KeptGame) -> Board {
    let mut replay = KeptGame {
        ending: Ending::GivenUp,
        ..kept.clone()
    };
    replay.moves.truncate(kept.random_moves.into());
    replay.replay().unwrap().board()
}

#[test]
fn unbalanced_games_are_thrown_away_and_counted() {
    let config = Config::new("20..22")
        .samples(40)
        .window(3)
        .max_score(6)
        .keep(true);
    let env = Env::new();
    config.generate(&env);
    let games = kept(&env.path("out"));
    let mut unbalanced = 0;
    for game in &games {
        let score = score(anchor(game)).abs();
        match game.ending {
            Ending::Unbalanced => assert!(score > 6.0, "{score}: {game:?}"),
            _ => assert!(score <= 6.0, "{score}: {game:?}"),
        }
        unbalanced += u64::from(game.ending == Ending::Unbalanced);
    }
    assert!(unbalanced > 20, "{unbalanced}");
    let windows = json(&env.path("out/window_stats.json"));
    assert_eq!(windows["total_unbalanced"], unbalanced);
    assert_eq!(windows["total_ended_early"], 0);
    assert_eq!(windows["total_failed_trajectories"], 0);
    let state = json(&env.path("out/games_20/games_state.json"));
    assert_eq!(state["endings"]["unbalanced"], unbalanced);
    let stats = json(&env.path("out/phase_20/stats.json"));
    let number = |key: &str| stats[key].as_u64().unwrap();
    assert_eq!(
        number("attempts"),
        40 + number("unbalanced") + number("duplicate_positions")
    );
    assert_eq!(
        json(&env.path("out/phase_20/metadata.json"))["max_score"],
        6
    );
    let run = env.run(&["verify", "--replay", "out"]);
    assert_eq!(code(&run), 0, "{}", stdout(&run));
    let run = env.run(&["inspect", "out"]);
    assert!(stdout(&run).contains("within 6 discs"), "{}", stdout(&run));

    // One worker and five.
    for workers in [1, 5] {
        let other = Env::new();
        config.clone().workers(workers).generate(&other);
        assert!(bytes_of_phases(&env.path("out")) == bytes_of_phases(&other.path("out")));
        assert!(bytes_of_games(&env.path("out")) == bytes_of_games(&other.path("out")));
    }
    // Another limit is other data.
    let run = config.clone().max_score(7).run(&env, &["--resume"]);
    assert_eq!(code(&run), 1);
    let said = stderr(&run);
    assert!(
        said.contains("playout.max_score: 6 before, 7 now"),
        "{said}"
    );
}

#[test]
fn a_limit_that_nothing_meets_is_foreseen_and_ends_as_always() {
    // Scores of nothing at all, in hundredths of a disc, are rare.
    let config = Config::new("40").samples(10).max_score(0).attempts(3);
    let env = Env::new();
    let run = config.run(&env, &["--dry-run"]);
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    let text = stdout(&run);
    assert!(text.contains("gives up"), "{text}");
    assert!(text.contains("Balanced"), "{text}");
    let run = config.run(&env, &["--no-progress"]);
    let said = stderr(&run);
    assert!(said.contains("of them were unbalanced"), "{said}");
    assert!(said.contains("unbalanced="), "{said}");
    // A share of half, and twice the games.
    let config = Config::new("20").samples(400).max_score(12);
    let run = config.run(&env, &["--dry-run", "--json-progress"]);
    let plan: Value = serde_json::from_str(&stdout(&run)).unwrap();
    let share = plan["campaigns"][0]["balanced_share"].as_f64().unwrap();
    assert!(share > 0.2 && share < 1.0, "{share}");
    let games = plan["campaigns"][0]["expected_games"].as_f64().unwrap();
    assert!((games * share - 400.0).abs() < 20.0, "{games} {share}");
}

#[test]
fn killed_with_unbalanced_games() {
    let config = Config::new("12..16")
        .samples(50)
        .window(5)
        .level(2)
        .max_score(5)
        .keep(true);
    survives_kills("max_score", &config, 2, 41);
}

/// A move list, a position, a position with moves; comments and layout do not count.
const LINES: &str = "# to be begun with\nf5d6c3d3c4\n\nF5 F6 E6 f4\n\
    ---------------------------OX------XO--------------------------- X f5d6\n\
    ---------------------------OX------XXX-------------------------- O\n";

/// The positions that the lines lead to, from their moves alone.
fn ends() -> Vec<Board> {
    ["f5d6c3d3c4", "f5f6e6f4", "f5d6", "f5"]
        .map(|moves| Game::from_move_text(moves).unwrap().board())
        .to_vec()
}

fn begun(kept: &KeptGame) -> Board {
    let mut replay = KeptGame {
        ending: Ending::GivenUp,
        ..kept.clone()
    };
    replay.moves.truncate(kept.opening_moves.into());
    replay.replay().unwrap().board()
}

#[test]
fn games_begin_with_the_lines_of_the_file() {
    let config = |order| {
        Config::new("10..12")
            .samples(40)
            .window(3)
            .openings(LINES, order)
            .keep(true)
    };
    let ends = ends();
    for order in ["random", "sequential"] {
        let env = Env::new();
        config(order).generate(&env);
        let key = StreamKey::new(42, "normal", 10);
        let mut met = BTreeSet::new();
        for game in kept(&env.path("out")) {
            let line = match order {
                "random" => key.game(game.number).below(4) as usize,
                _ => game.number as usize % 4,
            };
            met.insert(line);
            assert_eq!(begun(&game), ends[line], "{order}, game {}", game.number);
            assert_eq!(anchor(&game).phase(), 10);
        }
        assert_eq!(met.len(), 4, "{order}");
        let run = env.run(&["verify", "--replay", "out"]);
        assert_eq!(code(&run), 0, "{}", stdout(&run));
        let metadata = json(&env.path("out/phase_11/metadata.json"));
        assert_eq!(metadata["openings"]["order"], order);
        // Workers change nothing; layout and comments neither.
        let other = Env::new();
        let lines = LINES.replace("# to be begun with\n", "# other words\n");
        config(order)
            .openings(&lines, order)
            .workers(5)
            .generate(&other);
        assert!(bytes_of_phases(&env.path("out")) == bytes_of_phases(&other.path("out")));
        // Another line does.
        let lines = LINES.replace("f5d6c3d3c4", "f5d6c4");
        let run = config(order)
            .openings(&lines, order)
            .run(&env, &["--resume"]);
        assert_eq!(code(&run), 1, "{}", stderr(&run));
        assert!(stderr(&run).contains("openings.sha256"), "{}", stderr(&run));
        let run = Config::new("10..12")
            .samples(40)
            .window(3)
            .run(&env, &["--resume"]);
        assert!(stderr(&run).contains("no openings now"), "{}", stderr(&run));
    }
}

#[test]
fn killed_with_openings() {
    let config = Config::new("10..12")
        .samples(50)
        .window(3)
        .level(2)
        .openings(LINES, "random")
        .max_score(20)
        .keep(true);
    survives_kills("openings", &config, 2, 43);
}

#[test]
fn openings_that_cannot_be_used_are_told_by_line_or_number() {
    let refused = |config: &Config, words: &[&str]| {
        let env = Env::new();
        let run = config.run(&env, &["--no-progress"]);
        assert_eq!(code(&run), 2, "{}", stderr(&run));
        for word in words {
            assert!(stderr(&run).contains(word), "{word}: {}", stderr(&run));
        }
        assert!(!env.path("out").exists());
    };
    let with = |lines: &str| Config::new("4..9").window(6).openings(lines, "random");
    refused(
        &with("f5d6\nf5f5\n"),
        &["line 2 of the openings", "openings.txt", "f5"],
    );
    refused(
        &with("f5d6\nf5d6c3d3c4\n"),
        &["opening 2 of", "phase 5", "phase 4"],
    );
    refused(
        &with("e6f4e3f6g5d6e7f5c5\n"),
        &["line 1", "the game is over there"],
    );
    refused(&with("# nothing\n"), &["there is no opening in"]);
    let all = Config::new("2..3")
        .all_positions()
        .openings("f5\n", "random");
    refused(&all, &["all_positions", "openings"]);
    let env = Env::new();
    with("f5\n").write(&env);
    std::fs::remove_file(env.path("configs/openings.txt")).unwrap();
    std::fs::create_dir(env.path("configs/openings.txt")).unwrap();
    let run = env.run(&[]);
    assert_eq!(code(&run), 2, "{}", stderr(&run));
    assert!(
        stderr(&run).contains("cannot read the openings"),
        "{}",
        stderr(&run)
    );
    // A pipe that nobody writes to is not waited for.
    let path = env.path("configs/openings.txt");
    std::fs::remove_dir(&path).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, &path, rustix::fs::Mode::RWXU).unwrap();
    let run = env.run(&[]);
    assert_eq!(code(&run), 2, "{}", stderr(&run));
    assert!(
        stderr(&run).contains("not a regular file"),
        "{}",
        stderr(&run)
    );
}

/// As long as the random part: each line is one game, and no more samples are to be had.
#[test]
fn lines_as_long_as_the_random_part_are_games() {
    let config = Config::new("4").openings("f5f6e6f4\nf5d6c3d3\n", "sequential");
    let env = Env::new();
    config.clone().samples(2).generate(&env);
    let games = bytes_of_phases(&env.path("out"));
    assert!(!games.is_empty());
    let run = config
        .clone()
        .samples(50)
        .attempts(2)
        .run(&env, &["--dry-run"]);
    let text = stdout(&run);
    assert!(text.contains("2 lines of"), "{text}");
    assert!(text.contains("2 different positions"), "{text}");
    assert!(text.contains("cannot be filled"), "{text}");
    let run = config
        .samples(50)
        .attempts(2)
        .run(&env, &["--resume", "--no-progress"]);
    assert!(
        stderr(&run).contains("phase 4 has 2 of 50 samples"),
        "{}",
        stderr(&run)
    );
}

/// A line may begin with a position that no game from the start reaches: discs in two groups.
#[test]
fn openings_need_not_be_reachable() {
    let apart = "XO------ -------- -------- ---OX--- ---XO--- -------- -------- ------OX X";
    let env = Env::new();
    Config::new("6..9")
        .samples(3)
        .window(4)
        .openings(apart, "random")
        .keep(true)
        .generate(&env);
    let run = env.run(&["verify", "--replay", "out"]);
    assert_eq!(code(&run), 0, "{}{}", stdout(&run), stderr(&run));
}

/// Shards begin with the same lines, and their merge needs no file.
#[test]
fn shards_with_openings_and_balanced_starts_merge_to_the_same_bytes() {
    let config = Config::new("10..12")
        .samples(40)
        .window(3)
        .openings(LINES, "random")
        .max_score(8);
    let one = Env::new();
    config.clone().keep(true).generate(&one);
    let env = Env::new();
    for shard in ["1/2", "2/2"] {
        let run = config.run(&env, &["--shard", shard, "--until-game", "400"]);
        assert_eq!(code(&run), 0, "{}", stderr(&run));
    }
    std::fs::remove_file(env.path("configs/openings.txt")).unwrap();
    let run = env.run(&[
        "merge",
        "out/shard_1_of_2",
        "out/shard_2_of_2",
        "--output",
        "merged",
    ]);
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    assert!(bytes_of_phases(&env.path("merged")) == bytes_of_phases(&one.path("out")));
    assert!(bytes_of_games(&env.path("merged")) == bytes_of_games(&one.path("out")));
    let metadata = |path: std::path::PathBuf| json(&path)["openings"]["sha256"].clone();
    assert_eq!(
        metadata(env.path("merged/phase_10/metadata.json")),
        metadata(one.path("out/phase_10/metadata.json"))
    );
}

/// After these eight moves Black has no legal one.
const PASS_BEHIND: &str = "e6f6c4e7e8d8g7f8";

/// A position is recorded as its last move left it, whether or not the line says the pass.
#[test]
fn a_line_may_end_where_the_next_side_must_pass() {
    let expected = Game::from_move_text(PASS_BEHIND).unwrap().board();
    assert!(expected.must_pass());
    let mut found = BTreeSet::new();
    for pass in ["", "pa", " --"] {
        let env = Env::new();
        let line = format!("{PASS_BEHIND}{pass}\n");
        Config::new("8")
            .samples(1)
            .split(1.0, 0.0, 0.0)
            .openings(&line, "sequential")
            .keep(true)
            .generate(&env);
        let records = records(&env.path("out"), 8, "train");
        assert_eq!(records.len(), 1);
        assert_eq!(
            (records[0].own, records[0].opponent),
            (expected.own, expected.opponent),
            "{pass}"
        );
        found.insert(records[0].value);
        let run = env.run(&["verify", "--replay", "out"]);
        assert_eq!(code(&run), 0, "{}{}", stdout(&run), stderr(&run));
    }
    assert_eq!(found.len(), 1);
}

/// Games that are read from what is kept count as those that are played: passes of a line are
/// nobody's.
#[test]
fn a_phase_taken_from_kept_games_counts_what_a_played_one_does() {
    let mut line = Game::from_move_text(PASS_BEHIND).unwrap();
    assert!(line.pass_if_forced());
    let square = rdg::board::Squares(line.board().legal_moves())
        .next()
        .unwrap();
    line.play(square.into()).unwrap();
    let config = Config::new("12..14")
        .samples(30)
        .window(3)
        .openings(&format!("{}\nf5d6\n", line.move_text()), "random")
        .max_score(20)
        .keep(true);
    let env = Env::new();
    config.generate(&env);
    let counts = || {
        let stats = json(&env.path("out/phase_13/stats.json"));
        ["playout", "self_play", "unbalanced", "ended_early"].map(|key| stats[key].clone())
    };
    let played = counts();
    std::fs::remove_dir_all(env.path("out/phase_13")).unwrap();
    config.succeed(&env, &["--resume"]);
    assert_eq!(counts(), played);
}

#[test]
fn verify_adds_up_what_became_of_the_games() {
    let env = Env::new();
    Config::new("20").samples(30).max_score(8).generate(&env);
    assert_eq!(code(&env.run(&["verify", "out"])), 0);
    let path = env.path("out/phase_20/run_state.json");
    let mut state = json(&path);
    let unbalanced = state["counters"]["unbalanced"].as_u64().unwrap();
    assert!(unbalanced > 0);
    state["counters"]["unbalanced"] = (unbalanced - 1).into();
    std::fs::write(&path, state.to_string()).unwrap();
    let run = env.run(&["verify", "out"]);
    assert_eq!(code(&run), 1);
    let said = stdout(&run);
    assert!(said.contains("run_state.json"), "{said}");
    assert!(said.contains("were unbalanced or failed"), "{said}");
}
