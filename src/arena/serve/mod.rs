//! The embedded engine as a program of its own, for GUIs, match tools and tests: `rdg engine`.
//!
//! It behaves as Edax does over NBoard and as the better GTP engines do, where their ways are
//! sensible: several commands may come in one write, each answer is flushed at once, a refused
//! move or position leaves the board as it was, and end of file ends it once it has answered what
//! it was asked, or at once if nobody reads the answers any more.

mod gtp;
mod input;
mod nboard;
mod player;

use crate::engine::EngineError;
use input::Commands;
use player::Player;
use std::io::{self, Write};
use std::path::PathBuf;

/// Which engine is served.
#[derive(Clone, Debug)]
pub struct Settings {
    /// 0..=60.
    pub level: u32,
    /// Threads of its search.
    pub threads: u32,
    /// Evaluation weights; `None`: its own.
    pub eval_file: Option<PathBuf>,
}

/// What is spoken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// NBoard, versions 1 and 2.
    Nboard,
    /// Go Text Protocol, version 2.
    Gtp,
}

/// Why serving ended early.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The engine's settings are faulty.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Standard input or output failed.
    #[error("cannot go on speaking: {0}")]
    Pipe(#[from] io::Error),
}

/// Whether more commands are listened to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    GoOn,
    Quit,
}

/// One conversation.
trait Speaker {
    /// Obeys one command; writes its whole answer.
    fn obey(
        &mut self,
        line: &str,
        player: &mut Player,
        out: &mut dyn Write,
    ) -> Result<Next, ServeError>;
}

/// Serves until `quit` or end of file. A reader that went away is a quiet end.
pub fn serve(protocol: Protocol, settings: &Settings) -> Result<(), ServeError> {
    let mut player = Player::new(settings)?;
    let commands = Commands::listen(protocol == Protocol::Nboard, player.current_search())?;
    let (mut out, complaints) = (io::stdout().lock(), io::stderr());
    converse(protocol, &mut player, commands, &mut out, complaints)
}

/// The same for commands that are there already. With levels of ten and more a hostile one may take
/// long.
pub(crate) fn answer(
    protocol: Protocol,
    settings: &Settings,
    commands: impl Iterator<Item = String>,
    out: &mut dyn Write,
) -> Result<(), ServeError> {
    let complaints = io::sink();
    converse(
        protocol,
        &mut Player::new(settings)?,
        commands,
        out,
        complaints,
    )
}

fn converse(
    protocol: Protocol,
    player: &mut Player,
    commands: impl Iterator<Item = String>,
    out: &mut dyn Write,
    complaints: impl Write + 'static,
) -> Result<(), ServeError> {
    let mut speaker: Box<dyn Speaker> = match protocol {
        Protocol::Nboard => Box::new(nboard::Nboard { complaints }),
        Protocol::Gtp => Box::new(gtp::Gtp),
    };
    let mut out = io::BufWriter::new(out);
    for line in commands {
        let obeyed = speaker
            .obey(&line, player, &mut out)
            .and_then(|next| Ok(out.flush().map(|()| next)?));
        match obeyed {
            Ok(Next::GoOn) => {}
            Ok(Next::Quit) => break,
            Err(ServeError::Pipe(error)) if error.kind() == io::ErrorKind::BrokenPipe => break,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
