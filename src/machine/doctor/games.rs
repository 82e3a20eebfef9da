//! Games for measuring: how fast an engine plays, and whether it plays the same again.

use crate::arena::matches::opening;
use crate::board::{Game, Move};
use crate::engine::{Engine, EngineError};
use std::time::{Duration, Instant};

/// Random moves at the beginning of each game, so that games differ.
const RANDOM_PLIES: u32 = 10;
/// More games tell nothing more.
const MAX_GAMES: u64 = 40;
/// The games are the same each time.
const SEED: u64 = 60;

/// A game, or the first part of one where time ran out.
#[derive(Clone, Debug)]
pub(super) struct Played {
    number: u64,
    game: Game,
    /// Plies of the random opening.
    from: usize,
}

/// Times of an engine's moves.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Speed {
    /// Games that were played to the end.
    pub whole_games: usize,
    /// Moves that were timed.
    pub moves: usize,
    /// Half of the moves took no longer.
    pub median: Duration,
    /// The slowest move.
    pub worst: Duration,
    /// All of them together.
    pub total: Duration,
}

impl Speed {
    /// From the times of moves; `None` without any.
    pub(crate) fn new(whole_games: usize, mut times: Vec<Duration>) -> Option<Speed> {
        times.sort_unstable();
        Some(Speed {
            whole_games,
            moves: times.len(),
            median: *times.get(times.len().saturating_sub(1) / 2)?,
            worst: *times.last()?,
            total: times.iter().sum(),
        })
    }

    /// Games per second of one engine, from the random moves on; `None` before a game is whole.
    pub(crate) fn games_per_second(&self) -> Option<f64> {
        let seconds = self.total.as_secs_f64();
        (self.whole_games > 0 && seconds > 0.0).then(|| self.whole_games as f64 / seconds)
    }
}

/// What came of repeating games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Repeats {
    /// Games, or parts of games, that were repeated.
    pub games: usize,
    /// Of them, those that went otherwise in the same process, later.
    pub differing_warm: usize,
    /// Those that went otherwise in a new process that played the same games in the same order.
    pub differing_cold: usize,
    /// The first difference.
    pub example: Option<String>,
}

/// Plays games until `time` is over, at least one move. Returns them with the times of all moves.
pub(super) fn play_first(
    engine: &mut dyn Engine,
    time: Duration,
) -> Result<(Vec<Played>, Vec<Duration>), EngineError> {
    let began = Instant::now();
    let mut games = Vec::new();
    let mut times = Vec::new();
    for number in 0..MAX_GAMES {
        let mut game = opening(&Game::new(), SEED, number, RANDOM_PLIES);
        let from = game.moves().len();
        engine.new_game()?;
        while !game.is_over() && (times.is_empty() || began.elapsed() < time) {
            if game.pass_if_forced() {
                continue;
            }
            let asked = Instant::now();
            let square = engine.choose(&game)?;
            times.push(asked.elapsed());
            game.play_known(square, game.board().flips(square));
        }
        if game.is_over() {
            engine.end_game()?;
        }
        if game.moves().len() > from {
            games.push(Played { number, game, from });
        }
        if began.elapsed() >= time {
            break;
        }
    }
    Ok((games, times))
}

/// How many of these were played to the end.
pub(super) fn whole(games: &[Played]) -> usize {
    games.iter().filter(|played| played.game.is_over()).count()
}

/// Plays games again in the order given; says where each one first goes otherwise.
pub(super) fn play_again<'g>(
    engine: &mut dyn Engine,
    games: impl IntoIterator<Item = &'g Played>,
) -> Result<Vec<String>, EngineError> {
    let mut differences = Vec::new();
    for played in games {
        differences.extend(repeat(engine, played)?);
    }
    Ok(differences)
}

fn repeat(engine: &mut dyn Engine, played: &Played) -> Result<Option<String>, EngineError> {
    let moves = played.game.moves();
    let mut game = opening(&Game::new(), SEED, played.number, RANDOM_PLIES);
    engine.new_game()?;
    for (number, &mv) in moves.iter().enumerate().skip(played.from) {
        if game.pass_if_forced() {
            continue;
        }
        let square = engine.choose(&game)?;
        if Move::Play(square) != mv {
            let number = number + 1;
            return Ok(Some(format!("move {number} was {mv} and then {square}")));
        }
        game.play_known(square, game.board().flips(square));
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Square, Squares};
    use crate::engine::MoveScore;

    /// Plays the `turn`-th legal move; with `forgets` the turn begins anew with each game.
    struct Counter {
        turn: u32,
        forgets: bool,
    }

    impl Engine for Counter {
        fn new_game(&mut self) -> Result<(), EngineError> {
            if self.forgets {
                self.turn = 0;
            }
            Ok(())
        }

        fn choose(&mut self, game: &Game) -> Result<Square, EngineError> {
            self.turn += 1;
            let legal = game.board().legal_moves();
            let index = self.turn % legal.count_ones();
            Ok(Squares(legal).nth(index as usize).unwrap())
        }

        fn score_moves(&mut self, _game: &Game) -> Result<Vec<MoveScore>, EngineError> {
            Ok(Vec::new())
        }

        fn is_reproducible(&self) -> bool {
            self.forgets
        }
    }

    const LONG: Duration = Duration::from_secs(600);

    #[test]
    fn an_engine_that_starts_anew_repeats_its_games() {
        let mut engine = Counter {
            turn: 5,
            forgets: true,
        };
        let (games, times) = play_first(&mut engine, LONG).unwrap();
        assert_eq!(games.len() as u64, MAX_GAMES);
        assert_eq!(whole(&games), games.len());
        assert!(times.len() > 40 * games.len(), "{}", times.len());
        let differences = play_again(&mut engine, games.iter().rev()).unwrap();
        assert_eq!(differences, Vec::<String>::new());
    }

    #[test]
    fn an_engine_that_remembers_is_found_out() {
        let mut engine = Counter {
            turn: 0,
            forgets: false,
        };
        let (games, _) = play_first(&mut engine, LONG).unwrap();
        assert!(
            !play_again(&mut engine, games.iter().rev())
                .unwrap()
                .is_empty()
        );
        // In a new process everything is as it was.
        let mut new = Counter {
            turn: 0,
            forgets: false,
        };
        assert!(play_again(&mut new, &games).unwrap().is_empty());
    }

    #[test]
    fn one_move_is_timed_even_when_there_is_no_time() {
        let mut engine = Counter {
            turn: 0,
            forgets: true,
        };
        let (games, times) = play_first(&mut engine, Duration::ZERO).unwrap();
        assert_eq!((games.len(), times.len(), whole(&games)), (1, 1, 0));
        assert!(play_again(&mut engine, &games).unwrap().is_empty());
    }

    #[test]
    fn the_median_is_in_the_middle() {
        let ms = |times: &[u64]| times.iter().map(|&t| Duration::from_millis(t)).collect();
        assert_eq!(Speed::new(0, Vec::new()), None);
        let speed = Speed::new(2, ms(&[9, 1, 3])).unwrap();
        assert_eq!(speed.median, Duration::from_millis(3));
        assert_eq!(speed.worst, Duration::from_millis(9));
        assert_eq!(speed.total, Duration::from_millis(13));
        assert_eq!(speed.games_per_second(), Some(2.0 / 0.013));
        assert_eq!(
            Speed::new(0, ms(&[2, 4])).unwrap().median,
            Duration::from_millis(2)
        );
    }
}
