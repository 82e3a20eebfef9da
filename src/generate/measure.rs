//! How long games take: a few seconds of real ones for each window, with the engines of the run,
//! started and asked as the run would. Nothing is written, and the streams are those of no run.

use super::balance::Balance;
use super::campaign::{Campaign, Numbers, Source, campaigns, group_phases};
use super::play::{Batch, Ending, Players, Recording, play_game};
use super::run::{Request, workers_that_fit};
use super::timed::Timed;
use crate::base::rng::StreamKey;
use crate::base::stop::Stop;
use crate::config::SplitBy;
use crate::dataset::split::Thresholds;
use crate::engine::EngineError;
use crate::engine::launch::launch;
use crate::progress::{GameTimes, MoveTimes, Progress};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Time for one window, and for all of them.
const EACH: Duration = Duration::from_secs(3);
const ALL: Duration = Duration::from_secs(30);
/// So many games of a worker tell enough, once they have taken this long.
const ENOUGH: (u64, Duration) = (100, Duration::from_millis(200));
/// More places at which the engine takes over tell nothing more.
const PLACES: usize = 12;
/// The streams of no mode.
const MODE: &str = "measure";

/// What a few seconds of games took.
#[derive(Clone, Debug, Default)]
pub(crate) struct Measured {
    /// By the phase at which the engine took over.
    by_anchor: BTreeMap<u8, MoveTimes>,
    /// Games that were played to their end.
    pub games: u64,
    /// Workers that played at the same time.
    pub workers: usize,
}

impl Measured {
    /// Seconds of one game from this phase, on one of the workers.
    pub(crate) fn seconds_per_game(&self, anchor: u8) -> Option<f64> {
        let own = self.by_anchor.get(&anchor);
        if let Some(times) = own.filter(|times| times.games_at(59) > 0) {
            return times.seconds_per_game(anchor);
        }
        // What was broken off goes on in the games of later windows.
        let mut all = MoveTimes::default();
        for times in self.by_anchor.values() {
            all.merge(times);
        }
        all.seconds_per_game(anchor)
    }

    fn add(&mut self, other: Measured) {
        self.games += other.games;
        for (anchor, times) in other.by_anchor {
            self.by_anchor.entry(anchor).or_default().merge(&times);
        }
    }
}

/// Plays games of the run's windows, with as many workers as the run would have.
///
/// # Errors
/// An engine that does not start or fails; [`EngineError::Stopped`].
pub(crate) fn measure(request: &Request, stop: &Stop) -> Result<Measured, EngineError> {
    let config = &request.config;
    let book = request.book.as_ref();
    let mut campaigns = campaigns(config, 0, None, Numbers::ALL, false, book);
    let workers = workers_that_fit(config, &request.engines, &campaigns, &Progress::silent());
    debug_assert_eq!(group_phases(config).len(), campaigns.len());
    let each = campaigns.len().div_ceil(PLACES).max(1);
    campaigns = campaigns.into_iter().step_by(each).collect();
    for campaign in &mut campaigns {
        campaign.source = Source::Playout(StreamKey::new(0, MODE, campaign.anchor));
        campaign.game_limit = u64::MAX;
    }
    let time = EACH.min(ALL / campaigns.len().max(1) as u32);
    let seats = std::thread::scope(|scope| {
        let campaigns = &campaigns;
        let seats: Vec<_> = (0..workers)
            .map(|worker| {
                let numbers = Numbers {
                    first: worker as u64,
                    step: workers as u64,
                };
                scope.spawn(move || measure_one(request, campaigns, numbers, time, stop))
            })
            .collect();
        let join = |seat: std::thread::ScopedJoinHandle<'_, _>| {
            seat.join().unwrap_or(Err(EngineError::Stopped))
        };
        seats.into_iter().map(join).collect::<Vec<_>>()
    });
    let mut measured = Measured {
        workers,
        ..Measured::default()
    };
    for seat in seats {
        measured.add(seat?);
    }
    Ok(measured)
}

/// What one worker finds, playing these numbers of each campaign.
fn measure_one(
    request: &Request,
    campaigns: &[Campaign],
    numbers: Numbers,
    time: Duration,
    stop: &Stop,
) -> Result<Measured, EngineError> {
    let config = &request.config;
    let rule = config.score_rule;
    let recording = Recording {
        split: Thresholds::new(&config.split),
        split_by: config.split_by.unwrap_or(SplitBy::Game),
        score_rule: rule,
        label: config.label,
    };
    let mut self_play = launch(&request.engines.self_play, stop)?;
    let mut playout = match &request.engines.playout {
        Some(spec) => Some(launch(spec, stop)?),
        None => None,
    };
    let solve_from = config.self_play.solve_from;
    let mut ending = (solve_from > 0).then(|| Ending::new(solve_from, rule, stop));
    let most = config.playout.max_score;
    let mut balance = most.map(|most| Balance::new(most, rule, stop));
    let mut measured = Measured::default();
    for campaign in campaigns {
        let began = Instant::now();
        let deadline = began + time;
        let mut number = numbers.first;
        let is_enough =
            |number: u64| number / numbers.step >= ENOUGH.0 && began.elapsed() >= ENOUGH.1;
        while Instant::now() < deadline && !is_enough(number) {
            let started = Instant::now();
            let mut timed = Timed {
                inner: &mut *self_play,
                times: GameTimes::default(),
                pinning: None,
                deadline: Some(deadline),
            };
            let mut players = Players {
                name: &request.engines.self_play.entry.name,
                self_play: &mut timed,
                playout: playout.as_deref_mut().map(|engine| engine as _),
                ai_probability: config.playout.ai_probability,
                ending: ending.as_mut(),
                balance: balance.as_mut(),
            };
            let mut batch = Batch::default();
            let played = play_game(campaign, number, &mut players, &recording, &mut batch);
            let mut times = timed.times;
            if let Some(solving) = ending.as_mut().map(Ending::take_busy) {
                times.solved(
                    60_u8.saturating_sub(solve_from).max(campaign.anchor),
                    solving,
                );
            }
            let until = match played {
                Ok(_) => {
                    measured.games += 1;
                    60
                }
                Err(EngineError::Stopped) if !stop.is_requested() => times.reached(),
                Err(error) => return Err(error),
            };
            let spent = Duration::from_secs_f64(times.total());
            let opening = started.elapsed().saturating_sub(spent);
            let of_anchor = measured.by_anchor.entry(campaign.anchor).or_default();
            of_anchor.add(campaign.anchor, until, &times, opening);
            number += numbers.step;
        }
    }
    Ok(measured)
}
