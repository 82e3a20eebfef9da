//! Interruption and `--resume`: whatever happens to a run, the finished dataset is the one that an
//! uninterrupted run gives.

use crate::common::dataset::{Config, bytes_of_phases, json};
use crate::common::{Env, code, stderr};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, SystemTime};

/// A small generator for the moments of the kills; its seed is printed.
pub struct Moments(u64);

impl Moments {
    pub fn new(salt: u64) -> Moments {
        let now = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap();
        let seed = now.as_nanos() as u64 ^ salt << 56 | 1;
        eprintln!("moments of the kills are drawn from seed {seed}");
        Moments(seed)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % n
    }
}

fn start(env: &Env, config: &Config, args: &[&str]) -> Child {
    config.write(env);
    env.rdg()
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program can be started")
}

fn signal(child: &Child, signal: rustix::process::Signal) {
    let pid = rustix::process::Pid::from_child(child);
    // It may just have ended by itself.
    let _ = rustix::process::kill_process(pid, signal);
}

/// Runs `config` to its end through `kills` ends by `how`, workers changing each time.
pub fn interrupted(
    env: &Env,
    config: &Config,
    kills: usize,
    how: rustix::process::Signal,
    longest: Duration,
    moments: &mut Moments,
) {
    for _ in 0..kills {
        let workers = 1 + moments.below(5) as usize;
        let mut child = start(env, &config.clone().workers(workers), &["--resume"]);
        std::thread::sleep(Duration::from_micros(
            moments.below(longest.as_micros() as u64),
        ));
        signal(&child, how);
        let status = child.wait().unwrap();
        if how == rustix::process::Signal::INT {
            // Finished before the signal, before the handler was there, or stopped by it.
            let expected = matches!(status.code(), Some(0 | 130) | None);
            assert!(expected, "{status:?}");
        }
    }
    config.clone().workers(3).succeed(env, &["--resume"]);
}

/// How long an uninterrupted run takes here and now.
fn whole(config: &Config) -> (BTreeMap<String, Vec<u8>>, Duration) {
    let env = Env::new();
    let begun = std::time::Instant::now();
    config.generate(&env);
    (bytes_of_phases(&env.path("out")), begun.elapsed())
}

fn survives(name: &str, config: &Config, runs: usize, how: rustix::process::Signal, salt: u64) {
    let (expected, time) = whole(config);
    let mut moments = Moments::new(salt);
    for run in 0..runs {
        let env = Env::new();
        let kills = 1 + moments.below(4) as usize;
        interrupted(&env, config, kills, how, time, &mut moments);
        let found = bytes_of_phases(&env.path("out"));
        assert!(
            found == expected,
            "{name}, run {run}: other bytes after {kills} kills"
        );
        for (file, bytes) in &expected {
            assert!(bytes.len() >= 10, "{file}");
        }
    }
}

fn window() -> Config {
    Config::new("8..57").samples(150).window(10).level(2)
}

fn single_phases() -> Config {
    Config::new("6,9,33,58").samples(400).level(2)
}

fn all_positions() -> Config {
    Config::new("3..6").all_positions().level(2)
}

const KILL: rustix::process::Signal = rustix::process::Signal::KILL;
const INT: rustix::process::Signal = rustix::process::Signal::INT;

#[test]
fn killed_in_window_mode() {
    survives("window", &window(), 18, KILL, 1);
}

#[test]
fn killed_with_single_phases() {
    survives("single phases", &single_phases(), 12, KILL, 2);
}

#[test]
fn killed_in_all_positions_mode() {
    survives("all_positions", &all_positions(), 10, KILL, 3);
}

#[test]
fn killed_with_an_engine_process() {
    let rdg = assert_cmd::cargo::cargo_bin!("rdg");
    let entry = format!(
        "kind = \"nboard\"\nbinary = \"{}\"\nargs = [\"engine\", \"nboard\", \"--level\", \"{{level}}\"]",
        rdg.display()
    );
    let config = Config::new("20..29")
        .samples(60)
        .window(10)
        .engine("other", &entry);
    survives("engine process", &config, 10, KILL, 4);
}

#[test]
fn interrupted_politely() {
    survives("window, SIGINT", &window(), 6, INT, 5);
    survives("single phases, SIGINT", &single_phases(), 4, INT, 6);
}

