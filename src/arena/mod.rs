//! People and engines at a board: games, matches, analysis, and rdg as an engine for others.

pub mod analyze;
pub mod matches;
pub mod play;
pub mod positions;
pub mod save;
pub mod serve;
