//! An installed rdg: it works in any folder, with the files that it writes itself or with those of
//! the user's configuration folder.

use crate::common::{Env, code, stderr, stdout};
use std::process::Output;

const SMALL: &str = "output_dir = 'out'\nphases = '57..58'\nsamples_per_phase = 3\nseed = 1\n\
    [self_play]\nworkers = 1\n[self_play.ai]\nname = 'builtin'\nlevel = 1\n";

fn succeeds(output: &Output) -> String {
    assert_eq!(code(output), 0, "{}{}", stdout(output), stderr(output));
    stdout(output)
}

fn refuses(output: &Output, words: &[&str]) {
    let said = stderr(output);
    assert_eq!(code(output), 2, "{said}");
    for word in words {
        assert!(said.contains(word), "`{word}` in {said}");
    }
}

#[test]
fn init_then_generate() {
    let env = Env::new();
    let said = succeeds(&env.run(&["init", "my demo"]));
    assert!(said.ends_with("Now type: cd 'my demo' && rdg\n"), "{said}");
    let config = env.path("my demo/configs/config.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    // As written it takes longer than a test may.
    let small = text
        .replace("\"10..60\"", "\"55..58\"")
        .replace("= 200", "= 3")
        .replace("size = 10", "size = 2");
    std::fs::write(&config, small).unwrap();
    let mut command = env.rdg();
    command
        .current_dir(env.path("my demo"))
        .arg("--no-progress");
    let output = command.output().unwrap();
    succeeds(&output);
    succeeds(&env.run(&["verify", "my demo/datasets/first"]));
    assert!(env.path("my demo/logs/rdg.log").is_file());
    let again = succeeds(&env.run(&["init", "my demo"]));
    assert!(again.contains("config.toml, which differs"), "{again}");
    assert!(again.contains("app.toml as it is"), "{again}");

    // The engine of the main configuration is not there; the scripts are.
    let mut command = env.rdg();
    command.current_dir(env.path("my demo"));
    let output = command.args(["--config", "configs/edax.toml"]).output();
    let said = stderr(&output.unwrap());
    assert!(said.contains("run make setup-edax"), "{said}");
}

#[test]
fn configurations_are_found_here_then_with_the_user() {
    let env = Env::new();
    refuses(
        &env.run(&["--no-progress"]),
        &[
            "there is no config.toml",
            "configs/config.toml",
            ".config/rdg/config.toml",
            "--config",
            "rdg init",
        ],
    );
    assert!(env.files().is_empty());
    // The embedded engine needs no app.toml, and nothing claims that there was one.
    env.write(".config/rdg/config.toml", SMALL.replace("'out'", "'users'"));
    succeeds(&env.run(&["--no-progress"]));
    let metadata = env.path(".config/rdg/users/phase_57/metadata.json");
    let metadata = std::fs::read_to_string(metadata).unwrap();
    assert!(!metadata.contains("app_config"), "{metadata}");
    env.write("config.toml", SMALL.replace("'out'", "'here'"));
    succeeds(&env.run(&["--no-progress"]));
    assert!(env.path("here/summary.json").is_file());
    env.write("configs/config.toml", SMALL.replace("'out'", "'below'"));
    succeeds(&env.run(&["--no-progress"]));
    assert!(env.path("configs/below/summary.json").is_file());

    // Engines of the user serve everywhere, in every command.
    env.write(
        ".config/rdg/app.toml",
        "[engines.mine]\nkind = 'builtin'\nlevel = 1\n",
    );
    env.write(
        "configs/config.toml",
        SMALL.replace("builtin", "mine").replace("'out'", "'mine'"),
    );
    succeeds(&env.run(&["--no-progress"]));
    succeeds(&env.run(&["match", "mine", "builtin:0", "--games", "2"]));
}

#[test]
fn shards_without_an_app_toml_are_merged() {
    let env = Env::new();
    env.write("config.toml", SMALL);
    succeeds(&env.run(&["--no-progress"]));
    for shard in ["1/2", "2/2"] {
        env.write("config.toml", SMALL.replace("'out'", "'shards'"));
        succeeds(&env.run(&["--no-progress", "--shard", shard]));
    }
    let output = env.run(&[
        "merge",
        "shards/shard_1_of_2",
        "shards/shard_2_of_2",
        "--output",
        "merged",
    ]);
    // Two small shards may have too few games yet; then that is what is said.
    if code(&output) == 0 {
        for split in ["train", "valid", "test"] {
            let name = format!("phase_57/{split}.rd");
            let read = |folder: &str| std::fs::read(env.path(folder).join(&name)).unwrap();
            assert_eq!(read("merged"), read("out"), "{name}");
        }
    } else {
        assert!(!stderr(&output).contains("app.toml"), "{}", stderr(&output));
    }
}

/// What a newcomer gets wrong, and the words of the answer that lead on.
#[test]
fn each_mistake_is_answered_with_what_to_type_next() {
    let env = Env::new();
    let edax = SMALL.replace("builtin", "edax");
    env.write("edax.toml", edax);
    env.write("typo.toml", SMALL.replace("phases", "phasse"));
    env.write("small.toml", SMALL);
    env.write("grhino.toml", SMALL.replace("'builtin'", "'gone'"));
    env.write(
        "app.toml",
        "[engines.gone]\nkind = 'gtp'\nbinary = '/nowhere/engine'\nargs = ['{level}']\n",
    );
    let mistakes: [(&[&str], &[&str]); 10] = [
        (&["--confg", "x.toml"], &["--config"]),
        (&["imprt", "x"], &["import"]),
        (&["--config", "gone.toml"], &["gone.toml", "--config"]),
        (&["--config", "."], &["folder", "TOML"]),
        (
            &["--config", "typo.toml"],
            &["phasse", "did you mean `phases`"],
        ),
        (&["--config", "edax.toml"], &["edax", "app.toml"]),
        (&["--config", "small.toml", "--repair"], &["--resume"]),
        (
            &["--config", "grhino.toml"],
            &["/nowhere/engine", "write the right path"],
        ),
        (&["match", "edax:1", "builtin:1"], &["edax", "known are"]),
        (
            &["--config", "small.toml", "--resume", "--force"],
            &["--force", "--resume"],
        ),
    ];
    for (typed, words) in mistakes {
        refuses(&env.run(typed), words);
    }
    assert!(!env.path("out").exists());
    // No file with engines at all.
    let bare = Env::new();
    bare.write("edax.toml", SMALL.replace("builtin", "edax"));
    let words = ["no app.toml", "--app-config", "rdg init"];
    refuses(&bare.run(&["--config", "edax.toml"]), &words);
    refuses(
        &bare.run(&["match", "edax:1", "builtin:1"]),
        &["app.toml", "rdg init"],
    );
    // A second run over the first.
    succeeds(&env.run(&["--config", "small.toml", "--no-progress"]));
    let output = env.run(&["--config", "small.toml", "--no-progress"]);
    let said = stderr(&output);
    assert_eq!(code(&output), 1, "{said}");
    assert!(
        said.contains("--resume") && said.contains("--force"),
        "{said}"
    );
}

#[test]
fn manual_pages_of_all_commands() {
    let env = Env::new();
    succeeds(&env.run(&["man", "--all", "pages/man1"]));
    let names = env.files();
    for name in ["rdg.1", "rdg-import.1", "rdg-init.1", "rdg-bench.1"] {
        assert!(names.contains(&format!("pages/man1/{name}")), "{names:?}");
    }
    env.write("file", "");
    let output = env.run(&["man", "--all", "file"]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("cannot write file"));
}
