//! Names and order of the JSON keys are a public interface: this is where a change shows.

use super::counters::{Counters, EnumerationCounters};
use super::metadata::*;
use super::run_state::{RUN_STATE_SCHEMA, RunState};
use super::stats::{PhaseStats, SplitCounts, StatsFacts};
use super::summary::Summary;
use super::window_stats::{WindowEntry, WindowStats};
use crate::config::SplitRatios;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Keys in the order of the file, nested ones as `outer.inner`; array items once.
fn keys(value: &impl Serialize) -> Vec<String> {
    let text = serde_json::to_string_pretty(value).unwrap();
    let mut path: Vec<(usize, String)> = Vec::new();
    let mut all: Vec<String> = Vec::new();
    for line in text.lines() {
        let depth = line.len() - line.trim_start().len();
        path.retain(|(at, _)| *at < depth);
        if let Some((key, _)) = line
            .trim_start()
            .strip_prefix('"')
            .and_then(|l| l.split_once("\":"))
        {
            path.push((depth, key.to_owned()));
            let names: Vec<&str> = path.iter().map(|(_, key)| key.as_str()).collect();
            let name = names.join(".");
            if !all.contains(&name) {
                all.push(name);
            }
        }
    }
    // An object's own name goes without saying.
    let all_but_objects = |key: &String| {
        let inside = format!("{key}.");
        !all.iter().any(|other| other.starts_with(&inside))
    };
    all.iter()
        .filter(|key| all_but_objects(key))
        .cloned()
        .collect()
}

fn goes_round<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) {
    let text = serde_json::to_string_pretty(value).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value);
}

fn counters() -> Counters {
    let mut counters = Counters {
        attempts: 10,
        duplicate_positions: 1,
        failed_attempts: 2,
        ..Counters::default()
    };
    counters.self_play.games = 8;
    counters.self_play.failures.timed_out = 3;
    counters.self_play.failures.exited = 4;
    for value in [-3, 1, 1, 5, 64, 0, -12] {
        counters.values.count_value(value);
    }
    counters
}

fn facts(mode: DataMode, generation: Generation) -> StatsFacts {
    StatsFacts {
        mode,
        generation,
        phase: 12,
        started_at: "2026-01-01T00:00:00.000Z".to_owned(),
        finished_at: "2026-01-01T00:00:04.000Z".to_owned(),
        elapsed_seconds: 4.0,
        enumeration_seconds: if mode == DataMode::AllPositions {
            2.0
        } else {
            0.0
        },
        target_samples: 7,
        ai_probability: 0.25,
        records: SplitCounts::from([5, 1, 1]),
    }
}

