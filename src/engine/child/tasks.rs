//! The threads of processes and of what they have started, and how they fare with the scheduler.

use std::fs;
use std::time::Duration;

/// Sums over threads, as the scheduler counts them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Fared {
    /// Time on a CPU.
    pub ran: Duration,
    /// Time ready to run, but waiting for a CPU.
    pub waited: Duration,
}

impl Fared {
    fn read(path: &str) -> Option<Fared> {
        parse(&fs::read_to_string(path).ok()?)
    }

    /// The calling thread.
    pub(super) fn of_this_thread() -> Option<Fared> {
        Fared::read("/proc/thread-self/schedstat")
    }

    /// These threads; those that have ended meanwhile count nothing.
    pub(super) fn of_threads(threads: &[i32]) -> Fared {
        let each = threads
            .iter()
            .filter_map(|id| Fared::read(&format!("/proc/{id}/schedstat")));
        each.fold(Fared::default(), Fared::plus)
    }

    /// The sum of both.
    pub(super) fn plus(self, other: Fared) -> Fared {
        Fared {
            ran: self.ran + other.ran,
            waited: self.waited + other.waited,
        }
    }

    /// What came since `before`.
    pub(super) fn since(self, before: Fared) -> Fared {
        Fared {
            ran: self.ran.saturating_sub(before.ran),
            waited: self.waited.saturating_sub(before.waited),
        }
    }
}

/// `ran waited timeslices`, the first two in nanoseconds.
fn parse(schedstat: &str) -> Option<Fared> {
    let mut numbers = schedstat.split_whitespace().map(str::parse);
    Some(Fared {
        ran: Duration::from_nanos(numbers.next()?.ok()?),
        waited: Duration::from_nanos(numbers.next()?.ok()?),
    })
}

/// All threads of a process and of the processes below it.
pub(super) fn threads_of(process: u32) -> Vec<i32> {
    let mut threads = Vec::new();
    let mut processes = vec![process.to_string()];
    while let Some(process) = processes.pop() {
        let Ok(entries) = fs::read_dir(format!("/proc/{process}/task")) else {
            continue;
        };
        for entry in entries.flatten() {
            let Some(thread) = entry
                .file_name()
                .to_str()
                .and_then(|name| name.parse().ok())
            else {
                continue;
            };
            threads.push(thread);
            let children = fs::read_to_string(entry.path().join("children")).unwrap_or_default();
            processes.extend(children.split_whitespace().map(str::to_owned));
        }
    }
    threads
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn what_the_scheduler_counts() {
        let fared = parse("2000000 500 7\n").unwrap();
        assert_eq!(fared.ran, Duration::from_millis(2));
        assert_eq!(fared.waited, Duration::from_nanos(500));
        assert_eq!(parse(""), None);
        assert_eq!(parse("1 junk 3"), None);
    }

    #[test]
    fn the_threads_of_a_process_and_its_children() {
        let mut child = Command::new("/bin/sh")
            .args(["-c", "sleep 300 & echo; wait"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // Once it has said something, the other one is there.
        let mut line = [0; 1];
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut line).unwrap();
        let threads = threads_of(child.id());
        let with_children = std::path::Path::new("/proc/thread-self/children").exists();
        assert_eq!(threads.len(), if with_children { 2 } else { 1 });
        assert!(threads.contains(&(child.id() as i32)));
        for &thread in &threads {
            let pid = rustix::process::Pid::from_raw(thread).unwrap();
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
        child.wait().unwrap();
        assert!(threads_of(u32::MAX).is_empty());
    }
}
