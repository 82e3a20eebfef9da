//! Links, pipes and folders in the place of rdg's own files: refused, never followed.

use crate::common::{Env, code, stderr};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Output;

fn env() -> Env {
    let env = Env::new();
    env.write(
        "config.toml",
        "mode = \"normal\"\noutput_dir = \"out\"\nphases = \"58..59\"\nsamples_per_phase = 20\n\
         seed = 1\n[self_play]\nworkers = 1\n[self_play.ai]\nname = \"builtin\"\nlevel = 1\n",
    );
    env.write(
        "app.toml",
        "setup = \"off\"\n[engines.builtin]\nkind = \"builtin\"\n",
    );
    env.write("games.txt", "e6f4e3f6g5d6e7f5c5\n");
    env.write("victim", "precious");
    env
}

fn generate(env: &Env, more: &[&str]) -> Output {
    let words = [
        "--config",
        "config.toml",
        "--app-config",
        "app.toml",
        "--no-progress",
    ];
    env.run(&[&words, more].concat())
}

/// Puts a link to the victim, a pipe or a folder at `path`.
fn put(env: &Env, kind: &str, path: &str) {
    let path = env.path(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    match kind {
        "link" => symlink(env.path("victim"), &path).unwrap(),
        "dangling" => symlink(env.path("nowhere/file"), &path).unwrap(),
        "folder" => std::fs::create_dir(&path).unwrap(),
        _ => rustix::fs::mknodat(
            rustix::fs::CWD,
            &path,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::from_raw_mode(0o600),
            0,
        )
        .unwrap(),
    }
}

fn assert_refused(env: &Env, output: &Output, name: &str, context: &str) {
    let said = stderr(output);
    assert_eq!(code(output), 1, "{context}: {said}");
    let file = Path::new(name).file_name().unwrap().to_string_lossy();
    assert!(
        said.contains(&*file) && said.contains("remove it"),
        "{context}: {said}"
    );
    assert_eq!(
        std::fs::read(env.path("victim")).unwrap(),
        b"precious",
        "{context}"
    );
    assert!(!env.path("nowhere").exists(), "{context}");
}

#[test]
fn what_stands_in_the_place_of_a_new_run_s_files_is_refused() {
    for kind in ["link", "dangling", "folder", "pipe"] {
        for name in [
            "out/.rdg.lock",
            "out/phase_58/.run_state.json.tmp",
            "out/.summary.json.tmp",
        ] {
            let env = env();
            put(&env, kind, name);
            let output = generate(&env, &[]);
            assert_refused(&env, &output, name, &format!("{kind} as {name}"));
        }
    }
}

#[test]
fn a_resumed_run_reads_and_writes_nothing_through_a_link() {
    let names = [
        "train.rd",
        "test.rd",
        "run_state.json",
        "metadata.json",
        "stats.json",
    ];
    for kind in ["link", "folder", "pipe"] {
        for name in names {
            let env = env();
            assert_eq!(code(&generate(&env, &[])), 0);
            let name = format!("out/phase_59/{name}");
            std::fs::remove_file(env.path(&name)).unwrap();
            put(&env, kind, &name);
            let output = generate(&env, &["--resume"]);
            assert_refused(&env, &output, &name, &format!("{kind} as {name}"));
        }
    }
}

#[test]
fn a_phase_folder_that_is_a_link_is_refused_and_its_target_kept() {
    let env = env();
    assert_eq!(code(&generate(&env, &[])), 0);
    std::fs::rename(env.path("out/phase_59"), env.path("elsewhere")).unwrap();
    symlink(env.path("elsewhere"), env.path("out/phase_59")).unwrap();
    let before = std::fs::read(env.path("elsewhere/train.rd")).unwrap();
    let output = generate(&env, &["--resume"]);
    assert_refused(&env, &output, "phase_59", "a folder elsewhere");
    let output = generate(&env, &["--force"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(!env.path("out/phase_59").is_symlink());
    assert_eq!(
        std::fs::read(env.path("elsewhere/train.rd")).unwrap(),
        before
    );
}

#[test]
fn force_clears_only_folders_that_rdg_has_set_aside() {
    let env = env();
    for name in [
        ".deleted_phase_07/train.rd",
        ".deleted_phase_of_mine/notes",
        ".deleted_phase_7/a",
        // Named as rdg names them, but nothing that rdg has made.
        ".deleted_phase_08/train.rd/notes",
        ".deleted_phase_09/notes",
        ".deleted_phase_09/train.rd",
    ] {
        env.write(&format!("out/{name}"), "x");
    }
    assert_eq!(code(&generate(&env, &["--force"])), 0);
    assert!(!env.path("out/.deleted_phase_07").exists());
    assert!(env.path("out/.deleted_phase_of_mine/notes").exists());
    assert!(env.path("out/.deleted_phase_7/a").exists());
    assert!(env.path("out/.deleted_phase_08/train.rd/notes").exists());
    assert!(env.path("out/.deleted_phase_09/train.rd").exists());
}

#[test]
fn an_import_that_a_damaged_note_stops_says_so_and_is_mended_by_force() {
    let env = env();
    env.write("out/.rdg-import/publishing.json", "{bad");
    env.write("out/.rdg-import/summary.json", "{}");
    let words = ["import", "games.txt", "--output", "out", "--no-progress"];
    let output = env.run(&words);
    let said = stderr(&output);
    assert_eq!(code(&output), 1, "{said}");
    assert!(
        said.contains("publishing.json") && said.contains("--force"),
        "{said}"
    );
    let output = env.run(&[&words[..], &["--force"]].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(!env.path("out/.rdg-import").exists());
}

#[test]
fn an_import_does_not_work_in_a_folder_that_is_a_link() {
    let env = env();
    env.write("elsewhere/publishing.json", "[3]");
    env.write("elsewhere/summary.json", "{}");
    std::fs::create_dir(env.path("out")).unwrap();
    symlink(env.path("elsewhere"), env.path("out/.rdg-import")).unwrap();
    for more in [&[][..], &["--force"]] {
        let words = ["import", "games.txt", "--output", "out", "--no-progress"];
        let output = env.run(&[&words[..], more].concat());
        assert_refused(&env, &output, ".rdg-import", "a link");
        assert!(env.path("elsewhere/publishing.json").exists());
    }
}

#[test]
fn learning_writes_through_no_link() {
    let words = [
        "learn",
        "--output",
        "out",
        "--epochs",
        "1",
        "--games",
        "2",
        "--depth",
        "1",
        "--check-games",
        "0",
        "--no-progress",
    ];
    let made = env();
    assert_eq!(code(&made.run(&words)), 0);
    for name in made.files().iter().filter(|name| name.starts_with("out/")) {
        let env = env();
        let (folder, file) = name.rsplit_once('/').unwrap();
        let temporary = format!("{folder}/.{file}.tmp");
        put(&env, "link", &temporary);
        let output = env.run(&[&words[..], &["--force"]].concat());
        assert_eq!(
            std::fs::read(env.path("victim")).unwrap(),
            b"precious",
            "{name}"
        );
        assert_eq!(code(&output), 1, "{name}: {}", stderr(&output));
    }
}
