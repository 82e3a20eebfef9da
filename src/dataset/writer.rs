//! Appends records to the three files of a phase so that nothing that was synced can be harmed.

use super::DatasetError;
use super::files::{check_own_folder, create_new, open_own, sync_folder};
use super::layout::PhaseDir;
use super::record::{MAGIC, RECORD_SIZE, Record, file_size};
use super::split::Split;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

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
    folder_is_new: bool,
    /// A sync failed: the system may have dropped what it could not write, and a second sync would
    /// not tell.
    sync_failed: bool,
}

#[derive(Debug)]
struct SplitFile {
    path: PathBuf,
    file: File,
    /// Bytes that are in the file.
    length: u64,
    /// Bytes to follow.
    buffer: Vec<u8>,
    /// Records in the file and the buffer.
    count: u64,
    /// Something in the file has not been synced.
    dirty: bool,
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
                path,
                file,
                length: 0,
                buffer: MAGIC.to_vec(),
                count: 0,
                dirty: true,
            })
        };
        let mut writer = PhaseWriter {
            files: [
                create(Split::Train)?,
                create(Split::Valid)?,
                create(Split::Test)?,
            ],
            folder: dir.path().to_owned(),
            folder_is_new: true,
            sync_failed: false,
        };
        for file in &mut writer.files {
            file.flush()?;
        }
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
        let mut files = [open(Split::Train)?, open(Split::Valid)?, open(Split::Test)?];
        for file in &mut files {
            file.cut_tail()?;
        }
        Ok(PhaseWriter {
            files,
            folder: dir.path().to_owned(),
            folder_is_new: false,
            sync_failed: false,
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
        if self.sync_failed {
            let reason = "an earlier sync failed; go on from the last checkpoint with --resume";
            return Err(DatasetError::io("sync", &self.folder)(io::Error::other(
                reason,
            )));
        }
        for file in &mut self.files {
            file.flush()?;
            if file.dirty {
                if let Err(e) = file.file.sync_data() {
                    self.sync_failed = true;
                    return Err(DatasetError::io("sync", &file.path)(e));
                }
                file.dirty = false;
            }
        }
        if self.folder_is_new {
            sync_folder(&self.folder)?;
            // The phase folder's own name, and that of the output folder.
            for above in self.folder.ancestors().skip(1).take(2) {
                sync_folder(above)?;
            }
            self.folder_is_new = false;
        }
        Ok(())
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
            path,
            file,
            length,
            buffer: Vec::new(),
            count: expected,
            dirty: false,
        })
    }

    fn cut_tail(&mut self) -> Result<(), DatasetError> {
        let metadata = self
            .file
            .metadata()
            .map_err(DatasetError::io("read", &self.path))?;
        if metadata.len() > self.length {
            self.file
                .set_len(self.length)
                .map_err(DatasetError::io("shorten", &self.path))?;
            self.dirty = true;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), DatasetError> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        self.dirty = true;
        self.file
            .write_all_at(&self.buffer, self.length)
            .map_err(DatasetError::io("write", &self.path))?;
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
