//! The same seed gives the same bytes with engine processes too: whatever the number of workers,
//! with another engine for the opening moves, and over a kill and a continuation.

use crate::common::dataset::{Config, bytes_of_phases, json};
use crate::common::{Env, code, stderr};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Entries of app.toml: this program over both protocols, and GRhino where it is installed.
fn engines() -> Vec<(&'static str, String)> {
    let own = assert_cmd::cargo::cargo_bin!("rdg");
    let serve = |kind: &str| {
        format!(
            "kind = \"{kind}\"\nbinary = {own:?}\nargs = [\"engine\", \"{kind}\", \"--level\", \"{{level}}\"]"
        )
    };
    let mut engines = vec![("nboard", serve("nboard")), ("gtp", serve("gtp"))];
    match Path::new("/usr/games/gtp-rhino").exists() {
        true => engines.push((
            "grhino",
            "kind = \"gtp\"\nbinary = \"/usr/games/gtp-rhino\"\n\
             args = [\"-l\", \"{level}\", \"-b\", \"0\"]"
                .to_owned(),
        )),
        false => eprintln!("skipped: gtp-rhino is not installed (Debian package grhino)"),
    }
    engines
}

fn bytes(config: &Config, workers: usize) -> BTreeMap<String, Vec<u8>> {
    let env = Env::new();
    config
        .clone()
        .workers(workers)
        .succeed(&env, &["--no-progress"]);
    bytes_of_phases(&env.path("out"))
}

#[test]
fn the_number_of_workers_changes_no_byte() {
    for (name, entry) in engines() {
        let config = Config::new("40,50").samples(12).engine(name, &entry);
        let one = bytes(&config, 1);
        assert!(!one.is_empty());
        for workers in [2, 5] {
            assert_eq!(bytes(&config, workers), one, "{name}, {workers} workers");
        }
    }
}

/// Opening moves by the second process, the rest by the first.
fn two_engines(self_play: usize, opening: usize) -> Config {
    let engines = engines();
    Config::new("20,30")
        .samples(12)
        .engine(engines[self_play].0, &engines[self_play].1)
        .playout_ai(0.5)
        .playout_engine(engines[opening].0, &engines[opening].1)
}

#[test]
fn another_engine_for_the_opening_moves_changes_nothing_of_that() {
    // GRhino, the third one, draws its first move in a game by a rule of its own.
    let pairs = [(0, 1), (1, 0), (2, 0), (0, 2)];
    let known = engines().len();
    for (self_play, opening) in pairs.into_iter().filter(|p| p.0.max(p.1) < known) {
        let config = two_engines(self_play, opening);
        let one = bytes(&config, 1);
        for workers in [2, 5] {
            let context = format!("{self_play} after {opening}, {workers} workers");
            assert_eq!(bytes(&config, workers), one, "{context}");
        }
    }
}

#[test]
fn a_killed_run_with_two_engines_goes_on_to_the_same_bytes() {
    let config = two_engines(0, 1).samples(150);
    let whole = bytes(&config, 2);
    let env = Env::new();
    config.write(&env);
    let mut child = env
        .rdg()
        .arg("--no-progress")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let until = Instant::now() + Duration::from_secs(60);
    while !env.path("out/phase_20/run_state.json").exists() {
        assert!(Instant::now() < until, "the run does not get going");
        std::thread::sleep(Duration::from_millis(2));
    }
    // It may have ended meanwhile; then there is nothing to continue, which is fine too.
    let _ = child.kill();
    child.wait().unwrap();
    let resumed = env.run(&["--resume", "--no-progress"]);
    assert_eq!(code(&resumed), 0, "{}", stderr(&resumed));
    assert_eq!(bytes_of_phases(&env.path("out")), whole);
}

#[test]
fn failed_starts_of_a_worker_without_a_game_are_counted_as_well() {
    let own = assert_cmd::cargo::cargo_bin!("rdg");
    let env = Env::new();
    // Only one process at a time starts, and late: the other worker's starts fail before.
    let script = format!(
        "if mkdir {:?} 2>/dev/null; then sleep 0.4; exec {own:?} engine gtp --level {{level}}; fi\n\
         echo 'no licence left' >&2; exit 1\n",
        env.path("licence")
    );
    let entry = format!("kind = \"gtp\"\nbinary = \"/bin/sh\"\nargs = [\"-c\", {script:?}]");
    let config = Config::new("40").samples(12).workers(2);
    let config = config.engine("licensed", &entry);
    config.succeed(&env, &["--no-progress"]);
    let stats = json(&env.path("out/phase_40/stats.json"));
    let number = |key: &str| stats["self_play"][key].as_u64().unwrap();
    assert!(number("engine_restarts") >= 2, "{stats}");
    assert_eq!(
        number("engine_restarts"),
        number("engine_errors"),
        "{stats}"
    );
}
