//! `neural-reversi`: the game records of that trainer.
//!
//! It learns from the game's result, except from positions whose move was random, where it takes the
//! search's score. Data labelled with scores has no result; its positions are therefore marked as
//! random, or the trainer would learn −128 from each.

use super::{AcceptedRule, Exporter, Piece, fixed};
use crate::export::error::ExportError;
use crate::export::row::Row;

/// Bytes of a record.
const SIZE: usize = 27;
/// No result of the game.
const NO_GAME_SCORE: i8 = i8::MIN;
/// No move.
const NO_MOVE: u8 = 64;

/// 27 bytes a record, no header.
pub(super) struct NeuralReversi {
    /// Whether values are results of games.
    pub is_result: bool,
}

impl Exporter for NeuralReversi {
    fn name(&self) -> &'static str {
        "neural-reversi"
    }

    fn extension(&self) -> &'static str {
        "bin"
    }

    fn prescribed_rule(&self) -> Option<AcceptedRule> {
        Some(AcceptedRule::WinnerTakesEmpties)
    }

    fn record_spec(&self) -> String {
        "player u64 LE, opponent u64 LE (bit 0 = a1), score f32 LE, game_score i8 (-128 none), ply u8 \
         (discs - 4), is_random u8, move u8 (64 none), side u8 (0 black), game_id u16 LE; no header"
            .to_owned()
    }

    fn invented(&self) -> Vec<&'static str> {
        let mut invented = vec![
            "move: 64 (none) everywhere, the data does not tell it",
            "side: 0 (black) everywhere, the data does not tell it",
            "game_id: 0 everywhere, the data does not tell it",
        ];
        invented.push(match self.is_result {
            true => "score: the result of the game, as game_score",
            false => {
                "is_random: 1 everywhere, so that the score is read and not the result, which there is not"
            }
        });
        invented
    }

    fn encode(&self, rows: &[Row]) -> Result<Piece, ExportError> {
        Ok(fixed::<SIZE>(rows, |row, bytes| {
            let game_score = match self.is_result {
                true => row.value as i8,
                false => NO_GAME_SCORE,
            };
            bytes[..8].copy_from_slice(&row.board.own.to_le_bytes());
            bytes[8..16].copy_from_slice(&row.board.opponent.to_le_bytes());
            bytes[16..20].copy_from_slice(&f32::from(row.value).to_le_bytes());
            bytes[20] = game_score.cast_unsigned();
            bytes[21] = row.phase();
            bytes[22] = u8::from(!self.is_result);
            bytes[23] = NO_MOVE;
            // Side and game: zero.
        }))
    }
}
