//! Parts of a phase in temporary files, each in the order of first occurrence, and their way back
//! into one order.

use super::ImportError;
use crate::base::stop::Stop;
use crate::dataset::record::{RECORD_SIZE, Record};
use crate::dataset::split::Split;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::PathBuf;

/// A distinct position as it is to be recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Distinct {
    /// When it was met first.
    pub first: u64,
    /// As it was met first, with its value.
    pub record: Record,
    /// Where it belongs.
    pub split: Split,
    /// It was met more than once.
    pub repeated: bool,
}

/// first, record, split, repeated.
const ENTRY: usize = 8 + RECORD_SIZE + 2;
const BUFFER: usize = 32 << 10;

/// A part being written.
pub(super) struct PartWriter {
    path: PathBuf,
    file: BufWriter<File>,
    count: u64,
}

/// A part, all there.
pub(super) struct PartFile {
    path: PathBuf,
    count: u64,
}

impl PartWriter {
    /// A new file.
    pub(super) fn create(path: PathBuf) -> Result<PartWriter, ImportError> {
        let file = File::create(&path).map_err(ImportError::temporary("create", &path))?;
        Ok(PartWriter {
            path,
            file: BufWriter::with_capacity(BUFFER, file),
            count: 0,
        })
    }

    /// Appends; `first` must be larger than before.
    pub(super) fn append(&mut self, distinct: &Distinct) -> Result<(), ImportError> {
        let mut entry = [0; ENTRY];
        entry[..8].copy_from_slice(&distinct.first.to_le_bytes());
        entry[8..8 + RECORD_SIZE].copy_from_slice(&distinct.record.encode());
        entry[ENTRY - 2] = distinct.split.index() as u8;
        entry[ENTRY - 1] = distinct.repeated.into();
        self.file
            .write_all(&entry)
            .map_err(ImportError::temporary("write", &self.path))?;
        self.count += 1;
        Ok(())
    }

    /// Closes it.
    pub(super) fn finish(self) -> Result<PartFile, ImportError> {
        let PartWriter { path, file, count } = self;
        file.into_inner()
            .map_err(|error| ImportError::temporary("write", &path)(error.into_error()))?;
        Ok(PartFile { path, count })
    }
}

/// Calls `each` with the positions of all parts in the order of first occurrence, and removes the
/// files.
pub(super) fn in_order(
    parts: Vec<PartFile>,
    stop: &Stop,
    mut each: impl FnMut(&Distinct) -> Result<(), ImportError>,
) -> Result<(), ImportError> {
    let mut readers = Vec::with_capacity(parts.len());
    for part in parts {
        readers.extend(PartReader::open(part)?);
    }
    // Parts are few: looking through their heads costs less than a heap would.
    while let Some(next) = (0..readers.len()).min_by_key(|&i| readers[i].head.first) {
        if stop.is_requested() {
            return Err(ImportError::Interrupted);
        }
        each(&readers[next].head)?;
        if !readers[next].advance()? {
            readers.swap_remove(next).remove()?;
        }
    }
    Ok(())
}

struct PartReader {
    part: PartFile,
    file: BufReader<File>,
    head: Distinct,
    left: u64,
}

impl PartReader {
    /// `None`: the part is empty.
    fn open(part: PartFile) -> Result<Option<PartReader>, ImportError> {
        let file = File::open(&part.path).map_err(ImportError::temporary("read", &part.path))?;
        let mut file = BufReader::with_capacity(BUFFER, file);
        if part.count == 0 {
            return fs::remove_file(&part.path)
                .map(|()| None)
                .map_err(ImportError::temporary("remove", &part.path));
        }
        let head = read(&mut file, &part)?;
        let left = part.count - 1;
        Ok(Some(PartReader {
            part,
            file,
            head,
            left,
        }))
    }

    /// Goes on to the next position; `false`: there is none.
    fn advance(&mut self) -> Result<bool, ImportError> {
        if self.left == 0 {
            return Ok(false);
        }
        self.left -= 1;
        self.head = read(&mut self.file, &self.part)?;
        Ok(true)
    }

    fn remove(self) -> Result<(), ImportError> {
        let path = &self.part.path;
        fs::remove_file(path).map_err(ImportError::temporary("remove", path))
    }
}

fn read(file: &mut BufReader<File>, part: &PartFile) -> Result<Distinct, ImportError> {
    let mut first = [0; 8];
    let mut record = [0; RECORD_SIZE];
    let mut rest = [0; 2];
    file.read_exact(&mut first)
        .and_then(|()| file.read_exact(&mut record))
        .and_then(|()| file.read_exact(&mut rest))
        .map_err(ImportError::temporary("read", &part.path))?;
    Ok(Distinct {
        first: u64::from_le_bytes(first),
        record: Record::decode(&record),
        // Written by `append`: always one of the three.
        split: Split::ALL[usize::from(rest[0]) % Split::ALL.len()],
        repeated: rest[1] != 0,
    })
}
