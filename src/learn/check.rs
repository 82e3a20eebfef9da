//! Whether learning has helped: matches of learned against initial weights.

use super::error::LearnError;
use super::player::WeightPlayer;
use super::settings::Settings;
use super::weights::Weights;
use crate::arena::matches::{MatchSettings, Statistics, play};
use crate::base::stop::Stop;
use crate::engine::Engine;
use serde::{Deserialize, Serialize};

/// One match for the learning curve, seen from the learned weights.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// The epoch after which it was played.
    pub epoch: u32,
    /// Games played.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// (wins + draws / 2) / games.
    pub score: f64,
    /// Mean final disc difference.
    pub mean_difference: f64,
}

/// Random moves at the beginning of a check's games.
pub(crate) const OPENING_PLIES: u32 = 8;

/// Plays `pairs` openings, always the same ones for a seed, with both colours.
pub(super) fn check(
    learned: &Weights,
    initial: &Weights,
    settings: &Settings,
    epoch: u32,
    pairs: u64,
    workers: usize,
    stop: &Stop,
) -> Result<Check, LearnError> {
    let of = compare(learned, initial, settings, pairs, workers, stop, &|_| {})?;
    Ok(Check {
        epoch,
        games: of.games,
        wins: of.wins,
        draws: of.draws,
        losses: of.losses,
        score: of.score,
        mean_difference: of.mean_difference,
    })
}

/// The figures of a match between learned and initial weights, both rounded, at the depth of the
/// settings. `finished` is told the number of finished pairs.
///
/// # Errors
/// A stop, or (never seen) a failing player.
pub(crate) fn compare(
    learned: &Weights,
    initial: &Weights,
    settings: &Settings,
    pairs: u64,
    workers: usize,
    stop: &Stop,
    finished: &(dyn Fn(u64) + Sync),
) -> Result<Statistics, LearnError> {
    let learned = WeightPlayer::new("learned", &learned.rounded(), settings.depth);
    let initial = WeightPlayer::new("initial", &initial.rounded(), settings.depth);
    let match_settings = MatchSettings {
        pairs,
        openings: Vec::new(),
        random_plies: OPENING_PLIES,
        seed: settings.seed,
        workers,
        retries: 0,
    };
    let start = || {
        let players: [Box<dyn Engine>; 2] =
            [Box::new(learned.another()), Box::new(initial.another())];
        Ok(players)
    };
    let outcome = play(&match_settings, &start, stop, &|pair| finished(pair.count))?;
    if !outcome.is_complete {
        return Err(LearnError::Stopped);
    }
    Statistics::new(&outcome.pairs).ok_or(LearnError::Stopped)
}
