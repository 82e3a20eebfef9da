//! From the bytes of a block of records to rows: checked, filtered, with their images.

use super::error::ExportError;
use super::keys::Keys;
use super::row::Row;
use super::sample::Chosen;
use super::source::{Source, is_wanted};
use crate::board::Symmetry;
use crate::dataset::DatasetError;
use crate::dataset::record::{RECORD_SIZE, Record};
use crate::dataset::rules::{MAX_VALUE, RecordFault, check_record};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Which rows a record becomes.
pub(super) struct Reading {
    /// Wanted phases; empty: all.
    pub phases: Vec<u8>,
    /// All eight images.
    pub symmetries: bool,
    /// The sample, where one was asked for.
    pub chosen: Option<(Keys, Chosen)>,
    /// Records that no game from the usual start can have, but which any format carries.
    pub unusual: AtomicU64,
}

impl Reading {
    /// Rows of a record: 8 or 1.
    pub(super) fn images(&self) -> u64 {
        if self.symmetries { 8 } else { 1 }
    }

    /// Hands on every row of the records from number `first` of a source, with the row's number:
    /// the record's number among all sources × images + image.
    ///
    /// # Errors
    /// A record that cannot be right.
    #[inline]
    pub(super) fn rows(
        &self,
        source: &Source,
        first: u64,
        records: &[[u8; RECORD_SIZE]],
        mut each: impl FnMut(u64, Row),
    ) -> Result<(), ExportError> {
        let number = source.first + first;
        let keys = self.chosen.as_ref().map(|(keys, chosen)| {
            let mut drawn = vec![0; records.len()];
            keys.fill(number, &mut drawn);
            (drawn, chosen)
        });
        let is_filtered = source.phase.is_none() && !self.phases.is_empty();
        let mut unusual = 0;
        for (at, bytes) in records.iter().enumerate() {
            let record = Record::decode(bytes);
            unusual += u64::from(check(source, first + at as u64, &record)?);
            let row = Row {
                board: record.board,
                value: record.value,
                split: source.split,
            };
            if is_filtered && !is_wanted(&self.phases, row.phase()) {
                continue;
            }
            let number = number + at as u64;
            if let Some((drawn, chosen)) = &keys
                && !chosen.has(drawn[at], number)
            {
                continue;
            }
            if self.symmetries {
                for (symmetry, number) in Symmetry::ALL.iter().zip(number * 8..) {
                    let board = symmetry.apply_board(row.board);
                    each(number, Row { board, ..row });
                }
            } else {
                each(number, row);
            }
        }
        if unusual > 0 {
            self.unusual.fetch_add(unusual, Relaxed);
        }
        Ok(())
    }
}

/// Whether the record is unusual; an error where it is wrong.
#[inline]
fn check(source: &Source, number: u64, record: &Record) -> Result<bool, ExportError> {
    let fault = match check_record(record, source.phase) {
        Ok(()) => return Ok(false),
        // A study of other starts; every format can say it.
        Err(RecordFault::EmptyCentre | RecordFault::TooFewDiscs(_))
            if (-MAX_VALUE..=MAX_VALUE).contains(&record.value) =>
        {
            return Ok(true);
        }
        Err(RecordFault::EmptyCentre | RecordFault::TooFewDiscs(_)) => {
            RecordFault::ValueRange(record.value)
        }
        Err(fault) => fault,
    };
    Err(ExportError::BadRecord(DatasetError::BadRecord {
        path: source.records.path().to_owned(),
        record: number,
        fault,
    }))
}
