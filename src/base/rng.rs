//! The random stream of one game, and the pinned way in which choices are drawn from it.
//!
//! Bytes of a dataset follow from the seed, so nothing here may ever change: the generator is
//! ChaCha with 8 rounds (IETF layout of D. J. Bernstein's cipher), keyed per campaign, with the
//! game's number as its stream. Ranges are drawn by our own multiplication, not by a library's
//! sampling, which may change between releases. Test vectors below pin all of it.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

/// Says which definition of the streams a dataset was made with.
pub const STREAM_DEFINITION: &str = "rdg_game_stream_v1";

/// Key of all games of one phase or window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StreamKey([u8; 32]);

impl StreamKey {
    /// SHA-256 over the definition's name, the seed (8 bytes little-endian), the mode's name, a
    /// zero byte, and the phase or window anchor (1 byte).
    pub fn new(seed: u64, mode: &str, anchor: u8) -> StreamKey {
        let mut hash = Sha256::new();
        hash.update(STREAM_DEFINITION.as_bytes());
        hash.update(seed.to_le_bytes());
        hash.update(mode.as_bytes());
        hash.update([0, anchor]);
        StreamKey(hash.finalize().into())
    }

    /// The stream of game number `game`.
    pub fn game(&self, game: u64) -> GameRng {
        let mut rng = ChaCha8Rng::from_seed(self.0);
        rng.set_stream(game);
        GameRng(rng)
    }
}

/// Random choices of one game.
#[derive(Clone, Debug)]
pub struct GameRng(ChaCha8Rng);

impl GameRng {
    /// A number in `0..n`: the next 32 bits times `n`, upper half. The bias is below n / 2^32.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        ((u64::from(self.0.next_u32()) * u64::from(n)) >> 32) as u32
    }

    /// True with chance `probability` (0..=1): the next 32 bits over 2^32 are below it.
    #[inline]
    pub fn chance(&mut self, probability: f64) -> bool {
        f64::from(self.0.next_u32()) / 4_294_967_296.0 < probability
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_pinned() {
        // Key and draws were computed by an independent implementation in Python (hashlib, and
        // ChaCha8 written from its definition).
        let key = StreamKey::new(42, "normal", 10);
        let hex: String = key.0.iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!(
            hex,
            "5671d03865d4a90f052f83e56cc0b20a0cebb29f63b61728a416b00b5b044335"
        );
        let mut rng = key.game(0);
        let draws: Vec<u32> = (0..16).map(|_| rng.below(1000)).collect();
        assert_eq!(
            draws,
            [
                691, 359, 225, 136, 768, 290, 624, 512, 399, 133, 875, 105, 136, 815, 18, 150
            ]
        );
        let mut rng = key.game(7);
        let draws: Vec<u32> = (0..8).map(|_| rng.below(10)).collect();
        assert_eq!(draws, [3, 8, 3, 1, 4, 9, 5, 3]);
    }

    #[test]
    fn chacha8_is_the_published_cipher() {
        // First block of the zero-key, zero-nonce test vector TC1 for 8 rounds.
        let mut rng = GameRng(ChaCha8Rng::from_seed([0; 32]));
        let first: Vec<u8> = (0..4)
            .flat_map(|_| rng.0.next_u32().to_le_bytes())
            .collect();
        assert_eq!(
            first,
            [
                0x3e, 0x00, 0xef, 0x2f, 0x89, 0x5f, 0x40, 0xd6, 0x7f, 0x5b, 0xb8, 0xe8, 0x1f, 0x09,
                0xa5, 0xa1
            ]
        );
    }

    #[test]
    fn draws_stay_in_range_and_cover_it() {
        let mut rng = StreamKey::new(1, "normal", 1).game(1);
        let mut seen = [false; 7];
        for _ in 0..1000 {
            seen[rng.below(7) as usize] = true;
        }
        assert_eq!(seen, [true; 7]);
        assert!(!(0..1000).any(|_| rng.chance(0.0)));
        assert!((0..1000).all(|_| rng.chance(1.0)));
    }
}
