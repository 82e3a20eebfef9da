//! Making a bad engine, and looking for processes that it leaves.

use super::engine;
use crate::common::Env;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// To be called by a test named `act_as_engine`: the test program, run by the program under test,
/// is the engine.
pub fn act_as_engine() {
    if let (Some(fault), Some(state)) = (
        std::env::var_os(engine::FAULT),
        std::env::var_os(engine::STATE),
    ) {
        engine::run(&fault.to_string_lossy(), state.as_ref());
    }
}

/// Makes an engine with this fault and gives its entry in app.toml.
pub fn bad_engine(env: &Env, fault: &str, kind: &str) -> String {
    let own = std::env::current_exe().unwrap();
    let state = env.path("state");
    std::fs::create_dir_all(&state).unwrap();
    executable(
        env,
        "bad",
        format!(
            "#!/bin/sh\n{}='{fault}' {}='{}' exec '{}' --exact bad_engines::act_as_engine --nocapture -q\n",
            engine::FAULT,
            engine::STATE,
            state.display(),
            own.display()
        ),
    );
    // Over GTP nothing but the command line could tell it a level.
    let args = match kind {
        "gtp" => "[\"{level}\"]",
        _ => "[]",
    };
    format!("kind = \"{kind}\"\nbinary = \"../bad\"\nargs = {args}\nstartup_timeout = \"60s\"")
}

/// Writes a file that may be executed.
pub fn executable(env: &Env, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = env.write(name, content);
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    path
}

/// The beginning of a program for a machine that nobody has.
pub fn foreign_program() -> Vec<u8> {
    let mut elf = vec![0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    elf.extend([2, 0, 0xf0, 0xff]);
    elf.resize(4096, 0);
    elf
}

/// Processes that an engine's run has left its numbers of.
pub fn processes(env: &Env) -> Vec<u32> {
    let list = std::fs::read_to_string(env.path("state/processes")).unwrap_or_default();
    list.lines().map(|id| id.parse().unwrap()).collect()
}

fn is_alive(id: u32) -> bool {
    // `pid (name) state …`; a zombie has ended.
    std::fs::read_to_string(format!("/proc/{id}/stat"))
        .is_ok_and(|stat| !stat.rsplit(") ").next().unwrap_or("").starts_with('Z'))
}

pub fn assert_no_process_is_left(env: &Env, context: &str) {
    // What an engine forked is reaped by its adopter, a moment after it was killed.
    let until = Instant::now() + Duration::from_secs(20);
    for id in processes(env) {
        while is_alive(id) {
            assert!(Instant::now() < until, "process {id} is left; {context}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
