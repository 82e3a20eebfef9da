//! The log as a whole: many threads, rotation, the guard's last write.

use crate::common::own_process::is_alone;
use rdg::progress::logging::{self, LogOptions};
use std::collections::BTreeSet;
use std::fs;

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

fn field(line: &str, key: &str) -> usize {
    let start = line.find(key).expect("each line has its fields") + key.len();
    let digits: String = line[start..]
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    digits.parse().expect("a number follows the key")
}
