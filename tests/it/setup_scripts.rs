//! The set-up scripts against made-up upstreams in local repositories: what they put into place,
//! what they leave alone, and that a failure leaves nothing.
#![cfg(unix)]

use crate::common::{Env, code, stderr};
use std::path::Path;
use std::process::{Command, Output};

const EDAX_PROGRAM: &str = "edax-reversi/bin/lEdax-x86-64-v3";

/// A program that answers as Edax does: it reads ahead while it starts, and a `quit` or `stop` drops
/// the lines that are queued before it. The end of its input does not.
const EDAX: &str = r#"#!/bin/bash
handle() {
    for line in "${queue[@]}"; do
        case $line in "ping "*) echo "pong ${line#ping }" ;; esac
    done
    queue=()
}
queue=()
sleep 0.2
while IFS= read -r line; do
    case $line in
        quit) exit 0 ;;
        stop) queue=() ;;
        *) queue+=("$line") ;;
    esac
    read -r -t 0 || handle
done
handle
"#;

/// Builds the program that lies beside it.
const EDAX_MAKEFILE: &str =
    "build:\n\tcp edax.sh ../bin/lEdax-$(ARCH)\n\tchmod +x ../bin/lEdax-$(ARCH)\n";

/// A program that answers as Egaroucid does, and knows no end of its input.
const EGAROUCID: &str = r#"#!/bin/sh
read -r number line
printf '=%s Egaroucid\n\n' "$number"
while :; do read -r line || { echo '? [ERROR] command not found'; sleep 0.1; }; done
"#;

/// Stands for a compiler whose library declares std::clamp in `<algorithm>` alone, and insists on
/// flags of one's own.
const EGAROUCID_COMPILER: &str = r#"#!/bin/sh
case "$*" in *"-include algorithm"*) ;; *) echo "error: 'clamp' is not a member of 'std'"; exit 1 ;; esac
case "$*" in *-DMINE*-DTWO*) ;; *) echo "error: CXXFLAGS are not there"; exit 1 ;; esac
while [ $# -gt 0 ]; do [ "$1" = -o ] && out=$2; shift; done
cp "$(dirname "$0")/egaroucid.sh" "$out"
chmod +x "$out"
"#;

/// Stands for CMake: notes the flags, and compiles with them.
const CMAKE: &str = r#"#!/bin/sh
here=$(dirname "$0")
case $1 in
    --version) echo "cmake version 3.25.1" ;;
    -S)
        echo "$2" > "$here/source"
        for word; do case $word in -DCMAKE_CXX_FLAGS=*) echo "${word#*=}" > "$here/flags" ;; esac; done ;;
    --build) "$here/fake-c++" $(cat "$here/flags") -o "$(cat "$here/source")/bin/Egaroucid_for_Console.out" ;;
esac
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
        env.write("upstream/src/edax.sh", EDAX);
        env.write("upstream/bin/.keep", "");
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
    let mut upstream = Upstream::edax(EDAX_MAKEFILE);
    upstream.env.write(
        "upstream/src/edax.sh",
        "#!/bin/sh\necho 'Cannot open eval.dat' >&2; exit 1\n",
    );
    upstream.revision = commit(&upstream.env.path("upstream"));
    let output = upstream.run();
    let said = stderr(&output);
    assert!(
        said.contains("does not answer; it said: Cannot open eval.dat; try"),
        "{said}"
    );
    assert_eq!(upstream.installed(), [""; 0]);
}

