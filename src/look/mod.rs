//! Reads datasets and says what is in them: verify, inspect, overlap, report.

pub mod inspect;
pub mod neighbours;
pub mod overlap;
pub mod report;
pub mod verify;
