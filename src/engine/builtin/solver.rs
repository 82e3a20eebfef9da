//! Perfect play to the end of a game, the same whatever was searched before: of the best moves the
//! lowest square is taken.

use super::endgame;
use super::kernel::{Kernel, on_best_cpu};
use super::levels::table_bits;
use super::solve::{Reach, Setting, best_line, worker};
use super::table::Table;
use super::threads::Threads;
use super::weights::Evaluation;
use super::worker::Stopped;
use crate::base::stop::Stop;
use crate::board::{Board, ScoreRule, Square, Squares};

/// Plays both sides of endings perfectly.
pub struct Solver {
    rule: ScoreRule,
    evaluation: Evaluation,
    table: Table,
    stop: Stop,
    /// A position of the game being played, and its value for the side to move.
    known: Option<(Board, i32)>,
}

impl Solver {
    /// A solver for positions with at most so many empty squares.
    pub fn new(empties: u32, rule: ScoreRule, stop: &Stop) -> Solver {
        Solver {
            rule,
            evaluation: Evaluation::default(),
            table: Table::new(table_bits(empties)),
            stop: stop.clone(),
            known: None,
        }
    }

    /// Tells that the next game begins.
    pub fn start_game(&mut self) {
        self.table.start_game();
        self.known = None;
    }

    /// The value of `board` with best play by both sides, for its side to move.
    ///
    /// # Errors
    /// [`Stopped`] when the stop was requested.
    pub fn value(&mut self, board: Board) -> Result<i32, Stopped> {
        self.table.start_game();
        let setting = Setting {
            evaluation: &self.evaluation,
            rule: self.rule,
            threads: Threads::one(),
            stop: self.stop.flag(),
        };
        Ok(best_line(board, Reach::End, &mut self.table, &setting)?.score as i32)
    }

    /// The best move of `board`, the lowest square of several; `None` where there is no legal one.
    ///
    /// # Errors
    /// [`Stopped`] when the stop was requested.
    pub fn choose(&mut self, board: Board) -> Result<Option<Square>, Stopped> {
        if board.legal_moves() == 0 {
            return Ok(None);
        }
        let setting = Setting {
            evaluation: &self.evaluation,
            rule: self.rule,
            threads: Threads::one(),
            stop: self.stop.flag(),
        };
        let value = match self.known {
            Some((known, value)) if known == board => value,
            Some((known, value)) if known.passed() == board => -value,
            _ => best_line(board, Reach::End, &mut self.table, &setting)?.score as i32,
        };
        self.table.start_search();
        let square = on_best_cpu!(|cpu| lowest_best(cpu, board, value, &self.table, &setting))?;
        let child = board.after(square, board.flips(square));
        self.known = Some((child, -value));
        Ok(Some(square))
    }
}

/// The lowest square that reaches `value`, the true one. Which it is follows from the values of the
/// successors alone, so what the table knows only saves work.
fn lowest_best<C: Kernel>(
    cpu: C,
    board: Board,
    value: i32,
    table: &Table,
    setting: &Setting<'_>,
) -> Result<Square, Stopped> {
    let mut worker = worker(cpu, table, setting);
    let mut squares = Squares(board.legal_moves());
    let mut last = squares.next().ok_or(Stopped)?;
    for next in squares {
        let child = board.after(last, board.flips(last));
        let reaches = endgame::null_window(&mut worker, child, -value) <= -value;
        if worker.finished(reaches)? {
            return Ok(last);
        }
        last = next;
    }
    // One of them reaches the value, so the last one need not be tried.
    Ok(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::StreamKey;
    use crate::board::Game;
    use crate::engine::builtin::score_moves;

    fn random_game(empties: u32, number: u64) -> Option<Game> {
        let mut rng = StreamKey::new(3, "solver", 0).game(number);
        let mut game = Game::new();
        while game.board().empties() > empties {
            if game.board().legal_moves() == 0 && !game.pass_if_forced() {
                return None;
            }
            let legal = game.board().legal_moves();
            let square = Squares(legal)
                .nth(rng.below(legal.count_ones()) as usize)
                .unwrap();
            game.play(square.into()).unwrap();
        }
        Some(game)
    }

    /// Against the scores of all moves, each searched on its own with an empty table.
    #[test]
    fn of_the_best_moves_the_lowest_square_is_played_to_the_end() {
        let setting = |rule| Setting {
            evaluation: Box::leak(Box::default()),
            rule,
            threads: Threads::one(),
            stop: Box::leak(Box::default()),
        };
        for rule in ScoreRule::ALL {
            let setting = setting(rule);
            let mut solver = Solver::new(11, rule, &Stop::new());
            for mut game in (0..25).filter_map(|number| random_game(11, number)) {
                solver.start_game();
                loop {
                    game.pass_if_forced();
                    let board = game.board();
                    let mut fresh = Table::new(10);
                    let scores = score_moves(board, Reach::End, &mut fresh, &setting).unwrap();
                    let best = scores.first().map(|best| best.score);
                    let expected = scores
                        .iter()
                        .filter(|found| Some(found.score) == best)
                        .map(|found| found.square)
                        .min_by_key(|square| square.index());
                    assert_eq!(
                        solver.choose(board).unwrap(),
                        expected,
                        "{rule:?} {board:?}"
                    );
                    let Some(square) = expected else { break };
                    game.play(square.into()).unwrap();
                }
            }
        }
    }

    #[test]
    fn a_stop_ends_the_search() {
        let stop = Stop::new();
        let mut solver = Solver::new(24, ScoreRule::Plain, &stop);
        let game = random_game(24, 1).unwrap();
        stop.request();
        assert_eq!(solver.choose(game.board()), Err(Stopped));
    }
}
