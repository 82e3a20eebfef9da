//! The embedded engine: no binary, no set-up, and the same moves on every machine.
//!
//! [`Builtin`] plays at a level ([`Level`]). [`best_line`] and [`score_moves`] are the search as
//! plain functions. Games and scores give the empty squares to the winner, as all engines and
//! endgame problems do; for a dataset it plays by the rule that is recorded ([`ScoreRule`]).

mod confidence;
mod deepen;
mod endgame;
mod explain;
mod kernel;
mod levels;
pub mod midgame;
mod order;
pub mod patterns;
mod random;
mod solve;
mod solver;
mod split;
mod table;
mod terms;
mod threads;
mod weight_file;
mod weights;
mod worker;

pub use crate::board::ScoreRule;
pub use confidence::Confidence;
pub use explain::{Explanation, Share};
pub use levels::Level;
pub use solve::{Found, Reach, Setting, best_line, score_moves};
pub use solver::Solver;
pub use table::Table;
pub use terms::{Breakdown, ENDGAME_EMPTIES, SQUARE_WEIGHTS, TermWeights, Terms};
pub use threads::Threads;
pub use weight_file::{parse_weights, read_weight_file, whole_weights};
pub use weights::{CENTIDISC, Evaluation, MAX_CENTIDISCS, SquareSums};
pub use worker::Stopped;

use super::{Engine, EngineError, MoveScore};
use crate::base::stop::Stop;
use crate::board::{Board, Game, Move, Square};
use std::path::Path;
use std::time::Duration;

/// Counts the changes that alter a move at any level: part of what decides a dataset's bytes, so
/// that no phase is continued by another engine than the one that began it.
pub const REVISION: u32 = 8;

/// The embedded engine at one level.
pub struct Builtin {
    name: String,
    strength: Strength,
    rule: ScoreRule,
    evaluation: Evaluation,
    table: Table,
    stop: Stop,
    threads: Threads,
    /// Best play from the last exactly searched position on.
    plan: Option<Plan>,
}

/// How far an engine searches.
#[derive(Clone, Copy)]
enum Strength {
    Level(Level),
    /// As far as it gets in this time for each move.
    Time(Duration),
}

/// Size of the table of an engine that plays by time, as a power of two of entries.
pub const TIMED_TABLE_BITS: u32 = 20;

/// Best play from a position on.
struct Plan {
    from: Board,
    moves: Vec<Move>,
    /// What it leads to for the side to move.
    score: f64,
}

impl Builtin {
    /// An engine called `name` in messages, which plays by the standard rule. With one thread its moves in a game depend on nothing
    /// but the game and the moves it was asked for. `eval_file` replaces the evaluation.
    ///
    /// # Errors
    /// [`EngineError::CannotStart`] for a level above [`Level::MAX`] or a faulty evaluation file.
    pub fn new(
        name: &str,
        level: u32,
        threads: u32,
        eval_file: Option<&Path>,
        stop: &Stop,
    ) -> Result<Builtin, EngineError> {
        let cannot_start = |reason| EngineError::CannotStart {
            engine: name.to_owned(),
            reason,
        };
        let level = Level::new(level).ok_or_else(|| {
            cannot_start(
                format!(
                    "its levels are 0 to {}, level {level} was asked for",
                    Level::MAX
                )
                .into(),
            )
        })?;
        Builtin::with(name, Strength::Level(level), threads, eval_file, stop)
    }

    /// An engine that thinks for this long about each move, as far as that gets it. Its games cannot
    /// be repeated.
    ///
    /// # Errors
    /// [`EngineError::CannotStart`] for a faulty evaluation file.
    pub fn by_time(
        name: &str,
        time: Duration,
        threads: u32,
        eval_file: Option<&Path>,
        stop: &Stop,
    ) -> Result<Builtin, EngineError> {
        Builtin::with(name, Strength::Time(time), threads, eval_file, stop)
    }

    fn with(
        name: &str,
        strength: Strength,
        threads: u32,
        eval_file: Option<&Path>,
        stop: &Stop,
    ) -> Result<Builtin, EngineError> {
        let cannot_start = |reason| EngineError::CannotStart {
            engine: name.to_owned(),
            reason,
        };
        let evaluation = match eval_file {
            Some(path) => {
                Evaluation::from_file(path).map_err(|reason| cannot_start(reason.into()))?
            }
            None => Evaluation::default(),
        };
        let table_bits = match strength {
            Strength::Level(level) => level.table_bits,
            Strength::Time(_) => TIMED_TABLE_BITS,
        };
        Ok(Builtin {
            name: name.to_owned(),
            strength,
            rule: ScoreRule::WinnerTakesEmpties,
            evaluation,
            table: Table::new(table_bits),
            stop: stop.clone(),
            threads: Threads::new(threads).map_err(|reason| cannot_start(reason.into()))?,
            plan: None,
        })
    }

