//! Whole runs with engines that misbehave in every way, over both protocols: the data is what a
//! good engine would have given, or the run ends soon and says why; and no process is left.

pub mod engine;
pub mod harness;

use crate::common::dataset::{Config, bytes_of_phases, json};
use crate::common::{Env, code, stderr};
use harness::{assert_no_process_is_left, bad_engine, executable, foreign_program, processes};
use std::collections::BTreeMap;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

const KINDS: [&str; 2] = ["nboard", "gtp"];

/// This test program, run by the program under test, is the engine.
#[test]
fn act_as_engine() {
    harness::act_as_engine();
}

fn config() -> Config {
    Config::new("44,52").samples(6)
}

/// Everything that a run with this fault leaves behind.
struct Ran {
    env: Env,
    code: i32,
    said: String,
}

fn run(config: Config, kind: &str, fault: &str) -> Ran {
    run_with(config, kind, fault, |entry| entry)
}

fn run_with(config: Config, kind: &str, fault: &str, change: impl FnOnce(String) -> String) -> Ran {
    let env = Env::new();
    let entry = change(bad_engine(&env, fault, kind));
    let output = config.engine("bad", &entry).run(&env, &["--no-progress"]);
    let ran = Ran {
        code: code(&output),
        said: stderr(&output),
        env,
    };
    assert_no_process_is_left(&ran.env, &format!("{kind} {fault}: {}", ran.said));
    ran
}

/// What a good engine gives, which is the same over both protocols.
fn expected() -> BTreeMap<String, Vec<u8>> {
    run(config(), "nboard", "well-behaved").bytes()
}

impl Ran {
    fn bytes(&self) -> BTreeMap<String, Vec<u8>> {
        assert_eq!(self.code, 0, "{}", self.said);
        bytes_of_phases(&self.env.path("out"))
    }

    /// Failures by kind, over both phases, without those that did not happen.
    fn failures(&self) -> BTreeMap<String, u64> {
        let mut sum = BTreeMap::new();
        for phase in [44, 52] {
            let stats = json(&self.env.path(&format!("out/phase_{phase}/stats.json")));
            for (kind, count) in stats["self_play"]["failures"].as_object().unwrap() {
                *sum.entry(kind.clone()).or_default() += count.as_u64().unwrap();
            }
        }
        sum.retain(|_, count| *count > 0);
        sum
    }
}

#[test]
fn one_fault_costs_a_restart_and_changes_no_byte() {
    let expected = expected();
    for kind in KINDS {
        let good = run(config(), kind, "well-behaved");
        assert!(good.failures().is_empty());
        assert_eq!(good.bytes(), expected, "{kind}");
        for (fault, failure) in [
            ("exit@9", "exited"),
            ("exit-after-answer@9", "exited"),
            ("crash@9", "exited"),
            ("closes-output@9", "exited"),
            ("forks-and-exits@9", "exited"),
            ("garbage@9", "unintelligible"),
            ("no-move@9", "unintelligible"),
            ("long-line@9", "unintelligible"),
            ("refused@9", "unintelligible"),
            ("two-moves@9", "unintelligible"),
            ("illegal@9", "illegal_move"),
            ("another-position@9", "illegal_move"),
            ("pass@9", "illegal_move"),
        ] {
            let ran = run(config(), kind, fault);
            assert_eq!(ran.bytes(), expected, "{kind} {fault}");
            let failures = BTreeMap::from([(failure.to_owned(), 1)]);
            assert_eq!(ran.failures(), failures, "{kind} {fault}");
        }
        // The second answer is found unasked for, or it comes so late that it is taken for the
        // next one: then its square is occupied.
        let ran = run(config(), kind, "two-answers@9");
        assert_eq!(ran.bytes(), expected);
        assert_eq!(
            ran.failures().values().sum::<u64>(),
            1,
            "{:?}",
            ran.failures()
        );
    }
}

