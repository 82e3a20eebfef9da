//! What exactly an engine is: hashes of its files and, where it lies in a git checkout, the
//! revision. It goes into the metadata of everything made with it, and decides whether a run may
//! be resumed.

use super::EngineError;
use super::kinds::profile;
use crate::base::shown::Shown;
use crate::config::EngineSpec;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// An engine's identity as it stands in `metadata.json`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct EngineIdentity {
    /// Upstream revision (git commit) of the checkout that holds the binary; `rdg <version>` for
    /// the embedded engine; `None` where there is no checkout.
    pub engine_ref: Option<String>,
    /// SHA-256 of the binary, lower-case hex; `None` for the embedded engine.
    pub engine_binary_sha256: Option<String>,
    /// SHA-256 of the evaluation file, lower-case hex; `None` where none is configured.
    pub eval_file_sha256: Option<String>,
}

/// Hashes the engine's files. Reads each once; fails with [`EngineError::CannotStart`] when one
/// cannot be read.
pub fn identify(spec: &EngineSpec) -> Result<EngineIdentity, EngineError> {
    let entry = &spec.entry;
    let hash = |key: &str, path: &Path| {
        sha256_of_file(path).map_err(|error| EngineError::CannotStart {
            engine: entry.name.clone(),
            reason: format!(
                "{} cannot be read ({error}); check `{key}` of [engines.{}] in app.toml",
                path.shown(),
                entry.name
            )
            .into(),
        })
    };
    let binary = entry.binary.as_deref();
    Ok(EngineIdentity {
        engine_ref: match profile(spec).revision() {
            Some(revision) => Some(revision.shown.to_owned()),
            None => binary.and_then(git_revision),
        },
        engine_binary_sha256: binary.map(|path| hash("binary", path)).transpose()?,
        eval_file_sha256: (entry.eval_file.as_deref())
            .map(|path| hash("eval_file", path))
            .transpose()?,
    })
}

fn sha256_of_file(path: &Path) -> io::Result<String> {
    // A device need not end, and opening a pipe waits for somebody who writes into it.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => hasher.update(&buffer[..n]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(hasher
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect())
}

/// The commit that is checked out in the git work tree around `file`. Read from the files of git
/// itself, so that no program has to be there or be run in a folder that somebody else made.
fn git_revision(file: &Path) -> Option<String> {
    let file = file.canonicalize().ok()?;
    let git = file.ancestors().skip(1).find_map(git_folder)?;
    let head = read_trimmed(&git.join("HEAD"))?;
    let Some(name) = head.strip_prefix("ref: ") else {
        return is_commit(&head).then_some(head);
    };
    // In a linked work tree branches live in the main repository's folder.
    let common = read_trimmed(&git.join("commondir")).map_or(git.clone(), |path| git.join(path));
    let commit = read_trimmed(&git.join(name))
        .or_else(|| read_trimmed(&common.join(name)))
        .or_else(|| {
            let packed = std::fs::read_to_string(common.join("packed-refs")).ok()?;
            packed.lines().find_map(|line| {
                let (commit, of) = line.split_once(' ')?;
                (of == name).then(|| commit.to_owned())
            })
        })?;
    is_commit(&commit).then_some(commit)
}

fn git_folder(folder: &Path) -> Option<PathBuf> {
    let git = folder.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let pointed = read_trimmed(&git)?;
    Some(folder.join(pointed.strip_prefix("gitdir: ")?))
}

fn read_trimmed(path: &Path) -> Option<String> {
    Some(std::fs::read_to_string(path).ok()?.trim().to_owned())
}

fn is_commit(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|b| b.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const COMMIT: &str = "14f048c05ddfa385b6bf954a9c2905bbe677e9d3";

    #[test]
    fn hash_of_a_known_text() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("abc");
        fs::write(&path, "abc").unwrap();
        // FIPS 180-2, appendix B.1.
        assert_eq!(
            sha256_of_file(&path).unwrap(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn what_never_ends_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let mkfifo = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(mkfifo.unwrap().success());
        for path in [Path::new("/dev/zero"), &pipe, folder.path()] {
            let error = sha256_of_file(path).unwrap_err().to_string();
            assert_eq!(error, "it is not a regular file", "{}", path.shown());
        }
    }

    #[test]
    fn revision_of_a_checkout() {
        let folder = tempfile::tempdir().unwrap();
        let git = folder.path().join(".git");
        let binary = folder.path().join("bin/engine");
        fs::create_dir_all(git.join("refs/heads")).unwrap();
        fs::create_dir(folder.path().join("bin")).unwrap();
        fs::write(&binary, "").unwrap();

        fs::write(git.join("HEAD"), format!("{COMMIT}\n")).unwrap();
        assert_eq!(git_revision(&binary).as_deref(), Some(COMMIT), "detached");

        fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        assert_eq!(git_revision(&binary), None, "a branch without a commit");

        fs::write(
            git.join("packed-refs"),
            format!("# pack-refs with: peeled\n{COMMIT} refs/heads/main\n"),
        )
        .unwrap();
        assert_eq!(git_revision(&binary).as_deref(), Some(COMMIT), "packed");

        let loose = COMMIT.replace('1', "2");
        fs::write(git.join("refs/heads/main"), format!("{loose}\n")).unwrap();
        assert_eq!(git_revision(&binary).as_deref(), Some(&*loose), "loose");
    }

    #[test]
    fn no_checkout_no_revision() {
        assert_eq!(git_revision(Path::new("/no/such/file")), None);
    }
}
