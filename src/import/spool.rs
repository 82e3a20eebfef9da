//! The positions of each phase in a temporary file, in the order of the games: what makes memory
//! independent of their number.

use super::ImportError;
use super::positions::Sample;
use crate::board::Board;
use crate::dataset::split::Split;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// own, opponent, value, split.
const ENTRY: usize = 18;
/// The split is the position's own.
const NO_SPLIT: u8 = u8::MAX;
const BUFFER: usize = 64 << 10;

/// The files being written, one for each phase that has had a position.
pub(super) struct Spools {
    folder: PathBuf,
    by_phase: Vec<Option<Writing>>,
}

struct Writing {
    path: PathBuf,
    file: BufWriter<File>,
    samples: u64,
}

/// The positions of one phase, all there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Spool {
    path: PathBuf,
    /// How many.
    pub samples: u64,
}

impl Spools {
    /// In a folder of their own, which is made here.
    pub(super) fn create(folder: PathBuf) -> Result<Spools, ImportError> {
        fs::create_dir_all(&folder).map_err(ImportError::temporary("create", &folder))?;
        let mut by_phase = Vec::new();
        by_phase.resize_with(64, || None);
        Ok(Spools { folder, by_phase })
    }

    /// Appends positions to the files of their phases.
    pub(super) fn append(&mut self, samples: &[Sample]) -> Result<(), ImportError> {
        for sample in samples {
            let phase = sample.board.phase();
            let slot = &mut self.by_phase[usize::from(phase)];
            let writing = match slot {
                Some(writing) => writing,
                None => slot.insert(Writing::create(&self.folder, phase)?),
            };
            writing.append(sample)?;
        }
        Ok(())
    }

    /// Closes the files. The result is indexed by phase.
    pub(super) fn finish(self) -> Result<Vec<Option<Spool>>, ImportError> {
        self.by_phase
            .into_iter()
            .map(|writing| writing.map(Writing::finish).transpose())
            .collect()
    }
}

impl Writing {
    fn create(folder: &Path, phase: u8) -> Result<Writing, ImportError> {
        let path = folder.join(format!("phase_{phase:02}"));
        let file = File::create(&path).map_err(ImportError::temporary("create", &path))?;
        Ok(Writing {
            path,
            file: BufWriter::with_capacity(BUFFER, file),
            samples: 0,
        })
    }

    fn append(&mut self, sample: &Sample) -> Result<(), ImportError> {
        let mut entry = [0; ENTRY];
        entry[..8].copy_from_slice(&sample.board.own.to_le_bytes());
        entry[8..16].copy_from_slice(&sample.board.opponent.to_le_bytes());
        entry[16] = sample.value.cast_unsigned();
        entry[17] = sample.split.map_or(NO_SPLIT, |split| split.index() as u8);
        self.file
            .write_all(&entry)
            .map_err(ImportError::temporary("write", &self.path))?;
        self.samples += 1;
        Ok(())
    }

    fn finish(self) -> Result<Spool, ImportError> {
        let Writing {
            path,
            file,
            samples,
        } = self;
        file.into_inner()
            .map_err(|error| ImportError::temporary("write", &path)(error.into_error()))?;
        Ok(Spool { path, samples })
    }
}

impl Spool {
    /// Calls `each` with every position in order and its number, from 0.
    pub(super) fn for_each(
        &self,
        mut each: impl FnMut(u64, Sample) -> Result<(), ImportError>,
    ) -> Result<(), ImportError> {
        let file = File::open(&self.path).map_err(ImportError::temporary("read", &self.path))?;
        let mut file = BufReader::with_capacity(BUFFER, file);
        for number in 0..self.samples {
            let mut entry = [0; ENTRY];
            file.read_exact(&mut entry)
                .map_err(ImportError::temporary("read", &self.path))?;
            each(number, decode(&entry))?;
        }
        Ok(())
    }

    /// Where a part of the positions may be put for the time being.
    pub(super) fn part_path(&self, number: u64) -> PathBuf {
        self.path.with_extension(format!("part{number}"))
    }

    /// Gives the room back.
    pub(super) fn remove(&self) -> Result<(), ImportError> {
        fs::remove_file(&self.path).map_err(ImportError::temporary("remove", &self.path))
    }
}

fn decode(entry: &[u8; ENTRY]) -> Sample {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, value, split] = *entry;
    Sample {
        board: Board {
            own: u64::from_le_bytes([a, b, c, d, e, f, g, h]),
            opponent: u64::from_le_bytes([i, j, k, l, m, n, o, p]),
        },
        value: value.cast_signed(),
        split: Split::ALL.get(usize::from(split)).copied(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_come_back_by_phase_and_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let after = Board::START.play("f5".parse().unwrap()).unwrap();
        let sample = |board, value, split| Sample {
            board,
            value,
            split,
        };
        let all = [
            sample(Board::START, -64, None),
            sample(after, 64, Some(Split::Test)),
            sample(Board::START, 0, Some(Split::Train)),
        ];
        let mut spools = Spools::create(folder.path().join("spool")).unwrap();
        spools.append(&all[..2]).unwrap();
        spools.append(&all[2..]).unwrap();
        let spools = spools.finish().unwrap();
        let read = |phase: usize| {
            let mut samples = Vec::new();
            let spool = spools[phase].as_ref().unwrap();
            spool
                .for_each(|number, sample| {
                    assert_eq!(number, samples.len() as u64);
                    samples.push(sample);
                    Ok(())
                })
                .unwrap();
            samples
        };
        assert_eq!(read(0), [all[0], all[2]]);
        assert_eq!(read(1), [all[1]]);
        assert!(spools[2].is_none());
    }
}
