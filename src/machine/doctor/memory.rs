//! How much memory an engine's processes take.

use std::fs;
use std::path::Path;

/// Memory of one engine in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MemoryUse {
    /// The most that it had in memory at a time.
    pub bytes: u64,
    /// Measured on the process, or what is known of its kind.
    pub is_measured: bool,
    /// For as many engines as there are workers.
    pub all_workers: u64,
}

/// The peaks of resident memory of all processes in the group `leader` leads: a wrapper script and
/// what it started are one engine. `None` where the system does not tell.
pub(super) fn peak_of_group(leader: u32) -> Option<u64> {
    let mut sum = 0_u64;
    for entry in fs::read_dir("/proc").ok()?.flatten() {
        let name = entry.file_name();
        let is_process = name
            .to_str()
            .is_some_and(|name| name.parse::<u32>().is_ok());
        if is_process && group(&entry.path()) == Some(leader) {
            sum += peak(&entry.path()).unwrap_or(0);
        }
    }
    (sum > 0).then_some(sum)
}

fn group(process: &Path) -> Option<u32> {
    parse_group(&fs::read_to_string(process.join("stat")).ok()?)
}

/// The third field after the name, which may hold blanks and brackets: state, parent, group.
fn parse_group(stat: &str) -> Option<u32> {
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(2)?.parse().ok()
}

fn peak(process: &Path) -> Option<u64> {
    parse_peak(&fs::read_to_string(process.join("status")).ok()?)
}

/// The line `VmHWM:     1234 kB`.
fn parse_peak(status: &str) -> Option<u64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_systems_files_are_read() {
        assert_eq!(
            parse_peak("Name:\tx\nVmHWM:\t    5432 kB\n"),
            Some(5432 * 1024)
        );
        assert_eq!(parse_peak("Name:\tx\n"), None);
        assert_eq!(parse_group("17 (a b) c) S 1 17 17 0 -1"), Some(17));
        assert_eq!(parse_group("junk"), None);
    }

    #[test]
    fn a_process_has_memory() {
        use std::io::{Read, Write};
        use std::os::unix::process::CommandExt;
        use std::process::{Command, Stdio};
        let mut child = Command::new("/bin/sh")
            .args(["-c", "cat; :"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .unwrap();
        // Once it answers, it has been loaded.
        child.stdin.as_mut().unwrap().write_all(b"x").unwrap();
        let mut answer = [0];
        child
            .stdout
            .as_mut()
            .unwrap()
            .read_exact(&mut answer)
            .unwrap();
        let found = peak_of_group(child.id());
        child.kill().unwrap();
        child.wait().unwrap();
        if Path::new("/proc/self/status").exists() {
            assert!(found.is_some_and(|bytes| bytes > 100_000), "{found:?}");
        }
        assert_eq!(peak_of_group(u32::MAX), None);
    }
}
