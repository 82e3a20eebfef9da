//! What is said on stderr, in each style, and that nobody who fails to listen can hurt a run.

use crate::common::{Env, code, stderr};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Read;
use std::process::Stdio;

fn configs(env: &Env) {
    env.write(
        "config.toml",
        "mode = \"normal\"\noutput_dir = \"out\"\nphases = \"40..45\"\nsamples_per_phase = 400\n\
         seed = 7\n[self_play]\nworkers = 2\n[self_play.ai]\nname = \"builtin\"\nlevel = 1\n\
         [window]\nenabled = true\nsize = 3\n",
    );
    env.write(
        "app.toml",
        "setup = \"off\"\n[engines.builtin]\nkind = \"builtin\"\n",
    );
}

const CONFIGS: [&str; 4] = ["--config", "config.toml", "--app-config", "app.toml"];

/// The records of a run, by file.
fn records(env: &Env) -> BTreeMap<String, Vec<u8>> {
    env.files()
        .into_iter()
        .filter(|name| name.ends_with(".rd"))
        .map(|name| {
            (
                name.clone(),
                fs::read(env.path(&name)).expect("it is there"),
            )
        })
        .collect()
}

fn expected_records() -> BTreeMap<String, Vec<u8>> {
    let env = Env::new();
    configs(&env);
    let output = env.run(&CONFIGS);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let records = records(&env);
    assert_eq!(records.len(), 18);
    records
}

fn events(text: &str) -> Vec<(String, Value)> {
    text.lines()
        .map(|line| {
            let value: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
            assert_eq!(value["schema"], "rdg_progress_v1", "{line}");
            assert!(
                value["time"]
                    .as_str()
                    .is_some_and(|time| time.ends_with('Z')),
                "{line}"
            );
            (
                value["event"]
                    .as_str()
                    .expect("an event has a name")
                    .to_owned(),
                value,
            )
        })
        .collect()
}

#[test]
fn json_progress_is_one_object_per_line_from_start_to_end() {
    let env = Env::new();
    configs(&env);
    let output = env.run(
        &[
            &CONFIGS[..],
            &["--json-progress", "--progress-interval", "1ms"],
        ]
        .concat(),
    );
    assert_eq!(code(&output), 0);
    let events = events(&stderr(&output));
    assert_eq!(events.first().map(|(name, _)| name.as_str()), Some("start"));
    assert_eq!(
        events.last().map(|(name, _)| name.as_str()),
        Some("finished")
    );
    let named = |wanted: &str| -> Vec<&Value> {
        events
            .iter()
            .filter(|(name, _)| name == wanted)
            .map(|(_, event)| event)
            .collect()
    };
    let start = named("start")[0];
    assert_eq!(start["command"], "generate");
    assert_eq!(start["mode"], "normal");
    assert_eq!(start["workers"], 2);
    let phases: Vec<u64> = named("phase_finished")
        .iter()
        .map(|event| {
            assert_eq!(event["samples"], 400);
            event["phase"].as_u64().expect("a phase is a number")
        })
        .collect();
    let mut sorted = phases.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, [40, 41, 42, 43, 44, 45], "each once: {phases:?}");
    let finished = named("finished")[0];
    assert_eq!(finished["samples"], 2400);
    assert_eq!(finished["new_samples"], 2400);
    // Counters only grow, and say what they are part of.
    let progress = named("progress");
    assert!(!progress.is_empty());
    let mut before = 0;
    for event in progress {
        let samples = event["samples"].as_u64().expect("a number");
        assert!(samples >= before);
        before = samples;
        assert!(
            event.get("phases").is_none(),
            "they have an event of their own"
        );
        if event["target_samples"] == 0 {
            // Before the output folder has been looked at.
            assert_eq!((samples, event["percent"].is_null()), (0, true));
            continue;
        }
        assert_eq!(event["target_samples"], 2400);
        let split = &event["split"];
        let parts = ["train", "valid", "test"].map(|part| split[part].as_u64().expect("a number"));
        assert_eq!(parts.iter().sum::<u64>(), samples);
    }
    // What was told last of each phase is where it ended.
    let mut phases = std::collections::BTreeMap::new();
    for event in named("phases") {
        for phase in event["phases"].as_array().expect("a list") {
            phases.insert(phase["phase"].as_u64(), phase["samples"].as_u64());
        }
    }
    let expected = (40..=45).map(|phase| (Some(phase), Some(400)));
    assert!(phases.into_iter().eq(expected));
}

