//! The files of a dataset on disk: records, splits, statistics, state. Knows no engine at work and
//! no generator.
//!
//! ```text
//! <output_dir>/
//!   phase_10/  train.rd valid.rd test.rd  run_state.json metadata.json stats.json
//!   window_stats.json  summary.json
//! ```
//!
//! Writing the records of a phase, and reading them back:
//!
//! ```
//! use rdg::board::Game;
//! use rdg::dataset::{layout::PhaseDir, record::Record, scan, split::Split, writer::PhaseWriter};
//!
//! # let folder = tempfile::tempdir()?;
//! # let output_dir = folder.path();
//! let phase = PhaseDir::new(output_dir, 3);
//! let board = Game::from_move_text("f5d6c3")?.board();
//!
//! let mut writer = PhaseWriter::create(&phase)?;
//! writer.append(Split::Train, &Record { board, value: 4 })?;
//! writer.sync()?;
//!
//! let counts = scan::count_records(&phase)?;
//! assert_eq!(counts, [1, 0, 0]);
//! scan::for_each_record(&phase.records(Split::Train), counts[0], |record, number| {
//!     assert_eq!((record.board, record.value, number), (board, 4, 0));
//!     Ok(())
//! })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod blocks;
pub mod counters;
pub(crate) mod damage;
pub(crate) mod durable;
mod error;
pub(crate) mod files;
#[cfg(test)]
mod golden_tests;
pub(crate) mod import;
pub mod json;
pub(crate) mod label;
pub mod layout;
pub(crate) mod lock;
pub mod metadata;
pub mod positions;
pub mod record;
pub(crate) mod rules;
pub mod run_state;
pub mod scan;
pub mod split;
pub mod stats;
pub mod summary;
pub mod tree;
pub(crate) mod value_rules;
pub mod watch;
pub mod window_stats;
pub mod writer;

pub use error::DatasetError;
