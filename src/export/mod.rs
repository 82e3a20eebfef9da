//! `rdg export`: the positions of datasets in the formats that trainers read.
//!
//! ```text
//! sources -> reading -> (shuffle: keys, spool) -> files: tasks -> formats: pieces -> writing -> output
//! ```
//!
//! Reading, ordering and encoding use all threads; one thread writes. Memory does not grow with the
//! data, and the same options give the same bytes for any number of threads and any memory.

mod card;
mod error;
mod files;
mod formats;
mod games;
mod keys;
#[cfg(feature = "parquet")]
mod moves;
mod options;
mod output;
mod reading;
mod row;
mod run;
mod sample;
mod shuffle;
mod sidecar;
mod source;
mod spool;
mod work;
mod writing;

pub(crate) use error::ExportError;
pub(crate) use options::{AcceptedRule, ExportOptions, FormatName, Layout};
pub(crate) use run::{ExportReport, run};
