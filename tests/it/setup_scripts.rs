//! The set-up scripts against made-up upstreams in local repositories: what they put into place,
//! what they leave alone, and that a failure leaves nothing.
#![cfg(unix)]

use crate::common::{Env, code, stderr};
use std::path::Path;
use std::process::{Command, Output};

const EDAX_PROGRAM: &str = "edax-reversi/bin/lEdax-x86-64-v3";

/// Builds a program that answers as Edax does when it has started.
const EDAX_MAKEFILE: &str = r#"build:
	printf '%s\n' '#!/bin/sh' 'while read -r word n; do' \
	    'case $$word in ping) echo "pong $$n";; quit) exit 0;; esac; done' > ../bin/lEdax-$(ARCH)
	chmod +x ../bin/lEdax-$(ARCH)
"#;

const EGAROUCID_COMPILER: &str = r#"#!/bin/sh
while [ $# -gt 0 ]; do [ "$1" = -o ] && out=$2; shift; done
printf '%s\n' '#!/bin/sh' 'read -r line; echo "= Egaroucid"' > "$out"
chmod +x "$out"
"#;

fn sh(folder: &Path, script: &str) -> String {
    let output = Command::new("bash")
        .args(["-euc", script])
        .current_dir(folder)
        .output()
        .expect("bash is there");
    assert!(output.status.success(), "{script}: {}", stderr(&output));
    String::from_utf8(output.stdout)
        .expect("text")
        .trim()
        .to_owned()
}

/// Makes a repository of everything in `folder` and gives its revision.
fn commit(folder: &Path) -> String {
    sh(
        folder,
        "git init -q; git add -A; \
         git -c user.name=x -c user.email=x@example.org commit -qm upstream; git rev-parse HEAD",
    )
}

struct Upstream {
    env: Env,
    revision: String,
    archive_sum: String,
    eval_sum: String,
}

impl Upstream {
    fn edax(makefile: &str) -> Upstream {
        let env = Env::new();
        env.write("upstream/src/Makefile", makefile);
        env.write("archive/data/eval.dat", "weights");
        let revision = commit(&env.path("upstream"));
        sh(
            &env.path("archive"),
            "tar -czf ../data.tar.gz data/eval.dat",
        );
        let sum = |file: &str| sh(&env.path(""), &format!("sha256sum {file} | cut -d' ' -f1"));
        let (archive_sum, eval_sum) = (sum("data.tar.gz"), sum("archive/data/eval.dat"));
        Upstream {
            env,
            revision,
            archive_sum,
            eval_sum,
        }
    }

    fn command(&self, script: &str) -> Command {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("scripts")
            .join(script);
        let mut command = Command::new("bash");
        let url = |name: &str| format!("file://{}", self.env.path(name).display());
        command
            .arg(path)
            .env("RDG_THIRD_PARTY", self.env.path("third_party"))
            .env("RDG_EDAX_REPOSITORY", url("upstream"))
            .env("RDG_EDAX_REVISION", &self.revision)
            .env("RDG_EDAX_DATA_URL", url("data.tar.gz"))
            .env("RDG_EDAX_DATA_SHA256", &self.archive_sum)
            .env("RDG_EDAX_EVAL_SHA256", &self.eval_sum)
            .env("CC", "true");
        command
    }

    fn run(&self) -> Output {
        self.command("setup-edax.sh")
            .output()
            .expect("bash is there")
    }

    /// What lies in third_party, hidden files too.
    fn installed(&self) -> Vec<String> {
        match std::fs::read_dir(self.env.path("third_party")) {
            Err(_) => Vec::new(),
            Ok(entries) => entries
                .map(|entry| {
                    entry
                        .expect("readable")
                        .file_name()
                        .into_string()
                        .expect("text")
                })
                .collect(),
        }
    }
}

/// The tools of the scripts themselves; a system without them cannot set engines up either.
fn tools_are_there() -> bool {
    let tools = ["bash", "git", "make", "tar", "curl", "sha256sum", "timeout"];
    let missing = tools.iter().find(|tool| {
        let found = Command::new("sh")
            .args(["-c", &format!("command -v {tool}")])
            .output();
        !found.is_ok_and(|output| output.status.success())
    });
    if let Some(tool) = missing {
        eprintln!("skipped: {tool} is not installed");
    }
    missing.is_none() && cfg!(target_os = "linux")
}

#[test]
fn edax_is_put_into_place_once() {
    if !tools_are_there() {
        return;
    }
    let upstream = Upstream::edax(EDAX_MAKEFILE);
    // What a killed set-up left behind.
    upstream
        .env
        .write("third_party/.edax-reversi.a1B2c3/half", "made");
    let output = upstream.run();
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let last = stderr(&output).lines().last().expect("a line").to_owned();
    assert!(last.starts_with("setup-edax: Edax is ready: "), "{last}");
    assert_eq!(upstream.installed(), ["edax-reversi"]);
    let third_party = upstream.env.path("third_party");
    assert!(third_party.join(EDAX_PROGRAM).exists());
    let eval_file = third_party.join("edax-reversi/bin/data/eval.dat");
    assert_eq!(std::fs::read(eval_file).expect("readable"), b"weights");

    // Again, without any upstream: nothing is left to be done.
    std::fs::remove_dir_all(upstream.env.path("upstream")).expect("removable");
    let output = upstream.run();
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(stderr(&output).lines().count(), 1, "{}", stderr(&output));
    assert_eq!(upstream.installed(), ["edax-reversi"]);
}

#[test]
fn what_was_in_the_place_before_is_kept() {
    if !tools_are_there() {
        return;
    }
    let upstream = Upstream::edax(EDAX_MAKEFILE);
    upstream
        .env
        .write("third_party/edax-reversi/bin/data/book.dat", "my book");
    let output = upstream.run();
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let old = upstream.installed();
    let old = old
        .iter()
        .find(|name| name.starts_with("edax-reversi.old-"))
        .expect("kept");
    let book = upstream
        .env
        .path("third_party")
        .join(old)
        .join("bin/data/book.dat");
    assert_eq!(std::fs::read(book).expect("readable"), b"my book");
}

#[test]
fn failures_name_the_reason_and_leave_nothing() {
    if !tools_are_there() {
        return;
    }
    type Spoil = fn(&mut Upstream);
    let cases: [(&str, &str, Spoil); 6] = [
        ("no repository", "setup-edax: cannot fetch file://", |up| {
            std::fs::remove_dir_all(up.env.path("upstream")).expect("removable");
        }),
        ("no such revision", "has no revision 0000", |up| {
            up.revision = "0".repeat(40)
        }),
        ("broken build", "cannot be built", |up| {
            up.env
                .write("upstream/src/Makefile", "build:\n\t@echo no rule; exit 3\n");
            up.revision = commit(&up.env.path("upstream"));
        }),
        ("no archive", "cannot download file://", |up| {
            std::fs::remove_file(up.env.path("data.tar.gz")).expect("removable");
        }),
        ("another archive", "instead of 5555", |up| {
            up.archive_sum = "5".repeat(64)
        }),
        ("other weights", "instead of 7777", |up| {
            up.eval_sum = "7".repeat(64)
        }),
    ];
    for (what, reason, spoil) in cases {
        let mut upstream = Upstream::edax(EDAX_MAKEFILE);
        spoil(&mut upstream);
        let output = upstream.run();
        assert_eq!(code(&output), 1, "{what}: {}", stderr(&output));
        let last = stderr(&output).lines().last().expect("a line").to_owned();
        assert!(last.contains(reason), "{what}: {last}");
        assert_eq!(upstream.installed(), [""; 0], "{what}");
    }
    let silent = EDAX_MAKEFILE.replace("echo \"pong", "true \"pong");
    let upstream = Upstream::edax(&silent);
    let output = upstream.run();
    assert!(
        stderr(&output).contains("does not answer"),
        "{}",
        stderr(&output)
    );
    assert_eq!(upstream.installed(), [""; 0]);
}

#[test]
fn a_missing_tool_is_named_with_what_it_is_for() {
    if !tools_are_there() {
        return;
    }
    let upstream = Upstream::edax(EDAX_MAKEFILE);
    let bin = upstream.env.path("bin");
    std::fs::create_dir(&bin).expect("can be made");
    for tool in ["bash", "dirname", "uname", "mkdir", "mktemp", "rm"] {
        sh(&bin, &format!("ln -s \"$(command -v {tool})\" {tool}"));
    }
    let output = upstream
        .command("setup-edax.sh")
        .env("PATH", &bin)
        .output()
        .expect("bash is there");
    assert_eq!(code(&output), 1);
    assert!(
        stderr(&output).contains("git is missing, needed to fetch"),
        "{}",
        stderr(&output)
    );
    assert_eq!(upstream.installed(), [""; 0]);
}

#[test]
fn egaroucid_is_put_into_place_once() {
    if !tools_are_there() {
        return;
    }
    let env = Env::new();
    for file in [
        "src/Egaroucid_for_Console.cpp",
        "bin/resources/eval.egev2",
        "bin/resources/eval_move_ordering_end.egev",
        "bin/resources/hash/hash25.eghs",
    ] {
        env.write(&format!("upstream/{file}"), "data");
    }
    let revision = commit(&env.path("upstream"));
    let compiler = env.write("tools/fake-c++", EGAROUCID_COMPILER);
    sh(&env.path("tools"), "chmod +x fake-c++");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/setup-egaroucid.sh");
    let run = || {
        Command::new("bash")
            .arg(&script)
            .env("RDG_THIRD_PARTY", env.path("third_party"))
            .env(
                "RDG_EGAROUCID_REPOSITORY",
                format!("file://{}", env.path("upstream").display()),
            )
            .env("RDG_EGAROUCID_REVISION", &revision)
            .env("RDG_SETUP_WITHOUT_CMAKE", "1")
            .env("CXX", &compiler)
            .output()
            .expect("bash is there")
    };
    let output = run();
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(
        env.path("third_party/Egaroucid/bin/Egaroucid_for_Console.out")
            .exists()
    );
    std::fs::remove_dir_all(env.path("upstream")).expect("removable");
    let output = run();
    assert_eq!(stderr(&output).lines().count(), 1, "{}", stderr(&output));
}
