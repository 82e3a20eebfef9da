//! The files of a dataset on disk: records, splits, statistics, state. Knows no engine at work and
//! no generator.
//!
//! ```text
//! <output_dir>/
//!   phase_10/  train.rd valid.rd test.rd  run_state.json metadata.json stats.json
//!   window_stats.json  summary.json
//! ```

pub mod blocks;
pub mod counters;
pub mod damage;
pub(crate) mod durable;
mod error;
pub(crate) mod files;
#[cfg(test)]
mod golden_tests;
pub mod import;
pub mod json;
pub mod label;
pub mod layout;
pub mod lock;
pub mod metadata;
pub mod positions;
pub mod record;
pub mod rules;
pub mod run_state;
pub mod scan;
pub mod split;
pub mod stats;
pub mod summary;
pub mod tree;
pub mod value_rules;
pub mod watch;
pub mod window_stats;
pub mod writer;

pub use error::DatasetError;
