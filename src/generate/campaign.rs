//! A campaign: the games that fill one phase, or the phases of one window.

use super::error::GenerateError;
use super::openings::OpeningBook;
use super::play::GameResult;
use crate::base::rng::StreamKey;
use crate::board::enumerate::Enumeration;
use crate::config::{DatasetConfig, Mode};
use std::sync::Arc;

/// Games 0, 1, 2 … of one phase or window.
#[derive(Clone, Debug)]
pub(super) struct Campaign {
    /// The ply at which the engine takes over: the phase itself, or the window's first phase
    /// (which need not be recorded).
    pub anchor: u8,
    /// Phases recorded, ascending, none below the anchor.
    pub phases: Vec<u8>,
    /// Where its games start from.
    pub source: Source,
    /// Games at most: no number from here on.
    pub game_limit: u64,
    /// Which of the numbers are played here.
    pub numbers: Numbers,
    /// Every game is kept.
    pub keeps_games: bool,
    /// The lines that its games begin with.
    pub book: Option<Arc<OpeningBook>>,
}

/// The numbers of the games that are played here: all, or those of one shard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// The first one.
    pub first: u64,
    /// From one to the next.
    pub step: u64,
}

impl Numbers {
    /// Every number.
    pub const ALL: Numbers = Numbers { first: 0, step: 1 };

    /// How many of them are below `limit`.
    pub fn below(self, limit: u64) -> u64 {
        limit.saturating_sub(self.first).div_ceil(self.step)
    }
}

/// Where the games of a campaign start from.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// Playouts, with the streams of this key.
    Playout(StreamKey),
    /// The enumerated positions of the phase, in their order.
    Enumerated(Arc<Enumeration>),
}

impl Campaign {
    /// Every position of an enumerated phase is wanted: one whose game was given up ends the run.
    pub(super) fn refuse_given_up(&self, result: &GameResult) -> Result<(), GenerateError> {
        match (&self.source, &result.given_up) {
            (Source::Enumerated(_), Some(reason)) => Err(GenerateError::PositionFailed {
                phase: self.anchor,
                game: result.number,
                reason: reason.clone().into(),
            }),
            _ => Ok(()),
        }
    }

    /// Whether `phase` is recorded, as a set of bits.
    pub(super) fn phase_mask(&self) -> u64 {
        self.phases.iter().fold(0, |mask, &phase| mask | 1 << phase)
    }
}

/// The phases that belong together, ascending, each group with its anchor. Sorted phases are cut
/// into windows of `size` phases that begin at the smallest phase; without a window each phase
/// stands alone. A window in which no phase is configured is left out.
pub fn group_phases(config: &DatasetConfig) -> Vec<(u8, Vec<u8>)> {
    let Some(window) = config.window else {
        return config
            .phases
            .iter()
            .map(|&phase| (phase, vec![phase]))
            .collect();
    };
    let size = window.size.max(1);
    let mut groups: Vec<(u8, Vec<u8>)> = Vec::new();
    let Some(&first) = config.phases.first() else {
        return groups;
    };
    for &phase in &config.phases {
        let anchor = first + (phase - first) / size * size;
        match groups.last_mut() {
            Some((last, phases)) if *last == anchor => phases.push(phase),
            _ => groups.push((anchor, vec![phase])),
        }
    }
    groups
}

/// The campaigns of a configuration in the order in which they are worked on.
pub(super) fn campaigns(
    config: &DatasetConfig,
    seed: u64,
    enumeration: Option<&Arc<Enumeration>>,
    numbers: Numbers,
    keeps_games: bool,
    book: Option<&Arc<OpeningBook>>,
) -> Vec<Campaign> {
    group_phases(config)
        .into_iter()
        .map(|(anchor, phases)| {
            let (source, game_limit) = match (config.mode, enumeration) {
                (Mode::AllPositions, Some(all)) => {
                    (Source::Enumerated(Arc::clone(all)), all.count(anchor))
                }
                _ => (
                    Source::Playout(StreamKey::new(seed, config.mode.name(), anchor)),
                    config
                        .samples_per_phase
                        .saturating_mul(config.playout.max_attempts_multiplier),
                ),
            };
            Campaign {
                anchor,
                phases,
                source,
                game_limit,
                numbers,
                keeps_games,
                book: book.map(Arc::clone),
            }
        })
        .collect()
}
