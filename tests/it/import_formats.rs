//! `rdg import` of everything that is neither WTHOR nor brackets: PGN, tables, JSON, boards with
//! moves, positions with values, compressed files; and which games it takes.

use super::import::{HALVES, counts, data, digest, import, json};
use crate::common::{Env, code, stderr, stdout};
use rdg::board::Game;
use rdg::records::{WrittenGame, format_by_name, read_typed};
use std::io::Write;
use std::path::Path;

/// Thirteen games as the Python model of `import.rs` has them.
const MODEL: &str = "cf11163ba6ca2507419ea5abf3db9faed57494cc79018fd3f716b90f402d67bc";
const START: &str = "---------------------------OX------XO---------------------------";
/// Nine moves, White is wiped out: 13–0, or 64–0 with the empty squares.
const SHORTEST: &str = "e6f4e3f6g5d6e7f5c5";

/// Move text as another format.
pub(super) fn converted(text: &[u8], format: &str) -> Vec<u8> {
    let text = std::str::from_utf8(text).expect("it is text");
    let games: Vec<Game> = text
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|line| read_typed(line).expect("it is a game"))
        .collect();
    let written: Vec<WrittenGame<'_>> = games.iter().map(WrittenGame::nameless).collect();
    let mut bytes = Vec::new();
    let format = format_by_name(format).expect("there is such a format");
    format
        .write(&written, &mut bytes)
        .expect("it can be written");
    bytes
}

fn imported(env: &Env, name: &str, content: &[u8], options: &[&str]) -> String {
    env.write(name, content);
    let output = import(env, &[Path::new(name)], options);
    assert_eq!(code(&output), 0, "{name}: {}", stderr(&output));
    stdout(&output)
}

#[test]
fn the_same_games_in_each_text_format_give_the_bytes_of_the_model() {
    let text = std::fs::read(data("thirteen.txt")).unwrap();
    for format in ["pgn", "json", "csv"] {
        let bytes = converted(&text, format);
        let with_cr = String::from_utf8(bytes.clone())
            .unwrap()
            .replace('\n', "\r\n");
        for bytes in [bytes, with_cr.into_bytes()] {
            let env = Env::new();
            imported(&env, "games", &bytes, &["--split", HALVES, "--strict"]);
            assert_eq!(counts(&env), (13, 729, 659), "{format}");
            assert_eq!(digest(&env, "out"), MODEL, "{format}");
            let summary = json(&env, "out/summary.json");
            assert_eq!(summary["inputs"][0]["format"], format);
        }
    }
}

#[test]
fn compressed_files_are_read_as_they_are() {
    let text = std::fs::read(data("thirteen.txt")).unwrap();
    let pack = |name: &str| -> Option<Vec<u8>> {
        use flate2::{Compression, write::GzEncoder};
        match name {
            "gzip" => {
                let mut packer = GzEncoder::new(Vec::new(), Compression::default());
                packer.write_all(&text).unwrap();
                Some(packer.finish().unwrap())
            }
            "bzip2" => {
                let level = bzip2::Compression::default();
                let mut packer = bzip2::write::BzEncoder::new(Vec::new(), level);
                packer.write_all(&text).unwrap();
                Some(packer.finish().unwrap())
            }
            program => {
                let file = std::fs::File::open(data("thirteen.txt")).unwrap();
                let output = std::process::Command::new(program)
                    .arg("-c")
                    .stdin(file)
                    .output();
                output
                    .ok()
                    .filter(|output| output.status.success())
                    .map(|output| output.stdout)
            }
        }
    };
    for name in ["gzip", "bzip2", "xz", "zstd"] {
        let Some(packed) = pack(name) else {
            eprintln!("skipped: there is no {name}");
            continue;
        };
        let env = Env::new();
        imported(&env, "games", &packed, &["--split", HALVES, "--strict"]);
        assert_eq!(digest(&env, "out"), MODEL, "{name}");
        let told = json(&env, "out/summary.json")["inputs"][0].clone();
        assert_eq!(told["packing"], name);
        assert_eq!(told["bytes"], packed.len() as u64);
        // Cut off, it fails as a whole.
        let env = Env::new();
        env.write("games", &packed[..packed.len() / 2]);
        let output = import(&env, &[Path::new("games")], &[]);
        assert_eq!(code(&output), 1);
        let said = stderr(&output);
        assert!(
            said.contains(&format!("cannot read games: the {name} data is damaged")),
            "{said}"
        );
        assert!(!env.path("out").exists());
    }
}

