//! Numbers drawn without putting back.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::collections::BTreeSet;

/// `n` different ones of the numbers `0..total`, or all where there are not more, ascending. Every
/// choice of `n` is equally likely but for a bias below total / 2^64; a seed always gives the same.
pub(crate) fn draw(total: u64, n: u64, seed: u64) -> Vec<u64> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut drawn = BTreeSet::new();
    // Floyd's way: n draws, and no memory but that of the result.
    for top in total.saturating_sub(n)..total {
        let number = below(&mut rng, top + 1);
        if !drawn.insert(number) {
            drawn.insert(top);
        }
    }
    drawn.into_iter().collect()
}

/// A number in `0..n`: 64 bits times `n`, upper half.
fn below(rng: &mut ChaCha8Rng, n: u64) -> u64 {
    ((u128::from(rng.next_u64()) * u128::from(n)) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_different_in_range_and_repeatable() {
        for (total, n, expected) in [(0, 5, 0), (3, 5, 3), (5, 5, 5), (1000, 20, 20), (1, 1, 1)] {
            let drawn = draw(total, n, 9);
            assert_eq!(drawn.len(), expected);
            assert!(drawn.is_sorted_by(|a, b| a < b));
            assert!(drawn.iter().all(|&number| number < total));
            assert_eq!(draw(total, n, 9), drawn);
        }
        assert_ne!(draw(1 << 40, 10, 1), draw(1 << 40, 10, 2));
    }

    #[test]
    fn every_number_is_drawn_about_equally_often() {
        let mut counts = [0_u32; 10];
        for seed in 0..10_000 {
            for number in draw(10, 3, seed) {
                counts[number as usize] += 1;
            }
        }
        // 3000 expected each, with a standard deviation of 46.
        assert!(
            counts.iter().all(|n| n.abs_diff(3000) < 46 * 5),
            "{counts:?}"
        );
    }
}
