//! The pages of the documentation against the program: their links, options, keys and commands.

use crate::common::{Env, code, stderr, stdout};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

const ENGLISH: &str = "docs/src";
const JAPANESE: &str = "docs/ja/src";

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read(path: &str) -> String {
    std::fs::read_to_string(repository(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The pages of a folder, without its table of contents.
fn pages(folder: &str) -> Vec<String> {
    let mut pages: Vec<String> = std::fs::read_dir(repository(folder))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".md") && name != "SUMMARY.md")
        .map(|name| format!("{folder}/{name}"))
        .collect();
    pages.sort();
    pages
}

fn all_pages() -> Vec<String> {
    let top = [
        "README.md",
        "README.ja.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "SECURITY.md",
    ];
    let contents = [
        format!("{ENGLISH}/SUMMARY.md"),
        format!("{JAPANESE}/SUMMARY.md"),
    ];
    (top.map(str::to_owned).into_iter())
        .chain(contents)
        .chain(pages(ENGLISH))
        .chain(pages(JAPANESE))
        .collect()
}

/// Where the links and pictures of a page lead.
fn targets(text: &str) -> Vec<String> {
    let linked = text.split("](").skip(1).map(|rest| rest.split(')').next());
    let drawn = (text.split("<img src=\"").skip(1)).map(|rest| rest.split('"').next());
    linked.chain(drawn).flatten().map(str::to_owned).collect()
}

/// The anchor of a heading, as hosts of Markdown make it.
fn anchors(text: &str) -> BTreeSet<String> {
    text.lines()
        .filter(|line| line.starts_with('#'))
        .map(|line| {
            let heading = line.trim_start_matches('#').trim().to_lowercase();
            let kept = heading.chars().filter_map(|c| match c {
                ' ' => Some('-'),
                c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
                _ => None,
            });
            kept.collect()
        })
        .collect()
}

#[test]
fn links_lead_somewhere() {
    for page in all_pages() {
        let text = read(&page);
        for target in targets(&text) {
            if target.contains("://") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target.as_str(), ""));
            let path = match file {
                "" => repository(&page),
                file => repository(&page).parent().unwrap().join(file),
            };
            assert!(path.exists(), "{page}: {target}");
            if !anchor.is_empty() {
                let text = std::fs::read_to_string(&path).unwrap();
                assert!(anchors(&text).contains(anchor), "{page}: {target}");
            }
        }
    }
}

#[test]
fn every_page_is_in_the_contents() {
    for folder in [ENGLISH, JAPANESE] {
        let contents: BTreeSet<String> = (targets(&read(&format!("{folder}/SUMMARY.md")))
            .into_iter())
        .map(|name| format!("{folder}/{name}"))
        .collect();
        let there: BTreeSet<String> = pages(folder).into_iter().collect();
        assert_eq!(contents, there);
    }
    // What there is in Japanese has the name of its English page.
    for page in pages(JAPANESE) {
        let english = page.replace(JAPANESE, ENGLISH);
        assert!(repository(&english).exists(), "{english}");
    }
}

/// The long options in a text.
fn options(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (start, _) in text.match_indices("--") {
        let before = text[..start].chars().next_back();
        let name: String = (text[start + 2..].chars())
            .take_while(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || *c == '-')
            .collect();
        let begins = before.is_none_or(|c| !c.is_alphanumeric() && c != '-' && c != '|');
        if begins && name.starts_with(|c: char| c.is_ascii_lowercase()) {
            found.insert(format!("--{}", name.trim_end_matches('-')));
        }
    }
    found
}

/// The commands, and the options of each; those of generation under an empty name.
fn known_options(env: &Env) -> Vec<(String, BTreeSet<String>)> {
    assert_eq!(code(&env.run(&["man", "--all", "pages"])), 0);
    let mut names: Vec<String> = (env.files().iter())
        .filter_map(|name| {
            Some(
                name.strip_prefix("pages/rdg-")?
                    .strip_suffix(".1")?
                    .to_owned(),
            )
        })
        .collect();
    names.push(String::new());
    let help = |name: &String| {
        let words: Vec<&str> = match name.as_str() {
            "" => vec!["--help"],
            name => vec![name, "--help"],
        };
        let output = env.run(&words);
        assert_eq!(code(&output), 0, "{name}: {}", stderr(&output));
        let text = stdout(&output);
        let defined = text.lines().filter_map(|line| {
            let line = line.trim_start();
            let line = match line.as_bytes() {
                [b'-', _, b',', b' ', ..] => &line[4..],
                _ => line,
            };
            let name = line.split([' ', '=', '[', '<', '.']).next()?;
            name.starts_with("--").then(|| name.to_owned())
        });
        defined.collect()
    };
    let found = names.iter().map(|name| (name.clone(), help(name)));
    found.collect()
}

