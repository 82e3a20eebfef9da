//! The guard: ends engines, and whatever they started, when rdg itself is killed.
//!
//! The parent-death signal (Linux) reaches an engine, but no process that the engine forked, and
//! other systems have no such signal. So one small shell waits on a pipe whose other end only rdg
//! holds. It is told of every engine's process group; when the pipe closes, however rdg died, it
//! kills the groups that are left and ends. It sleeps all the time in between.

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// Reads `+ PGID` and `- PGID`; at end of file kills what was added and not taken back.
const SCRIPT: &str = r#"trap '' HUP INT QUIT TERM
groups=' '
while read -r sign group; do
  case $sign in
    +) groups="$groups$group " ;;
    -) case $groups in *" $group "*) groups="${groups%%" $group "*} ${groups#*" $group "}" ;; esac ;;
  esac
done
for group in $groups; do kill -9 "-$group" 2>/dev/null; done
"#;

enum Guard {
    NotStarted,
    Running(ChildStdin),
    /// There is no shell, or somebody killed it: the parent-death signal is all there is.
    Unavailable,
}

static GUARD: Mutex<Guard> = Mutex::new(Guard::NotStarted);

/// From now on the process group dies with rdg.
pub(super) fn add(group: u32) {
    tell('+', group);
}

/// The process group has ended. To be told before its leader is reaped, while the number cannot
/// belong to anybody else.
pub(super) fn remove(group: u32) {
    tell('-', group);
}

fn tell(sign: char, group: u32) {
    let mut guard = GUARD.lock().unwrap_or_else(PoisonError::into_inner);
    if matches!(*guard, Guard::NotStarted) {
        *guard = start();
    }
    // One short write into a pipe that the shell keeps empty: it is whole, and does not block.
    if let Guard::Running(pipe) = &mut *guard
        && pipe
            .write_all(format!("{sign} {group}\n").as_bytes())
            .is_err()
    {
        *guard = Guard::Unavailable;
    }
}

fn start() -> Guard {
    let child = Command::new("/bin/sh")
        .args(["-c", SCRIPT, "rdg-guard"])
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // Out of reach of the terminal's Ctrl+C.
        .process_group(0)
        .spawn();
    match child.map(|child| child.stdin) {
        Ok(Some(stdin)) => Guard::Running(stdin),
        _ => Guard::Unavailable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    /// A group of two processes, as an engine that has forked.
    fn group() -> std::process::Child {
        Command::new("/bin/sh")
            .args(["-c", "sleep 300 & wait"])
            .process_group(0)
            .spawn()
            .unwrap()
    }

    #[test]
    fn kills_what_is_left_and_spares_what_was_taken_back() {
        let Guard::Running(mut pipe) = start() else {
            panic!("no /bin/sh")
        };
        let mut doomed = group();
        let mut spared = group();
        let mut also_doomed = group();
        for (sign, child) in [
            ('+', &doomed),
            ('+', &spared),
            ('+', &also_doomed),
            ('-', &spared),
        ] {
            writeln!(pipe, "{sign} {}", child.id()).unwrap();
        }
        drop(pipe);
        doomed.wait().unwrap();
        also_doomed.wait().unwrap();
        // The guard goes through the groups in order and has passed the spared one by now.
        assert!(spared.try_wait().unwrap().is_none());
        let pid = rustix::process::Pid::from_child(&spared);
        rustix::process::kill_process_group(pid, rustix::process::Signal::KILL).unwrap();
        spared.wait().unwrap();
        // The forked half of the first group is gone too.
        let gone = |group: u32| {
            let deadline = Instant::now() + Duration::from_secs(10);
            let pid = rustix::process::Pid::from_raw(group as i32).unwrap();
            while rustix::process::test_kill_process_group(pid).is_ok() {
                assert!(Instant::now() < deadline, "group {group} lives on");
                std::thread::sleep(Duration::from_millis(5));
            }
        };
        gone(doomed.id());
        gone(also_doomed.id());
    }
}
