//! A configuration that cannot be used: exit code 2, one clear message, nothing created.
//!
//! What is said of each key is tested beside the parser; here the program as a whole is.

use crate::common::{Env, code, stderr, stdout};

const CONFIG: &str = r#"
output_dir = "../datasets/x"
phases = "20..30"
samples_per_phase = 2
seed = 1
[self_play.ai]
name = "builtin"
level = 1
[window]
enabled = true
size = 5
"#;

const APP: &str = "setup = 'off'\n[engines.builtin]\nkind = 'builtin'\n";

/// Runs rdg on these two files and gives stderr, after checks that hold for every fault.
fn refuse(config: &[u8], app: &[u8], args: &[&str]) -> String {
    let env = Env::new();
    env.write("configs/config.toml", config);
    env.write("configs/app.toml", app);
    let before = env.files();
    let output = env.run(args);
    let said = stderr(&output);
    assert_eq!(code(&output), 2, "{said}");
    assert_eq!(stdout(&output), "", "stdout is for results");
    assert_eq!(env.files(), before, "nothing is created: {said}");
    for word in ["panicked", "RUST_BACKTRACE", "src/"] {
        assert!(!said.contains(word), "{said}");
    }
    said
}

#[test]
fn a_bad_value_is_one_line_with_file_line_key_value_and_what_is_allowed() {
    for (good, bad, words) in [
        ("\"20..30\"", "\"30..20\"", "`phases` is \"30..20\""),
        ("= 2", "= 0", "`samples_per_phase` is 0"),
        ("\"20..30\"", "\"1..30\"", "phase 1 has only 1"),
        ("seed", "sede", "did you mean `seed`?"),
        ("\"builtin\"", "\"edax\"", "no [engines.edax]"),
        ("level = 1", "level = 99", "levels from 0 to 60"),
        ("size = 5", "anchors = [20]", "`window.size` replaces it"),
    ] {
        let said = refuse(CONFIG.replace(good, bad).as_bytes(), APP.as_bytes(), &[]);
        assert!(said.starts_with("error: configs/config.toml"), "{said}");
        assert!(said.contains(words), "{words}: {said}");
    }
}

#[test]
fn faults_of_both_files_are_told_together() {
    let config = CONFIG
        .replace("= 2", "= -2")
        .replace("size = 5", "size = 0");
    let app = APP.replace("'off'", "'no'");
    let said = refuse(config.as_bytes(), app.as_bytes(), &[]);
    assert_eq!(said.lines().count(), 3, "{said}");
    assert!(said.contains("`samples_per_phase` is -2"), "{said}");
    assert!(said.contains("`window.size` is 0"), "{said}");
    assert!(
        said.contains("configs/app.toml:1: `setup` is \"no\""),
        "{said}"
    );
}

/// What is wrong with an engine does not wait until the rest is right.
#[test]
fn unknown_engines_and_levels_are_told_beside_other_errors() {
    for (bad, words) in [
        ("\"edaxx\"\nlevel = 1", "no [engines.edaxx]"),
        ("\"builtin\"\nlevel = 99", "levels from 0 to 60"),
    ] {
        let config = CONFIG
            .replace("= 2\n", "= -2\n")
            .replace("\"builtin\"\nlevel = 1", bad);
        let said = refuse(config.as_bytes(), APP.as_bytes(), &[]);
        assert_eq!(said.lines().count(), 2, "{said}");
        assert!(
            said.contains("config.toml:4: `samples_per_phase`"),
            "{said}"
        );
        assert!(said.contains(words), "{said}");
    }
}

/// A value without its quotes gets the help that it gets with them.
#[test]
fn values_without_quotes_are_understood() {
    for (good, bad, words) in [
        (
            "\"20..30\"",
            "10-59",
            "config.toml:3: `phases` is \"10-59\", but must be a text such as",
        ),
        (
            "\"20..30\"",
            "20..30 # ten",
            "config.toml:3: `20..30` stands without quotes; write phases = \"20..30\"",
        ),
        (
            "= true",
            "= yes",
            "config.toml:10: `window.enabled` is \"yes\", but must be true or false",
        ),
        ("= true", "= True", "`window.enabled` is \"True\""),
        (
            "\"builtin\"",
            "builtin",
            "config.toml:7: `builtin` stands without quotes; write name = \"builtin\"",
        ),
        ("= 2\n", "= 2k\n", "`samples_per_phase` is \"2k\""),
    ] {
        let said = refuse(CONFIG.replace(good, bad).as_bytes(), APP.as_bytes(), &[]);
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(said.contains(words), "{words}: {said}");
    }
    // Two at once, and what quotes do not mend.
    let two = CONFIG
        .replace("= true", "= yes")
        .replace("\"20..30\"", "20-30");
    assert_eq!(
        refuse(two.as_bytes(), APP.as_bytes(), &[]).lines().count(),
        2
    );
    let said = refuse(
        CONFIG.replace("= 2\n", "= [2\n").as_bytes(),
        APP.as_bytes(),
        &[],
    );
    assert!(said.contains("is not valid TOML"), "{said}");
}

