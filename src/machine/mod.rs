//! What this computer and its engines can do: examination, set-up, measurements.

pub mod bench;
pub mod doctor;
pub mod setup;
pub mod start_folder;