#[test]
fn an_interruption_leaves_nothing_and_the_next_one_goes_through() {
    use std::os::unix::process::CommandExt;
    if !tools_are_there() {
        return;
    }
    let mut upstream = Upstream::edax(EDAX_MAKEFILE);
    let slow = format!(
        "build:\n\ttouch '{}'; sleep 60\n",
        upstream.env.path("building").display()
    );
    let rest = EDAX_MAKEFILE.strip_prefix("build:\n").expect("its rule");
    upstream
        .env
        .write("upstream/src/Makefile", format!("{slow}{rest}"));
    upstream.revision = commit(&upstream.env.path("upstream"));
    let mut command = upstream.command("setup-edax.sh");
    let mut child = command
        .process_group(0)
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("bash is there");
    while !upstream.env.path("building").exists() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let group = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process_group(group, rustix::process::Signal::TERM)
        .expect("it is running");
    let status = child.wait().expect("it ends");
    assert_eq!(status.code(), Some(143), "{status}");
    assert_eq!(upstream.installed(), [""; 0]);

    upstream.env.write("upstream/src/Makefile", EDAX_MAKEFILE);
    upstream.revision = commit(&upstream.env.path("upstream"));
    let output = upstream.run();
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(upstream.installed(), ["edax-reversi"]);
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

/// An upstream of Egaroucid with this as its source, and the tools to build it.
fn egaroucid(source: &str) -> (Env, String) {
    let env = Env::new();
    for file in [
        "bin/resources/eval.egev2",
        "bin/resources/eval_move_ordering_end.egev",
        "bin/resources/hash/hash25.eghs",
    ] {
        env.write(&format!("upstream/{file}"), "data");
    }
    env.write("upstream/src/Egaroucid_for_Console.cpp", source);
    let revision = commit(&env.path("upstream"));
    env.write("tools/fake-c++", EGAROUCID_COMPILER);
    env.write("tools/cmake", CMAKE);
    env.write("tools/egaroucid.sh", EGAROUCID);
    sh(&env.path("tools"), "chmod +x *");
    (env, revision)
}

fn set_up_egaroucid(env: &Env, revision: &str) -> Command {
    let mut command = Command::new("bash");
    let repository = format!("file://{}", env.path("upstream").display());
    command
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/setup-egaroucid.sh"))
        .env("RDG_THIRD_PARTY", env.path("third_party"))
        .env("RDG_EGAROUCID_REPOSITORY", repository)
        .env("RDG_EGAROUCID_REVISION", revision);
    command
}

#[test]
fn egaroucid_is_put_into_place_once_with_and_without_cmake() {
    if !tools_are_there() {
        return;
    }
    for way in ["", "1"] {
        let (env, revision) = egaroucid("source");
        let path = std::env::var("PATH").unwrap_or_default();
        let run = || {
            set_up_egaroucid(&env, &revision)
                .env("PATH", format!("{}:{path}", env.path("tools").display()))
                .env("RDG_SETUP_WITHOUT_CMAKE", way)
                .env("CXX", env.path("tools/fake-c++"))
                .env("CXXFLAGS", "-DMINE -DTWO=2")
                .output()
                .expect("bash is there")
        };
        let output = run();
        assert_eq!(code(&output), 0, "{way}: {}", stderr(&output));
        assert_eq!(env.path("tools/flags").exists(), way.is_empty());
        assert!(
            env.path("third_party/Egaroucid/bin/Egaroucid_for_Console.out")
                .exists()
        );
        std::fs::remove_dir_all(env.path("upstream")).expect("removable");
        let output = run();
        assert_eq!(stderr(&output).lines().count(), 1, "{}", stderr(&output));
    }
}

/// With whatever compiler is there: the header that the upstream forgets is added.
#[test]
fn a_source_that_forgets_a_header_is_compiled() {
    let has_compiler = Command::new("g++").arg("--version").output().is_ok();
    if !tools_are_there() || !has_compiler {
        eprintln!("skipped: g++ is not installed");
        return;
    }
    let (env, revision) = egaroucid(
        "#include <cstdio>\nint main() { return std::puts(\"=1 Egaroucid\") * std::clamp(3, 0, 0); }\n",
    );
    let output = set_up_egaroucid(&env, &revision)
        .env("RDG_SETUP_WITHOUT_CMAKE", "1")
        .env("CXX", "g++")
        .output()
        .expect("bash is there");
    assert_eq!(code(&output), 0, "{}", stderr(&output));
}