#[test]
fn json_progress_says_nothing_else_not_even_about_errors() {
    let env = Env::new();
    configs(&env);
    env.write("broken.toml", "mode = 3\nphases = \"0..99\"\n");
    for (args, exit_code) in [
        (&["--config", "absent.toml"][..], 2),
        (&["--config", "broken.toml", "--app-config", "app.toml"], 2),
        (&["--frobnicate"], 2),
        (&["--resume", "--force"], 2),
        (&["--progress-interval", "0s"], 2),
        (
            &[
                "--config",
                "config.toml",
                "--app-config",
                "app.toml",
                "--log-file",
                ".",
            ],
            2,
        ),
    ] {
        let output = env.run(&[args, &["--json-progress"]].concat());
        assert_eq!(code(&output), exit_code, "{args:?}");
        let events = events(&stderr(&output));
        assert_eq!(events.len(), 1, "{args:?}: {events:?}");
        let (name, event) = &events[0];
        assert_eq!(name, "fatal", "{args:?}");
        let message = event["message"].as_str().expect("a message is a text");
        assert!(
            !message.is_empty() && !message.starts_with("error"),
            "{message}"
        );
    }
    // An error in the midst of things: output that is there already.
    assert_eq!(code(&env.run(&CONFIGS)), 0);
    let output = env.run(&[&CONFIGS[..], &["--json-progress"]].concat());
    assert_eq!(code(&output), 1);
    let fatal: Vec<_> = events(&stderr(&output))
        .into_iter()
        .filter(|(name, _)| name == "fatal")
        .collect();
    assert_eq!(fatal.len(), 1, "told once");
    assert!(
        fatal[0].1["message"]
            .as_str()
            .is_some_and(|text| text.contains("--resume"))
    );
}

#[test]
fn lines_are_greppable() {
    let env = Env::new();
    configs(&env);
    let output = env.run(
        &[
            &CONFIGS[..],
            &["--no-progress", "--progress-interval", "1ms"],
        ]
        .concat(),
    );
    assert_eq!(code(&output), 0);
    let text = stderr(&output);
    let mut progress = 0;
    for line in text.lines() {
        let mut words = line.split(' ');
        let time = words.next().expect("a line begins with its time");
        assert!(time.len() == 25 && time.contains('T'), "{line}");
        progress += usize::from(words.next() == Some("progress"));
        // `edax level 20` is quoted, and so splits into more words.
        if !line.contains('"') {
            assert!(words.all(|word| word.split('=').count() == 2), "{line}");
        }
    }
    assert!(progress > 0, "{text}");
    assert!(
        text.lines()
            .next()
            .is_some_and(|line| line.contains(" start command=generate "))
    );
    assert!(
        text.lines()
            .last()
            .is_some_and(|line| line.contains(" finished samples=2400 "))
    );
}

#[test]
fn nobody_has_to_listen() {
    let expected = expected_records();
    for style in ["--no-progress", "--json-progress"] {
        for interval in ["1ms", "1h"] {
            for listener in ["full", "gone", "closed"] {
                let env = Env::new();
                configs(&env);
                let mut command = env.rdg();
                command
                    .args(CONFIGS)
                    .args([style, "--progress-interval", interval]);
                match listener {
                    "full" => {
                        let full = File::options().write(true).open("/dev/full");
                        command.stderr(full.expect("Linux has it"));
                    }
                    _ => {
                        command.stderr(Stdio::piped());
                    }
                }
                let mut child = command.spawn().expect("the program can be started");
                if let Some(mut pipe) = child.stderr.take() {
                    if listener == "gone" {
                        // As `| head -1` does.
                        let _ = pipe.read(&mut [0; 10]);
                    }
                    drop(pipe);
                }
                let status = child.wait().expect("it ends");
                assert_eq!(status.code(), Some(0), "{style} {interval} {listener}");
                assert_eq!(records(&env), expected, "{style} {interval} {listener}");
            }
        }
    }
}

#[test]
fn an_error_reaches_nobody_without_harm() {
    let env = Env::new();
    let full = File::options()
        .write(true)
        .open("/dev/full")
        .expect("Linux has it");
    let status = env.rdg().args(["--config", "absent"]).stderr(full).status();
    assert_eq!(status.expect("it ends").code(), Some(2));
}

