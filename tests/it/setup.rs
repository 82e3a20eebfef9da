//! What happens when the engine of a run is not there: the question, `--yes`, the three policies.
//! `make` is a script of the test's own.
#![cfg(unix)]

use crate::common::{Env, code, stderr, stdout};
use std::io::Write;
use std::process::{Command, Output, Stdio};

const CONFIG: &str = "output_dir = '../out'\nphases = '58..59'\nsamples_per_phase = 1\n\
    [self_play.ai]\nname = 'edax'\nlevel = 1\n";

const EDAX: &str = "[engines.edax]\nkind = 'edax'\n\
    binary = '../third_party/edax-reversi/bin/lEdax-x86-64-v3'\n\
    eval_file = '../third_party/edax-reversi/bin/data/eval.dat'\n";

/// Makes the engine's two files and notes how it was called.
const MAKE: &str = r#"#!/bin/sh
echo "$@" >> "$MADE"
echo "made by make"
bin=third_party/edax-reversi/bin
mkdir -p "$2/$bin/data" && echo engine > "$2/$bin/lEdax-x86-64-v3" && echo data > "$2/$bin/data/eval.dat"
"#;

fn environment(app: &str, make: &str) -> Env {
    let env = Env::new();
    env.write("configs/config.toml", CONFIG);
    env.write("configs/app.toml", app);
    env.write("Makefile", "");
    let make = env.write("tools/make", make);
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(make, executable).expect("permissions can be set");
    env
}

fn rdg(env: &Env, args: &[&str]) -> Command {
    let mut command = env.rdg();
    let path = std::env::var("PATH").unwrap_or_default();
    command
        .args(args)
        .env("PATH", format!("{}:{path}", env.path("tools").display()))
        .env("MADE", env.path("made"));
    command
}

fn run(env: &Env, args: &[&str]) -> Output {
    rdg(env, args).output().expect("the program can be started")
}

/// The words of each call of make, without the folder.
fn made(env: &Env) -> Vec<String> {
    std::fs::read_to_string(env.path("made"))
        .unwrap_or_default()
        .lines()
        .map(|line| line.split(' ').skip(2).collect::<Vec<_>>().join(" "))
        .collect()
}

const ONCE: [&str; 1] = ["--no-print-directory setup-edax"];

/// Runs it with a terminal in front of it, types `answer`, and gives all that was shown. `None`
/// where the system has no `script` to make a terminal with.
fn run_in_terminal(env: &Env, answer: &str) -> Option<(i32, String)> {
    let plain = rdg(env, &["--no-progress"]);
    let mut command = Command::new("script");
    command
        .args(["--quiet", "--return", "--command"])
        .arg(format!("{} --no-progress", plain.get_program().display()))
        .arg("/dev/null")
        .current_dir(env.path(""))
        .envs(
            plain
                .get_envs()
                .filter_map(|(key, value)| Some((key, value?))),
        )
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let Ok(mut child) = command.spawn() else {
        eprintln!("skipped: script is not installed");
        return None;
    };
    let mut keyboard = child.stdin.take().expect("it is a pipe");
    // Fails only when the program has ended without reading, which the caller finds out.
    let _ = keyboard.write_all(answer.as_bytes());
    drop(keyboard);
    let output = child.wait_with_output().expect("the program ends");
    Some((code(&output), stdout(&output)))
}

