//! Kept games: every committed game of a campaign (a phase, or a window) in the order of numbers.
//!
//! ```text
//! <output_dir>/
//!   games_10/  games.rdg games_state.json
//! ```
//!
//! One file per campaign, named by the ply at which its games' random part ends. A game is a block
//! of its own, with a checksum of its own, so that the bytes of a file follow from its games alone:
//! neither checkpoints nor interruptions show in them, and damage costs the games that it touches.

mod block;
mod check;
mod error;
mod file;
mod game;
mod layout;
mod recording;
mod replay;
mod state;
mod writer;

pub use block::{FORMAT, MAGIC, MAX_BLOCK, decode, encode};
pub use check::sound_part;
pub use error::GamesError;
pub use file::{Batch, Damage, GamesFile, Item};
pub use game::{Ending, KeptGame, Score};
pub use layout::{GamesDir, find_games};
pub use recording::{Reached, Recording, Sample, Told};
pub use replay::{ReplayFault, ReplayTally, replay};
pub use state::{EndingCounts, GAMES_STATE_SCHEMA, GamesState};
pub use writer::GamesWriter;
