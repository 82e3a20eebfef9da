//! Games that begin with a line of an openings file.

use super::campaign::group_phases;
use crate::base::rng::GameRng;
use crate::base::shown::Shown;
use crate::board::{Game, Move};
use crate::config::{DatasetConfig, OpeningOrder};
use crate::records::{Openings, OpeningsError};
use std::path::PathBuf;

/// The lines that games begin with, and which of them a game takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningBook {
    lines: Openings,
    order: OpeningOrder,
}

/// Why there is no such book.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file cannot be used.
    #[error(transparent)]
    File(#[from] OpeningsError),
    /// A pipe or a device.
    #[error(
        "the openings {} are not a regular file; a run that is continued reads them again, so save \
         them in one", .path.shown()
    )]
    NotAFile {
        /// What was named.
        path: PathBuf,
    },
    /// A line is longer than the random part of a game.
    #[error(
        "opening {number} of {} leads to phase {phase}, but games of phase {anchor} leave the opening \
         there; leave the line out, or begin with a later phase", .path.shown()
    )]
    TooLong {
        /// The file.
        path: PathBuf,
        /// Which of its openings, from 1.
        number: usize,
        /// Where it leads.
        phase: u8,
        /// The first anchor.
        anchor: u8,
    },
}

impl OpeningBook {
    /// Reads the file that a configuration names, if it names one.
    ///
    /// # Errors
    /// What is wrong with it, by line or number.
    pub fn load(config: &DatasetConfig) -> Result<Option<OpeningBook>, BookError> {
        let Some(openings) = &config.openings else {
            return Ok(None);
        };
        // To open a pipe may take for ever, and a run that goes on reads the lines again.
        let is_stream = |found: std::fs::Metadata| !found.is_file() && !found.is_dir();
        if std::fs::metadata(&openings.file).is_ok_and(is_stream) {
            return Err(BookError::NotAFile {
                path: openings.file.clone(),
            });
        }
        let mut lines = Openings::read(&openings.file)?;
        lines.games.iter_mut().for_each(drop_last_pass);
        let first = group_phases(config)
            .first()
            .map_or(60, |(anchor, _)| *anchor);
        for (index, game) in lines.games.iter().enumerate() {
            let phase = game.board().phase();
            if phase > first {
                return Err(BookError::TooLong {
                    path: openings.file.clone(),
                    number: index + 1,
                    phase,
                    anchor: first,
                });
            }
        }
        Ok(Some(OpeningBook {
            lines,
            order: openings.order,
        }))
    }

    /// Game `number` at its beginning: at the end of its line, or at the start position. A line that is
    /// drawn takes one draw from `rng`, the first of the game.
    pub fn begin(book: Option<&OpeningBook>, number: u64, rng: &mut GameRng) -> Game {
        let Some(OpeningBook { lines, order }) = book else {
            return Game::new();
        };
        let count = lines.games.len();
        let index = match order {
            OpeningOrder::Random => rng.below(u32::try_from(count).unwrap_or(u32::MAX)) as usize,
            OpeningOrder::Sequential => (number % count as u64) as usize,
        };
        lines.games[index].clone()
    }

    /// How many lines there are, at least one.
    pub fn lines(&self) -> usize {
        self.lines.games.len()
    }

    /// How many different positions they lead to, up to symmetry.
    pub fn distinct(&self) -> usize {
        self.lines.distinct()
    }

    /// SHA-256 of what the lines say, hex.
    pub fn sha256(&self) -> &str {
        &self.lines.sha256
    }

    /// Which line a game takes.
    pub fn order(&self) -> OpeningOrder {
        self.order
    }

    /// The phase that its longest line leads to.
    pub fn longest(&self) -> u8 {
        let phases = self.lines.games.iter().map(|game| game.board().phase());
        phases.max().unwrap_or(0)
    }
}

/// A position is recorded as the last move left it, also where the next side must pass.
fn drop_last_pass(game: &mut Game) {
    while game.moves().last() == Some(&Move::Pass) {
        game.undo();
    }
}

/// Discs that the moves of a game placed.
pub(crate) fn placed(game: &Game) -> u8 {
    let placed = |mv: &&Move| matches!(mv, Move::Play(_));
    game.moves().iter().filter(placed).count() as u8
}
