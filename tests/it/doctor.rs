//! `rdg doctor`: what it finds out about good and bad engines.

use crate::bad_engines::harness::{
    assert_no_process_is_left, executable, foreign_program, processes,
};
use crate::common::{Env, code, stderr, stdout};
use serde_json::Value;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

/// Writes app.toml with the embedded engine and these.
fn app(env: &Env, engines: &[(&str, String)]) {
    let mut text = "setup = \"off\"\n[engines.builtin]\nkind = \"builtin\"\n".to_owned();
    for (name, entry) in engines {
        text += &format!("[engines.{name}]\n{entry}\n");
    }
    env.write("configs/app.toml", text);
}

fn doctor(env: &Env, words: &[&str]) -> Output {
    let words: Vec<&str> = ["doctor", "--time", "300ms"]
        .iter()
        .chain(words)
        .copied()
        .collect();
    let output = env.run(&words);
    assert_no_process_is_left(env, &stdout(&output));
    output
}

/// The findings as JSON.
fn examined(env: &Env, words: &[&str]) -> (i32, Value) {
    let words: Vec<&str> = ["--json"].iter().chain(words).copied().collect();
    let output = doctor(env, &words);
    let text = stdout(&output);
    let value = serde_json::from_str(&text).unwrap_or_else(|e| {
        panic!("{e}: {text}{}", stderr(&output));
    });
    (code(&output), value)
}

/// Of the only engine, one check: its verdict and everything that is said.
fn found(told: &Value, check: &str) -> (String, String) {
    let engine = &told["engines"][0];
    let findings = engine["findings"].as_array().unwrap();
    let finding = findings
        .iter()
        .find(|finding| finding["check"] == check)
        .unwrap_or_else(|| panic!("nothing about {check}: {engine:#}"));
    let verdict = finding["verdict"].as_str().unwrap().to_owned();
    (
        verdict,
        format!("{} {}", finding["text"], finding["advice"]),
    )
}

fn entry(kind: &str, binary: &Path, args: &[&str]) -> String {
    format!(
        "kind = \"{kind}\"\nbinary = \"{}\"\nargs = {args:?}",
        binary.display()
    )
}

#[test]
fn good_engines_are_found_good() {
    let env = Env::new();
    let own = assert_cmd::cargo::cargo_bin!("rdg");
    let level = ["engine", "", "--level", "{level}"];
    let served = |kind| {
        let mut args = level;
        args[1] = kind;
        entry(kind, own, &args)
    };
    let mut engines = vec![("n", served("nboard")), ("g", served("gtp"))];
    let grhino = Path::new("/usr/games/gtp-rhino");
    match grhino.exists() {
        true => engines.push((
            "grhino",
            entry("gtp", grhino, &["-l", "{level}", "-b", "0"]),
        )),
        false => eprintln!("skipped: {} is not installed", grhino.display()),
    }
    app(&env, &engines);
    let (code, told) = examined(&env, &["--level", "4"]);
    assert_eq!(code, 0);
    assert_eq!(told["schema"], "rdg_doctor_v1");
    assert_eq!(told["usable"], true);
    let all = told["engines"].as_array().unwrap();
    assert_eq!(all.len(), engines.len() + 1);
    for engine in all {
        assert_eq!(engine["usable"], true, "{engine:#}");
        assert_eq!(engine["needed"], false);
        assert_eq!(engine["level"], 4);
        let findings = engine["findings"].as_array().unwrap();
        for finding in findings {
            let verdict = finding["verdict"].as_str().unwrap();
            assert!(["good", "note"].contains(&verdict), "{engine:#}");
        }
        let checks: Vec<&str> = findings
            .iter()
            .map(|finding| finding["check"].as_str().unwrap())
            .collect();
        for check in [
            "files",
            "start",
            "positions",
            "passes",
            "games",
            "repeats",
            "speed",
            "memory",
        ] {
            assert!(checks.contains(&check), "{check}: {engine:#}");
        }
        assert_eq!(engine["repeats"]["differing_in_the_same_process"], 0);
        assert_eq!(engine["repeats"]["differing_in_a_new_process"], 0);
        let moves = &engine["moves"];
        let (median, worst) = (&moves["median_seconds"], &moves["worst_seconds"]);
        assert!(moves["timed"].as_u64().unwrap() > 0);
        assert!(0.0 < median.as_f64().unwrap() && median.as_f64() <= worst.as_f64());
        assert_eq!(engine["start_seconds"].as_array().unwrap().len(), 3);
        if cfg!(target_os = "linux") && engine["kind"] != "builtin" {
            // More than an empty process, less than what Edax with a large table takes.
            assert_eq!(engine["memory"]["measured"], true);
            let bytes = engine["memory"]["bytes"].as_u64().unwrap();
            assert!((500_000..500_000_000).contains(&bytes), "{bytes}");
            let hash = engine["identity"]["engine_binary_sha256"].as_str().unwrap();
            assert_eq!(hash.len(), 64);
        }
        let scores = findings
            .iter()
            .find(|finding| finding["check"] == "scores")
            .unwrap()["text"]
            .to_string();
        let expected = match engine["kind"] == "gtp" {
            true => "none: it can make data",
            false => "a score for each of ",
        };
        assert!(scores.contains(expected), "{engine:#}");
        if engine["name"] != "grhino" {
            // Level 4 plays perfectly from eight empty squares on.
            let text = findings[checks.iter().position(|c| *c == "positions").unwrap()].to_string();
            assert!(text.contains("6 of 6 best moves"), "{text}");
        }
    }
}

