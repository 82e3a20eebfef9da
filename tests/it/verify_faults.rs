//! `rdg verify` finds each single planted fault of each kind.

use crate::common::sample::{kinds, lines, plant, read, rewrite, sound, split_file};
use rdg::board::Board;
use rdg::dataset::record::Record;
use rdg::dataset::split::Split;
use rdg::look::verify::{Options, verify};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Each change breaks one rule of a record; the report names the file, the record and the rule.
#[test]
fn each_broken_rule_of_a_record_is_found() {
    type Change = fn(&mut Record);
    let cases: &[(u8, &str, Change)] = &[
        (40, "overlap", |r| {
            r.board.opponent |= r.board.own & r.board.own.wrapping_neg()
        }),
        (40, "discs", |r| r.board.own &= r.board.own - 1),
        (20, "discs", |r| {
            r.board.opponent |= !r.board.own & r.board.empty().wrapping_neg() & r.board.empty()
        }),
        (20, "centre", |r| {
            let moved = r.board.empty() & r.board.empty().wrapping_neg();
            r.board.own &= !0x0000_0018_1800_0000;
            r.board.opponent &= !0x0000_0018_1800_0000;
            let mut spare = r.board.empty() & !0x0000_0018_1800_0000 & !moved;
            for _ in 0..3 {
                r.board.own |= spare & spare.wrapping_neg();
                spare &= spare - 1;
            }
            r.board.own |= moved;
        }),
        (40, "value_range", |r| r.value = 65),
        (40, "value_range", |r| r.value = i16::MIN),
        (60, "value_of_finished", |r| {
            r.value = if r.value > 0 { -2 } else { 2 }
        }),
        (58, "value_unreachable", |r| {
            r.value = if r.value > 0 { -60 } else { 60 }
        }),
        // Two whole edges cannot be turned: 64 to none is out of reach.
        (40, "value_against_safe_discs", |r| {
            r.board = Board {
                own: 0x0008_0818_ffff_ff00,
                opponent: 0xff00_0000_0000_00ff,
            };
            r.value = 64;
        }),
        // A group of two far from the rest.
        (20, "apart", |r| {
            let far = 0x0000_0000_0000_0101_u64;
            let occupied = 0x3c3c_3c3c_3c00_0000_u64 | 0x0000_0018_1800_0000;
            r.board = Board {
                own: occupied | far,
                opponent: 0,
            };
            r.board.opponent = r.board.own & 0x0014_0000_0000_0000;
            r.board.own &= !r.board.opponent;
            while r.board.discs() > 24 {
                let spare = r.board.own & 0x3c00_0000_0000_0000;
                r.board.own &= !(spare & spare.wrapping_neg());
            }
            while r.board.discs() < 24 {
                let spare = r.board.empty() & 0x7e7e_7e00_0000_0000;
                r.board.own |= spare & spare.wrapping_neg();
            }
            r.value = 0;
        }),
    ];
    for (phase, kind, change) in cases {
        let (_env, out) = plant(|out| {
            rewrite(&split_file(out, *phase, Split::Train), |records| {
                change(&mut records[5])
            });
        });
        let report = verify(std::slice::from_ref(&out), &Options::default());
        assert_eq!(
            report.faults.by_kind().get(kind),
            Some(&1),
            "{kind}: {:?}",
            report.faults.by_kind()
        );
        let fault = report
            .faults
            .first()
            .iter()
            .find(|f| f.kind == *kind)
            .unwrap();
        assert_eq!(fault.record, Some(5), "{kind}");
        assert_eq!(fault.path, split_file(&out, *phase, Split::Train), "{kind}");
    }
}

#[test]
fn positions_that_no_game_reaches_are_found_in_shallow_phases() {
    // Discs of phase 8 change hands: still connected, still twelve.
    let (_env, out) = plant(|out| {
        rewrite(&split_file(out, 8, Split::Train), |records| {
            let board = &mut records[3].board;
            let occupied = board.occupied();
            board.own = occupied & 0x0000_0008_1000_0000;
            board.opponent = occupied & !board.own;
        });
    });
    assert!(
        kinds(&out).contains(&"unreachable".to_owned()),
        "{:?}",
        kinds(&out)
    );
}

