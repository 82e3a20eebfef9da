//! What every room may use: how a run is told to stop, random streams, text for people, locks.
//!
//! Knows no other room.

pub(crate) mod ansi;
pub mod clock;
pub(crate) mod draw;
pub(crate) mod machine;
pub mod rng;
pub(crate) mod shown;
pub(crate) mod signals;
pub mod stop;
pub(crate) mod text;
pub(crate) mod text_table;
pub(crate) mod version;
