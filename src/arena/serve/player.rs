//! The embedded engine with a board, and with a search that can be ended early.

use super::Settings;
use crate::base::stop::Stop;
use crate::board::{Game, Square};
use crate::engine::builtin::Builtin;
use crate::engine::{Engine, EngineError, MoveScore};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A handle on the search under way, for another thread.
#[derive(Clone, Default)]
pub(super) struct CurrentSearch(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    /// What ends the search, while there is one.
    stop: Option<Stop>,
    /// The conversation ends: no search is worth its time any more.
    is_closing: bool,
}

impl CurrentSearch {
    /// Ends the search, if there is one; a later one is not touched.
    pub(super) fn interrupt(&self) {
        if let Some(stop) = &self.lock().stop {
            stop.request();
        }
    }

    /// Ends the search and every later one.
    pub(super) fn close(&self) {
        self.lock().is_closing = true;
        self.interrupt();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Plays at a level on a board of its own.
pub(super) struct Player {
    settings: Settings,
    engine: Builtin,
    /// The stop that `engine` obeys.
    stop: Stop,
    search: CurrentSearch,
    /// The game on the board.
    pub game: Game,
}

impl Player {
    /// At the start position.
    pub(super) fn new(settings: &Settings) -> Result<Player, EngineError> {
        let stop = Stop::new();
        Ok(Player {
            settings: settings.clone(),
            engine: new_engine(settings, settings.level, &stop)?,
            stop,
            search: CurrentSearch::default(),
            game: Game::new(),
        })
    }

    /// The handle that ends a search.
    pub(super) fn current_search(&self) -> CurrentSearch {
        self.search.clone()
    }

    /// Playing strength.
    pub(super) fn level(&self) -> u32 {
        self.settings.level
    }

    /// Plays at another level from now on.
    pub(super) fn set_level(&mut self, level: u32) -> Result<(), EngineError> {
        let engine = new_engine(&self.settings, level, &self.stop)?;
        self.settings.level = level;
        self.engine = engine;
        Ok(())
    }

    /// Puts `game` on the board and forgets what was thought about others.
    pub(super) fn begin(&mut self, game: Game) -> Result<(), EngineError> {
        self.game = game;
        self.engine.new_game()
    }

    /// The move of the side to move, which must have one. A search that is ended early gives a
    /// move after little thought, without a score.
    pub(super) fn choose(&mut self) -> Result<(Square, Option<f64>), EngineError> {
        let found = self.searching(Builtin::choose_with_score);
        if !matches!(found, Err(EngineError::Stopped)) {
            return found;
        }
        self.recover()?;
        let square = new_engine(&self.settings, 1, &Stop::new())?.choose(&self.game)?;
        Ok((square, None))
    }

    /// A score for every legal move; none if it was ended early.
    pub(super) fn score_moves(&mut self) -> Result<Vec<MoveScore>, EngineError> {
        let found = self.searching(|engine, game| engine.score_moves(game));
        if !matches!(found, Err(EngineError::Stopped)) {
            return found;
        }
        self.recover()?;
        Ok(Vec::new())
    }

    /// From now on the next search can be interrupted: to be called before anybody is told of it.
    pub(super) fn arm(&mut self) {
        let mut state = self.search.lock();
        state.stop = Some(self.stop.clone());
        if state.is_closing {
            self.stop.request();
        }
    }

    fn searching<T>(&mut self, search: impl FnOnce(&mut Builtin, &Game) -> T) -> T {
        self.arm();
        let found = search(&mut self.engine, &self.game);
        self.search.lock().stop = None;
        found
    }

    /// A raised stop stays raised: the next search needs a new engine.
    fn recover(&mut self) -> Result<(), EngineError> {
        self.stop = Stop::new();
        self.engine = new_engine(&self.settings, self.settings.level, &self.stop)?;
        Ok(())
    }
}

fn new_engine(settings: &Settings, level: u32, stop: &Stop) -> Result<Builtin, EngineError> {
    let eval_file = settings.eval_file.as_deref();
    Builtin::new("rdg", level, settings.threads, eval_file, stop)
}
