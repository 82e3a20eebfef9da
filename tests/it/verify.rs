//! `rdg verify`: nothing is found in sound data, and what is found is told well.

use crate::common::sample::{
    PHASES, RATIOS, kinds, lines, read, rewrite, sound, split_file, write_dataset,
};
use crate::common::{Env, code, stderr, stdout};
use rdg::board::Board;
use rdg::dataset::layout::PhaseDir;
use rdg::dataset::record::Record;
use rdg::dataset::split::{Split, split_of};
use rdg::look::verify::{Options, verify};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Stdio;

#[test]
fn sound_data_has_no_fault_in_whatever_way_it_is_named() {
    let (env, out) = sound();
    let output = env.run(&["verify", "data"]);
    assert_eq!((code(&output), stderr(&output)), (0, String::new()));
    assert_eq!(
        stdout(&output),
        "300 records in 15 files, 5 phases: no error found\n"
    );
    let output = env.run(&[
        "verify",
        "data/phase_20",
        "data/phase_40/train.rd",
        "data",
        "--thorough",
    ]);
    assert_eq!(code(&output), 0, "{}", stdout(&output));
    // From inside, without a word of the phase in the path.
    let inside = |path: &str| {
        let mut command = env.rdg();
        command
            .current_dir(out.join("phase_58"))
            .args(["verify", path]);
        command.output().unwrap()
    };
    for path in [".", "train.rd", "../phase_60"] {
        assert_eq!(code(&inside(path)), 0, "{path}");
    }
    rewrite(&out.join("phase_58/train.rd"), |records| {
        records[0].board.own ^= 1
    });
    for path in [".", "train.rd"] {
        assert_eq!(code(&inside(path)), 1, "{path}");
    }
}

#[test]
fn files_need_no_json_beside_them() {
    let (env, out) = sound();
    for phase in PHASES {
        for name in ["metadata.json", "stats.json", "run_state.json"] {
            fs::remove_file(PhaseDir::new(&out, phase).path().join(name)).unwrap();
        }
    }
    fs::remove_file(out.join("summary.json")).unwrap();
    fs::remove_file(out.join("window_stats.json")).unwrap();
    assert_eq!(kinds(&out), [""; 0]);
    // All in one file whose name tells nothing.
    let mut bytes = rdg::dataset::record::MAGIC.to_vec();
    for phase in PHASES {
        for record in read(&split_file(&out, phase, Split::Train)) {
            bytes.extend(record.encode());
        }
    }
    let mixed = env.write("mixed.rd", bytes);
    assert_eq!(kinds(&mixed), [""; 0]);
}

#[test]
fn an_unfinished_phase_is_noted_and_what_no_checkpoint_counts_is_a_fault() {
    let (_env, out) = sound();
    let path = out.join("phase_20/run_state.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(
        &path,
        text.replace("\"complete\": true", "\"complete\": false"),
    )
    .unwrap();
    for name in ["metadata.json", "stats.json"] {
        fs::remove_file(out.join("phase_20").join(name)).unwrap();
    }
    let text = lines(&out).join("\n");
    assert!(
        text.contains("phase_20 is unfinished; rdg --resume goes on with it"),
        "{text}"
    );
    assert_eq!(kinds(&out), [""; 0]);
    let extra = read(&split_file(&out, 20, Split::Valid))[0];
    rewrite(&split_file(&out, 20, Split::Valid), |records| {
        let board = rdg::board::Symmetry::ALL[1].apply_board(extra.board);
        records.push(Record { board, ..extra });
    });
    assert_eq!(kinds(&out), ["duplicate", "run_state"]);
}

/// A flipped bit is found wherever it breaks a rule: any bit of the board does, as it changes the
/// number of discs or makes two sides hold a square; of the value those that leave −64..64, and
/// all of them where the value can be computed.
#[test]
fn flipped_bits_are_found() {
    let (_env, out) = sound();
    for phase in PHASES {
        let path = split_file(&out, phase, Split::Train);
        let sound = fs::read(&path).unwrap();
        for bit in 0..144 {
            let at = 10 + 18 * 7;
            let mut bytes = sound.clone();
            bytes[at + bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, &bytes).unwrap();
            let value = i16::from_le_bytes([bytes[at + 16], bytes[at + 17]]);
            let must = bit < 128 || phase == 60 || !(-64..=64).contains(&value);
            let found = kinds(&path);
            if must {
                assert_eq!(found.len(), 1, "phase {phase} bit {bit}: {found:?}");
            }
        }
        // The last bit of a value of a nearly full board: odd results are hardly ever possible.
        fs::write(&path, &sound).unwrap();
    }
    assert_eq!(kinds(&out), [""; 0]);
}

