//! Games are added to a file as `rdg import` reads it: move text, GGF, SGF or PGN. What lies there
//! already stays.

use crate::base::shown::Shown;
use crate::board::Game;
use crate::records::{Format, GameRecord, WrittenGame, detect, format_by_name, read_head};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file that games are added to.
pub(crate) struct SaveFile {
    path: PathBuf,
    file: File,
    format: &'static dyn Format,
    /// Nothing was there before and nothing has been written.
    is_unused: bool,
}

/// Why a game cannot be kept.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SaveError {
    /// The system refused.
    #[error("cannot write the game to {}: {source}", .path.shown())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Something else lies there.
    #[error(
        "{} is there and holds no games in the format `{format}`; name another file with --save \
         (.ggf: GGF, .sgf: SGF, .pgn: PGN, anything else: move text)", .path.shown()
    )]
    OtherContent {
        /// The file.
        path: PathBuf,
        /// The format that the file's name asks for.
        format: &'static str,
    },
    /// Move text has no place for a position.
    #[error(
        "{} would be move text, which holds only games from the usual start position; name it .ggf, .sgf or .pgn",
        .path.shown()
    )]
    NeedsStart {
        /// The file.
        path: PathBuf,
    },
}

impl SaveFile {
    /// Opens or makes the file. Its name's extension decides on the format, and what it holds must
    /// be of that format. `start` is the game to begin with.
    pub(crate) fn open(path: &Path, start: &Game) -> Result<SaveFile, SaveError> {
        let io = |source| SaveError::Io {
            path: path.to_owned(),
            source,
        };
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        let name = match extension.to_str() {
            Some("ggf") => "ggf",
            Some("sgf") => "sgf",
            Some("pgn") => "pgn",
            _ => "text",
        };
        let format = format_by_name(name).expect("these are names of formats");
        if name == "text" && start.start() != Game::new().start() {
            return Err(SaveError::NeedsStart {
                path: path.to_owned(),
            });
        }
        // Anything but a file, such as a pipe, could not be looked at and might never open.
        let metadata = std::fs::metadata(path);
        if metadata.is_ok_and(|metadata| !metadata.is_file()) {
            return Err(io(io::Error::other("it is not a regular file")));
        }
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .map_err(io)?;
        let head = read_head(&mut file).map_err(io)?;
        let is_blank = head.trim_ascii().is_empty();
        let is_known = detect(&head).is_ok_and(|found| found.name() == name)
            || name == "text" && are_short_games(format, &head);
        if !is_blank && !is_known {
            return Err(SaveError::OtherContent {
                path: path.to_owned(),
                format: name,
            });
        }
        Ok(SaveFile {
            path: path.to_owned(),
            file,
            format,
            is_unused: head.is_empty(),
        })
    }

    /// Where the games go.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a game, in one write, and waits until the disk has it.
    pub(crate) fn add(&mut self, written: WrittenGame<'_>) -> Result<(), SaveError> {
        self.append(&[written])?;
        self.sync()
    }

    /// Adds games, in one write.
    pub(crate) fn append(&mut self, written: &[WrittenGame<'_>]) -> Result<(), SaveError> {
        self.try_append(written).map_err(|source| self.io(source))
    }

    /// Waits until the disk has everything.
    pub(crate) fn sync(&self) -> Result<(), SaveError> {
        self.file.sync_data().map_err(|source| self.io(source))
    }

    fn io(&self, source: io::Error) -> SaveError {
        SaveError::Io {
            path: self.path.clone(),
            source,
        }
    }

    fn try_append(&mut self, written: &[WrittenGame<'_>]) -> io::Result<()> {
        let mut bytes = Vec::new();
        if !self.ends_a_line()? {
            bytes.push(b'\n');
        }
        self.format.write(written, &mut bytes)?;
        self.file.write_all(&bytes)?;
        self.is_unused = false;
        Ok(())
    }

    fn ends_a_line(&mut self) -> io::Result<bool> {
        if self.file.seek(SeekFrom::End(0))? == 0 {
            return Ok(true);
        }
        self.file.seek(SeekFrom::End(-1))?;
        let mut last = [0];
        self.file.read_exact(&mut last)?;
        Ok(last == *b"\n")
    }
}

/// Whether each line is a game: those of one move are too short to be recognised by their look.
fn are_short_games(format: &dyn Format, text: &[u8]) -> bool {
    text.split(|&c| c == b'\n')
        .filter(|line| !line.trim_ascii().is_empty())
        .all(|line| {
            let mut record = GameRecord::default();
            format.parse(line, &mut record).is_ok() && !record.moves.is_empty()
        })
}

impl Drop for SaveFile {
    /// A game that was never played leaves no empty file.
    fn drop(&mut self) {
        if self.is_unused && self.file.metadata().is_ok_and(|found| found.len() == 0) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_added_and_nothing_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.txt");
        std::fs::write(&path, "f5f6e6f4g5\n# kept").unwrap();
        let game = Game::from_move_text("f5d6c3").unwrap();
        let mut file = SaveFile::open(&path, &Game::new()).unwrap();
        file.add(WrittenGame::nameless(&game)).unwrap();
        file.add(WrittenGame::nameless(&game)).unwrap();
        drop(file);
        assert_eq!(
            std::fs::read_to_string(&path).unwrap(),
            "f5f6e6f4g5\n# kept\nf5d6c3\nf5d6c3\n"
        );
    }

    #[test]
    fn a_game_of_one_move_is_no_hindrance_for_the_next_one() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.txt", "a.ggf", "a.SGF", "a.pgn"] {
            let path = folder.path().join(name);
            let game = Game::from_move_text("f5").unwrap();
            for _ in 0..2 {
                let mut file = SaveFile::open(&path, &Game::new()).unwrap();
                file.add(WrittenGame::nameless(&game)).unwrap();
            }
            let text = std::fs::read_to_string(&path).unwrap();
            assert_eq!(text.matches("f5").count(), 2, "{text}");
        }
    }

    #[test]
    fn other_files_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("letter");
        std::fs::write(&path, "Dear reader,\n").unwrap();
        let refused = |path: &Path, start: &Game| {
            SaveFile::open(path, start)
                .err()
                .expect("it is refused")
                .to_string()
        };
        assert!(refused(&path, &Game::new()).contains("holds no games in the format `text`"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "Dear reader,\n");
        assert!(refused(folder.path(), &Game::new()).contains("not a regular file"));
        let elsewhere =
            Game::from_position(Game::new().board().passed(), crate::board::Color::White);
        let none = folder.path().join("none");
        assert!(refused(&none, &elsewhere).contains("name it .ggf"));
        drop(SaveFile::open(&none, &Game::new()).unwrap());
        assert!(!none.exists());
        let below = none.join("none.ggf");
        assert!(refused(&below, &Game::new()).contains("cannot write the game to"));
    }
}
