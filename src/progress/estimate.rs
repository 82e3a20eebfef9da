//! How fast a run is and when it ends, from the counters it shows over time.
//!
//! Rates count this run's own work alone, so a resumed run is not flattered by what it found. What
//! remains is counted in games: phases of one window fill together, so a window needs the games of
//! its slowest phase. The price of a game is measured for campaigns that have run, and carried over to
//! those that have not by the times of moves: what games from phase 10 take from phase 20 on is about
//! what games from phase 20 will take. Where no moves were timed, tables tell the ratio, or else the
//! number of moves that are left to play.

use super::event::{PhaseProgress, Snapshot, Steps};
use crate::board::distinct_positions;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// What `recent` rates look back on.
const RECENT: Duration = Duration::from_secs(60);
/// Points of the history are at least this far apart.
const SPACING: Duration = Duration::from_millis(500);
/// From this many games on, a campaign's price is taken as evidence of how prices depend on length.
const EVIDENCE: u64 = 20;
/// What is foreseen of a price weighs as much as so many games: by what other campaigns cost, and by
/// tables of other machines.
const FORESEEN_WEIGHT: f64 = 8.0;
const TABLE_WEIGHT: f64 = 1.0;
/// So many games with timed moves tell what later ones cost.
const TIMED_GAMES: u64 = 4;

/// Speed and remaining time at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Working time of this run.
    pub elapsed: Duration,
    /// Records of this run per second.
    pub samples_per_second: f64,
    /// The same over the last minute.
    pub recent_samples_per_second: f64,
    /// Games of this run per second.
    pub games_per_second: f64,
    /// The same over the last minute.
    pub recent_games_per_second: f64,
    /// Steps of this run per second, over the last minute.
    pub recent_steps_per_second: f64,
    /// Time until everything is done; `None` while there is no ground for a guess.
    pub remaining: Option<Duration>,
    /// The campaigns of the run, ascending by anchor.
    pub campaigns: Vec<CampaignEstimate>,
}

/// How long the games of one anchor take.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CampaignEstimate {
    /// Phase at which they leave the random playout.
    pub anchor: u8,
    /// Working time of this run that went into them.
    pub spent: Duration,
    /// Time until its phases are full, once it is worked on.
    pub remaining: Option<Duration>,
}

/// The games that a phase with `from` records needs until it has `to`, if random games met each
/// distinct position equally often. They do not, so in phases with few positions it is a lower
/// bound.
pub fn expected_games(phase: u8, from: u64, to: u64) -> f64 {
    let missing = to.saturating_sub(from) as f64;
    match distinct_positions(phase) {
        // Collecting coupons: with k of n at hand the next new one takes n / (n - k) draws.
        Some(n) if to <= n => {
            let harmonic = |k: u64| match k {
                0 => 0.0,
                k if k < 50 => (1..=k).map(|i| 1.0 / i as f64).sum(),
                k => (k as f64).ln() + 0.577_215_664_9 + 0.5 / k as f64,
            };
            (n as f64 * (harmonic(n - from.min(n)) - harmonic(n - to))).max(missing)
        }
        _ => missing,
    }
}

#[derive(Clone, Copy)]
struct Point {
    at: Duration,
    games: u64,
    samples: u64,
    steps: u64,
}

/// Work that has gone into the games of one anchor.
#[derive(Clone, Copy, Default)]
struct Campaign {
    began: Duration,
    time: Duration,
    games: u64,
}

impl Campaign {
    fn seconds_per_game(&self) -> Option<f64> {
        (self.games > 0).then(|| self.time.as_secs_f64() / self.games as f64)
    }
}

/// Watches a run's counters.
#[derive(Default)]
pub struct Estimator {
    history: VecDeque<Point>,
    campaigns: BTreeMap<u8, Campaign>,
    latest: Option<(Point, Option<u8>)>,
    first_steps: u64,
    every_game_is_new: bool,
    prices: Vec<f64>,
}

