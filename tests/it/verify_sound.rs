//! `rdg verify` finds nothing in what rdg makes: every mode of generation, imports, runs that were
//! interrupted.

use crate::common::dataset::Config;
use crate::common::{Env, code, stderr, stdout};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// Every split checked, nothing found.
fn sound(env: &Env, expected: &str) {
    let output = env.run(&["verify", "--thorough", "out"]);
    assert_eq!(code(&output), 0, "{}", stdout(&output));
    assert_eq!(stderr(&output), "");
    assert_eq!(stdout(&output), format!("{expected}: no error found\n"));
}

#[test]
fn in_each_mode_of_generation() {
    for (config, expected) in [
        (
            Config::new("8..15").samples(60).window(5),
            "480 records in 24 files, 8 phases",
        ),
        (
            Config::new("1,30,59,60").samples(1),
            "4 records in 12 files, 4 phases",
        ),
        (
            Config::new("40,50")
                .samples(80)
                .split(0.5, 0.3, 0.2)
                .playout_ai(0.5),
            "160 records in 6 files, 2 phases",
        ),
        (
            Config::new("1..5").all_positions(),
            "400 records in 15 files, 5 phases",
        ),
    ] {
        let env = Env::new();
        config.generate(&env);
        sound(&env, expected);
    }
}

#[test]
fn in_imported_games() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/games");
    for options in [
        &[][..],
        &["--split-by", "game"],
        &["--duplicates", "first"],
        &["--score-rule", "winner_takes_empties", "--winner-only"],
        &["--max-per-game", "5", "--phases", "10..20"],
    ] {
        let env = Env::new();
        let mut command = env.rdg();
        command.arg("import").arg(games.join("thirteen.wtb"));
        let output = command
            .args(["--output", "out"])
            .args(options)
            .output()
            .unwrap();
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let output = env.run(&["verify", "--thorough", "out"]);
        assert_eq!(code(&output), 0, "{options:?}: {}", stdout(&output));
        assert!(
            stdout(&output).ends_with(": no error found\n"),
            "{}",
            stdout(&output)
        );
    }
}

#[test]
fn in_a_run_that_was_stopped_and_in_what_it_becomes() {
    let config = Config::new("20..24").samples(4000).window(5).level(2);
    let env = Env::new();
    config.write(&env);
    for milliseconds in [200, 500] {
        let args = if milliseconds == 200 {
            &[][..]
        } else {
            &["--resume"]
        };
        let mut run = env.rdg().args(args).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(milliseconds));
        let pid = rustix::process::Pid::from_child(&run);
        // It may be done already, which is as good.
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        run.wait().unwrap();
        let output = env.run(&["verify", "--thorough", "out"]);
        assert_eq!(code(&output), 0, "{}", stdout(&output));
        assert!(
            stdout(&output).ends_with(": no error found\n"),
            "{}",
            stdout(&output)
        );
    }
    config.succeed(&env, &["--resume"]);
    sound(&env, "20000 records in 15 files, 5 phases");
    // Raised to a larger target.
    config.samples(5000).succeed(&env, &["--resume"]);
    sound(&env, "25000 records in 15 files, 5 phases");
}
