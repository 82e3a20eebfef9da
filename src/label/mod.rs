//! New values by search for positions that are there: the files of a dataset again, in the same order
//! and the same splits, with what a solver or an engine says of each position. Or a comparison of the
//! old values with the new ones, which is the label error of a dataset.
//!
//! Every position is searched on its own, so its value follows from itself and the labeller alone:
//! the same bytes for any number of threads and however often the work was interrupted.

mod check;
mod compare;
mod difference;
mod error;
mod files;
mod input;
mod labeller;
mod run;
mod state;
mod team;

pub use compare::{CompareRequest, compare};
pub use error::LabelError;
pub use labeller::Method;
pub use run::{LabelRequest, label};
pub use state::LabelState;

use std::ops::RangeInclusive;

/// Numbers of empty squares.
pub type Empties = RangeInclusive<u8>;

/// Solving from more empty squares than this takes minutes for one position.
pub const QUICKLY_SOLVED: u8 = 24;