/// A game is one game, however many samples it would have given: with no try left it is lost once.
#[test]
fn a_game_lost_in_a_window_counts_once() {
    let window = || Config::new("40..49").samples(6).window(10).retries(0);
    let failed = |ran: &Ran| {
        assert_eq!(ran.code, 0, "{}", ran.said);
        let stats = json(&ran.env.path("out/window_stats.json"));
        let window = &stats["windows"][0];
        let progress = ran.said.lines().rfind(|line| line.contains(" progress "));
        let told = progress.is_some_and(|line| line.contains(" failed_games=1 "));
        (
            stats["total_failed_trajectories"].as_u64().unwrap(),
            window["failed_trajectories"].as_u64().unwrap(),
            told,
        )
    };
    for kind in KINDS {
        assert_eq!(failed(&run(window(), kind, "well-behaved")), (0, 0, false));
        assert_eq!(failed(&run(window(), kind, "illegal@9")), (1, 1, true));
    }
}

/// Wherever in a game it happens, the last question included, where nothing follows that would show
/// it.
#[test]
fn an_answer_too_many_changes_no_byte_at_any_point_of_a_game() {
    let config = || Config::new("52").samples(3).workers(1);
    let expected = run(config(), "nboard", "well-behaved").bytes();
    // The start-up test asks twice; a game from there on asks at most eight times.
    for at in 3..=12 {
        for (kind, fault) in [
            ("nboard", "two-answers"),
            ("nboard", "two-answers-late"),
            ("nboard", "two-answers-late-no-status"),
            ("gtp", "two-answers-late"),
        ] {
            let ran = run(config(), kind, &format!("{fault}@{at}"));
            assert_eq!(ran.bytes(), expected, "{kind} {fault}@{at}");
        }
    }
    // The same from an engine that plays before the anchor, whose last answer is followed by
    // nothing either.
    let run = |fault: &str| {
        let env = Env::new();
        let entry = bad_engine(&env, fault, "nboard");
        let config = (Config::new("12").samples(3).workers(1)).playout_ai(0.5);
        let output = (config.playout_engine("bad", &entry)).run(&env, &["--no-progress"]);
        assert_eq!(code(&output), 0, "{fault}: {}", stderr(&output));
        bytes_of_phases(&env.path("out"))
    };
    let expected = run("well-behaved");
    for at in 3..=12 {
        assert_eq!(run(&format!("two-answers-late@{at}")), expected, "{at}");
    }
}

#[test]
fn a_missed_deadline_costs_a_restart_and_changes_no_byte() {
    let expected = expected();
    for kind in KINDS {
        for fault in ["silent@9", "late@9", "half-a-line@9"] {
            let ran = run(config().timeout("1s"), kind, fault);
            assert_eq!(ran.bytes(), expected, "{kind} {fault}");
            let failures = ran.failures();
            assert!(failures["timed_out"] >= 1, "{kind} {fault}: {failures:?}");
            assert_eq!(failures.len(), 1, "{kind} {fault}: {failures:?}");
        }
    }
}

#[test]
fn what_is_merely_odd_costs_nothing() {
    let expected = expected();
    for kind in KINDS {
        for fault in [
            "embellished",
            "no-status",
            "slow-start",
            "ignore-quit",
            "forked",
            "flood@9!",
        ] {
            let ran = run(config(), kind, fault);
            assert_eq!(ran.bytes(), expected, "{kind} {fault}");
            assert!(ran.failures().is_empty(), "{fault}: {:?}", ran.failures());
        }
    }
}

#[test]
fn every_way_to_speak_a_protocol_is_understood() {
    let expected = expected();
    for (kind, manner) in [
        ("nboard", "set-game-only"),
        ("nboard", "game-only"),
        ("nboard", "slashes"),
        ("nboard", "bare"),
        ("nboard", "banner"),
        ("gtp", "banner"),
        ("gtp", "no-boardsize"),
        ("gtp", "needs-boardsize"),
    ] {
        let ran = run(config(), kind, manner);
        assert_eq!(ran.bytes(), expected, "{kind} {manner}");
        assert!(ran.failures().is_empty(), "{manner}: {:?}", ran.failures());
    }
}

#[test]
fn affinity_changes_no_byte() {
    let expected = expected();
    for affinity in ["\"auto\"", "true", "false"] {
        for kind in KINDS {
            for workers in [1, 2, 5] {
                let config = config().workers(workers).affinity(affinity);
                let ran = run(config, kind, "well-behaved");
                assert_eq!(ran.bytes(), expected, "{kind} {affinity} {workers}");
            }
        }
    }
}

