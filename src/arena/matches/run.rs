//! Playing the games of a match, in parallel, with results that do not depend on the order.

use super::openings::{opening, shuffled};
use super::statistics::Pair;
use crate::base::stop::Stop;
use crate::board::{Color, Game, ScoreRule};
use crate::engine::{Engine, EngineError};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// How a match is played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MatchSettings {
    /// Openings, each played twice.
    pub pairs: u64,
    /// Where the games begin: each in its turn, in an order that the seed decides; empty: at the
    /// start position.
    pub openings: Vec<Game>,
    /// Random moves after that.
    pub random_plies: u32,
    /// What the openings are drawn from.
    pub seed: u64,
    /// Threads, each with engines of its own, ≥ 1.
    pub workers: usize,
    /// How often a pair of games is begun again with fresh engines after a failure.
    pub retries: u32,
}

/// The two players of one worker.
pub(crate) type Players = [Box<dyn Engine>; 2];

/// A pair of games that was just finished.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Finished {
    /// Pairs finished so far, this one included.
    pub count: u64,
    /// Number of its opening, from 0.
    pub number: u64,
    /// Its result.
    pub pair: Pair,
    /// The games, the first player's with the black discs first.
    pub games: [Game; 2],
}

/// What was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Outcome {
    /// The finished pairs, in the order of their openings.
    pub pairs: Vec<Pair>,
    /// Failures after which engines were started again.
    pub restarts: u64,
    /// Whether every pair was played; not so after a stop.
    pub is_complete: bool,
}

/// An engine failed too often.
#[derive(Debug, thiserror::Error)]
#[error("game {game} of the match cannot be played: {source}")]
pub struct MatchError {
    /// Number of the game, from 1.
    game: u64,
    /// What happened the last time.
    source: EngineError,
}

/// Plays a match between the players that `start` makes, the first one's results counting.
/// `finished` is told each pair that was finished.
///
/// # Errors
/// When engines cannot be started, or fail in the same pair more often than `retries`. A stop is
/// no error: the outcome holds what was finished.
pub(crate) fn play(
    settings: &MatchSettings,
    start: &(dyn Fn() -> Result<Players, EngineError> + Sync),
    stop: &Stop,
    finished: &(dyn Fn(&Finished) + Sync),
) -> Result<Outcome, MatchError> {
    let work = Work {
        settings,
        start,
        stop,
        finished,
        order: shuffled(settings.seed, settings.openings.len()),
        next: AtomicU64::new(0),
        done: Mutex::default(),
    };
    let workers = settings.workers.max(1).min(settings.pairs.max(1) as usize);
    std::thread::scope(|scope| {
        // The calling thread is one of the workers.
        for _ in 1..workers {
            scope.spawn(|| work.run());
        }
        work.run();
    });
    let done = work
        .done
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    match done.fault {
        Some(fault) => Err(fault),
        None => Ok(Outcome {
            is_complete: done.pairs.len() as u64 == settings.pairs,
            pairs: done.pairs.into_values().collect(),
            restarts: done.restarts,
        }),
    }
}

struct Work<'a> {
    settings: &'a MatchSettings,
    start: &'a (dyn Fn() -> Result<Players, EngineError> + Sync),
    stop: &'a Stop,
    finished: &'a (dyn Fn(&Finished) + Sync),
    /// The order of the openings.
    order: Vec<usize>,
    next: AtomicU64,
    done: Mutex<Done>,
}

#[derive(Default)]
struct Done {
    pairs: BTreeMap<u64, Pair>,
    restarts: u64,
    fault: Option<MatchError>,
}

impl Work<'_> {
    fn run(&self) {
        let mut players = None;
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.settings.pairs {
                return;
            }
            match self.pair(number, &mut players) {
                Ok((pair, games)) => {
                    let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
                    done.pairs.insert(number, pair);
                    let count = done.pairs.len() as u64;
                    drop(done);
                    (self.finished)(&Finished {
                        count,
                        number,
                        pair,
                        games,
                    });
                }
                Err(error) => {
                    // Nobody begins another pair.
                    self.next.store(self.settings.pairs, Ordering::Relaxed);
                    if !matches!(error.source, EngineError::Stopped) {
                        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
                        done.fault.get_or_insert(error);
                    }
                    return;
                }
            }
        }
    }

    /// Plays both games of an opening. A pair is repeated whole, so that its result does not
    /// depend on where an engine failed.
    fn pair(
        &self,
        number: u64,
        players: &mut Option<Players>,
    ) -> Result<(Pair, [Game; 2]), MatchError> {
        let MatchSettings {
            openings,
            random_plies,
            seed,
            ..
        } = self.settings;
        let begin = match self.order.len() as u64 {
            0 => &Game::new(),
            count => &openings[self.order[(number % count) as usize]],
        };
        let opening = opening(begin, *seed, number, *random_plies);
        let mut failures = 0;
        loop {
            let mut played = 0;
            match self.try_pair(&opening, players, &mut played) {
                Ok(played) => return Ok(played),
                Err(source) => {
                    *players = None;
                    let is_final = source.kind().is_none() || failures >= self.settings.retries;
                    if is_final || self.stop.is_requested() {
                        let source = match self.stop.is_requested() {
                            true => EngineError::Stopped,
                            false => source,
                        };
                        return Err(MatchError {
                            game: 2 * number + 1 + played,
                            source,
                        });
                    }
                    failures += 1;
                    let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
                    done.restarts += 1;
                }
            }
        }
    }

    fn try_pair(
        &self,
        opening: &Game,
        players: &mut Option<Players>,
        played: &mut u64,
    ) -> Result<(Pair, [Game; 2]), EngineError> {
        let [first, second] = match players {
            Some(players) => players,
            None => players.insert((self.start)()?),
        };
        let as_black = self.game(opening.clone(), first, second)?;
        *played = 1;
        let as_white = self.game(opening.clone(), second, first)?;
        let rule = ScoreRule::WinnerTakesEmpties;
        let pair = Pair([as_black.black_score(rule), -as_white.black_score(rule)]);
        Ok((pair, [as_black, as_white]))
    }

    /// Plays a game on to its end.
    fn game(
        &self,
        mut game: Game,
        black: &mut Box<dyn Engine>,
        white: &mut Box<dyn Engine>,
    ) -> Result<Game, EngineError> {
        black.new_game()?;
        white.new_game()?;
        while !game.is_over() {
            if self.stop.is_requested() {
                return Err(EngineError::Stopped);
            }
            if game.pass_if_forced() {
                continue;
            }
            let mover = match game.color() {
                Color::Black => &mut *black,
                Color::White => &mut *white,
            };
            let square = mover.choose(&game)?;
            game.play(square.into())
                .map_err(|illegal| EngineError::IllegalMove {
                    engine: "of this match".to_owned(),
                    answer: illegal.attempted.to_string().into(),
                    position: game.board().to_text(game.color()),
                })?;
        }
        black.end_game()?;
        white.end_game()?;
        Ok(game)
    }
}

#[cfg(test)]
mod tests;
