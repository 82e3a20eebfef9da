//! Reads datasets and says what is in them: verify, inspect, overlap.

pub mod inspect;
pub mod overlap;
pub mod report;
pub mod verify;
