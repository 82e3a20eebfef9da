//! `--dry-run`: the whole plan, and not a trace of anything done.

use crate::common::{Env, code, stderr, stdout};
use serde_json::Value;

const CONFIG: &str = "mode = \"normal\"\noutput_dir = \"out/deep\"\nphases = \"40..45\"\n\
    samples_per_phase = 400\nseed = 7\n[self_play]\nworkers = 1\n\
    [self_play.ai]\nname = \"builtin\"\nlevel = 1\n[window]\nenabled = true\nsize = 3\n";
const APP: &str = "setup = \"always\"\n[log]\nfile = \"logs/rdg.log\"\n\
    [engines.builtin]\nkind = \"builtin\"\n\
    [engines.mine]\nkind = \"nboard\"\nbinary = \"absent/engine\"\n";
const DRY: [&str; 5] = [
    "--config",
    "config.toml",
    "--app-config",
    "app.toml",
    "--dry-run",
];

fn env() -> Env {
    let env = Env::new();
    env.write("config.toml", CONFIG);
    env.write("app.toml", APP);
    env
}

fn json(env: &Env, more: &[&str]) -> Value {
    let output = env.run(&[&DRY[..], &["--json-progress"], more].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
    let text = stdout(&output);
    assert_eq!(text.lines().count(), 1, "one object on one line");
    serde_json::from_str(&text).expect("it is JSON")
}

#[test]
fn the_plan_is_told_and_nothing_is_touched() {
    let env = env();
    let before = env.files();
    let output = env.run(&DRY);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
    let text = stdout(&output);
    for part in [
        "windows of 3 phases",
        "builtin level 1",
        "2,400 samples in 6 phases",
        "42.4 KiB",
        "40-42",
    ] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
    let plan = json(&env, &[]);
    assert_eq!(plan["schema"], "rdg_plan_v1");
    assert_eq!(plan["total"]["expected_games"], 800);
    assert_eq!(plan["total"]["target_samples"], 2400);
    assert_eq!(plan["splits"]["train"], 2352);
    assert_eq!(plan["time"]["basis"], "table");
    assert!(
        plan["time"]["seconds"]
            .as_f64()
            .is_some_and(|seconds| seconds > 0.0)
    );
    assert_eq!(plan["phases"].as_array().map(Vec::len), Some(6));
    assert_eq!(env.files(), before, "neither output nor log nor lock");
}

#[test]
fn measuring_plays_games_and_leaves_nothing() {
    let env = env();
    let before = env.files();
    let plan = json(&env, &["--measure"]);
    assert_eq!(plan["time"]["basis"], "measured");
    let number = |value: &Value| value.as_f64().expect("a number");
    assert!(number(&plan["time"]["measured_games"]) > 0.0);
    let windows = plan["campaigns"].as_array().expect("a list");
    let seconds: Vec<f64> = windows
        .iter()
        .map(|window| number(&window["seconds"]))
        .collect();
    assert!(seconds.len() == 2 && seconds.iter().all(|&seconds| seconds > 0.0));
    let total = number(&plan["time"]["seconds"]);
    assert!((total - seconds.iter().sum::<f64>()).abs() < 1e-9);
    assert_eq!(env.files(), before, "neither output nor log nor lock");
    let text = stdout(&env.run(&[&DRY[..], &["--measure"]].concat()));
    assert!(
        text.contains("by the games just played by one worker"),
        "{text}"
    );
    // An engine that is not there cannot be measured, and is told as a run would.
    env.write("config.toml", CONFIG.replace("builtin", "mine"));
    let output = env.run(&[&DRY[..], &["--measure"]].concat());
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("mine"), "{}", stderr(&output));
    let output = env.run(&[&DRY[..4], &["--measure"]].concat());
    assert_eq!(code(&output), 2, "alone it means nothing");
}

/// What is foreseen for kept games is near what they take.
#[test]
fn kept_games_take_room_too() {
    let env = env();
    let keeping = format!("{CONFIG}[games]\nkeep = true\n");
    let without = json(&env, &[]);
    env.write("config.toml", keeping);
    let with = json(&env, &[]);
    let bytes = |plan: &Value, key: &str| plan["disk"][key].as_u64().unwrap();
    let foreseen = bytes(&with, "games_bytes");
    assert_eq!(bytes(&without, "games_bytes"), 0);
    assert_eq!(
        bytes(&with, "needed_bytes"),
        bytes(&without, "needed_bytes") + foreseen
    );
    let run = env.run(&[
        "--config",
        "config.toml",
        "--app-config",
        "app.toml",
        "--no-progress",
    ]);
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    let taken: u64 = [40, 43]
        .map(|anchor| env.path(&format!("out/deep/games_{anchor}/games.rdg")))
        .iter()
        .map(|path| std::fs::metadata(path).unwrap().len())
        .sum();
    assert!(
        taken * 2 > foreseen && taken < foreseen * 3 / 2,
        "{taken} {foreseen}"
    );
}

#[test]
fn an_engine_that_is_missing_is_a_warning() {
    let env = env();
    env.write("config.toml", CONFIG.replace("builtin", "mine"));
    let plan = json(&env, &[]);
    let warnings = plan["warnings"].as_array().expect("a list");
    assert!(warnings.iter().any(|text| {
        text.as_str()
            .is_some_and(|text| text.contains("absent/engine"))
    }));
    assert_eq!(plan["engines"][0]["processes"], 1);
    assert_eq!(plan["engines"][0]["memory_bytes"], Value::Null);
}

#[test]
fn what_is_there_already_is_counted_on_resume() {
    let env = env();
    assert_eq!(code(&env.run(&DRY[..4])), 0);
    assert_eq!(json(&env, &[])["phases"][0]["state"], "in_the_way");
    assert_eq!(json(&env, &["--force"])["phases"][0]["state"], "replaced");
    let plan = json(&env, &["--resume"]);
    assert_eq!(plan["phases"][0]["state"], "complete");
    assert_eq!(plan["total"]["new_samples"], 0);
    assert_eq!(plan["total"]["expected_games"], 0);
    env.write("config.toml", CONFIG.replace("400", "1000"));
    let plan = json(&env, &["--resume"]);
    assert_eq!(plan["total"]["existing_samples"], 2400);
    assert_eq!(plan["total"]["new_samples"], 3600);
    env.write("config.toml", CONFIG.replace("seed = 7", "seed = 8"));
    let plan = json(&env, &["--resume"]);
    let warnings = plan["warnings"].to_string();
    assert!(warnings.contains("seed: 7 before, 8 now"), "{warnings}");
    let plan = json(&env, &["--resume", "--repair"]);
    assert_eq!(plan["phases"][5]["state"], "rebuilt");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let env = env();
    let mut child = env
        .rdg()
        .args(DRY)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the program can be started");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}
