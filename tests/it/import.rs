//! `rdg import`: what comes out of game files, good and bad.
//!
//! The games under tests/data/games were made by random legal play. The digests of datasets come
//! from another program: a model of the import in Python, square by square, that knows nothing of
//! this one.

use crate::common::{Env, code, stderr, stdout};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::Output;

pub(super) fn data(name: &str) -> PathBuf {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/games");
    games.join(name)
}

/// Games of other people, which are not part of the project: `None` where they are not there.
fn foreign(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../shared/games")
        .join(name);
    let there = path.exists();
    if !there {
        eprintln!("skipped: {} is not there", path.display());
    }
    there.then_some(path)
}

/// Imports into `out` without showing progress.
pub(super) fn import(env: &Env, inputs: &[&Path], options: &[&str]) -> Output {
    env.rdg()
        .arg("import")
        .args(inputs)
        .args(["--output", "out", "--no-progress"])
        .args(options)
        .output()
        .expect("the program can be started")
}

pub(super) fn json(env: &Env, name: &str) -> Value {
    let text = std::fs::read(env.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    serde_json::from_slice(&text).expect("it is JSON")
}

/// SHA-256 over all .rd files of phases 0–59: train, valid, test of each.
pub(super) fn digest(env: &Env, out: &str) -> String {
    let mut hash = Sha256::new();
    for phase in 0..60 {
        for split in ["train", "valid", "test"] {
            let name = format!("{out}/phase_{phase:02}/{split}.rd");
            hash.update(std::fs::read(env.path(&name)).unwrap_or_else(|e| panic!("{name}: {e}")));
        }
    }
    hash.finalize().iter().map(|b| format!("{b:02x}")).collect()
}

/// Games, positions taken, recorded.
pub(super) fn counts(env: &Env) -> (u64, u64, u64) {
    let summary = json(env, "out/summary.json");
    let number = |value: &Value| value.as_u64().expect("a count");
    (
        number(&summary["import"]["games"]),
        number(&summary["import"]["positions"]),
        number(&summary["total_samples"]),
    )
}

pub(super) const HALVES: &str = "0.5,0.25,0.25";

#[test]
fn the_same_games_in_all_four_formats_give_the_bytes_of_the_model() {
    let expected = "cf11163ba6ca2507419ea5abf3db9faed57494cc79018fd3f716b90f402d67bc";
    for name in [
        "thirteen.txt",
        "thirteen.wtb",
        "thirteen.ggf",
        "thirteen.sgf",
    ] {
        let env = Env::new();
        let output = import(&env, &[&data(name)], &["--split", HALVES, "--strict"]);
        assert_eq!(code(&output), 0, "{name}: {}", stderr(&output));
        assert_eq!(counts(&env), (13, 729, 659), "{name}");
        assert_eq!(
            json(&env, "out/summary.json")["split"]["valid"],
            219,
            "{name}"
        );
        assert_eq!(digest(&env, "out"), expected, "{name}");
    }
}

#[test]
fn each_option_gives_the_bytes_of_the_model() {
    for (options, taken, recorded, expected) in [
        (
            &["--split-by", "position"][..],
            729,
            659,
            "a1783e37e16759f12f5c35b194d976996e0e9617ab177e4666353e2ccc223689",
        ),
        (
            &["--duplicates", "first", "--split-by", "game"],
            729,
            659,
            "cec76cb3bded4570e27426f2e125fa9db84663fd8081fce8ba53d47306c3c275",
        ),
        (
            &["--score-rule", "winner_takes_empties", "--winner-only"],
            369,
            339,
            "638563c50b2e74eeace97bc2c26aecb07d2ef199027ebf3c18386d3c41c4f95e",
        ),
        (
            &["--max-per-game", "7"],
            91,
            86,
            "f17ce763b9ca3fcae2115a9e88056f1066384ed7459094d622aa9428525b511d",
        ),
        (
            &["--max-per-game", "7", "--split-by", "position"],
            91,
            86,
            "7bf953518f69fd8d9758e90743fb4a06f73d3d2109b13b419a35f3026ed8a802",
        ),
    ] {
        for threads in ["1", "3"] {
            let env = Env::new();
            let options = [options, &["--split", HALVES, "--threads", threads]].concat();
            let output = import(&env, &[&data("thirteen.txt")], &options);
            assert_eq!(code(&output), 0, "{options:?}: {}", stderr(&output));
            assert_eq!(counts(&env), (13, taken, recorded), "{options:?}");
            assert_eq!(digest(&env, "out"), expected, "{options:?}");
        }
    }
}

#[test]
fn games_on_the_mirrored_start_are_turned_and_counted() {
    let env = Env::new();
    import(&env, &[&data("first-three.txt")], &[]);
    let expected = digest(&env, "out");
    for name in ["mirrored.sgf", "mirrored.txt"] {
        let env = Env::new();
        let output = import(&env, &[&data(name)], &[]);
        assert_eq!(code(&output), 0, "{name}: {}", stderr(&output));
        assert!(stdout(&output).contains("3 on the mirrored start, turned"));
        assert_eq!(
            json(&env, "out/phase_07/stats.json")["import"]["mirrored_games"],
            3
        );
        assert_eq!(digest(&env, "out"), expected, "{name}");
    }
}

#[test]
fn line_ends_marks_and_old_letters_change_nothing() {
    let env = Env::new();
    let output = import(
        &env,
        &[&data("bom.txt"), &data("latin1.sgf")],
        &["--strict", "--split-by", "position"],
    );
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(counts(&env), (3, 180, 116));
    let expected = "903b1e6ff53f8d550e9c0fd1517e75b6a504c81d53d9aa7f3bae112c4d4bc358";
    assert_eq!(digest(&env, "out"), expected);
}

#[test]
fn bad_games_are_named_counted_and_left_out() {
    let env = Env::new();
    let output = import(&env, &[&data("odd.ggf")], &[]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let said = stderr(&output);
    for (number, fault) in [
        (3, "the game is cut off"),
        (4, "the start position is unusable: it has "),
        (5, "the start position (BO) is missing"),
        (
            6,
            "the start position is unusable: it has 60 squares, not 64",
        ),
        (7, "the board is 4x4, not 8x8"),
        (8, "the board is 10x10, not 8x8"),
        (11, "illegal move a1 at move 3"),
        (12, "`zz` at move 2 is not a move"),
        (13, "move 2 (d6) is given to Black, who is not to move"),
        (16, "it is an anti game"),
    ] {
        let expected = format!("odd.ggf, game {number}: {fault}");
        assert!(said.contains(&expected), "{expected}\n{said}");
    }
    let stats = json(&env, "out/phase_30/stats.json");
    let told = &stats["import"];
    assert_eq!(told["games"], 16);
    assert_eq!(told["used_games"], 4);
    assert_eq!(told["unfinished_games"], 2);
    assert_eq!(told["bad_games"], 10);
    let reasons = serde_json::json!({
        "anti_game": 1, "bad_board": 2, "board_size": 2, "cut": 1, "illegal_move": 1,
        "missing_board": 1, "not_a_move": 1, "wrong_turn": 1
    });
    assert_eq!(told["bad_games_by_reason"], reasons);
    // Four times the same game, one of them from its tenth move on.
    assert_eq!(counts(&env), (16, 3 * 60 + 50, 60));
    assert_eq!(stats["emitted_samples"], 1);
    assert_eq!(stats["duplicate_positions"], 3);
    // Black loses by 14; Black and White move in turn in this game, so White moves at phase 31.
    assert_eq!(stats["value"]["mean"].as_f64().map(f64::abs), Some(14.0));
    let closing = stdout(&output);
    for line in [
        "16 read, 4 used",
        "2 not played to the end",
        "2 bad: bad board",
    ] {
        assert!(closing.contains(line), "{line}\n{closing}");
    }
}

#[test]
fn reports_are_limited_and_strict_ends_at_the_first_fault() {
    let env = Env::new();
    let output = import(&env, &[&data("odd.ggf")], &["--report", "2"]);
    assert_eq!(stderr(&output).matches("odd.ggf, game").count(), 2);
    let env = Env::new();
    let output = import(&env, &[&data("odd.ggf")], &["--strict"]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("odd.ggf, game 3: the game is cut off; without --strict"));
    assert_eq!(env.files(), Vec::<String>::new());
}

#[test]
fn unfinished_games_count_only_with_their_claim() {
    let env = Env::new();
    let output = import(
        &env,
        &[&data("odd.ggf")],
        &["--unfinished", "claimed", "--duplicates", "first"],
    );
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    // Game 9 was resigned after 20 moves at -40; game 10 claims nothing.
    assert_eq!(counts(&env), (16, 3 * 60 + 50 + 20, 60));
    let told = json(&env, "out/phase_05/stats.json")["import"].clone();
    assert_eq!(
        (&told["claimed_games"], &told["unfinished_games"]),
        (&1.into(), &1.into())
    );
    let env = Env::new();
    let games = env.write("one.txt", "f5d6c3\n");
    let output = import(&env, &[&games], &[]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("1 are not played to the end; --unfinished claimed"));
    let output = import(&env, &[&games], &["--unfinished", "claimed"]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("1 are not played to the end and claim no result"));
}

#[test]
fn metadata_tell_settings_and_sources() {
    let env = Env::new();
    let options = [
        "--split-by",
        "game",
        "--score-rule",
        "winner_takes_empties",
        "--phases",
        "5,10..11",
    ];
    let output = import(
        &env,
        &[&data("thirteen.wtb"), &data("thirteen.txt")],
        &options,
    );
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let names: Vec<String> = env
        .files()
        .into_iter()
        .filter(|n| n.matches('/').count() == 1)
        .collect();
    assert_eq!(
        names,
        [
            "out/phase_05",
            "out/phase_10",
            "out/phase_11",
            "out/summary.json"
        ]
    );
    let metadata = json(&env, "out/phase_10/metadata.json");
    assert_eq!(metadata["generation"], "import");
    assert_eq!(metadata["score_rule"], "winner_takes_empties");
    assert_eq!(
        metadata["split_method"],
        "strictest_game_canonical_positions_sha256_v2"
    );
    assert_eq!(metadata["import"]["input_files"], 2);
    let inputs = json(&env, "out/summary.json")["inputs"].clone();
    assert_eq!(inputs[0]["format"], "wthor");
    assert_eq!(inputs[0]["games"], 13);
    let sha256 = Sha256::digest(std::fs::read(data("thirteen.wtb")).unwrap());
    let sha256: String = sha256.iter().map(|b| format!("{b:02x}")).collect();
    assert_eq!(inputs[0]["sha256"], sha256.as_str());
}

#[test]
fn standard_input_and_folders_are_read() {
    let env = Env::new();
    let file = std::fs::File::open(data("thirteen.ggf")).unwrap();
    let output = env
        .rdg()
        .args(["import", "-", "-o", "out", "--split", HALVES])
        .stdin(file)
        .output()
        .unwrap();
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(counts(&env), (13, 729, 659));

    // Files put together and piped in, as `cat *.wtb` does.
    let env = Env::new();
    let file = std::fs::read(data("thirteen.wtb")).unwrap();
    let both = env.write("both", [file.clone(), file].concat());
    let output = import(&env, &[&both], &["--strict"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(counts(&env), (26, 2 * 729, 659));

    let env = Env::new();
    for name in ["thirteen.txt", "first-three.txt"] {
        env.write(&format!("games/{name}"), std::fs::read(data(name)).unwrap());
    }
    env.write("games/below/readme.md", "Hello.");
    env.write("games/below/junk", [0u8, 1, 2, 255]);
    env.write("games/empty.sgf", "");
    let output = import(&env, &[Path::new("games")], &[]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(json(&env, "out/summary.json")["import"]["skipped_files"], 3);
    assert!(stderr(&output).contains("games/empty.sgf is passed over: it is empty"));
    assert_eq!(counts(&env).0, 16);
}

#[test]
fn what_cannot_be_imported_is_told_in_one_sentence() {
    let env = Env::new();
    env.write("empty", "");
    env.write("junk", [0u8, 255, 3]);
    env.write("packed.gz", [0x1f, 0x8b, 8, 0]);
    env.write("bad.txt", "f5f5f5\nf5d6d6\n");
    env.write("go.sgf", "(;GM[1]SZ[19];B[pd])");
    std::fs::create_dir(env.path("folder")).unwrap();
    for (input, expected) in [
        ("empty", "nothing can be imported from empty: it is empty"),
        (
            "junk",
            "nothing can be imported from junk: it is none of WTHOR, GGF, SGF",
        ),
        (
            "packed.gz",
            "cannot read packed.gz: the gzip data is damaged or cut off",
        ),
        ("missing", "cannot read missing: No such file"),
        ("folder", "there is no file to read in folder"),
        (
            "bad.txt",
            "no position to record: all 2 games are bad (illegal_move 2)",
        ),
        (
            "go.sgf",
            "no position to record: all 1 games are bad (other_game 1)",
        ),
    ] {
        let output = import(&env, &[Path::new(input)], &[]);
        assert_eq!(code(&output), 1, "{input}");
        let said = stderr(&output);
        assert!(said.contains(expected), "{input}: {said}");
        assert_eq!(said.matches("error:").count(), 1, "{said}");
        assert!(!env.path("out").exists(), "{input}");
    }
    for options in [
        &["--phases", "60"][..],
        &["--split", "0.5,0.5"],
        &["--format", "chess"],
        &["--values", "as-given"],
        &["--year", "1999..1990"],
        &["--min-rating", "NaN"],
        &["--max-per-game", "0"],
        &["--threads", "0"],
    ] {
        let output = import(&env, &[Path::new("bad.txt")], options);
        assert_eq!(code(&output), 2, "{options:?}");
    }
}

#[test]
fn existing_output_is_kept_unless_forced() {
    let env = Env::new();
    let old = env.write("out/phase_07/mine", "precious");
    let input = data("thirteen.txt");
    let output = import(&env, &[&input], &[]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("out/phase_07 exists already"));
    let output = import(&env, &[&env.write("bad", "f5d6a1\n")], &["--force"]);
    assert_eq!(code(&output), 1);
    assert!(old.exists(), "a failed import destroys nothing");
    assert_eq!(code(&import(&env, &[&input], &["--force"])), 0);
    assert!(!old.exists());
    assert!(!env.path("out/.rdg-import").exists());
}

#[test]
fn a_file_of_a_folder_where_the_output_should_be_is_explained() {
    let env = Env::new();
    env.write("out", "a file");
    let output = import(&env, &[&data("thirteen.txt")], &[]);
    assert_eq!(code(&output), 1);
    assert!(
        stderr(&output).contains("cannot create out"),
        "{}",
        stderr(&output)
    );
    assert_eq!(std::fs::read(env.path("out")).unwrap(), b"a file");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_an_import_without_a_trace() {
    use std::io::Write;
    use std::process::Stdio;
    for (signal, expected) in [("INT", 130), ("TERM", 143)] {
        let env = Env::new();
        let mut child = env
            .rdg()
            .args(["import", "-", "-o", "out", "--no-progress"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The pipe stays open: the import waits for more.
        let mut pipe = child.stdin.take().unwrap();
        let game = std::fs::read(data("thirteen.ggf")).unwrap();
        for _ in 0..20 {
            pipe.write_all(&game).unwrap();
        }
        while !env.path("out/.rdg-import/spool").exists() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let id = child.id().to_string();
        let kill = std::process::Command::new("kill")
            .args(["-s", signal, &id])
            .status();
        assert!(kill.unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(code(&output), expected, "{}", stderr(&output));
        assert_eq!(env.files(), Vec::<String>::new());
        drop(pipe);
    }
}

/// Killed at any moment, an import has made a whole dataset or none, and the next one is none the
/// worse for it.
#[test]
fn killed_at_any_moment_it_is_whole_or_not_there() {
    let input = data("thirteen.txt");
    let options = ["--phases", "20..23", "--split", HALVES];
    let records = |env: &Env| -> Vec<Vec<u8>> {
        let names = env.files().into_iter().filter(|name| name.ends_with(".rd"));
        names
            .map(|name| std::fs::read(env.path(&name)).unwrap())
            .collect()
    };
    let whole = Env::new();
    assert_eq!(code(&import(&whole, &[&input], &options)), 0);
    let whole = records(&whole);
    assert_eq!(whole.len(), 12);
    let mut unfinished = 0;
    for round in 0..24u64 {
        let env = Env::new();
        let mut child = env
            .rdg()
            .arg("import")
            .arg(&input)
            .args(["--output", "out", "--no-progress"])
            .args(options)
            .stderr(std::process::Stdio::null())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(round * round / 2));
        child.kill().unwrap();
        child.wait().unwrap();
        if !env.path("out/summary.json").exists() {
            unfinished += 1;
            let output = import(&env, &[&input], &options);
            assert_eq!(code(&output), 0, "round {round}: {}", stderr(&output));
        }
        assert_eq!(records(&env), whole, "round {round}");
    }
    assert!(unfinished > 0);
}

/// A limit on file sizes is met like a full disk: in the middle of a write.
#[test]
fn a_write_that_fails_ends_it_with_one_sentence_and_without_a_trace() {
    let env = Env::new();
    // 1,200 games have 21,600 bytes of positions in each early phase, more than the limit of 4 KiB.
    let mut games = Vec::new();
    for _ in 0..400 {
        games.extend(std::fs::read(data("first-three.txt")).unwrap());
    }
    env.write("games.txt", games);
    let program = assert_cmd::cargo::cargo_bin!("rdg");
    let script = format!(
        "ulimit -f 4; exec '{}' import games.txt -o out --no-progress",
        program.display()
    );
    let output = std::process::Command::new("bash")
        .args(["-c", &script])
        .current_dir(env.path(""))
        .output()
        .unwrap();
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    let said = stderr(&output);
    assert!(
        said.contains("error: cannot write out/.rdg-import/spool/phase_"),
        "{said}"
    );
    assert_eq!(env.files(), ["games.txt"]);
}

#[test]
fn what_a_killed_import_left_is_removed_by_the_next() {
    let env = Env::new();
    env.write("out/.rdg-import/spool/phase_00", "torn");
    env.write("out/.rdg-import/phase_00/train.rd", "torn");
    let output = import(&env, &[&data("thirteen.txt")], &["--split", HALVES]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(!env.path("out/.rdg-import").exists());
    assert_eq!(counts(&env), (13, 729, 659));
}

#[test]
fn progress_is_told_as_json_lines() {
    let env = Env::new();
    let output = env.run(&[
        "import",
        data("odd.ggf").to_str().unwrap(),
        "-o",
        "out",
        "--json-progress",
    ]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    let events: Vec<Value> = stderr(&output)
        .lines()
        .map(|line| serde_json::from_str(line).expect("each line is an object"))
        .collect();
    let count = |name: &str| events.iter().filter(|e| e["event"] == name).count();
    assert_eq!(events[0]["event"], "start");
    assert_eq!(events[0]["command"], "import");
    assert_eq!(count("phase_finished"), 60);
    assert_eq!(count("warning"), 10);
    // For people one line tells of all of them.
    let output = env.run(&["import", data("odd.ggf").to_str().unwrap(), "-o", "again"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(
        !stderr(&output).contains("phase_finished"),
        "{}",
        stderr(&output)
    );
    // And nobody hears but of what is wrong.
    let odd = data("odd.ggf");
    let quiet = ["import", odd.to_str().unwrap(), "-o", "quiet", "--quiet"];
    let output = env.run(&quiet);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let lines = stderr(&output)
        .lines()
        .filter(|line| !line.starts_with("warning: "))
        .count();
    assert_eq!(lines, 0, "{}", stderr(&output));
    assert_eq!(events.last().map(|e| &e["event"]), Some(&"finished".into()));
}

/// What says how far an interrupted import had come is damaged.
#[test]
fn a_damaged_note_is_refused_and_force_says_that_it_mends_it() {
    let env = Env::new();
    env.write("out/.rdg-import/publishing.json", "{bad");
    env.write("out/.rdg-import/summary.json", "{}");
    let odd = data("odd.ggf");
    let import = |more: &[&str]| {
        let words = ["import", odd.to_str().unwrap(), "-o", "out"];
        env.run(&[&words[..], more].concat())
    };
    let refused = import(&[]);
    assert_eq!(code(&refused), 1);
    assert!(stderr(&refused).contains("--force"), "{}", stderr(&refused));
    let mended = import(&["--force", "--quiet"]);
    assert_eq!(code(&mended), 0, "{}", stderr(&mended));
    let said = stderr(&mended);
    let is_told = |line: &str| line.starts_with("warning: ") && line.contains("publishing.json");
    assert!(said.lines().any(is_told), "{said}");
    assert_eq!(code(&env.run(&["verify", "out"])), 0);
}

#[test]
fn the_published_numbers_of_real_files_come_out() {
    let Some(of_1977) = foreign("WTH_1977.wtb") else {
        return;
    };
    let env = Env::new();
    let output = import(&env, &[&of_1977], &["--strict"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(counts(&env), (12, 719, 668));
    let Some(of_1981) = foreign("WTH_1981.wtb") else {
        return;
    };
    let output = import(
        &env,
        &[&of_1981],
        &["--force", "--strict", "--unfinished", "claimed"],
    );
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(counts(&env), (153, 9_055, 7_930));
    let told = json(&env, "out/summary.json")["import"].clone();
    assert_eq!(told["claimed_games"], 3);
    let output = import_skipping(&env, &of_1981);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let told = json(&env, "out/summary.json")["import"].clone();
    assert_eq!(
        (&told["unfinished_games"], &told["used_games"]),
        (&3.into(), &150.into())
    );
}

fn import_skipping(env: &Env, input: &Path) -> Output {
    import(env, &[input], &["--force", "--unfinished", "skip"])
}

#[test]
fn real_ggf_files_are_read() {
    let Some(odd) = foreign("odd-games.ggf") else {
        return;
    };
    let env = Env::new();
    let output = import(&env, &[&odd], &[]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stderr(&output).contains("game 1: the board is 4x4, not 8x8"));
    let told = json(&env, "out/summary.json")["import"].clone();
    assert_eq!(
        (&told["games"], &told["used_games"]),
        (&3.into(), &2.into())
    );
}

#[test]
fn formats_one_after_the_other_in_one_stream_are_told_never_lost_silently() {
    const TEXT: &str = "e6f4e3f6g5d6e7f5c5\n";
    const SGF: &str = "(;GM[2];B[e6];W[f4];B[e3];W[f6];B[g5];W[d6];B[e7];W[f5];B[c5])\n";
    const GGF: &str = "1 (;GM[Othello]BO[8 -------- -------- -------- ---O*--- ---*O--- \
        -------- -------- -------- *]B[e6]W[f4]B[e3]W[f6]B[g5]W[d6]B[e7]W[f5]B[c5];)\n";
    let env = Env::new();
    for (stream, told) in [
        (
            [GGF, TEXT],
            "game 2: it is move text in a file of GGF games",
        ),
        (
            [TEXT, GGF],
            "game 1: it is move text in a file of GGF games",
        ),
        (
            [SGF, TEXT],
            "game 2: it is move text in a file of SGF games",
        ),
        (
            [TEXT, SGF],
            "game 1: it is move text in a file of SGF games",
        ),
        (
            [GGF, SGF],
            "game 2: it is an SGF game in a file of GGF games",
        ),
        (
            [SGF, GGF],
            "game 2: it is a GGF game in a file of SGF games",
        ),
    ] {
        let file = env.write("mixed", stream.concat());
        let output = import(&env, &[&file], &["--force"]);
        assert_eq!(code(&output), 0, "{told}: {}", stderr(&output));
        assert!(stderr(&output).contains(told), "{}", stderr(&output));
        let closing = stdout(&output);
        for line in ["2 read, 1 used", "1 bad: other format"] {
            assert!(closing.contains(line), "{line}\n{closing}");
        }
        let output = import(&env, &[&file], &["--force", "--strict"]);
        assert_eq!(code(&output), 1, "{}", stderr(&output));
    }
}
