//! Kept games: whatever happens to a run they are those of an undisturbed one, every record follows
//! from them, and whatever is changed afterwards is found by playing them again.

use crate::common::dataset::{Config, bytes_of_games, bytes_of_phases, json};
use crate::common::{Env, code, stderr, stdout};
use crate::resume::{Moments, interrupted};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

type Files = BTreeMap<String, Vec<u8>>;

fn bytes(output_dir: &Path) -> (Files, Files) {
    (bytes_of_phases(output_dir), bytes_of_games(output_dir))
}

fn window() -> Config {
    Config::new("8..27")
        .samples(60)
        .window(10)
        .level(2)
        .keep(true)
}

/// A finished dataset with kept games.
fn made(config: &Config) -> (Env, PathBuf) {
    let env = Env::new();
    config.generate(&env);
    let out = env.path("out");
    (env, out)
}

/// What `rdg verify --replay` says, and whether it finds nothing.
fn replay(env: &Env) -> (bool, String) {
    let output = env.run(&["verify", "--replay", "out"]);
    (code(&output) == 0, stdout(&output) + &stderr(&output))
}

fn assert_sound(env: &Env) {
    let (is_sound, text) = replay(env);
    assert!(is_sound, "{text}");
    assert!(text.contains("replayed"), "{text}");
}

/// Kills, several times over, and compares with what an undisturbed run gives.
pub fn survives_kills(name: &str, config: &Config, runs: usize, salt: u64) {
    let begun = Instant::now();
    let (env, out) = made(config);
    let time = begun.elapsed();
    assert_sound(&env);
    let expected = bytes(&out);
    let (plain, plain_out) = made(&config.clone().keep(false));
    assert!(
        expected.0 == bytes_of_phases(&plain_out),
        "{name}: keeping changes records"
    );
    assert!(bytes_of_games(&plain_out).is_empty());
    drop(plain);
    let mut moments = Moments::new(salt);
    for run in 0..runs {
        let env = Env::new();
        let kills = 1 + moments.below(4) as usize;
        let kill = rustix::process::Signal::KILL;
        interrupted(&env, config, kills, kill, time, &mut moments);
        assert!(bytes(&env.path("out")) == expected, "{name}, run {run}");
        assert_sound(&env);
    }
}

#[test]
fn killed_in_window_mode() {
    survives_kills("window", &window(), 5, 31);
}

#[test]
fn killed_with_single_phases_and_an_engine_in_the_playout() {
    let config = Config::new("6,9,33,58").samples(100).level(2).keep(true);
    survives_kills("single phases", &config.clone(), 3, 32);
    let config = config
        .playout_ai(0.5)
        .solve_from(10)
        .score_rule("winner_takes_empties");
    survives_kills("ai_probability, solve_from", &config, 3, 33);
}

#[test]
fn killed_in_window_mode_with_an_engine_in_the_playout_and_a_solver() {
    let config = window().playout_ai(0.2).solve_from(9);
    survives_kills("window, ai_probability, solve_from", &config, 2, 35);
    let config = Config::new("3..4")
        .all_positions()
        .solve_from(10)
        .keep(true);
    survives_kills("all_positions, solve_from", &config, 1, 36);
}

#[test]
fn killed_in_all_positions_mode() {
    let config = Config::new("3..6").all_positions().level(2).keep(true);
    survives_kills("all_positions", &config, 4, 34);
}

#[test]
fn a_phase_that_is_lost_or_added_or_raised_takes_its_games_from_those_that_are_kept() {
    let (env, out) = made(&window());
    let expected = bytes(&out);
    // Lost: nothing is played for it, so not even an engine that cannot start is in the way.
    std::fs::remove_dir_all(out.join("phase_13")).unwrap();
    window().succeed(&env, &["--resume"]);
    assert!(bytes(&out) == expected);
    std::fs::write(out.join("phase_14/train.rd"), "junk").unwrap();
    window().succeed(&env, &["--resume", "--repair"]);
    assert!(bytes(&out) == expected);
    assert_sound(&env);

    // Raised, although the window's phases ended at different games.
    let raised = window().samples(150);
    raised.succeed(&env, &["--resume"]);
    let (other, other_out) = made(&raised);
    assert!(bytes(&out) == bytes(&other_out));
    assert_sound(&env);
    drop(other);

    // Added: a phase of the window that was not configured before.
    let some = Config::new("8,12,17")
        .samples(60)
        .window(10)
        .level(2)
        .keep(true);
    let (env, out) = made(&some);
    let more = some.clone().with_phases("8,12,14,17");
    more.succeed(&env, &["--resume"]);
    let (_other, other_out) = made(&more);
    assert!(bytes(&out) == bytes(&other_out));
}