impl Estimator {
    /// For a run of this mode: in `all_positions` no game gives a duplicate.
    pub fn new(mode: &str) -> Estimator {
        Estimator {
            every_game_is_new: mode == "all_positions",
            ..Estimator::default()
        }
    }

    /// With the seconds per game by anchor that can be told before any game is played.
    pub fn with_prices(self, prices: Vec<f64>) -> Estimator {
        Estimator { prices, ..self }
    }

    /// Takes note of the counters `elapsed` after the beginning. To be called about once a second;
    /// more often does no harm.
    pub fn observe(&mut self, elapsed: Duration, now: &Snapshot) {
        let point = Point {
            at: elapsed,
            games: now.games,
            samples: new_samples(now),
            steps: now.steps.map_or(0, |steps| steps.done),
        };
        if self.latest.is_none() {
            self.first_steps = point.steps;
        }
        let anchor = active_anchor(now);
        if let Some((before, worked_on)) = self.latest {
            // What came in since the last look belongs to what was worked on then.
            if let Some(anchor) = worked_on.or(anchor) {
                let campaign = self.campaigns.entry(anchor).or_insert(Campaign {
                    began: before.at,
                    ..Campaign::default()
                });
                campaign.time += point.at.saturating_sub(before.at);
                campaign.games += point.games.saturating_sub(before.games);
            }
        }
        self.latest = Some((point, anchor));
        let due = self
            .history
            .back()
            .is_none_or(|last| point.at.saturating_sub(last.at) >= SPACING);
        if due {
            self.history.push_back(point);
            self.thin(point.at);
        }
    }

    /// Speed and remaining time, as of the last observation.
    pub fn estimate(&self, now: &Snapshot) -> Estimate {
        let Some((point, _)) = self.latest else {
            return Estimate::default();
        };
        let elapsed = point.at.as_secs_f64();
        let per_second = |count: u64, seconds: f64| {
            if seconds > 0.0 {
                count as f64 / seconds
            } else {
                0.0
            }
        };
        let base = self.point_before(point.at.saturating_sub(RECENT));
        let span = point.at.saturating_sub(base.at).as_secs_f64();
        let campaigns = self.campaign_estimates(point, now);
        Estimate {
            elapsed: point.at,
            samples_per_second: per_second(point.samples, elapsed),
            recent_samples_per_second: per_second(point.samples - base.samples, span),
            games_per_second: per_second(point.games, elapsed),
            recent_games_per_second: per_second(point.games - base.games, span),
            recent_steps_per_second: per_second(point.steps - base.steps, span),
            remaining: self.remaining(point, now, &campaigns),
            campaigns,
        }
    }

    fn remaining(
        &self,
        point: Point,
        now: &Snapshot,
        campaigns: &[CampaignEstimate],
    ) -> Option<Duration> {
        if now.phases.iter().any(|phase| phase.target > 0) {
            let times = campaigns.iter().map(|campaign| campaign.remaining);
            return times.sum::<Option<Duration>>().filter(is_sensible);
        }
        told(self.remaining_by_steps(point, now.steps?)?)
    }

    fn remaining_by_steps(&self, point: Point, steps: Steps) -> Option<f64> {
        let missing = steps.total?.saturating_sub(steps.done);
        if missing == 0 {
            return Some(0.0);
        }
        let base = self.point_before(point.at.saturating_sub(RECENT.max(point.at / 4)));
        let done = point.steps.saturating_sub(base.steps.max(self.first_steps));
        let span = point.at.saturating_sub(base.at).as_secs_f64();
        (done > 0).then(|| missing as f64 * span / done as f64)
    }