#[test]
fn what_cannot_be_started_is_named_with_what_to_do() {
    let env = Env::new();
    env.write("text", "just a text\n");
    env.write("folder/file", "");
    executable(&env, "text-x", "just a text\n");
    executable(&env, "foreign", foreign_program());
    let library = "error while loading shared libraries: libnowhere.so.1: cannot open";
    executable(
        &env,
        "unlinked",
        format!("#!/bin/sh\necho \"unlinked: {library}\" >&2\nexit 127\n"),
    );
    executable(&env, "modern", "#!/bin/sh\nkill -ILL $$\n");
    executable(
        &env,
        "usage",
        "#!/bin/sh\necho 'usage: usage [-x]' >&2\nexit 0\n",
    );
    for (binary, check, words, advice) in [
        ("missing", "files", "is missing", "write the right path"),
        ("folder", "files", "is a folder", "write the right path"),
        ("text", "start", "is not executable", "chmod +x"),
        ("text-x", "start", "is not a program", "#!"),
        ("foreign", "start", "another kind of machine", "build it"),
        ("unlinked", "start", "libnowhere.so.1", "ldd "),
        ("modern", "start", "SIGILL", "this CPU is"),
        ("usage", "start", "usage: usage [-x]", "args"),
    ] {
        for kind in ["nboard", "gtp", "edax"] {
            let entry = format!("kind = \"{kind}\"\nbinary = \"../{binary}\"");
            app(&env, &[("bad", entry)]);
            let (code, told) = examined(&env, &["bad"]);
            assert_eq!(code, 1, "{binary}");
            assert_eq!(told["engines"][0]["usable"], false);
            let (verdict, said) = found(&told, check);
            assert_eq!(verdict, "bad", "{binary}: {said}");
            assert!(said.contains(words), "{binary} as {kind}: {said}");
            assert!(said.contains(advice), "{binary} as {kind}: {said}");
        }
    }
}

#[test]
fn misbehaviour_is_found_where_it_shows() {
    for (fault, check, words) in [
        ("exit-at-start!", "start", "cannot open the engine's file"),
        ("crash-at-start!", "start", "SIGSEGV"),
        ("never-ready!", "start", "was not ready after 0.5s"),
        ("silent@2!", "start", "was not ready after 0.5s"),
        ("illegal@1!", "start", "illegal move d4"),
        ("silent@5!", "positions", "did not answer within 1s"),
        ("illegal@6!", "positions", "illegal move d4"),
        ("another-position@6!", "positions", "illegal move"),
        ("no-move@7!", "positions", "which is not a move"),
        ("exit@8!", "positions", "exit code 3"),
        ("closes-output@8!", "positions", "closed its output"),
        ("forks-and-exits@8!", "positions", "exit code 5"),
        ("pass@17!", "passes", "illegal move"),
        ("crash@40!", "games", "SIGSEGV"),
        ("half-a-line@40!", "games", "did not answer within 1s"),
    ] {
        for kind in ["nboard", "gtp"] {
            let env = Env::new();
            let mut bad = crate::bad_engines::harness::bad_engine(&env, fault, kind);
            // Short deadlines only where they are to be missed.
            if check == "start" && words.contains("ready") {
                bad = bad.replace("60s", "500ms");
            } else if words.contains("did not answer") {
                bad += "\ntimeout = \"1s\"";
            }
            app(&env, &[("bad", bad)]);
            let (code, told) = examined(&env, &["bad"]);
            assert_eq!(code, 1, "{fault}");
            let (verdict, said) = found(&told, check);
            assert_eq!(verdict, "bad", "{kind} {fault}: {said}");
            assert!(said.contains(words), "{kind} {fault}: {said}");
            assert!(!processes(&env).is_empty());
        }
    }
}

