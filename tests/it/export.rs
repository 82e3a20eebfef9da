//! `rdg export` as a user meets it. What it writes is read back by `tests/data/read_exports.py`, which is
//! written from the formats' descriptions.

use crate::common::by_hand::{Row, after_f5, file, hopeless, squares};
use crate::common::dataset::Config;
use crate::common::sample::write_dataset;
use crate::common::{Env, code, stderr, stdout};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn dataset(env: &Env) {
    write_dataset(&env.path("data"), &[7, 20, 41], 300, 5);
}

fn export(env: &Env, args: &str) {
    let words: Vec<&str> = ["export"]
        .into_iter()
        .chain(args.split_whitespace())
        .collect();
    let run = env.run(&words);
    assert_eq!(code(&run), 0, "{args}: {}", stderr(&run));
}

fn refused(env: &Env, args: &str, with: i32, words: &str) {
    let before = env.files();
    let typed: Vec<&str> = ["export"]
        .into_iter()
        .chain(args.split_whitespace())
        .collect();
    let run = env.run(&typed);
    assert_eq!(code(&run), with, "{args}: {}", stderr(&run));
    assert!(stderr(&run).contains(words), "{args}: {}", stderr(&run));
    assert_eq!(env.files(), before, "{args} left something");
}

/// The records of all files below a folder with this name.
fn records(folder: &Path, name: &str) -> Vec<[u8; 18]> {
    let mut folders: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    folders.sort();
    let files = folders.iter().map(|phase| phase.join(name));
    let mut found = Vec::new();
    for bytes in files.filter_map(|path| fs::read(path).ok()) {
        found.extend_from_slice(bytes[10..].as_chunks().0);
    }
    found
}

fn raw(path: &Path) -> Vec<[u8; 18]> {
    fs::read(path).unwrap().as_chunks().0.to_vec()
}

fn sorted(mut rows: Vec<[u8; 18]>) -> Vec<[u8; 18]> {
    rows.sort_unstable();
    rows
}

/// A Python that has these modules, or a word that the test is left out.
fn python_with(modules: &str) -> Option<PathBuf> {
    let named = ["RDG_PYTHON", "RDG_TABLE_PYTHON"].map(std::env::var_os);
    let usual = ["python3", "/usr/bin/python3"].map(PathBuf::from);
    let found = named
        .into_iter()
        .flatten()
        .map(PathBuf::from)
        .chain(usual)
        .find(|python| {
            let tried = Command::new(python)
                .args(["-c", &format!("import {modules}")])
                .output();
            tried.is_ok_and(|output| output.status.success())
        });
    if found.is_none() {
        eprintln!("skipped: no Python with {modules}");
    }
    found
}

fn read_back(env: &Env, python: &Path, formats: &[&str]) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/read_exports.py");
    let output = Command::new(python)
        .arg(script)
        .args([env.path("data"), env.path("out")])
        .args(formats)
        .output()
        .expect("Python can be started");
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(
        stdout(&output).lines().count(),
        3 * formats.len(),
        "{}",
        stdout(&output)
    );
}

/// A phase whose positions have a1 or h8 alone beside the centre, which shows the order of the bits.
fn corners(env: &Env) {
    let centre = squares("d4 e4 d5 e5");
    let rows: [Row; 2] = [(squares("a1"), centre, -64), (centre, squares("h8"), 63)];
    for name in ["train", "valid", "test"] {
        env.write(&format!("data/phase_01/{name}.rd"), file(&rows));
    }
}

