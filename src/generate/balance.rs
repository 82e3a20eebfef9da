//! Balanced starts: games whose anchor the embedded engine thinks decided are thrown away.

use super::campaign::group_phases;
use super::openings::OpeningBook;
use super::playout::{Playout, PlayoutTally};
use crate::base::rng::StreamKey;
use crate::base::stop::Stop;
use crate::board::{Board, ScoreRule};
use crate::config::{DatasetConfig, Mode};
use crate::engine::EngineError;
use crate::engine::builtin::{Evaluation, Reach, Setting, Table, Threads, best_line};

/// Plies that are searched.
const DEPTH: u32 = 4;
/// Entries of the table, as a power of two: a search of four plies needs no more.
const TABLE_BITS: u32 = 10;
/// Games that are begun to see how many are balanced.
const TRIED: u64 = 128;

/// Says which positions are balanced.
pub(super) struct Balance {
    /// Discs.
    most: f64,
    rule: ScoreRule,
    evaluation: Evaluation,
    table: Table,
    threads: &'static Threads,
    stop: Stop,
}

impl Balance {
    /// Those that a search of four plies with the embedded weights scores within ± `most` discs, by
    /// `rule`.
    pub(super) fn new(most: u8, rule: ScoreRule, stop: &Stop) -> Balance {
        Balance {
            most: f64::from(most),
            rule,
            evaluation: Evaluation::default(),
            table: Table::new(TABLE_BITS),
            threads: Threads::one(),
            stop: stop.clone(),
        }
    }

    /// Whether it is. It depends on nothing but the position.
    ///
    /// # Errors
    /// [`EngineError::Stopped`].
    pub(super) fn holds(&mut self, board: Board) -> Result<bool, EngineError> {
        self.table.start_game();
        let setting = Setting {
            evaluation: &self.evaluation,
            rule: self.rule,
            threads: self.threads,
            stop: self.stop.flag(),
        };
        let found = best_line(board, Reach::Plies(DEPTH), &mut self.table, &setting)?;
        Ok(found.score.abs() <= self.most)
    }
}

/// The share of games that are balanced at each anchor, from the first hundred and some of each, moves
/// of an engine replaced by random ones; `None` where all are taken.
pub(super) fn shares(config: &DatasetConfig, book: Option<&OpeningBook>) -> Option<Vec<(u8, f64)>> {
    let most = config
        .playout
        .max_score
        .filter(|_| config.mode == Mode::Normal)?;
    let stop = Stop::new();
    let mut balance = Balance::new(most, config.score_rule, &stop);
    let share = |(anchor, _): (u8, Vec<u8>)| {
        let key = StreamKey::new(config.seed.unwrap_or(0), config.mode.name(), anchor);
        let (mut reached, mut held) = (0_u64, 0_u64);
        for number in 0..TRIED {
            let mut rng = key.game(number);
            let mut game = OpeningBook::begin(book, number, &mut rng);
            let mut playout = Playout {
                ai_probability: 0.0,
                engine: None,
            };
            let mut tally = PlayoutTally::default();
            // Neither an engine that fails nor a stop is there.
            if let Ok(true) = playout.play(anchor, &mut game, &mut rng, &mut tally) {
                reached += 1;
                held += u64::from(balance.holds(game.board()).unwrap_or(true));
            }
        }
        (anchor, held as f64 / reached.max(1) as f64)
    };
    Some(group_phases(config).into_iter().map(share).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Game;

    #[test]
    fn the_start_is_balanced_and_a_wipe_out_is_not() {
        let stop = Stop::new();
        for rule in ScoreRule::ALL {
            let mut balance = Balance::new(8, rule, &stop);
            assert!(balance.holds(Board::START).unwrap());
            let over = Game::from_move_text("e6f4e3f6g5d6e7f5c5").unwrap();
            assert!(over.is_over());
            assert!(!balance.holds(over.board()).unwrap());
        }
        // 13 discs, or 64 with the empty squares.
        let over = Game::from_move_text("e6f4e3f6g5d6e7f5c5").unwrap();
        let holds = |most, rule| Balance::new(most, rule, &stop).holds(over.board()).unwrap();
        assert!(holds(13, ScoreRule::Plain) && !holds(12, ScoreRule::Plain));
        assert!(!holds(63, ScoreRule::WinnerTakesEmpties));
        assert!(holds(64, ScoreRule::WinnerTakesEmpties));
    }

    /// Both sides, every image: the same verdict.
    #[test]
    fn a_pass_and_a_symmetry_change_nothing() {
        use crate::board::Symmetry;
        let stop = Stop::new();
        let mut balance = Balance::new(4, ScoreRule::Plain, &stop);
        let key = StreamKey::new(3, "normal", 30);
        for number in 0..40 {
            let mut game = Game::new();
            let mut playout = Playout {
                ai_probability: 0.0,
                engine: None,
            };
            let mut tally = PlayoutTally::default();
            let mut rng = key.game(number);
            if !playout.play(30, &mut game, &mut rng, &mut tally).unwrap() {
                continue;
            }
            let board = game.board();
            let verdict = balance.holds(board).unwrap();
            for symmetry in Symmetry::ALL {
                assert_eq!(balance.holds(symmetry.apply_board(board)).unwrap(), verdict);
            }
            if board.must_pass() {
                assert_eq!(balance.holds(board.passed()).unwrap(), verdict);
            }
        }
    }
}