/// Options that pages name and that belong to other programs, or to an example's engine.
const OF_OTHERS: [&str; 10] = [
    "--array",
    "--bench",
    "--example",
    "--gtp",
    "--locked",
    "--path",
    "--features",
    "--release",
    "--target",
    "--test",
];

#[test]
fn options_are_those_of_the_program() {
    let env = Env::new();
    let known = known_options(&env);
    let all: BTreeSet<String> = (known.iter().flat_map(|(_, options)| options.clone()))
        .chain(OF_OTHERS.map(str::to_owned))
        .collect();
    assert!(all.contains("--json-progress") && all.contains("--accept-score-rule"));
    for page in all_pages().iter().filter(|page| *page != "CHANGELOG.md") {
        let told = options(&read(page));
        let unknown: Vec<&String> = told.difference(&all).collect();
        assert!(unknown.is_empty(), "{page} tells of {unknown:?}");
    }
    let (_, generation) = known.iter().find(|(name, _)| name.is_empty()).unwrap();
    for folder in [ENGLISH, JAPANESE] {
        let told = options(&read(&format!("{folder}/command-line.md")));
        for option in generation {
            let is_general = option == "--help" || option == "--version";
            assert!(is_general || told.contains(option), "{folder}: {option}");
        }
    }
    let commands = read("docs/src/commands.md") + &read("docs/src/learning.md");
    let elsewhere = ["export", "generate", "help", "init", "doctor", "merge"];
    for (name, _) in &known {
        let is_told = name.is_empty() || elsewhere.contains(&name.as_str());
        assert!(
            is_told || commands.contains(&format!("rdg {name}")),
            "{name}"
        );
    }
}

/// The keys of the tables of a page, as `section.key`, for each of the two files.
fn documented_keys(page: &str) -> [BTreeSet<String>; 2] {
    let text = read(page);
    let (dataset, app) = text.split_once("## app.toml").expect("the second file");
    [dataset, app].map(|text| {
        let mut section = String::new();
        let mut keys = BTreeSet::new();
        let rows = text.lines().filter_map(|line| line.strip_prefix("| `"));
        for row in rows.filter(|row| !row.starts_with("configs/")) {
            let first = row.split(" |").next().unwrap();
            for word in first.split('`').step_by(2) {
                match word
                    .strip_prefix('[')
                    .and_then(|word| word.strip_suffix(']'))
                {
                    Some(name) => {
                        section = name.replace("<name>", "x").replace("<名前>", "x") + ".";
                    }
                    None => {
                        keys.insert(format!("{section}{word}"));
                    }
                }
            }
        }
        keys
    })
}

#[test]
fn keys_are_those_of_the_configurations() {
    let pages = [ENGLISH, JAPANESE].map(|folder| format!("{folder}/configuration.md"));
    for page in &pages {
        let env = Env::new();
        for (keys, name) in documented_keys(page).iter().zip(["c.toml", "a.toml"]) {
            assert!(keys.len() > 10, "{page}: {keys:?}");
            // No key may be an array of this kind; an unknown one would be called so.
            let lines: Vec<String> = keys.iter().map(|key| format!("{key} = [[]]\n")).collect();
            env.write(name, lines.concat());
        }
        let output = env.run(&["--config", "c.toml", "--app-config", "a.toml"]);
        let said = stderr(&output);
        assert_eq!(code(&output), 2, "{said}");
        assert!(said.contains("`phases`"), "{said}");
        assert!(!said.contains("unknown key"), "{page}: {said}");
    }
    // And the other way round: every key that is read is told of.
    for source in ["src/config/dataset.rs", "src/config/app.rs"] {
        let text = read(source);
        for reader in [".optional(\"", ".required(\"", ".section(\""] {
            for rest in text.split(reader).skip(1) {
                let key = rest.split('"').next().unwrap();
                for page in &pages {
                    let text = read(page);
                    let told = text.contains(&format!("`{key}`"))
                        || text.contains(&format!("[{key}"))
                        || text.contains(&format!(".{key}]"));
                    assert!(told, "{page} does not tell of {key} ({source})");
                }
            }
        }
    }
}

/// The lines of the shell blocks of the English pages.
fn commands() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for page in ["README.md".to_owned()].into_iter().chain(pages(ENGLISH)) {
        for block in read(&page).split("```sh\n").skip(1) {
            for line in block.split("```").next().unwrap().lines() {
                let command = line.split(" #").next().unwrap().trim();
                if !command.is_empty() {
                    found.push((page.clone(), command.to_owned()));
                }
            }
        }
    }
    found
}

