//! Matches: two players over many games, each opening played twice with the colours swapped.
//!
//! Knows players as [`crate::engine::Engine`] alone, not where they come from.

mod describe;
mod keep;
mod openings;
mod run;
mod statistics;

pub use describe::describe;
pub use keep::GameKeeper;
pub use openings::{MAX_RANDOM_PLIES, opening};
pub use run::{Finished, MatchError, MatchSettings, Outcome, Players, play};
pub use statistics::Statistics;
