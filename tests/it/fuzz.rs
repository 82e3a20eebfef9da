//! A bounded run of the functions that `cargo fuzz` calls: sound inputs, changed at random places.

use crate::common::Env;
use crate::common::dataset::Config;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdg::fuzz::TARGETS;
use std::path::Path;

/// Changed inputs for each sound one.
const ROUNDS: u32 = 150;

/// Sound inputs of a target, as they are and as rdg writes them.
fn sound(target: &str, dataset: &Path) -> Vec<Vec<u8>> {
    let texts = |texts: &[&str]| texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    let files = |names: &[&str]| {
        let read = |name: &&str| std::fs::read(dataset.join(name)).expect(name);
        names.iter().map(read).collect()
    };
    match target {
        "game_records" => texts(&[
            "e6f4e3f6g5d6e7f5c5\nf5 d6 c3\n",
            "(;GM[Othello]PB[a]PW[b]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6];)",
            "(;GM[2]FF[4]SZ[8]PB[a];B[f5];W[d6])",
            "[Event \"x\"]\n[White \"a\"]\n\n1. f5 d6 2. c3 *\n",
            "{\"moves\": \"f5d6c3\", \"black\": \"a\"}\n",
            "moves,score\n\"f5d6c3\",4\n",
            "---------------------------OX------XO--------------------------- X",
        ]),
        "record_files" => files(&["phase_50/train.rd"]),
        "state_files" => files(&[
            "phase_50/run_state.json",
            "phase_50/metadata.json",
            "phase_50/stats.json",
            "summary.json",
            "games_50/games_state.json",
        ]),
        "configurations" => texts(&[
            "mode = \"normal\"\noutput_dir = \"out\"\nphases = \"20..30\"\nsamples_per_phase = 2\n\
             [self_play.ai]\nname = \"builtin\"\nlevel = 1\n[window]\nenabled = true\nsize = 5\n",
            "setup = \"off\"\n[engines.builtin]\nkind = \"builtin\"\n[engines.x]\nkind = \"gtp\"\n\
             binary = \"x\"\nargs = [\"--level\", \"{level}\"]\n",
        ]),
        "weight_files" => vec![
            (0..64)
                .map(|n| format!("{n} "))
                .collect::<String>()
                .into_bytes(),
            include_bytes!("../../src/engine/builtin/patterns/weights.bin")[..4096].to_vec(),
        ],
        "kept_games" => files(&["games_50/games.rdg"]),
        "engine_commands" => texts(&[
            "nboard 2\nset game (;GM[Othello]PC[x]PB[a]PW[b]RE[?]TI[0]TY[8]BO[8 ---------------------------O*------*O--------------------------- *];)\nmove F5\nping 1\ngo\nhint 2\n",
            "1 protocol_version\nboardsize 8\nclear_board\nplay black f5\ngenmove white\nundo\n\
             rdg-setup_board ---------------------------OX------XO--------------------------- X\nshowboard\n",
        ]),
        other => panic!("{other} has no sound inputs here"),
    }
}

/// Flips, cuts, repeats and inserts.
fn change(bytes: &[u8], random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..random.random_range(1..6) {
        let at = random.random_range(0..=bytes.len());
        let end = (at + random.random_range(0..40)).min(bytes.len());
        match random.random_range(0..5) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.random_range(0..8),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part);
            }
            3 => {
                let odd: [&[u8]; 8] = [
                    b"\0",
                    b"\xff",
                    b"-1",
                    b"1e999",
                    b"99999999999999999999",
                    b"\"",
                    b"\n",
                    b"[[[[",
                ];
                let part = odd[random.random_range(0..odd.len())].to_vec();
                bytes.splice(at..at, part);
            }
            _ => bytes.truncate(end),
        }
    }
    bytes
}

#[test]
fn changed_inputs_are_survived() {
    let env = Env::new();
    let config = Config::new("50").samples(20).workers(1).keep(true);
    config.generate(&env);
    let mut random = ChaCha8Rng::seed_from_u64(21);
    for (name, target) in TARGETS {
        for sound in sound(name, &env.path("out")) {
            target(&sound);
            for _ in 0..ROUNDS {
                target(&change(&sound, &mut random));
            }
        }
        target(b"");
    }
}

/// Each function has its program in `fuzz/`.
#[test]
fn every_target_has_its_program() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    for (name, _) in TARGETS {
        let path = format!("fuzz_targets/{name}.rs");
        let program = std::fs::read_to_string(folder.join(&path)).expect(name);
        assert!(
            program.contains(&format!("rdg::fuzz::{name}(data)")),
            "{path}"
        );
        assert!(manifest.contains(&format!("path = \"{path}\"")), "{path}");
    }
}