#[test]
fn the_first_faults_are_printed_and_the_rest_is_counted() {
    let (env, out) = sound();
    rewrite(&split_file(&out, 40, Split::Train), |records| {
        for record in records.iter_mut() {
            record.value = 999;
        }
    });
    let n = read(&split_file(&out, 40, Split::Train)).len();
    let output = env.run(&["verify", "data/phase_40/train.rd"]);
    assert_eq!(code(&output), 1);
    let text = stdout(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 22, "{text}");
    assert_eq!(
        lines[19],
        "data/phase_40/train.rd, record 19 (byte 352): value 999 is outside -64..64"
    );
    assert_eq!(lines[20], format!("… and {} more", n - 20));
    assert!(
        lines[21].ends_with(&format!("{n} errors ({n} value_range)")),
        "{text}"
    );
    let output = env.run(&["verify", "data/phase_40/train.rd", "--limit", "0"]);
    assert_eq!((code(&output), stdout(&output).lines().count()), (1, 2));
}

#[test]
fn programs_get_json() {
    let (env, out) = sound();
    rewrite(&split_file(&out, 40, Split::Train), |records| {
        records[3].value = -70
    });
    let output = env.run(&["verify", "--json", "data/phase_40/train.rd"]);
    assert_eq!(code(&output), 1);
    let json: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(json["schema"], "rdg_verify_v1");
    assert_eq!(json["sound"], false);
    assert_eq!(json["fault_count"], 1);
    assert_eq!(json["faults_by_kind"]["value_range"], 1);
    assert_eq!(json["faults"][0]["record"], 3);
    assert_eq!(json["faults"][0]["kind"], "value_range");
    assert_eq!(json["faults"][0]["path"], "data/phase_40/train.rd");
    assert_eq!(json["files"], 1);
}

#[test]
fn bad_words_and_bad_paths_are_explained() {
    let env = Env::new();
    assert_eq!(code(&env.run(&["verify"])), 2);
    assert_eq!(code(&env.run(&["verify", "x", "--limit", "-1"])), 2);
    assert_eq!(code(&env.run(&["verify", "x", "--memory", "0"])), 2);
    let output = env.run(&["verify", "nothing", "."]);
    assert_eq!(code(&output), 1);
    let text = stdout(&output);
    assert!(text.contains("cannot read nothing"), "{text}");
    assert!(
        text.contains(". holds neither .rd files nor phase_NN folders"),
        "{text}"
    );
    assert!(!text.contains("no error"), "{text}");
}