#[test]
fn metadata_of_generated_data() {
    let player = EngineSettings {
        name: "edax".to_owned(),
        level: Some(20),
        threads: Some(1),
        timeout: "300s".to_owned(),
    };
    let identity = EngineIdentitySection {
        engines: [("edax".to_owned(), EngineFingerprint::default())].into(),
    };
    let metadata = Metadata {
        config_path: Some("configs/config.toml".to_owned()),
        config_sha256: Some("00".to_owned()),
        config_effective_hash: Some("11".to_owned()),
        random_plies: Some(10),
        reproducible: Some(Some(true)),
        app_config_path: Some("configs/app.toml".to_owned()),
        app_config_sha256: Some("22".to_owned()),
        engine: Some(EngineSection {
            playout: Some(player.clone()),
            self_play: player,
        }),
        engine_identity: Some(identity),
        seed: Some(u64::MAX),
        samples_per_phase: Some(1000),
        window: Some(WindowSection {
            size: 10,
            anchor: 10,
            phases: vec![10, 12],
        }),
        ..Metadata::new(
            DataMode::Normal,
            Generation::Window,
            12,
            &SplitRatios::default(),
        )
    };
    goes_round(&metadata);
    assert_eq!(
        keys(&metadata),
        [
            "schema",
            "mode",
            "generation",
            "phase",
            "format",
            "record_magic",
            "record_size_bytes",
            "record_spec",
            "config_path",
            "config_sha256",
            "config_effective_hash",
            "score_rule",
            "discs",
            "random_plies",
            "reproducible",
            "app_config_path",
            "app_config_sha256",
            "engine.playout.name",
            "engine.playout.level",
            "engine.playout.threads",
            "engine.playout.timeout",
            "engine.self_play.name",
            "engine.self_play.level",
            "engine.self_play.threads",
            "engine.self_play.timeout",
            "engine_identity.engines.edax.engine_ref",
            "engine_identity.engines.edax.engine_binary_sha256",
            "engine_identity.engines.edax.eval_file_sha256",
            "generator_version",
            "generator_commit",
            "generator_dirty",
            "generator_dirty_known",
            "split.train",
            "split.valid",
            "split.test",
            "split_method",
            "seed",
            "samples_per_phase",
            "window.size",
            "window.anchor",
            "window.phases",
            "output_files.train",
            "output_files.valid",
            "output_files.test",
            "generated_at",
        ]
    );
    let json = serde_json::to_value(&metadata).unwrap();
    for (key, value) in [
        ("schema", "rdg_phase_metadata_v1"),
        ("mode", "normal"),
        ("generation", "window"),
        ("format", "rdgbitboard_v1"),
        ("record_magic", "RDGBBVAL1\n"),
        ("score_rule", "plain_disc_difference"),
        ("split_method", "canonical_own_opponent_sha256_v1"),
    ] {
        assert_eq!(json[key], value, "{key}");
    }
    assert_eq!(json["discs"], 16);
    assert_eq!(json["record_size_bytes"], 18);
}

#[test]
fn metadata_of_imported_data_leaves_out_what_does_not_apply() {
    let metadata = Metadata::new(
        DataMode::Import,
        Generation::Import,
        0,
        &SplitRatios::default(),
    );
    goes_round(&metadata);
    let unknown = Metadata {
        reproducible: Some(None),
        reproducible_reason: Some("nobody knows".to_owned()),
        ..metadata.clone()
    };
    goes_round(&unknown);
    let written = serde_json::to_value(&unknown).unwrap();
    assert_eq!(written.get("reproducible"), Some(&serde_json::Value::Null));
    let keys = keys(&metadata);
    for absent in [
        "config_path",
        "seed",
        "window",
        "engine",
        "random_plies",
        "reproducible",
    ] {
        assert!(!keys.iter().any(|key| key.starts_with(absent)), "{absent}");
    }
}

const STATS_BEFORE: [&str; 13] = [
    "schema",
    "mode",
    "phase",
    "started_at",
    "finished_at",
    "elapsed_seconds",
    "target_samples",
    "emitted_samples",
    "attempts",
    "duplicate_positions",
    "duplicate_rate",
    "ended_early",
    "failed_attempts",
];

const FAILURES: [&str; 6] = [
    "cannot_start",
    "start_timed_out",
    "exited",
    "timed_out",
    "illegal_move",
    "unintelligible",
];

fn with_failures(section: &str) -> Vec<String> {
    FAILURES
        .iter()
        .map(|kind| format!("{section}.failures.{kind}"))
        .collect()
}

