//! What a run tells about itself, and who shows it. Knows no generator.

mod event;

pub use event::*;