#[test]
fn tags_without_moves_and_wrong_results_cost_nothing() {
    let env = Env::new();
    let moves = "1. e6 f4 2. e3 f6 3. g5 d6 4. e7 f5 5. c5";
    let mut text = String::from("[Event \"empty\"]\r\n[Result \"*\"]\r\n\r\n");
    for result in ["13-0", "0-13", "64-0", "1-0", "0-1", "*", "30-34"] {
        text += &format!("[Event \"x\"]\r\n[Result \"{result}\"]\r\n\r\n{moves} {result}\r\n\r\n");
    }
    let said = imported(&env, "games.pgn", text.as_bytes(), &["--split", "1,0,0"]);
    assert_eq!(counts(&env), (8, 7 * 9, 9));
    assert!(said.contains("8 read, 7 used"), "{said}");
    let told = json(&env, "out/summary.json")["import"].clone();
    assert_eq!(told["unfinished_games"], 1);
    assert_eq!(told["bad_games"], 0);
    // 0–13 and 30–34: no way of counting gives them.
    assert_eq!(told["contradicted_results"], 2);
    let record = std::fs::read(env.path("out/phase_00/train.rd")).unwrap();
    assert_eq!(record[10 + 16..], 13i16.to_le_bytes());
}

#[test]
fn boards_with_moves_are_replayed_from_there() {
    let env = Env::new();
    let after_two = Game::from_move_text("e6f4").unwrap();
    let squares = after_two.board().to_text(after_two.color());
    let rest = &SHORTEST[4..];
    let text = format!(
        "{START} X {SHORTEST}\n{squares} X;{rest}\n{squares} * {}\n{squares} X;e3",
        rest.to_uppercase()
    );
    imported(&env, "games.txt", text.as_bytes(), &["--split", "1,0,0"]);
    assert_eq!(counts(&env), (4, 9 + 7 + 7, 9));
    assert_eq!(
        json(&env, "out/summary.json")["import"]["unfinished_games"],
        1
    );
    let verified = env.run(&["verify", "out"]);
    assert_eq!(code(&verified), 0, "{}", stdout(&verified));
}

/// Bit 0 is a1 and bit 63 is h8, whatever the file: read back by hand.
#[test]
fn positions_keep_their_values_and_their_squares() {
    let env = Env::new();
    let with = |at: usize| {
        let mut squares = START.to_owned().into_bytes();
        squares[at] = b'X';
        String::from_utf8(squares).unwrap()
    };
    let text = format!(
        "{} -3\n{} O 7\n{START} X; f5:+12; d3:-1\n{START} 11 % the same once more\n",
        with(0),
        with(63)
    );
    let options = [
        "--values",
        "as-given",
        "--score-rule",
        "winner_takes_empties",
        "--split",
        "1,0,0",
    ];
    let said = imported(&env, "positions.txt", text.as_bytes(), &options);
    assert!(said.contains("4 read, 4 used"), "{said}");
    let records = |phase: u8| -> Vec<(u64, u64, i16)> {
        let bytes = std::fs::read(env.path(&format!("out/phase_{phase:02}/train.rd"))).unwrap();
        let read = |record: &[u8]| {
            let number = |at: usize| u64::from_le_bytes(record[at..at + 8].try_into().unwrap());
            (
                number(0),
                number(8),
                i16::from_le_bytes([record[16], record[17]]),
            )
        };
        bytes[10..].chunks(18).map(read).collect()
    };
    let (black, white) = (1 << 28 | 1 << 35, 1 << 27 | 1 << 36);
    // 11 and 12 have the mean 11.5, rounded away from zero.
    assert_eq!(records(0), [(black, white, 12)]);
    assert_eq!(
        records(1),
        [(black | 1, white, -3), (white, black | 1 << 63, 7)]
    );
    let metadata = json(&env, "out/phase_00/metadata.json");
    assert_eq!(metadata["score_rule"], "winner_takes_empties");
    assert_eq!(metadata["import"]["values"], "as_given");
    let verified = env.run(&["verify", "out"]);
    assert_eq!(code(&verified), 0, "{}", stdout(&verified));
}