#[test]
fn stats_in_window_mode() {
    let stats = PhaseStats::from_counters(facts(DataMode::Normal, Generation::Window), &counters());
    goes_round(&stats);
    let mut expected: Vec<String> = STATS_BEFORE.map(String::from).to_vec();
    expected.extend(
        [
            "playout.random_moves",
            "playout.engine_moves",
            "playout.ai_probability",
            "playout.pass_count",
            "self_play.games",
            "self_play.moves",
            "self_play.pass_count",
            "self_play.engine_timeouts",
            "self_play.engine_errors",
            "self_play.engine_restarts",
        ]
        .map(String::from),
    );
    expected.extend(with_failures("self_play"));
    expected.extend(
        [
            "window.extracted_samples",
            "window.duplicate_samples",
            "window.ended_early",
            "window.failed_trajectories",
            "window.engine_timeouts",
            "window.engine_errors",
            "value.min",
            "value.max",
            "value.mean",
            "value.histogram.-12",
            "value.histogram.-3",
            "value.histogram.0",
            "value.histogram.1",
            "value.histogram.5",
            "value.histogram.64",
            "split.train",
            "split.valid",
            "split.test",
            "speed.samples_per_second",
            "speed.self_play_games_per_second",
        ]
        .map(String::from),
    );
    assert_eq!(keys(&stats), expected);
    assert_eq!(stats.schema, "rdg_phase_stats_v1");
    assert_eq!((stats.value.min, stats.value.max), (Some(-12), Some(64)));
    assert_eq!(stats.value.mean, Some(8.0));
    assert_eq!(stats.duplicate_rate, 0.125);
    assert_eq!(stats.speed.samples_per_second, 1.75);
    assert_eq!(stats.speed.self_play_games_per_second, Some(2.0));
    let self_play = stats.self_play.unwrap();
    assert_eq!((self_play.engine_timeouts, self_play.engine_errors), (3, 4));
}

#[test]
fn stats_in_all_positions_mode() {
    let mut counters = counters();
    counters.enumeration = Some(EnumerationCounters {
        nodes: 19,
        leaf: 14,
        unique: 7,
        duplicates: 7,
        pass: 0,
        game_over: 0,
    });
    let facts = facts(DataMode::AllPositions, Generation::Phase);
    let stats = PhaseStats::from_counters(facts, &counters);
    goes_round(&stats);
    assert_eq!(stats.schema, "rdg_all_positions_phase_stats_v1");
    let keys = keys(&stats);
    for absent in ["playout", "self_play", "window", "speed.self_play"] {
        assert!(!keys.iter().any(|key| key.starts_with(absent)), "{absent}");
    }
    let names: Vec<&str> = keys
        .iter()
        .map(String::as_str)
        .filter(|k| k.starts_with("e") && k.contains('.'))
        .collect();
    let mut expected: Vec<String> = [
        "enumeration.nodes",
        "enumeration.leaf",
        "enumeration.unique",
        "enumeration.duplicates",
        "enumeration.pass",
        "enumeration.game_over",
        "enumeration.duplicate_rate",
        "evaluation.target",
        "evaluation.evaluated",
        "evaluation.failed",
        "evaluation.moves",
        "evaluation.pass_count",
        "evaluation.engine_timeouts",
        "evaluation.engine_errors",
        "evaluation.engine_restarts",
    ]
    .map(String::from)
    .to_vec();
    expected.extend(with_failures("evaluation"));
    assert_eq!(names, expected);
    assert_eq!(stats.enumeration.unwrap().duplicate_rate, 0.5);
    assert_eq!(stats.speed.enumeration_nodes_per_second, Some(9.5));
    assert_eq!(stats.speed.evaluation_positions_per_second, Some(4.0));
}

#[test]
fn a_phase_without_records_has_neither_range_nor_speed_of_nonsense() {
    let facts = StatsFacts {
        elapsed_seconds: 0.0,
        records: SplitCounts::default(),
        ..facts(DataMode::Normal, Generation::Phase)
    };
    let stats = PhaseStats::from_counters(facts, &Counters::default());
    goes_round(&stats);
    assert_eq!(
        (stats.value.min, stats.value.mean, stats.duplicate_rate),
        (None, None, 0.0)
    );
    assert_eq!(stats.speed.samples_per_second, 0.0);
}