#[test]
fn every_format_is_read_back_by_readers_that_are_not_ours() {
    let Some(python) = python_with("numpy") else {
        return;
    };
    let env = Env::new();
    dataset(&env);
    corners(&env);
    let formats = [
        ("raw", ""),
        ("egaroucid", " --accept-score-rule plain"),
        ("text", " --accept-score-rule plain"),
        ("neural-reversi", " --accept-score-rule plain"),
        ("npy", ""),
        ("csv", ""),
    ];
    for (format, more) in formats {
        export(
            &env,
            &format!("data --format {format} --output out/{format}{more}"),
        );
    }
    export(&env, "data --format raw --pad 24 --output out/raw24");
    let mut names: Vec<&str> = formats.iter().map(|(format, _)| *format).collect();
    names.push("raw24");
    read_back(&env, &python, &names);
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_is_read_back_by_pyarrow_and_polars() {
    let Some(python) = python_with("numpy, pyarrow, polars") else {
        return;
    };
    let env = Env::new();
    dataset(&env);
    corners(&env);
    export(&env, "data --format parquet --output out/parquet");
    read_back(&env, &python, &["parquet"]);
    let card = fs::read_to_string(env.path("out/parquet/README.md")).unwrap();
    assert!(card.starts_with("---\n"), "{card}");
    for line in [
        "  - split: validation",
        "    - valid-00000-of-00001.parquet",
        "    dtype: uint64",
    ] {
        assert!(card.lines().any(|l| l == line), "no `{line}` in {card}");
    }
    // Row groups, too, are those of one memory and thread as of many.
    for (name, more) in [
        ("few", "--memory 16 --threads 1"),
        ("many", "--memory 512 --threads 4"),
    ] {
        let args = format!(
            "data --format parquet --symmetries --shuffle 9 --output {name}.parquet {more}"
        );
        export(&env, &args);
    }
    let bytes = |name| fs::read(env.path(name)).unwrap();
    assert_eq!(bytes("few.parquet"), bytes("many.parquet"));
}

/// Reads with polars what was exported, and with numpy what was generated.
#[cfg(feature = "parquet")]
const MOVES: &str = r#"
import sys, numpy, polars
moves = polars.read_parquet("games.parquet")
assert moves.columns == ["own", "opponent", "value", "phase", "split", "side", "move", "score", "game", "ply", "self_play"]
record = numpy.dtype([("own", "<u8"), ("opponent", "<u8"), ("value", "<i2")])
known = {(row["own"], row["opponent"]): row for row in moves.iter_rows(named=True)}
count = 0
for phase in (20, 21, 22):
    for split in ("train", "valid", "test"):
        for own, opponent, value in numpy.fromfile(f"out/phase_{phase}/{split}.rd", record, offset=10):
            row = known[int(own), int(opponent)]
            assert (row["value"], row["phase"], row["split"]) == (value, phase, split), row
            assert row["self_play"] and row["ply"] == phase, row
            square = (ord(row["move"][0]) - 97) + 8 * (int(row["move"][1]) - 1)
            assert not (int(own) | int(opponent)) >> square & 1, row
            count += 1
assert count == 180, count
assert moves.filter(polars.col("ply") < 20)["score"].null_count() == moves.filter(polars.col("ply") < 20).height
assert moves.filter(polars.col("self_play"))["score"].drop_nulls().abs().max() <= 64
assert set(moves["side"].unique()) == {"black", "white"}
assert moves["game"].n_unique() == int(sys.argv[1])
"#;

#[cfg(feature = "parquet")]
#[test]
fn moves_of_kept_games_are_read_back_by_polars() {
    let Some(python) = python_with("numpy, polars") else {
        return;
    };
    let env = Env::new();
    Config::new("20..22")
        .samples(60)
        .window(3)
        .level(2)
        .score_rule("winner_takes_empties")
        .keep(true)
        .generate(&env);
    export(&env, "out --format games --output games.parquet");
    let about: serde_json::Value =
        serde_json::from_slice(&fs::read(env.path("games.parquet.json")).unwrap()).unwrap();
    let output = Command::new(&python)
        .args(["-c", MOVES, &about["games"].to_string()])
        .current_dir(env.path(""))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_program_without_parquet_says_how_to_get_it() {
    let env = Env::new();
    dataset(&env);
    let args = "data --format parquet --output out";
    refused(&env, args, 2, "--features parquet");
    Config::new("20").samples(5).keep(true).generate(&env);
    let args = "out --format games --output games.parquet";
    refused(&env, args, 2, "--features parquet");
    assert!(!env.path("games.parquet").exists());
}

#[test]
fn rd_keeps_the_dataset_byte_by_byte_and_its_meaning() {
    let env = Env::new();
    dataset(&env);
    export(&env, "data --format rd --output copy");
    for phase in ["phase_07", "phase_20", "phase_41"] {
        for name in ["train.rd", "valid.rd", "test.rd"] {
            let of =
                |folder: &str| fs::read(env.path(&format!("{folder}/{phase}/{name}"))).unwrap();
            assert_eq!(of("copy"), of("data"), "{phase}/{name}");
        }
    }
    for folder in ["copy", "shuffled"] {
        if folder == "shuffled" {
            export(&env, "copy --format rd --shuffle 3 --output shuffled");
            for name in ["train.rd", "valid.rd", "test.rd"] {
                let (new, old) = (
                    records(&env.path(folder), name),
                    records(&env.path("data"), name),
                );
                assert_eq!(sorted(new), sorted(old));
            }
        }
        let run = env.run(&["verify", folder]);
        assert_eq!(code(&run), 0, "{}{}", stdout(&run), stderr(&run));
    }
}

#[test]
fn folders_and_files_are_named_as_readers_want_them() {
    let env = Env::new();
    dataset(&env);
    let names = |args: &str| -> Vec<String> {
        export(&env, &format!("data {args} --output named"));
        let object: Value =
            serde_json::from_slice(&fs::read(env.path("named/export.json")).unwrap()).unwrap();
        let mut found: Vec<String> = object["files"]
            .as_array()
            .unwrap()
            .iter()
            .map(|file| {
                let path = file["path"].as_str().unwrap().to_owned();
                let length = fs::metadata(env.path("named").join(&path)).unwrap().len();
                assert_eq!(file["bytes"], length, "{path}");
                path
            })
            .collect();
        found.sort();
        fs::remove_dir_all(env.path("named")).unwrap();
        found
    };
    let deft = names("--format rd --layout discs --split train --shuffle 1");
    assert_eq!(
        deft,
        [
            "phase_11/train.rd",
            "phase_24/train.rd",
            "phase_45/train.rd"
        ]
    );
    let some = names("--format raw --phases 20..41 --split valid,test");
    assert_eq!(some, ["test.bin", "valid.bin"]);
    let numbered = names(
        "--format egaroucid --accept-score-rule plain --split valid --max-records-per-file 40 --phases 7",
    );
    assert!(numbered.contains(&"0.dat".to_owned()), "{numbered:?}");
    let cut = names("--format npy --split train --max-records-per-file 500");
    assert_eq!(cut, ["train-00000.npy", "train-00001.npy"]);
    let per_phase = names("--format csv --layout phase --split test --phases 7,41");
    assert_eq!(per_phase, ["phase_07/test.csv", "phase_41/test.csv"]);
}

#[test]
fn one_file_where_its_name_says_so() {
    let env = Env::new();
    dataset(&env);
    export(&env, "data --format csv --output all.csv");
    let lines = fs::read_to_string(env.path("all.csv")).unwrap();
    assert_eq!(lines.lines().count(), 901);
    assert!(env.path("all.csv.json").is_file());
    export(&env, "data --format raw --split train --output train.bin");
    assert_eq!(
        raw(&env.path("train.bin")),
        records(&env.path("data"), "train.rd")
    );
    refused(
        &env,
        "data --format raw --output mixed.bin",
        2,
        "choose one with --split",
    );
    refused(
        &env,
        "data --format csv --layout phase --output x.csv",
        2,
        "need folders",
    );
    refused(
        &env,
        "data --format csv --max-records-per-file 5 --output x.csv",
        2,
        "makes several",
    );
}

#[test]
fn a_shuffle_is_the_same_for_any_memory_and_threads_and_loses_nothing() {
    let env = Env::new();
    // 120,000 different records: beyond one bucket of the least memory.
    let rows: Vec<Row> = (0..120_000_u64)
        .map(|n| {
            let own = n << 36 | squares("d5 e5");
            let own = own & !squares("d4 e4");
            (own, squares("d4 e4"), (n % 129) as i16 - 64)
        })
        .collect();
    env.write("many.rd", file(&rows));
    let shuffled = |name: &str, more: &str| {
        export(
            &env,
            &format!("many.rd --format raw --output {name}.bin {more}"),
        );
        raw(&env.path(&format!("{name}.bin")))
    };
    let plain = shuffled("plain", "");
    let one = shuffled("one", "--shuffle 1 --memory 16 --threads 1");
    assert_eq!(
        one,
        shuffled("two", "--shuffle 1 --memory 1024 --threads 4")
    );
    assert_ne!(one, shuffled("other", "--shuffle 2"));
    assert_eq!(sorted(one.clone()), sorted(plain.clone()));
    // The middle of where the first half went is near the middle of all.
    let place: BTreeMap<[u8; 18], usize> =
        one.iter().enumerate().map(|(n, row)| (*row, n)).collect();
    let first_half = plain[..60_000].iter().map(|row| place[row]).sum::<usize>() / 60_000;
    assert!(first_half.abs_diff(60_000) < 1000, "{first_half}");
    // Eight images each, and a sample: the same for any memory, too.
    let small = "--shuffle 4 --symmetries --sample 5000";
    let sample = shuffled("small", &format!("{small} --memory 16 --threads 3"));
    assert_eq!(sample, shuffled("large", &format!("{small} --memory 900")));
    assert_eq!(sample.len(), 40_000);
    let drawn = shuffled("drawn", "--sample 5000");
    assert_eq!(drawn.len(), 5000);
    let mut rest = plain.iter();
    assert!(
        drawn.iter().all(|row| rest.any(|other| other == row)),
        "a sample keeps the order"
    );
}

#[test]
fn symmetries_are_the_eight_images_of_the_board() {
    let env = Env::new();
    let centre = squares("d4 e4 d5 e5");
    env.write("x.rd", file(&[(squares("b1"), centre, 7)]));
    export(
        &env,
        "x.rd --format text --accept-score-rule plain --symmetries --output x.txt",
    );
    let text = fs::read_to_string(env.path("x.txt")).unwrap();
    let mut found: Vec<usize> = text.lines().map(|line| line.find('X').unwrap()).collect();
    found.sort_unstable();
    // b1 g1 a2 h2 a7 h7 b8 g8
    assert_eq!(found, [1, 6, 8, 15, 48, 55, 57, 62]);
    assert!(text.lines().all(|line| line.ends_with(" 7")));
}

#[test]
fn what_cannot_be_exported_is_refused_and_leaves_nothing() {
    let env = Env::new();
    dataset(&env);
    let egaroucid = "data --format egaroucid --output out";
    refused(&env, egaroucid, 2, "--accept-score-rule plain");
    let other = format!("{egaroucid} --accept-score-rule winner_takes_empties");
    refused(&env, &other, 2, "count by `plain`");
    refused(
        &env,
        "data data/phase_07 --format raw --output out",
        2,
        "named twice",
    );
    refused(
        &env,
        "data --format raw --phases 9 --output out",
        1,
        "nothing to export",
    );
    env.write("folder/notes.txt", "mine");
    refused(
        &env,
        "data --format raw --output folder",
        1,
        "exists already",
    );
    refused(
        &env,
        "data --format raw --output folder --force",
        1,
        "not written by rdg export",
    );
    refused(
        &env,
        "data --format raw --output folder/notes.txt",
        1,
        "not a folder",
    );
    let mut torn = file(&[after_f5(3)]);
    torn.push(0);
    env.write("torn.rd", torn);
    refused(
        &env,
        "torn.rd --format raw --output out",
        1,
        "ends inside a record",
    );
    for (name, row) in [
        ("value.rd", after_f5(65)),
        ("overlap.rd", (squares("a1 d4"), squares("a1 e4 d5 e5"), 0)),
        ("phase_30/train.rd", after_f5(1)),
    ] {
        env.write(
            name,
            file(&[after_f5(1), row][usize::from(name.starts_with("phase"))..]),
        );
        refused(
            &env,
            &format!("{name} --format raw --output out"),
            1,
            "record",
        );
    }
    for (path, words) in hopeless(&env) {
        let run = env.run(&[
            "export",
            path.to_str().unwrap(),
            "--format",
            "npy",
            "--output",
            "out",
        ]);
        assert_eq!(code(&run), 1, "{}", path.display());
        assert!(
            stderr(&run).contains(words),
            "{}: {}",
            path.display(),
            stderr(&run)
        );
    }
    assert!(!env.path("out").exists());
}

#[test]
fn data_of_two_rules_is_not_mixed() {
    let env = Env::new();
    dataset(&env);
    write_dataset(&env.path("wthor"), &[20], 50, 6);
    let path = env.path("wthor/phase_20/metadata.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(
        &path,
        text.replace("plain_disc_difference", "winner_takes_empties"),
    )
    .unwrap();
    refused(
        &env,
        "data wthor --format raw --output out",
        1,
        "export them apart",
    );
    export(&env, "wthor --format egaroucid --output out");
    let object: Value =
        serde_json::from_slice(&fs::read(env.path("out/export.json")).unwrap()).unwrap();
    assert_eq!(object["score_rule"], "winner_takes_empties");
    assert_eq!(object["accepted_other_score_rule"], false);
    assert_eq!(object["invented"].as_array().unwrap().len(), 2);
    // The rule goes with the records.
    export(&env, "wthor --format rd --output again");
    export(&env, "again --format text --output lines");
}

#[test]
fn force_replaces_an_export_and_nothing_else() {
    let env = Env::new();
    dataset(&env);
    export(
        &env,
        "data --format egaroucid --accept-score-rule plain --output out",
    );
    env.write("out/notes.txt", "mine");
    env.write("out/train.bin", "mine too");
    refused(
        &env,
        "data --format raw --output out --force",
        1,
        "does not replace it",
    );
    fs::remove_file(env.path("out/train.bin")).unwrap();
    export(&env, "data --format raw --output out --force");
    let mut names: Vec<String> = env.files();
    names.retain(|name| name.starts_with("out/"));
    assert_eq!(
        names,
        [
            "out/export.json",
            "out/notes.txt",
            "out/test.bin",
            "out/train.bin",
            "out/valid.bin"
        ]
    );
}

#[test]
fn an_interrupted_export_leaves_nothing() {
    let env = Env::new();
    let rows = file(&[after_f5(1)]);
    let many: Vec<u8> = [&rows[..10], &rows[10..].repeat(3_000_000)].concat();
    env.write("data/many.rd", many);
    for more in [&["--shuffle", "1"][..], &[]] {
        let mut child = env
            .rdg()
            .args([
                "export",
                "data/many.rd",
                "--format",
                "csv",
                "--symmetries",
                "--output",
                "out",
            ])
            .args(more)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let begun = Instant::now();
        let is_begun = || env.files().iter().any(|name| name.ends_with(".partial"));
        while !is_begun() && begun.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(5));
        }
        // Not SIGINT, which is ignored where the tests run in the background of a script.
        let pid = rustix::process::Pid::from_child(&child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(143));
        assert_eq!(env.files(), ["data", "data/many.rd"]);
    }
}

