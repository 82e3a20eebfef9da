//! What this computer and its engines can do: examination, set-up, measurements.

pub(crate) mod bench;
pub(crate) mod doctor;
pub(crate) mod setup;
pub(crate) mod start_folder;
