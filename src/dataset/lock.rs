//! One run per output folder: a lock that the system takes away when its process dies.

use super::DatasetError;
use super::files::open_or_create_own;
use crate::base::shown::Shown;
use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Name of the file in the output folder that is locked.
pub(crate) const LOCK_FILE: &str = ".rdg.lock";

/// Holds the lock of an output folder until it is dropped or the process ends, in whatever way.
#[derive(Debug)]
pub(crate) struct OutputLock {
    path: PathBuf,
    // Closing it gives the lock up.
    _file: File,
}

impl OutputLock {
    /// Locks `output_dir`, which is created if it is not there. Never waits.
    ///
    /// # Errors
    /// [`DatasetError::Locked`] names the process that holds it.
    pub(crate) fn acquire(output_dir: &Path) -> Result<OutputLock, DatasetError> {
        fs::create_dir_all(output_dir).map_err(DatasetError::io("create", output_dir))?;
        let path = output_dir.join(LOCK_FILE);
        loop {
            let mut file = open_or_create_own(&path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(DatasetError::Locked {
                        path: output_dir.to_owned(),
                        holder: holder(&mut file).into(),
                    });
                }
                Err(TryLockError::Error(source)) if source.kind() == ErrorKind::Interrupted => {
                    continue;
                }
                Err(TryLockError::Error(source)) => {
                    return Err(DatasetError::LockUnsupported {
                        path: output_dir.to_owned(),
                        source,
                    });
                }
            }
            // The holder before us removes the file while it holds the lock. Whoever opened that
            // file in between locks a file that nobody else will find: take the one that is there.
            if !is_still_at(&file, &path)? {
                continue;
            }
            write_holder(&mut file);
            return Ok(OutputLock { path, _file: file });
        }
    }
}

impl Drop for OutputLock {
    fn drop(&mut self) {
        // Removed while the lock is held, so that it is ours for certain.
        let _ = fs::remove_file(&self.path);
    }
}

fn is_still_at(file: &File, path: &Path) -> Result<bool, DatasetError> {
    let ours = file.metadata().map_err(DatasetError::io("read", path))?;
    match fs::symlink_metadata(path) {
        Ok(there) => Ok((there.dev(), there.ino()) == (ours.dev(), ours.ino())),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(false),
        Err(e) => Err(DatasetError::io("read", path)(e)),
    }
}

/// Tells others who we are. A message for people, so a full disk does no harm to the lock.
fn write_holder(file: &mut File) {
    let words: Vec<String> = std::env::args_os()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let text = format!("{}\n{}\n", std::process::id(), words.join(" "));
    let _ = file
        .set_len(0)
        .and_then(|()| file.write_all(text.as_bytes()));
}

/// The process that holds the lock, as it wrote itself down.
fn holder(file: &mut File) -> String {
    let mut bytes = Vec::new();
    let _ = file.take(4096).read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes);
    let mut lines = text.lines();
    let pid = lines.next().and_then(|line| line.parse::<u32>().ok());
    match (pid, lines.next()) {
        (Some(pid), Some(command)) => {
            format!("process {pid} (`{}`)", command.shown().start(200))
        }
        _ => "another rdg".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn the_second_is_told_who_holds_it_and_the_third_gets_it() {
        let out = tempfile::tempdir().unwrap();
        let lock = OutputLock::acquire(out.path()).unwrap();
        let error = OutputLock::acquire(out.path()).unwrap_err().to_string();
        let pid = format!("process {} (`", std::process::id());
        assert!(error.contains(&pid), "{error}");
        drop(lock);
        assert!(!out.path().join(LOCK_FILE).exists());
        OutputLock::acquire(out.path()).unwrap();
    }

    #[test]
    fn a_dead_holders_file_is_no_lock() {
        let out = tempfile::tempdir().unwrap();
        fs::write(out.path().join(LOCK_FILE), "1\nrdg\n").unwrap();
        OutputLock::acquire(out.path()).unwrap();
    }

    #[test]
    fn never_two_at_once() {
        let out = tempfile::tempdir().unwrap();
        let inside = AtomicU32::new(0);
        let taken = AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        if let Ok(_lock) = OutputLock::acquire(out.path()) {
                            assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                            taken.fetch_add(1, Ordering::SeqCst);
                            inside.fetch_sub(1, Ordering::SeqCst);
                        }
                    }
                });
            }
        });
        assert!(taken.load(Ordering::SeqCst) > 0);
    }

    #[test]
    fn a_file_in_place_of_the_folder_is_explained() {
        let out = tempfile::tempdir().unwrap();
        let file = out.path().join("plain");
        fs::write(&file, "").unwrap();
        let error = OutputLock::acquire(&file.join("out")).unwrap_err();
        assert!(error.to_string().contains("plain"), "{error}");
    }
}
