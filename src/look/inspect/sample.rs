//! Single records: by number, or drawn at random.

use crate::dataset::DatasetError;
use crate::dataset::record::{RECORD_SIZE, Record};
use crate::dataset::rules::{RecordFault, check_record};
use crate::dataset::tree::Records;
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
pub(super) fn read(
    records: &Records,
    phase: Option<u8>,
    number: u64,
) -> Result<Sample, DatasetError> {
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

/// The file of each number when the files' records are numbered through, and its number there.
/// Both are ascending.
pub(super) fn places(counts: &[u64], numbers: &[u64]) -> Vec<(usize, u64)> {
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
    fn numbers_lead_to_files() {
        let places = places(&[3, 0, 2, 1], &[0, 2, 3, 4, 5]);
        assert_eq!(places, [(0, 0), (0, 2), (2, 0), (2, 1), (3, 0)]);
    }
}
