//! The records of a shuffle between its two passes: in buckets by their keys, in pages of one
//! temporary file. A bucket's last page stays in memory, so small data never touches the disk.

use super::error::ExportError;
use super::row::Row;
use crate::board::Board;
use crate::dataset::split::Split;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Key, own, opponent, value, split.
pub(super) const ENTRY: usize = 26;
/// Written where a row has no split.
const NO_SPLIT: u8 = u8::MAX;

/// A row with the key that decides its place. Rows with equal keys are ordered by what they are,
/// so that the order never depends on who came first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Keyed {
    key: u64,
    own: u64,
    opponent: u64,
    value: i8,
    split: u8,
}

/// The buckets.
pub(super) struct Spool {
    path: PathBuf,
    file: File,
    end: AtomicU64,
    page: usize,
    buckets: Vec<Mutex<Bucket>>,
}

#[derive(Default)]
struct Bucket {
    /// Where its full pages are.
    pages: Vec<u64>,
    rest: Vec<u8>,
}

impl Keyed {
    /// A row and its key.
    pub(super) fn new(key: u64, row: &Row) -> Keyed {
        Keyed {
            key,
            own: row.board.own,
            opponent: row.board.opponent,
            // −64..=64, checked when it was read.
            value: row.value as i8,
            split: row.split.map_or(NO_SPLIT, |split| split.index() as u8),
        }
    }

    /// The row without its key.
    pub(super) fn row(&self) -> Row {
        Row {
            board: Board {
                own: self.own,
                opponent: self.opponent,
            },
            value: i16::from(self.value),
            split: Split::ALL.get(usize::from(self.split)).copied(),
        }
    }

    fn encode(&self, bytes: &mut Vec<u8>) {
        let mut entry = [0; ENTRY];
        entry[..8].copy_from_slice(&self.key.to_le_bytes());
        entry[8..16].copy_from_slice(&self.own.to_le_bytes());
        entry[16..24].copy_from_slice(&self.opponent.to_le_bytes());
        entry[24] = self.value.cast_unsigned();
        entry[25] = self.split;
        bytes.extend_from_slice(&entry);
    }

    fn decode(entry: &[u8; ENTRY]) -> Keyed {
        let word = |at: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&entry[at..at + 8]);
            u64::from_le_bytes(word)
        };
        Keyed {
            key: word(0),
            own: word(8),
            opponent: word(16),
            value: entry[24].cast_signed(),
            split: entry[25],
        }
    }
}

impl Spool {
    /// With so many buckets and pages of about so many bytes. The file has no name: it is gone
    /// with the process, whatever ends it.
    pub(super) fn create(folder: &Path, buckets: usize, page: usize) -> Result<Spool, ExportError> {
        let path = folder.to_owned();
        let file = tempfile::tempfile_in(folder).map_err(ExportError::io("spool to", folder))?;
        Ok(Spool {
            path,
            file,
            end: AtomicU64::new(0),
            page: (page / ENTRY).max(1) * ENTRY,
            buckets: (0..buckets).map(|_| Mutex::default()).collect(),
        })
    }

    /// Puts rows into a bucket, from any thread.
    pub(super) fn push(&self, bucket: usize, rows: &[Keyed]) -> Result<(), ExportError> {
        let mut bucket = self.buckets[bucket]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        for row in rows {
            row.encode(&mut bucket.rest);
            if bucket.rest.len() == self.page {
                let at = self.end.fetch_add(self.page as u64, Relaxed);
                self.file
                    .write_all_at(&bucket.rest, at)
                    .map_err(ExportError::io("spool to", &self.path))?;
                bucket.pages.push(at);
                bucket.rest.clear();
            }
        }
        Ok(())
    }

    /// The rows of a bucket in the order of their keys; the bucket is empty then.
    pub(super) fn take(&self, bucket: usize) -> Result<Vec<Keyed>, ExportError> {
        let mut bucket = std::mem::take(
            &mut *self.buckets[bucket]
                .lock()
                .unwrap_or_else(PoisonError::into_inner),
        );
        let per_page = self.page / ENTRY;
        let total = bucket.pages.len() * per_page + bucket.rest.len() / ENTRY;
        let mut rows = Vec::with_capacity(total);
        let mut take = |bytes: &[u8]| {
            rows.extend(bytes.as_chunks::<ENTRY>().0.iter().map(Keyed::decode));
        };
        take(&bucket.rest);
        bucket.rest.resize(self.page, 0);
        for &at in &bucket.pages {
            self.file
                .read_exact_at(&mut bucket.rest, at)
                .map_err(ExportError::io("read back", &self.path))?;
            take(&bucket.rest);
        }
        rows.sort_unstable();
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_sorted_whatever_the_page() {
        let folder = tempfile::tempdir().unwrap();
        let rows: Vec<Keyed> = (0..1000_u64)
            .map(|n| {
                let row = Row {
                    board: Board {
                        own: n,
                        opponent: !n,
                    },
                    value: (n % 129) as i16 - 64,
                    split: Split::ALL.get(n as usize % 4).copied(),
                };
                let keyed = Keyed::new(n.wrapping_mul(0x9e37_79b9_7f4a_7c15), &row);
                assert_eq!(keyed.row(), row);
                keyed
            })
            .collect();
        let mut sorted = rows.clone();
        sorted.sort_unstable();
        for page in [0, 26, 100, 26 * 999, 26 * 1000, 1 << 20] {
            let spool = Spool::create(folder.path(), 2, page).unwrap();
            spool.push(1, &rows[..77]).unwrap();
            spool.push(1, &rows[77..]).unwrap();
            assert_eq!(spool.take(1).unwrap(), sorted, "page {page}");
            assert_eq!(spool.take(0).unwrap(), []);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