/// On one CPU, and beside another run that wants the same ones.
#[test]
fn crowded_cpus_change_no_byte() {
    let expected = expected();
    let prepared = |workers| {
        let env = Env::new();
        let entry = bad_engine(&env, "well-behaved", "nboard");
        config().workers(workers).engine("bad", &entry).write(&env);
        env
    };
    let env = prepared(1);
    let mut pinned = std::process::Command::new("taskset");
    pinned
        .args(["-c", "0"])
        .arg(env.rdg().get_program())
        .current_dir(env.path(""));
    match pinned.arg("--no-progress").output() {
        Ok(output) => {
            assert_eq!(code(&output), 0, "{}", stderr(&output));
            assert_eq!(bytes_of_phases(&env.path("out")), expected);
        }
        Err(error) => eprintln!("skipped: taskset cannot be started ({error})"),
    }
    let both = [prepared(2), prepared(2)];
    let children = both.each_ref().map(|env| {
        let mut rdg = env.rdg();
        rdg.arg("--no-progress").stderr(Stdio::null());
        rdg.spawn().expect("it can be started")
    });
    for (mut child, env) in children.into_iter().zip(&both) {
        assert!(child.wait().expect("it ends").success());
        assert_eq!(bytes_of_phases(&env.path("out")), expected);
    }
}

/// Forty engines want 160 descriptors.
#[test]
fn too_few_open_files_cost_workers_and_change_no_byte() {
    let expected = expected();
    let env = Env::new();
    let entry = bad_engine(&env, "well-behaved", "nboard");
    config().workers(40).engine("bad", &entry).write(&env);
    let rdg = env.rdg();
    let output = std::process::Command::new("/bin/sh")
        .args(["-c", "ulimit -n 64 && exec \"$0\" --no-progress"])
        .arg(rdg.get_program())
        .current_dir(env.path(""))
        .output()
        .expect("there is a shell");
    let said = stderr(&output);
    assert_eq!(code(&output), 0, "{said}");
    assert!(said.contains("of 40 workers"), "{said}");
    assert_eq!(bytes_of_phases(&env.path("out")), expected);
    assert_no_process_is_left(&env, &said);
}

#[test]
fn a_start_that_fails_once_is_no_reason_to_give_up() {
    let expected = expected();
    for kind in KINDS {
        for fault in ["exit-at-start", "crash-at-start"] {
            let ran = run(config().workers(1), kind, fault);
            assert_eq!(ran.bytes(), expected, "{fault}");
            let failures = BTreeMap::from([("exited".to_owned(), 1)]);
            assert_eq!(ran.failures(), failures, "it counts like any other end");
        }
    }
}

#[test]
fn an_engine_that_never_works_ends_the_run_with_its_own_words() {
    for (kind, fault, words) in [
        (
            "nboard",
            "exit-at-start!",
            "exit code 1; it said: cannot open the engine's file",
        ),
        ("gtp", "exit-at-start!", "cannot open the engine's file"),
        ("gtp", "exit-at-start!", "no worker could start its engine"),
        ("nboard", "crash-at-start!", "SIGSEGV"),
        ("nboard", "exit@1!", "ended while starting: exit code 3"),
        ("gtp", "exit@2!", "ended while starting: exit code 3"),
        (
            "nboard",
            "illegal@1!",
            "failed the start-up test: engine `bad` answered the illegal move d4",
        ),
        ("gtp", "illegal@1!", "answered the illegal move d4"),
        ("nboard", "garbage@2!", "failed the start-up test"),
        ("gtp", "garbage@2!", "failed the start-up test"),
        ("nboard", "refused@2!", "Cannot parse move"),
        ("gtp", "refused@2!", "illegal move"),
        ("nboard", "exit@5!", "exit code 3"),
        ("nboard", "illegal@5!", "illegal move d4"),
        (
            "nboard",
            "no-move@5!",
            "answered `=== k9 1.00 0.0`, which is not a move",
        ),
        ("gtp", "no-move@5!", "answered `K9`, which is not a move"),
        ("nboard", "two-answers@5!", "answered"),
        ("gtp", "two-answers@5!", "answered"),
    ] {
        let ran = run(config().retries(1), kind, fault);
        assert_eq!(ran.code, 1, "{kind} {fault}: {}", ran.said);
        for words in ["engine `bad`", words] {
            assert!(ran.said.contains(words), "{kind} {fault}: {}", ran.said);
        }
        assert!(!ran.said.contains("panicked"), "{fault}: {}", ran.said);
        if fault.contains("at-start") {
            // What will not happen is not promised, and nobody tries for long.
            assert!(!ran.said.contains("will try again"), "{}", ran.said);
            let starts = processes(&ran.env).len();
            assert!(starts <= 2 * 3, "{starts} starts of two workers' engines");
        }
    }
    for kind in KINDS {
        let speechless = run_with(config(), kind, "speechless", |entry| {
            entry.replace("60s", "300ms")
        });
        assert_eq!(speechless.code, 1);
        for words in ["I only speak of the weather", "and badly"] {
            assert!(speechless.said.contains(words), "{}", speechless.said);
        }
    }
    for kind in KINDS {
        let never_ready = run_with(config().retries(0), kind, "never-ready!", |entry| {
            entry.replace("60s", "300ms")
        });
        assert_eq!(never_ready.code, 1);
        assert!(
            never_ready.said.contains("was not ready after 0.3s"),
            "{}",
            never_ready.said
        );
        let silent = run(config().retries(0).timeout("300ms"), kind, "silent@3!");
        assert_eq!(silent.code, 1);
        assert!(
            silent.said.contains("did not answer within 0.3s"),
            "{}",
            silent.said
        );
    }
}

