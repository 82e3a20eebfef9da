//! The log as a whole: many threads, rotation, the guard's last write.

use crate::common::own_process::is_alone;
use rdg::progress::logging::{self, LogOptions};
use rustix::process::{Resource, Rlimit};
use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant};

/// In a process of its own, because a process has one log.
#[test]
fn no_line_of_many_threads_is_lost_torn_or_doubled() {
    if !is_alone("log::no_line_of_many_threads_is_lost_torn_or_doubled") {
        return;
    }
    const THREADS: usize = 8;
    const LINES: usize = 5_000;
    let folder = tempfile::tempdir().unwrap();
    let options = LogOptions {
        path: folder.path().join("a/b/rdg.log"),
        max_bytes: 1024 * 1024,
        max_files: 3,
    };
    let guard = logging::start(&options).expect("the folder is writable");
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            scope.spawn(move || {
                for number in 0..LINES {
                    // An engine's words may hold line ends; a line stays a line.
                    tracing::info!(thread, number, "engine said: one\ntwo\r\nthree");
                }
            });
        }
    });
    assert!(
        logging::start(&options).is_err(),
        "a second log in one process is refused"
    );
    drop(guard);

    let mut text = String::new();
    let mut files = 0;
    for name in ["rdg.log.3", "rdg.log.2", "rdg.log.1", "rdg.log"] {
        let path = folder.path().join("a/b").join(name);
        if let Ok(part) = fs::read_to_string(path) {
            assert!(part.len() <= 1024 * 1024, "{name} has {} bytes", part.len());
            text += &part;
            files += 1;
        }
    }
    assert_eq!(files, 4, "the lines fill more than three files");
    assert!(!folder.path().join("a/b/rdg.log.4").exists());
    let found: BTreeSet<(usize, usize)> = text
        .lines()
        .map(|line| {
            assert!(line.contains(" INFO "), "{line}");
            assert!(line.contains(r"engine said: one\ntwo\r\nthree"), "{line}");
            (field(line, "thread="), field(line, "number="))
        })
        .collect();
    assert_eq!(text.lines().count(), THREADS * LINES);
    assert_eq!(found.len(), THREADS * LINES);
}

/// The disk is full for this process: its files may not grow.
fn full_at(size: Option<u64>) {
    // SAFETY: ignoring a signal runs none of our code. Without it the system ends a process whose
    // file outgrows the limit.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    let old = rustix::process::getrlimit(Resource::Fsize);
    let new = Rlimit {
        current: size,
        maximum: old.maximum,
    };
    rustix::process::setrlimit(Resource::Fsize, new).unwrap();
}

fn within_seconds<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    let until = Instant::now() + Duration::from_secs(30);
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(Instant::now() < until, "no {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn on_a_full_disk_one_warning_is_given_and_the_log_says_later_what_is_missing() {
    if !is_alone("log::on_a_full_disk_one_warning_is_given_and_the_log_says_later_what_is_missing")
    {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let options = LogOptions {
        path: folder.path().join("rdg.log"),
        max_bytes: 1024 * 1024,
        max_files: 1,
    };
    let read = || fs::read_to_string(&options.path).unwrap();
    let guard = logging::start(&options).expect("the folder is writable");
    tracing::info!("before");
    let whole = within_seconds("first line", || {
        Some(read()).filter(|text| !text.is_empty())
    });
    // Half a line has room: none of it may stay.
    full_at(Some(whole.len() as u64 + 20));
    tracing::info!("in vain");
    let warning = within_seconds("warning", logging::take_fault);
    assert!(warning.contains("the run goes on"), "{warning}");
    for _ in 0..3 {
        tracing::info!("in vain");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(logging::take_fault(), None, "once is enough");
    assert_eq!(read(), whole);
    full_at(None);
    tracing::info!("after");
    drop(guard);
    let text = read();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[0].ends_with("before"), "{text}");
    assert!(lines[1].contains("4 lines are missing here"), "{text}");
    assert!(lines[2].ends_with("after"), "{text}");
    assert_eq!(logging::take_fault(), None);
}

fn field(line: &str, key: &str) -> usize {
    let start = line.find(key).expect("each line has its fields") + key.len();
    let digits: String = line[start..]
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    digits.parse().expect("a number follows the key")
}
