//! Matches: two players over many games, each opening played twice with the colours swapped.
//!
//! Knows players as [`crate::engine::Engine`] alone, not where they come from.

mod describe;
mod keep;
mod openings;
mod run;
mod statistics;

pub(crate) use describe::describe;
pub(crate) use keep::GameKeeper;
pub(crate) use openings::{MAX_RANDOM_PLIES, opening};
pub(crate) use run::{Finished, MatchError, MatchSettings, Outcome, Players, play};
pub(crate) use statistics::Statistics;