#[test]
fn what_is_no_engine_is_named() {
    let env = Env::new();
    env.write("bad", "just a text");
    env.write("folder/file", "");
    executable(&env, "text", "just a text\n");
    executable(&env, "elf", foreign_program());
    for (binary, words) in [
        ("bad", "is not executable"),
        ("folder", "is a folder"),
        ("text", "is not a program"),
        ("elf", "another kind of machine"),
        ("missing", "missing"),
        ("/usr/bin/true", "ended while starting: exit code 0"),
    ] {
        for kind in ["nboard", "gtp", "edax"] {
            let binary = match binary.starts_with('/') {
                true => binary.to_owned(),
                false => format!("../{binary}"),
            };
            let entry = format!("kind = \"{kind}\"\nbinary = \"{binary}\"\nargs = [\"{{level}}\"]");
            let output = config()
                .retries(0)
                .engine("bad", &entry)
                .run(&env, &["--no-progress"]);
            let said = stderr(&output);
            assert!([1, 2].contains(&code(&output)), "{binary}: {said}");
            assert!(said.contains("bad"), "the engine is named: {said}");
            assert!(said.contains(words), "{binary} as {kind}: {said}");
        }
    }
}

/// Starts a long run and waits until two engines and what they forked are at work.
fn long_run(env: &Env, kind: &str) -> Child {
    let entry = bad_engine(env, "forked-and-slow", kind);
    Config::new("20..40")
        .samples(5000)
        .engine("bad", &entry)
        .write(env);
    let mut child = env
        .rdg()
        .arg("--no-progress")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let until = Instant::now() + Duration::from_secs(60);
    while processes(env).len() < 4 || !env.path("out/phase_20/run_state.json").exists() {
        assert!(Instant::now() < until, "the run does not get going");
        assert!(child.try_wait().unwrap().is_none(), "the run has ended");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

#[test]
fn a_killed_run_leaves_no_process() {
    for (kind, signal) in [
        ("nboard", rustix::process::Signal::KILL),
        ("gtp", rustix::process::Signal::KILL),
        ("nboard", rustix::process::Signal::TERM),
        ("gtp", rustix::process::Signal::INT),
    ] {
        let env = Env::new();
        let mut child = long_run(&env, kind);
        let pid = rustix::process::Pid::from_child(&child);
        rustix::process::kill_process(pid, signal).unwrap();
        let status = child.wait().unwrap();
        match signal {
            rustix::process::Signal::TERM => assert_eq!(status.code(), Some(143)),
            rustix::process::Signal::INT => assert_eq!(status.code(), Some(130)),
            _ => assert_eq!(status.code(), None),
        }
        assert_no_process_is_left(&env, "after a signal");
    }
}
