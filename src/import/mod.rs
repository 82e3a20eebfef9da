//! Games that others played become a dataset.
//!
//! The way of one game: [`reading`] cuts the files into raw games in a thread of its own;
//! [`positions`] parses, replays and selects on all processors; [`spool`] keeps the positions of
//! each phase in a temporary file in the order of the games; [`merge`] then takes one phase after
//! the other, finds the distinct positions and their values, and writes the phase; [`stage`] moves
//! the finished phases to their place all at once. What is held in memory does not grow with the
//! number of games, and what comes out does not depend on the number of threads.

mod error;
mod files;
mod filter;
mod inputs;
mod merge;
mod options;
mod parts;
mod positions;
mod reading;
mod run;
mod spool;
mod stage;
mod table;
mod tally;

pub use error::ImportError;
pub use filter::{Filter, parse_years};
pub use options::{Duplicates, ImportOptions, Unfinished, Values, parse_phases, parse_split};
pub use run::{ImportReport, run};
pub use tally::{BadGame, Tally};
