//! The labels of the solved positions, their errors, and the processor time that they took.

use super::sets::{EMPTIES, Openings};
use super::{LEVELS, SOLVE_FROM};
use crate::base::stop::Stop;
use crate::board::{Board, Color, Game, ScoreRule, Squares};
use crate::dataset::record::Record;
use crate::engine::builtin::{Builtin, Solver};
use crate::engine::{Engine, EngineError};
use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;

/// The rule of the sets' values.
const RULE: ScoreRule = ScoreRule::WinnerTakesEmpties;

/// A kind of label.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// The result of a game that the engine plays against itself.
    Game,
    /// The same, with the solver playing the end.
    SolvedGame,
    /// The score of the engine's search.
    Score,
    /// The solver.
    Exact,
}

impl Kind {
    /// Those of each level.
    pub(crate) const OF_LEVEL: [Kind; 3] = [Kind::Game, Kind::SolvedGame, Kind::Score];
}

/// Labels of one kind for one set.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(crate) struct Cell {
    /// Empty squares.
    pub empties: u8,
    /// The kind.
    pub kind: Kind,
    /// Level of the engine; none for [`Kind::Exact`].
    pub level: Option<u32>,
    /// Positions.
    pub positions: usize,
    /// Root of the mean squared error, discs.
    pub rmse: f64,
    /// Mean absolute error, discs.
    pub mae: f64,
    /// Processor time for a label, milliseconds.
    pub cpu_ms: f64,
}

/// All labels of the sets of one kind of openings.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct SetTable {
    /// The openings.
    pub openings: Openings,
    /// By level, then empties, then kind.
    pub cells: Vec<Cell>,
}

/// Labels `positions` of each set; `told` gets what is being done. `quick`: only low levels.
///
/// # Errors
/// Stopped.
pub(crate) fn measure(
    positions: usize,
    quick: bool,
    stop: &Stop,
    mut told: impl FnMut(&str),
) -> Result<Vec<SetTable>, EngineError> {
    let mut tables = Vec::new();
    for openings in Openings::ALL {
        let mut cells = Vec::new();
        for empties in EMPTIES {
            let mut set = openings.set(empties).unwrap_or_default();
            set.truncate(positions);
            told(&format!("{} openings, {empties} empties", openings.name()));
            let mut solver = Solver::new(u32::from(empties), RULE, stop);
            cells.push(cell(&set, empties, Kind::Exact, None, |board| {
                Ok(solver.value(board)? as f64)
            })?);
            for level in LEVELS.filter(|level| !quick || *level <= 4) {
                for kind in Kind::OF_LEVEL {
                    let mut player = Player::new(level, stop)?;
                    cells.push(cell(&set, empties, kind, Some(level), |board| {
                        player.label(board, kind)
                    })?);
                }
            }
        }
        tables.push(SetTable { openings, cells });
    }
    Ok(tables)
}

fn cell(
    set: &[Record],
    empties: u8,
    kind: Kind,
    level: Option<u32>,
    mut label: impl FnMut(Board) -> Result<f64, EngineError>,
) -> Result<Cell, EngineError> {
    let (mut squares, mut amounts) = (0.0, 0.0);
    let begin = cpu_seconds();
    for record in set {
        // As it is recorded.
        let error = label(record.board)?.round() - f64::from(record.value);
        squares += error * error;
        amounts += error.abs();
    }
    let seconds = cpu_seconds() - begin;
    let n = set.len().max(1) as f64;
    Ok(Cell {
        empties,
        kind,
        level,
        positions: set.len(),
        rmse: (squares / n).sqrt(),
        mae: amounts / n,
        cpu_ms: seconds * 1e3 / n,
    })
}

/// Processor time of this thread.
fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// The engine at a level and the solver, as generation has them play.
struct Player {
    engine: Builtin,
    solver: Solver,
}

impl Player {
    fn new(level: u32, stop: &Stop) -> Result<Player, EngineError> {
        Ok(Player {
            engine: Builtin::new("builtin", level, 1, None, stop)?.with_rule(RULE),
            solver: Solver::new(u32::from(SOLVE_FROM), RULE, stop),
        })
    }

    fn label(&mut self, board: Board, kind: Kind) -> Result<f64, EngineError> {
        let mut game = Game::from_position(board, Color::Black);
        self.engine.new_game()?;
        if kind == Kind::Score {
            let (_, score) = self.engine.choose_with_score(&game)?;
            return Ok(score.unwrap_or(f64::NAN));
        }
        self.solver.start_game();
        while !game.is_over() {
            game.pass_if_forced();
            let board = game.board();
            let legal = board.legal_moves();
            let is_solved = kind == Kind::SolvedGame && board.empties() <= u32::from(SOLVE_FROM);
            let square = match legal.count_ones() {
                1 => Squares(legal).next(),
                _ if is_solved => self.solver.choose(board)?,
                _ => Some(self.engine.choose(&game)?),
            };
            let Some(square) = square else { break };
            game.play_known(square, board.flips(square));
        }
        Ok(f64::from(game.black_score(RULE)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_by_hand_and_none_where_everything_is_solved() {
        let set = Openings::Strong.set(12).unwrap();
        let values: Vec<i16> = set.iter().map(|record| record.value).collect();
        let mut next = values.iter();
        let errors = [3.0, -1.0, 0.4, 0.0];
        let found = cell(&set[..4], 12, Kind::Exact, None, |_| {
            let value = *next.next().unwrap();
            let at = values.len() - next.len() - 1;
            Ok(f64::from(value) + errors[at])
        });
        let found = found.unwrap();
        assert_eq!((found.rmse, found.mae), (2.5_f64.sqrt(), 1.0));
        let mut player = Player::new(2, &Stop::new()).unwrap();
        for record in &set[..6] {
            let label = player.label(record.board, Kind::SolvedGame).unwrap();
            assert_eq!(label, f64::from(record.value));
        }
    }
}
