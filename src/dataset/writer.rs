//! Appends records to the three files of a phase so that nothing that was synced can be harmed.

use super::DatasetError;
use super::durable::{DataFile, folders_above};
use super::files::{check_own_folder, create_new, open_own, sync_folder};
use super::layout::PhaseDir;
use super::record::{MAGIC, RECORD_SIZE, Record, file_size};
use super::split::Split;
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes held back per file: 910 records, three times per open phase.
const BUFFER: usize = 910 * RECORD_SIZE;

/// The open files of one phase.
///
/// An append that fails may be repeated: bytes go to known places in the file, so a write that
/// stopped midway on a full disk is simply done again. What is not [synced](PhaseWriter::sync) is
/// lost when the writer is dropped, as it is when the process is killed.
#[derive(Debug)]
pub struct PhaseWriter {
    files: [SplitFile; 3],
    folder: PathBuf,
    /// The files' names need not be on disk yet.
    names_are_new: bool,
}

#[derive(Debug)]
struct SplitFile {
    file: Arc<DataFile>,
    /// Bytes that are in the file.
    length: u64,
    /// Bytes to follow.
    buffer: Vec<u8>,
    /// Records in the file and the buffer.
    count: u64,
}

impl PhaseWriter {
    /// Makes the folder (with those above it) and the three files, each holding the header.
    /// Existing files are never touched: that is an error.
    pub fn create(dir: &PhaseDir) -> Result<PhaseWriter, DatasetError> {
        check_own_folder(dir.path())?;
        fs::create_dir_all(dir.path()).map_err(DatasetError::io("create", dir.path()))?;
        let create = |split: Split| {
            let path = dir.records(split);
            let file = create_new(&path)?;
            Ok(SplitFile {
                file: Arc::new(DataFile::new(path, file, true)),
                length: 0,
                buffer: MAGIC.to_vec(),
                count: 0,
            })
        };
        let mut writer = PhaseWriter {
            files: [
                create(Split::Train)?,
                create(Split::Valid)?,
                create(Split::Test)?,
            ],
            folder: dir.path().to_owned(),
            names_are_new: true,
        };
        writer.flush()?;
        Ok(writer)
    }

    /// Makes the three files empty, without so much as a header: there is nothing in them that
    /// could be lost, so their names may be on disk before anything tells of them.
    pub(crate) fn reserve(dir: &PhaseDir) -> Result<(), DatasetError> {
        for split in Split::ALL {
            create_new(&dir.records(split))?;
        }
        Ok(())
    }

    /// Begins files that were [reserved](PhaseWriter::reserve) in this run. `names_are_new`: their
    /// names have not been synced.
    pub(crate) fn begin_reserved(
        dir: &PhaseDir,
        names_are_new: bool,
    ) -> Result<PhaseWriter, DatasetError> {
        check_own_folder(dir.path())?;
        let open = |split: Split| {
            let path = dir.records(split);
            let file = DataFile::new(path.clone(), open_own(&path)?, true);
            file.cut(MAGIC.len() as u64)?;
            Ok::<_, DatasetError>(SplitFile {
                file: Arc::new(file),
                length: 0,
                buffer: MAGIC.to_vec(),
                count: 0,
            })
        };
        let mut writer = PhaseWriter {
            files: [open(Split::Train)?, open(Split::Valid)?, open(Split::Test)?],
            folder: dir.path().to_owned(),
            names_are_new,
        };
        writer.flush()?;
        Ok(writer)
    }

    /// Opens the three files and cuts whatever lies behind `counts` records. A file that is
    /// shorter, or has another header, is an error, and then no file has been changed.
    pub fn continue_at(dir: &PhaseDir, counts: [u64; 3]) -> Result<PhaseWriter, DatasetError> {
        check_own_folder(dir.path())?;
        let open = |split: Split| {
            let expected = counts[split.index()];
            SplitFile::open(dir.records(split), expected)
        };
        let files = [open(Split::Train)?, open(Split::Valid)?, open(Split::Test)?];
        for file in &files {
            file.cut_tail()?;
        }
        Ok(PhaseWriter {
            files,
            folder: dir.path().to_owned(),
            names_are_new: false,
        })
    }

