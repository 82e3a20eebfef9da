//! How files are opened, made and put on disk. Knows nothing of what is in them.
//!
//! Where rdg keeps files of its own, it never writes through a symbolic link, into a pipe or onto a
//! device that somebody has put in their place: an output folder may be writable for others, and a
//! link in it may lead anywhere.

use super::DatasetError;
use rustix::fs::OFlags;
use std::ffi::OsString;
use std::fs::{self, File, FileType, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Opens a file to read that somebody named or that lies in a dataset; links are followed. What is
/// not a regular file is refused before it is opened: a pipe would wait for its other end.
pub(crate) fn open_regular(path: &Path) -> Result<File, DatasetError> {
    let read = DatasetError::io("read", path);
    let found = match fs::metadata(path) {
        Ok(found) => found,
        Err(e) => return Err(read(e)),
    };
    if found.is_dir() {
        Err(read(ErrorKind::IsADirectory.into()))
    } else if !found.is_file() {
        Err(read(io::Error::new(
            ErrorKind::InvalidInput,
            "it is not a regular file",
        )))
    } else {
        File::open(path).map_err(read)
    }
}

/// Opens an existing file of rdg's own for reading and writing.
///
/// # Errors
/// [`DatasetError::NotOurs`] for a link, a folder, a pipe, a socket or a device of that name.
pub(crate) fn open_own(path: &Path) -> Result<File, DatasetError> {
    open_own_with(path, OpenOptions::new().read(true).write(true), "open")
}

/// The same, made where it is missing.
pub(crate) fn open_or_create_own(path: &Path) -> Result<File, DatasetError> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    open_own_with(path, &mut options, "create")
}

fn open_own_with(
    path: &Path,
    options: &mut OpenOptions,
    action: &'static str,
) -> Result<File, DatasetError> {
    check_own(path)?;
    // What is put there after the look is neither followed nor waited for.
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let opened = options.custom_flags(flags.bits().cast_signed()).open(path);
    let is_link = |e: &io::Error| e.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error());
    let file = match opened {
        Err(e) if is_link(&e) => return Err(not_ours(path, "a symbolic link")),
        opened => opened.map_err(DatasetError::io(action, path))?,
    };
    let metadata = file.metadata().map_err(DatasetError::io("read", path))?;
    match other_kind(metadata.file_type()) {
        Some(what) => Err(not_ours(path, what)),
        None => Ok(file),
    }
}

/// Makes sure that a name of rdg's own is free or belongs to a regular file.
///
/// # Errors
/// [`DatasetError::NotOurs`] for anything else.
pub(crate) fn check_own(path: &Path) -> Result<(), DatasetError> {
    match look(path)? {
        Some(found) => match other_kind(found.file_type()) {
            Some(what) => Err(not_ours(path, what)),
            None => Ok(()),
        },
        None => Ok(()),
    }
}

/// Makes sure that a folder of rdg's own is missing or really a folder.
///
/// # Errors
/// [`DatasetError::NotOurs`] for a link or a file of that name.
pub(crate) fn check_own_folder(path: &Path) -> Result<(), DatasetError> {
    match look(path)? {
        Some(found) if !found.is_dir() => {
            let what = other_kind(found.file_type()).unwrap_or("a file");
            Err(not_ours(path, what))
        }
        _ => Ok(()),
    }
}

/// Makes a file that is not there yet.
///
/// # Errors
/// [`DatasetError::AlreadyExists`]; whatever is there is left alone.
pub(crate) fn create_new(path: &Path) -> Result<File, DatasetError> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create_new(true)
        .open(path)
        .map_err(|e| match e.kind() {
            ErrorKind::AlreadyExists => DatasetError::AlreadyExists {
                path: path.to_owned(),
            },
            _ => DatasetError::io("create", path)(e),
        })
}

/// A file that is written and on disk, beside the place that it will be moved to.
#[derive(Debug)]
pub(crate) struct Beside {
    path: PathBuf,
    target: PathBuf,
}

impl Beside {
    /// Writes `content` to `.<name>.tmp` and syncs it. The name is fixed, so that a killed process leaves at most
    /// one such file, which is replaced here. One writer at a time, as the output lock ensures.
    pub(crate) fn write(target: &Path, content: &[u8]) -> Result<Beside, DatasetError> {
        let mut name = OsString::from(".");
        name.push(target.file_name().unwrap_or_default());
        name.push(".tmp");
        let path = target.with_file_name(name);
        check_own(&path)?;
        check_own(target)?;
        match fs::remove_file(&path) {
            Err(e) if e.kind() != ErrorKind::NotFound => {
                return Err(DatasetError::io("replace", &path)(e));
            }
            _ => {}
        }
        let mut file = create_new(&path)?;
        let written = file
            .write_all(content)
            .map_err(DatasetError::io("write", &path))
            .and_then(|()| file.sync_all().map_err(DatasetError::io("sync", &path)));
        let beside = Beside {
            path,
            target: target.to_owned(),
        };
        match written {
            Ok(()) => Ok(beside),
            Err(error) => {
                beside.discard();
                Err(error)
            }
        }
    }

