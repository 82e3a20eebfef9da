//! The work: from a configuration to a dataset.
//!
//! A configuration becomes campaigns (a phase, or the phases of a window). The dispenser hands out
//! games by number, workers play them, each with the random stream of its number, and the
//! collector commits them in order. One thread writes; no lock is held while an engine thinks.

mod balance;
mod campaign;
mod collector;
mod dispenser;
mod error;
mod facts;
mod kept;
pub(crate) mod measure;
mod open;
pub(crate) mod openings;
mod phase;
pub(crate) mod plan;
mod play;
mod playout;
mod prices;
pub(crate) mod repetition;
mod report;
mod run;
pub(crate) mod scores;
mod self_play;
pub(crate) mod settings;
pub(crate) mod shard;
mod timed;
mod worker;

pub use campaign::group_phases;
pub use error::{GenerateError, Unresumable};
pub use facts::ExistingOutput;
pub use prices::prices;
pub use run::{Request, ShardRun, check_existing, run};
