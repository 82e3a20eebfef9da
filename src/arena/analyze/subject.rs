//! What is to be analysed: a position as text, a list of moves, or a record of an `.rd` file.

use crate::base::shown::Shown;
use crate::board::{Board, Color, Game, ScoreRule};
use crate::dataset::DatasetError;
use crate::dataset::json::read_json;
use crate::dataset::metadata::Metadata;
use crate::dataset::record::{RECORD_SIZE, Record};
use crate::dataset::tree::Records;
use crate::dataset::value_rules::score_rule;
use crate::records::{TypedError, read_typed};
use std::path::{Path, PathBuf};

/// A position to look at.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Subject {
    /// The game that led there; without moves where only the position is known.
    pub game: Game,
    /// The value that a dataset gives the position, seen from the side to move.
    pub recorded_value: Option<i16>,
    /// By which rule, where `metadata.json` beside the file says it.
    pub recorded_rule: Option<ScoreRule>,
}

/// Why there is nothing to look at.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SubjectError {
    /// The text cannot be read.
    #[error(transparent)]
    Typed(#[from] TypedError),
    /// The file cannot be read as records.
    #[error(transparent)]
    File(#[from] DatasetError),
    /// Beyond the end.
    #[error("{} has {records} records, numbered from 0; there is no record {wanted}", .path.shown())]
    NoSuchRecord {
        /// The file.
        path: PathBuf,
        /// Whole records in the file.
        records: u64,
        /// Asked for.
        wanted: u64,
    },
    /// The record's two sides overlap.
    #[error("record {record} of {} has discs of both sides on one square; check the file with rdg verify", .path.shown())]
    BadRecord {
        /// The file.
        path: PathBuf,
        /// Its number, from 0.
        record: u64,
    },
}

impl Subject {
    /// Reads whatever [`read_typed`] reads: moves, a board with or without moves, a game of the
    /// formats that are imported. An empty text is the start position.
    pub(crate) fn from_text(text: &str) -> Result<Subject, SubjectError> {
        Ok(Subject {
            game: read_typed(text)?,
            recorded_value: None,
            recorded_rule: None,
        })
    }

    /// Reads record `number` (from 0) of an `.rd` file. Records do not say whose move it was:
    /// the side to move is shown as Black.
    pub(crate) fn from_record(path: &Path, number: u64) -> Result<Subject, SubjectError> {
        let file = Records::open(path)?;
        if number >= file.count() {
            return Err(SubjectError::NoSuchRecord {
                path: path.to_owned(),
                records: file.count(),
                wanted: number,
            });
        }
        let mut bytes = [[0; RECORD_SIZE]];
        file.read(number, &mut bytes)?;
        let [bytes] = bytes;
        let record = Record::decode(&bytes);
        if record.board.own & record.board.opponent != 0 {
            return Err(SubjectError::BadRecord {
                path: path.to_owned(),
                record: number,
            });
        }
        Ok(Subject {
            game: Game::from_position(record.board, Color::Black),
            recorded_value: Some(record.value),
            recorded_rule: rule_beside(path),
        })
    }

    /// The position, seen from the side to move.
    pub(crate) fn board(&self) -> Board {
        self.game.board()
    }

    /// The side to move.
    pub(crate) fn color(&self) -> Color {
        self.game.color()
    }
}

/// A file alone is as good a file, so whatever keeps this from being read is no matter here.
fn rule_beside(path: &Path) -> Option<ScoreRule> {
    let metadata: Metadata = read_json(&path.parent()?.join("metadata.json")).ok()?;
    score_rule(&metadata.score_rule)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::record::MAGIC;

    #[test]
    fn positions_moves_and_nothing() {
        assert_eq!(Subject::from_text("").unwrap().game, Game::new());
        let moves = Subject::from_text("f5 D6c3").unwrap();
        assert_eq!(moves.game.moves().len(), 3);
        let text = moves.board().to_text(moves.color());
        let position = Subject::from_text(&format!("{text} O")).unwrap();
        assert_eq!(position.board(), moves.board());
        assert_eq!(position.color(), Color::White);
    }

    #[test]
    fn faults_say_what_was_expected() {
        let fault = |text: &str| Subject::from_text(text).unwrap_err().to_string();
        assert!(fault("f5a1").contains("illegal move a1 at move 2"));
        assert!(fault("hello").contains("neither a position"));
        assert!(fault(&"-".repeat(63)).contains("64 squares, this text has 63"));
    }

    #[test]
    fn records_are_found_by_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.rd");
        let board = Game::from_move_text("f5d6").unwrap().board();
        let mut bytes = MAGIC.to_vec();
        for (board, value) in [(Board::START, 2), (board, -4)] {
            bytes.extend(Record { board, value }.encode());
        }
        bytes.extend([0xff; RECORD_SIZE]);
        std::fs::write(&path, &bytes).unwrap();
        let second = Subject::from_record(&path, 1).unwrap();
        assert_eq!((second.board(), second.recorded_value), (board, Some(-4)));
        let fault = |n| Subject::from_record(&path, n).unwrap_err().to_string();
        assert!(fault(2).contains("both sides on one square"));
        assert!(fault(3).contains("3 records"));
        assert!(fault(u64::MAX).contains("3 records"));
        std::fs::write(&path, "RDG").unwrap();
        assert!(fault(0).contains("not an rdgbitboard_v1 file"));
        std::fs::remove_file(&path).unwrap();
        assert!(fault(0).contains("cannot read"));
    }
}
