//! Generation with the embedded engine, seen from outside: what comes out, and that it is the same
//! whatever the number of workers.

use crate::common::dataset::{
    Config, Record, bytes_of_phases, canonical, exact_value, json, records,
};
use crate::common::{Env, code, stderr};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// One configuration of each mode.
fn each_mode() -> [(&'static str, Config); 4] {
    [
        ("window", Config::new("4..58").samples(30).window(7)),
        ("single phases", Config::new("3,20,57,60").samples(14)),
        ("all_positions", Config::new("1..6").all_positions()),
        (
            "a playout engine",
            Config::new("12,13,30")
                .samples(20)
                .window(2)
                .playout_ai(0.5),
        ),
    ]
}

#[test]
fn the_same_seed_gives_the_same_bytes_for_any_number_of_workers() {
    for (name, config) in each_mode() {
        let mut first = None;
        for workers in [1, 2, 3, 8] {
            let env = Env::new();
            config.clone().workers(workers).generate(&env);
            let bytes = bytes_of_phases(&env.path("out"));
            assert!(bytes.values().any(|file| file.len() > 10), "{name}");
            match &first {
                None => first = Some(bytes),
                Some(first) => assert_eq!(&bytes, first, "{name}, {workers} workers"),
            }
        }
    }
}

#[test]
fn another_seed_gives_other_games_but_puts_each_position_into_the_same_split() {
    let split_of_seed = |seed: u64| {
        let env = Env::new();
        Config::new("2..4")
            .samples(3)
            .seed(seed)
            .split(0.4, 0.3, 0.3)
            .generate(&env);
        let mut found = std::collections::BTreeMap::new();
        for phase in 2..=4 {
            for split in ["train", "valid", "test"] {
                for record in records(&env.path("out"), phase, split) {
                    found.insert(canonical(record.own, record.opponent), split);
                }
            }
        }
        found
    };
    let (a, b) = (split_of_seed(1), split_of_seed(2));
    let shared: Vec<_> = a
        .keys()
        .filter(|position| b.contains_key(*position))
        .collect();
    assert!(shared.len() >= 3, "phase 2 has three positions in all");
    for position in shared {
        assert_eq!(a[position], b[position]);
    }
}

#[test]
fn every_record_keeps_the_rules_of_the_format() {
    const CENTRE: u64 = 1 << 27 | 1 << 28 | 1 << 35 | 1 << 36;
    for (name, config) in each_mode() {
        let env = Env::new();
        let config = config.split_by("position");
        config.generate(&env);
        for phase in config.phases() {
            let mut seen = BTreeSet::new();
            for split in ["train", "valid", "test"] {
                for Record {
                    own,
                    opponent,
                    value,
                } in records(&env.path("out"), phase, split)
                {
                    let what = format!("{name}, phase {phase}, {split}");
                    assert_eq!(own & opponent, 0, "{what}");
                    assert_eq!(
                        (own | opponent).count_ones(),
                        u32::from(phase) + 4,
                        "{what}"
                    );
                    assert_eq!((own | opponent) & CENTRE, CENTRE, "{what}");
                    assert!(value.abs() <= 64, "{what}");
                    if phase == 60 {
                        let difference = own.count_ones() as i16 - opponent.count_ones() as i16;
                        assert_eq!(value, difference, "{what}");
                    }
                    let position = canonical(own, opponent);
                    assert!(seen.insert(position), "{what}: the same position twice");
                    assert_eq!(split_by_definition(position), split, "{what}");
                }
            }
            assert_eq!(
                seen.len() as u64,
                config.target(phase),
                "{name}, phase {phase}"
            );
        }
    }
}

/// SHA-256 over the canonical position, first 8 bytes big-endian over 2^64, against 0.98 and 0.99.
fn split_by_definition((own, opponent): (u64, u64)) -> &'static str {
    let mut hash = Sha256::new();
    hash.update(own.to_le_bytes());
    hash.update(opponent.to_le_bytes());
    let digest = hash.finalize();
    let head = u64::from_be_bytes(digest[..8].try_into().unwrap());
    match head as f64 / 2f64.powi(64) {
        share if share < 0.98 => "train",
        share if share < 0.99 => "valid",
        _ => "test",
    }
}

#[test]
fn all_positions_are_all_and_each_once() {
    let env = Env::new();
    Config::new("1..7").all_positions().level(0).generate(&env);
    for (phase, count) in (1u8..).zip([1, 3, 14, 60, 322, 1773, 10649]) {
        let all: Vec<Record> = ["train", "valid", "test"]
            .into_iter()
            .flat_map(|split| records(&env.path("out"), phase, split))
            .collect();
        let distinct: BTreeSet<_> = all.iter().map(|r| canonical(r.own, r.opponent)).collect();
        assert_eq!((all.len(), distinct.len()), (count, count), "phase {phase}");
        let stats = json(&env.path(&format!("out/phase_{phase:02}/stats.json")));
        assert_eq!(stats["schema"], "rdg_all_positions_phase_stats_v1");
        assert_eq!(stats["enumeration"]["unique"], count);
        assert_eq!(stats["evaluation"]["evaluated"], count);
    }
}