#[test]
fn a_stopped_run_says_how_to_go_on() {
    for (signal_sent, expected) in [(INT, 130), (rustix::process::Signal::TERM, 143)] {
        let env = Env::new();
        let config = Config::new("10..19").samples(1_000_000).window(10);
        config.write(&env);
        let child = env
            .rdg()
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program can be started");
        while !env.path("out/phase_10/train.rd").is_file() {
            std::thread::sleep(Duration::from_millis(5));
        }
        signal(&child, signal_sent);
        let output = child.wait_with_output().unwrap();
        assert_eq!(code(&output), expected, "{}", stderr(&output));
        assert!(stderr(&output).contains("--resume"), "{}", stderr(&output));
        // What it wrote is counted by its checkpoint, to the last record.
        let state = json(&env.path("out/phase_10/run_state.json"));
        let length = std::fs::metadata(env.path("out/phase_10/train.rd"))
            .unwrap()
            .len();
        assert_eq!(
            state["records"]["train"].as_u64().unwrap() * 18 + 10,
            length
        );
    }
}

/// A window of three phases, finished.
fn finished() -> (Env, Config) {
    let env = Env::new();
    let config = Config::new("10..12")
        .samples(60)
        .window(3)
        .split(0.6, 0.2, 0.2);
    config.generate(&env);
    (env, config)
}

/// Name, bytes and time of every file of a phase.
fn snapshot(folder: &Path) -> Vec<(String, Vec<u8>, SystemTime)> {
    let mut found: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let time = path.metadata().unwrap().modified().unwrap();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read(&path).unwrap(), time)
        })
        .collect();
    found.sort();
    found
}

/// Damages phase 11 of a finished dataset, then checks that `--resume` refuses with `words`, that
/// it changed nothing, and that `--repair` makes that phase what it was and leaves the others.
fn refused_then_repaired(what: &str, words: &[&str], damage: impl Fn(&Path)) {
    let (env, config) = finished();
    let expected = bytes_of_phases(&env.path("out"));
    damage(&env.path("out/phase_11"));
    let damaged = snapshot(&env.path("out/phase_11"));
    let others = [
        snapshot(&env.path("out/phase_10")),
        snapshot(&env.path("out/phase_12")),
    ];
    let output = config.run(&env, &["--resume"]);
    let said = stderr(&output);
    assert_eq!(code(&output), 1, "{what}: {said}");
    for word in words.iter().chain(&["phase 11", "--repair"]) {
        assert!(said.contains(word), "{what}: `{word}` in {said}");
    }
    assert!(
        snapshot(&env.path("out/phase_11")) == damaged,
        "{what}: changed by a refusal"
    );
    let said = config.succeed(&env, &["--resume", "--repair"]);
    assert!(said.contains("phase 11"), "{what}: {said}");
    for word in words {
        assert!(said.contains(word), "{what}: `{word}` in {said}");
    }
    assert!(
        bytes_of_phases(&env.path("out")) == expected,
        "{what}: repaired to other bytes"
    );
    let now = [
        snapshot(&env.path("out/phase_10")),
        snapshot(&env.path("out/phase_12")),
    ];
    assert!(now == others, "{what}: other phases were touched");
}

