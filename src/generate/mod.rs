//! The work: from a configuration to a dataset.

pub mod enumerate;
mod playout;
pub mod rng;
mod self_play;
