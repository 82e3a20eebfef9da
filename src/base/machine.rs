//! What the machine has: CPUs, free disk space, available memory.

use std::fs;
use std::num::NonZero;
use std::path::Path;

/// A machine in figures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Machine {
    /// CPUs that this process may use.
    pub cpus: usize,
    /// Bytes free for this user where the output would go; `None` where it cannot be asked.
    pub free_disk: Option<u64>,
    /// Bytes of memory that can be had without swapping; `None` where the system does not tell.
    pub available_memory: Option<u64>,
}

impl Machine {
    /// This one. `output_dir` need not exist.
    pub(crate) fn look(output_dir: &Path) -> Machine {
        Machine {
            cpus: std::thread::available_parallelism().map_or(1, NonZero::get),
            free_disk: free_disk(output_dir),
            available_memory: fs::read_to_string("/proc/meminfo")
                .ok()
                .and_then(|text| available_memory(&text)),
        }
    }
}

/// Asked of the nearest folder above that exists.
fn free_disk(folder: &Path) -> Option<u64> {
    let absolute = std::path::absolute(folder).ok()?;
    let stat = absolute
        .ancestors()
        .find_map(|folder| rustix::fs::statvfs(folder).ok())?;
    Some(stat.f_bavail.saturating_mul(stat.f_frsize))
}

/// The line `MemAvailable:  8046264 kB`.
fn available_memory(meminfo: &str) -> Option<u64> {
    let line = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn available_memory_is_found_among_the_others() {
        let text = "MemTotal:       16000 kB\nMemFree: 1 kB\nMemAvailable:    8046264 kB\n";
        assert_eq!(available_memory(text), Some(8_046_264 * 1024));
        assert_eq!(available_memory("MemTotal: 1 kB\n"), None);
        assert_eq!(available_memory("MemAvailable: junk\n"), None);
    }

    #[test]
    fn a_folder_that_is_not_there_yet_has_the_space_of_the_one_above() {
        let folder = tempfile::tempdir().unwrap();
        assert!(free_disk(&folder.path().join("a/b/c")).is_some_and(|free| free > 0));
    }
}