/// Commands that are not run here: how they begin, and why.
const NOT_RUN: &[(&str, &str)] = &[
    (
        "make ",
        "builds or installs; `.ci/run` and the workflows do it",
    ),
    ("cargo ", "builds; the workflows do it"),
    ("rustup ", "changes the machine"),
    ("sudo ", "changes the machine"),
    ("cd demo", "tests/it/installed.rs: init_then_generate"),
    ("rdg --config configs/edax.toml", "needs Edax"),
    ("rdg doctor", "takes long or needs Edax; tests/it/doctor.rs"),
    (
        "rdg import playok.pgn.zst",
        "somebody's file; tests/it/import_formats.rs",
    ),
    (
        "rdg match builtin:6 grhino:3",
        "needs GRhino; tests/it/grhino.rs",
    ),
    ("rdg play", "needs a person; tests/it/play.rs"),
    (
        "rdg learn --output weights --force",
        "takes a minute; tests/it/learn.rs",
    ),
    (
        "rdg bench --labels",
        "takes minutes; tests/it/bench.rs and src/machine/bench/labels",
    ),
    ("rdg bootstrap", "plays whole rounds; tests of its own"),
    (
        "rdg learn --output weights --resume",
        "goes on with the one before",
    ),
    ("rdg man |", "needs a pager; tests/it/installed.rs"),
    (
        "rdg --json-progress 2>&1 | jq",
        "needs jq; tests/it/progress.rs",
    ),
    ("rdg --shard", "tests/it/shards.rs"),
    ("rdg merge out/shard_", "tests/it/shards.rs"),
    ("RDG_CONFIG=", "needs Slurm; scripts/slurm.sh"),
    ("rdg completions bash >", "writes into the home folder"),
];

const CONFIG: &str = "output_dir = '../datasets/quickstart'\nphases = '30..49'\n\
    samples_per_phase = 40\nseed = 7\n[split]\ntrain = 0.8\nvalid = 0.1\ntest = 0.1\n\
    [self_play.ai]\nname = 'builtin'\nlevel = 2\n[games]\nkeep = true\n[window]\n\
    enabled = true\nsize = 10\n";

/// What the pages take for granted.
fn prepared() -> Env {
    let env = Env::new();
    env.write("configs/config.toml", CONFIG);
    env.write("games/a.txt", "e6f4e3f6g5d6e7f5c5\n");
    let board = "-".repeat(27) + "OX------XO" + &"-".repeat(27);
    env.write("labelled.txt", format!("{board} 2\n"));
    env.write("squares.txt", "9 -3 2 1 1 2 -3 9\n".repeat(8));
    for (output, seed) in [("quickstart", "7"), ("old_1", "1"), ("old_2", "2")] {
        let config = CONFIG.replace("quickstart", output);
        env.write(
            "configs/other.toml",
            config.replace("= 7", &format!("= {seed}")),
        );
        let output = env.run(&["--config", "configs/other.toml", "--no-progress"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
    }
    env
}

#[test]
fn commands_work_as_printed() {
    let env = prepared();
    let program = env.rdg().get_program().to_owned();
    let tools = env.path("tools");
    std::fs::create_dir(&tools).unwrap();
    std::os::unix::fs::symlink(program, tools.join("rdg")).unwrap();
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
    let mut left_out = BTreeSet::new();
    let mut run = 0;
    let commands = commands();
    // First what others read.
    let (first, rest): (Vec<_>, Vec<_>) =
        (commands.iter()).partition(|(_, command)| command.starts_with("rdg import"));
    for (page, command) in first.into_iter().chain(rest) {
        let reason = NOT_RUN.iter().find(|(begin, _)| command.starts_with(begin));
        if let Some((begin, _)) = reason {
            left_out.insert(*begin);
            continue;
        }
        if page.ends_with("install.md") {
            // They follow each other in a folder of their own.
            continue;
        }
        let output = Command::new("sh")
            .args(["-c", command])
            .current_dir(env.path(""))
            .env("PATH", &path)
            .env("XDG_CONFIG_HOME", env.path(".config"))
            .output()
            .unwrap();
        assert_eq!(
            code(&output),
            0,
            "{page}: {command}: {}{}",
            stdout(&output),
            stderr(&output)
        );
        run += 1;
    }
    assert!(run > 15, "only {run} commands were run");
    let stale: Vec<&str> = NOT_RUN
        .iter()
        .map(|(begin, _)| *begin)
        .filter(|begin| !left_out.contains(begin))
        .collect();
    assert!(stale.is_empty(), "no page has {stale:?}");
}
