//! `raw`: the records of `.rd` without a header, for loaders that cast a file to structs.

use super::{Exporter, Piece};
use crate::dataset::record::{RECORD_SIZE, RECORD_SPEC, Record};
use crate::export::error::ExportError;
use crate::export::row::Row;

/// Records of 18 bytes or more; what is more is zero.
pub(super) struct Raw {
    /// Bytes of a record.
    pub size: usize,
}

impl Exporter for Raw {
    fn name(&self) -> &'static str {
        "raw"
    }

    fn extension(&self) -> &'static str {
        "bin"
    }

    fn record_spec(&self) -> String {
        match self.size - RECORD_SIZE {
            0 => format!("{RECORD_SPEC}; no header"),
            zeros => format!("{RECORD_SPEC}; then {zeros} zero bytes; no header"),
        }
    }

    fn encode(&self, rows: &[Row]) -> Result<Piece, ExportError> {
        let mut bytes = vec![0; rows.len() * self.size];
        for (row, place) in rows.iter().zip(bytes.chunks_exact_mut(self.size)) {
            let record = Record {
                board: row.board,
                value: row.value,
            };
            place[..RECORD_SIZE].copy_from_slice(&record.encode());
        }
        Ok(Piece::Bytes(bytes))
    }
}
