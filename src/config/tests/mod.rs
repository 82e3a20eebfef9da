//! Every key wrong in every way: what is said, where, and that nothing else is said.

mod app;
mod dataset;
mod file;
mod spec;

use super::*;
use crate::base::shown::Shown;
use std::path::Path;

/// A config.toml with every key of the manual.
const GOOD: &str = r#"
mode = "normal"
output_dir = "../datasets/x"
phases = "10..60"
samples_per_phase = 1000
seed = 42
score_rule = "winner_takes_empties"
[split]
train = 0.98
valid = 0.01
test = 0.01
by = "position"
[playout]
ai_probability = 0
dedupe = "canonical_board"
max_attempts_multiplier = 100
[playout.ai]
name = "edax"
level = 3
threads = 1
timeout = "10s"
[self_play]
workers = 8
retries = 3
affinity = true
solve_from = 12
[self_play.ai]
name = "edax"
level = 20
threads = 1
timeout = "300s"
[window]
enabled = true
size = 10
"#;

/// An app.toml with every key of the manual.
const GOOD_APP: &str = r#"
setup = "missing"
[log]
file = "../logs/rdg.log"
max_size_mb = 100
max_files = 5
[engines.edax]
kind = "edax"
binary = "edax/bin/edax"
eval_file = "edax/bin/data/eval.dat"
level = 5
threads = 2
timeout = "20s"
startup_timeout = "1m"
args = ["-book-file", "16"]
[engines.edax.options]
hash_bits = 16
book = "no"
ratio = 0.5
fresh = true
config = "file.toml"
[engines.builtin]
kind = "builtin"
[engines.other]
kind = "gtp"
binary = "/usr/games/gtp-rhino"
args = ["-l", "{level}"]
[engines.plain]
kind = "nboard"
binary = "x"
"#;

fn load<T>(
    bytes: impl AsRef<[u8]>,
    loader: fn(&Path) -> Result<T, ConfigError>,
) -> Result<T, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.toml");
    std::fs::write(&path, bytes).unwrap();
    // The folder's name is random: it must not take part in comparisons.
    let prefix = format!("{}/", folder.path().shown());
    loader(&path).map_err(|error| error.to_string().replace(&prefix, ""))
}

fn dataset(text: impl AsRef<[u8]>) -> Result<DatasetConfig, String> {
    load(text, load_dataset)
}

fn app(text: impl AsRef<[u8]>) -> Result<AppConfig, String> {
    load(text, |path| load_app(path, &crate::engine::KINDS))
}

/// `text` with the line that begins with `key` (after `[section]`) replaced; an empty
/// replacement removes it.
fn with(text: &str, section: &str, key: &str, replacement: &str) -> String {
    let mut current = String::new();
    let mut found = false;
    let mut changed = String::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix('[') {
            current = name.trim_end_matches(']').to_owned();
        }
        if current == section && line.starts_with(&format!("{key} =")) {
            found = true;
            changed.push_str(replacement);
        } else {
            changed.push_str(line);
        }
        changed.push('\n');
    }
    assert!(found, "no {section}.{key}");
    changed
}

fn assert_one_fault(result: Result<impl std::fmt::Debug, String>, words: &[&str], what: &str) {
    let message = result.expect_err(&format!("must be refused: {what}"));
    for word in words {
        assert!(message.contains(word), "{what}: no {word:?} in {message:?}");
    }
    assert_eq!(message.lines().count(), 1, "{what}: {message}");
    assert!(message.starts_with("file.toml"), "{what}: {message}");
    assert!(message.len() < 400, "{what}: {message}");
}
