//! Tells the program which revision it is built from. Never fails: without git, or outside of a
//! git checkout of this package, the revision is unknown.
//!
//! Runs again when the sources or the checked-out commit change, and only then. "Dirty" therefore
//! speaks of the files that the program is built from, not of pages or settings beside them.

// Path::display: cargo wants paths as they are.
#![allow(clippy::disallowed_methods)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// What the binary is made from.
const SOURCES: [&str; 4] = ["src", "build.rs", "Cargo.toml", "Cargo.lock"];

fn main() {
    for source in SOURCES {
        println!("cargo:rerun-if-changed={source}");
    }
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let mut long_version = version;
    let mut dirty_word = "unknown";
    if let Some(commit) = own_commit() {
        watch_head();
        let dirty = is_dirty();
        let mark = if dirty == Some(true) {
            ", modified"
        } else {
            ""
        };
        let short = commit.get(..12).unwrap_or(&commit);
        long_version = format!("{long_version} ({short}{mark})");
        println!("cargo:rustc-env=RDG_GIT_COMMIT={commit}");
        dirty_word = match dirty {
            Some(true) => "true",
            Some(false) => "false",
            None => "unknown",
        };
    }
    println!("cargo:rustc-env=RDG_GIT_DIRTY={dirty_word}");
    println!("cargo:rustc-env=RDG_LONG_VERSION={long_version}");
}

/// The checked-out commit, provided that the checkout is this package's and not that of a project
/// that merely contains it.
fn own_commit() -> Option<String> {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from)?;
    let top = PathBuf::from(git(&["rev-parse", "--show-toplevel"])?);
    if here.canonicalize().ok()? != top.canonicalize().ok()? {
        return None;
    }
    let commit = git(&["rev-parse", "--verify", "HEAD"])?;
    commit
        .bytes()
        .all(|byte| byte.is_ascii_hexdigit())
        .then_some(commit)
}

fn is_dirty() -> Option<bool> {
    let mut args = vec!["status", "--porcelain", "--"];
    args.extend(SOURCES);
    git(&args).map(|changes| !changes.is_empty())
}

/// Has this script run again when another commit is checked out or made.
fn watch_head() {
    for path in [
        git(&["rev-parse", "--git-path", "HEAD"]),
        git(&["rev-parse", "--git-path", "packed-refs"]),
    ]
    .into_iter()
    .flatten()
    {
        watch(Path::new(&path));
    }
    let Some(branch) = git(&["symbolic-ref", "-q", "HEAD"]) else {
        return;
    };
    // A packed branch has no file of its own until the next commit makes one in this folder.
    if let Some(path) = git(&["rev-parse", "--git-path", &branch]) {
        let mut path = Path::new(&path);
        while !path.exists() {
            match path.parent() {
                Some(parent) => path = parent,
                None => return,
            }
        }
        watch(path);
    }
}

/// A path that does not exist would have this script run at every build.
fn watch(path: &Path) {
    if path.exists() {
        println!("cargo:rerun-if-changed={}", path.display());
    }
}

fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .arg("--no-optional-locks")
        .args(args)
        // Set inside of git's hooks, where they may point at another repository.
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        .output()
        .ok()?;
    if !output.status.success() {
        return None;
    }
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim_end().to_owned())
}