#[test]
fn what_is_merely_odd_is_usable() {
    for fault in [
        "well-behaved",
        "embellished",
        "no-status",
        "ignore-quit",
        "forked",
    ] {
        let env = Env::new();
        app(
            &env,
            &[(
                "odd",
                crate::bad_engines::harness::bad_engine(&env, fault, "nboard"),
            )],
        );
        let (code, told) = examined(&env, &["odd"]);
        assert_eq!(code, 0, "{fault}: {told:#}");
        assert_eq!(told["engines"][0]["usable"], true);
        assert_eq!(found(&told, "repeats").0, "good");
    }
}

#[test]
fn the_other_protocol_is_tried() {
    let env = Env::new();
    let own = assert_cmd::cargo::cargo_bin!("rdg");
    for (kind, spoken) in [("nboard", "gtp"), ("gtp", "nboard")] {
        let entry = entry(kind, own, &["engine", spoken, "--level", "1"]);
        app(
            &env,
            &[("mixed", format!("{entry}\nstartup_timeout = \"2s\""))],
        );
        let (code, told) = examined(&env, &["mixed"]);
        assert_eq!(code, 1);
        let (verdict, said) = found(&told, "start");
        assert_eq!(verdict, "bad");
        let remedy = format!("write `kind = \\\"{spoken}\\\"` to [engines.mixed]");
        assert!(said.contains(&remedy), "{said}");
    }
}

#[test]
fn what_suits_an_engine_badly_is_told_with_what_to_do() {
    let env = Env::new();
    // What an Edax with a broken build could look like: legal moves, and nothing else.
    let entry = crate::bad_engines::harness::bad_engine(&env, "well-behaved", "edax");
    let options = "timeout = \"1s\"\noptions = { hash_bits = 22 }";
    app(&env, &[("edax", format!("{entry}\n{options}"))]);
    env.write("edax.ini", "");
    let (code, told) = examined(&env, &["edax:5"]);
    assert_eq!(code, 0, "it can make data");
    let (verdict, said) = found(&told, "positions");
    assert_eq!(verdict, "warning");
    assert!(
        said.contains("should play these endgames perfectly"),
        "{said}"
    );
    let (verdict, said) = found(&told, "scores");
    assert_eq!(verdict, "warning");
    assert!(said.contains("did not answer within 1s"), "{said}");
    let all = told["engines"][0]["findings"].to_string();
    for words in ["`hash_bits = 22`", "does well with 14", "edax.ini is there"] {
        assert!(all.contains(words), "{words} is missing in {all}");
    }
    // At level 3 it need not see that far.
    let (_, told) = examined(&env, &["edax:3"]);
    assert_eq!(found(&told, "positions").0, "good");
}

#[test]
fn engines_that_do_not_repeat_their_games_are_told_apart() {
    for kind in ["nboard", "gtp"] {
        let env = Env::new();
        let remembers = crate::bad_engines::harness::bad_engine(&env, "remembers", kind);
        app(&env, &[("moody", remembers.clone())]);
        let (code, told) = examined(&env, &["moody"]);
        // Data can be made with it, which is then no reproducible data.
        assert_eq!(code, 0);
        let repeats = &told["engines"][0]["repeats"];
        assert!(
            repeats["differing_in_the_same_process"].as_u64() > Some(0),
            "{repeats}"
        );
        assert_eq!(repeats["differing_in_a_new_process"], 0);
        let (verdict, said) = found(&told, "repeats");
        assert_eq!(verdict, "warning");
        assert!(said.contains("remembers earlier games"), "{said}");
        assert!(said.contains("reproducible = false"), "{said}");

        // What it says of itself is no news.
        let honest = format!("{remembers}\noptions = {{ reproducible = false }}");
        app(&env, &[("moody", honest)]);
        assert_eq!(found(&examined(&env, &["moody"]).1, "repeats").0, "note");

        let env = Env::new();
        app(
            &env,
            &[(
                "moody",
                crate::bad_engines::harness::bad_engine(&env, "draws", kind),
            )],
        );
        let (_, told) = examined(&env, &["moody"]);
        let repeats = &told["engines"][0]["repeats"];
        assert_eq!(repeats["differing_in_the_same_process"], 0);
        assert!(
            repeats["differing_in_a_new_process"].as_u64() > Some(0),
            "{repeats}"
        );
        let (verdict, said) = found(&told, "repeats");
        assert_eq!(verdict, "warning");
        assert!(said.contains("draws its moves"), "{said}");
    }
}

