//! One sample of an `.rd` file (`rdgbitboard_v1`): 18 bytes, little-endian.

use crate::board::Board;

/// Name of the format.
pub const FORMAT: &str = "rdgbitboard_v1";

/// The first bytes of every `.rd` file.
pub const MAGIC: &[u8; 10] = b"RDGBBVAL1\n";

/// Bytes of one record.
pub const RECORD_SIZE: usize = 18;

/// The record in words, for metadata.json.
pub const RECORD_SPEC: &str = "own u64 LE, opponent u64 LE, value i16 LE; bit 0 = a1, bit 7 = h1, \
                               bit 63 = h8; own = discs of the side to move; value = final disc \
                               difference seen from the side to move";

/// A position and the final disc difference of its game, both seen from the side to move.
///
/// ```
/// use rdg::board::Board;
/// use rdg::dataset::record::Record;
///
/// let record = Record { board: Board::START, value: -2 };
/// let bytes: [u8; 18] = record.encode();
/// assert_eq!(bytes[16..], (-2i16).to_le_bytes());
/// assert_eq!(Record::decode(&bytes), record);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Record {
    /// The position.
    pub board: Board,
    /// Final disc difference, own − opponent, −64..=64.
    pub value: i16,
}

impl Record {
    /// The bytes on disk.
    #[inline]
    pub fn encode(&self) -> [u8; RECORD_SIZE] {
        let mut bytes = [0; RECORD_SIZE];
        bytes[..8].copy_from_slice(&self.board.own.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.board.opponent.to_le_bytes());
        bytes[16..].copy_from_slice(&self.value.to_le_bytes());
        bytes
    }

    /// The record that these bytes hold. Every 18 bytes are one; whether it keeps the rules is
    /// [`super::rules`]' business.
    #[inline]
    pub fn decode(bytes: &[u8; RECORD_SIZE]) -> Record {
        let [a, b, c, d, e, f, g, h, rest @ ..] = *bytes;
        let [i, j, k, l, m, n, o, p, low, high] = rest;
        Record {
            board: Board {
                own: u64::from_le_bytes([a, b, c, d, e, f, g, h]),
                opponent: u64::from_le_bytes([i, j, k, l, m, n, o, p]),
            },
            value: i16::from_le_bytes([low, high]),
        }
    }
}

/// Bytes of a file with this many records; `None` where no file can be as large.
pub fn file_size(records: u64) -> Option<u64> {
    records
        .checked_mul(RECORD_SIZE as u64)?
        .checked_add(MAGIC.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn golden_bytes() {
        // After f5 from the start position: White, to move, keeps d4 (bit 27); Black holds
        // e4, d5, e5, f5 (bits 28, 35, 36, 37).
        let board = Board::START.play("f5".parse().unwrap()).unwrap();
        let record = Record { board, value: -2 };
        let expected = [
            0, 0, 0, 0x08, 0, 0, 0, 0, // own
            0, 0, 0, 0x10, 0x38, 0, 0, 0, // opponent
            0xfe, 0xff,
        ];
        assert_eq!(record.encode(), expected);
        assert_eq!(Record::decode(&expected), record);
        assert_eq!(file_size(0), Some(10));
        assert_eq!(file_size(3), Some(64));
        assert_eq!(file_size(u64::MAX / 4), None);
    }

    proptest! {
        #[test]
        fn any_bytes_go_round(bytes: [u8; RECORD_SIZE]) {
            prop_assert_eq!(Record::decode(&bytes).encode(), bytes);
        }
    }
}
