//! `[label] value = "score"`: what the engine's search said, with games kept and without.

use crate::common::dataset::{Config, json, records};
use crate::common::{Env, code, stderr, stdout};
use crate::kept_games::survives_kills;
use crate::solved_endings::kept;
use rdg::base::stop::Stop;
use rdg::board::{Color, Game, Move, ScoreRule};
use rdg::engine::Engine;
use rdg::engine::builtin::Builtin;
use rdg::games::{Ending, KeptGame};
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;

/// Rounded to whole discs, halves away from zero, after what is below a hundredth is gone.
fn rounded(score: f64) -> i16 {
    let hundredths = (score * 100.0 + score.signum() * 1e-6).trunc();
    (hundredths / 100.0)
        .abs()
        .round()
        .copysign(hundredths)
        .clamp(-64.0, 64.0) as i16
}

/// The value of each position of a game from its anchor on, asked of the engine in the order of the
/// game, and derived from the end backwards where nobody was asked.
fn values(kept: &KeptGame, level: u32, rule: ScoreRule, solve_from: u32) -> Vec<((u64, u64), i16)> {
    let mut engine = Builtin::new("builtin", level, 1, None, &Stop::new())
        .unwrap()
        .with_rule(rule);
    engine.new_game().unwrap();
    let mut game = Game::new();
    let mut positions: Vec<((u64, u64), Color, Option<i16>)> = Vec::new();
    let mut placed = 0;
    for &mv in kept.replay().unwrap().moves() {
        // The last position noted is the one before the pass; the score is of the one behind it.
        let board = game.board();
        if mv != Move::Pass && placed >= usize::from(kept.random_moves) {
            let is_asked = board.empties() > solve_from && board.legal_moves().count_ones() > 1;
            let score = is_asked.then(|| {
                let (square, score) = engine.choose_with_score(&game).unwrap();
                assert_eq!(Move::Play(square), mv);
                let score = score.unwrap();
                let told = kept.score(placed).unwrap().discs();
                assert!((told - score).abs() < 0.0101, "{told} {score}");
                rounded(score)
            });
            if !is_asked {
                assert_eq!(kept.score(placed), None);
            }
            let black = score.map(|score| match game.color() {
                Color::Black => score,
                Color::White => -score,
            });
            positions.last_mut().unwrap().2 = black;
        }
        game.play(mv).unwrap();
        if mv != Move::Pass {
            placed += 1;
        }
        let board = game.board();
        let is_new = mv != Move::Pass && placed >= usize::from(kept.random_moves);
        if is_new {
            positions.push(((board.own, board.opponent), game.color(), None));
        }
    }
    let mut black = game.black_score(rule);
    let mut values = Vec::new();
    for (board, color, told) in positions.into_iter().rev() {
        black = told.unwrap_or(black);
        let value = if color == Color::Black { black } else { -black };
        values.push((board, value));
    }
    values
}

#[test]
fn values_are_what_the_search_said() {
    for (rule, name, solve_from, level, phases) in [
        (
            ScoreRule::WinnerTakesEmpties,
            "winner_takes_empties",
            0,
            3,
            "30..36",
        ),
        (ScoreRule::Plain, "plain", 10, 2, "44..57"),
    ] {
        let env = Env::new();
        Config::new(phases)
            .samples(25)
            .window(14)
            .level(level)
            .solve_from(solve_from)
            .score_rule(name)
            .label("score")
            .keep(true)
            .generate(&env);
        let mut expected: BTreeMap<(u64, u64), Vec<i16>> = BTreeMap::new();
        for game in kept(&env.path("out")) {
            if game.ending == Ending::Finished {
                for (board, value) in values(&game, level, rule, solve_from.into()) {
                    expected.entry(board).or_default().push(value);
                }
            }
        }
        let (mut seen, mut odd) = (0, 0);
        for phase in Config::new(phases).phases() {
            for split in ["train", "valid", "test"] {
                for record in records(&env.path("out"), phase, split) {
                    let values = &expected[&(record.own, record.opponent)];
                    assert!(values.contains(&record.value), "{record:?} {values:?}");
                    seen += 1;
                    odd += usize::from(record.value % 2 != 0);
                }
            }
        }
        assert!(seen > 100 && odd > 10, "{seen} {odd}");
        let run = env.run(&["verify", "--replay", "out"]);
        assert_eq!(code(&run), 0, "{}{}", stdout(&run), stderr(&run));
    }
}

