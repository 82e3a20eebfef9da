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

pub(crate) use compare::{CompareRequest, compare};
pub(crate) use error::LabelError;
pub(crate) use labeller::Method;
pub(crate) use run::{LabelRequest, label};
pub(crate) use state::LabelState;

use std::ops::RangeInclusive;

/// Numbers of empty squares.
pub(crate) type Empties = RangeInclusive<u8>;

/// Solving from more empty squares than this takes minutes for one position.
pub(crate) const QUICKLY_SOLVED: u8 = 24;
