//! What every record keeps, whoever made it.

use super::record::{MAGIC, Record};
use crate::board::{Board, CENTRE};

/// The largest possible difference: 64 discs to none.
pub(crate) const MAX_VALUE: i16 = 64;

/// A rule that a record breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordFault {
    /// The beginning of a file in the middle of one.
    #[error(
        "another header stands here, as if two files had been put together as they are; take the \
         second one's away: (cat first.rd; tail -c +11 second.rd) > both.rd"
    )]
    SecondHeader,
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
    /// A disc that no chain of neighbours joins to the centre, where each new disc is put beside
    /// others.
    #[error("{0} discs apart from all others, where every game grows from the centre")]
    Apart(u32),
    /// The game is over here, and its difference is another.
    #[error("value {found}, but the game is over here with {expected}")]
    ValueOfFinished {
        /// In the record.
        found: i16,
        /// Counted on the board.
        expected: i16,
    },
    /// Hardly any empty squares, and no way to fill them ends with this value.
    #[error("value {found}, which no play to the end reaches")]
    ValueUnreachable {
        /// In the record.
        found: i16,
    },
    /// Discs that can never be turned make the value impossible.
    #[error("value {found}, but discs that can never be turned leave {lowest}..{highest} possible")]
    ValueAgainstSafeDiscs {
        /// In the record.
        found: i16,
        /// The smallest possible value.
        lowest: i16,
        /// The largest possible value.
        highest: i16,
    },
    /// All 64 squares are counted, so the difference is even.
    #[error("value {0} is odd, which it cannot be when the winner takes the empty squares")]
    OddValue(i16),
    /// No game leads here.
    #[error("no game reaches this position in as many moves")]
    Unreachable,
    /// In the file of one split, though its position belongs to another.
    #[error("the position belongs in {0}.rd")]
    OtherSplit(&'static str),
    /// Equal to an earlier position of the phase under a symmetry of the board.
    #[error("the position is there before, up to symmetry")]
    Duplicate,
}

/// Checks the rules that cost next to nothing: overlap, discs against the phase where it is known,
/// centre, value range.
#[inline]
pub(crate) fn check_record(record: &Record, phase: Option<u8>) -> Result<(), RecordFault> {
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
    if (Record { board, value }).encode().starts_with(MAGIC) {
        return RecordFault::SecondHeader;
    }
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

/// Discs that no chain of neighbours (eight ways) joins to the centre; 0 in every game from the
/// start position.
pub(crate) fn apart(occupied: u64) -> u64 {
    let mut joined = occupied & CENTRE;
    loop {
        let more = beside(joined) & occupied;
        if more == joined {
            return occupied & !joined;
        }
        joined = more;
    }
}

/// A set with all its neighbours.
#[inline(always)]
pub(crate) fn beside(set: u64) -> u64 {
    let row = set | (set & 0x7f7f_7f7f_7f7f_7f7f) << 1 | (set & 0xfefe_fefe_fefe_fefe) >> 1;
    row | row << 8 | row >> 8
}