#[test]
fn kept_games_are_exported_and_imported_again() {
    use rdg::board::Game;
    use rdg::games::{Ending, KeptGame, MAGIC, encode};
    let env = Env::new();
    // The shortest game, in two images, and one that was given up.
    let texts = ["e6f4e3f6g5d6e7f5c5", "f5d6c4f4e3f6g5e6e7"];
    let games: Vec<Game> = texts
        .iter()
        .filter_map(|t| Game::from_move_text(t).ok())
        .collect();
    let mut bytes = MAGIC.to_vec();
    for (number, game) in games.iter().enumerate() {
        let kept = KeptGame::of_moves(number as u64, Ending::Finished, game);
        encode(&kept, &mut bytes);
    }
    encode(&KeptGame::given_up(9), &mut bytes);
    env.write("data/games_00/games.rdg", bytes);
    for ending in ["txt", "ggf", "sgf", "pgn"] {
        export(
            &env,
            &format!("data --format games --output games.{ending}"),
        );
        let text = fs::read_to_string(env.path(&format!("games.{ending}"))).unwrap();
        assert!(text.to_lowercase().contains("e6"), "{text}");
        let object: Value =
            serde_json::from_slice(&fs::read(env.path(&format!("games.{ending}.json"))).unwrap())
                .unwrap();
        assert_eq!(
            (&object["games"], &object["games_left_out"]),
            (&games.len().into(), &1.into())
        );
        if ending != "pgn" {
            let output = format!("again_{ending}");
            let run = env.run(&["import", &format!("games.{ending}"), "--output", &output]);
            assert_eq!(code(&run), 0, "{}", stderr(&run));
        }
    }
    refused(&env, "data --format games --output out", 2, ".pgn");
    refused(
        &env,
        "data --format games --shuffle 1 --output x.pgn",
        2,
        "whole games",
    );
}

