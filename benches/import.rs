//! Import of 137,000 games: games per second, and how much longer it takes than merely replaying
//! them. Run it with `cargo bench --bench import`.
//!
//! Two files: one whose games all differ (the worst case: every position has to be remembered and
//! written), and one that repeats a hundred games, as the duplicates of a real archive do.

use rayon::prelude::*;
use rdg::base::stop::Stop;
use rdg::board::ScoreRule;
use rdg::board::{Game, Squares};
use rdg::config::{SplitBy, SplitRatios};
use rdg::import::{Duplicates, Filter, ImportOptions, Unfinished, Values, run};
use rdg::progress::Progress;
use rdg::records::{FORMATS, Format, GameRecord, RawGames, Replay, WrittenGame, format_by_name};
use std::path::Path;
use std::time::{Duration, Instant};

const GAMES: usize = 137_000;

fn main() {
    let threads = std::thread::available_parallelism().map_or(1, Into::into);
    let folder = tempfile::tempdir().expect("the system has a temporary folder");
    let different: Vec<Game> = (0..GAMES as u64).into_par_iter().map(play).collect();
    let repeated: Vec<Game> = different[..100]
        .iter()
        .cycle()
        .take(GAMES)
        .cloned()
        .collect();
    println!("{GAMES} games, {threads} threads; times are the best of three");
    println!(
        "{:<22} {:>9} {:>12} {:>12} {:>16}",
        "file", "seconds", "games/s", "x replay", "x replay, 1 core"
    );
    let wthor = format_by_name("wthor").expect("it is there");
    let bytes = write(wthor, &different);
    let alone = best(|| replay(wthor, &bytes));
    let together = best(|| replay_on_all(wthor, &bytes));
    row("replay alone, 1 core", alone, alone, alone);
    row("replay alone", together, together, alone);
    let (input, output) = (folder.path().join("games"), folder.path().join("out"));
    for (name, games) in [("different", &different), ("repeated", &repeated)] {
        for format in FORMATS {
            std::fs::write(&input, write(format, games)).expect("there is room");
            let time = best(|| import(&input, &output, threads));
            row(&format!("{} {name}", format.name()), time, together, alone);
        }
    }
}

fn row(name: &str, time: Duration, replay: Duration, alone: Duration) {
    println!(
        "{name:<22} {:>9.2} {:>12.0} {:>12.1} {:>16.1}",
        time.as_secs_f64(),
        GAMES as f64 / time.as_secs_f64(),
        time.as_secs_f64() / replay.as_secs_f64(),
        time.as_secs_f64() / alone.as_secs_f64(),
    );
}

fn best(mut work: impl FnMut()) -> Duration {
    let once = |_| {
        let began = Instant::now();
        work();
        began.elapsed()
    };
    (0..3).map(once).min().unwrap_or_default()
}

/// A random legal game to its end.
fn play(number: u64) -> Game {
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut game = Game::new();
    while !game.is_over() {
        game.pass_if_forced();
        let legal: Vec<_> = Squares(game.board().legal_moves()).collect();
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let square = legal[(state >> 33) as usize % legal.len()];
        game.play(square.into()).expect("it is legal");
    }
    game
}

fn write(format: &dyn Format, games: &[Game]) -> Vec<u8> {
    let games: Vec<WrittenGame<'_>> = games.iter().map(WrittenGame::nameless).collect();
    let mut bytes = Vec::new();
    format
        .write(&games, &mut bytes)
        .expect("memory can be written");
    bytes
}

fn replay(format: &dyn Format, bytes: &[u8]) {
    let mut games = RawGames::new(format, Vec::new(), bytes);
    let (mut record, mut replay) = (GameRecord::default(), Replay::default());
    let mut discs = 0;
    while let Some(raw) = games.next_game().expect("memory can be read") {
        record.clear();
        format
            .parse(raw.expect("it was just written"), &mut record)
            .and_then(|()| replay.run(&record))
            .expect("it was just written");
        discs += replay.placed.len();
    }
    assert!(discs > 55 * GAMES);
}

/// WTHOR games have a fixed size: cutting them is free.
fn replay_on_all(format: &dyn Format, bytes: &[u8]) {
    let discs: usize = bytes[16..]
        .par_chunks(68 * 128)
        .map(|games| {
            let (mut record, mut replay) = (GameRecord::default(), Replay::default());
            let mut discs = 0;
            for raw in games.chunks(68) {
                record.clear();
                format
                    .parse(raw, &mut record)
                    .and_then(|()| replay.run(&record))
                    .expect("it was just written");
                discs += replay.placed.len();
            }
            discs
        })
        .sum();
    assert!(discs > 55 * GAMES);
}

fn import(input: &Path, output: &Path, threads: usize) {
    let options = ImportOptions {
        inputs: vec![input.to_owned()],
        output_dir: output.to_owned(),
        force: true,
        format: None,
        phases: (0..60).collect(),
        split: SplitRatios::default(),
        split_by: SplitBy::Position,
        max_per_game: None,
        winner_only: false,
        values: Values::OfGames,
        filter: Filter::default(),
        duplicates: Duplicates::Mean,
        score_rule: ScoreRule::Plain,
        unfinished: Unfinished::Skip,
        strict: true,
        threads,
        reported_bad_games: 0,
    };
    let report = run(&options, &Progress::silent(), &Stop::new()).expect("the games are good");
    assert_eq!(report.tally.used as usize, GAMES);
}
