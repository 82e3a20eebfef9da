//! `--sample N`: the N records with the smallest keys, found without holding them.

use super::keys::Keys;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Leading bits of a key by which it is counted.
const BITS: u32 = 16;
/// Keys computed at once.
const RUN: usize = 1 << 13;

/// Which records are in the sample.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Chosen {
    /// There are no more than asked for.
    All,
    /// Those up to this key, and this number where keys are equal.
    UpTo(u64, u64),
}

impl Chosen {
    /// Whether the record of this key and number is in it.
    #[inline]
    pub(super) fn has(&self, key: u64, number: u64) -> bool {
        match *self {
            Chosen::All => true,
            Chosen::UpTo(last, tie) => key < last || (key == last && number <= tie),
        }
    }

    /// Chooses `wanted` records. `visit` hands runs of consecutive numbers, [`u64`] first and
    /// length, of every record that may be chosen to its argument, on any thread, and does so
    /// twice: once to count, once to find the last key.
    ///
    /// # Errors
    /// Those of `visit`.
    pub(super) fn draw<E>(
        keys: &Keys,
        wanted: u64,
        visit: impl Fn(&(dyn Fn(u64, usize) + Sync)) -> Result<(), E>,
    ) -> Result<Chosen, E> {
        let counts: Vec<AtomicU64> = (0..1 << BITS).map(|_| AtomicU64::new(0)).collect();
        visit(&|first, length| {
            each_key(keys, first, length, |key, _| {
                counts[(key >> (64 - BITS)) as usize].fetch_add(1, Relaxed);
            });
        })?;
        let mut before = 0;
        let mut counts = counts.into_iter().map(AtomicU64::into_inner);
        let Some(slice) = counts.position(|count| {
            let is_here = before + count >= wanted;
            if !is_here {
                before += count;
            }
            is_here
        }) else {
            return Ok(Chosen::All);
        };
        let found = Mutex::new(Vec::new());
        visit(&|first, length| {
            each_key(keys, first, length, |key, number| {
                if (key >> (64 - BITS)) as usize == slice {
                    let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                    found.push((key, number));
                }
            });
        })?;
        let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.sort_unstable();
        // `wanted` is at least 1, and `before` is below it.
        let last = (wanted - before - 1) as usize;
        Ok(found
            .get(last)
            .map_or(Chosen::All, |&(key, number)| Chosen::UpTo(key, number)))
    }
}

fn each_key(keys: &Keys, first: u64, length: usize, mut each: impl FnMut(u64, u64)) {
    let mut drawn = [0; RUN];
    let mut done = 0;
    while done < length {
        let run = RUN.min(length - done);
        let start = first + done as u64;
        keys.fill(start, &mut drawn[..run]);
        for (&key, number) in drawn[..run].iter().zip(start..) {
            each(key, number);
        }
        done += run;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(total: u64, wanted: u64, seed: u64) -> Vec<u64> {
        let keys = Keys::new("sample", seed);
        let chosen = Chosen::draw(&keys, wanted, |run| {
            let (mut first, step) = (0, 777);
            while first < total {
                run(first, step.min(total - first) as usize);
                first += step;
            }
            Ok::<(), ()>(())
        })
        .unwrap();
        let mut all = vec![0; total as usize];
        keys.fill(0, &mut all);
        (0..total)
            .filter(|&n| chosen.has(all[n as usize], n))
            .collect()
    }

    #[test]
    fn exactly_as_many_as_asked_for_and_a_larger_sample_holds_the_smaller() {
        for (total, wanted) in [
            (1, 1),
            (10, 3),
            (10_000, 1),
            (10_000, 4321),
            (10_000, 10_000),
        ] {
            assert_eq!(
                drawn(total, wanted, 5).len() as u64,
                wanted,
                "{wanted} of {total}"
            );
        }
        assert_eq!(drawn(100, 500, 5).len(), 100);
        let (few, many) = (drawn(5000, 50, 9), drawn(5000, 600, 9));
        assert!(few.iter().all(|n| many.contains(n)));
        assert_ne!(drawn(5000, 50, 10), few);
    }

    #[test]
    fn every_part_of_the_data_has_its_share() {
        let sample = drawn(100_000, 10_000, 3);
        let early = sample.iter().filter(|&&n| n < 50_000).count();
        // 5000 with a standard deviation of 47.
        assert!(early.abs_diff(5000) < 300, "{early}");
    }
}
