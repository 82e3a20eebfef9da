//! What every test of the program needs: a folder of its own and the program run in it.

pub mod by_hand;
pub mod dataset;
pub mod engines;
pub mod own_process;
pub mod sample;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A temporary folder, removed with everything in it at the end of the test.
pub struct Env {
    folder: tempfile::TempDir,
}

impl Env {
    pub fn new() -> Env {
        // Whoever started the tests may ignore Ctrl+C, as shells do in the background; what the tests
        // start would too, and rightly.
        // SAFETY: it changes nothing but what the process does on this signal.
        unsafe { libc::signal(libc::SIGINT, libc::SIG_DFL) };
        let folder = tempfile::tempdir().expect("the system has a temporary folder");
        Env { folder }
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file, its folders too, and gives its path.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        let parent = path.parent().expect("a file lies in a folder");
        std::fs::create_dir_all(parent).expect("the folder can be made");
        std::fs::write(&path, content).expect("the file can be written");
        path
    }

    /// Every path below the folder, sorted, relative to it.
    pub fn files(&self) -> Vec<String> {
        fn walk(folder: &Path, top: &Path, found: &mut Vec<String>) {
            for entry in std::fs::read_dir(folder).expect("the folder can be read") {
                let path = entry.expect("the entry can be read").path();
                let name = path.strip_prefix(top).expect("it lies below the top");
                found.push(name.display().to_string());
                if path.is_dir() && !path.is_symlink() {
                    walk(&path, top, found);
                }
            }
        }
        let mut found = Vec::new();
        walk(self.folder.path(), self.folder.path(), &mut found);
        found.sort();
        found
    }

    /// The program, to be run in the folder, without a terminal and with a plain environment.
    pub fn rdg(&self) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("rdg"));
        command
            .current_dir(self.folder.path())
            // Whoever runs the tests may have a configuration of their own.
            .env("XDG_CONFIG_HOME", self.folder.path().join(".config"))
            .env_remove("RUST_LOG")
            .env_remove("NO_COLOR")
            .env_remove("RUST_BACKTRACE")
            .stdin(Stdio::null());
        command
    }

    /// Runs the program with these words.
    pub fn run(&self, args: &[&str]) -> Output {
        self.rdg()
            .args(args)
            .output()
            .expect("the program can be started")
    }

    /// The same, with `input` typed into its standard input, which ends then.
    pub fn run_with_input(&self, args: &[&str], input: &str) -> Output {
        let mut child = self
            .rdg()
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program can be started");
        let mut stdin = child.stdin.take().expect("it is a pipe");
        // It may end before it has read all; that is its right.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        child.wait_with_output().expect("it ends")
    }
}

/// The exit code, or -1 for an end by a signal.
pub fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

/// What it said on stderr.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What it said on stdout.
pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}