#[test]
fn fractions_are_refused_or_rounded_and_bad_values_are_left_out() {
    let options = [
        "--values",
        "as-given",
        "--score-rule",
        "plain",
        "--split",
        "1,0,0",
    ];
    let env = Env::new();
    let text = format!("{START} 2\n{START} 2.5\n");
    let positions = env.write("positions.txt", &text);
    let output = import(&env, &[&positions], &options);
    assert_eq!(code(&output), 1);
    let said = stderr(&output);
    assert!(
        said.contains("game 2: the value 2.5 is not a whole number; --round"),
        "{said}"
    );
    assert!(!env.path("out").exists());
    let rounded = [&options[..], &["--round", "--duplicates", "first"]].concat();
    for (value, expected) in [
        ("2.5", 3i16),
        ("-2.5", -3),
        ("0.4", 0),
        ("-63.7", -64),
        ("6e1", 60),
    ] {
        let env = Env::new();
        imported(
            &env,
            "p",
            format!("{START} {value}\n{START} 65\n{START} 1e400\n").as_bytes(),
            &rounded,
        );
        let bytes = std::fs::read(env.path("out/phase_00/train.rd")).unwrap();
        assert_eq!(bytes[26..], expected.to_le_bytes(), "{value}");
        let told = json(&env, "out/summary.json")["import"].clone();
        assert_eq!(told["bad_games"], 2, "{told}");
    }
    // A table of positions, as other programs write it.
    let env = Env::new();
    let table = format!("board,value,phase\n{START},-5,0\n");
    imported(&env, "table.csv", table.as_bytes(), &options);
    let bytes = std::fs::read(env.path("out/phase_00/train.rd")).unwrap();
    assert_eq!(bytes[26..], (-5i16).to_le_bytes());
}

