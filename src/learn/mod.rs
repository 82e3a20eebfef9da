//! Learning square weights by self-play (temporal differences): from nothing to an evaluation.
//!
//! [`td`] has the update and the sign conventions, [`weights`] the 64 numbers and their symmetry,
//! [`search`] the fast search that games are played with, [`self_play`] a game, [`trainer`] the
//! course of epochs, [`check`] whether it helped, [`files`] what lies on disk, [`run`] the whole.
//!
//! **What is chosen where descriptions of the method leave a choice.**
//! - *Point of view*: Black's, for the whole game (see [`td`]; White's gives the same).
//! - *Positions*: those between which the players chose moves. Random opening moves and passes
//!   teach nothing.
//! - *Start*: all weights 0, so that nothing is known that was not learned.
//! - *Openings*: ten random plies. With fewer, games resemble each other and the weights are
//!   noisier; with twenty or more, the squares beside corners look harmless.
//! - *Equal moves*: chance decides in self-play.
//! - *Finished games in the search* count more than any evaluation, more discs are better.
//! - *Rounding*: to the nearest whole number.
//! - *Result*: the average of the weights over the epochs, late ones counting most (see
//!   [`trainer`]); with a constant learning rate the last epoch's weights alone are noisy. The
//!   games are played with the epoch's own weights all the same.

pub(crate) mod check;
mod error;
pub(crate) mod files;
pub(crate) mod player;
pub(crate) mod run;
pub mod search;
pub mod self_play;
pub mod settings;
pub(crate) mod summary;
pub mod td;
pub mod trainer;
pub mod weights;

pub use error::LearnError;
