//! One word for one thing: what became of games is told alike in lines, JSON and files, and each
//! game counts once.

use crate::common::dataset::{Config, json};
use crate::common::{Env, code, stderr};
use serde_json::Value;

fn events(text: &str, name: &str) -> Vec<Value> {
    text.lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|event| event["event"] == name)
        .collect()
}

#[test]
fn games_that_end_before_their_anchor_are_no_failures() {
    let env = Env::new();
    // About one random game in a hundred leaves squares empty.
    let config = Config::new("60").samples(2000).window(1);
    let said = config.succeed(&env, &["--json-progress"]);
    let last = events(&said, "progress").pop().unwrap();
    let ended_early = &last["ended_early"];
    assert!(ended_early.as_u64() > Some(0), "{last}");
    assert_eq!(last["failed_games"], 0);
    let windows = json(&env.path("out/window_stats.json"));
    assert_eq!(&windows["total_ended_early"], ended_early);
    assert_eq!(windows["total_failed_trajectories"], 0);
    let stats = json(&env.path("out/phase_60/stats.json"));
    assert_eq!(&stats["ended_early"], ended_early);
    assert_eq!(&stats["window"]["ended_early"], ended_early);
    assert_eq!(stats["failed_attempts"], 0);
    let summary = json(&env.path("out/summary.json"));
    assert_eq!(&summary["phase_stats"][0]["ended_early"], ended_early);
    let finished = events(&said, "phase_finished").pop().unwrap();
    assert_eq!(&finished["ended_early"], ended_early);
    assert_eq!(finished["failed_games"], 0);
}

#[test]
fn a_drawn_seed_is_told_everywhere() {
    let env = Env::new();
    let config = Config::new("10").no_seed();
    let said = config.succeed(&env, &["--json-progress"]);
    let seed = events(&said, "start")[0]["seed"].clone();
    assert!(seed.is_u64(), "{said}");
    assert_eq!(json(&env.path("out/summary.json"))["seed"], seed);
    assert_eq!(json(&env.path("out/phase_10/metadata.json"))["seed"], seed);
    let said = config
        .samples(12)
        .succeed(&env, &["--resume", "--no-progress"]);
    assert!(said.contains(&format!(" seed={seed} ")), "{said}");
}

#[test]
fn unfinished_games_of_an_import_are_left_out() {
    let env = Env::new();
    env.write("games.txt", "f5d6c3\ne6f4e3f6g5d6e7f5c5\nf5f5\n");
    let args = ["import", "games.txt", "-o", "out", "--json-progress"];
    let output = env.run(&args);
    let said = stderr(&output);
    assert_eq!(code(&output), 0, "{said}");
    let told = |event: &Value| {
        [
            event["left_out_games"].clone(),
            event["failed_games"].clone(),
        ]
    };
    let expected = [Value::from(1), Value::from(1)];
    for event in events(&said, "phase_finished") {
        assert_eq!(told(&event), expected, "{event}");
    }
    assert_eq!(told(&events(&said, "progress").pop().unwrap()), expected);
    let stats = json(&env.path("out/phase_00/stats.json"));
    assert_eq!(stats["failed_attempts"], 1);
    assert_eq!(stats["import"]["bad_games"], 1);
    assert_eq!(stats["import"]["unfinished_games"], 1);
}