    /// Moves it to its place. Lasting only once the [folder is synced](sync_folder).
    pub(crate) fn publish(self) -> Result<(), DatasetError> {
        match fs::rename(&self.path, &self.target) {
            Ok(()) => Ok(()),
            Err(e) => {
                let error = DatasetError::io("replace", &self.target)(e);
                self.discard();
                Err(error)
            }
        }
    }

    /// Removes it. On a full disk it would keep the space that somebody has to free.
    pub(crate) fn discard(self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Writes a file that appears complete and on disk or not at all: written beside its place,
/// synced, renamed, folder synced.
pub(crate) fn write_file(path: &Path, content: &[u8]) -> Result<(), DatasetError> {
    Beside::write(path, content)?.publish()?;
    sync_folder(path.parent().unwrap_or(Path::new("")))
}

/// Makes the names in a folder last.
pub(crate) fn sync_folder(path: &Path) -> Result<(), DatasetError> {
    let path = match path.as_os_str().is_empty() {
        true => Path::new("."),
        false => path,
    };
    let synced = File::open(path).and_then(|folder| folder.sync_all());
    match synced {
        // Some file systems have nothing to sync in a folder and say so.
        Err(e) if matches!(e.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Ok(()),
        other => other.map_err(DatasetError::io("sync", path)),
    }
}

fn look(path: &Path) -> Result<Option<Metadata>, DatasetError> {
    match fs::symlink_metadata(path) {
        Ok(found) => Ok(Some(found)),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
        Err(e) => Err(DatasetError::io("look at", path)(e)),
    }
}

fn not_ours(path: &Path, what: &'static str) -> DatasetError {
    DatasetError::NotOurs {
        path: path.to_owned(),
        what,
    }
}

/// What it is, unless it is a regular file.
fn other_kind(kind: FileType) -> Option<&'static str> {
    if kind.is_file() {
        None
    } else if kind.is_dir() {
        Some("a folder")
    } else if kind.is_symlink() {
        Some("a symbolic link")
    } else if kind.is_fifo() {
        Some("a pipe")
    } else if kind.is_socket() {
        Some("a socket")
    } else {
        Some("a device")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// Everything that may stand in the place of a file, made in `folder` under `name`.
    fn strangers(folder: &Path, name: &str, victim: &Path) -> Vec<(&'static str, PathBuf)> {
        let place = |kind: &str| {
            let place = folder.join(kind);
            fs::create_dir(&place).unwrap();
            place.join(name)
        };
        let link = place("link");
        symlink(victim, &link).unwrap();
        let dangling = place("dangling");
        symlink("/nonexistent/file", &dangling).unwrap();
        let dir = place("dir");
        fs::create_dir(&dir).unwrap();
        let fifo = place("fifo");
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &fifo,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::from_raw_mode(0o600),
            0,
        )
        .unwrap();
        let device = place("device");
        symlink("/dev/null", &device).unwrap();
        vec![
            ("a symbolic link", link),
            ("a symbolic link", dangling),
            ("a folder", dir),
            ("a pipe", fifo),
            ("a symbolic link", device),
        ]
    }

    #[test]
    fn what_stands_in_the_place_of_our_file_is_refused_and_untouched() {
        let folder = tempfile::tempdir().unwrap();
        let victim = folder.path().join("victim");
        fs::write(&victim, "precious").unwrap();
        for (what, path) in strangers(folder.path(), "own", &victim) {
            for error in [
                open_own(&path).unwrap_err(),
                open_or_create_own(&path).unwrap_err(),
                write_file(&path, b"x").unwrap_err(),
            ] {
                let error = error.to_string();
                assert!(error.contains(what) && error.contains("remove"), "{error}");
            }
            assert!(create_new(&path).is_err());
            assert!(fs::symlink_metadata(&path).is_ok());
        }
        assert_eq!(fs::read(&victim).unwrap(), b"precious");
    }

    #[test]
    fn a_file_in_the_making_is_never_written_through_what_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let victim = folder.path().join("victim");
        fs::write(&victim, "precious").unwrap();
        for (what, path) in strangers(folder.path(), ".a.json.tmp", &victim) {
            let target = path.with_file_name("a.json");
            fs::write(&target, "old").unwrap();
            let error = write_file(&target, b"new").unwrap_err().to_string();
            assert!(
                error.contains(what) && error.contains(".a.json.tmp"),
                "{error}"
            );
            assert_eq!(fs::read(&target).unwrap(), b"old");
        }
        assert_eq!(fs::read(&victim).unwrap(), b"precious");
    }

    #[test]
    fn folders_are_folders() {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().join("real");
        fs::create_dir(&real).unwrap();
        check_own_folder(&real).unwrap();
        check_own_folder(&folder.path().join("missing")).unwrap();
        let link = folder.path().join("link");
        symlink(&real, &link).unwrap();
        let error = check_own_folder(&link).unwrap_err().to_string();
        assert!(error.contains("a symbolic link"), "{error}");
    }
}
