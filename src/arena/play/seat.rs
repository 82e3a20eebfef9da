//! Who sits where.

use crate::board::{Game, Square};
use crate::engine::{Engine, EngineError};

/// What an engine at the table is started from.
pub(crate) trait Starter {
    /// Its name with its level.
    fn title(&self) -> String;

    /// Starts it.
    fn start(&self) -> Result<Box<dyn Engine>, EngineError>;

    /// The same at another level.
    ///
    /// # Errors
    /// One message, for a level that it does not have.
    fn at_level(&self, level: u32) -> Result<Box<dyn Starter>, String>;
}

/// An engine at the table.
pub(crate) struct EnginePlayer {
    starter: Box<dyn Starter>,
    engine: Box<dyn Engine>,
    /// The engine is to be told that its game is another one than it knows.
    is_new_game: bool,
}

/// A move, and what went wrong before it was found.
pub(super) struct Chosen {
    pub square: Square,
    pub recovered: Option<EngineError>,
}

impl EnginePlayer {
    /// Starts an engine.
    pub(crate) fn new(starter: Box<dyn Starter>) -> Result<EnginePlayer, EngineError> {
        let engine = starter.start()?;
        Ok(EnginePlayer {
            starter,
            engine,
            is_new_game: true,
        })
    }

    pub(super) fn title(&self) -> String {
        self.starter.title()
    }

    /// The next position does not follow from the last one.
    pub(super) fn forget(&mut self) {
        self.is_new_game = true;
    }

    /// Plays at another level from now on. On an error everything stays as it was.
    pub(super) fn set_level(&mut self, level: u32) -> Result<(), String> {
        let starter = self.starter.at_level(level)?;
        *self = EnginePlayer::new(starter).map_err(|error| error.to_string())?;
        Ok(())
    }

    /// The engine's move. One that dies or answers nonsense is started anew and asked once more.
    pub(super) fn choose(&mut self, game: &Game) -> Result<Chosen, EngineError> {
        let error = match self.ask(game) {
            Ok(square) => {
                return Ok(Chosen {
                    square,
                    recovered: None,
                });
            }
            // Waiting as long a second time would help nobody.
            Err(error @ (EngineError::TimedOut { .. } | EngineError::StartTimedOut { .. })) => {
                return Err(error);
            }
            Err(error) => error,
        };
        if error.kind().is_none() {
            return Err(error);
        }
        self.engine = self.starter.start()?;
        self.forget();
        Ok(Chosen {
            square: self.ask(game)?,
            recovered: Some(error),
        })
    }

    fn ask(&mut self, game: &Game) -> Result<Square, EngineError> {
        if std::mem::take(&mut self.is_new_game) {
            self.engine.new_game()?;
        }
        self.engine.choose(game)
    }
}

/// One of the two sides.
pub(crate) enum Seat {
    /// Whoever types.
    Person,
    /// An engine.
    Engine(Box<EnginePlayer>),
}

impl Seat {
    /// How the side is called.
    pub(crate) fn title(&self) -> String {
        match self {
            Seat::Person => "you".to_owned(),
            Seat::Engine(player) => player.title(),
        }
    }

    /// How the side is called in a file.
    pub(super) fn record_name(&self) -> String {
        match self {
            Seat::Person => "person".to_owned(),
            Seat::Engine(player) => player.title(),
        }
    }

    /// Whether somebody types its moves.
    pub(crate) fn is_person(&self) -> bool {
        matches!(self, Seat::Person)
    }
}
