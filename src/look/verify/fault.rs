//! What was found wrong: the first faults in the order of the files, and how many there are.

use crate::dataset::rules::RecordFault;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Where a fault belongs in the order of the report: phase, then file within it, then record.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// Index of the phase in its dataset; the dataset's own files come last.
    pub phase: usize,
    /// Index of the file in its phase.
    pub part: usize,
    /// Number of the record, from 0; `None` for the file as a whole.
    pub record: Option<u64>,
}

/// One fault.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Fault {
    #[serde(skip)]
    place: Place,
    /// The file, as text; bytes that are no text are replaced.
    #[serde(serialize_with = "as_text")]
    pub path: PathBuf,
    /// Number of the record in the file, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<u64>,
    /// Which rule, for programs.
    pub kind: &'static str,
    /// What is wrong, for people.
    pub message: String,
}

fn as_text<S: serde::Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}

/// The first faults and the number of all.
#[derive(Clone, Debug, Default)]
pub struct FaultList {
    /// Kept ones, in order.
    faults: Vec<Fault>,
    limit: usize,
    by_kind: BTreeMap<&'static str, u64>,
}

impl FaultList {
    /// Keeps the first `limit`.
    pub fn new(limit: usize) -> FaultList {
        FaultList {
            limit,
            ..FaultList::default()
        }
    }

    /// Adds a fault of a file.
    pub fn add(&mut self, place: Place, path: &Path, kind: &'static str, message: String) {
        self.count(kind, 1);
        self.keep(place, path, kind, || message);
    }

    /// Adds a fault of a record.
    pub fn add_record(&mut self, place: Place, path: &Path, fault: &RecordFault) {
        self.count(kind(fault), 1);
        self.keep(place, path, kind(fault), || fault.to_string());
    }

    /// Adds faults that are only counted.
    pub fn count(&mut self, kind: &'static str, n: u64) {
        if n > 0 {
            *self.by_kind.entry(kind).or_default() += n;
        }
    }

    /// Takes in the list of another dataset, which comes behind this one.
    pub fn append(&mut self, other: FaultList) {
        for (kind, n) in other.by_kind {
            self.count(kind, n);
        }
        let room = self.limit.saturating_sub(self.faults.len());
        self.faults.extend(other.faults.into_iter().take(room));
    }

    /// The first ones, in order.
    pub fn first(&self) -> &[Fault] {
        &self.faults
    }

    /// How many of each kind.
    pub fn by_kind(&self) -> &BTreeMap<&'static str, u64> {
        &self.by_kind
    }

    /// How many in all.
    pub fn total(&self) -> u64 {
        self.by_kind.values().sum()
    }

    /// Whether none was found.
    pub fn is_empty(&self) -> bool {
        self.by_kind.is_empty()
    }

    fn keep(
        &mut self,
        place: Place,
        path: &Path,
        kind: &'static str,
        message: impl FnOnce() -> String,
    ) {
        let at = self.faults.partition_point(|fault| fault.place <= place);
        if at < self.limit {
            self.faults.truncate(self.limit - 1);
            self.faults.insert(
                at,
                Fault {
                    place,
                    path: path.to_owned(),
                    record: place.record,
                    kind,
                    message: message(),
                },
            );
        }
    }
}

/// The name of a record's fault, for programs.
pub(super) fn kind(fault: &RecordFault) -> &'static str {
    match fault {
        RecordFault::SecondHeader => "second_header",
        RecordFault::Overlap(_) => "overlap",
        RecordFault::Discs { .. } | RecordFault::TooFewDiscs(_) => "discs",
        RecordFault::EmptyCentre => "centre",
        RecordFault::ValueRange(_) => "value_range",
        RecordFault::Apart(_) => "apart",
        RecordFault::ValueOfFinished { .. } => "value_of_finished",
        RecordFault::ValueUnreachable { .. } => "value_unreachable",
        RecordFault::ValueAgainstSafeDiscs { .. } => "value_against_safe_discs",
        RecordFault::OddValue(_) => "odd_value",
        RecordFault::Unreachable => "unreachable",
        RecordFault::OtherSplit(_) => "split",
        RecordFault::Duplicate => "duplicate",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(phase: usize, record: u64) -> Place {
        Place {
            phase,
            part: 0,
            record: Some(record),
        }
    }

    #[test]
    fn the_first_are_kept_whatever_order_they_come_in() {
        let mut list = FaultList::new(3);
        for record in [9, 2, 7, 4, 8, 1] {
            list.add_record(place(1, record), Path::new("a"), &RecordFault::EmptyCentre);
        }
        list.add(place(0, 99), Path::new("b"), "header", "bad".to_owned());
        let records: Vec<_> = list.first().iter().map(|f| f.record).collect();
        assert_eq!(records, [Some(99), Some(1), Some(2)]);
        assert_eq!(list.total(), 7);
        assert_eq!(list.by_kind()["centre"], 6);
    }

    #[test]
    fn none_kept_is_still_counted() {
        let mut list = FaultList::new(0);
        list.add_record(place(0, 0), Path::new("a"), &RecordFault::EmptyCentre);
        assert!(!list.is_empty());
        assert!(list.first().is_empty());
        let mut other = FaultList::new(5);
        other.append(list);
        assert_eq!(other.total(), 1);
    }
}
