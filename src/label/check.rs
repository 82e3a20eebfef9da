//! Everything of the input is looked at before the first search: a broken record is better found at
//! once than after a night.

use super::LabelError;
use super::input::{Input, InputFile};
use crate::base::stop::Stop;
use crate::dataset::DatasetError;
use crate::dataset::record::{RECORD_SIZE, Record};
use crate::dataset::rules::check_record;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

/// Records of one read.
const BLOCK: usize = 1 << 14;

/// SHA-256 of each file, in the order of phases and files.
///
/// # Errors
/// A record that breaks a rule, with its file and number; the first of the first such file.
pub(super) fn check(
    input: &Input,
    stop: &Stop,
    read: impl Fn(u64) + Sync,
) -> Result<Vec<[u8; 32]>, LabelError> {
    let files: Vec<(u8, &InputFile)> = input
        .phases
        .iter()
        .flat_map(|phase| phase.files.iter().map(|file| (phase.phase, file)))
        .collect();
    let digests: Vec<Result<[u8; 32], LabelError>> = files
        .into_par_iter()
        .map(|(phase, file)| check_file(phase, file, stop, &read))
        .collect();
    digests.into_iter().collect()
}

fn check_file(
    phase: u8,
    file: &InputFile,
    stop: &Stop,
    read: &(impl Fn(u64) + Sync),
) -> Result<[u8; 32], LabelError> {
    let records = &file.records;
    let mut hasher = Sha256::new();
    let mut buffer = vec![[0; RECORD_SIZE]; BLOCK];
    let mut first = 0;
    while first < records.count() {
        if stop.is_requested() {
            return Err(LabelError::Interrupted);
        }
        let count = BLOCK.min(usize::try_from(records.count() - first).unwrap_or(BLOCK));
        let block = &mut buffer[..count];
        records.read(first, block)?;
        hasher.update(block.as_flattened());
        for (number, bytes) in (first..).zip(&*block) {
            check_record(&Record::decode(bytes), Some(phase)).map_err(|fault| {
                DatasetError::BadRecord {
                    path: records.path().to_owned(),
                    record: number,
                    fault,
                }
            })?;
        }
        first += count as u64;
        read((count * RECORD_SIZE) as u64);
    }
    Ok(hasher.finalize().into())
}
