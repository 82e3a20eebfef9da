//! Pattern weights from data: the values of positions are explained by the sum of one weight for
//! each pattern on the board.
//!
//! The positions are dealt out once into parts of one file, by stage of the game, so that memory
//! stays small however many there are. Each epoch then walks every part in a shuffled order, by
//! stochastic gradient descent on the squared error. What decides a bit of the result (parts, their
//! order, who is averaged with whom) follows from the data alone, never from the number of threads.

mod baseline;
mod descent;
mod error;
mod judge;
mod options;
mod report;
mod run;
mod sources;
mod spool;
mod start;
mod state;
#[cfg(test)]
mod tests;

pub use baseline::{Baseline, SquareSums};
pub use error::FitError;
pub use options::{Existing, FitOptions};
pub use report::{Figures, FitReport, StageReport};
pub use run::{Fitted, Prepared, prepare, run};