#[test]
fn keeping_cannot_begin_in_the_middle_and_does_not_end() {
    let config = Config::new("20,30").samples(20);
    let (env, out) = made(&config);
    let output = config
        .clone()
        .samples(40)
        .keep(true)
        .run(&env, &["--resume"]);
    assert_eq!(code(&output), 1);
    assert!(
        stderr(&output).contains("games.keep"),
        "{}",
        stderr(&output)
    );
    config.clone().samples(40).succeed(&env, &["--resume"]);
    assert!(bytes_of_games(&out).is_empty());
    config
        .clone()
        .samples(40)
        .keep(true)
        .succeed(&env, &["--force"]);
    assert_eq!(bytes_of_games(&out).len(), 2);
    assert_sound(&env);
    // Without the key it goes on.
    config.clone().samples(80).succeed(&env, &["--resume"]);
    assert_sound(&env);
    let (_other, other_out) = made(&config.clone().samples(80).keep(true));
    assert!(bytes(&out) == bytes(&other_out));
    let output = config.run(&env, &[]);
    assert_eq!(code(&output), 1);
    // And `--force` without it leaves none behind.
    config.succeed(&env, &["--force"]);
    assert!(!out.join("games_20").exists());
}

#[test]
fn lost_and_damaged_games_are_told_and_played_again() {
    let (env, out) = made(&window());
    let expected = bytes(&out);
    let games = out.join("games_08/games.rdg");
    let sound = std::fs::read(&games).unwrap();
    let refused = |word: &str| {
        let output = window().run(&env, &["--resume"]);
        assert_eq!(code(&output), 1, "{}", stderr(&output));
        assert!(stderr(&output).contains(word), "{}", stderr(&output));
    };
    let mut changed = sound.clone();
    changed[sound.len() / 2] ^= 4;
    std::fs::write(&games, changed).unwrap();
    refused("byte ");
    window().succeed(&env, &["--resume", "--repair"]);
    assert!(bytes(&out) == expected);

    std::fs::remove_dir_all(out.join("games_08")).unwrap();
    refused("kept games");
    window().succeed(&env, &["--resume", "--repair"]);
    assert!(bytes(&out) == expected);

    std::fs::write(&games, &sound[..sound.len() / 3]).unwrap();
    refused("games.rdg");
    window().succeed(&env, &["--resume", "--repair"]);
    assert!(bytes(&out) == expected);
    assert_sound(&env);

    let mut newer = sound.clone();
    newer[8] = b'2';
    std::fs::write(&games, newer).unwrap();
    refused("version 2");
}

/// Plants one change, looks for it, and puts the files back.
struct Planted<'a> {
    env: &'a Env,
    path: PathBuf,
}

impl Planted<'_> {
    fn is_found(&self, change: impl FnOnce(&mut Vec<u8>), words: &[&str]) {
        let sound = std::fs::read(&self.path).unwrap();
        let mut bytes = sound.clone();
        change(&mut bytes);
        assert!(bytes != sound);
        std::fs::write(&self.path, bytes).unwrap();
        let (is_sound, text) = replay(self.env);
        std::fs::write(&self.path, sound).unwrap();
        assert!(!is_sound, "{words:?} is not found");
        for word in words {
            assert!(text.contains(word), "{word} is not in {text}");
        }
    }
}

#[test]
fn each_planted_change_of_records_is_found() {
    let (env, out) = made(&window().samples(200));
    let train = Planted {
        env: &env,
        path: out.join("phase_20/train.rd"),
    };
    let record = |n: usize| 10 + 18 * n..10 + 18 * (n + 1);
    let value =
        |bytes: &[u8], n: usize| i16::from_le_bytes(bytes[record(n)][16..].try_into().unwrap());
    let original = std::fs::read(&train.path).unwrap();
    let lopsided = (30..100).find(|&n| value(&original, n) != 0).unwrap();
    let set = |bytes: &mut Vec<u8>, n: usize, value: i16| {
        bytes[record(n)][16..].copy_from_slice(&value.to_le_bytes());
    };
    train.is_found(
        |bytes| set(bytes, 7, value(bytes, 7) + 2),
        &[
            "phase_20/train.rd, record 7",
            "value",
            "game ",
            "after move 20",
        ],
    );
    train.is_found(
        |bytes| set(bytes, lopsided, -value(bytes, lopsided)),
        &["wrong side", &format!("record {lopsided} ")],
    );
    for (a, b) in [(3, 4), (10, 40), (5, 150)] {
        train.is_found(
            |bytes| {
                let (first, second) = (bytes[record(a)].to_vec(), bytes[record(b)].to_vec());
                bytes[record(a)].copy_from_slice(&second);
                bytes[record(b)].copy_from_slice(&first);
            },
            &["replay_order", &format!("record {a} ")],
        );
    }
    train.is_found(
        |bytes| {
            let again = bytes[record(2)].to_vec();
            bytes.extend(again);
        },
        &["no kept game gives this record"],
    );
    train.is_found(
        |bytes| {
            bytes.drain(record(9));
        },
        &["is missing here", "record 9 "],
    );
    // From one split into another.
    let valid = out.join("phase_20/test.rd");
    let sound = std::fs::read(&valid).unwrap();
    let mut more = sound.clone();
    more.extend(&original[record(11)]);
    std::fs::write(&valid, more).unwrap();
    train.is_found(
        |bytes| {
            bytes.drain(record(11));
        },
        &["test.rd, record", "it belongs in train.rd"],
    );
    std::fs::write(&valid, sound).unwrap();
    assert_sound(&env);
}

