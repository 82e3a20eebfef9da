//! What every way through the data shares: the sources, how they are read, the threads.

use super::error::ExportError;
use super::files::{SLOTS, Slots};
use super::keys::Keys;
use super::options::{ExportOptions, Layout};
use super::reading::Reading;
use super::row::Row;
use super::sample::Chosen;
use super::source::{Source, Sources};
use crate::base::stop::Stop;
use crate::dataset::record::RECORD_SIZE;
use crate::dataset::watch::Watch;
use rayon::ThreadPool;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Rows read and encoded at once by a thread.
const CHUNK: u64 = 1 << 15;
/// Bytes that a row takes at most from its reading to its writing.
const ROW: u64 = 250;

/// A piece of a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Chunk {
    /// Index of the source.
    pub source: usize,
    /// Number of the first record.
    pub first: u64,
    /// Records.
    pub count: u64,
}

/// An export at work.
pub(super) struct Work<'a> {
    /// What was asked.
    pub options: &'a ExportOptions,
    /// What is read.
    pub sources: &'a Sources,
    /// What of it.
    pub reading: &'a Reading,
    /// Into which files.
    pub slots: Slots,
    /// On which threads.
    pub pool: &'a ThreadPool,
    /// Until when.
    pub stop: &'a Stop,
    /// Who is shown how far it has come.
    pub watch: &'a dyn Watch,
}

/// The records of a chunk.
pub(super) fn read_records(
    source: &Source,
    chunk: Chunk,
) -> Result<Vec<[u8; RECORD_SIZE]>, ExportError> {
    let mut records = vec![[0; RECORD_SIZE]; chunk.count as usize];
    source.records.read(chunk.first, &mut records)?;
    Ok(records)
}

impl Work<'_> {
    /// An error as soon as the export is to stop.
    pub(super) fn check_stop(&self) -> Result<(), ExportError> {
        match self.stop.is_requested() {
            true => Err(ExportError::Interrupted),
            false => Ok(()),
        }
    }

    /// Tells that so many records more have been gone through.
    pub(super) fn tell_read(&self, records: u64) {
        self.watch.read(records * RECORD_SIZE as u64);
    }

    /// The slot of all rows of a source, where they share one.
    fn slot(&self, source: &Source) -> Option<usize> {
        match (self.slots.layout, source.phase) {
            (Layout::Single, _) => Some(self.slots.of(0, source.split)),
            (_, Some(phase)) => Some(self.slots.of(phase, source.split)),
            (_, None) => None,
        }
    }

    /// All records in pieces of at most so many: in the order of the sources, those of one slot
    /// together.
    pub(super) fn chunks(&self, length: u64) -> Vec<Chunk> {
        let mut order: Vec<usize> = (0..self.sources.files.len()).collect();
        order.sort_by_key(|&n| self.slot(&self.sources.files[n]).unwrap_or(SLOTS));
        order
            .into_iter()
            .flat_map(|source| {
                let total = self.sources.files[source].records.count();
                (0..total.div_ceil(length)).map(move |n| Chunk {
                    source,
                    first: n * length,
                    count: length.min(total - n * length),
                })
            })
            .collect()
    }

    /// Hands all rows to `deliver` in order.
    pub(super) fn stream(
        &self,
        mut deliver: impl FnMut(Vec<(Option<usize>, Vec<Row>)>) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        let fit = self.options.memory / (CHUNK * ROW);
        let at_once = fit.clamp(1, 2 * self.options.threads as u64) as usize;
        for batch in self.chunks(CHUNK / self.reading.images()).chunks(at_once) {
            self.check_stop()?;
            let read: Result<Vec<_>, ExportError> = self
                .pool
                .install(|| batch.par_iter().map(|&chunk| self.read(chunk)).collect());
            deliver(read?)?;
        }
        Ok(())
    }

    fn read(&self, chunk: Chunk) -> Result<(Option<usize>, Vec<Row>), ExportError> {
        let source = &self.sources.files[chunk.source];
        let records = read_records(source, chunk)?;
        let mut rows = Vec::with_capacity(records.len() * self.reading.images() as usize);
        self.reading
            .rows(source, chunk.first, &records, |_, row| rows.push(row))?;
        self.tell_read(chunk.count);
        Ok((self.slot(source), rows))
    }

    /// How many rows there are in each slot: counted where only the records tell their phase, and
    /// not less than there are where a sample is drawn or phases are left out.
    pub(super) fn rows_of_slots(&self) -> Result<[u64; SLOTS], ExportError> {
        let images = self.reading.images();
        let mut rows = [0; SLOTS];
        for source in &self.sources.files {
            if let Some(slot) = self.slot(source) {
                rows[slot] += source.records.count() * images;
            }
        }
        if let (Some(sample), true) = (self.options.sample, self.sources.records > 0) {
            // As expected, and six standard deviations more.
            let share = (sample as f64 / self.sources.records as f64).min(1.0);
            for n in &mut rows {
                let expected = *n as f64 * share;
                *n = (*n).min((expected + 6.0 * expected.sqrt()) as u64 + 1);
            }
        }
        let unknown: Vec<Chunk> = self
            .chunks(CHUNK / images)
            .into_iter()
            .filter(|chunk| self.slot(&self.sources.files[chunk.source]).is_none())
            .collect();
        let counts: Vec<AtomicU64> = (0..SLOTS).map(|_| AtomicU64::new(0)).collect();
        self.pool.install(|| {
            unknown.par_iter().try_for_each(|&chunk| {
                self.check_stop()?;
                let source = &self.sources.files[chunk.source];
                let records = read_records(source, chunk)?;
                self.reading.rows(source, chunk.first, &records, |_, row| {
                    counts[self.slots.of_row(&row)].fetch_add(1, Relaxed);
                })
            })
        })?;
        for (sum, count) in rows.iter_mut().zip(counts) {
            *sum += count.into_inner();
        }
        Ok(rows)
    }

    /// The sample of so many records among those of wanted phases.
    pub(super) fn draw(&self, keys: &Keys, wanted: u64) -> Result<Chosen, ExportError> {
        let chunks = self.chunks(CHUNK);
        Chosen::draw(keys, wanted, |run| {
            self.pool.install(|| {
                chunks.par_iter().try_for_each(|&chunk| {
                    self.check_stop()?;
                    let source = &self.sources.files[chunk.source];
                    if source.phase.is_some() || self.reading.phases.is_empty() {
                        run(source.first + chunk.first, chunk.count as usize);
                        return Ok(());
                    }
                    let records = read_records(source, chunk)?;
                    let images = self.reading.images();
                    self.reading
                        .rows(source, chunk.first, &records, |number, _| {
                            if number % images == 0 {
                                run(number / images, 1);
                            }
                        })
                })
            })
        })
    }
}
