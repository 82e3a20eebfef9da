//! One epoch of stochastic gradient descent over a stage.
//!
//! The parts of a stage are dealt to at most sixteen shards. Each shard starts from the same
//! weights and walks through its parts alone; then each weight becomes the mean of the shards',
//! weighed by how often each shard met it. With little data there is one shard, and nothing is
//! averaged. How many shards there are follows from the data, and all sums are made in a fixed
//! order: threads only decide who computes what first.

use super::FitError;
use super::spool::Spool;
use crate::base::stop::Stop;
use crate::dataset::record::Record;
use crate::dataset::split::Split;
use crate::engine::builtin::patterns::Layout;
use rayon::prelude::*;

/// The most shards of a stage.
const MOST_SHARDS: u64 = 16;

/// What every pass needs.
pub(super) struct Descent<'a> {
    pub(super) spool: &'a Spool,
    pub(super) layout: &'a Layout,
    pub(super) stop: &'a Stop,
    /// Hears how many positions were seen.
    pub(super) seen: &'a (dyn Fn(u64) + Sync),
}

/// How far weights move.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// From 0.
    pub(super) epoch: u32,
    /// Share of the error.
    pub(super) rate: f32,
}

/// What a shard or a stage came to.
pub(super) struct Moved {
    pub(super) weights: Vec<f32>,
    /// Sum of the squared errors met on the way.
    pub(super) squares: f64,
}

struct Shard {
    moved: Moved,
    /// How often each weight was met; empty where there is one shard.
    met: Vec<u32>,
}

impl Descent<'_> {
    /// How often each weight occurs in a stage.
    pub(super) fn occurrences(&self, stage: usize) -> Result<Vec<u32>, FitError> {
        let mut counts = vec![0u32; self.layout.weights()];
        let mut rows = Vec::new();
        let mut features = vec![0; self.layout.features()];
        for part in 0..self.spool.decks[Split::Train.index()][stage].parts() {
            self.check_stop()?;
            self.spool.read(Split::Train, stage, part, &mut rows)?;
            for row in &rows {
                self.layout.fill(Record::decode(row).board, &mut features);
                for &feature in &features {
                    let count = &mut counts[feature as usize];
                    *count = count.saturating_add(1);
                }
            }
        }
        Ok(counts)
    }

    /// One epoch of a stage. `pull` draws each weight towards 0.
    pub(super) fn stage(
        &self,
        stage: usize,
        weights: &[f32],
        pull: &[f32],
        step: Step,
    ) -> Result<Moved, FitError> {
        let parts = self.spool.decks[Split::Train.index()][stage].parts();
        let shards = parts.min(MOST_SHARDS);
        let walk = |shard: u64| self.shard(stage, (shard, shards), weights, pull, step);
        if shards == 1 {
            return walk(0).map(|shard| shard.moved);
        }
        let walked: Result<Vec<Shard>, FitError> = (0..shards).into_par_iter().map(walk).collect();
        Ok(mean(weights, &walked?))
    }

    fn shard(
        &self,
        stage: usize,
        (shard, shards): (u64, u64),
        weights: &[f32],
        pull: &[f32],
        step: Step,
    ) -> Result<Shard, FitError> {
        let deck = self.spool.decks[Split::Train.index()][stage];
        let mut random = Random::new(stage as u64, shard, step.epoch);
        let mut parts: Vec<u64> = (shard..deck.parts()).step_by(shards as usize).collect();
        random.shuffle(&mut parts);
        let mut weights = weights.to_vec();
        let mut met = match shards {
            1 => Vec::new(),
            _ => vec![0u32; weights.len()],
        };
        let mut features = vec![0; self.layout.features()];
        let (mut rows, mut squares) = (Vec::new(), 0.0);
        for part in parts {
            self.check_stop()?;
            self.spool.read(Split::Train, stage, part, &mut rows)?;
            random.shuffle(&mut rows);
            for row in &rows {
                let record = Record::decode(row);
                self.layout.fill(record.board, &mut features);
                let sum: f32 = features.iter().map(|&f| weights[f as usize]).sum();
                let error = f32::from(record.value) - sum;
                squares += f64::from(error) * f64::from(error);
                for &feature in &features {
                    let weight = &mut weights[feature as usize];
                    *weight += step.rate * error - pull[feature as usize] * *weight;
                }
                if !met.is_empty() {
                    for &feature in &features {
                        met[feature as usize] += 1;
                    }
                }
            }
            (self.seen)(rows.len() as u64);
        }
        let moved = Moved { weights, squares };
        Ok(Shard { moved, met })
    }

    pub(super) fn check_stop(&self) -> Result<(), FitError> {
        match self.stop.is_requested() {
            true => Err(FitError::Stopped),
            false => Ok(()),
        }
    }
}

/// The shards' weights, each weighed by how often it was met.
fn mean(before: &[f32], shards: &[Shard]) -> Moved {
    let of = |(at, &before): (usize, &f32)| {
        let (mut sum, mut met) = (0.0, 0.0);
        for shard in shards {
            let times = f64::from(shard.met[at]);
            sum += times * (f64::from(shard.moved.weights[at]) - f64::from(before));
            met += times;
        }
        match met > 0.0 {
            true => (f64::from(before) + sum / met) as f32,
            false => before,
        }
    };
    Moved {
        weights: before.iter().enumerate().map(of).collect(),
        squares: shards.iter().map(|shard| shard.moved.squares).sum(),
    }
}

/// The generator SplitMix64 (Steele, Lea, Flood 2014), begun by what is shuffled.
struct Random(u64);

impl Random {
    fn new(stage: u64, shard: u64, epoch: u32) -> Random {
        let mut random = Random(stage << 48 ^ shard << 40 ^ u64::from(epoch));
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Fisher and Yates' shuffle.
    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = (u128::from(self.next()) * (last as u128 + 1)) >> 64;
            items.swap(last, other as usize);
        }
    }
}