#[test]
fn duplicates_and_leaks_are_found_up_to_symmetry() {
    let turned = |board: Board| rdg::board::Symmetry::ALL[6].apply_board(board);
    let (_env, out) = plant(|out| {
        rewrite(&split_file(out, 40, Split::Train), |records| {
            let twin = Record {
                board: turned(records[2].board),
                value: records[2].value,
            };
            records.push(twin);
        });
    });
    let train = split_file(&out, 40, Split::Train);
    let last = read(&train).len() - 1;
    let expected = format!(
        "{}, record {last} (byte {}): the position of record 2 again, up to symmetry",
        train.display(),
        10 + 18 * last
    );
    assert!(lines(&out).contains(&expected), "{:#?}", lines(&out));

    let (_env, out) = plant(|out| {
        let leaked = read(&split_file(out, 40, Split::Train))[1];
        rewrite(&split_file(out, 40, Split::Test), |records| {
            records.push(Record {
                board: turned(leaked.board),
                ..leaked
            });
        });
    });
    let text = lines(&out).join("\n");
    assert!(
        text.contains("the position of record 1 of train.rd again"),
        "{text}"
    );
    assert!(kinds(&out).contains(&"in_two_files".to_owned()));
}

#[test]
fn a_position_in_the_wrong_file_is_found() {
    let (_env, out) = plant(|out| {
        let moved = read(&split_file(out, 20, Split::Test));
        fs::write(split_file(out, 20, Split::Test), b"RDGBBVAL1\n").unwrap();
        rewrite(&split_file(out, 20, Split::Valid), |records| {
            records.extend(moved)
        });
    });
    let report = verify(
        std::slice::from_ref(&out),
        &Options {
            thorough: true,
            replay: false,
            ..Options::default()
        },
    );
    assert!(
        report.faults.by_kind().contains_key("split"),
        "{:?}",
        report.faults.by_kind()
    );
    // Some are looked at without being asked.
    let (_env, out) = plant(|out| {
        let train = split_file(out, 20, Split::Train);
        let test = split_file(out, 20, Split::Test);
        let spare = out.join("spare");
        fs::rename(&train, &spare).unwrap();
        fs::rename(&test, &train).unwrap();
        fs::rename(&spare, &test).unwrap();
    });
    assert!(
        kinds(&out).contains(&"split".to_owned()),
        "{:?}",
        kinds(&out)
    );
}

#[test]
fn faults_of_whole_files_are_found() {
    type Change<'a> = (&'a str, &'a dyn Fn(&Path));
    let change: &[Change] = &[
        ("missing_file", &|p| fs::remove_file(p).unwrap()),
        ("header", &|p| {
            let mut bytes = fs::read(p).unwrap();
            bytes[8] = b'2';
            fs::write(p, bytes).unwrap();
        }),
        ("header", &|p| fs::write(p, b"").unwrap()),
        ("torn_record", &|p| {
            let bytes = fs::read(p).unwrap();
            fs::write(p, &bytes[..bytes.len() - 1]).unwrap();
        }),
        // Two files put together as they are.
        ("second_header", &|p| {
            let bytes = fs::read(p).unwrap();
            fs::write(p, [&bytes[..], &bytes[..]].concat()).unwrap();
        }),
        ("unreadable", &|p| {
            fs::remove_file(p).unwrap();
            fs::create_dir(p).unwrap();
        }),
        ("unreadable", &|p| {
            fs::remove_file(p).unwrap();
            rustix::fs::mkfifoat(rustix::fs::CWD, p, rustix::fs::Mode::RWXU).unwrap();
        }),
        ("missing_file", &|p| {
            fs::remove_file(p).unwrap();
            std::os::unix::fs::symlink("nowhere", p).unwrap();
        }),
    ];
    for (kind, change) in change {
        let (_env, out) = plant(|out| change(&split_file(out, 40, Split::Valid)));
        assert!(
            kinds(&out).contains(&(*kind).to_owned()),
            "{kind}: {:?}",
            kinds(&out)
        );
        let text = lines(&out).join("\n");
        assert!(text.contains("phase_40/valid.rd"), "{text}");
    }
}

#[test]
fn records_that_a_file_lacks_are_found_against_every_count() {
    let (_env, out) = plant(|out| {
        rewrite(&split_file(out, 20, Split::Train), |records| {
            records.pop();
        });
    });
    assert_eq!(
        kinds(&out),
        ["run_state", "stats", "summary", "window_stats"]
    );
    let text = lines(&out).join("\n");
    assert!(
        text.contains("rebuild the phase with --resume --repair"),
        "{text}"
    );
}