    /// Adds a record. After an error it has not been added; free space and try again.
    #[inline]
    pub fn append(&mut self, split: Split, record: &Record) -> Result<(), DatasetError> {
        let file = &mut self.files[split.index()];
        if file.buffer.len() >= BUFFER {
            file.flush()?;
        }
        file.buffer.extend_from_slice(&record.encode());
        file.count += 1;
        Ok(())
    }

    /// Puts everything appended so far on disk. After it, and only after it, a checkpoint may
    /// count these records.
    ///
    /// A full disk found while writing can be tried again. Once the system has failed to sync, it
    /// is unknown what is on disk: every further sync fails, and the way on is to open the files
    /// again at the last checkpoint.
    pub fn sync(&mut self) -> Result<(), DatasetError> {
        self.flush()?;
        for file in self.data() {
            file.sync()?;
        }
        if self.names_are_new {
            for folder in self.new_names() {
                sync_folder(&folder)?;
            }
            self.names_are_new = false;
        }
        Ok(())
    }

    /// Hands everything appended so far to the system.
    pub(crate) fn flush(&mut self) -> Result<(), DatasetError> {
        self.files.iter_mut().try_for_each(SplitFile::flush)
    }

    /// The files, to be synced.
    pub(crate) fn data(&self) -> impl Iterator<Item = Arc<DataFile>> {
        self.files.iter().map(|file| Arc::clone(&file.file))
    }

    /// Folders that must be synced before a checkpoint counts what is in the files: the phase's own,
    /// the one that holds its name, and the one that holds the output folder's.
    pub(crate) fn new_names(&self) -> impl Iterator<Item = PathBuf> {
        let all = std::iter::once(self.folder.clone()).chain(folders_above(&self.folder));
        all.filter(|_| self.names_are_new)
    }

    /// [`PhaseWriter::new_names`] have been synced.
    pub(crate) fn names_last(&mut self) {
        self.names_are_new = false;
    }

    /// Records per split, those in the buffers included.
    pub fn counts(&self) -> [u64; 3] {
        self.files.each_ref().map(|file| file.count)
    }

    /// Records in all three.
    pub fn total(&self) -> u64 {
        self.counts().iter().sum()
    }
}

impl SplitFile {
    fn open(path: PathBuf, expected: u64) -> Result<SplitFile, DatasetError> {
        let mut file = open_own(&path)?;
        let found = check_file(&mut file, &path)?;
        let length = match file_size(expected) {
            Some(length) if expected <= found => length,
            _ => {
                return Err(DatasetError::TooShort {
                    path,
                    found,
                    expected,
                });
            }
        };
        Ok(SplitFile {
            file: Arc::new(DataFile::new(path, file, false)),
            length,
            buffer: Vec::new(),
            count: expected,
        })
    }

    fn cut_tail(&self) -> Result<(), DatasetError> {
        self.file.cut(self.length).map(drop)
    }

    fn flush(&mut self) -> Result<(), DatasetError> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        self.file.write_at(&self.buffer, self.length)?;
        self.length += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }
}

