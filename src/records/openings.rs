//! Lists of openings: one a line, as moves, a board, a board with moves, or a line of OBF.

use super::typed::{TypedError, read_typed};
use super::{Packing, movetext};
use crate::base::shown::Shown;
use crate::board::{Board, Game};
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A list of openings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Openings {
    /// Each with its moves, in the order of the file. None of them is over.
    pub games: Vec<Game>,
    /// SHA-256 of the start positions and moves, hex: layout and comments do not count.
    pub sha256: String,
}

/// Why there are no openings.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// The system refused.
    #[error("cannot read the openings {}: {source}", .path.shown())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Not text.
    #[error("the openings {} are not text", .path.shown())]
    NotText {
        /// The file.
        path: PathBuf,
    },
    /// Nothing in it.
    #[error("there is no opening in {}", .path.shown())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// A line that cannot be used.
    #[error("line {line} of the openings {}: {source}", .path.shown())]
    Line {
        /// The file.
        path: PathBuf,
        /// Its number, from 1.
        line: usize,
        /// What is wrong with it.
        source: TypedError,
    },
    /// A line after which there is nothing to play.
    #[error("line {line} of the openings {}: the game is over there", .path.shown())]
    Over {
        /// The file.
        path: PathBuf,
        /// Its number, from 1.
        line: usize,
    },
    /// Larger than any list of openings.
    #[error("the openings {} are more than {limit} bytes", .path.shown())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The limit.
        limit: u64,
    },
}

/// The largest file that is read.
const LIMIT: u64 = 256 << 20;

impl Openings {
    /// Reads a file, compressed or not.
    pub fn read(path: &Path) -> Result<Openings, OpeningsError> {
        let io = |source| OpeningsError::Io {
            path: path.to_owned(),
            source,
        };
        let mut file = File::open(path).map_err(io)?;
        let head = super::read_head(&mut file).map_err(io)?;
        let packing = Packing::of(&head);
        let whole: Box<dyn Read + Send> = Box::new(io::Cursor::new(head).chain(file));
        let input = match packing {
            Some(packing) => packing.unpack(whole),
            None => whole,
        };
        let mut bytes = Vec::new();
        input.take(LIMIT + 1).read_to_end(&mut bytes).map_err(io)?;
        if bytes.len() as u64 > LIMIT {
            let path = path.to_owned();
            return Err(OpeningsError::TooLarge { path, limit: LIMIT });
        }
        let text = String::from_utf8(bytes).map_err(|_| OpeningsError::NotText {
            path: path.to_owned(),
        })?;
        Openings::from_text(&text, path)
    }

    /// Reads the text of a file, whose name is for errors.
    fn from_text(text: &str, path: &Path) -> Result<Openings, OpeningsError> {
        let mut games = Vec::new();
        let mut hash = Sha256::new();
        for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            if movetext::is_ignored(line.as_bytes()) {
                continue;
            }
            let line_number = index + 1;
            let game = read_typed(line).map_err(|source| OpeningsError::Line {
                path: path.to_owned(),
                line: line_number,
                source,
            })?;
            if game.is_over() {
                return Err(OpeningsError::Over {
                    path: path.to_owned(),
                    line: line_number,
                });
            }
            let (board, color) = game.start();
            let start = board.to_text(color);
            hash.update(format!("{start} {color} {}\n", game.move_text()));
            games.push(game);
        }
        if games.is_empty() {
            let path = path.to_owned();
            return Err(OpeningsError::Empty { path });
        }
        let digest = hash.finalize();
        Ok(Openings {
            games,
            sha256: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
        })
    }

    /// How many different positions they lead to, up to the symmetries of the board.
    pub fn distinct(&self) -> usize {
        let positions: HashSet<Board> = self
            .games
            .iter()
            .map(|game| game.board().canonical())
            .collect();
        positions.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Openings, String> {
        Openings::from_text(text, Path::new("xot.txt")).map_err(|error| error.to_string())
    }

    #[test]
    fn lines_of_every_kind_are_openings() {
        let board = "---------------------------OX------XO---------------------------";
        let text = format!(
            "\u{feff}# XOT\r\nf5d6c3\r\n\r\n1. f5 d6 2. c3\n{board} X;f5d6c3\n{board} O; f4:+0\nF5F6E6F4"
        );
        let openings = read(&text).unwrap();
        assert_eq!(openings.games.len(), 5);
        assert_eq!(openings.distinct(), 3);
        // Layout and comments do not count; the lines do.
        assert_eq!(
            read("f5d6c3").unwrap().sha256,
            read("% x\n F5 d6 c3\n").unwrap().sha256
        );
        assert_ne!(
            read("f5d6c3").unwrap().sha256,
            read("f5d6c3\nf5d6c3").unwrap().sha256
        );
    }

    #[test]
    fn bad_lines_are_told_by_number() {
        for (text, expected) in [
            (
                "f5d6\n\nf5a1\n",
                "line 3 of the openings xot.txt: illegal move a1 at move 2",
            ),
            (
                "# x\nhello",
                "line 2 of the openings xot.txt: `hello` is neither",
            ),
            (
                "e6f4e3f6g5d6e7f5c5",
                "line 1 of the openings xot.txt: the game is over there",
            ),
            ("", "there is no opening in xot.txt"),
            ("# nothing\n", "there is no opening in xot.txt"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn files_that_cannot_be_read_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("o");
        let error = || Openings::read(&path).unwrap_err().to_string();
        assert!(error().contains("cannot read the openings"));
        std::fs::write(&path, [0xff, 0xfe, 0]).unwrap();
        assert!(error().contains("are not text"));
        assert!(Openings::read(folder.path()).is_err());
        std::fs::write(&path, "f5d6c3\n").unwrap();
        assert_eq!(Openings::read(&path).unwrap().games.len(), 1);
    }
}
