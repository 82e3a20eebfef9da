//! An engine whose moves are timed.

use crate::board::{Game, Square};
use crate::engine::pinning::Pinning;
use crate::engine::{Engine, EngineError, MoveScore};
use crate::progress::GameTimes;
use std::time::Instant;

/// Measures how long an engine thinks.
pub(super) struct Timed<'a> {
    pub(super) inner: &'a mut dyn Engine,
    /// By the phase that a move was made from.
    pub(super) times: GameTimes,
    /// Told of each exchange.
    pub(super) pinning: Option<&'a mut Pinning>,
    /// When no further move is begun.
    pub(super) deadline: Option<Instant>,
}

impl Engine for Timed<'_> {
    fn new_game(&mut self) -> Result<(), EngineError> {
        self.inner.new_game()
    }

    fn choose(&mut self, game: &Game) -> Result<Square, EngineError> {
        self.choose_with_score(game).map(|(square, _)| square)
    }

    fn choose_with_score(&mut self, game: &Game) -> Result<(Square, Option<f64>), EngineError> {
        let started = Instant::now();
        if self.deadline.is_some_and(|deadline| started >= deadline) {
            return Err(EngineError::Stopped);
        }
        let answer = self.inner.choose_with_score(game);
        let now = Instant::now();
        self.times.moved(game.board().phase(), now - started);
        if let Some(pinning) = &mut self.pinning {
            pinning.exchanged(now - started, now);
        }
        answer
    }

    fn end_game(&mut self) -> Result<(), EngineError> {
        self.inner.end_game()
    }

    fn score_moves(&mut self, game: &Game) -> Result<Vec<MoveScore>, EngineError> {
        self.inner.score_moves(game)
    }

    fn is_reproducible(&self) -> bool {
        self.inner.is_reproducible()
    }
}