    fn campaign_estimates(&self, point: Point, now: &Snapshot) -> Vec<CampaignEstimate> {
        // By anchor, the games that are missing: as many as the slowest phase needs.
        let mut missing: BTreeMap<u8, Option<f64>> = BTreeMap::new();
        for phase in now.phases.iter().filter(|phase| phase.target > 0) {
            let games = match phase.done < phase.target {
                true => self.missing_games(phase),
                false => Some(0.0),
            };
            let most = missing.entry(phase.anchor).or_insert(Some(0.0));
            *most = most.zip(games).map(|(most, games)| most.max(games));
        }
        let estimate = |(anchor, games): (u8, Option<f64>)| CampaignEstimate {
            anchor,
            spent: self
                .campaigns
                .get(&anchor)
                .map_or(Duration::ZERO, |of| of.time),
            remaining: match games {
                Some(0.0) => Some(Duration::ZERO),
                games => games.and_then(|games| told(games * self.price(anchor, point, now)?)),
            },
        };
        missing.into_iter().map(estimate).collect()
    }

    /// Seconds per game of the campaign with this anchor: its own, as far as it has played, and what
    /// is foreseen.
    fn price(&self, anchor: u8, point: Point, now: &Snapshot) -> Option<f64> {
        let own = self.campaigns.get(&anchor);
        let games = own.map_or(0, |campaign| campaign.games);
        let reference = self.reference(anchor);
        let foreseen = match reference {
            Some(reference) => Some((
                self.current_price(reference, point)? * self.ratio(reference, anchor, now),
                FORESEEN_WEIGHT,
            )),
            None => (self.prices.get(usize::from(anchor))).map(|&price| (price, TABLE_WEIGHT)),
        };
        match (foreseen, games) {
            (None, 0) => None,
            (None, _) => self.current_price(anchor, point),
            (Some((price, _)), 0) => Some(price),
            (Some((price, weight)), games) => {
                let games = games as f64;
                let own = self.current_price(anchor, point)?;
                Some((price * weight + own * games) / (weight + games))
            }
        }
    }

    /// The campaign by which another one's price is foreseen: the latest other one that has played
    /// enough, or any.
    fn reference(&self, anchor: u8) -> Option<u8> {
        let latest_with = |games: u64| {
            self.campaigns
                .iter()
                .filter(move |&(&other, campaign)| other != anchor && campaign.games >= games)
                .max_by_key(|(_, campaign)| campaign.began)
        };
        let (&reference, _) = latest_with(EVIDENCE).or_else(|| latest_with(1))?;
        Some(reference)
    }

    /// What a game from `anchor` costs beside one from `reference`.
    fn ratio(&self, reference: u8, anchor: u8, now: &Snapshot) -> f64 {
        let timed = now
            .move_times
            .get(&reference)
            .filter(|times| anchor >= reference && times.games_at(59) >= TIMED_GAMES);
        let cost = |anchor: u8| match timed {
            Some(times) => times.seconds_per_game(anchor),
            None => self.prices.get(usize::from(anchor)).copied(),
        };
        match (cost(reference), cost(anchor)) {
            (Some(before), Some(after)) if before > 0.0 => after / before,
            _ => {
                let left = moves_left(anchor) / moves_left(reference);
                left.powf(self.price_exponent())
            }
        }
    }

    /// Games until this phase is full, measured by how many it has taken so far.
    fn missing_games(&self, phase: &PhaseProgress) -> Option<f64> {
        let expected = |from, to| {
            if self.every_game_is_new {
                (to - from) as f64
            } else {
                expected_games(phase.phase, from, to)
            }
        };
        let ahead = expected(phase.done, phase.target);
        let played = self.campaigns.get(&phase.anchor).map_or(0, |c| c.games);
        let found = phase.done.saturating_sub(phase.resumed);
        if played < EVIDENCE {
            return Some(ahead);
        }
        if found == 0 {
            return None;
        }
        Some(ahead * played as f64 / expected(phase.resumed.min(phase.done), phase.done))
    }

