//! What a run tells about itself, and who shows it. Knows no generator.
//!
//! A run changes counters and emits events through [`Progress`]; [`Display`] shows them as a
//! dashboard, as lines or as JSON Lines on stderr.

mod dashboard;
mod display;
mod estimate;
mod event;
mod fatal;
mod json;
mod lines;
mod log;
pub mod logging;
mod move_times;
mod numbers;
mod panics;
mod renderer;
mod stderr;

pub use display::{Display, DisplayOptions, Style};
pub use estimate::{Estimate, Estimator, expected_games};
pub use event::*;
pub use fatal::print_fatal;
pub use move_times::{GameTimes, MoveTimes};