/// Folders named by discs hold the same phases, for whatever reads them again.
#[test]
fn an_export_with_folders_named_by_discs_is_read_as_what_it_is() {
    let env = Env::new();
    write_dataset(&env.path("data"), &[7, 20, 58], 60, 5);
    export(&env, "data --format rd --layout discs --output discs");
    assert!(env.path("discs/phase_62/train.rd").is_file());
    for path in ["discs", "discs/phase_11", "discs/phase_62/train.rd"] {
        let run = env.run(&["verify", path]);
        assert_eq!(code(&run), 0, "{path}: {}{}", stdout(&run), stderr(&run));
        let run = env.run(&["inspect", path]);
        assert_eq!(code(&run), 0, "{path}: {}{}", stdout(&run), stderr(&run));
    }
    let phases = |path: &str| {
        let run = env.run(&["inspect", "--json", path]);
        let found: Value = serde_json::from_str(&stdout(&run)).unwrap();
        let phases = found["inspected"][0]["phases"].as_array().unwrap().clone();
        phases
            .iter()
            .map(|phase| phase["phase"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(phases("discs"), phases("data"));
    assert_eq!(phases("discs").len(), 3);
    // And out again by phase: the same bytes.
    export(&env, "discs --format rd --output again");
    for name in ["train.rd", "valid.rd", "test.rd"] {
        assert_eq!(
            records(&env.path("again"), name),
            records(&env.path("data"), name)
        );
    }
    // Without the sidecar nothing says so, and verify does not look away.
    fs::remove_file(env.path("discs/export.json")).unwrap();
    assert_eq!(code(&env.run(&["verify", "discs"])), 1);
}