/// Every JSON file changed in one place each: found, and named.
#[test]
fn json_files_that_say_something_else_are_found() {
    let cases: &[(&str, &str, &str)] = &[
        ("phase_20/metadata.json", "\"phase\": 20", "\"phase\": 21"),
        ("phase_20/metadata.json", "\"discs\": 24", "\"discs\": 20"),
        ("phase_20/metadata.json", "rdgbitboard_v1", "rdgbitboard_v2"),
        (
            "phase_20/metadata.json",
            "rdg_phase_metadata_v1",
            "rdg_phase_metadata_v9",
        ),
        ("phase_20/metadata.json", "RDGBBVAL1\\n", "RDGBBVAL2\\n"),
        (
            "phase_20/metadata.json",
            "\"record_size_bytes\": 18",
            "\"record_size_bytes\": 20",
        ),
        (
            "phase_20/metadata.json",
            "plain_disc_difference",
            "best_guess",
        ),
        (
            "phase_20/metadata.json",
            "plain_disc_difference",
            "winner_takes_empties",
        ),
        ("phase_20/metadata.json", "\"train\": 0.8", "\"train\": 0.9"),
        (
            "phase_20/metadata.json",
            "\"valid.rd\"",
            "\"validation.rd\"",
        ),
        ("phase_20/metadata.json", "\"anchor\": 8", "\"anchor\": 21"),
        ("phase_20/stats.json", "\"phase\": 20", "\"phase\": 21"),
        (
            "phase_20/stats.json",
            "\"emitted_samples\": 60",
            "\"emitted_samples\": 61",
        ),
        (
            "phase_20/stats.json",
            "rdg_phase_stats_v1",
            "rdg_phase_stats_v0",
        ),
        ("phase_20/run_state.json", "\"phase\": 20", "\"phase\": 21"),
        ("phase_20/run_state.json", "\"seed\": 42", "\"seed\": 43"),
        ("phase_20/run_state.json", "\"00ff\"", "\"00fe\""),
        (
            "phase_20/run_state.json",
            "\"samples_per_phase\": 60",
            "\"samples_per_phase\": 61",
        ),
        (
            "phase_20/run_state.json",
            "rdg_run_state_v1",
            "rdg_run_state_v2",
        ),
        (
            "summary.json",
            "\"total_samples\": 300",
            "\"total_samples\": 301",
        ),
        (
            "summary.json",
            "\"emitted_samples\": 60",
            "\"emitted_samples\": 59",
        ),
        (
            "summary.json",
            "\"phases\": [\n    8,",
            "\"phases\": [\n    9,",
        ),
        ("summary.json", "rdg_summary_v1", "rdg_summary_v2"),
        ("summary.json", "\"phase\": 20", "\"phase\": 22"),
        (
            "window_stats.json",
            "\"total_extracted_samples\": 300",
            "\"total_extracted_samples\": 30",
        ),
        (
            "window_stats.json",
            "\n      \"extracted_samples\": 300",
            "\n      \"extracted_samples\": 299",
        ),
        (
            "window_stats.json",
            "rdg_window_stats_v1",
            "rdg_window_stats_v2",
        ),
    ];
    for (file, from, to) in cases {
        let (_env, out) = sound();
        let path = out.join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{file} has no {from}: {text}");
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let found = lines(&out).join("\n");
        assert!(found.contains(file), "{file}: {from} → {to}:\n{found}");
    }
    for file in [
        "phase_20/metadata.json",
        "phase_20/stats.json",
        "phase_20/run_state.json",
        "summary.json",
        "window_stats.json",
    ] {
        for junk in [
            &b""[..],
            b"{",
            b"\xff\xfe",
            b"[]",
            b"null",
            b"{\"schema\": 3}",
        ] {
            let (_env, out) = sound();
            fs::write(out.join(file), junk).unwrap();
            let found = lines(&out).join("\n");
            assert!(found.contains(file), "{file} as {junk:?}:\n{found}");
        }
        let (_env, out) = sound();
        fs::remove_file(out.join(file)).unwrap();
        let found = lines(&out).join("\n");
        assert!(
            found.contains(file) && found.contains("missing"),
            "{file}:\n{found}"
        );
    }
}

#[test]
fn a_histogram_that_differs_is_told_value_by_value() {
    let (_env, out) = sound();
    let path = out.join("phase_20/stats.json");
    let mut stats: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let histogram = stats["value"]["histogram"].as_object_mut().unwrap();
    let (value, n) = histogram
        .iter()
        .next()
        .map(|(k, v)| (k.clone(), v.as_u64().unwrap()))
        .unwrap();
    histogram.insert(value.clone(), (n + 1).into());
    fs::write(&path, serde_json::to_string(&stats).unwrap()).unwrap();
    let text = lines(&out).join("\n");
    let expected = format!(
        "value.histogram differs at {value}: {}, but should be {n}",
        n + 1
    );
    assert!(text.contains(&expected), "{text}");
}

#[test]
fn a_missing_phase_is_named() {
    let (_env, out) = sound();
    fs::remove_dir_all(out.join("phase_40")).unwrap();
    let text = lines(&out).join("\n");
    assert!(text.contains("phase_40: the folder is missing"), "{text}");
}
