//! The course of learning: epoch after epoch of self-play, updates and averaging. Its whole state
//! is one value that can be stored between any two epochs. Knows no files.

use super::check::{Check, check};
use super::error::LearnError;
use super::search::Search;
use super::self_play::{game_stream, play_game};
use super::settings::Settings;
use super::td::{Discs, learn_game};
use super::weights::{LARGEST_WEIGHT, Weights};
use crate::base::stop::Stop;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// η of the polynomial-decay average over epochs (Shamir and Zhang, "Stochastic gradient descent
/// for non-smooth optimization", 2013): epoch t has the share (η+1)/(t+η), so the early epochs
/// fade and roughly the last third of the run counts.
const DECAY: f64 = 4.0;

/// Learning between two epochs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trainer {
    /// What decides the rest.
    pub settings: Settings,
    /// Epochs done.
    pub epoch: u32,
    /// Before the first epoch.
    pub initial: Weights,
    /// After the last epoch: what the next one plays with, once rounded.
    pub weights: Weights,
    /// Their average over the epochs.
    pub averaged: Weights,
    /// One entry per epoch done.
    pub curve: Vec<EpochStats>,
    /// The curve's matches against the initial weights.
    pub checks: Vec<Check>,
}

/// What one epoch was like.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EpochStats {
    /// From 1.
    pub epoch: u32,
    /// Games that Black won.
    pub black_wins: u32,
    /// Games that nobody won.
    pub draws: u32,
    /// Games that White won.
    pub white_wins: u32,
    /// Mean final disc difference, Black − White.
    pub mean_difference: f64,
    /// Root of the mean δ² over all steps.
    pub rms_td_error: f64,
    /// Root of the mean (R − V(s_T))² over the games.
    pub rms_final_error: f64,
    /// Largest absolute weight afterwards.
    pub largest_weight: f64,
}

/// Where the time of an epoch went.
#[derive(Clone, Copy, Debug, Default)]
pub struct EpochTime {
    /// Playing games, wall clock.
    pub playing: Duration,
    /// Updating weights, wall clock.
    pub updating: Duration,
}

impl Trainer {
    /// Before the first epoch.
    pub fn new(settings: Settings, initial: Weights) -> Trainer {
        Trainer {
            settings,
            epoch: 0,
            weights: initial.clone(),
            averaged: initial.clone(),
            initial,
            curve: Vec::new(),
            checks: Vec::new(),
        }
    }

    /// Whether every epoch is done.
    pub fn is_done(&self) -> bool {
        self.epoch >= self.settings.epochs
    }

    /// What has been learned so far.
    pub fn result(&self) -> &Weights {
        if self.settings.averaging {
            &self.averaged
        } else {
            &self.weights
        }
    }

    /// One epoch: all games with the same whole-number weights (so that they may be played in
    /// parallel), then the updates game after game in the games' order, then the symmetries; a
    /// match for the curve where one is due. The outcome does not depend on `workers`.
    ///
    /// # Errors
    /// Weights that run away, or a stop. Nothing has changed then.
    pub fn step(
        &mut self,
        workers: &rayon::ThreadPool,
        stop: &Stop,
    ) -> Result<EpochTime, LearnError> {
        let settings = &self.settings;
        let epoch = self.epoch + 1;
        let began = Instant::now();
        let search = Search::new(&self.weights.rounded(), settings.depth);
        let games: Option<Vec<Vec<Discs>>> = workers.install(|| {
            (0..settings.games)
                .into_par_iter()
                .map(|game| {
                    let mut rng = game_stream(settings.seed, epoch, game);
                    play_game(&search, settings.random_plies, &mut rng, stop)
                })
                .collect()
        });
        let games = games.ok_or(LearnError::Stopped)?;
        let playing = began.elapsed();
        let (weights, stats) = learn_epoch(&self.weights, &games, settings.alpha, epoch)?;
        let updating = began.elapsed() - playing;
        let mut averaged = self.averaged.clone();
        let share = (DECAY + 1.0) / (f64::from(epoch) + DECAY);
        for (mean, new) in averaged.0.iter_mut().zip(&weights.0) {
            *mean += share * (new - *mean);
        }
        let due = epoch.is_multiple_of(settings.check_every);
        let checked = if due && settings.check_games > 0 {
            let learned = if settings.averaging {
                &averaged
            } else {
                &weights
            };
            // A quarter of the games, in pairs, at least one.
            let pairs = u64::from(settings.check_games).div_ceil(8);
            let threads = workers.current_num_threads();
            Some(check(
                learned,
                &self.initial,
                settings,
                epoch,
                pairs,
                threads,
                stop,
            )?)
        } else {
            None
        };
        self.checks.extend(checked);
        self.curve.push(stats);
        self.weights = weights;
        self.averaged = averaged;
        self.epoch = epoch;
        Ok(EpochTime { playing, updating })
    }
}

/// The weights after an epoch's games, and what the epoch was like.
fn learn_epoch(
    before: &Weights,
    games: &[Vec<Discs>],
    alpha: f64,
    epoch: u32,
) -> Result<(Weights, EpochStats), LearnError> {
    let mut weights = before.clone();
    let mut stats = EpochStats {
        epoch,
        black_wins: 0,
        draws: 0,
        white_wins: 0,
        mean_difference: 0.0,
        rms_td_error: 0.0,
        rms_final_error: 0.0,
        largest_weight: 0.0,
    };
    let (mut steps, mut differences) = (0, 0);
    for (game, positions) in (1..).zip(games) {
        let lesson = learn_game(&mut weights, positions, alpha);
        if !weights.are_sound() {
            return Err(LearnError::RanAway {
                epoch,
                game,
                found: match weights.magnitude() {
                    largest if largest.is_finite() => {
                        format!("a weight has reached {largest:.0}, the limit is {LARGEST_WEIGHT}")
                            .into()
                    }
                    _ => "a weight is not a finite number any more".into(),
                },
                alpha,
            });
        }
        stats.rms_td_error += lesson.squared_errors;
        stats.rms_final_error += lesson.final_error * lesson.final_error;
        steps += lesson.steps;
        let difference = positions.last().map_or(0, |last| last.difference());
        differences += difference;
        match difference.signum() {
            1 => stats.black_wins += 1,
            0 => stats.draws += 1,
            _ => stats.white_wins += 1,
        }
    }
    weights.average_symmetries();
    let count = games.len().max(1) as f64;
    stats.mean_difference = f64::from(differences) / count;
    stats.rms_td_error = (stats.rms_td_error / steps.max(1) as f64).sqrt();
    stats.rms_final_error = (stats.rms_final_error / count).sqrt();
    stats.largest_weight = weights.magnitude();
    Ok((weights, stats))
}

#[cfg(test)]
mod tests;
