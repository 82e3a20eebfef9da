//! Game record formats: reading and writing games that others have played.
//!
//! Reading goes in three steps, so that a huge file streams through and the work in the middle
//! can be spread over threads: [`RawGames`] cuts the bytes into raw games, [`Format::parse`] turns
//! one into a [`GameRecord`], [`Replay::run`] plays that by the rules. A further format is one
//! more file here and one more line in [`FORMATS`].
//!
//! Knows the rules, and nothing of datasets.

mod brackets;
mod detect;
mod ggf;
mod movetext;
mod record;
mod replay;
mod sgf;
mod stream;
mod wthor;

pub use detect::{NotGames, detect};
pub use ggf::Ggf;
pub use movetext::MoveText;
pub use record::{Fault, GameRecord, RecordedMove, Start};
pub use replay::{Placed, Replay};
pub use sgf::Sgf;
pub use stream::{Cut, Cutter, MAX_GAME_BYTES, RawGames, read_head};
pub use wthor::Wthor;

use crate::board::{Color, Game};
use std::io::{self, Write};

/// Every format, in the order in which they are tried.
pub const FORMATS: [&dyn Format; 4] = [&Wthor, &Ggf, &Sgf, &MoveText];

/// One way to write games down.
pub trait Format: Send + Sync {
    /// As a user writes it: `wthor`, `ggf`, `sgf`, `text`.
    fn name(&self) -> &'static str;

    /// Whether a file that begins with `head` (a block of it, or all of it) is of this format.
    fn recognises(&self, head: &[u8]) -> bool;

    /// A cutter for one stream from its beginning.
    fn cutter(&self) -> Box<dyn Cutter>;

    /// Reads one raw game into `record`, which is empty.
    fn parse(&self, raw: &[u8], record: &mut GameRecord) -> Result<(), Fault>;

    /// Writes a whole file. Fails with [`io::ErrorKind::InvalidInput`] on a game that the format
    /// cannot express.
    fn write(&self, games: &[WrittenGame<'_>], out: &mut dyn Write) -> io::Result<()>;
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
