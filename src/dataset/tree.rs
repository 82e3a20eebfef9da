//! What lies at a path that somebody named: one `.rd` file, the folder of a phase, or a dataset.

use super::DatasetError;
use super::files::open_regular;
use super::layout::phase_of_folder;
use super::metadata::Metadata;
use super::record::{MAGIC, RECORD_SIZE};
use super::split::Split;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// What a path is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TreeKind {
    /// One file.
    File,
    /// A folder that holds `.rd` files.
    Phase,
    /// A folder that holds phase folders.
    Dataset,
}

/// Everything found at a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree {
    /// As it was named.
    pub root: PathBuf,
    /// What it is.
    pub kind: TreeKind,
    /// The phases, ascending; one for a file or a phase folder.
    pub phases: Vec<PhaseFiles>,
}

/// The files of one phase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PhaseFiles {
    /// The folder; `None` where a file was named alone.
    pub folder: Option<PathBuf>,
    /// Discs − 4, where the folder's name tells it.
    pub phase: Option<u8>,
    /// `.rd` files: train, valid, test, then any others by name.
    pub files: Vec<RecordFile>,
    /// Those of the three that are not there.
    pub missing: Vec<PathBuf>,
}

/// One `.rd` file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordFile {
    /// Where it is.
    pub path: PathBuf,
    /// Which of the three it is, by its name.
    pub split: Option<Split>,
}

impl Tree {
    /// Looks at `path`. Nothing of the files is read yet.
    ///
    /// # Errors
    /// Nothing is there, or a folder that holds no `.rd` file at all.
    pub fn find(path: &Path) -> Result<Tree, DatasetError> {
        let found = fs::metadata(path).map_err(DatasetError::io("read", path))?;
        let (kind, phases) = if found.is_dir() {
            let phases = phase_folders(path)?;
            if phases.is_empty() {
                (TreeKind::Phase, vec![PhaseFiles::in_folder(path)?])
            } else {
                (TreeKind::Dataset, phases)
            }
        } else {
            let alone = PhaseFiles {
                folder: None,
                phase: absolute_parent(path).as_deref().and_then(phase_of_folder),
                files: vec![RecordFile {
                    split: split_of_name(path.file_name()),
                    path: path.to_owned(),
                }],
                missing: Vec::new(),
            };
            (TreeKind::File, vec![alone])
        };
        if phases.iter().all(|phase| phase.files.is_empty()) {
            return Err(DatasetError::NoRecords {
                path: path.to_owned(),
            });
        }
        Ok(Tree {
            root: path.to_owned(),
            kind,
            phases,
        })
    }

    /// All files.
    pub fn files(&self) -> impl Iterator<Item = &RecordFile> {
        self.phases.iter().flat_map(|phase| &phase.files)
    }
}

/// The folder's own name is asked also where the path is `.` or a bare file name.
fn absolute_parent(path: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(path).ok()?;
    absolute.parent().map(Path::to_owned)
}

fn phase_folders(dataset: &Path) -> Result<Vec<PhaseFiles>, DatasetError> {
    let mut folders = Vec::new();
    for path in entries(dataset)? {
        if let Some(phase) = phase_of_folder(&path)
            && path.is_dir()
        {
            folders.push((phase, path));
        }
    }
    folders.sort();
    folders
        .into_iter()
        .map(|(_, folder)| PhaseFiles::in_folder(&folder))
        .collect()
}

impl PhaseFiles {
    fn in_folder(folder: &Path) -> Result<PhaseFiles, DatasetError> {
        let mut files: Vec<RecordFile> = entries(folder)?
            .into_iter()
            .filter(|path| path.extension() == Some(OsStr::new("rd")))
            .map(|path| RecordFile {
                split: split_of_name(path.file_name()),
                path,
            })
            .collect();
        files.sort_by_key(|file| (file.split.is_none(), file.split, file.path.clone()));
        let missing = Split::ALL
            .into_iter()
            .filter(|&split| files.iter().all(|file| file.split != Some(split)))
            .map(|split| folder.join(split.file_name()))
            .collect();
        Ok(PhaseFiles {
            phase: std::path::absolute(folder)
                .ok()
                .as_deref()
                .and_then(phase_of_folder),
            folder: Some(folder.to_owned()),
            files,
            missing,
        })
    }

    /// metadata.json of the phase, if it is there; beside a file named alone only where it is one of the
    /// three.
    ///
    /// # Errors
    /// It cannot be read. The rule by which the values count is in it: without it they mean nothing.
    pub fn read_metadata(&self) -> Result<Option<Metadata>, DatasetError> {
        let path = match &self.folder {
            Some(folder) => folder.join("metadata.json"),
            None => match self.files.first().filter(|file| file.split.is_some()) {
                Some(file) => file.path.with_file_name("metadata.json"),
                None => return Ok(None),
            },
        };
        match Metadata::read(&path) {
            Err(error) if error.is_missing() => Ok(None),
            read => read.map(Some),
        }
    }

    /// A file beside the records, such as `stats.json`; `None` where no folder was named.
    pub fn beside(&self, name: &str) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(name))
    }
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, DatasetError> {
    fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect())
        .map_err(DatasetError::io("read", folder))
}

fn split_of_name(name: Option<&OsStr>) -> Option<Split> {
    Split::ALL
        .into_iter()
        .find(|split| name == Some(OsStr::new(split.file_name())))
}

