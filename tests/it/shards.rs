//! Many machines: shards and their merge give byte for byte what one machine gives; and datasets
//! without common games become one.

use crate::bad_engines::harness::bad_engine;
use crate::common::dataset::{Config, bytes_of_games, bytes_of_phases, json, records};
use crate::common::{Env, code, stderr, stdout};
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::Duration;

/// What one machine makes of it, games kept.
fn one_machine(config: &Config) -> Env {
    let env = Env::new();
    config.clone().keep(true).generate(&env);
    env
}

fn play(env: &Env, config: &Config, shard: &str, more: &[&str]) -> Output {
    let args: Vec<&str> = ["--shard", shard].iter().chain(more).copied().collect();
    let output = config.run(env, &args);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    output
}

fn shard_folders(out: &Path, count: u64) -> Vec<PathBuf> {
    let name = |index| out.join(format!("shard_{index}_of_{count}"));
    (1..=count).map(name).collect()
}

fn merge(env: &Env, inputs: &[PathBuf], more: &[&str]) -> Output {
    let mut command = env.rdg();
    command
        .arg("merge")
        .args(inputs)
        .args(["--output", "merged"]);
    command.args(more).output().unwrap()
}

fn merged(env: &Env, count: u64) -> String {
    let output = merge(env, &shard_folders(&env.path("out"), count), &[]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    stdout(&output)
}

fn same(env: &Env, expected: &Env) {
    let (found, expected) = (env.path("merged"), expected.path("out"));
    assert!(
        bytes_of_phases(&found) == bytes_of_phases(&expected),
        "other records"
    );
    assert!(
        bytes_of_games(&found) == bytes_of_games(&expected),
        "other games"
    );
}

fn replays(env: &Env) {
    let output = env.run(&["verify", "--replay", "merged"]);
    assert_eq!(code(&output), 0, "{}", stdout(&output));
}

/// `--until-game` as the merge says it.
fn until_game(told: &str) -> Option<String> {
    let behind = told.split("--until-game ").nth(1)?;
    Some(behind.split_whitespace().next()?.to_owned())
}

/// Plays what the merge asks for until nothing lacks.
fn until_complete(env: &Env, config: &Config, count: u64) {
    for _ in 0..6 {
        let told = merged(env, count);
        let Some(until) = until_game(&told) else {
            return;
        };
        for index in 1..=count {
            let shard = format!("{index}/{count}");
            play(env, config, &shard, &["--until-game", &until]);
        }
    }
    panic!("the shards never have enough");
}

/// `--resume` in the folder of the merge.
fn resume(env: &Env, config: &Config) {
    config.write(env);
    let text = std::fs::read_to_string(env.path("configs/config.toml")).unwrap();
    env.write("configs/merged.toml", text.replace("../out", "../merged"));
    let output = env.run(&["--config", "configs/merged.toml", "--resume"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
}

fn modes() -> [(&'static str, Config); 4] {
    [
        ("single phases", Config::new("9,33,58").samples(90).level(2)),
        (
            "window",
            Config::new("10..19").samples(80).window(10).level(2),
        ),
        ("all_positions", Config::new("3..5").all_positions()),
        ("saturated", Config::new("3..5").samples(13).window(3)),
    ]
}

#[test]
fn four_shards_and_three_give_what_one_machine_gives() {
    for (name, config) in modes() {
        eprintln!("{name}");
        let expected = one_machine(&config);
        // Four, with different numbers of workers, one of them the scheduler's.
        let env = Env::new();
        for index in 1..=3 {
            let shard = format!("{index}/4");
            play(&env, &config.clone().workers(index), &shard, &[]);
        }
        let output = env
            .rdg()
            .args(["--shard", "auto/4"])
            .env("SLURM_ARRAY_TASK_ID", "4")
            .output()
            .unwrap();
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        until_complete(&env, &config, 4);
        same(&env, &expected);
        replays(&env);
        // Finished shards have nothing to do.
        let output = play(&env, &config, "2/4", &[]);
        assert!(
            stderr(&output).contains("nothing to do"),
            "{}",
            stderr(&output)
        );

        // Three, of which one is killed and played on, and a short merge that is resumed.
        let env = Env::new();
        play(&env, &config, "1/3", &[]);
        for wait in [30, 60, 90] {
            config.write(&env);
            let mut child = env
                .rdg()
                .args(["--shard", "2/3"])
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            std::thread::sleep(Duration::from_millis(wait));
            let _ = child.kill();
            child.wait().unwrap();
        }
        play(&env, &config.clone().workers(3), "2/3", &[]);
        play(&env, &config, "3/3", &[]);
        merged(&env, 3);
        resume(&env, &config);
        same(&env, &expected);
        replays(&env);
    }
}

/// A game that no try could finish is known by its number. The merge does not go on without it; the
/// shard, run again, plays it.
#[test]
fn a_game_given_up_is_asked_for_and_played_again() {
    let config = |env: &Env, fault: &str| {
        let config = Config::new("44")
            .samples(20)
            .retries(0)
            .workers(1)
            .keep(true);
        config.engine("bad", &bad_engine(env, fault, "nboard"))
    };
    let expected = Env::new();
    config(&expected, "well-behaved").generate(&expected);
    let env = Env::new();
    // One of the two meets the fault, which shows once.
    let config = config(&env, "illegal@9");
    for shard in ["1/2", "2/2"] {
        play(&env, &config, shard, &[]);
    }
    let refused = merge(&env, &shard_folders(&env.path("out"), 2), &[]);
    assert_eq!(code(&refused), 1, "{}", stdout(&refused));
    for words in [
        "1 game that was given up",
        "shard_1_of_2",
        "--accept-failed",
    ] {
        assert!(
            stderr(&refused).contains(words),
            "{words}: {}",
            stderr(&refused)
        );
    }
    assert!(!env.path("merged/phase_44").exists());

    let accepted = env
        .rdg()
        .arg("merge")
        .args(shard_folders(&env.path("out"), 2))
        .args(["--output", "holed", "--accept-failed"])
        .output()
        .unwrap();
    assert_eq!(code(&accepted), 0, "{}", stderr(&accepted));
    let metadata = json(&env.path("holed/phase_44/metadata.json"));
    assert_eq!(metadata["reproducible"], false);

    for shard in ["1/2", "2/2"] {
        play(&env, &config, shard, &[]);
    }
    until_complete(&env, &config, 2);
    same(&env, &expected);
}

#[test]
fn merged_data_is_raised_like_any_other() {
    let config = Config::new("20..24").samples(60).window(5).level(2);
    let env = Env::new();
    for shard in ["1/2", "2/2"] {
        play(&env, &config, shard, &[]);
    }
    merged(&env, 2);
    let raised = config.samples(100);
    resume(&env, &raised);
    same(&env, &one_machine(&raised));
    let state = json(&env.path("merged/phase_20/metadata.json"));
    assert_eq!(state["reproducible"], true);
}

#[test]
fn shards_that_cannot_be_are_refused() {
    let config = Config::new("20").samples(8);
    let env = Env::new();
    config.write(&env);
    for (shard, word) in [
        ("0/4", "--array=1-4"),
        ("5/4", "no shard 5 of 4"),
        ("auto/4", "SLURM_ARRAY_TASK_ID"),
        ("x", "I/N"),
        ("1/0", "I/N"),
    ] {
        let output = env.run(&["--shard", shard]);
        assert_eq!(code(&output), 2, "{shard}: {}", stderr(&output));
        assert!(
            stderr(&output).contains(word),
            "{shard}: {}",
            stderr(&output)
        );
    }
    let output = env.run(&["--until-game", "5"]);
    assert_eq!(code(&output), 2);
    let output = config.clone().no_seed().run(&env, &["--shard", "1/4"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("seed"), "{}", stderr(&output));
    assert!(!env.path("out").exists(), "nothing was written");
    play(&env, &config, "1/2", &[]);
    let output = config.run(&env, &["--shard", "1/3"]);
    assert_ne!(code(&output), 0);
    assert!(
        stderr(&output).contains("shards of 2"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn shards_that_do_not_belong_together_are_refused() {
    let config = Config::new("20..22").samples(20).window(3);
    let env = Env::new();
    for index in 1..=3 {
        play(&env, &config, &format!("{index}/3"), &[]);
    }
    let shards = shard_folders(&env.path("out"), 3);
    let refused = |inputs: &[PathBuf], words: &[&str]| {
        let output = merge(&env, inputs, &[]);
        assert_eq!(code(&output), 1, "{words:?}: {}", stdout(&output));
        for word in words {
            assert!(
                stderr(&output).contains(word),
                "{word}: {}",
                stderr(&output)
            );
        }
        assert!(!env.path("merged/phase_20").exists());
    };
    refused(&shards[..2], &["missing: 3"]);
    refused(&[&shards[..], &shards[..1]].concat(), &["in use"]);
    // A copy of one in the place of another.
    let copy = env.path("copy");
    let copied = std::process::Command::new("cp")
        .arg("-r")
        .args([&shards[0], &copy])
        .status()
        .unwrap();
    assert!(copied.success());
    refused(
        &[&shards[..], std::slice::from_ref(&copy)].concat(),
        &["both shard 1 of 3"],
    );
    // Another seed, another level.
    for (other, word) in [
        (config.clone().seed(43), "seed"),
        (config.clone().level(3), "level"),
    ] {
        let foreign = Env::new();
        play(&foreign, &other, "3/3", &[]);
        let foreign = foreign.path("out/shard_3_of_3");
        refused(
            &[shards[0].clone(), shards[1].clone(), foreign],
            &["belong together", word],
        );
    }
    refused(&[env.path("configs"), shards[0].clone()], &["some are not"]);
    refused(&[env.path("out/shard_9_of_9")], &["shard_9_of_9"]);

    // One bit.
    let games = shards[1].join("games_20/games.rdg");
    let sound = std::fs::read(&games).unwrap();
    let mut damaged = sound.clone();
    damaged[100] ^= 1;
    std::fs::write(&games, damaged).unwrap();
    let output = merge(&env, &shards, &[]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("checksum"), "{}", stderr(&output));
    std::fs::write(&games, sound).unwrap();

    // One that is still being played.
    config.clone().samples(2_000_000).write(&env);
    let mut running = env
        .rdg()
        .args(["--shard", "2/3"])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lock = shards[1].join(".rdg.lock");
    while !lock.exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = merge(&env, &shards, &[]);
    assert_eq!(code(&output), 1);
    assert!(
        stderr(&output).contains("in use by process"),
        "{}",
        stderr(&output)
    );
    let _ = running.kill();
    running.wait().unwrap();
}

#[test]
fn warnings_of_a_scheduler_end_a_run_in_order() {
    use rustix::process::{Pid, Signal, kill_process};
    for (signal, expected) in [
        (Signal::USR1, 138),
        (Signal::USR2, 140),
        (Signal::XCPU, 152),
    ] {
        let env = Env::new();
        Config::new("20").samples(5_000_000).write(&env);
        let mut child = env
            .rdg()
            .args(["--shard", "1/2"])
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let state = env.path("out/shard_1_of_2/games_20/games_state.json");
        while !state.exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
        kill_process(Pid::from_child(&child), signal).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(expected));
        let state = json(&state);
        let bytes = std::fs::metadata(env.path("out/shard_1_of_2/games_20/games.rdg"));
        assert_eq!(state["bytes"].as_u64(), Some(bytes.unwrap().len()));
    }
}

#[test]
fn without_a_lock_the_user_sees_to_it() {
    let env = Env::new();
    let config = Config::new("20").samples(5);
    config.succeed(&env, &["--no-lock"]);
    assert!(!env.path("out/.rdg.lock").exists());
}

fn canonical_images(own: u64, opponent: u64) -> (u64, u64) {
    let board = rdg::board::Board { own, opponent }.canonical();
    (board.own, board.opponent)
}

#[test]
fn datasets_without_common_games_become_one() {
    let env = Env::new();
    let config = Config::new("4..6")
        .samples(50)
        .window(3)
        .split(0.5, 0.25, 0.25);
    for seed in [1, 2, 3] {
        config.clone().seed(seed).succeed(&env, &["--force"]);
        std::fs::rename(env.path("out"), env.path(&format!("seed{seed}"))).unwrap();
    }
    std::fs::remove_file(env.path("seed3/phase_05/valid.rd")).unwrap();
    let inputs = [1, 2, 3].map(|seed| env.path(&format!("seed{seed}")));
    let output = merge(&env, &inputs, &[]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(
        stdout(&output).contains("cannot be resumed"),
        "{}",
        stdout(&output)
    );
    assert!(
        !stderr(&output).contains("same seed"),
        "{}",
        stderr(&output)
    );
    for phase in 4..=6 {
        // By hand: where each position is first, test before valid before train.
        let mut seen = std::collections::BTreeSet::new();
        for split in ["test", "valid", "train"] {
            let mut expected = Vec::new();
            for input in &inputs {
                if !input.join(format!("phase_{phase:02}/{split}.rd")).exists() {
                    continue;
                }
                for record in records(input, phase, split) {
                    if seen.insert(canonical_images(record.own, record.opponent)) {
                        expected.push(record);
                    }
                }
            }
            assert_eq!(records(&env.path("merged"), phase, split), expected);
        }
    }
    let output = env.run(&["verify", "merged"]);
    assert_eq!(code(&output), 0, "{}", stdout(&output));
    // A merge of merges, and the same seed twice.
    std::fs::rename(env.path("merged"), env.path("first")).unwrap();
    let output = merge(&env, &[env.path("first"), env.path("seed1")], &[]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(
        bytes_of_phases(&env.path("merged")),
        bytes_of_phases(&env.path("first"))
    );
    let again = merge(&env, &[env.path("seed1")], &[]);
    assert_eq!(code(&again), 1);
    assert!(
        stderr(&again).contains("is there already"),
        "{}",
        stderr(&again)
    );
    std::fs::remove_dir_all(env.path("merged")).unwrap();
    let twice = merge(&env, &[env.path("seed1"), env.path("seed1/.")], &[]);
    assert_eq!(code(&twice), 1);
    let copied = std::process::Command::new("cp")
        .arg("-r")
        .args([env.path("seed1"), env.path("copy")])
        .status();
    assert!(copied.unwrap().success());
    let same = merge(&env, &[env.path("seed1"), env.path("copy")], &[]);
    assert!(stderr(&same).contains("same seed"), "{}", stderr(&same));
}

/// Values of different meanings are never put together: rules, results and scores, new labels.
#[test]
fn datasets_with_other_values_are_refused() {
    let env = Env::new();
    let config = Config::new("44").samples(20).level(2);
    let made = |config: &Config, name: &str| {
        config.succeed(&env, &["--force"]);
        std::fs::rename(env.path("out"), env.path(name)).unwrap();
    };
    made(&config, "results");
    made(&config.clone().seed(7), "more");
    made(&config.clone().seed(8).label("score"), "scores");
    made(
        &config.clone().seed(9).score_rule("winner_takes_empties"),
        "standard",
    );
    let labelled = env.run(&["label", "more", "--exact", "--output", "exact"]);
    assert_eq!(code(&labelled), 0, "{}", stderr(&labelled));
    for other in ["scores", "standard", "exact"] {
        let output = merge(&env, &[env.path("results"), env.path(other)], &[]);
        assert_eq!(code(&output), 1, "{other}: {}", stdout(&output));
        let said = stderr(&output);
        assert!(said.contains(other) && said.contains("results"), "{said}");
        assert!(!env.path("merged/phase_44").exists());
    }
    let output = merge(&env, &[env.path("results"), env.path("more")], &[]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    // A merge keeps what its values are.
    let again = env.run(&["merge", "scores", "--output", "alone"]);
    assert_eq!(code(&again), 0, "{}", stderr(&again));
    assert_eq!(
        json(&env.path("alone/phase_44/metadata.json"))["label"],
        "score"
    );
}
