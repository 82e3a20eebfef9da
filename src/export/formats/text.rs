//! `text`: a line a position, as Egaroucid's public data and othello-trainer have it.

use super::{AcceptedRule, Exporter, Naming, Piece};
use crate::export::error::ExportError;
use crate::export::row::Row;
use std::io::Write;

/// Records of a file of the public data.
const MAX_RECORDS: u64 = 1_000_000;
/// 64 squares, a blank, a value of up to three characters, a line end.
const LONGEST: usize = 69;

/// Lines of text.
pub(super) struct Text;

impl Exporter for Text {
    fn name(&self) -> &'static str {
        "text"
    }

    fn extension(&self) -> &'static str {
        "txt"
    }

    fn naming(&self) -> Naming {
        Naming::Numbered { digits: 7 }
    }

    fn max_records(&self) -> Option<u64> {
        Some(MAX_RECORDS)
    }

    fn prescribed_rule(&self) -> Option<AcceptedRule> {
        Some(AcceptedRule::WinnerTakesEmpties)
    }

    fn record_spec(&self) -> String {
        "a line a position: 64 characters a1, b1 … h8 (X mover, O opponent, - empty), blank, value for \
         the mover"
            .to_owned()
    }

    fn encode(&self, rows: &[Row]) -> Result<Piece, ExportError> {
        let mut bytes = Vec::with_capacity(rows.len() * LONGEST);
        for row in rows {
            bytes.extend_from_slice(&row.board_text());
            // Writing to memory does not fail.
            let _ = writeln!(bytes, " {}", row.value);
        }
        Ok(Piece::Bytes(bytes))
    }
}
