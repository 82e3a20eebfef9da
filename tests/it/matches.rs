//! `rdg match` as a user meets it.

use crate::common::{Env, code, stderr, stdout};
use serde_json::Value;

const CORNERS: &str = "100 -20 10 5 5 10 -20 100\n-20 -50 -2 -2 -2 -2 -50 -20\n10 -2 1 1 1 1 -2 10\n\
                       5 -2 1 1 1 1 -2 5\n5 -2 1 1 1 1 -2 5\n10 -2 1 1 1 1 -2 10\n\
                       -20 -50 -2 -2 -2 -2 -50 -20\n100 -20 10 5 5 10 -20 100\n";

fn json(env: &Env, args: &[&str]) -> Value {
    let run = env.run(&[&["match", "--json"], args].concat());
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    serde_json::from_str(&stdout(&run)).expect("stdout is JSON and nothing else")
}

#[test]
fn a_table_of_corners_beats_one_of_nothing_and_the_workers_do_not_matter() {
    let env = Env::new();
    env.write("corners.txt", CORNERS);
    env.write("zero.txt", "0 0 0 0 0 0 0 0\n".repeat(8));
    let args = ["corners.txt", "zero.txt", "--games", "100", "--workers"];
    let one = json(&env, &[&args[..], &["1"]].concat());
    let result = &one["result"];
    assert_eq!(result["games"], 100);
    assert!(
        result["score_interval"]["low"].as_f64().unwrap() > 0.5,
        "{result}"
    );
    assert!(
        result["elo_interval"]["low"].as_f64().unwrap() > 0.0,
        "{result}"
    );
    assert_eq!(one, json(&env, &[&args[..], &["3"]].concat()));
    // The other way round everything changes sides.
    let turned = json(&env, &["zero.txt", "corners.txt", "--games", "100"]);
    assert_eq!(turned["result"]["wins"], result["losses"]);
    assert_eq!(turned["result"]["draws"], result["draws"]);
}

#[test]
fn a_player_against_itself_is_exactly_even() {
    let env = Env::new();
    env.write("corners.txt", CORNERS);
    for player in ["corners.txt:2", "builtin:1"] {
        let result = &json(&env, &[player, player, "--games", "20"])["result"];
        assert_eq!(result["score"], 0.5, "{player}");
        assert_eq!(result["mean_difference"], 0.0, "{player}");
        assert_eq!(result["elo"], 0.0, "{player}");
    }
}

#[test]
fn more_depth_is_stronger_for_engines_and_files() {
    let env = Env::new();
    env.write("corners.txt", CORNERS);
    for players in [
        ["builtin:4", "builtin:1"],
        ["corners.txt:4", "corners.txt:1"],
    ] {
        let args = [&players[..], &["--games", "60"]].concat();
        let run = env.run(&[&["match"], &args[..]].concat());
        assert_eq!(code(&run), 0, "{}", stderr(&run));
        let text = stdout(&run);
        assert!(
            text.contains("60 games") && text.contains("Elo difference +"),
            "{text}"
        );
    }
}

#[test]
fn engines_of_the_registry_are_found_by_name() {
    let env = Env::new();
    env.write(
        "app.toml",
        "[engines.mine]\nkind = \"builtin\"\nlevel = 2\n",
    );
    let args = [
        "mine",
        "builtin:1",
        "--games",
        "4",
        "--app-config",
        "app.toml",
    ];
    assert_eq!(json(&env, &args)["first"], "mine level 2");
}

#[test]
fn bad_words_are_usage_errors_that_name_them() {
    let env = Env::new();
    env.write("corners.txt", CORNERS);
    env.write("short.txt", "1 2 3\n");
    env.write("app.toml", "[engines.mine]\nkind = \"builtin\"\n");
    let cases: [(&[&str], &[&str]); 7] = [
        (&["minne", "builtin"], &["minne", "did you mean `mine`"]),
        (&["short.txt", "builtin"], &["short.txt", "3 numbers"]),
        (
            &["none/w.txt", "builtin"],
            &["none/w.txt", "cannot be read"],
        ),
        (&["corners.txt:x", "builtin"], &["corners.txt:x", "`x`"]),
        (&["corners.txt:99", "builtin"], &["not a depth from 1 to 8"]),
        (&["builtin:99", "builtin"], &["builtin", "99"]),
        (
            &["builtin", "builtin", "--games", "7"],
            &["--games", "even"],
        ),
    ];
    for (args, parts) in cases {
        let run = env.run(&[&["match", "--app-config", "app.toml"], args].concat());
        let message = stderr(&run);
        assert_eq!(code(&run), 2, "{args:?}: {message}");
        for part in parts {
            assert!(message.contains(part), "{args:?}: {message}");
        }
    }
}

#[test]
fn no_line_of_progress_names_a_key_twice() {
    let env = Env::new();
    let args = "match builtin:0 builtin:1 --games 20 --no-progress --progress-interval 1ms";
    let output = env.rdg().args(args.split(' ')).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains(" games=20 total_games=20 "), "{said}");
    for line in said.lines() {
        let mut keys: Vec<&str> = line
            .split(' ')
            .filter_map(|word| Some(word.split_once('=')?.0))
            .collect();
        keys.sort_unstable();
        let count = keys.len();
        keys.dedup();
        assert_eq!(keys.len(), count, "{line}");
    }
}

