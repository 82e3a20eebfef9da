//! Reads the records of a phase once, from front to back, and checks each.

use super::DatasetError;
use super::files::open_regular;
use super::layout::PhaseDir;
use super::record::{RECORD_SIZE, Record};
use super::rules::{RecordFault, check_record};
use super::split::Split;
use super::writer::check_file;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Records of one read: 1.2 MB.
const BLOCK_RECORDS: usize = 1 << 16;

/// Reads the first `counts` records of each file (what lies behind them is no fault: a resume cuts
/// it), checks each, and hands it to `visit`, which may find a fault of its own, such as
/// [`RecordFault::Duplicate`]. The first fault ends the scan.
pub fn scan_phase(
    dir: &PhaseDir,
    counts: [u64; 3],
    mut visit: impl FnMut(Split, &Record) -> Result<(), RecordFault>,
) -> Result<(), DatasetError> {
    // Headers and lengths first: they cost nothing, and a bad one makes reading the rest idle.
    require_records(dir, counts)?;
    for split in Split::ALL {
        let path = dir.records(split);
        for_each_record(&path, counts[split.index()], |record, number| {
            check_record(record, Some(dir.phase()))
                .and_then(|()| visit(split, record))
                .map_err(|fault| DatasetError::BadRecord {
                    path: path.clone(),
                    record: number,
                    fault,
                })
        })?;
    }
    Ok(())
}

/// Fails unless each file begins as it should and holds as many records as `counts` says.
pub fn require_records(dir: &PhaseDir, counts: [u64; 3]) -> Result<(), DatasetError> {
    for split in Split::ALL {
        open_at_least(&dir.records(split), counts[split.index()])?;
    }
    Ok(())
}

/// Records in the three files, as their lengths tell; a torn record at an end is not counted.
pub fn count_records(dir: &PhaseDir) -> Result<[u64; 3], DatasetError> {
    let mut counts = [0; 3];
    for split in Split::ALL {
        let path = dir.records(split);
        let mut file = open_regular(&path)?;
        counts[split.index()] = check_file(&mut file, &path)?;
    }
    Ok(counts)
}

/// Hands the first `count` records of a file, with their numbers from 0, to `visit`.
pub fn for_each_record(
    path: &Path,
    count: u64,
    mut visit: impl FnMut(&Record, u64) -> Result<(), DatasetError>,
) -> Result<(), DatasetError> {
    let mut file = open_at_least(path, count)?;
    let block = BLOCK_RECORDS.min(usize::try_from(count).unwrap_or(usize::MAX));
    let mut bytes = vec![0; block * RECORD_SIZE];
    let mut number = 0;
    while number < count {
        let records = (count - number).min(block as u64) as usize;
        let bytes = &mut bytes[..records * RECORD_SIZE];
        file.read_exact(bytes)
            .map_err(DatasetError::io("read", path))?;
        for encoded in bytes.as_chunks::<RECORD_SIZE>().0 {
            visit(&Record::decode(encoded), number)?;
            number += 1;
        }
    }
    Ok(())
}

fn open_at_least(path: &Path, expected: u64) -> Result<File, DatasetError> {
    let mut file = open_regular(path)?;
    let found = check_file(&mut file, path)?;
    if found < expected {
        return Err(DatasetError::TooShort {
            path: path.to_owned(),
            found,
            expected,
        });
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::dataset::positions::PositionSet;
    use crate::dataset::writer::PhaseWriter;
    use std::fs;

    /// The three positions of phase 2, by play, values made up but possible.
    fn phase_2(out: &Path) -> PhaseDir {
        let dir = PhaseDir::new(out, 2);
        let mut writer = PhaseWriter::create(&dir).unwrap();
        for (moves, value, split) in [
            ("f5d6", 2, Split::Train),
            ("f5f6", -4, Split::Train),
            ("f5f4", 0, Split::Test),
        ] {
            let board = crate::board::Game::from_move_text(moves).unwrap().board();
            writer.append(split, &Record { board, value }).unwrap();
        }
        writer.sync().unwrap();
        dir
    }

    fn scan(dir: &PhaseDir, counts: [u64; 3]) -> Result<u64, DatasetError> {
        let mut set = PositionSet::for_expected(3).unwrap();
        scan_phase(dir, counts, |_, record| {
            match set.insert(record.board.canonical()) {
                Ok(true) => Ok(()),
                _ => Err(RecordFault::Duplicate),
            }
        })?;
        Ok(set.len())
    }

    #[test]
    fn sound_files_are_read_whole() {
        let out = tempfile::tempdir().unwrap();
        let dir = phase_2(out.path());
        assert_eq!(count_records(&dir).unwrap(), [2, 0, 1]);
        assert_eq!(scan(&dir, [2, 0, 1]).unwrap(), 3);
        assert_eq!(scan(&dir, [1, 0, 0]).unwrap(), 1);
        assert!(matches!(
            scan(&dir, [2, 1, 1]),
            Err(DatasetError::TooShort {
                expected: 1,
                found: 0,
                ..
            })
        ));
    }

    #[test]
    fn each_broken_rule_is_found_with_its_record() {
        let out = tempfile::tempdir().unwrap();
        let dir = phase_2(out.path());
        let path = dir.records(Split::Train);
        let sound = fs::read(&path).unwrap();
        let second = 10 + 18;
        let fault_after = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = sound.clone();
            change(&mut bytes);
            fs::write(&path, bytes).unwrap();
            match scan(&dir, [2, 0, 1]) {
                Err(DatasetError::BadRecord {
                    record: 1, fault, ..
                }) => fault,
                other => panic!("{other:?}"),
            }
        };
        // The second record is f5f6: White has f6 (bit 45) and so on; bit 0 is empty.
        assert_eq!(
            fault_after(&|b| b[second] |= 1),
            RecordFault::Discs {
                found: 7,
                expected: 6
            }
        );
        assert_eq!(
            fault_after(&|b| {
                for i in 0..8 {
                    b[second + i] |= b[second + 8 + i];
                }
            }),
            RecordFault::Overlap(
                fs::read(&path).unwrap()[second + 8..second + 16]
                    .iter()
                    .map(|b| b.count_ones())
                    .sum()
            )
        );
        assert_eq!(
            fault_after(&|b| {
                for half in [0, 8] {
                    b[second + half + 3] &= !0x08;
                }
                b[second] |= 1;
            }),
            RecordFault::EmptyCentre
        );
        assert_eq!(
            fault_after(&|b| b[second + 17] = 0x80),
            RecordFault::ValueRange(-32516)
        );
        assert_eq!(
            fault_after(&|b| {
                let first: Vec<u8> = b[10..second].to_vec();
                b[second..second + 18].copy_from_slice(&first);
            }),
            RecordFault::Duplicate
        );
    }

    proptest::proptest! {
        #[test]
        fn junk_never_panics(bytes: Vec<u8>, header: bool, counts: [u8; 3]) {
            let out = tempfile::tempdir().unwrap();
            let dir = phase_2(out.path());
            let mut file = if header { crate::dataset::record::MAGIC.to_vec() } else { Vec::new() };
            file.extend(bytes);
            fs::write(dir.records(Split::Train), file).unwrap();
            let _ = scan(&dir, counts.map(u64::from));
            let _ = count_records(&dir);
        }
    }

    #[test]
    fn a_start_position_is_phase_0() {
        let record = Record {
            board: Board::START,
            value: 0,
        };
        assert_eq!(check_record(&record, Some(0)), Ok(()));
    }
}
