//! Players of Reversi: the trait, and everything that implements it.
//!
//! Generation, analysis and matches see nothing but [`Engine`]. What depends on an engine's kind is
//! `kinds`' business: a file for each.

mod answer;
pub mod builtin;
mod child;
mod console;
mod error;
mod gtp;
mod hint;
mod identity;
pub mod kinds;
pub mod launch;
mod nboard;
mod probe;
mod program;
mod told;

pub use child::affinity;
pub(crate) use child::{limits, pinning};
pub use error::{EngineError, FailureKind};
pub use identity::{EngineIdentity, identify};
pub use kinds::{BUILTIN, KINDS, Scoring};
pub use launch::launch;

use crate::board::{Game, Move, Square};

/// A player. One engine plays one game at a time, all moves for which it is asked.
///
/// ```
/// use rdg::base::stop::Stop;
/// use rdg::board::Game;
/// use rdg::engine::{Engine, builtin::Builtin};
///
/// let mut engine = Builtin::new("builtin", 1, 1, None, &Stop::new())?;
/// let mut game = Game::new();
/// engine.new_game()?;
/// while !game.is_over() {
///     if !game.pass_if_forced() {
///         let square = engine.choose(&game)?;
///         game.play(square.into())?;
///     }
/// }
/// println!("{} {:+}", game.move_text(), game.black_difference());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Engine: Send {
    /// Tells that the next game begins: whatever was remembered of earlier games must not change
    /// its moves (tables are cleared or keyed anew). Cheap; child engines send nothing yet.
    fn new_game(&mut self) -> Result<(), EngineError>;

    /// The move of the side to move in `game`, which has at least one legal move. The answer is
    /// legal: an illegal one is an error of the engine.
    ///
    /// Between two calls without [`Engine::new_game`] the game only grows, so an implementation
    /// tells its process just the moves that it has not seen yet, in the same write as the
    /// request. The first call of a game may come at any position.
    fn choose(&mut self, game: &Game) -> Result<Square, EngineError>;

    /// The same with what its search says of the position for the side to move, in discs, where it tells.
    fn choose_with_score(&mut self, game: &Game) -> Result<(Square, Option<f64>), EngineError> {
        self.choose(game).map(|square| (square, None))
    }

    /// Tells that no more answers are needed in this game: whatever showed only after the last
    /// answer comes to light here. An engine whose answers bear no number shows that each one
    /// belonged to its question; a game whose end it cannot confirm must not be recorded.
    fn end_game(&mut self) -> Result<(), EngineError> {
        Ok(())
    }

    /// A true score for every legal move of the side to move, best first. An engine that cannot
    /// score says so with [`EngineError::CannotScore`].
    fn score_moves(&mut self, game: &Game) -> Result<Vec<MoveScore>, EngineError>;

    /// Whether the moves of a game depend on nothing but the game itself.
    fn is_reproducible(&self) -> bool;

    /// The process that plays, where there is one of its own.
    fn process_id(&self) -> Option<u32> {
        None
    }
}

/// What an engine thinks of one move.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveScore {
    /// The move.
    pub square: Square,
    /// Expected final disc difference for the side that makes the move.
    pub score: f64,
    /// Plies searched; the number of empties or more when exact.
    pub depth: u32,
    /// Whether the score is the true value with best play.
    pub exact: bool,
    /// Expected continuation, this move first; may be empty.
    pub line: Vec<Move>,
}
