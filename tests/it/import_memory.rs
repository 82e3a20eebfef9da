//! `rdg import` of a file of very many games: memory does not grow with it.

use crate::common::own_process::is_alone;
use crate::common::{Env, code, stderr};
use std::io::Write;
use std::path::Path;

/// Peak memory in KiB of the largest child so far that has been waited for.
fn peak_of_children() -> i64 {
    // SAFETY: all-zero bytes are a `rusage`, which the call then fills.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the pointer is to a live `rusage`.
    let result = unsafe { libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage) };
    assert_eq!(result, 0);
    usage.ru_maxrss
}

#[test]
fn memory_does_not_grow_with_the_number_of_games() {
    if !is_alone("import_memory::memory_does_not_grow_with_the_number_of_games") {
        return;
    }
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/games/thirteen.txt");
    let games = std::fs::read(games).unwrap();
    stays_within(&games);
    stays_within(&super::import_formats::converted(&games, "pgn"));
}

/// Imports these thirteen games many times.
fn stays_within(games: &[u8]) {
    let env = Env::new();
    let import = |name: &str, times: usize| {
        // Never whole in memory here: a child begins with the peak of its parent.
        let mut file = std::fs::File::create(env.path(name)).unwrap();
        for _ in 0..times {
            file.write_all(games).unwrap();
        }
        let output = env.run(&["import", name, "--output", &format!("{name}-out")]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let summary = crate::common::dataset::json(&env.path(&format!("{name}-out/summary.json")));
        assert_eq!(summary["import"]["games"], 13 * times as u64);
        assert_eq!(summary["total_samples"], 659);
        peak_of_children()
    };
    let few = import("few", 800);
    let many = import("many", 8000);
    // 10,400 games against 104,000, which have 5.8 million positions of 18 bytes: 105 MB if they
    // were kept.
    assert!(many < few + 20_000, "{few} KiB, then {many} KiB");
}
