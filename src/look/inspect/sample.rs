//! Single records: by number, or drawn at random.

use crate::dataset::DatasetError;
use crate::dataset::record::{RECORD_SIZE, Record};
use crate::dataset::rules::{RecordFault, check_record};
use crate::dataset::tree::Records;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// One record with the place where it was found.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The file.
    pub path: PathBuf,
    /// Number in the file, from 0.
    pub number: u64,
    /// What it holds.
    pub record: Record,
    /// The rule of the format that it breaks, if it breaks one.
    pub fault: Option<RecordFault>,
}

/// Reads one record. The caller stays within [`Records::count`].
pub fn read(records: &Records, phase: Option<u8>, number: u64) -> Result<Sample, DatasetError> {
    let mut bytes = [[0; RECORD_SIZE]];
    records.read(number, &mut bytes)?;
    let record = Record::decode(&bytes[0]);
    Ok(Sample {
        path: Path::to_owned(records.path()),
        number,
        record,
        fault: check_record(&record, phase).err(),
    })
}

/// `n` different ones of the numbers `0..total`, or all where there are not more, ascending. Every
/// choice of `n` is equally likely but for a bias below total / 2^64; a seed always gives the same.
pub fn draw(total: u64, n: u64, seed: u64) -> Vec<u64> {
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

/// The file of each number when the files' records are numbered through, and its number there.
/// Both are ascending.
pub fn places(counts: &[u64], numbers: &[u64]) -> Vec<(usize, u64)> {
    let mut places = Vec::new();
    let mut numbers = numbers.iter().copied().peekable();
    let mut before = 0;
    for (file, &count) in counts.iter().enumerate() {
        while let Some(number) = numbers.next_if(|&number| number - before < count) {
            places.push((file, number - before));
        }
        before += count;
    }
    places
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

    #[test]
    fn numbers_lead_to_files() {
        let places = places(&[3, 0, 2, 1], &[0, 2, 3, 4, 5]);
        assert_eq!(places, [(0, 0), (0, 2), (2, 0), (2, 1), (3, 0)]);
    }
}
