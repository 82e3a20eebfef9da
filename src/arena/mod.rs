//! People and engines at a board: games, matches, analysis, and rdg as an engine for others.

pub(crate) mod analyze;
pub(crate) mod matches;
pub(crate) mod play;
pub mod positions;
pub(crate) mod save;
pub mod serve;
