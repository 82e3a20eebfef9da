//! `csv`: a table for people, spreadsheets and R.

use super::{Exporter, Piece};
use crate::export::error::ExportError;
use crate::export::row::{Row, split_name};
use std::io::Write;

/// A board, value, phase and split; more than the longest line.
const LONGEST: usize = 80;

/// Comma-separated values with a header line.
pub(super) struct Csv;

impl Exporter for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn extension(&self) -> &'static str {
        "csv"
    }

    fn tells_split(&self) -> bool {
        true
    }

    fn record_spec(&self) -> String {
        "board (64 characters a1, b1 … h8: X mover, O opponent, - empty), value, phase (discs − 4), split"
            .to_owned()
    }

    fn header(&self, _records: u64) -> Vec<u8> {
        b"board,value,phase,split\n".to_vec()
    }

    fn encode(&self, rows: &[Row]) -> Result<Piece, ExportError> {
        let mut bytes = Vec::with_capacity(rows.len() * LONGEST);
        for row in rows {
            bytes.extend_from_slice(&row.board_text());
            let (phase, split) = (row.phase(), split_name(row.split));
            // Writing to memory does not fail.
            let _ = writeln!(bytes, ",{},{phase},{split}", row.value);
        }
        Ok(Piece::Bytes(bytes))
    }
}
