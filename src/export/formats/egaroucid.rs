//! `egaroucid`: the board files that Egaroucid's `data_board_to_idx` turns into features.
//!
//! Its bit 63 is a1. Forgetting that turns every board by 180°, a symmetry of the game, so that
//! nothing looks wrong until two sources are mixed.

use super::{AcceptedRule, Exporter, Naming, Piece, fixed};
use crate::export::error::ExportError;
use crate::export::row::Row;

/// Bytes of a record.
const SIZE: usize = 19;
/// Black; the data does not tell who is to move.
const SIDE: u8 = 0;
/// No move.
const NO_POLICY: u8 = 64;

/// 19 bytes a record, no header.
pub(super) struct Egaroucid;

impl Exporter for Egaroucid {
    fn name(&self) -> &'static str {
        "egaroucid"
    }

    fn extension(&self) -> &'static str {
        "dat"
    }

    fn naming(&self) -> Naming {
        Naming::Numbered { digits: 1 }
    }

    fn prescribed_rule(&self) -> Option<AcceptedRule> {
        Some(AcceptedRule::WinnerTakesEmpties)
    }

    fn record_spec(&self) -> String {
        "player u64 LE, opponent u64 LE, bit 63 = a1, bit 0 = h8; side i8 (0 black); policy i8 (square \
         from h8 = 0, 64 none); score i8 for the side to move; no header"
            .to_owned()
    }

    fn invented(&self) -> Vec<&'static str> {
        vec![
            "side: 0 (black) everywhere, the data does not tell it",
            "policy: 64 (none) everywhere, the data does not tell the move",
        ]
    }

    fn encode(&self, rows: &[Row]) -> Result<Piece, ExportError> {
        Ok(fixed::<SIZE>(rows, |row, bytes| {
            bytes[..8].copy_from_slice(&row.board.own.reverse_bits().to_le_bytes());
            bytes[8..16].copy_from_slice(&row.board.opponent.reverse_bits().to_le_bytes());
            bytes[16] = SIDE;
            bytes[17] = NO_POLICY;
            bytes[18] = (row.value as i8).cast_unsigned();
        }))
    }
}
