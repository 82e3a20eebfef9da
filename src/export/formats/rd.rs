//! `rd`: rdg's own files.

use super::{Exporter, Layout, Piece, fixed};
use crate::dataset::record::{MAGIC, RECORD_SPEC, Record};
use crate::export::error::ExportError;
use crate::export::row::Row;

/// 10 bytes of header, 18 bytes a record.
pub(super) struct Rd;

impl Exporter for Rd {
    fn name(&self) -> &'static str {
        "rd"
    }

    fn extension(&self) -> &'static str {
        "rd"
    }

    fn layout(&self) -> Layout {
        Layout::Phase
    }

    fn record_spec(&self) -> String {
        format!("after a header of 10 bytes: {RECORD_SPEC}")
    }

    fn header(&self, _records: u64) -> Vec<u8> {
        MAGIC.to_vec()
    }

    fn encode(&self, rows: &[Row]) -> Result<Piece, ExportError> {
        Ok(fixed(rows, |row, bytes| {
            *bytes = Record {
                board: row.board,
                value: row.value,
            }
            .encode();
        }))
    }
}
