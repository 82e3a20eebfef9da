//! A file that is appended to in whole lines and rotated by size.
//!
//! `rdg.log` becomes `rdg.log.1`, that becomes `rdg.log.2`, and so on; the oldest is dropped. Several
//! processes may share one log: each append takes the lock of the file that it writes to and looks
//! whether it still is the one at its path, so that a rotation by somebody else is followed.

use super::LogError;
use crate::base::shown::Shown;
use crate::config::LogConfig;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Bytes in the unit of `max_size_mb`.
const MIB: u64 = 1024 * 1024;
/// How often, and how long apart, a lock that another process holds is asked for. It is held for the
/// time of a write; a process that was stopped while it held it must not stop us too.
const LOCK_TRIES: u32 = 100;
const LOCK_PAUSE: Duration = Duration::from_millis(5);

/// Where and how much.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogOptions {
    /// The file.
    pub path: PathBuf,
    /// Size in bytes that it does not outgrow (unless a single line does).
    pub max_bytes: u64,
    /// Rotated generations kept. 0: there is no rotation, and the file grows without limit.
    pub max_files: u32,
}

impl LogOptions {
    /// From the command line and app.toml; `None` when neither names a file. Without an app.toml
    /// the size is 100 MiB with five generations.
    pub fn new(typed: Option<&Path>, config: Option<&LogConfig>) -> Option<LogOptions> {
        let named = config.and_then(|config| config.file.as_deref());
        Some(LogOptions {
            path: typed.or(named)?.to_owned(),
            max_bytes: config
                .map_or(100, |config| config.max_size_mb)
                .saturating_mul(MIB),
            max_files: config.map_or(5, |config| config.max_files),
        })
    }
}

/// The open log.
pub struct RotatingFile {
    options: LogOptions,
    file: File,
    /// Devices have no size and cannot be renamed.
    is_regular: bool,
    /// After a rotation that failed: the size before which it is not tried again.
    next_try: u64,
}

impl RotatingFile {
    /// Opens the file for appending; creates it and its folder where they are missing.
    ///
    /// # Errors
    /// When that is impossible, or the path leads to something that is not a file.
    pub fn open(options: &LogOptions) -> Result<RotatingFile, LogError> {
        let path = &options.path;
        if let Some(folder) = path.parent().filter(|p| !p.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(|source| LogError::Folder {
                path: folder.to_owned(),
                source,
            })?;
        }
        // Asked before opening: opening a pipe waits for its reader.
        if let Ok(metadata) = fs::metadata(path)
            && let Some(what) = no_file(&metadata)
        {
            let path = path.clone();
            return Err(LogError::NoFile { path, what });
        }
        let file = open_for_append(path).map_err(|source| LogError::Open {
            path: path.clone(),
            source,
        })?;
        let is_regular = file.metadata().is_ok_and(|metadata| metadata.is_file());
        let mut log = RotatingFile {
            options: options.clone(),
            file,
            is_regular,
            next_try: 0,
        };
        log.end_torn_line();
        Ok(log)
    }

    /// Appends whole lines, each with its end, and rotates between lines as the size demands.
    ///
    /// # Errors
    /// When the lines could not be written; none of them is left in part, and the log stays usable.
    pub fn append(&mut self, lines: &[u8]) -> io::Result<()> {
        if !self.is_regular {
            return self.file.write_all(lines);
        }
        let mut rest = lines;
        while !rest.is_empty() {
            let locked = self.lock_current();
            let written = self.append_part(rest, locked);
            if locked {
                let _ = self.file.unlock();
            }
            rest = &rest[written?..];
        }
        Ok(())
    }

    /// Writes the lines that fit into the present file, or rotates it and writes nothing. Returns
    /// the number of bytes written.
    fn append_part(&mut self, lines: &[u8], locked: bool) -> io::Result<usize> {
        let size = self.file.metadata()?.len();
        let limit = self.options.max_bytes.max(self.next_try);
        let room = if self.options.max_files == 0 {
            u64::MAX
        } else {
            limit.saturating_sub(size)
        };
        let fitting = whole_lines(lines, room);
        if fitting == 0 && size > 0 {
            match self.rotate() {
                Ok(()) => self.next_try = 0,
                Err(error) => {
                    // Better a file that is too large than lines lost; asked again a tenth later.
                    self.next_try = size + self.options.max_bytes / 10 + lines.len() as u64;
                    super::report_fault(format!(
                        "log file {} cannot be rotated: {error}; it grows beyond its size",
                        self.options.path.shown()
                    ));
                }
            }
            return Ok(0);
        }
        // A line longer than the file may be still gets written whole, into a file of its own.
        let part = match fitting {
            0 => &lines[..first_line(lines)],
            fitting => &lines[..fitting],
        };
        match self.file.write_all(part) {
            Ok(()) => Ok(part.len()),
            Err(error) => {
                // A full disk takes a part of the lines: what is torn is taken back.
                if locked {
                    let _ = self.file.set_len(size);
                }
                Err(error)
            }
        }
    }