/// An open `.rd` file whose records are read in blocks, by any number of threads at once.
#[derive(Debug)]
pub struct Records {
    path: PathBuf,
    file: File,
    count: u64,
    torn: u8,
}

impl Records {
    /// Opens a file and checks its header.
    pub fn open(path: &Path) -> Result<Records, DatasetError> {
        let file = open_regular(path)?;
        let length = file
            .metadata()
            .map_err(DatasetError::io("read", path))?
            .len();
        let mut header = [0; MAGIC.len()];
        let read = file.read_exact_at(&mut header, 0);
        match read {
            Ok(()) if header == *MAGIC => {}
            Err(e) if e.kind() != ErrorKind::UnexpectedEof => {
                return Err(DatasetError::io("read", path)(e));
            }
            _ => {
                return Err(DatasetError::BadHeader {
                    path: path.to_owned(),
                });
            }
        }
        let bytes = length.saturating_sub(MAGIC.len() as u64);
        Ok(Records {
            path: path.to_owned(),
            file,
            count: bytes / RECORD_SIZE as u64,
            torn: (bytes % RECORD_SIZE as u64) as u8,
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whole records.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Bytes of a record cut short at the end; 0 in a sound file.
    pub fn torn_bytes(&self) -> u8 {
        self.torn
    }

    /// Reads `buffer.len()` records from number `first` on; the caller stays within
    /// [`Records::count`].
    pub fn read(&self, first: u64, buffer: &mut [[u8; RECORD_SIZE]]) -> Result<(), DatasetError> {
        let offset = MAGIC.len() as u64 + first * RECORD_SIZE as u64;
        self.file
            .read_exact_at(buffer.as_flattened_mut(), offset)
            .map_err(DatasetError::io("read", &self.path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(path: &Path) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, MAGIC).unwrap();
    }

    #[test]
    fn a_dataset_is_found_phase_by_phase() {
        let out = tempfile::tempdir().unwrap();
        for (phase, file) in [
            ("phase_10", "test.rd"),
            ("phase_10", "train.rd"),
            ("phase_9", "train.rd"),
        ] {
            touch(&out.path().join(phase).join(file));
        }
        touch(&out.path().join("phase_10/extra.rd"));
        touch(&out.path().join("phase_10/notes.txt"));
        touch(&out.path().join("other/train.rd"));
        touch(&out.path().join("phase_20"));
        let tree = Tree::find(out.path()).unwrap();
        assert_eq!(tree.kind, TreeKind::Dataset);
        let phases: Vec<_> = tree.phases.iter().map(|p| p.phase).collect();
        assert_eq!(phases, [Some(9), Some(10)]);
        let names: Vec<_> = tree.phases[1]
            .files
            .iter()
            .map(|f| f.path.file_name().unwrap())
            .collect();
        assert_eq!(names, ["train.rd", "test.rd", "extra.rd"]);
        assert_eq!(
            tree.phases[1].missing,
            [out.path().join("phase_10/valid.rd")]
        );
    }

    #[test]
    fn files_and_folders_alone() {
        let out = tempfile::tempdir().unwrap();
        let file = out.path().join("phase_07/valid.rd");
        touch(&file);
        let tree = Tree::find(&file).unwrap();
        assert_eq!((tree.kind, tree.phases[0].phase), (TreeKind::File, Some(7)));
        assert_eq!(tree.phases[0].files[0].split, Some(Split::Valid));
        assert_eq!(tree.phases[0].missing, Vec::<PathBuf>::new());
        let tree = Tree::find(file.parent().unwrap()).unwrap();
        assert_eq!(
            (tree.kind, tree.phases[0].phase),
            (TreeKind::Phase, Some(7))
        );
        let loose = out.path().join("x/loose.rd");
        touch(&loose);
        assert_eq!(Tree::find(&loose).unwrap().phases[0].phase, None);
    }

    #[test]
    fn what_holds_no_records_is_told_apart() {
        let out = tempfile::tempdir().unwrap();
        let error = Tree::find(out.path()).unwrap_err().to_string();
        assert!(error.contains("holds neither"), "{error}");
        assert!(
            Tree::find(&out.path().join("nothing"))
                .unwrap_err()
                .is_missing()
        );
    }

    #[test]
    fn a_pipe_is_refused_and_not_waited_for() {
        let out = tempfile::tempdir().unwrap();
        let path = out.path().join("train.rd");
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, rustix::fs::Mode::RWXU).unwrap();
        let error = Records::open(&path).unwrap_err().to_string();
        assert!(error.contains("not a regular file"), "{error}");
    }

    #[test]
    fn torn_ends_are_counted() {
        let out = tempfile::tempdir().unwrap();
        let path = out.path().join("x.rd");
        for (extra, count, torn) in [(0, 0, 0), (1, 0, 1), (18, 1, 0), (53, 2, 17)] {
            let mut bytes = MAGIC.to_vec();
            bytes.extend(vec![0; extra]);
            fs::write(&path, bytes).unwrap();
            let records = Records::open(&path).unwrap();
            assert_eq!((records.count(), records.torn_bytes()), (count, torn));
        }
        for bad in [&MAGIC[..9], b"", b"RDGBBVAL1\r\n"] {
            fs::write(&path, bad).unwrap();
            assert!(matches!(
                Records::open(&path),
                Err(DatasetError::BadHeader { .. })
            ));
        }
    }
}