#[test]
fn values_near_the_end_are_those_of_perfect_play() {
    let env = Env::new();
    let config = Config::new("54..60").samples(15).window(7).level(10);
    config.generate(&env);
    for phase in config.phases() {
        for split in ["train", "valid", "test"] {
            for record in records(&env.path("out"), phase, split) {
                let expected = exact_value(record.own, record.opponent);
                assert_eq!(record.value, expected, "phase {phase}: {record:?}");
            }
        }
    }
}

#[test]
fn split_shares_are_the_configured_ones() {
    let env = Env::new();
    let (n, shares) = (4000u64, [0.8, 0.15, 0.05]);
    Config::new("20")
        .samples(n)
        .level(0)
        .split(0.8, 0.15, 0.05)
        .generate(&env);
    for (split, share) in ["train", "valid", "test"].into_iter().zip(shares) {
        let count = records(&env.path("out"), 20, split).len() as f64;
        let deviation = (n as f64 * share * (1.0 - share)).sqrt();
        let off = (count - n as f64 * share).abs();
        assert!(
            off <= 4.0 * deviation,
            "{split}: {count} of {n} for a share of {share}"
        );
    }
}

#[test]
fn counts_in_the_json_files_fit_the_records_and_each_other() {
    let env = Env::new();
    let config = Config::new("10..59").samples(40).window(10);
    config.generate(&env);
    let summary = json(&env.path("out/summary.json"));
    assert_eq!(summary["schema"], "rdg_summary_v1");
    assert_eq!(summary["total_samples"], 50 * 40);
    assert_eq!(summary["generation"], "window");
    for phase in config.phases() {
        let folder = format!("out/phase_{phase:02}");
        let stats = json(&env.path(&format!("{folder}/stats.json")));
        let n = |key: &str| stats[key].as_u64().unwrap();
        assert_eq!(n("emitted_samples"), 40);
        assert_eq!(
            n("attempts"),
            n("emitted_samples") + n("duplicate_positions") + n("ended_early")
        );
        assert_eq!(n("failed_attempts"), 0);
        let mut histogram = std::collections::BTreeMap::<String, u64>::new();
        for split in ["train", "valid", "test"] {
            let found = records(&env.path("out"), phase, split);
            assert_eq!(stats["split"][split], found.len());
            for record in found {
                *histogram.entry(record.value.to_string()).or_default() += 1;
            }
        }
        assert_eq!(
            stats["value"]["histogram"],
            serde_json::to_value(&histogram).unwrap()
        );
        let metadata = json(&env.path(&format!("{folder}/metadata.json")));
        assert_eq!(metadata["discs"], phase + 4);
        assert_eq!(metadata["score_rule"], "plain_disc_difference");
        assert_eq!(metadata["seed"], 42);
        assert_eq!(metadata["reproducible"], true);
        assert_eq!(metadata["random_plies"], phase / 10 * 10);
        assert_eq!(metadata["engine"]["self_play"]["name"], "builtin");
    }
    let windows = json(&env.path("out/window_stats.json"));
    assert_eq!(windows["windows"].as_array().unwrap().len(), 5);
    assert_eq!(windows["total_extracted_samples"], 50 * 40);
}

#[test]
fn a_drawn_seed_is_recorded_and_gives_the_data() {
    let env = Env::new();
    let drawn = Config::new("10,11").samples(5).no_seed();
    drawn.generate(&env);
    let seed = json(&env.path("out/phase_10/metadata.json"))["seed"]
        .as_u64()
        .unwrap();
    let again = Env::new();
    Config::new("10,11").samples(5).seed(seed).generate(&again);
    assert_eq!(
        bytes_of_phases(&env.path("out")),
        bytes_of_phases(&again.path("out"))
    );
}

#[test]
fn a_target_out_of_reach_ends_with_what_was_found() {
    let env = Env::new();
    // About one game in thirty ends before the board is full.
    let config = Config::new("20,60").samples(300).level(0).attempts(1);
    let output = config.run(&env, &[]);
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    let said = stderr(&output);
    assert!(said.contains("phase 60 has"), "{said}");
    assert!(said.contains("max_attempts_multiplier"), "{said}");
    // The other phase is complete, and what there is of this one is valid and can go on.
    assert!(env.path("out/phase_20/stats.json").is_file());
    let count: usize = ["train", "valid", "test"]
        .iter()
        .map(|s| records(&env.path("out"), 60, s).len())
        .sum();
    assert!((200..300).contains(&count), "{count}");
    let output = config.clone().attempts(100).run(&env, &["--resume"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let whole = Env::new();
    config.attempts(100).generate(&whole);
    assert_eq!(
        bytes_of_phases(&env.path("out")),
        bytes_of_phases(&whole.path("out"))
    );
}

#[test]
fn existing_output_is_not_touched_without_being_asked() {
    let env = Env::new();
    let config = Config::new("10,11").samples(3);
    config.generate(&env);
    let before = bytes_of_phases(&env.path("out"));
    let output = config.clone().seed(7).run(&env, &[]);
    assert_eq!(code(&output), 1);
    let said = stderr(&output);
    for word in ["phase 10", "--resume", "--force"] {
        assert!(said.contains(word), "{word} in {said}");
    }
    assert_eq!(bytes_of_phases(&env.path("out")), before);
    // Other phases beside them are fine.
    Config::new("12").samples(3).generate(&env);
}