    /// Moves every generation up by one and begins a new file. The lock of the old one is held.
    fn rotate(&mut self) -> io::Result<()> {
        let kept = self.options.max_files;
        // Left over from a time when more were kept.
        let mut surplus = kept.saturating_add(1);
        while fs::remove_file(self.generation(surplus)).is_ok() {
            surplus += 1;
        }
        for number in (1..kept).rev() {
            match fs::rename(self.generation(number), self.generation(number + 1)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        fs::rename(&self.options.path, self.generation(1))?;
        self.file = open_for_append(&self.options.path)?;
        Ok(())
    }

    /// `rdg.log.3` of `rdg.log`.
    fn generation(&self, number: u32) -> PathBuf {
        let mut name = OsString::from(&self.options.path);
        name.push(format!(".{number}"));
        PathBuf::from(name)
    }

    /// Locks the file that is at the path now, opening it anew if it is another one than ours.
    /// Returns whether the lock was had; without it the work goes on all the same.
    fn lock_current(&mut self) -> bool {
        for _ in 0..LOCK_TRIES {
            match self.file.try_lock() {
                Ok(()) if self.is_current() => return true,
                Ok(()) => {
                    let _ = self.file.unlock();
                    match open_for_append(&self.options.path) {
                        Ok(file) => self.file = file,
                        Err(_) => return false,
                    }
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_PAUSE),
                // A file system without locks.
                Err(TryLockError::Error(_)) => break,
            }
        }
        if !self.is_current()
            && let Ok(file) = open_for_append(&self.options.path)
        {
            self.file = file;
        }
        false
    }

    fn is_current(&self) -> bool {
        match (self.file.metadata(), fs::metadata(&self.options.path)) {
            (Ok(ours), Ok(there)) => ours.dev() == there.dev() && ours.ino() == there.ino(),
            _ => false,
        }
    }

    /// A line that a killed process left unfinished gets its end, so that ours begins a new one. The
    /// lock is needed: a line that somebody is writing at this moment only looks unfinished.
    fn end_torn_line(&mut self) {
        if !self.is_regular || !self.lock_current() {
            return;
        }
        if self.ends_within_line() {
            let _ = self.file.write_all(b"\n");
        }
        let _ = self.file.unlock();
    }

    fn ends_within_line(&self) -> bool {
        use std::os::unix::fs::FileExt;
        let Ok(size) = self.file.metadata().map(|metadata| metadata.len()) else {
            return false;
        };
        let Ok(reader) = File::open(&self.options.path) else {
            return false;
        };
        let mut last = [0];
        size > 0 && reader.read_exact_at(&mut last, size - 1).is_ok() && last != *b"\n"
    }
}

fn open_for_append(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).create(true).open(path)
}

/// What the path is if it can be no log.
fn no_file(metadata: &fs::Metadata) -> Option<&'static str> {
    let kind = metadata.file_type();
    if kind.is_dir() {
        Some("a folder")
    } else if kind.is_fifo() {
        Some("a pipe")
    } else if kind.is_socket() {
        Some("a socket")
    } else {
        None
    }
}

/// The length of the first line with its end.
fn first_line(lines: &[u8]) -> usize {
    memchr::memchr(b'\n', lines).map_or(lines.len(), |end| end + 1)
}

/// The length of as many whole lines as fit into `room` bytes.
fn whole_lines(lines: &[u8], room: u64) -> usize {
    match usize::try_from(room) {
        Ok(room) if room < lines.len() => {
            memchr::memrchr(b'\n', &lines[..room]).map_or(0, |end| end + 1)
        }
        _ => lines.len(),
    }
}

#[cfg(test)]
#[path = "rotate_tests.rs"]
mod tests;
