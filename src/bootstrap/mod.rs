//! From nothing to an evaluation, in rounds: games are played with what is known so far, weights are
//! fitted to them, and the new weights play against the old ones.
//!
//! Every round keeps all that it made: its configuration, its games' positions, its weights, its
//! matches. So each can be made again, or gone on with, by hand.

mod error;
mod files;
mod report;
mod round;
mod run;
mod settings;

pub(crate) use error::BootstrapError;
pub(crate) use report::BootstrapReport;
pub(crate) use run::{Existing, Request, prepare, run};
pub(crate) use settings::Start;
