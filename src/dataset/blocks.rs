//! Reads files of records in blocks, all threads at once, in memory that does not grow with them.

use super::DatasetError;
use super::record::RECORD_SIZE;
use super::tree::Records;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Records of one read: 1.2 MB, which stay in the cache.
pub(crate) const BLOCK: u64 = 1 << 16;

/// A piece of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Block {
    /// Index of the file.
    pub file: usize,
    /// Number of the first record.
    pub first: u64,
    /// Records, [`BLOCK`] at most.
    pub count: usize,
}

/// The blocks of several files in order, numbered through. It is as small for a file of any size.
#[derive(Clone, Debug)]
pub(crate) struct Blocks {
    /// For each file its records, and the number of the block behind its last one.
    files: Vec<(u64, u64)>,
}

impl Blocks {
    /// Of files with so many records each.
    pub(crate) fn new(counts: impl IntoIterator<Item = u64>) -> Blocks {
        let mut end = 0;
        let files = counts.into_iter().map(|count| {
            end += count.div_ceil(BLOCK);
            (count, end)
        });
        Blocks {
            files: files.collect(),
        }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u64 {
        self.files.last().map_or(0, |(_, end)| *end)
    }

    /// Block number `number`, which is below [`Blocks::count`].
    pub(crate) fn at(&self, number: u64) -> Block {
        let file = self.files.partition_point(|(_, end)| *end <= number);
        let (count, end) = self.files[file];
        let first = (number + count.div_ceil(BLOCK) - end) * BLOCK;
        Block {
            file,
            first,
            count: BLOCK.min(count - first) as usize,
        }
    }

    /// All of them, for all threads.
    pub(crate) fn par_iter(&self) -> impl ParallelIterator<Item = Block> {
        (0..self.count())
            .into_par_iter()
            .map(|number| self.at(number))
    }
}

/// Hands every block of every file to `visit`: memory of the thread's own that `start` made, the
/// file's index, the number of the block's first record, the records. Blocks come in any order and
/// on any thread.
///
/// Gives the first error of each file that could not be read to its end, with its index, ascending;
/// the rest of such a file is left out, the other files are read.
pub(crate) fn for_each_block<T>(
    files: &[&Records],
    start: impl Fn() -> T + Sync + Send,
    visit: impl Fn(&mut T, usize, u64, &[[u8; RECORD_SIZE]]) + Sync,
) -> Vec<(usize, DatasetError)> {
    let failed: Vec<AtomicBool> = files.iter().map(|_| AtomicBool::new(false)).collect();
    let errors = Mutex::new(Vec::new());
    let blocks = Blocks::new(files.iter().map(|records| records.count()));
    blocks.par_iter().for_each_init(
        || (Vec::new(), start()),
        |(buffer, own), block| {
            let Block { file, first, count } = block;
            if failed[file].load(Relaxed) {
                return;
            }
            // Grows once to a whole block, and that only for files that are as long.
            if buffer.len() < count {
                buffer.resize(count, [0; RECORD_SIZE]);
            }
            let records = &mut buffer[..count];
            match files[file].read(first, records) {
                Ok(()) => visit(own, file, first, records),
                Err(error) => {
                    if !failed[file].swap(true, Relaxed) {
                        let mut errors = errors.lock().unwrap_or_else(PoisonError::into_inner);
                        errors.push((file, error));
                    }
                }
            }
        },
    );
    let mut errors = errors.into_inner().unwrap_or_else(PoisonError::into_inner);
    errors.sort_by_key(|(file, _)| *file);
    errors
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::record::MAGIC;
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::Path;

    /// A file whose records hold their own number and nothing else.
    fn numbered(path: &Path, count: u64) -> Records {
        let mut bytes = MAGIC.to_vec();
        for number in 0..count {
            bytes.extend(number.to_le_bytes());
            bytes.extend([0; 10]);
        }
        fs::write(path, bytes).unwrap();
        Records::open(path).unwrap()
    }

    #[test]
    fn blocks_are_numbered_through() {
        let blocks = Blocks::new([0, 3, BLOCK, 0, BLOCK + 1, u64::MAX / 18]);
        let at = |number| {
            let Block { file, first, count } = blocks.at(number);
            (file, first, count as u64)
        };
        let found: Vec<_> = (0..5).map(at).collect();
        let whole = [
            (1, 0, 3),
            (2, 0, BLOCK),
            (4, 0, BLOCK),
            (4, BLOCK, 1),
            (5, 0, BLOCK),
        ];
        assert_eq!(found, whole);
        let (file, first, count) = at(blocks.count() - 1);
        assert_eq!((file, first + count), (5, u64::MAX / 18));
        assert_eq!(Blocks::new([]).count(), 0);
    }

    #[test]
    fn every_record_comes_once_and_with_its_number() {
        let folder = tempfile::tempdir().unwrap();
        let counts = [0, 1, BLOCK, 2 * BLOCK + 3];
        let files = counts.map(|count| numbered(&folder.path().join(count.to_string()), count));
        let files: Vec<&Records> = files.iter().collect();
        let seen = Mutex::new(BTreeMap::new());
        let errors = for_each_block(
            &files,
            || (),
            |(), file, first, records| {
                for (number, record) in (first..).zip(records) {
                    assert_eq!(record[..8], number.to_le_bytes());
                }
                *seen.lock().unwrap().entry(file).or_insert(0) += records.len() as u64;
            },
        );
        assert!(errors.is_empty());
        let seen: Vec<u64> = seen.into_inner().unwrap().into_values().collect();
        assert_eq!(seen, counts[1..]);
    }

    #[test]
    fn a_file_cut_while_it_is_read_costs_only_itself() {
        let folder = tempfile::tempdir().unwrap();
        let (cut, sound) = (folder.path().join("cut.rd"), folder.path().join("sound.rd"));
        let files = [numbered(&cut, 3 * BLOCK), numbered(&sound, 5)];
        fs::write(&cut, MAGIC).unwrap();
        let seen = Mutex::new(Vec::new());
        let errors = for_each_block(
            &[&files[0], &files[1]],
            || (),
            |(), file, _, records| {
                seen.lock().unwrap().push((file, records.len()));
            },
        );
        assert_eq!(*seen.lock().unwrap(), [(1, 5)]);
        assert_eq!(errors.len(), 1);
        assert_eq!(errors[0].0, 0);
        assert!(
            errors[0].1.to_string().contains("cut.rd"),
            "{}",
            errors[0].1
        );
    }
}
