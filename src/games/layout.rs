//! Where the games of a campaign lie.

use crate::dataset::DatasetError;
use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The folder of one campaign's games, existing or not.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct GamesDir {
    anchor: u8,
    path: PathBuf,
}

impl GamesDir {
    /// `<output_dir>/games_NN`; NN is the ply at which the random part of its games ends.
    pub fn new(output_dir: &Path, anchor: u8) -> GamesDir {
        GamesDir {
            anchor,
            path: output_dir.join(format!("games_{anchor:02}")),
        }
    }

    /// The ply at which the random part ends.
    pub fn anchor(&self) -> u8 {
        self.anchor
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// `games.rdg`.
    pub fn games(&self) -> PathBuf {
        self.path.join("games.rdg")
    }

    /// `games_state.json`.
    pub fn state(&self) -> PathBuf {
        self.path.join("games_state.json")
    }

    /// Whether either of the two files is there.
    pub fn has_output(&self) -> bool {
        let is_there = |path: PathBuf| path.symlink_metadata().is_ok();
        is_there(self.state()) || is_there(self.games())
    }

    /// Whether anything of that name is there, be it a folder, a file or a dangling link.
    pub fn exists(&self) -> Result<bool, DatasetError> {
        match fs::symlink_metadata(&self.path) {
            Ok(_) => Ok(true),
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(false),
            Err(e) => Err(DatasetError::io("look at", &self.path)(e)),
        }
    }

    /// Removes the two files, the checkpoint first, and the folder if nothing else is in it.
    pub fn remove(&self) -> Result<(), DatasetError> {
        for path in [self.state(), self.games()] {
            match fs::remove_file(&path) {
                Err(e)
                    if e.kind() != ErrorKind::NotFound && e.kind() != ErrorKind::NotADirectory =>
                {
                    return Err(DatasetError::io("remove", &path)(e));
                }
                _ => {}
            }
        }
        // Somebody else's files stay, and the folder with them.
        let _ = fs::remove_dir(&self.path);
        Ok(())
    }
}

/// The folders of games in a dataset, ascending. An absent dataset has none.
pub fn find_games(dataset: &Path) -> Result<Vec<GamesDir>, DatasetError> {
    let read = || DatasetError::io("read", dataset);
    let entries = match fs::read_dir(dataset) {
        Ok(entries) => entries,
        Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        Err(e) => return Err(read()(e)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(read())?.path();
        if let Some(anchor) = path.file_name().and_then(anchor_of)
            && path.is_dir()
        {
            found.push(GamesDir { anchor, path });
        }
    }
    found.sort();
    Ok(found)
}

/// The number in `games_07`.
fn anchor_of(name: &OsStr) -> Option<u8> {
    let digits = name.to_str()?.strip_prefix("games_")?;
    if digits.len() != 2 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok().filter(|&anchor| anchor <= 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_found_by_their_names() {
        let out = tempfile::tempdir().unwrap();
        for name in [
            "games_30", "games_07", "games_61", "games_7", "phase_10", "games_",
        ] {
            fs::create_dir(out.path().join(name)).unwrap();
        }
        fs::write(out.path().join("games_08"), "").unwrap();
        let anchors: Vec<u8> = find_games(out.path())
            .unwrap()
            .iter()
            .map(GamesDir::anchor)
            .collect();
        assert_eq!(anchors, [7, 30]);
        assert_eq!(find_games(&out.path().join("nothing")).unwrap(), []);
        assert_eq!(
            GamesDir::new(out.path(), 7).games(),
            out.path().join("games_07/games.rdg")
        );
    }

    #[test]
    fn removing_leaves_what_is_not_ours() {
        let out = tempfile::tempdir().unwrap();
        let dir = GamesDir::new(out.path(), 3);
        dir.remove().unwrap();
        fs::create_dir(dir.path()).unwrap();
        fs::write(dir.games(), "").unwrap();
        fs::write(dir.state(), "").unwrap();
        fs::write(dir.path().join("notes.txt"), "").unwrap();
        dir.remove().unwrap();
        assert!(!dir.games().exists() && !dir.state().exists());
        assert!(dir.path().join("notes.txt").exists());
        fs::remove_file(dir.path().join("notes.txt")).unwrap();
        dir.remove().unwrap();
        assert!(!dir.exists().unwrap());
    }
}