#[test]
fn summary_adds_up_and_sorts() {
    let phase = |phase| {
        let facts = StatsFacts {
            phase,
            ..facts(DataMode::Normal, Generation::Phase)
        };
        PhaseStats::from_counters(facts, &counters())
    };
    let summary = Summary::new(
        DataMode::Normal,
        Generation::Phase,
        "a".to_owned(),
        "b".to_owned(),
        8.5,
        &[phase(20), phase(7)],
    );
    goes_round(&summary);
    assert_eq!(
        keys(&summary),
        [
            "schema",
            "mode",
            "generation",
            "started_at",
            "finished_at",
            "elapsed_seconds",
            "phases",
            "total_samples",
            "split.train",
            "split.valid",
            "split.test",
            "phase_stats.phase",
            "phase_stats.emitted_samples",
            "phase_stats.ended_early",
            "phase_stats.failed_attempts",
            "phase_stats.duplicate_positions",
            "phase_stats.duplicate_rate",
        ]
    );
    assert_eq!(summary.phases, [7, 20]);
    assert_eq!((summary.total_samples, summary.split.train), (14, 10));
}

#[test]
fn window_stats_add_up() {
    let other = Counters {
        attempts: 12,
        ..counters()
    };
    let entry = WindowEntry::from_phases(10, &[(10, &counters()), (12, &other)], 4.0);
    assert_eq!(
        (
            entry.trajectories,
            entry.extracted_samples,
            entry.duplicate_samples
        ),
        (12, 14, 2)
    );
    let stats = WindowStats::new(10, vec![entry.clone(), entry]);
    goes_round(&stats);
    assert_eq!(
        keys(&stats),
        [
            "schema",
            "size",
            "generated_at",
            "total_trajectories",
            "total_ended_early",
            "total_failed_trajectories",
            "total_extracted_samples",
            "total_duplicate_samples",
            "windows.anchor",
            "windows.phases",
            "windows.trajectories",
            "windows.self_play_games",
            "windows.self_play_moves",
            "windows.self_play_pass_count",
            "windows.engine_timeouts",
            "windows.engine_errors",
            "windows.extracted_samples",
            "windows.duplicate_samples",
            "windows.ended_early",
            "windows.failed_trajectories",
            "windows.elapsed_seconds",
        ]
    );
    assert_eq!(
        (stats.total_trajectories, stats.total_extracted_samples),
        (24, 28)
    );
}

#[test]
fn run_state_goes_round_and_is_that_of_its_phase() {
    let out = tempfile::tempdir().unwrap();
    let dir = super::layout::PhaseDir::new(out.path(), 12);
    std::fs::create_dir(dir.path()).unwrap();
    let state = RunState {
        schema: RUN_STATE_SCHEMA.to_owned(),
        mode: DataMode::Normal,
        generation: Generation::Window,
        phase: 12,
        anchor: Some(10),
        seed: u64::MAX,
        config_effective_hash: "ab".to_owned(),
        hash_definition: "v1".to_owned(),
        settings: [("seed".to_owned(), u64::MAX.into())].into_iter().collect(),
        next_game: 99,
        records: SplitCounts::from([5, 1, 1]),
        complete: false,
        reproducible: true,
        keeps_games: false,
        samples_per_phase: 7,
        started_at: "2026-01-01T00:00:00.000Z".to_owned(),
        elapsed_seconds: 0.1,
        enumeration_seconds: 0.0,
        run_elapsed_seconds: 0.2,
        counters: counters(),
    };
    assert!(RunState::read(&dir).unwrap_err().is_missing());
    state.write(&dir).unwrap();
    assert_eq!(RunState::read(&dir).unwrap(), state);
    let text = std::fs::read_to_string(dir.run_state()).unwrap();
    std::fs::write(
        dir.run_state(),
        text.replace("\"phase\": 12", "\"phase\": 13"),
    )
    .unwrap();
    let error = RunState::read(&dir).unwrap_err().to_string();
    assert!(error.contains("it is that of phase 13"), "{error}");
    std::fs::write(
        dir.run_state(),
        text.replace("run_state_v1", "run_state_v0"),
    )
    .unwrap();
    assert!(RunState::read(&dir).unwrap_err().is_corruption());
    // Cut anywhere, it is an error and never half a checkpoint.
    for length in 0..text.len() - 2 {
        std::fs::write(dir.run_state(), &text[..length]).unwrap();
        assert!(RunState::read(&dir).is_err(), "cut at {length}");
    }
}