#[test]
fn names_that_are_no_text_are_no_trouble() {
    use std::os::unix::ffi::OsStrExt;
    let env = Env::new();
    let out = env
        .path("x")
        .with_file_name(std::ffi::OsStr::from_bytes(b"caf\xe9"));
    write_dataset(&out, &[30], 10, 3);
    for json in [false, true] {
        let mut command = env.rdg();
        command.arg("verify").arg(&out);
        if json {
            command.arg("--json");
        }
        let output = command.output().unwrap();
        assert_eq!(code(&output), 0, "{}", stdout(&output));
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let (env, out) = sound();
    let start = |path: &Path| {
        let mut child = env
            .rdg()
            .arg("verify")
            .arg(path)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        child.wait_with_output().unwrap()
    };
    let output = start(&out);
    assert_eq!((code(&output), stderr(&output)), (0, String::new()));
}

#[test]
fn several_passes_find_the_same() {
    // More keys than a megabyte holds, in one file of all phases.
    let env = Env::new();
    let out = env.path("data");
    let phases: Vec<u8> = (25..=60).collect();
    write_dataset(&out, &phases, 3200, 11);
    let mut bytes = rdg::dataset::record::MAGIC.to_vec();
    for &phase in &phases {
        for split in Split::ALL {
            bytes.extend(&fs::read(split_file(&out, phase, split)).unwrap()[10..]);
        }
    }
    let path = env.write("all.rd", &bytes);
    let options = Options {
        memory_bytes: 1 << 20,
        ..Options::default()
    };
    let check = || verify(std::slice::from_ref(&path), &options);
    assert!(check().records() > 104_858, "two passes at least");
    assert!(check().is_sound());
    rewrite(&path, |records| {
        for (from, to) in [(5, 90_000), (5, 90_001), (70_000, 7)] {
            records[to].board = rdg::board::Symmetry::ALL[3].apply_board(records[from].board);
            records[to].value = records[from].value;
        }
    });
    let report = check();
    assert_eq!(report.faults.by_kind().get("duplicate"), Some(&3));
    let records: Vec<_> = report
        .faults
        .first()
        .iter()
        .map(|f| f.record.unwrap())
        .collect();
    assert_eq!(records, [70_000, 90_000, 90_001]);
}

#[test]
fn junk_is_reported_quickly_and_in_bounds() {
    let env = Env::new();
    let mut junk = rdg::dataset::record::MAGIC.to_vec();
    let mut x = 1_u64;
    for _ in 0..180_000 {
        x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        junk.extend((x >> 16).to_le_bytes());
    }
    let path = env.write("junk.rd", &junk);
    let report = verify(std::slice::from_ref(&path), &Options::default());
    assert!(report.faults.total() >= 80_000);
    assert_eq!(report.faults.first().len(), 20);
    assert_eq!(report.faults.first()[0].record, Some(0));
    // One record over and over: as many duplicates.
    let mut same = rdg::dataset::record::MAGIC.to_vec();
    let record = Record {
        board: Board::START,
        value: 0,
    }
    .encode();
    for _ in 0..100_000 {
        same.extend(record);
    }
    fs::write(&path, same).unwrap();
    let report = verify(&[path], &Options::default());
    assert_eq!(report.faults.by_kind().get("duplicate"), Some(&99_999));
}

mod all_positions {
    use super::*;
    use rdg::base::stop::Stop;
    use rdg::board::enumerate::Enumeration;
    use rdg::dataset::counters::{Counters, EnumerationCounters};
    use rdg::dataset::json::write_json;
    use rdg::dataset::metadata::{DataMode, Generation, Metadata};
    use rdg::dataset::stats::{PhaseStats, SplitCounts, StatsFacts};
    use rdg::dataset::writer::PhaseWriter;

    /// Every position of phase 5, without those that `leave_out` names by number.
    fn write(out: &Path, leave_out: &[u64]) {
        let all = Enumeration::up_to(5, &Stop::new()).unwrap();
        let dir = PhaseDir::new(out, 5);
        let mut writer = PhaseWriter::create(&dir).unwrap();
        let mut counters = Counters::default();
        for index in (0..all.count(5)).filter(|index| !leave_out.contains(index)) {
            let board = all.game(5, index).unwrap().board();
            let value = (index % 9) as i16 - 4;
            let split = split_of(board.canonical(), &RATIOS);
            writer.append(split, &Record { board, value }).unwrap();
            counters.values.count_value(value);
        }
        writer.sync().unwrap();
        counters.enumeration = Some(EnumerationCounters {
            unique: all.count(5),
            ..EnumerationCounters::default()
        });
        let facts = StatsFacts {
            mode: DataMode::AllPositions,
            generation: Generation::Phase,
            phase: 5,
            started_at: String::new(),
            finished_at: String::new(),
            elapsed_seconds: 1.0,
            enumeration_seconds: 0.5,
            target_samples: 322,
            ai_probability: 0.0,
            records: SplitCounts::from(writer.counts()),
        };
        let stats = PhaseStats::from_counters(facts, &counters);
        write_json(&dir.stats(), &stats).unwrap();
        let metadata = Metadata::new(DataMode::AllPositions, Generation::Phase, 5, &RATIOS);
        write_json(&dir.metadata(), &metadata).unwrap();
    }

    #[test]
    fn all_322_positions_of_phase_5_are_asked_for() {
        let env = Env::new();
        write(&env.path("whole"), &[]);
        let faults = kinds(&env.path("whole/phase_05"));
        assert_eq!(faults, ["missing_file"], "only the checkpoint is missing");
        write(&env.path("less"), &[17]);
        assert_eq!(
            kinds(&env.path("less/phase_05")),
            ["all_positions", "missing_file"]
        );
        let text = lines(&env.path("less/phase_05")).join("\n");
        assert!(
            text.contains("phase 5 has 322 positions up to symmetry, its files hold 321"),
            "{text}"
        );
    }
}
