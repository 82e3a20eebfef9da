//! Game record formats: reading and writing games that others have played.
//!
//! Reading goes in three steps, so that a huge file streams through and the work in the middle
//! can be spread over threads: [`RawGames`] cuts the bytes into raw games, [`Format::parse`] turns
//! one into a [`GameRecord`], [`Replay::run`] plays that by the rules. A further format is one
//! more file here and one more line in [`FORMATS`].
//!
//! Knows the rules, and nothing of datasets.

mod brackets;
mod csv;
mod detect;
mod fields;
mod ggf;
mod json;
mod line;
mod movetext;
mod openings;
mod packed;
mod pgn;
mod record;
mod replay;
mod sgf;
mod stream;
mod typed;
mod wthor;

pub use csv::{Columns, Csv};
pub use detect::{Content, NotGames, content, detect};
pub use ggf::Ggf;
pub use json::Json;
pub use movetext::MoveText;
pub use openings::{Openings, OpeningsError};
pub use packed::Packing;
pub use pgn::Pgn;
pub use record::{Facts, Fault, GameRecord, RecordedMove, Start};
pub use replay::{Placed, Replay};
pub use sgf::Sgf;
pub use stream::{Cut, Cutter, MAX_GAME_BYTES, RawGames, read_head};
pub use typed::{TypedError, read_typed};
pub use wthor::{Wthor, player_names};

use crate::board::{Board, Color, Game};
use std::io::{self, Write};
use std::sync::Arc;

/// Every format, in the order in which they are tried.
pub const FORMATS: [&dyn Format; 7] = [&Wthor, &Ggf, &Sgf, &Pgn, &Json, &Csv, &MoveText];

/// One way to write games down.
pub trait Format: Send + Sync {
    /// As a user writes it: `wthor`, `ggf`, `sgf`, `pgn`, `json`, `csv`, `text`.
    fn name(&self) -> &'static str;

    /// Whether a file that begins with `head` (a block of it, or all of it) is of this format.
    fn recognises(&self, head: &[u8]) -> bool;

    /// A cutter for one stream from its beginning.
    fn cutter(&self) -> Box<dyn Cutter>;

    /// Reads one raw game into `record`, which is empty.
    fn parse(&self, raw: &[u8], record: &mut GameRecord) -> Result<(), Fault>;

    /// The same with what the beginning of the stream tells about all of its games.
    fn parse_with(
        &self,
        raw: &[u8],
        _header: &Header,
        record: &mut GameRecord,
    ) -> Result<(), Fault> {
        self.parse(raw, record)
    }

    /// Writes a whole file. Fails with [`io::ErrorKind::InvalidInput`] on a game that the format
    /// cannot express.
    fn write(&self, games: &[WrittenGame<'_>], out: &mut dyn Write) -> io::Result<()>;
}

/// What the beginning of a stream tells about all of its games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Header {
    /// The year in which they were played (WTHOR).
    pub year: Option<u16>,
    /// The names of the players by their numbers (WTHOR, from the list beside the games).
    pub players: Arc<[String]>,
    /// The columns of a table.
    pub columns: Option<Columns>,
}

/// The format of this name.
pub fn format_by_name(name: &str) -> Option<&'static dyn Format> {
    FORMATS.into_iter().find(|format| format.name() == name)
}

/// A game to be written down.
#[derive(Clone, Copy, Debug)]
pub struct WrittenGame<'a> {
    /// Start position and moves.
    pub game: &'a Game,
    /// Who played Black; may be empty.
    pub black: &'a str,
    /// Who played White; may be empty.
    pub white: &'a str,
}

impl<'a> WrittenGame<'a> {
    /// A game of nameless players.
    pub fn nameless(game: &'a Game) -> WrittenGame<'a> {
        WrittenGame {
            game,
            black: "",
            white: "",
        }
    }

    /// The moves as one word, behind the start board where that is not the usual one.
    fn moves_with_board(&self) -> String {
        let (board, color) = self.game.start();
        if (board, color) == (Board::START, Color::Black) {
            return self.game.move_text();
        }
        let side = match color {
            Color::Black => 'X',
            Color::White => 'O',
        };
        format!("{} {side} {}", board.to_text(color), self.game.move_text())
    }

    /// The moves with who makes them.
    fn coloured_moves(&self) -> impl Iterator<Item = (Color, crate::board::Move)> + '_ {
        let mut color = self.game.start().1;
        self.game.moves().iter().map(move |&mv| {
            let mover = color;
            color = color.other();
            (mover, mv)
        })
    }
}
