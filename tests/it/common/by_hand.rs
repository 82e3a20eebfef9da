//! Records written byte by byte from the format's description, and what nobody can read.

use super::Env;
use std::path::{Path, PathBuf};

/// Discs of the side to move, of the opponent, value.
pub type Row = (u64, u64, i16);

/// A set of squares by their names.
pub fn squares(names: &str) -> u64 {
    let square = |name: &[u8]| u64::from(name[0] - b'a') + 8 * u64::from(name[1] - b'1');
    names
        .split(' ')
        .map(|name| 1 << square(name.as_bytes()))
        .fold(0, |set, bit| set | bit)
}

/// After f5: White, to move, keeps d4.
pub fn after_f5(value: i16) -> Row {
    (squares("d4"), squares("e4 d5 e5 f5"), value)
}

/// Nine moves, and White has no disc left: the shortest game.
pub fn over(value: i16) -> Row {
    let white_to_move = 0;
    let black = squares("e3 d4 e4 f4 c5 d5 e5 f5 g5 d6 e6 f6 e7");
    (white_to_move, black, value)
}

/// The side to move looks along full lines only, while the other side can take c4 from b4.
pub fn pass(value: i16) -> Row {
    let opponent = squares("d4 e4 f4 g4 h4 d5 e5 e6 f7 g8");
    (squares("c4"), opponent, value)
}

/// The bytes of a file.
pub fn file(rows: &[Row]) -> Vec<u8> {
    let mut bytes = b"RDGBBVAL1\n".to_vec();
    for (own, opponent, value) in rows {
        bytes.extend(own.to_le_bytes());
        bytes.extend(opponent.to_le_bytes());
        bytes.extend(value.to_le_bytes());
    }
    bytes
}

/// Paths that hold nothing to read, in every way that comes to mind, with a word of what is to be
/// said about each.
pub fn hopeless(env: &Env) -> Vec<(PathBuf, &'static str)> {
    use std::os::unix::fs::symlink;
    let junk: Vec<u8> = (0..10_000_u32).map(|i| ((i * i) >> 5) as u8).collect();
    std::fs::create_dir_all(env.path("bare/phase_10")).unwrap();
    std::fs::create_dir_all(env.path("folder.rd")).unwrap();
    env.write("text/readme.txt", "nothing here");
    symlink(env.path("loop.rd"), env.path("loop.rd")).unwrap();
    symlink(env.path("gone"), env.path("dangling.rd")).unwrap();
    let pipe = env.path("pipe.rd");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RWXU).unwrap();
    let mut found = vec![
        (env.path("missing.rd"), "does not exist"),
        (env.path("missing/phase_10"), "does not exist"),
        (env.write("empty.rd", ""), "does not begin with RDGBBVAL1"),
        (
            env.write("short.rd", "RDGBB"),
            "does not begin with RDGBBVAL1",
        ),
        (env.write("junk.rd", junk), "does not begin with RDGBBVAL1"),
        (env.path("bare"), "holds neither .rd files nor phase_NN"),
        (
            env.path("bare/phase_10"),
            "holds neither .rd files nor phase_NN",
        ),
        (
            env.path("folder.rd"),
            "holds neither .rd files nor phase_NN",
        ),
        (env.path("text"), "holds neither .rd files nor phase_NN"),
        (
            env.path("text/readme.txt/x"),
            "a file stands where a folder should be",
        ),
        (env.path("loop.rd"), "cannot read"),
        (env.path("dangling.rd"), "does not exist"),
        (pipe, "it is not a regular file"),
        (PathBuf::from("/dev/null"), "it is not a regular file"),
        (PathBuf::from("/dev/zero"), "it is not a regular file"),
    ];
    found.extend(unreadable(env).map(|path| (path, "give this user the right to it")));
    found
}

/// A file that may not be read; `None` for users whom nothing is forbidden.
pub fn unreadable(env: &Env) -> Option<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    let path = env.write("secret.rd", file(&[after_f5(0)]));
    let nobody = std::fs::Permissions::from_mode(0o000);
    std::fs::set_permissions(&path, nobody).unwrap();
    std::fs::File::open(&path).is_err().then_some(path)
}

/// A name that is no text.
pub fn no_text(env: &Env) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9_\x1b[2J.rd");
    env.path("x").with_file_name(name)
}

/// Runs the program with a standard output that nobody reads.
pub fn unread(env: &Env, args: &[&str], path: &Path) -> std::process::Output {
    use std::process::Stdio;
    let mut child = env
        .rdg()
        .args(args)
        .arg(path)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    child.wait_with_output().unwrap()
}
