//! `rdg verify` against files made to hurt: it says what is wrong and ends.

use crate::common::by_hand::{after_f5, file, hopeless};
use crate::common::sample::{kinds, sound};
use crate::common::{Env, code, stderr, stdout};
use rdg::look::verify::{Options, verify};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

#[test]
fn what_cannot_be_read_is_a_fault_and_the_rest_is_checked() {
    let env = Env::new();
    env.write("x.rd", file(&[after_f5(-3)]));
    for (path, reason) in hopeless(&env) {
        let output = env
            .rdg()
            .arg("verify")
            .arg(&path)
            .arg("x.rd")
            .output()
            .unwrap();
        let text = stdout(&output);
        assert_eq!(
            (code(&output), stderr(&output)),
            (1, String::new()),
            "{path:?}"
        );
        assert!(text.contains(reason), "{path:?}: {text}");
        assert!(text.contains("1 record in "), "{path:?}: {text}");
        assert!(text.trim_end().ends_with(')'), "{path:?}: {text}");
    }
}

/// Files of a dataset, each replaced by something that is not a file of its kind.
#[test]
fn pipes_devices_loops_and_giants_in_place_of_files() {
    type Plant = fn(&Path);
    let plants: [(&str, Plant); 6] = [
        ("pipe", |p| {
            rustix::fs::mkfifoat(rustix::fs::CWD, p, rustix::fs::Mode::RWXU).unwrap();
        }),
        ("device", |p| symlink("/dev/zero", p).unwrap()),
        ("loop", |p| symlink(p, p).unwrap()),
        ("folder", |p| fs::create_dir(p).unwrap()),
        ("giant", |p| {
            // 70 MB without taking room on the disk: zero bytes, which are neither.
            fs::File::create(p).unwrap().set_len(70 << 20).unwrap();
        }),
        ("deep", |p| fs::write(p, "[".repeat(1_000_000)).unwrap()),
    ];
    let files = [
        "phase_20/train.rd",
        "phase_20/metadata.json",
        "phase_20/stats.json",
        "phase_20/run_state.json",
        "summary.json",
        "window_stats.json",
    ];
    for (what, plant) in plants {
        for name in files {
            let (env, out) = sound();
            let path = out.join(name);
            fs::remove_file(&path).unwrap();
            plant(&path);
            let output = env.run(&["verify", "data"]);
            assert_eq!(code(&output), 1, "{what} for {name}: {}", stderr(&output));
            assert_eq!(stderr(&output), "", "{what} for {name}");
            assert!(
                stdout(&output).contains(name),
                "{what} for {name}: {}",
                stdout(&output)
            );
        }
    }
}

#[test]
fn folders_that_lead_back_to_themselves_are_gone_through_once() {
    let (env, out) = sound();
    symlink(&out, out.join("phase_30")).unwrap();
    symlink(out.join("phase_31"), out.join("phase_31")).unwrap();
    let output = env.run(&["verify", "data"]);
    // The folder of phase 30 holds no records, and that of phase 31 is none.
    assert_eq!(code(&output), 1);
    assert!(
        stdout(&output).contains("phase_30/train.rd: the file is missing"),
        "{}",
        stdout(&output)
    );
    assert!(
        stdout(&output).contains("300 records in 15 files, 6 phases"),
        "{}",
        stdout(&output)
    );
}

/// Every value anywhere in the JSON files replaced by what no program of ours writes there: never
/// a panic, and always a fault where the file can no longer be understood.
#[test]
fn nonsense_in_json_files_is_survived() {
    let (_env, out) = sound();
    let nonsense = [
        json!(u64::MAX),
        json!(i64::MIN),
        json!(1e308),
        json!(255),
        json!("\u{1b}[2J\0"),
        json!(null),
        json!([]),
    ];
    for name in ["metadata.json", "stats.json", "run_state.json"] {
        let path = out.join("phase_40").join(name);
        survive(&path, &nonsense, &|| {
            verify(&[out.join("phase_40")], &Options::default());
        });
    }
    for name in ["summary.json", "window_stats.json"] {
        survive(&out.join(name), &nonsense, &|| {
            verify(std::slice::from_ref(&out), &Options::default());
        });
    }
    assert_eq!(kinds(&out), [""; 0]);
}

fn survive(path: &Path, nonsense: &[Value], check: &dyn Fn()) {
    let text = fs::read(path).unwrap();
    let whole: Value = serde_json::from_slice(&text).unwrap();
    let mut pointers = Vec::new();
    collect(&whole, String::new(), &mut pointers);
    assert!(pointers.len() > 10);
    for pointer in pointers {
        for bad in nonsense {
            let mut changed = whole.clone();
            *changed.pointer_mut(&pointer).unwrap() = bad.clone();
            fs::write(path, changed.to_string()).unwrap();
            check();
        }
    }
    fs::write(path, text).unwrap();
}

/// JSON pointers to every value. Of a long map its first entries stand for all.
fn collect(value: &Value, at: String, pointers: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map.iter().take(30) {
                collect(value, format!("{at}/{key}"), pointers);
            }
        }
        Value::Array(list) => {
            for (index, value) in list.iter().enumerate().take(3) {
                collect(value, format!("{at}/{index}"), pointers);
            }
        }
        _ => {}
    }
    if !at.is_empty() {
        pointers.push(at);
    }
}

#[test]
fn files_of_any_bytes_are_survived() {
    let env = Env::new();
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for length in 0..200 {
        let mut bytes = b"RDGBBVAL1\n".to_vec();
        for _ in 0..length {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            bytes.push((random >> 56) as u8);
        }
        let path = env.write("phase_60/any.rd", bytes);
        let report = verify(&[path], &Options::default());
        assert_eq!(report.is_sound(), length == 0, "{length}");
    }
}