fn change(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = std::fs::read(path).unwrap();
    change(&mut bytes);
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn damaged_records_are_refused_and_repaired() {
    for split in ["train", "valid", "test"] {
        let file = format!("{split}.rd");
        let damaged = |what: &str, words: &[&str], damage: &dyn Fn(&mut Vec<u8>)| {
            let words: Vec<&str> = words.iter().copied().chain([file.as_str()]).collect();
            refused_then_repaired(&format!("{split}: {what}"), &words, |phase| {
                change(&phase.join(&file), |bytes| damage(bytes));
            });
        };
        damaged("empty", &[], &|bytes| bytes.clear());
        damaged(
            "no header",
            &["header|begin"].map(|_| "rdgbitboard_v1"),
            &|bytes| {
                bytes[0] ^= 1;
            },
        );
        damaged("one record short", &["records"], &|bytes| {
            bytes.truncate(bytes.len() - 18)
        });
        damaged("half a record short", &["records"], &|bytes| {
            bytes.truncate(bytes.len() - 9)
        });
        damaged("overlapping discs", &["record 1"], &|bytes| {
            let own: [u8; 8] = bytes[28..36].try_into().unwrap();
            bytes[36..44].copy_from_slice(&own);
        });
        damaged("a disc too many", &["record 0", "discs"], &|bytes| {
            let occupied = u64::from_le_bytes(bytes[10..18].try_into().unwrap())
                | u64::from_le_bytes(bytes[18..26].try_into().unwrap());
            let empty = (!occupied).trailing_zeros() as usize;
            bytes[10 + empty / 8] ^= 1 << (empty % 8);
        });
        damaged("a duplicate", &["record 1"], &|bytes| {
            let first: [u8; 16] = bytes[10..26].try_into().unwrap();
            bytes[28..44].copy_from_slice(&first);
        });
        damaged("an impossible value", &["record 0", "value"], &|bytes| {
            bytes[26..28].copy_from_slice(&65i16.to_le_bytes());
        });
    }
    refused_then_repaired("a changed value", &["values"], |phase| {
        change(&phase.join("train.rd"), |bytes| bytes[26] ^= 2);
    });
    refused_then_repaired("a record of another phase", &["discs"], |phase| {
        let other = std::fs::read(phase.with_file_name("phase_12").join("train.rd")).unwrap();
        change(&phase.join("train.rd"), |bytes| {
            bytes[10..28].copy_from_slice(&other[10..28])
        });
    });
    refused_then_repaired("a missing file", &["valid.rd"], |phase| {
        std::fs::remove_file(phase.join("valid.rd")).unwrap();
    });
    refused_then_repaired("swapped files", &[], |phase| {
        std::fs::rename(phase.join("valid.rd"), phase.join("x")).unwrap();
        std::fs::rename(phase.join("test.rd"), phase.join("valid.rd")).unwrap();
        std::fs::rename(phase.join("x"), phase.join("test.rd")).unwrap();
    });
}

#[test]
fn damaged_states_are_refused_and_repaired() {
    let state = |phase: &Path| phase.join("run_state.json");
    refused_then_repaired("missing", &["run_state.json"], |phase| {
        std::fs::remove_file(state(phase)).unwrap();
    });
    refused_then_repaired("truncated", &["run_state.json"], |phase| {
        change(&state(phase), |bytes| bytes.truncate(100));
    });
    refused_then_repaired("empty", &["run_state.json"], |phase| {
        change(&state(phase), Vec::clear);
    });
    refused_then_repaired("binary", &["run_state.json"], |phase| {
        change(&state(phase), |bytes| {
            bytes[..4].copy_from_slice(&[0, 255, 254, 7])
        });
    });
    let replaced = |phase: &Path, from: &str, to: &str| {
        let text = std::fs::read_to_string(state(phase)).unwrap();
        assert!(text.contains(from));
        std::fs::write(state(phase), text.replace(from, to)).unwrap();
    };
    refused_then_repaired("from the future", &["rdg_run_state_v9"], |phase| {
        replaced(phase, "rdg_run_state_v1", "rdg_run_state_v9");
    });
    refused_then_repaired("an older hash", &["rdg_effective_config_v0"], |phase| {
        replaced(phase, "rdg_effective_config_v1", "rdg_effective_config_v0");
    });
    refused_then_repaired("of another phase", &["phase 12"], |phase| {
        let other = phase.with_file_name("phase_12").join("run_state.json");
        std::fs::copy(other, state(phase)).unwrap();
    });
}

#[test]
fn a_checkpoint_that_counts_beyond_all_memory_is_damage() {
    for count in ["9223372036854775808", "18446744073709551615"] {
        let words = ["run_state.json", "more than any run counts"];
        refused_then_repaired("too large a count", &words, |phase| {
            let state = phase.join("run_state.json");
            let records = json(&state)["records"]["train"].to_string();
            let text = std::fs::read_to_string(&state).unwrap();
            let (before, rest) = text.split_once("\"records\"").unwrap();
            let rest = rest.replacen(&records, count, 1);
            std::fs::write(&state, format!("{before}\"records\"{rest}")).unwrap();
        });
    }
}

#[test]
fn damaged_facts_of_a_finished_phase_are_written_anew() {
    let (env, config) = finished();
    let data = bytes_of_phases(&env.path("out"));
    let others = snapshot(&env.path("out/phase_10"));
    for file in ["metadata.json", "stats.json"] {
        let path = env.path("out/phase_11").join(file);
        let sound = json(&path);
        let damages: [&[u8]; 4] = [b"", b"{}", b"\0\xff\0", b"{\"schema\": \"x\"}"];
        for damage in damages {
            std::fs::write(&path, damage).unwrap();
            let said = config.succeed(&env, &["--resume"]);
            assert!(said.contains(file) && said.contains("phase 11"), "{said}");
            let mut now = json(&path);
            // When it was written is the one thing that may differ.
            for time in ["generated_at", "finished_at"] {
                if !now[time].is_null() {
                    now[time] = sound[time].clone();
                }
            }
            assert_eq!(now, sound, "{file} after {damage:?}");
        }
        std::fs::remove_file(&path).unwrap();
        config.succeed(&env, &["--resume"]);
        assert!(path.is_file(), "{file}");
    }
    assert!(bytes_of_phases(&env.path("out")) == data);
    assert!(snapshot(&env.path("out/phase_10")) == others);
}

#[test]
fn torn_tails_are_cut() {
    let (env, config) = finished();
    let expected = bytes_of_phases(&env.path("out"));
    for length in 1..18 {
        for split in ["train", "valid", "test"] {
            change(&env.path(&format!("out/phase_11/{split}.rd")), |bytes| {
                bytes.extend(std::iter::repeat_n(0xa5, length));
            });
        }
        let said = config.succeed(&env, &["--resume"]);
        assert!(said.contains("phase 11"), "{said}");
        assert_eq!(bytes_of_phases(&env.path("out")), expected);
    }
}

#[test]
fn files_of_others_survive() {
    let (env, config) = finished();
    env.write("out/notes.txt", "mine");
    env.write("out/phase_40/train.rd", "not of this run");
    env.write("out/phase_11/notes.txt", "beside the records");
    config.succeed(&env, &["--resume"]);
    assert!(env.path("out/phase_11/notes.txt").is_file());
    config.clone().seed(7).succeed(&env, &["--force"]);
    assert!(env.path("out/notes.txt").is_file());
    assert!(env.path("out/phase_40/train.rd").is_file());
    assert_eq!(json(&env.path("out/phase_11/metadata.json"))["seed"], 7);
    let fresh = Env::new();
    config.seed(7).generate(&fresh);
    std::fs::remove_dir_all(env.path("out/phase_40")).unwrap();
    assert_eq!(
        bytes_of_phases(&env.path("out")),
        bytes_of_phases(&fresh.path("out"))
    );
}

#[test]
fn more_samples_and_more_phases_continue() {
    let (env, config) = finished();
    let untouched = snapshot(&env.path("out/phase_10"));
    let more = config.clone().with_phases("10..15").workers(5);
    more.succeed(&env, &["--resume"]);
    assert!(snapshot(&env.path("out/phase_10")) == untouched);
    let raised = more.samples(90).timeout("1s");
    raised.succeed(&env, &["--resume"]);
    let fresh = Env::new();
    raised.generate(&fresh);
    assert_eq!(
        bytes_of_phases(&env.path("out")),
        bytes_of_phases(&fresh.path("out"))
    );
    let of_phase = |env: &Env, file: &str| json(&env.path(&format!("out/phase_12/{file}")));
    for key in [
        "attempts",
        "emitted_samples",
        "duplicate_positions",
        "self_play",
        "value",
    ] {
        assert_eq!(
            of_phase(&env, "stats.json")[key],
            of_phase(&fresh, "stats.json")[key],
            "{key}"
        );
    }
    // Fewer samples, or fewer phases, leave what is there.
    let before = bytes_of_phases(&env.path("out"));
    raised.clone().samples(20).succeed(&env, &["--resume"]);
    raised.with_phases("10..12").succeed(&env, &["--resume"]);
    assert_eq!(bytes_of_phases(&env.path("out")), before);
}

#[test]
fn other_settings_are_refused_by_name_and_value() {
    let (env, config) = finished();
    let before = bytes_of_phases(&env.path("out"));
    let refused = |changed: &Config, words: &[&str]| {
        let output = changed.run(&env, &["--resume"]);
        let said = stderr(&output);
        assert_eq!(code(&output), 1, "{said}");
        for word in words {
            assert!(said.contains(word), "`{word}` in {said}");
        }
        assert_eq!(bytes_of_phases(&env.path("out")), before);
    };
    refused(&config.clone().seed(43), &["seed: 42 before, 43 now"]);
    refused(
        &config.clone().level(3),
        &["self_play.ai.level: 1 before, 3 now"],
    );
    refused(
        &config.clone().split(0.5, 0.25, 0.25),
        &["split.train: 0.6 before, 0.5 now"],
    );
    refused(
        &config.clone().playout_ai(0.5),
        &["playout.ai_probability", "playout.ai.level"],
    );
    refused(
        &config.clone().window(2),
        &["phase 12", "window.anchor: 10 before, 12 now"],
    );
    refused(
        &config.clone().with_phases("9..12"),
        &["window.anchor: 10 before, 9 now"],
    );
    // Without a configured seed the recorded one counts.
    config.clone().no_seed().succeed(&env, &["--resume"]);
    // A repair rebuilds what does not fit.
    config
        .clone()
        .seed(43)
        .succeed(&env, &["--resume", "--repair"]);
    let fresh = Env::new();
    config.seed(43).generate(&fresh);
    assert_eq!(
        bytes_of_phases(&env.path("out")),
        bytes_of_phases(&fresh.path("out"))
    );
}

#[test]
fn one_run_at_a_time() {
    let env = Env::new();
    let config = Config::new("10..19").samples(1_000_000).window(10);
    let mut first = start(&env, &config, &[]);
    while !env.path("out/phase_10/train.rd").is_file() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = env.run(&["--resume"]);
    let said = stderr(&output);
    assert_eq!(code(&output), 1, "{said}");
    assert!(
        said.contains(&first.id().to_string()),
        "names the process: {said}"
    );
    signal(&first, KILL);
    first.wait().unwrap();
    // The dead process' lock is gone with it.
    let small = config.samples(5);
    small.succeed(&env, &["--resume"]);
}

#[test]
fn a_full_disk_costs_nothing_that_was_saved() {
    let env = Env::new();
    let config = Config::new("10..13").samples(3000).window(4);
    config.write(&env);
    // A file size limit makes writes fail as a full disk does, but only to this process.
    let output = std::process::Command::new("bash")
        .args(["-c", "ulimit -f 24; exec \"$0\" \"$@\""])
        .arg(assert_cmd::cargo::cargo_bin!("rdg"))
        .current_dir(env.path(""))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = stderr(&output);
    assert_eq!(code(&output), 1, "{said}");
    assert!(said.contains("train.rd"), "{said}");
    config.succeed(&env, &["--resume"]);
    let fresh = Env::new();
    config.generate(&fresh);
    assert_eq!(
        bytes_of_phases(&env.path("out")),
        bytes_of_phases(&fresh.path("out"))
    );
}

#[test]
fn a_folder_that_vanishes_ends_the_run_with_its_name() {
    let env = Env::new();
    let config = Config::new("10..13").samples(1_000_000).window(4);
    let child = {
        config.write(&env);
        let mut command = env.rdg();
        command
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    while !env.path("out/phase_10/test.rd").is_file() {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::fs::remove_dir_all(env.path("out/phase_10")).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = stderr(&output);
    assert_eq!(code(&output), 1, "{said}");
    assert!(said.contains("phase_10"), "{said}");
    config.samples(5).succeed(&env, &["--resume"]);
}

/// A checkpoint whose numbers cannot all be true would go on to other bytes.
#[test]
fn a_checkpoint_that_contradicts_itself_is_refused_and_rebuilt() {
    let config = |samples| Config::new("20..22").samples(samples).window(3);
    let expected = Env::new();
    config(40).generate(&expected);
    let expected = bytes_of_phases(&expected.path("out"));
    type Damage = fn(&mut serde_json::Value);
    let damages: [(&str, Damage); 7] = [
        ("next_game", |state| add(&mut state["next_game"], 1)),
        ("next_game is 0", |state| state["next_game"] = 0.into()),
        ("it counts", |state| {
            add(&mut state["counters"]["attempts"], 1)
        }),
        ("it counts", |state| {
            add(&mut state["counters"]["ended_early"], 3)
        }),
        ("it counts", |state| {
            add(&mut state["counters"]["failed_attempts"], 1)
        }),
        ("more than any run counts", |state| {
            state["counters"]["duplicate_positions"] = (u64::MAX / 2).into();
        }),
        ("more than any run counts", |state| {
            state["next_game"] = (1_u64 << 62).into();
        }),
    ];
    for (words, damage) in damages {
        let env = Env::new();
        config(20).generate(&env);
        let path = env.path("out/phase_21/run_state.json");
        let mut state = json(&path);
        damage(&mut state);
        let damaged = state.to_string();
        std::fs::write(&path, &damaged).unwrap();
        let run = config(40).run(&env, &["--resume"]);
        let said = stderr(&run);
        assert_eq!(code(&run), 1, "{words}: {said}");
        assert!(
            said.contains("contradicts itself") && said.contains(words),
            "{said}"
        );
        assert_eq!(std::fs::read_to_string(&path).unwrap(), damaged);
        let verified = env.run(&["verify", "out"]);
        assert_eq!(code(&verified), 1, "{words}: verify is content");
        config(40).succeed(&env, &["--resume", "--repair"]);
        assert!(bytes_of_phases(&env.path("out")) == expected, "{words}");
    }
}

fn add(number: &mut serde_json::Value, more: u64) {
    *number = (number.as_u64().unwrap() + more).into();
}
