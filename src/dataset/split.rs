//! Which of the three files a sample belongs to: decided by a fixed hash of one position, its own
//! or that at which its game's random part ended, so that a position is judged alike in every run,
//! on every machine, for every seed.

use crate::board::Board;
use crate::config::SplitRatios;
use sha2::{Digest, Sha256};

/// Name of the rule in the output. It is part of the data's meaning and never changes: another
/// rule gets another name.
pub const SPLIT_METHOD: &str = "canonical_own_opponent_sha256_v1";

/// Name of the rule by which the samples of a generated game are together: the split of each is
/// that of the position at which the game's random part ended, by [`SPLIT_METHOD`].
pub const SPLIT_BY_ANCHOR: &str = "game_anchor_canonical_own_opponent_sha256_v1";

/// One of the three files of a phase.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Split {
    /// To learn from.
    Train,
    /// To choose by.
    Valid,
    /// To judge by.
    Test,
}

impl Split {
    /// All, in the order of [`Split::index`].
    pub const ALL: [Split; 3] = [Split::Train, Split::Valid, Split::Test];

    /// 0, 1, 2: its place in every `[_; 3]` of this crate.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `train`, `valid`, `test`.
    pub const fn name(self) -> &'static str {
        match self {
            Split::Train => "train",
            Split::Valid => "valid",
            Split::Test => "test",
        }
    }

    /// `train.rd`, `valid.rd`, `test.rd`.
    pub const fn file_name(self) -> &'static str {
        match self {
            Split::Train => "train.rd",
            Split::Valid => "valid.rd",
            Split::Test => "test.rd",
        }
    }
}

/// The split of a canonical position ([`Board::canonical`]): SHA-256 over its 16 bytes (own,
/// opponent, little-endian), the first 8 bytes of which are a big-endian integer; that divided by
/// 2^64 is compared with `train`, then with `train + valid`.
#[inline]
pub fn split_of(canonical: Board, ratios: &SplitRatios) -> Split {
    Thresholds::new(ratios).split(split_hash(canonical))
}

/// The integer that decides: position in 0..2^64.
#[inline]
pub fn split_hash(canonical: Board) -> u64 {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&canonical.own.to_le_bytes());
    bytes[8..].copy_from_slice(&canonical.opponent.to_le_bytes());
    let digest = Sha256::digest(bytes);
    digest[..8]
        .iter()
        .fold(0, |hash, &byte| hash << 8 | u64::from(byte))
}

/// The shares as integers: compared exactly, where a quotient of floats would round the highest
/// hashes up to 1 and send them past a share of 1.
#[derive(Clone, Copy, Debug)]
pub struct Thresholds {
    train: u128,
    train_and_valid: u128,
}

impl Thresholds {
    /// From shares that sum to 1.
    pub fn new(ratios: &SplitRatios) -> Thresholds {
        // Scaling by a power of two is exact. A share of 0 gets nothing even where the sum of the
        // others is not quite 1.
        let scaled = |share: f64| (share * 18_446_744_073_709_551_616.0) as u128;
        const ALL: u128 = 1 << 64;
        let train = match ratios.valid <= 0.0 && ratios.test <= 0.0 {
            true => ALL,
            false => scaled(ratios.train),
        };
        let train_and_valid = match ratios.test <= 0.0 {
            true => ALL,
            false => scaled(ratios.train + ratios.valid),
        };
        Thresholds {
            train,
            train_and_valid: if ratios.valid <= 0.0 {
                train
            } else {
                train_and_valid
            },
        }
    }

    /// Where a position with this [`split_hash`] belongs.
    #[inline]
    pub fn split(&self, hash: u64) -> Split {
        let hash = u128::from(hash);
        if hash < self.train {
            Split::Train
        } else if hash < self.train_and_valid {
            Split::Valid
        } else {
            Split::Test
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratios(train: f64, valid: f64, test: f64) -> SplitRatios {
        SplitRatios { train, valid, test }
    }

    #[test]
    fn pinned_hashes() {
        // From another program: Python's hashlib.sha256(struct.pack('<QQ', own, opponent)).
        let start = Board::START.canonical();
        assert_eq!((start.own, start.opponent), (0x8_1000_0000, 0x10_0800_0000));
        assert_eq!(split_hash(start), 0x5ca9_0613_32dc_4d68);
        // The four first moves lead to one position, (0x08000000, 0x3810000000).
        for first in ["f5", "d3", "c4", "e6"] {
            let board = Board::START.play(first.parse().unwrap()).unwrap();
            assert_eq!(
                split_hash(board.canonical()),
                0xdc1b_dd8e_51ad_6a32,
                "{first}"
            );
        }
    }

    #[test]
    fn a_share_of_one_takes_everything() {
        for hash in [0, 1, 1 << 63, u64::MAX - 1, u64::MAX] {
            assert_eq!(
                Thresholds::new(&ratios(1.0, 0.0, 0.0)).split(hash),
                Split::Train
            );
            assert_eq!(
                Thresholds::new(&ratios(0.0, 1.0, 0.0)).split(hash),
                Split::Valid
            );
            assert_eq!(
                Thresholds::new(&ratios(0.0, 0.0, 1.0)).split(hash),
                Split::Test
            );
        }
    }

    #[test]
    fn a_share_of_nothing_gets_nothing_even_when_the_others_do_not_quite_sum_to_one() {
        let below_one = 1.0 - 2.0 * f64::EPSILON;
        let by = |r| Thresholds::new(&r).split(u64::MAX);
        assert_eq!(by(ratios(below_one, 0.0, 0.0)), Split::Train);
        assert_eq!(by(ratios(0.5, below_one - 0.5, 0.0)), Split::Valid);
        assert_eq!(by(ratios(0.5, 0.0, 0.5)), Split::Test);
        assert_eq!(
            Thresholds::new(&ratios(0.5, 0.0, 0.5)).split((1 << 63) - 1),
            Split::Train
        );
        assert_eq!(
            Thresholds::new(&ratios(0.5, 0.0, 0.5)).split(1 << 63),
            Split::Test
        );
    }

    #[test]
    fn borders_are_exact() {
        let t = Thresholds::new(&ratios(0.5, 0.25, 0.25));
        assert_eq!(t.split((1 << 63) - 1), Split::Train);
        assert_eq!(t.split(1 << 63), Split::Valid);
        assert_eq!(t.split((3 << 62) - 1), Split::Valid);
        assert_eq!(t.split(3 << 62), Split::Test);
    }
}