#[test]
fn the_label_is_named_and_cannot_change() {
    let env = Env::new();
    let config = Config::new("40").samples(5).label("score");
    config.generate(&env);
    assert_eq!(
        json(&env.path("out/phase_40/metadata.json"))["label"],
        "score"
    );
    let text = stdout(&env.run(&["inspect", "out"]));
    assert!(text.contains("score of the engine's search"), "{text}");
    let run = Config::new("40").samples(9).run(&env, &["--resume"]);
    assert_eq!(code(&run), 1);
    let said = stderr(&run);
    assert!(
        said.contains("label.value: score before, result now"),
        "{said}"
    );
    // Said or not, a result is a result.
    let env = Env::new();
    Config::new("40").samples(5).generate(&env);
    Config::new("40")
        .samples(9)
        .label("result")
        .succeed(&env, &["--resume"]);
}

#[test]
fn killed_with_scores() {
    let config = Config::new("20..26")
        .samples(40)
        .window(7)
        .level(2)
        .label("score")
        .playout_ai(0.2)
        .solve_from(8)
        .keep(true);
    survives_kills("scores", &config, 2, 47);
    let config = Config::new("3..4")
        .all_positions()
        .label("score")
        .keep(true);
    survives_kills("scores of all positions", &config, 1, 48);
}

/// This program over NBoard, its answers changed by sed.
fn changed(script: &str) -> String {
    let own = assert_cmd::cargo::cargo_bin!("rdg");
    let words = format!(
        "'{}' engine nboard --level 2 | sed -u -E '{script}'",
        own.display()
    );
    format!("kind = \"nboard\"\nbinary = \"/bin/sh\"\nargs = [\"-c\", {words:?}]\n")
}

#[test]
fn engines_from_outside_tell_theirs_by_the_standard_rule() {
    let config = |entry: &str| {
        Config::new("44..46")
            .samples(8)
            .window(3)
            .level(2)
            .retries(0)
            .label("score")
            .engine("other", entry)
    };
    let refused = |config: Config, words: &[&str]| {
        let env = Env::new();
        let run = config.run(&env, &["--no-progress"]);
        assert_eq!(code(&run), 2, "{}", stderr(&run));
        for word in words {
            assert!(stderr(&run).contains(word), "{word}: {}", stderr(&run));
        }
        assert!(!env.path("out/phase_44").exists());
    };
    let standard = |entry: &str| config(entry).score_rule("winner_takes_empties");
    refused(
        config(&changed("")),
        &["engine `other`", "score_rule = \"winner_takes_empties\""],
    );
    refused(
        standard(&changed("s#^(=== [A-Ha-h][1-8]).*#\\1#")),
        &[
            "engine `other`",
            "tells no score",
            "label.value = \"result\"",
        ],
    );
    refused(
        standard(&changed("s#^(=== ..).*#\\1/nan/0#")),
        &["tells no score"],
    );
    let own = assert_cmd::cargo::cargo_bin!("rdg");
    let gtp = format!(
        "kind = \"gtp\"\nbinary = {own:?}\nargs = [\"engine\", \"gtp\", \"--level\", \"{{level}}\"]\n"
    );
    refused(
        standard(&gtp),
        &["engine `other` (kind `gtp`)", "tells no score"],
    );
    refused(
        Config::new("44").label("score").level(0),
        &["engine `builtin`", "tells no score"],
    );

    // The same search over the pipe.
    let piped = Env::new();
    standard(&changed("")).generate(&piped);
    near_the_embedded_ones(&piped);

    // One that sometimes forgets: these games are lost, and told as failures of the engine.
    let env = Env::new();
    // Many workers, for three games in a row are no chance then.
    let forgetful = standard(&changed("s#^(=== [Aa]1).*#\\1#"))
        .attempts(1000)
        .samples(30)
        .workers(8);
    let said = forgetful.succeed(&env, &["--no-progress"]);
    let stats = json(&env.path("out/window_stats.json"));
    let failed = stats["total_failed_trajectories"].as_u64().unwrap();
    assert!(failed > 0, "{said}");
    let metadata = json(&env.path("out/phase_44/metadata.json"));
    assert_eq!(metadata["reproducible"], false);
}

