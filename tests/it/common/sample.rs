//! A small dataset as generation would write it, made from random games by the rules alone.

use crate::common::Env;

use rdg::board::{Board, Color, Game, Squares};
use rdg::config::SplitRatios;
use rdg::dataset::counters::Counters;
use rdg::dataset::json::write_json;
use rdg::dataset::layout::{PhaseDir, summary_path, window_stats_path};
use rdg::dataset::metadata::{DataMode, Generation, Metadata, WindowSection};
use rdg::dataset::record::Record;
use rdg::dataset::run_state::{RUN_STATE_SCHEMA, RunState};
use rdg::dataset::split::{Split, split_of};
use rdg::dataset::stats::{PhaseStats, SplitCounts, StatsFacts};
use rdg::dataset::summary::Summary;
use rdg::dataset::window_stats::{WindowEntry, WindowStats};
use rdg::dataset::writer::PhaseWriter;
use rdg::look::verify::{Options, verify};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

pub const RATIOS: SplitRatios = SplitRatios {
    train: 0.8,
    valid: 0.1,
    test: 0.1,
};

/// Every position of a random game, with the side to move, and the final difference for Black.
fn random_game(random: &mut u64) -> (Vec<(Board, Color)>, i16) {
    let mut game = Game::new();
    let mut boards = vec![(game.board(), game.color())];
    while !game.is_over() {
        game.pass_if_forced();
        let squares: Vec<_> = Squares(game.board().legal_moves()).collect();
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        let square = squares[(*random >> 11) as usize % squares.len()];
        game.play_known(square, game.board().flips(square));
        boards.push((game.board(), game.color()));
    }
    (boards, game.black_difference())
}

/// Writes `samples` positions for each phase, with every JSON file of window mode.
pub fn write_dataset(out: &Path, phases: &[u8], samples: usize, seed: u64) {
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut records: Vec<Vec<Record>> = vec![Vec::new(); phases.len()];
    let mut seen = BTreeSet::new();
    while records.iter().any(|r| r.len() < samples) {
        let (boards, black) = random_game(&mut random);
        for (board, color) in boards {
            let Some(at) = phases.iter().position(|&p| p == board.phase()) else {
                continue;
            };
            let value = if color == Color::Black { black } else { -black };
            if records[at].len() < samples && seen.insert(board.canonical()) {
                records[at].push(Record { board, value });
            }
        }
    }
    let mut all_stats = Vec::new();
    let mut all_counters = Vec::new();
    for (&phase, records) in phases.iter().zip(&records) {
        let dir = PhaseDir::new(out, phase);
        let mut writer = PhaseWriter::create(&dir).unwrap();
        let mut counters = Counters::default();
        for record in records {
            let split = split_of(record.board.canonical(), &RATIOS);
            writer.append(split, record).unwrap();
            counters.values.count_value(record.value);
            counters.attempts += 1;
        }
        writer.sync().unwrap();
        let counts = SplitCounts::from(writer.counts());
        let (stats, state) = files(phase, phases, counts, &counters);
        write_json(&dir.stats(), &stats).unwrap();
        state.write(&dir).unwrap();
        let metadata = Metadata {
            config_effective_hash: Some(state.config_effective_hash.clone()),
            seed: Some(state.seed),
            window: Some(WindowSection {
                size: 60,
                anchor: phases[0],
                phases: phases.to_vec(),
            }),
            ..Metadata::new(DataMode::Normal, Generation::Window, phase, &RATIOS)
        };
        write_json(&dir.metadata(), &metadata).unwrap();
        all_stats.push(stats);
        all_counters.push((phase, counters));
    }
    let by_phase: Vec<(u8, &Counters)> = all_counters.iter().map(|(p, c)| (*p, c)).collect();
    let window = WindowEntry::from_phases(phases[0], &by_phase, 1.0);
    write_json(&window_stats_path(out), &WindowStats::new(60, vec![window])).unwrap();
    let now = rdg::base::clock::now();
    let summary = Summary::new(
        DataMode::Normal,
        Generation::Window,
        now.clone(),
        now,
        1.0,
        &all_stats,
    );
    write_json(&summary_path(out), &summary).unwrap();
}

fn files(
    phase: u8,
    phases: &[u8],
    records: SplitCounts,
    counters: &Counters,
) -> (PhaseStats, RunState) {
    let now = rdg::base::clock::now();
    let facts = StatsFacts {
        mode: DataMode::Normal,
        generation: Generation::Window,
        phase,
        started_at: now.clone(),
        finished_at: now.clone(),
        elapsed_seconds: 1.0,
        enumeration_seconds: 0.0,
        target_samples: records.total(),
        ai_probability: 0.0,
        records,
    };
    let state = RunState {
        schema: RUN_STATE_SCHEMA.to_owned(),
        mode: DataMode::Normal,
        generation: Generation::Window,
        phase,
        anchor: Some(phases[0]),
        seed: 42,
        config_effective_hash: "00ff".to_owned(),
        hash_definition: "test".to_owned(),
        settings: serde_json::Map::new(),
        next_game: counters.attempts,
        records,
        complete: true,
        reproducible: true,
        keeps_games: false,
        samples_per_phase: records.total(),
        started_at: now,
        elapsed_seconds: 1.0,
        enumeration_seconds: 0.0,
        run_elapsed_seconds: 1.0,
        counters: counters.clone(),
    };
    (PhaseStats::from_counters(facts, counters), state)
}

/// The records of a file.
pub fn read(path: &Path) -> Vec<Record> {
    let bytes = std::fs::read(path).unwrap();
    bytes[10..]
        .as_chunks()
        .0
        .iter()
        .map(Record::decode)
        .collect()
}

/// Replaces the records of a file.
pub fn rewrite(path: &Path, change: impl FnOnce(&mut Vec<Record>)) {
    let mut records = read(path);
    change(&mut records);
    let mut bytes = rdg::dataset::record::MAGIC.to_vec();
    for record in records {
        bytes.extend(record.encode());
    }
    std::fs::write(path, bytes).unwrap();
}

/// A file of a phase.
pub fn split_file(out: &Path, phase: u8, split: Split) -> PathBuf {
    PhaseDir::new(out, phase).records(split)
}

pub const PHASES: [u8; 5] = [8, 20, 40, 58, 60];

/// A copy of one sound dataset: making it costs many syncs.
pub fn sound() -> (Env, PathBuf) {
    static MADE: OnceLock<Env> = OnceLock::new();
    let made = MADE.get_or_init(|| {
        let env = Env::new();
        write_dataset(&env.path("data"), &PHASES, 60, 7);
        env
    });
    let env = Env::new();
    for file in made.files() {
        let from = made.path(&file);
        if from.is_file() {
            env.write(&file, fs::read(from).unwrap());
        }
    }
    let out = env.path("data");
    (env, out)
}

pub fn kinds(path: &Path) -> Vec<String> {
    let report = verify(&[path.to_owned()], &Options::default());
    let kinds = report.faults.by_kind().keys();
    kinds.map(|kind| (*kind).to_owned()).collect()
}

/// The faults of a record as text, one per line.
pub fn lines(path: &Path) -> Vec<String> {
    let report = verify(&[path.to_owned()], &Options::default());
    let mut text = Vec::new();
    report.write_text(&mut text).unwrap();
    String::from_utf8(text)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect()
}

/// Changes a record in place; statistics are then wrong too, which is not what is looked for.
pub fn plant(change: impl FnOnce(&Path)) -> (Env, PathBuf) {
    let (env, out) = sound();
    change(&out);
    (env, out)
}