#[test]
fn what_is_recognised_and_cannot_be_read_is_told_once() {
    let env = Env::new();
    let chess = "[Event \"x\"]\n[White \"y\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n\n".repeat(500);
    let labelled = format!("{START} -4\n").repeat(500);
    for (name, content, expected) in [
        (
            "chess.pgn",
            chess.as_bytes(),
            "it is PGN of chess or another game, not of Othello",
        ),
        (
            "a.zip",
            b"PK\x03\x04 and so on",
            "it is an archive (zip); unpack it first",
        ),
        (
            "page.txt",
            b"<!DOCTYPE html><html>f5d6c3",
            "it is a web page, which is not a game record",
        ),
        (
            "labelled.txt",
            labelled.as_bytes(),
            "it holds positions with values, not games; --values as-given",
        ),
    ] {
        env.write(name, content);
        let output = import(&env, &[Path::new(name)], &[]);
        assert_eq!(code(&output), 1, "{name}");
        let said = stderr(&output);
        assert!(
            said.contains(&format!("nothing can be imported from {name}: {expected}")),
            "{said}"
        );
        assert_eq!(said.matches("error:").count(), 1, "{said}");
    }
    env.write("games.txt", SHORTEST);
    let output = import(
        &env,
        &[Path::new("games.txt")],
        &["--values", "as-given", "--score-rule", "plain"],
    );
    assert!(stderr(&output).contains("it holds games, not positions with values"));
    // In a folder they are passed over, each with one line.
    for name in [
        "chess.pgn",
        "a.zip",
        "page.txt",
        "labelled.txt",
        "games.txt",
    ] {
        std::fs::create_dir_all(env.path("folder")).unwrap();
        std::fs::rename(env.path(name), env.path(&format!("folder/{name}"))).unwrap();
    }
    let output = import(&env, &[Path::new("folder")], &[]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(stderr(&output).matches("is passed over").count(), 4);
    assert_eq!(counts(&env).0, 1);
}

#[test]
fn games_are_chosen_by_player_year_and_rating() {
    let game = |black: &str, white: &str, date: &str, ratings: [&str; 2]| {
        format!(
            "[Black \"{black}\"]\n[White \"{white}\"]\n[Date \"{date}\"]\n[BlackElo \"{}\"]\n\
             [WhiteElo \"{}\"]\n\n1. e6 f4 2. e3 f6 3. g5 d6 4. e7 f5 5. c5 13-0\n\n",
            ratings[0], ratings[1]
        )
    };
    let text = [
        game("TASTET Marc", "Other", "1999.01.01", ["1800", "1700"]),
        game("Other", "Tastet Marc", "2003.05.05", ["1800", "1750"]),
        game("Other", "Third", "2003.05.05", ["1900", "?"]),
        game("?", "?", "????.??.??", ["?", "?"]),
    ]
    .concat();
    for (options, taken) in [
        (&["--player", "tastet"][..], 2),
        (&["--player", "Third", "--player", "TASTET"], 3),
        (&["--year", "2003"], 2),
        (&["--year", "..2000"], 1),
        (&["--min-rating", "1700"], 2),
        (
            &["--player", "marc", "--year", "2003", "--min-rating", "1750"],
            1,
        ),
    ] {
        let env = Env::new();
        let said = imported(&env, "games.pgn", text.as_bytes(), options);
        assert!(
            said.contains(&format!("4 read, {taken} used")),
            "{options:?}: {said}"
        );
        let told = json(&env, "out/summary.json")["import"].clone();
        assert_eq!(told["filtered_games"], 4 - taken, "{options:?}");
    }
    let env = Env::new();
    env.write("games.pgn", &text);
    let output = import(&env, &[Path::new("games.pgn")], &["--player", "nobody"]);
    assert_eq!(code(&output), 1);
    assert!(
        stderr(&output).contains("4 do not fit --player"),
        "{}",
        stderr(&output)
    );
}

/// WTHOR has numbers of players; their names are in the list beside the games.
#[test]
fn players_of_wthor_games_are_found_by_their_names() {
    let games: Vec<Game> = (0..3)
        .map(|_| Game::from_move_text(SHORTEST).unwrap())
        .collect();
    let written: Vec<WrittenGame<'_>> = games.iter().map(WrittenGame::nameless).collect();
    let mut bytes = Vec::new();
    format_by_name("wthor")
        .unwrap()
        .write(&written, &mut bytes)
        .unwrap();
    bytes[10..12].copy_from_slice(&1994u16.to_le_bytes());
    for (game, [black, white]) in [[0u16, 1], [1, 2], [2, 2]].into_iter().enumerate() {
        let at = 16 + 68 * game + 2;
        bytes[at..at + 2].copy_from_slice(&black.to_le_bytes());
        bytes[at + 2..at + 4].copy_from_slice(&white.to_le_bytes());
    }
    let mut list = vec![20, 0, 1, 1, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0];
    for name in ["Nobody", "Andr\u{e9} One", "Two"] {
        let mut name: Vec<u8> = name.chars().map(|c| c as u8).collect();
        name.resize(20, 0);
        list.extend(name);
    }
    for (options, taken) in [
        (&["--player", "andr\u{e9}"][..], 2),
        (&["--player", "two"], 2),
        (&["--year", "1990..1994"], 3),
    ] {
        let env = Env::new();
        env.write("WTHOR.JOU", &list);
        let said = imported(&env, "WTH_1994.wtb", &bytes, options);
        assert!(
            said.contains(&format!("3 read, {taken} used")),
            "{options:?}: {said}"
        );
    }
}
