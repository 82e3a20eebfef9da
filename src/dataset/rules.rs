//! What every record keeps, whoever made it.

use super::record::Record;
use crate::board::{Board, CENTRE};

/// The largest possible difference: 64 discs to none.
pub const MAX_VALUE: i16 = 64;

/// A rule that a record breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordFault {
    /// A square that both sides hold.
    #[error("{0} squares are held by both sides")]
    Overlap(u32),
    /// Another number of discs than the phase has.
    #[error("{found} discs where the phase has {expected}")]
    Discs {
        /// Discs on the board.
        found: u32,
        /// Phase + 4.
        expected: u32,
    },
    /// Fewer than the four discs that every game begins with.
    #[error("only {0} discs")]
    TooFewDiscs(u32),
    /// An empty square among the four in the middle.
    #[error("an empty square in the centre, where every game has discs from the start")]
    EmptyCentre,
    /// No difference of discs.
    #[error("value {0} is outside -64..64")]
    ValueRange(i16),
    /// The game is over here, and its difference is another.
    #[error("value {found} where the game is over with {expected}")]
    ValueOfFinished {
        /// In the record.
        found: i16,
        /// Counted on the board.
        expected: i16,
    },
    /// In the file of one split, though its position belongs to another.
    #[error("the position belongs into {0}.rd")]
    OtherSplit(&'static str),
    /// Equal to an earlier position of the phase under a symmetry of the board.
    #[error("the position is there before, up to symmetry")]
    Duplicate,
}

/// Checks the rules that cost next to nothing: overlap, discs against the phase where it is known,
/// centre, value range.
#[inline]
pub fn check_record(record: &Record, phase: Option<u8>) -> Result<(), RecordFault> {
    let Record { board, value } = *record;
    let discs = board.discs();
    let discs_fit = match phase {
        Some(phase) => discs == u32::from(phase) + 4,
        None => discs >= 4,
    };
    let fine = board.own & board.opponent == 0
        && discs_fit
        && board.occupied() & CENTRE == CENTRE
        && (-MAX_VALUE..=MAX_VALUE).contains(&value);
    if fine {
        Ok(())
    } else {
        Err(fault(board, value, phase))
    }
}

#[cold]
fn fault(board: Board, value: i16, phase: Option<u8>) -> RecordFault {
    let discs = board.discs();
    let overlap = board.own & board.opponent;
    if overlap != 0 {
        return RecordFault::Overlap(overlap.count_ones());
    }
    match phase.map(|phase| u32::from(phase) + 4) {
        Some(expected) if expected != discs => RecordFault::Discs {
            found: discs,
            expected,
        },
        None if discs < 4 => RecordFault::TooFewDiscs(discs),
        _ if board.occupied() & CENTRE != CENTRE => RecordFault::EmptyCentre,
        _ => RecordFault::ValueRange(value),
    }
}
