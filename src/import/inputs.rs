//! Finds the files of an import, opens them and tells what they hold.

use super::ImportError;
use super::options::Values;
use crate::records::{Content, Format, NotGames, Packing, content, detect, read_head};
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A file to be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Input {
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

    /// Opens it and reads its first block. `total` grows by what is read of it.
    pub(super) fn open(&self, total: &Arc<AtomicU64>) -> Result<Opened, ImportError> {
        let mut input: Box<dyn Read + Send> = if self.is_stdin() {
            Box::new(io::stdin())
        } else {
            Box::new(File::open(&self.path).map_err(ImportError::read(&self.path))?)
        };
        let head = read_head(&mut input).map_err(ImportError::read(&self.path))?;
        let packing = Packing::of(&head);
        let meter = Meter {
            read: Arc::default(),
            total: total.clone(),
        };
        let whole = Box::new(Counted {
            input: Box::new(io::Cursor::new(head).chain(input)),
            meter: meter.clone(),
        });
        let mut input: Box<dyn Read + Send> = match packing {
            Some(packing) => packing.unpack(whole),
            None => whole,
        };
        let head = read_head(&mut input).map_err(ImportError::read(&self.path))?;
        Ok(Opened {
            head,
            input,
            packing,
            meter,
        })
    }
}

/// A file that is being read.
pub(super) struct Opened {
    /// Its first block, unpacked.
    pub head: Vec<u8>,
    /// The rest, unpacked.
    pub input: Box<dyn Read + Send>,
    /// How it is compressed.
    pub packing: Option<Packing>,
    /// What has been read of it, as it is in the file.
    pub meter: Meter,
}

/// Counts and digests what is read of a file.
#[derive(Clone)]
pub(super) struct Meter {
    read: Arc<Mutex<(u64, Sha256)>>,
    /// Grows by what is read of all files.
    total: Arc<AtomicU64>,
}

impl Meter {
    fn count(&self, block: &[u8]) {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        read.0 += block.len() as u64;
        read.1.update(block);
        self.total.fetch_add(block.len() as u64, Ordering::Relaxed);
    }

    /// Bytes, and their SHA-256.
    pub(super) fn finish(&self) -> (u64, [u8; 32]) {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        (read.0, read.1.clone().finalize().into())
    }
}

struct Counted {
    input: Box<dyn Read + Send>,
    meter: Meter,
}

impl Read for Counted {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let got = self.input.read(into)?;
        self.meter.count(&into[..got]);
        Ok(got)
    }
}

/// What is asked of the files.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    /// Taken at its word; absent: each file's content tells.
    pub format: Option<&'static dyn Format>,
    /// Games, or positions with values.
    pub values: Values,
}

impl Opened {
    /// How what the file holds is read.
    pub(super) fn format(&self, wanted: Wanted) -> Result<&'static dyn Format, NotGames> {
        let format = match wanted.format {
            Some(_) if self.head.is_empty() => return Err(NotGames::Empty),
            Some(format) => format,
            None => detect(&self.head)?,
        };
        match (content(format, &self.head)?, wanted.values) {
            (Content::BarePositions, _) => Err(NotGames::BarePositions),
            (Content::ValuedPositions, Values::OfGames) => Err(NotGames::ValuedPositions),
            (Content::Games, Values::AsGiven { .. }) => Err(NotGames::Games),
            _ => Ok(format),
        }
    }
}

/// The files that `names` stand for: each file itself, of each folder all files in it and in the
/// folders below, sorted by name. Hidden files and folders (`.git`) are not looked into.
///
/// A file that was named and holds no games is found here already, before any work is done; a pipe
/// cannot be asked in advance.
pub(super) fn list(names: &[PathBuf], wanted: Wanted) -> Result<Vec<Input>, ImportError> {
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
            let opened = input.open(&Arc::default())?;
            opened.format(wanted).map_err(|why| ImportError::NotGames {
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

    const GAMES: Wanted = Wanted {
        format: None,
        values: Values::OfGames,
    };

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
        let inputs = list(&[root.to_owned()], GAMES).unwrap();
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
            list(&[good.clone(), bad.clone()], GAMES)
                .unwrap_err()
                .to_string()
        };
        assert!(error(b"").ends_with("bad: it is empty"));
        assert!(error(b"\0\x01\x02").contains("bad: it is none of"));
        let missing = list(&[folder.path().join("missing")], GAMES).unwrap_err();
        assert!(missing.to_string().contains("missing: No such file"));
        let empty = folder.path().join("empty");
        fs::create_dir(&empty).unwrap();
        assert!(matches!(
            list(&[empty], GAMES),
            Err(ImportError::NoFiles { .. })
        ));
    }
}