/// Values of the same search as the embedded engine's, told with fewer decimals: over the pipe they
/// may be rounded, or cut off, across a half.
fn near_the_embedded_ones(piped: &Env) {
    let embedded = Env::new();
    Config::new("44..46")
        .samples(8)
        .window(3)
        .level(2)
        .label("score")
        .score_rule("winner_takes_empties")
        .generate(&embedded);
    let (mut equal, mut all) = (0, 0);
    for phase in 44..=46 {
        for split in ["train", "valid", "test"] {
            let one = records(&piped.path("out"), phase, split);
            let other = records(&embedded.path("out"), phase, split);
            assert_eq!(one.len(), other.len());
            for (one, other) in one.iter().zip(&other) {
                assert_eq!((one.own, one.opponent), (other.own, other.opponent));
                assert!((one.value - other.value).abs() <= 1, "{one:?} {other:?}");
                equal += usize::from(one.value == other.value);
                all += 1;
            }
        }
    }
    assert!(all == 24 && equal >= 8, "{equal} of {all}");
}

/// A program of Edax' or Egaroucid's manners around this one: `-l LEVEL` on its command line, what it
/// is told changed by one sed script and what it answers by another.
fn mannered(env: &Env, name: &str, told: &str, answers: &str) -> String {
    let own = assert_cmd::cargo::cargo_bin!("rdg");
    let script = format!(
        "#!/bin/sh\nwhile [ \"$1\" != -l ]; do shift; done\n\
         sed -u -E '{told}' | '{}' engine nboard --level \"$2\" | sed -u -E '{answers}'\n",
        own.display()
    );
    let program = env.write(name, &script);
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    let eval_file = env.write("eval.dat", "weights");
    format!("kind = \"{name}\"\nbinary = {program:?}\neval_file = {eval_file:?}\n")
}

#[test]
fn edax_and_egaroucid_tell_scores_each_in_its_way() {
    // Edax writes blanks, and Egaroucid's console has a table of its own and whole discs.
    let edax = ("edax", "", "");
    let egaroucid = (
        "egaroucid",
        "/^setboard/y/X/*/;s/^setboard (\\S+) (\\S)/set game (;GM[Othello]PC[x]PB[b]PW[w]RE[?]TI[0]TY[8]BO[8 \\1 \\2];)/",
        "/^===/!d;s#^=== (..)[/ ]([-+]?[0-9]+).*#\\L\\1 \\2#",
    );
    for (kind, told, answers) in [edax, egaroucid] {
        let env = Env::new();
        let entry = mannered(&env, kind, told, answers);
        Config::new("44..46")
            .samples(8)
            .window(3)
            .level(2)
            .label("score")
            .score_rule("winner_takes_empties")
            .keep(true)
            .engine(kind, &entry)
            .generate(&env);
        near_the_embedded_ones(&env);
        let metadata = json(&env.path("out/phase_44/metadata.json"));
        assert_eq!(metadata["label"], "score", "{metadata}");
        let run = env.run(&["verify", "--replay", "out"]);
        assert_eq!(code(&run), 0, "{}", stderr(&run));
    }
}
