//! Reads datasets and says what is in them: verify, inspect, overlap, report.

pub mod inspect;
pub(crate) mod neighbours;
pub mod overlap;
mod partitions;
pub(crate) mod report;
pub mod verify;