#[test]
fn each_planted_change_of_games_is_found() {
    let (env, out) = made(&Config::new("20..24").samples(40).window(5).keep(true));
    let games = Planted {
        env: &env,
        path: out.join("games_20/games.rdg"),
    };
    let sound = std::fs::read(&games.path).unwrap();
    let second = 10 + usize::from(sound[10]);
    let third = second + usize::from(sound[second]);
    games.is_found(
        |bytes| {
            bytes.drain(second..third);
        },
        &["game 1 is missing", "games_20/games.rdg"],
    );
    games.is_found(|bytes| bytes[8] = b'2', &["version 2"]);
    games.is_found(|bytes| bytes.truncate(bytes.len() - 3), &["games.rdg"]);
    // Whatever byte: the block is named, the others are read.
    let count = json(&out.join("games_20/games_state.json"))["games"]
        .as_u64()
        .unwrap();
    let all = format!("{} games replayed", count - 1);
    for at in (second..third).step_by(7) {
        games.is_found(
            |bytes| bytes[at] ^= 0x10,
            &[&format!("block at byte {second}, behind game 0"), &all],
        );
    }
    // A move by the rules, with a right checksum, that was not played; and one against them.
    games.is_found(
        |bytes| {
            let moves = second + 14;
            let last = bytes[second + 10] as usize - 1;
            bytes.swap(moves + last, moves + 20);
            let content = &bytes[second..third - 4];
            let mut crc = u32::MAX;
            for &byte in content {
                crc ^= u32::from(byte);
                for _ in 0..8 {
                    crc = crc >> 1 ^ (0xedb8_8320 & (crc & 1).wrapping_neg());
                }
            }
            bytes[third - 4..third].copy_from_slice(&(!crc).to_le_bytes());
        },
        &["game 1: move "],
    );
    assert_sound(&env);
    std::fs::remove_dir_all(out.join("games_20")).unwrap();
    let (is_sound, text) = replay(&env);
    assert!(!is_sound && text.contains("no games are kept"), "{text}");
}

#[test]
fn games_can_be_looked_at() {
    let (env, out) = made(&Config::new("20..24").samples(40).window(5).keep(true));
    let count = json(&out.join("games_20/games_state.json"))["games"]
        .as_u64()
        .unwrap();
    let output = env.run(&["inspect", "out/games_20"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(
        stdout(&output).contains(&format!("{count} kept games")),
        "{}",
        stdout(&output)
    );
    assert!(stdout(&output).contains("finished"), "{}", stdout(&output));
    // Beside the records of a dataset.
    let whole = stdout(&env.run(&["inspect", "out"]));
    assert!(
        whole.contains("kept games") && whole.contains("train"),
        "{whole}"
    );
    let one = env.run(&[
        "inspect",
        "out/games_20/games.rdg",
        "--record",
        "3",
        "--json",
    ]);
    assert_eq!(code(&one), 0, "{}", stderr(&one));
    let object: serde_json::Value = serde_json::from_str(&stdout(&one)).unwrap();
    let game = &object["games"][0]["samples"][0];
    assert_eq!(
        (&game["number"], &game["random_moves"]),
        (&3.into(), &20.into())
    );
    let moves = game["moves"].as_str().unwrap();
    let played = rdg::board::Game::from_move_text(moves).unwrap();
    assert!(played.is_over());
    assert_eq!(game["difference"], played.black_difference());
    let sample = stdout(&env.run(&["inspect", "out/games_20", "--sample", "5", "--seed", "1"]));
    assert_eq!(sample.matches("\ngame ").count(), 5, "{sample}");
    let games = out.join("games_20/games.rdg");
    let mut bytes = std::fs::read(&games).unwrap();
    bytes[200] ^= 1;
    std::fs::write(&games, bytes).unwrap();
    let output = env.run(&["inspect", "out/games_20"]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("checksum"), "{}", stderr(&output));
    let others = format!("{} kept games", count - 1);
    assert!(stdout(&output).contains(&others), "{}", stdout(&output));
}
