//! `rdg verify`, `rdg inspect` and `rdg overlap` beside `cat` of the same files, from the page cache.
//! Prints ratios.
//!
//! `cargo bench --bench verify [-- MILLION_RECORDS]`

use rayon::prelude::*;
use rdg::board::{Game, Squares};
use rdg::dataset::layout::PhaseDir;
use rdg::dataset::record::Record;
use rdg::dataset::split::split_of;
use rdg::dataset::watch::Unwatched;
use rdg::dataset::writer::PhaseWriter;
use rdg::look::inspect::{Wanted, inspect};
use rdg::look::overlap::overlap;
use rdg::look::verify::{Options, verify};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

const PHASES: std::ops::RangeInclusive<u8> = 10..=59;

fn main() {
    let million: f64 = std::env::args()
        .filter_map(|word| word.parse().ok())
        .next()
        .unwrap_or(10.0);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let games = (million * 1e6 / 50.0) as u64;
    let bytes = make(folder.path(), games);
    println!(
        "{:.1} million records, {:.0} MB",
        million,
        bytes as f64 / 1e6
    );
    let paths = [folder.path().to_owned()];
    let mut rows: Vec<(&str, Duration)> = Vec::new();
    let mut best = |name, run: &dyn Fn()| {
        let started = Instant::now();
        run();
        let took = started.elapsed();
        match rows.iter_mut().find(|(n, _)| *n == name) {
            Some((_, least)) => *least = took.min(*least),
            None => rows.push((name, took)),
        }
    };
    for _ in 0..5 {
        best("cat to /dev/null", &|| cat(folder.path(), Stdio::null()));
        best("cat | wc -c", &|| cat_to_wc(folder.path()));
        best("verify", &|| {
            let report = verify(&paths, &Options::default());
            assert!(report.is_sound(), "{:?}", report.faults.first());
        });
        best("verify, 1 thread", &|| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(1)
                .build()
                .expect("a pool");
            pool.install(|| verify(&paths, &Options::default()));
        });
        best("inspect", &|| {
            let found = inspect(folder.path(), Wanted::Summary, &Unwatched).expect("it is there");
            assert!(found.damage.is_empty());
        });
        best("overlap with itself", &|| {
            let (a, b) = (folder.path(), Some(folder.path()));
            let found = overlap(a, b, 1 << 30, &Unwatched).expect("it is there");
            assert!(found.damage.is_empty());
        });
        best("verify --thorough", &|| {
            let options = Options {
                thorough: true,
                replay: false,
                ..Options::default()
            };
            verify(&paths, &options);
        });
    }
    let cat = rows[0].1.as_secs_f64();
    println!(
        "{:<20} {:>8} {:>10} {:>14}",
        "", "s", "MB/s", "speed of cat"
    );
    for (name, took) in rows {
        let s = took.as_secs_f64();
        println!(
            "{name:<20} {s:>8.3} {:>10.0} {:>13.2}x",
            bytes as f64 / 1e6 / s,
            cat / s
        );
    }
}

/// Positions of random games; gives the bytes written.
fn make(folder: &Path, games: u64) -> u64 {
    let ratios = rdg::config::SplitRatios::default();
    let phases: Vec<Mutex<PhaseWriter>> = PHASES
        .map(|phase| {
            Mutex::new(
                PhaseWriter::create(&PhaseDir::new(folder, phase)).expect("room on the disk"),
            )
        })
        .collect();
    (0..games.div_ceil(1000)).into_par_iter().for_each(|block| {
        let mut found = vec![Vec::new(); phases.len()];
        for number in block * 1000..((block + 1) * 1000).min(games) {
            let mut random = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mut game = Game::new();
            let mut boards = Vec::new();
            while !game.is_over() {
                game.pass_if_forced();
                boards.push((game.board(), game.color()));
                let moves = game.board().legal_moves();
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                let pick = (random >> 32) as u32 % moves.count_ones();
                if let Some(square) = Squares(moves).nth(pick as usize) {
                    let flipped = game.board().flips(square);
                    game.play_known(square, flipped);
                }
            }
            for (board, color) in boards {
                // Early positions repeat, and repetitions are faults.
                if (20..=59).contains(&board.phase()) {
                    let value = match color {
                        rdg::board::Color::Black => game.black_difference(),
                        rdg::board::Color::White => -game.black_difference(),
                    };
                    found[usize::from(board.phase() - 10)].push(Record { board, value });
                }
            }
        }
        for (writer, records) in phases.iter().zip(found) {
            let mut writer = writer.lock().expect("no thread has panicked");
            for record in records {
                writer
                    .append(split_of(record.board.canonical(), &ratios), &record)
                    .expect("room on the disk");
            }
        }
    });
    let mut bytes = 0;
    for writer in phases {
        let mut writer = writer.into_inner().expect("no thread has panicked");
        writer.sync().expect("room on the disk");
        bytes += 30 + 18 * writer.total();
    }
    bytes
}

fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let tree = rdg::dataset::tree::Tree::find(folder).expect("the files are there");
    tree.files().map(|file| file.path.clone()).collect()
}

fn cat(folder: &Path, to: Stdio) {
    let status = Command::new("cat").args(files(folder)).stdout(to).status();
    assert!(status.expect("cat is installed").success());
}

fn cat_to_wc(folder: &Path) {
    let mut wc = Command::new("wc")
        .arg("-c")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("wc is installed");
    let input = wc.stdin.take().expect("it is a pipe");
    cat(folder, Stdio::from(input));
    wc.wait().expect("wc ends");
}