#[test]
fn without_a_terminal_the_error_names_the_command_and_the_way_without() {
    let env = environment(EDAX, MAKE);
    let output = run(&env, &[]);
    let said = stderr(&output);
    assert_eq!(code(&output), 1, "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    for words in [
        "engine `edax`",
        "bin/lEdax-x86-64-v3",
        "bin/data/eval.dat",
        "make setup-edax",
        "--yes",
        "configs/quickstart.toml",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert!(made(&env).is_empty());
    assert!(!env.path("out").exists());
}

#[test]
fn yes_runs_it_and_a_second_run_has_no_need_to() {
    let env = environment(EDAX, MAKE);
    let said = stderr(&run(&env, &["--yes"]));
    assert!(
        said.contains("made by make"),
        "make's output is shown: {said}"
    );
    assert!(!said.contains("not set up"), "{said}");
    assert_eq!(made(&env), ONCE);
    run(&env, &["--yes"]);
    run(&env, &[]);
    assert_eq!(made(&env), ONCE, "all is there");
}

#[test]
fn the_question_is_asked_in_a_terminal() {
    let env = environment(EDAX, MAKE);
    for answer in ["n\n", "\n", "maybe\n", ""] {
        let Some((code, shown)) = run_in_terminal(&env, answer) else {
            return;
        };
        assert_eq!(code, 1, "{answer:?}: {shown}");
        assert!(shown.contains("Run make setup-edax now? [y/N]"), "{shown}");
        assert!(shown.contains("data/eval.dat"), "{shown}");
        assert!(shown.contains("configs/quickstart.toml"), "{shown}");
        assert!(made(&env).is_empty(), "{answer:?}");
    }
    let shown = run_in_terminal(&env, "y\n").expect("it was there before").1;
    assert!(!shown.contains("not set up:"), "{shown}");
    assert_eq!(made(&env), ONCE);
}

#[test]
fn always_runs_it_each_time_and_off_never() {
    let env = environment(&format!("setup = 'always'\n{EDAX}"), MAKE);
    run(&env, &[]);
    run(&env, &[]);
    assert_eq!(made(&env).len(), 2);

    let env = environment(&format!("setup = 'off'\n{EDAX}"), MAKE);
    let output = run(&env, &["--yes"]);
    assert_eq!(code(&output), 1);
    assert!(
        stderr(&output).contains("setup = \"off\""),
        "{}",
        stderr(&output)
    );
    assert!(made(&env).is_empty());
}

#[test]
fn a_failure_of_make_is_told_and_so_is_a_success_that_is_none() {
    let env = environment(
        EDAX,
        "#!/bin/sh\necho 'setup-edax: no network' >&2\nexit 2\n",
    );
    let output = run(&env, &["--yes"]);
    let said = stderr(&output);
    assert_eq!(code(&output), 1, "{said}");
    assert!(said.contains("setup-edax: no network"), "{said}");
    assert!(said.contains("error: make setup-edax failed"), "{said}");

    let output = run(&env, &["--yes", "--json-progress"]);
    let said = stderr(&output);
    assert_eq!(said.lines().count(), 1, "nothing but JSON: {said}");
    let event: serde_json::Value = serde_json::from_str(&said).expect("JSON");
    let message = event["message"].as_str().expect("a text");
    assert!(
        message.contains("failed: setup-edax: no network;"),
        "{message}"
    );

    let env = environment(EDAX, "#!/bin/sh\nexit 0\n");
    let output = run(&env, &["--yes"]);
    assert_eq!(code(&output), 1);
    assert!(
        stderr(&output).contains("still missing"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_path_of_ones_own_is_named_with_its_key() {
    let gtp = "[engines.edax]\nkind = 'gtp'\nbinary = 'none/gtp'\neval_file = '..'\n\
        args = ['{level}', '{eval_file}']\n";
    let own = EDAX.replace("../third_party", "../elsewhere");
    for (app, words) in [
        (
            gtp,
            [
                "`engines.edax.binary` is /",
                "none/gtp, which does not exist",
            ],
        ),
        (gtp, ["`engines.edax.eval_file` is /", "which is a folder"]),
        (
            own.as_str(),
            [
                "configs/app.toml: `engines.edax.binary`",
                "elsewhere/edax-reversi",
            ],
        ),
    ] {
        let env = environment(app, MAKE);
        let output = run(&env, &["--yes"]);
        let said = stderr(&output);
        assert_eq!(code(&output), 2, "{said}");
        for words in words {
            assert!(said.contains(words), "{words}: {said}");
        }
        assert!(made(&env).is_empty());
    }
}

#[test]
fn engines_that_the_run_does_not_use_may_be_missing() {
    let env = environment(
        &format!("{EDAX}[engines.builtin]\nkind = 'builtin'\n"),
        MAKE,
    );
    env.write("configs/config.toml", CONFIG.replace("'edax'", "'builtin'"));
    let said = stderr(&run(&env, &["--yes"]));
    assert!(!said.contains("edax"), "{said}");
    assert!(made(&env).is_empty());
}