#[test]
fn the_log_tells_the_run() {
    let env = Env::new();
    configs(&env);
    let output = env.run(
        &[
            &CONFIGS[..],
            &["--no-progress", "--log-file", "deep/er/run.log"],
        ]
        .concat(),
    );
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let log = fs::read_to_string(env.path("deep/er/run.log")).expect("the log is there");
    for part in [
        "run started",
        "command=\"generate\"",
        "phase finished phase=40",
        "run finished samples=2400",
    ] {
        assert!(log.contains(part), "{part:?} is missing in\n{log}");
    }
    // A second run goes on in the same file.
    let output = env.run(
        &[
            &CONFIGS[..],
            &["--no-progress", "--log-file", "deep/er/run.log"],
        ]
        .concat(),
    );
    assert_eq!(code(&output), 1);
    let longer = fs::read_to_string(env.path("deep/er/run.log")).expect("the log is there");
    assert!(longer.starts_with(&log), "nothing of the first run is gone");
    assert!(longer.contains("ERROR"), "{longer}");
}

#[test]
fn a_log_on_a_full_disk_costs_a_warning() {
    let expected = expected_records();
    let env = Env::new();
    configs(&env);
    let args = [
        "--json-progress",
        "--log-file",
        "/dev/full",
        "--progress-interval",
        "10ms",
    ];
    let output = env.run(&[&CONFIGS[..], &args].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(records(&env), expected);
    let warnings: Vec<_> = events(&stderr(&output))
        .into_iter()
        .filter(|(name, _)| name == "warning")
        .collect();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
}

#[test]
fn completions_and_manual_pages_are_printed() {
    let env = Env::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = env.run(&["completions", shell]);
        assert_eq!(code(&output), 0);
        let text = crate::common::stdout(&output);
        assert!(
            text.contains("json-progress") && text.contains("verify"),
            "{shell}"
        );
        // Engines that there are.
        let knows_engines = !matches!(shell, "elvish" | "powershell");
        assert!(!knows_engines || text.contains("builtin"), "{shell}");
    }
    assert_eq!(code(&env.run(&["completions", "tcsh"])), 2);
    let page = crate::common::stdout(&env.run(&["man"]));
    assert!(page.contains(".TH rdg 1"), "{page}");
    assert!(crate::common::stdout(&env.run(&["man", "verify"])).contains(".TH rdg-verify 1"));
    assert_eq!(code(&env.run(&["man", "nonsense"])), 2);
}

#[test]
fn every_key_is_documented_in_both_languages() {
    let env = Env::new();
    configs(&env);
    let generation = env.run(
        &[
            &CONFIGS[..],
            &["--json-progress", "--progress-interval", "1ms"],
        ]
        .concat(),
    );
    let learning = env.run(&["learn", "--quick", "--output", "weights", "--json-progress"]);
    let mut keys = BTreeSet::new();
    for output in [generation, learning] {
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        for (_, event) in events(&stderr(&output)) {
            collect_keys(&event, &mut keys);
        }
    }
    assert!(keys.contains("eta_seconds") && keys.contains("per_second_last_minute"));
    for page in ["docs/src/watching.md", "docs/ja/src/watching.md"] {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
        let text = fs::read_to_string(path).expect("it is a part of the project");
        let missing: Vec<&String> = keys
            .iter()
            .filter(|key| !text.contains(&format!("`{key}`")))
            .collect();
        assert!(missing.is_empty(), "{page} does not tell of {missing:?}");
    }
}

fn collect_keys(value: &Value, keys: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                keys.insert(key.clone());
                collect_keys(value, keys);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| collect_keys(value, keys)),
        _ => {}
    }
}

#[cfg(unix)]
#[test]
fn what_engines_say_on_stderr_is_in_the_log_at_debug() {
    use std::os::unix::fs::PermissionsExt;
    let env = Env::new();
    configs(&env);
    let rdg = env.rdg().get_program().to_string_lossy().into_owned();
    let script =
        format!("#!/bin/sh\nprintf 'I am\\nawake\\n' >&2\nexec '{rdg}' engine nboard --level 1\n");
    let engine = env.write("engine", script);
    fs::set_permissions(&engine, fs::Permissions::from_mode(0o755)).expect("it is ours");
    env.write(
        "app.toml",
        "setup = \"off\"\n[engines.builtin]\nkind = \"nboard\"\nbinary = \"engine\"\n",
    );
    for (level, is_there) in [("info", false), ("debug", true)] {
        let log = format!("{level}.log");
        let output = env
            .rdg()
            .args(CONFIGS)
            .args(["--no-progress", "--force", "--log-file", &log])
            .env("RUST_LOG", level)
            .output()
            .expect("it can be started");
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let log = fs::read_to_string(env.path(&log)).expect("the log is there");
        let said = log
            .lines()
            .filter(|line| line.contains("engine said: awake"))
            .count();
        assert_eq!(
            said,
            if is_there { 2 } else { 0 },
            "one line per engine:\n{log}"
        );
    }
}