    /// Plays by this rule instead.
    pub fn with_rule(self, rule: ScoreRule) -> Builtin {
        Builtin { rule, ..self }
    }

    /// The evaluation in use.
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    fn reach(&self, board: Board) -> Reach {
        match self.strength {
            Strength::Level(level) => {
                let is_measured = self.evaluation.errors().is_some();
                level.reach(board.empties(), is_measured)
            }
            Strength::Time(time) => Reach::Within(time),
        }
    }

    fn no_move(&self) -> EngineError {
        EngineError::CannotSetUp {
            engine: self.name.clone(),
            reason: "the side to move has no legal move".into(),
        }
    }

    /// The planned move and its score, if the game followed the plan so far.
    fn planned(&mut self, board: Board) -> Option<(Square, f64)> {
        let Plan {
            mut from,
            moves,
            mut score,
        } = self.plan.take()?;
        let mut moves = moves.into_iter();
        while from != board && from.empties() >= board.empties() {
            from = match moves.next()? {
                Move::Play(square) => from.play(square)?,
                Move::Pass => from.passed(),
            };
            score = -score;
        }
        let moves: Vec<Move> = moves.collect();
        match moves.first() {
            Some(&Move::Play(square)) if from == board => {
                self.plan = Some(Plan { from, moves, score });
                Some((square, score))
            }
            _ => None,
        }
    }

    /// The move of the side to move, as [`Engine::choose`], with the score that its search found:
    /// the final score by the rule it plays by. Level 0 draws its moves, and has none.
    ///
    /// # Errors
    /// [`EngineError::Stopped`], and [`EngineError::CannotSetUp`] where there is no legal move.
    pub fn choose_with_score(&mut self, game: &Game) -> Result<(Square, Option<f64>), EngineError> {
        if self.stop.is_requested() {
            return Err(EngineError::Stopped);
        }
        if matches!(self.strength, Strength::Level(level) if level.number == 0) {
            let square = random::move_of_game(game).ok_or_else(|| self.no_move())?;
            return Ok((square, None));
        }
        let board = game.board();
        if let Some((square, score)) = self.planned(board) {
            return Ok((square, Some(score)));
        }
        let reach = self.reach(board);
        let setting = Setting {
            evaluation: &self.evaluation,
            rule: self.rule,
            threads: &self.threads,
            stop: self.stop.flag(),
        };
        let found = best_line(board, reach, &mut self.table, &setting)?;
        let Some(&Move::Play(square)) = found.line.first() else {
            return Err(self.no_move());
        };
        let score = found.score;
        if found.exact {
            self.plan = Some(Plan {
                from: board,
                moves: found.line,
                score,
            });
        }
        Ok((square, Some(score)))
    }
}

impl From<Stopped> for EngineError {
    fn from(_: Stopped) -> EngineError {
        EngineError::Stopped
    }
}

impl Engine for Builtin {
    fn new_game(&mut self) -> Result<(), EngineError> {
        self.table.start_game();
        self.plan = None;
        Ok(())
    }

    fn choose(&mut self, game: &Game) -> Result<Square, EngineError> {
        Builtin::choose_with_score(self, game).map(|(square, _)| square)
    }

    fn choose_with_score(&mut self, game: &Game) -> Result<(Square, Option<f64>), EngineError> {
        Builtin::choose_with_score(self, game)
    }

    /// Scores under [`ScoreRule::WinnerTakesEmpties`], with a table of its own, so that asking
    /// does not change the moves of the game.
    fn score_moves(&mut self, game: &Game) -> Result<Vec<MoveScore>, EngineError> {
        let board = game.board();
        let setting = Setting {
            evaluation: &self.evaluation,
            rule: ScoreRule::WinnerTakesEmpties,
            threads: &self.threads,
            stop: self.stop.flag(),
        };
        let (bits, reach) = match self.strength {
            Strength::Level(level) => (level.table_bits, self.reach(board)),
            Strength::Time(time) => {
                let moves = board.legal_moves().count_ones().max(1);
                (TIMED_TABLE_BITS, Reach::Within(time / moves))
            }
        };
        let mut table = Table::new(bits.max(16));
        Ok(score_moves(board, reach, &mut table, &setting)?)
    }

    fn is_reproducible(&self) -> bool {
        self.threads.number() == 1 && matches!(self.strength, Strength::Level(_))
    }
}

#[cfg(test)]
mod tests;