    /// Seconds per game of a campaign that has played any. The last quarter of its time counts (a
    /// minute at least), so that a change of speed shows soon and a slow engine still gets a steady
    /// figure.
    fn current_price(&self, anchor: u8, point: Point) -> Option<f64> {
        let campaign = self.campaigns.get(&anchor)?;
        let whole = campaign.seconds_per_game()?;
        let is_active = self.latest.and_then(|(_, active)| active) == Some(anchor);
        if !is_active {
            return Some(whole);
        }
        let span = RECENT.max(campaign.time / 4);
        let base = self.point_before(point.at.saturating_sub(span));
        if base.at < campaign.began {
            return Some(whole);
        }
        let games = point.games.saturating_sub(base.games);
        if games < EVIDENCE {
            return Some(whole);
        }
        let seconds = point.at.saturating_sub(base.at).as_secs_f64();
        Some(seconds / games as f64)
    }

    /// The k in "the price of a game goes with (moves left) ^ k": least squares over the campaigns
    /// that have played enough, 1 while fewer than two have.
    fn price_exponent(&self) -> f64 {
        let points: Vec<(f64, f64)> = self
            .campaigns
            .iter()
            .filter(|(_, campaign)| campaign.games >= EVIDENCE)
            .filter_map(|(&anchor, campaign)| {
                let price = campaign.seconds_per_game().filter(|&price| price > 0.0)?;
                Some((moves_left(anchor).ln(), price.ln()))
            })
            .collect();
        if points.len() < 2 {
            return 1.0;
        }
        let n = points.len() as f64;
        let mean_x = points.iter().map(|p| p.0).sum::<f64>() / n;
        let mean_y = points.iter().map(|p| p.1).sum::<f64>() / n;
        let covariance: f64 = points.iter().map(|p| (p.0 - mean_x) * (p.1 - mean_y)).sum();
        let variance: f64 = points.iter().map(|p| (p.0 - mean_x).powi(2)).sum();
        // Neighbouring phases differ by a hair: their slope is noise, so it is drawn towards 1 until
        // the campaigns lie a factor of about 1.1 apart.
        let prior = 0.003;
        ((covariance + prior) / (variance + prior)).clamp(0.0, 4.0)
    }

    /// The last point at or before `at`, or the first one there is.
    fn point_before(&self, at: Duration) -> Point {
        let later = self.history.partition_point(|point| point.at <= at);
        let index = later.saturating_sub(1);
        self.history.get(index).copied().unwrap_or(Point {
            at: Duration::ZERO,
            games: 0,
            samples: 0,
            steps: 0,
        })
    }

    /// Keeps the last minute whole and older points ever further apart, so that a run of weeks
    /// holds a few hundred.
    fn thin(&mut self, now: Duration) {
        if self.history.len() < 400 {
            return;
        }
        let mut kept: VecDeque<Point> = VecDeque::with_capacity(400);
        for &point in &self.history {
            let age = now.saturating_sub(point.at);
            let far_enough = kept
                .back()
                .is_none_or(|last| point.at.saturating_sub(last.at) >= age / 50);
            if age <= RECENT * 2 || far_enough {
                kept.push_back(point);
            }
        }
        self.history = kept;
    }
}

/// Beyond a hundred years there is no point in a figure.
fn told(seconds: f64) -> Option<Duration> {
    let time = Duration::try_from_secs_f64(seconds.max(0.0)).ok()?;
    is_sensible(&time).then_some(time)
}

fn is_sensible(time: &Duration) -> bool {
    time.as_secs() < 3_200_000_000
}

/// Records that this run has added.
pub(super) fn new_samples(now: &Snapshot) -> u64 {
    let of_phase = |phase: &PhaseProgress| phase.done.saturating_sub(phase.resumed);
    now.phases.iter().map(of_phase).sum()
}

fn active_anchor(now: &Snapshot) -> Option<u8> {
    let first = now.active.first()?;
    let phase = now.phases.iter().find(|phase| phase.phase == *first)?;
    Some(phase.anchor)
}

/// Moves from an anchor to the full board, at least one.
fn moves_left(anchor: u8) -> f64 {
    f64::from(60_u8.saturating_sub(anchor).max(1))
}

#[cfg(test)]
#[path = "estimate_tests.rs"]
mod tests;