/// A time per move is told to the embedded engine alone, and never decides a dataset.
#[test]
fn players_by_time() {
    let env = Env::new();
    let run = env.run(&[
        "match",
        "builtin",
        "builtin:1",
        "--games",
        "2",
        "--time",
        "1ms",
        "--workers",
        "1",
        "--json",
    ]);
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    let found: Value = serde_json::from_str(&stdout(&run)).unwrap();
    assert_eq!(found["first"], "builtin 1ms a move");
    assert_eq!(found["second"], "builtin level 1");
    env.write(
        "app.toml",
        "setup = 'off'\n[engines.fast]\nkind = 'builtin'\nlevel = '2ms'\n\
         [engines.other]\nkind = 'gtp'\nbinary = '/bin/true'\nlevel = '2ms'\nargs = ['{level}']\n",
    );
    let run = env.run(&[
        "match",
        "fast",
        "fast:2",
        "--games",
        "2",
        "--app-config",
        "app.toml",
        "--json",
    ]);
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    assert!(stdout(&run).contains("fast 2ms a move"));
    assert!(stdout(&run).contains("fast level 2"));
    env.write(
        "config.toml",
        "output_dir = 'out'\nphases = '58'\nsamples_per_phase = 1\n\
         [self_play]\nworkers = 1\n[self_play.ai]\nname = 'fast'\n",
    );
    for (args, parts) in [
        (
            &["match", "other", "fast", "--app-config", "app.toml"][..],
            &["other", "embedded"][..],
        ),
        (&["match", "builtin:0s", "builtin"], &["above 0"]),
        (
            &["match", "builtin", "builtin", "--time", "soon"],
            &["--time", "soon"],
        ),
        (
            &["--config", "config.toml", "--app-config", "app.toml"],
            &[
                "engines.fast.level",
                "cannot be played again",
                "self_play.ai.level",
            ],
        ),
    ] {
        let run = env.run(args);
        assert_eq!(code(&run), 2, "{args:?}: {}", stderr(&run));
        for part in parts {
            assert!(stderr(&run).contains(part), "{part}: {}", stderr(&run));
        }
    }
}

/// Lines of several kinds; each is played twice, with colours changed.
const OPENINGS: &str = "# two of them\nf5d6c3d3c4\n1. f5 f6 2. e6 f4\n";

#[test]
fn games_with_openings_are_saved_in_every_form_and_can_be_imported() {
    let env = Env::new();
    env.write("openings.txt", OPENINGS);
    let mut read = Vec::new();
    for ending in ["txt", "ggf", "sgf", "pgn"] {
        let file = format!("games.{ending}");
        let args = ["builtin:2", "builtin:1", "--games", "4"];
        let more = ["--openings", "openings.txt", "--save", file.as_str()];
        let result = json(&env, &[&args[..], &more].concat());
        let saved = std::fs::read_to_string(env.path(&file)).unwrap();
        if ending != "txt" {
            for name in ["builtin level 2", "builtin level 1"] {
                assert_eq!(saved.matches(name).count(), 4, "{file}: {name}");
            }
        }
        let run = env.run(&["import", &file, "-o", ending, "--split-by", "position"]);
        assert_eq!(code(&run), 0, "{}", stderr(&run));
        let path = env.path(&format!("{ending}/summary.json"));
        let summary: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let import = &summary["import"];
        assert_eq!(import["used_games"], 4, "{file}: {import}");
        assert_eq!(import["bad_games"], 0, "{file}: {import}");
        assert_eq!(import["contradicted_results"], 0, "{file}: {import}");
        assert_eq!(result["result"]["games"], 4);
        read.push(summary["split"].clone());
    }
    assert!(read.iter().all(|split| *split == read[0]), "{read:?}");
    // Each line twice, in the order of the file or of the draw, but none left out.
    let games = std::fs::read_to_string(env.path("games.txt")).unwrap();
    let begins = |line: &str| games.lines().filter(|game| game.starts_with(line)).count();
    assert_eq!(begins("f5d6c3d3c4") + begins("f5f6e6f4"), 4, "{games}");
    assert_eq!(begins("f5d6c3d3c4"), 2, "{games}");

    // What is there is added to.
    let run = env.run(&[
        "match",
        "builtin:1",
        "builtin:1",
        "--games",
        "2",
        "--save",
        "games.txt",
    ]);
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    let more = std::fs::read_to_string(env.path("games.txt")).unwrap();
    assert!(more.starts_with(&games));
    assert_eq!(more.lines().count(), 6);
}

#[test]
fn openings_that_cannot_be_used_are_told_by_line() {
    let env = Env::new();
    env.write("bad.txt", "f5d6\n\nf5f5\n");
    env.write("over.txt", "e6f4e3f6g5d6e7f5c5\n");
    env.write("empty.txt", "# nothing\n");
    env.write("junk.txt", [0xff, 0xfe, 0, 1]);
    for (file, words) in [
        ("bad.txt", "line 3 of the openings"),
        ("over.txt", "the game is over there"),
        ("empty.txt", "there is no opening in"),
        ("junk.txt", "are not text"),
        ("none.txt", "cannot read the openings"),
    ] {
        let run = env.run(&["match", "builtin:1", "builtin:1", "--openings", file]);
        assert_eq!(code(&run), 2, "{file}: {}", stderr(&run));
        assert!(stderr(&run).contains(words), "{file}: {}", stderr(&run));
        assert!(stderr(&run).contains(file), "{file}: {}", stderr(&run));
    }
}
