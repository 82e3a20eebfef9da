//! `--shuffle`: a uniformly random order of everything that goes into one file, in bounded memory.
//!
//! Every row has a random key ([`super::keys`]), and rows are written in the order of their keys. The
//! first pass puts rows into buckets by the leading part of their keys, the second sorts bucket after
//! bucket. How many buckets there are is a question of memory alone: the order is that of the keys.

use super::error::ExportError;
use super::files::{SLOTS, Slots};
use super::keys::Keys;
use super::options::ExportOptions;
use super::reading::Reading;
use super::row::Row;
use super::source::Sources;
use super::spool::{ENTRY, Keyed, Spool};
use super::work::{Chunk, Work, read_records};
use rayon::prelude::*;
use std::path::Path;

/// Bytes that a row takes at most while its bucket is sorted, encoded and written.
const ROW: u64 = 250;
/// The least bytes of a page: below that, the disk is asked for scraps.
const LEAST_PAGE: u64 = 20 * ENTRY as u64;
/// A page need not be larger for any disk.
const MOST_PAGE: u64 = 1 << 20;
/// Rows put into buckets at once by a thread.
const RUN: u64 = 1 << 13;

/// How memory is divided.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Plan {
    /// Buckets sorted at once, one a thread.
    at_once: usize,
    /// The first bucket of each slot, and the end.
    first: Vec<usize>,
    /// Bytes.
    page: usize,
}

impl Plan {
    /// For so many rows in each slot.
    fn new(rows: &[u64; SLOTS], options: &ExportOptions) -> Result<Plan, ExportError> {
        let batch = (options.memory / 4 * 3 / ROW).max(1);
        let at_once = (batch >> 14).clamp(1, options.threads as u64);
        let bucket = (batch / at_once).max(1);
        let mut first = vec![0];
        let mut buckets: u64 = 0;
        for rows in rows {
            buckets += rows.div_ceil(bucket);
            first.push(usize::try_from(buckets).unwrap_or(usize::MAX));
        }
        let page = options.memory / 4 / buckets.max(1);
        if page < LEAST_PAGE {
            let rows = rows.iter().sum();
            // The page grows with the square of the memory.
            let enough = (LEAST_PAGE * ROW * 4 * at_once) as f64 * rows as f64 * 4.0 / 3.0;
            return Err(ExportError::TooLittleMemory {
                rows,
                memory: options.memory >> 20,
                wanted: (enough.sqrt() / f64::from(1 << 20)).ceil() as u64 + 1,
            });
        }
        Ok(Plan {
            at_once: at_once as usize,
            first,
            page: page.min(MOST_PAGE) as usize,
        })
    }

    fn buckets(&self) -> usize {
        self.first[SLOTS]
    }

    /// The bucket of a key: those of a slot share the range of keys evenly.
    #[inline]
    fn bucket(&self, slot: usize, key: u64) -> usize {
        let count = (self.first[slot + 1] - self.first[slot]) as u128;
        self.first[slot] + ((u128::from(key) * count) >> 64) as usize
    }

    fn slot(&self, bucket: usize) -> usize {
        self.first.partition_point(|&first| first <= bucket) - 1
    }
}

/// Hands all rows to `deliver`, those of one slot after those of another, each slot shuffled.
pub(super) fn shuffle(
    work: &Work<'_>,
    seed: u64,
    folder: &Path,
    mut deliver: impl FnMut(Vec<(usize, Vec<Row>)>) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    let plan = Plan::new(&work.rows_of_slots()?, work.options)?;
    let spool = Spool::create(folder, plan.buckets(), plan.page)?;
    let keys = Keys::new("shuffle", seed);
    distribute(work, &plan, &spool, &keys)?;
    let mut next = 0;
    while next < plan.buckets() {
        work.check_stop()?;
        let end = plan.buckets().min(next + plan.at_once);
        let sorted: Result<Vec<_>, ExportError> = work.pool.install(|| {
            (next..end)
                .into_par_iter()
                .map(|bucket| {
                    let rows: Vec<Row> = spool.take(bucket)?.iter().map(Keyed::row).collect();
                    work.tell_read(rows.len() as u64 / work.reading.images());
                    Ok((plan.slot(bucket), rows))
                })
                .collect()
        });
        deliver(sorted?)?;
        next = end;
    }
    Ok(())
}

/// The first pass.
fn distribute(work: &Work<'_>, plan: &Plan, spool: &Spool, keys: &Keys) -> Result<(), ExportError> {
    let chunks = work.chunks(RUN / work.reading.images());
    work.pool.install(|| {
        chunks.par_iter().try_for_each(|&chunk| {
            work.check_stop()?;
            let mut rows = keyed(work.sources, work.reading, work.slots, plan, keys, chunk)?;
            rows.sort_unstable_by_key(|(bucket, _)| *bucket);
            let mut run = Vec::new();
            for same in rows.chunk_by(|a, b| a.0 == b.0) {
                run.clear();
                run.extend(same.iter().map(|(_, keyed)| *keyed));
                spool.push(same[0].0, &run)?;
            }
            work.tell_read(chunk.count);
            Ok(())
        })
    })
}

/// The rows of a chunk with their keys and buckets.
fn keyed(
    sources: &Sources,
    reading: &Reading,
    slots: Slots,
    plan: &Plan,
    keys: &Keys,
    chunk: Chunk,
) -> Result<Vec<(usize, Keyed)>, ExportError> {
    let source = &sources.files[chunk.source];
    let records = read_records(source, chunk)?;
    let first = (source.first + chunk.first) * reading.images();
    let mut drawn = vec![0; records.len() * reading.images() as usize];
    keys.fill(first, &mut drawn);
    let mut rows = Vec::with_capacity(drawn.len());
    reading.rows(source, chunk.first, &records, |number, row| {
        let key = drawn[(number - first) as usize];
        rows.push((plan.bucket(slots.of_row(&row), key), Keyed::new(key, &row)));
    })?;
    Ok(rows)
}