/// Checks that `file` is an `.rd` file; whole records in it, a torn one at the end not counted.
/// The next read gets the first record.
pub(crate) fn check_file(file: &mut File, path: &Path) -> Result<u64, DatasetError> {
    let metadata = file.metadata().map_err(DatasetError::io("read", path))?;
    let mut header = [0; MAGIC.len()];
    match file.read_exact(&mut header) {
        Ok(()) if header == *MAGIC => {}
        Ok(()) => {
            return Err(DatasetError::BadHeader {
                path: path.to_owned(),
            });
        }
        Err(e) if e.kind() == ErrorKind::UnexpectedEof => {
            return Err(DatasetError::BadHeader {
                path: path.to_owned(),
            });
        }
        Err(e) => return Err(DatasetError::io("read", path)(e)),
    }
    Ok(metadata.len().saturating_sub(MAGIC.len() as u64) / RECORD_SIZE as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    fn record(value: i16) -> Record {
        Record {
            board: Board::START,
            value,
        }
    }

    fn length(dir: &PhaseDir, split: Split) -> u64 {
        fs::metadata(dir.records(split)).unwrap().len()
    }

    #[test]
    fn golden_files() {
        let out = tempfile::tempdir().unwrap();
        let dir = PhaseDir::new(&out.path().join("not/yet/there"), 0);
        let mut writer = PhaseWriter::create(&dir).unwrap();
        writer.append(Split::Train, &record(2)).unwrap();
        writer.append(Split::Test, &record(-64)).unwrap();
        writer.append(Split::Train, &record(0)).unwrap();
        assert_eq!(writer.counts(), [2, 0, 1]);
        assert_eq!(length(&dir, Split::Train), 10, "records wait for a sync");
        writer.sync().unwrap();
        let start = [0, 0, 0, 0x10, 8, 0, 0, 0, 0, 0, 0, 8, 0x10, 0, 0, 0];
        let expected = |values: &[[u8; 2]]| {
            let mut bytes = b"RDGBBVAL1\n".to_vec();
            for value in values {
                bytes.extend(start);
                bytes.extend(value);
            }
            bytes
        };
        let read = |split| fs::read(dir.records(split)).unwrap();
        assert_eq!(read(Split::Train), expected(&[[2, 0], [0, 0]]));
        assert_eq!(read(Split::Valid), expected(&[]));
        assert_eq!(read(Split::Test), expected(&[[0xc0, 0xff]]));
    }

    #[test]
    fn more_than_a_buffer_goes_through_in_order() {
        let out = tempfile::tempdir().unwrap();
        let dir = PhaseDir::new(out.path(), 0);
        let mut writer = PhaseWriter::create(&dir).unwrap();
        for i in 0..5_000 {
            writer.append(Split::Valid, &record(i)).unwrap();
        }
        writer.sync().unwrap();
        let mut next = 0;
        super::super::scan::for_each_record(&dir.records(Split::Valid), 5_000, |record, number| {
            assert_eq!((i64::from(record.value), number), (next, next as u64));
            next += 1;
            Ok(())
        })
        .unwrap();
        assert_eq!(next, 5_000);
    }

    #[test]
    fn continues_after_the_counted_records_and_cuts_the_rest() {
        let out = tempfile::tempdir().unwrap();
        let dir = PhaseDir::new(out.path(), 0);
        let mut writer = PhaseWriter::create(&dir).unwrap();
        for value in 0..4 {
            writer.append(Split::Train, &record(value)).unwrap();
        }
        writer.sync().unwrap();
        drop(writer);
        // A torn fifth record, and one file with a torn first one.
        for (split, torn) in [(Split::Train, 17), (Split::Test, 3)] {
            let mut bytes = fs::read(dir.records(split)).unwrap();
            bytes.extend(vec![7; torn]);
            fs::write(dir.records(split), bytes).unwrap();
        }
        let mut writer = PhaseWriter::continue_at(&dir, [3, 0, 0]).unwrap();
        assert_eq!(writer.counts(), [3, 0, 0]);
        assert_eq!(length(&dir, Split::Train), 10 + 3 * 18);
        assert_eq!(length(&dir, Split::Test), 10);
        writer.append(Split::Train, &record(9)).unwrap();
        writer.sync().unwrap();
        let bytes = fs::read(dir.records(Split::Train)).unwrap();
        assert_eq!(bytes.len(), 10 + 4 * 18);
        assert_eq!(bytes[10 + 3 * 18..], record(9).encode());
    }

    #[test]
    fn nothing_is_cut_when_any_file_is_unfit() {
        let out = tempfile::tempdir().unwrap();
        let dir = PhaseDir::new(out.path(), 0);
        let mut writer = PhaseWriter::create(&dir).unwrap();
        for value in 0..4 {
            writer.append(Split::Train, &record(value)).unwrap();
        }
        writer.sync().unwrap();
        let train = fs::read(dir.records(Split::Train)).unwrap();
        let fails = |counts| {
            let error = PhaseWriter::continue_at(&dir, counts).unwrap_err();
            assert_eq!(fs::read(dir.records(Split::Train)).unwrap(), train);
            error
        };
        let error = fails([2, 0, 1]);
        assert!(error.is_corruption());
        assert!(
            error
                .to_string()
                .ends_with("test.rd holds 0 records where its checkpoint counts 1"),
            "{error}"
        );
        assert!(matches!(
            fails([u64::MAX, 0, 0]),
            DatasetError::TooShort { .. }
        ));
        fs::write(dir.records(Split::Valid), b"RDGBBVAL2\n").unwrap();
        assert!(matches!(fails([2, 0, 0]), DatasetError::BadHeader { .. }));
        fs::write(dir.records(Split::Valid), b"").unwrap();
        assert!(matches!(fails([2, 0, 0]), DatasetError::BadHeader { .. }));
        fs::remove_file(dir.records(Split::Valid)).unwrap();
        assert!(fails([2, 0, 0]).is_missing());
    }

    #[test]
    fn existing_files_are_never_begun_anew() {
        let out = tempfile::tempdir().unwrap();
        let dir = PhaseDir::new(out.path(), 12);
        fs::create_dir_all(dir.path()).unwrap();
        fs::write(dir.records(Split::Test), "precious").unwrap();
        let error = PhaseWriter::create(&dir).unwrap_err().to_string();
        assert!(error.contains("phase_12/test.rd exists already"), "{error}");
        assert_eq!(fs::read(dir.records(Split::Test)).unwrap(), b"precious");
    }

    #[test]
    fn a_file_in_place_of_the_folder_is_explained() {
        let out = tempfile::tempdir().unwrap();
        let dir = PhaseDir::new(out.path(), 12);
        fs::write(dir.path(), "").unwrap();
        let error = PhaseWriter::create(&dir).unwrap_err().to_string();
        assert!(error.contains("phase_12"), "{error}");
    }

    #[test]
    fn a_full_disk_loses_nothing_and_can_be_retried() {
        let out = tempfile::tempdir().unwrap();
        let dir = PhaseDir::new(out.path(), 12);
        let mut writer = PhaseWriter::create(&dir).unwrap();
        writer.append(Split::Train, &record(1)).unwrap();
        writer.sync().unwrap();
        let full = std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let full = Arc::new(DataFile::new(dir.records(Split::Train), full, true));
        let file = std::mem::replace(&mut writer.files[0].file, full);
        let mut appended = 1;
        let error = loop {
            match writer.append(Split::Train, &record(appended + 1)) {
                Ok(()) => appended += 1,
                Err(error) => break error,
            }
        };
        assert!(error.is_disk_full());
        let text = error.to_string();
        assert!(
            text.contains("phase_12/train.rd") && text.contains("free space"),
            "{text}"
        );
        assert!(writer.sync().unwrap_err().is_disk_full());
        assert_eq!(writer.counts(), [appended as u64, 0, 0]);
        assert_eq!(
            length(&dir, Split::Train),
            10 + 18,
            "what was synced is there"
        );
        // Somebody makes room.
        writer.files[0].file = file;
        writer.append(Split::Train, &record(appended + 1)).unwrap();
        writer.sync().unwrap();
        let bytes = fs::read(dir.records(Split::Train)).unwrap();
        let (records, rest) = bytes[10..].as_chunks();
        let values: Vec<i16> = records.iter().map(|r| Record::decode(r).value).collect();
        assert_eq!(values, (1..=appended + 1).collect::<Vec<_>>());
        assert!(rest.is_empty());
    }
}
