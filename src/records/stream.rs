//! Cuts a stream of bytes into raw games, one after the other, in bounded memory: whatever the
//! size of the file, a few hundred kilobytes of it are held.

use super::{Fault, Format, Header};
use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;

/// The longest raw game that is accepted, in bytes. Real ones have a few thousand at most, and
/// heavily commented ones tens of thousands.
pub const MAX_GAME_BYTES: usize = 1 << 20;

/// Bytes asked for at a time.
const BLOCK: usize = 64 << 10;

/// What a [`Cutter`] finds at the beginning of its window.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cut {
    /// `window[range]` is one raw game; everything up to its end is used up.
    Game(Range<usize>),
    /// Something that counts as a game and cannot be one; `window[..used]` is used up.
    Bad {
        /// Bytes used up.
        used: usize,
        /// What is wrong.
        fault: Fault,
    },
    /// No whole game yet; `window[..used]` is not needed any more. At the end of the input:
    /// there is nothing more.
    More {
        /// Bytes used up.
        used: usize,
    },
}

/// Finds where games begin and end in one stream. Cheap: it looks at nothing else.
pub trait Cutter: Send {
    /// Looks for the next game. `window` begins where the last answer's used bytes ended, and is
    /// longer than before when that was [`Cut::More`]; `at_end`: nothing follows it.
    fn cut(&mut self, window: &[u8], at_end: bool) -> Cut;

    /// The game at the beginning of the window has become too long: pass over it.
    fn give_up(&mut self);

    /// What the beginning of the stream has told about its games so far.
    fn header(&self) -> Option<&Arc<Header>> {
        None
    }

    /// Players by their numbers, for formats that have only numbers.
    fn know_players(&mut self, _players: Arc<[String]>) {}
}

/// The raw games of one stream.
pub struct RawGames<R> {
    input: R,
    cutter: Box<dyn Cutter>,
    buffer: Vec<u8>,
    /// Where unused bytes begin in `buffer`.
    from: usize,
    at_end: bool,
}

impl<R: Read> RawGames<R> {
    /// Reads `head`, bytes already taken from `input`, and then `input` itself.
    pub fn new(format: &dyn Format, head: Vec<u8>, input: R) -> RawGames<R> {
        let from = if head.starts_with(b"\xef\xbb\xbf") {
            3
        } else {
            0
        };
        RawGames {
            input,
            cutter: format.cutter(),
            buffer: head,
            from,
            at_end: false,
        }
    }

    /// The next raw game, or what is wrong in its place; `None` at the end.
    pub fn next_game(&mut self) -> io::Result<Option<Result<&[u8], Fault>>> {
        loop {
            let window = &self.buffer[self.from..];
            match self.cutter.cut(window, self.at_end) {
                Cut::Game(range) => {
                    let range = self.from + range.start..self.from + range.end;
                    self.from = range.end;
                    return Ok(Some(Ok(&self.buffer[range])));
                }
                Cut::Bad { used, fault } => {
                    self.from += used;
                    return Ok(Some(Err(fault)));
                }
                Cut::More { .. } if self.at_end => return Ok(None),
                Cut::More { used } => {
                    self.from += used;
                    if self.buffer.len() - self.from > MAX_GAME_BYTES {
                        self.cutter.give_up();
                        return Ok(Some(Err(Fault::TooLong {
                            limit: MAX_GAME_BYTES,
                        })));
                    }
                    self.read_more()?;
                }
            }
        }
    }

    /// Players by their numbers, for formats that have only numbers.
    pub fn know_players(&mut self, players: Arc<[String]>) {
        self.cutter.know_players(players);
    }

    /// What the beginning of the stream tells about the game that was given last.
    pub fn header(&self) -> Option<&Arc<Header>> {
        self.cutter.header()
    }

    fn read_more(&mut self) -> io::Result<()> {
        self.buffer.drain(..self.from);
        self.from = 0;
        let filled = self.buffer.len();
        // Grows with the unfinished game, so that a long one is not looked through once per block.
        let wanted = BLOCK.max(filled);
        self.buffer.resize(filled + wanted, 0);
        let got = read_some(&mut self.input, &mut self.buffer[filled..]);
        self.buffer
            .truncate(filled + got.as_ref().copied().unwrap_or(0));
        self.at_end = got? == 0;
        Ok(())
    }
}

/// Reads once, again after an interruption by a signal.
fn read_some(input: &mut impl Read, into: &mut [u8]) -> io::Result<usize> {
    loop {
        match input.read(into) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

/// The first block of a stream, as far as it goes: what formats are recognised by.
pub fn read_head(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = vec![0; BLOCK];
    let mut filled = 0;
    while filled < head.len() {
        match read_some(input, &mut head[filled..])? {
            0 => break,
            got => filled += got,
        }
    }
    head.truncate(filled);
    Ok(head)
}