#[test]
fn only_engines_that_somebody_needs_decide_the_exit_code() {
    let env = Env::new();
    let missing = "kind = \"nboard\"\nbinary = \"nowhere\"".to_owned();
    app(&env, &[("absent", missing)]);
    assert_eq!(code(&doctor(&env, &["--level", "1"])), 0, "nobody uses it");
    assert_eq!(code(&doctor(&env, &["absent"])), 1, "it is named");
    let config = |self_play: &str, playout: &str| {
        let playout = match playout {
            "" => String::new(),
            name => {
                format!(
                    "[playout]\nai_probability = 0.5\n[playout.ai]\nname = \"{name}\"\nlevel = 1\n"
                )
            }
        };
        format!(
            "mode = \"normal\"\noutput_dir = \"../out\"\nphases = \"50\"\nsamples_per_phase = 9\n\
             {playout}[self_play]\nworkers = 3\n[self_play.ai]\nname = \"{self_play}\"\nlevel = 2\n"
        )
    };
    env.write("configs/config.toml", config("builtin", ""));
    let (good, told) = examined(&env, &[]);
    assert_eq!(good, 0);
    assert_eq!(told["workers"], 3);
    let engines = told["engines"].as_array().unwrap();
    let builtin = engines.iter().find(|e| e["name"] == "builtin").unwrap();
    assert_eq!(builtin["used_for"], serde_json::json!(["self_play"]));
    assert_eq!(builtin["level"], 2, "as the configuration has it");
    for (self_play, playout) in [("absent", ""), ("builtin", "absent")] {
        env.write("configs/config.toml", config(self_play, playout));
        let output = doctor(&env, &[]);
        assert_eq!(code(&output), 1, "{self_play} {playout}");
        assert!(stdout(&output).contains("needed, and not usable: absent"));
    }
    env.write("other.toml", config("builtin", ""));
    assert_eq!(code(&doctor(&env, &["--config", "other.toml"])), 0);
    // Nothing but reading was done.
    assert!(!env.path("out").exists());
}

#[test]
fn faults_of_the_configuration_are_usage_errors() {
    let env = Env::new();
    app(&env, &[]);
    let fails = |words: &[&str], part: &str| {
        let output = doctor(&env, words);
        assert_eq!(code(&output), 2, "{words:?}");
        assert!(stderr(&output).contains(part), "{}", stderr(&output));
        assert_eq!(stdout(&output), "");
    };
    fails(&["nobody"], "no engine `nobody`");
    fails(&["a/b"], "`a/b` is not an engine");
    fails(&["builtin:61"], "0 to 60");
    fails(&["--config", "nowhere.toml"], "nowhere.toml");
    fails(&["--app-config", "nowhere.toml"], "nowhere.toml");
    env.write("configs/config.toml", "mode = 3");
    fails(&[], "config.toml:1");
    assert_eq!(code(&env.run(&["doctor", "--time", "soon"])), 2);
    // The embedded engine needs no file at all.
    let bare = Env::new();
    assert_eq!(code(&doctor(&bare, &["builtin:1"])), 0);
}

#[test]
fn text_is_plain_where_that_is_wanted() {
    let env = Env::new();
    app(
        &env,
        &[(
            "absent",
            "kind = \"gtp\"\nbinary = \"no\\u0007where\"".to_owned(),
        )],
    );
    let words = ["doctor", "--time", "10ms", "--level", "1"];
    let run = |words: &[&str]| {
        let output = env
            .rdg()
            .args(words)
            .env("LC_ALL", "C.UTF-8")
            .output()
            .unwrap();
        stdout(&output)
    };
    let symbols = run(&words);
    assert!(
        symbols.contains("✓  start") && symbols.contains("✗  files"),
        "{symbols}"
    );
    let plain = run(&[&words[..], &["--no-emoji"]].concat());
    assert!(plain.is_ascii(), "{plain}");
    assert!(
        plain.contains("ok start") && plain.contains("XX files"),
        "{plain}"
    );
    for text in [symbols, plain] {
        assert!(!text.contains(['\x1b', '\x07']), "{text}");
        assert!(
            text.lines()
                .all(|line| line.chars().count() <= 100 || line.contains('/'))
        );
    }
}

#[test]
fn ctrl_c_ends_it_and_its_engines() {
    let env = Env::new();
    app(
        &env,
        &[(
            "slow",
            crate::bad_engines::harness::bad_engine(&env, "silent@2!", "nboard"),
        )],
    );
    let mut child = env
        .rdg()
        .args(["doctor", "slow"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let until = Instant::now() + Duration::from_secs(60);
    while processes(&env).is_empty() {
        assert!(Instant::now() < until, "the engine is not started");
        std::thread::sleep(Duration::from_millis(5));
    }
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_no_process_is_left(&env, "after Ctrl+C");
}
