//! Learning square weights by self-play (temporal differences): from nothing to an evaluation.
//!
//! [`td`] has the update and the sign conventions, [`weights`] the 64 numbers and their symmetry,
//! [`search`] the fast search that games are played with, [`self_play`] a game.

pub mod search;
pub mod self_play;
pub mod td;
pub mod weights;
