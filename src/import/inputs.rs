//! Finds the files of an import, opens them and tells what they hold.

use super::ImportError;
use crate::records::{Format, NotGames, detect, read_head};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A file to be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// Where; `-` is standard input.
    pub path: PathBuf,
    /// It was named itself, and not found in a folder that was.
    pub named: bool,
    /// Its size, where it has one.
    pub bytes: Option<u64>,
}

impl Input {
    fn is_stdin(&self) -> bool {
        self.named && self.path.as_os_str() == "-"
    }

    /// Opens it and reads its first block.
    pub fn open(&self) -> Result<Opened, ImportError> {
        let mut input: Box<dyn Read + Send> = if self.is_stdin() {
            Box::new(io::stdin())
        } else {
            Box::new(File::open(&self.path).map_err(ImportError::read(&self.path))?)
        };
        let head = read_head(&mut input).map_err(ImportError::read(&self.path))?;
        Ok(Opened { head, input })
    }
}

/// A file that is being read.
pub struct Opened {
    /// Its first block.
    pub head: Vec<u8>,
    /// The rest.
    pub input: Box<dyn Read + Send>,
}

impl Opened {
    /// What the file holds; `forced` is taken at its word.
    pub fn format(
        &self,
        forced: Option<&'static dyn Format>,
    ) -> Result<&'static dyn Format, NotGames> {
        match forced {
            Some(_) if self.head.is_empty() => Err(NotGames::Empty),
            Some(format) => Ok(format),
            None => detect(&self.head),
        }
    }
}

/// The files that `names` stand for: each file itself, of each folder all files in it and in the
/// folders below, sorted by name. Hidden files and folders (`.git`) are not looked into.
///
/// A file that was named and holds no games is found here already, before any work is done; a pipe
/// cannot be asked in advance.
pub fn list(
    names: &[PathBuf],
    forced: Option<&'static dyn Format>,
) -> Result<Vec<Input>, ImportError> {
    let mut inputs = Vec::new();
    let mut folders = HashSet::new();
    for path in names {
        if path.as_os_str() == "-" {
            inputs.push(Input {
                path: path.clone(),
                named: true,
                bytes: None,
            });
            continue;
        }
        let metadata = fs::metadata(path).map_err(ImportError::read(path))?;
        if metadata.is_dir() {
            walk(path, &metadata, &mut folders, &mut inputs)?;
            continue;
        }
        let input = Input {
            path: path.clone(),
            named: true,
            bytes: metadata.is_file().then_some(metadata.len()),
        };
        if metadata.is_file() {
            let opened = input.open()?;
            opened.format(forced).map_err(|why| ImportError::NotGames {
                path: path.clone(),
                why,
            })?;
        }
        inputs.push(input);
    }
    match (inputs.is_empty(), names.first()) {
        (true, Some(path)) => Err(ImportError::NoFiles { path: path.clone() }),
        _ => Ok(inputs),
    }
}

/// Adds the files below `folder`. `seen` keeps links that lead in a circle from being followed.
fn walk(
    folder: &Path,
    metadata: &fs::Metadata,
    seen: &mut HashSet<(u64, u64)>,
    inputs: &mut Vec<Input>,
) -> Result<(), ImportError> {
    let mut waiting = vec![(folder.to_owned(), (metadata.dev(), metadata.ino()))];
    while let Some((folder, identity)) = waiting.pop() {
        if !seen.insert(identity) {
            continue;
        }
        let mut names = Vec::new();
        for entry in fs::read_dir(&folder).map_err(ImportError::read(&folder))? {
            names.push(entry.map_err(ImportError::read(&folder))?.file_name());
        }
        names.sort_unstable();
        let mut below = Vec::new();
        for name in names {
            if name.as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let path = folder.join(name);
            // A link to nowhere is as if it were not there.
            let Ok(metadata) = fs::metadata(&path) else {
                continue;
            };
            if metadata.is_dir() {
                below.push((path, (metadata.dev(), metadata.ino())));
            } else if metadata.is_file() {
                inputs.push(Input {
                    path,
                    named: false,
                    bytes: Some(metadata.len()),
                });
            }
        }
        // The stack gives back the last first.
        waiting.extend(below.into_iter().rev());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(inputs: &[Input], root: &Path) -> Vec<String> {
        inputs
            .iter()
            .map(|input| {
                let path = input.path.strip_prefix(root).unwrap();
                path.to_string_lossy().into_owned()
            })
            .collect()
    }

    #[test]
    fn folders_are_walked_in_order_and_circles_are_left() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for path in [
            "b/2.txt",
            "b/1.txt",
            "b/a/3.txt",
            "c.txt",
            "a.txt",
            ".git/x",
        ] {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "f5d6").unwrap();
        }
        std::os::unix::fs::symlink(root, root.join("b/circle")).unwrap();
        std::os::unix::fs::symlink(root.join("nowhere"), root.join("lost")).unwrap();
        let inputs = list(&[root.to_owned()], None).unwrap();
        assert_eq!(
            paths(&inputs, root),
            ["a.txt", "c.txt", "b/1.txt", "b/2.txt", "b/a/3.txt"]
        );
        assert!(
            inputs
                .iter()
                .all(|input| !input.named && input.bytes == Some(4))
        );
    }

    #[test]
    fn named_files_without_games_are_found_before_the_work() {
        let folder = tempfile::tempdir().unwrap();
        let good = folder.path().join("good");
        let bad = folder.path().join("bad");
        fs::write(&good, "f5d6").unwrap();
        let error = |bytes: &[u8]| {
            fs::write(&bad, bytes).unwrap();
            list(&[good.clone(), bad.clone()], None)
                .unwrap_err()
                .to_string()
        };
        assert!(error(b"").ends_with("bad: it is empty"));
        assert!(error(b"\0\x01\x02").contains("bad: it is none of"));
        let missing = list(&[folder.path().join("missing")], None).unwrap_err();
        assert!(missing.to_string().contains("missing: No such file"));
        let empty = folder.path().join("empty");
        fs::create_dir(&empty).unwrap();
        assert!(matches!(
            list(&[empty], None),
            Err(ImportError::NoFiles { .. })
        ));
    }
}
