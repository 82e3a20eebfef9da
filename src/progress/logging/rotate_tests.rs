//! Every line that goes in is found again, once and whole, as far back as generations are kept.

use super::*;
use std::collections::BTreeSet;

fn options(folder: &Path, max_bytes: u64, max_files: u32) -> LogOptions {
    LogOptions {
        path: folder.join("logs/rdg.log"),
        max_bytes,
        max_files,
    }
}

/// All lines of all generations, oldest first, and the sizes of the files, newest first.
fn read_back(options: &LogOptions) -> (Vec<String>, Vec<u64>) {
    let mut texts = Vec::new();
    let mut number = 0;
    loop {
        let mut name = options.path.clone().into_os_string();
        if number > 0 {
            name.push(format!(".{number}"));
        }
        let Ok(text) = fs::read_to_string(name) else {
            break;
        };
        texts.push(text);
        number += 1;
    }
    let sizes = texts.iter().map(|text| text.len() as u64).collect();
    let lines = texts.iter().rev().flat_map(|text| text.lines());
    (lines.map(str::to_owned).collect(), sizes)
}

#[test]
fn sizes_and_number_hold_and_no_line_is_torn() {
    let folder = tempfile::tempdir().unwrap();
    let options = options(folder.path(), 1000, 3);
    // Reopened again and again, as by one run after another.
    let mut written = Vec::new();
    for run in 0..20 {
        let mut log = RotatingFile::open(&options).unwrap();
        for n in 0..17 {
            let line = format!("run {run} line {n} {}", "x".repeat(n));
            log.append(format!("{line}\n").as_bytes()).unwrap();
            written.push(line);
        }
    }
    let (found, sizes) = read_back(&options);
    assert_eq!(sizes.len(), 4);
    assert!(sizes.iter().all(|&size| size <= 1000), "{sizes:?}");
    // No rotation came too early: no line would have fitted into the one before.
    assert!(sizes[1..].iter().all(|&size| size > 900), "{sizes:?}");
    assert_eq!(found, written[written.len() - found.len()..]);
}

#[test]
fn a_batch_is_cut_between_lines() {
    let folder = tempfile::tempdir().unwrap();
    let options = options(folder.path(), 100, 200);
    let batch: String = (0..500).map(|n| format!("line {n}\n")).collect();
    let mut log = RotatingFile::open(&options).unwrap();
    log.append(batch.as_bytes()).unwrap();
    let (found, sizes) = read_back(&options);
    assert!(sizes.iter().all(|&size| size <= 100), "{sizes:?}");
    let expected: Vec<&str> = batch.lines().collect();
    assert_eq!(found, expected);
}

#[test]
fn a_line_longer_than_a_file_stays_whole() {
    let folder = tempfile::tempdir().unwrap();
    let options = options(folder.path(), 100, 5);
    let mut log = RotatingFile::open(&options).unwrap();
    let long = "y".repeat(1000);
    for line in ["before", &long, "after"] {
        log.append(format!("{line}\n").as_bytes()).unwrap();
    }
    let (found, sizes) = read_back(&options);
    assert_eq!(found, ["before", &long, "after"]);
    assert_eq!(sizes, [6, 1001, 7]);
}

#[test]
fn without_generations_nothing_is_rotated_away() {
    let folder = tempfile::tempdir().unwrap();
    let options = options(folder.path(), 50, 0);
    let mut log = RotatingFile::open(&options).unwrap();
    for n in 0..100 {
        log.append(format!("line {n}\n").as_bytes()).unwrap();
    }
    let (found, sizes) = read_back(&options);
    assert_eq!(found.len(), 100);
    assert_eq!(sizes.len(), 1);
}

#[test]
fn a_torn_last_line_is_ended_before_ours() {
    let folder = tempfile::tempdir().unwrap();
    let options = options(folder.path(), 1000, 1);
    fs::create_dir_all(options.path.parent().unwrap()).unwrap();
    fs::write(&options.path, "whole\nto").unwrap();
    let mut log = RotatingFile::open(&options).unwrap();
    log.append(b"ours\n").unwrap();
    assert_eq!(read_back(&options).0, ["whole", "to", "ours"]);
}

#[test]
fn generations_beyond_a_lowered_number_go() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = options(folder.path(), 10, 4);
    let mut log = RotatingFile::open(&options).unwrap();
    for n in 0..8 {
        log.append(format!("line {n}\n").as_bytes()).unwrap();
    }
    assert_eq!(read_back(&options).1.len(), 5);
    options.max_files = 2;
    let mut log = RotatingFile::open(&options).unwrap();
    log.append(b"line 8\n").unwrap();
    assert_eq!(read_back(&options).0, ["line 6", "line 7", "line 8"]);
}

#[test]
fn two_writers_share_one_log() {
    let folder = tempfile::tempdir().unwrap();
    let options = options(folder.path(), 2000, 1000);
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let options = &options;
            scope.spawn(move || {
                let mut log = RotatingFile::open(options).unwrap();
                for n in 0..500 {
                    let line = format!("writer {writer} line {n}\n");
                    log.append(line.as_bytes()).unwrap();
                }
            });
        }
    });
    let (found, sizes) = read_back(&options);
    assert!(sizes.iter().all(|&size| size <= 2000), "{sizes:?}");
    let distinct: BTreeSet<&String> = found.iter().collect();
    assert_eq!((found.len(), distinct.len()), (2000, 2000));
    let last_fields = found.iter().all(|line| line.split(' ').count() == 4);
    assert!(last_fields, "a line is torn");
}

#[test]
fn a_log_that_was_moved_away_is_begun_anew() {
    let folder = tempfile::tempdir().unwrap();
    let options = options(folder.path(), 1000, 2);
    let mut log = RotatingFile::open(&options).unwrap();
    log.append(b"one\n").unwrap();
    fs::rename(&options.path, folder.path().join("taken")).unwrap();
    log.append(b"two\n").unwrap();
    assert_eq!(read_back(&options).0, ["two"]);
}

#[test]
fn what_is_no_file_is_refused_and_a_full_device_is_an_error_of_the_write() {
    let folder = tempfile::tempdir().unwrap();
    let at = |path: &Path| {
        RotatingFile::open(&LogOptions {
            path: path.to_owned(),
            max_bytes: 1000,
            max_files: 2,
        })
    };
    let refusal = at(folder.path()).err().expect("a folder is no log");
    assert!(refusal.to_string().contains("a folder"), "{refusal}");
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let refusal = at(&file.join("rdg.log")).err().expect("no folder there");
    assert!(refusal.to_string().contains("--log-file"), "{refusal}");
    let mut full = at(Path::new("/dev/full")).expect("it can be opened");
    assert!(full.append(b"line\n").is_err());
}

#[test]
fn opening_while_another_writes_adds_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let options = options(folder.path(), u64::MAX, 1);
    let batch = "a line of some length, many times over\n".repeat(20_000);
    let mut log = RotatingFile::open(&options).unwrap();
    let is_done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(std::sync::atomic::Ordering::Relaxed) {
                RotatingFile::open(&options).unwrap();
            }
        });
        for _ in 0..50 {
            log.append(batch.as_bytes()).unwrap();
        }
        is_done.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    let text = fs::read_to_string(&options.path).unwrap();
    assert!(text == batch.repeat(50), "a line was torn or added");
}
