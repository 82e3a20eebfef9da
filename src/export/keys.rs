//! The random key of every record: what decides its place in a shuffle and whether it is in a
//! sample. A key follows from the seed and the record's number alone, so that the result is the
//! same for any number of threads and any memory.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

/// Names the definition of the keys; another one gets another name.
pub(super) const KEY_DEFINITION: &str = "rdg_export_keys_v1";

/// Words of 32 bits that one key takes.
const WORDS: u128 = 2;

/// The keys for one purpose and seed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Keys([u8; 32]);

impl Keys {
    /// SHA-256 over the definition's name, the purpose, a zero byte and the seed (8 bytes
    /// little-endian) is the key of a ChaCha stream of 8 rounds; key `n` is its 64-bit word `n`.
    pub(super) fn new(purpose: &str, seed: u64) -> Keys {
        let mut hash = Sha256::new();
        hash.update(KEY_DEFINITION.as_bytes());
        hash.update(purpose.as_bytes());
        hash.update([0]);
        hash.update(seed.to_le_bytes());
        Keys(hash.finalize().into())
    }

    /// The keys of the numbers from `first` on.
    pub(super) fn fill(&self, first: u64, keys: &mut [u64]) {
        let mut rng = ChaCha8Rng::from_seed(self.0);
        rng.set_word_pos(u128::from(first) * WORDS);
        for key in keys {
            *key = rng.next_u64();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_the_same_wherever_the_reading_begins() {
        let keys = Keys::new("shuffle", 7);
        let mut all = [0; 300];
        keys.fill(0, &mut all);
        for first in [1, 2, 31, 32, 33, 255] {
            let mut part = [0; 40];
            keys.fill(first, &mut part);
            assert_eq!(part[..], all[first as usize..first as usize + 40]);
        }
        let mut other = [0; 300];
        Keys::new("sample", 7).fill(0, &mut other);
        assert!(all.iter().zip(&other).all(|(a, b)| a != b));
    }

    #[test]
    fn keys_are_spread_evenly() {
        let mut keys = vec![0; 1 << 16];
        Keys::new("shuffle", 1).fill(0, &mut keys);
        let mut counts = [0_u32; 16];
        for key in keys {
            counts[(key >> 60) as usize] += 1;
        }
        // 4096 each with a standard deviation of 62.
        assert!(counts.iter().all(|n| n.abs_diff(4096) < 400), "{counts:?}");
    }
}
