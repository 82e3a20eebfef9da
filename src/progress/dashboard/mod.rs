//! The dashboard: a frame of rows that is redrawn in place.
//!
//! [`frame`] composes rows from counters and a size with a [`pen`], [`screen`] puts them on the terminal, [`bar`]
//! draws a bar, [`job_control`] tells of Ctrl+Z, of coming back, and of a changed size.

mod bar;
mod frame;
mod job_control;
mod pen;
mod screen;
mod warnings;
mod windows;

pub(super) use frame::{Ending, View, compose};
pub(super) use job_control::{Change, Watch, watch};
pub(super) use pen::Look;
pub(super) use screen::Screen;
pub(super) use warnings::Warnings;