#[test]
fn generate_is_a_name_of_the_main_job_and_paths_are_no_commands() {
    let env = Env::new();
    env.write("configs/config.toml", CONFIG);
    env.write("configs/app.toml", APP);
    let plan = |args: &[&str]| {
        let output = env.run(args);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        stdout(&output).to_string()
    };
    assert_eq!(
        plan(&["generate", "--dry-run", "--config", "configs/config.toml"]),
        plan(&["--dry-run", "--config", "configs/config.toml"])
    );
    std::fs::create_dir(env.path("datasets")).unwrap();
    for (word, words) in [
        ("configs/config.toml", "rdg --config configs/config.toml"),
        ("gone.toml", "rdg --config gone.toml"),
        ("datasets", "rdg inspect datasets"),
        ("inspekt", "'inspect'"),
    ] {
        let output = env.run(&[word]);
        assert_eq!(code(&output), 2);
        let said = stderr(&output);
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn files_that_are_no_configuration_are_named() {
    for content in [
        &b""[..],
        b"\x7fELF\x02\x01\x01\x00\xff\xfe",
        b"RDGBBVAL1\n",
        b"= = =",
    ] {
        let said = refuse(content, APP.as_bytes(), &[]);
        assert!(said.starts_with("error: configs/config.toml"), "{said}");
        let said = refuse(CONFIG.as_bytes(), content, &["--dry-run"]);
        assert!(said.starts_with("error: configs/app.toml"), "{said}");
    }
    let said = refuse(
        CONFIG.as_bytes(),
        APP.as_bytes(),
        &["--config", "none.toml"],
    );
    assert!(
        said.contains("none.toml: cannot be read: No such file"),
        "{said}"
    );
    let said = refuse(CONFIG.as_bytes(), APP.as_bytes(), &["--config", "configs"]);
    assert!(said.contains("configs: is a folder"), "{said}");
}

#[test]
fn output_that_would_go_into_a_file_is_refused() {
    let config = CONFIG.replace("../datasets/x", "config.toml");
    let said = refuse(config.as_bytes(), APP.as_bytes(), &[]);
    assert!(
        said.contains("configs/config.toml is not a folder"),
        "{said}"
    );
}

#[test]
fn json_progress_tells_the_fault_as_json_and_nothing_else() {
    let config = CONFIG.replace("= 2", "= 0");
    let said = refuse(config.as_bytes(), APP.as_bytes(), &["--json-progress"]);
    assert_eq!(said.lines().count(), 1, "{said}");
    let event: serde_json::Value = serde_json::from_str(&said).expect("one JSON object");
    assert_eq!(event["event"], "fatal");
    let message = event["message"].as_str().expect("a text");
    assert!(message.contains("`samples_per_phase` is 0"), "{message}");
}

#[test]
fn conflicting_options_are_usage_errors() {
    for args in [
        &["--resume", "--force"][..],
        &["--repair"],
        &["--no-progress", "--json-progress"],
        &["--progress-interval", "0"],
        &["--progress-interval", "1d"],
        &["--no-such-option"],
        &["no-such-command"],
    ] {
        let said = refuse(CONFIG.as_bytes(), APP.as_bytes(), args);
        // Whoever asked for JSON gets usage errors as an event too.
        let beginning = match args.contains(&"--json-progress") {
            true => "{\"schema\":\"rdg_progress_v1\",\"event\":\"fatal\"",
            false => "error: ",
        };
        assert!(said.starts_with(beginning), "{args:?}: {said}");
    }
}

#[cfg(unix)]
#[test]
fn paths_need_not_be_utf8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let env = Env::new();
    let name = OsStr::from_bytes(b"caf\xe9.toml");
    let output = env.rdg().arg("--config").arg(name).output().unwrap();
    assert_eq!(code(&output), 2);
    assert!(
        stderr(&output).contains("cannot be read"),
        "{}",
        stderr(&output)
    );
}

/// Over GTP only the command line tells an engine anything.
const GTP: &str = "setup = 'off'\n[engines.rhino]\nkind = 'gtp'\nbinary = '/bin/sh'\n\
    args = ['-b', '0']\nthreads = 4\neval_file = 'never-read.dat'\n";

#[test]
fn settings_that_never_reach_the_engine_are_named_with_line_and_remedy() {
    let config = CONFIG.replace("\"builtin\"\nlevel = 1", "\"rhino\"\nlevel = 5");
    let said = refuse(config.as_bytes(), GTP.as_bytes(), &[]);
    for words in [
        "configs/config.toml:8: `self_play.ai.level` = 5 does not reach engine `rhino`",
        "configs/app.toml:6: `engines.rhino.threads` does not reach engine `rhino`",
        "configs/app.toml:7: `engines.rhino.eval_file` does not reach",
        "write {level} where its command line takes it",
        "write {threads} where",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    // The dataset's own word for it.
    let threads = config.replace("level = 5", "threads = 2");
    let said = refuse(threads.as_bytes(), GTP.as_bytes(), &[]);
    assert!(
        said.contains("config.toml:8: `self_play.ai.threads` = 2 does not"),
        "{said}"
    );
    let embedded = format!("{APP}args = ['-x']\nenv = {{ A = 'b' }}\ndir = '..'\n");
    let said = refuse(CONFIG.as_bytes(), embedded.as_bytes(), &[]);
    for key in ["args", "env", "dir"] {
        let words = format!("`engines.builtin.{key}` does not reach engine `builtin`");
        assert!(said.contains(&words), "{words}: {said}");
    }
}

#[test]
fn settings_that_reach_the_engine_or_say_nothing_are_fine() {
    let plan = |config: &str, app: &str| {
        let env = Env::new();
        env.write("configs/config.toml", config);
        env.write("configs/app.toml", app);
        let output = env.run(&["--dry-run"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        stdout(&output)
    };
    let rhino = CONFIG.replace("\"builtin\"\nlevel = 1", "\"rhino\"\nthreads = 1");
    let quiet = GTP.replace(
        "threads = 4\neval_file = 'never-read.dat'\n",
        "threads = 1\n",
    );
    let shown = plan(&rhino, &quiet);
    assert!(!shown.contains("level"), "nothing is claimed: {shown}");
    let marked = GTP
        .replace("'-b', '0'", "'-l', '{level}', '-e={eval_file}'")
        .replace(
            "threads = 4",
            "threads = 4\nenv = { OMP_NUM_THREADS = '{threads}' }",
        );
    let leveled = rhino.replace("threads = 1", "level = 5");
    let shown = plan(&leveled, &marked);
    assert!(shown.contains("rhino level 5, 4 threads"), "{shown}");
}

#[test]
fn what_only_a_shell_understands_is_refused() {
    let config = CONFIG.replace("../datasets/x", "~/rdg-tilde");
    let said = refuse(config.as_bytes(), APP.as_bytes(), &[]);
    assert!(said.contains("`output_dir` is \"~/rdg-tilde\""), "{said}");
    assert!(said.contains("write the path out"), "{said}");
    for line in [
        "binary = '~/x'",
        "eval_file = '~/x'",
        "dir = '~/x'",
        "args = ['~/x']",
        "options = { file = '~/x' }",
    ] {
        let mut app = format!("setup = 'off'\n[engines.builtin]\nkind = 'gtp'\n{line}\n");
        if !line.starts_with("binary") {
            app += "binary = 'x'\n";
        }
        let said = refuse(CONFIG.as_bytes(), app.as_bytes(), &[]);
        assert!(said.contains("write the path out"), "{line}: {said}");
    }
    let app = format!("[log]\nfile = '~/rdg.log'\n{APP}").replace("setup = 'off'\n", "");
    let said = refuse(CONFIG.as_bytes(), app.as_bytes(), &[]);
    assert!(said.contains("`log.file` is \"~/rdg.log\""), "{said}");
}
