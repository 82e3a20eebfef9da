//! Text from elsewhere (names of files, what files hold, what engines say, what is typed) steers
//! no terminal and breaks no line, whatever command shows it.

use crate::common::Env;
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

/// What a hostile name has in its middle.
const UNSEEN: [&[u8]; 2] = ["\x1b[2J\r\x07\n\u{202e}".as_bytes(), b"\xff\n"];

/// No line may begin with what stands behind it.
const REST: &str = "BROKEN";

/// Puts the hostile text in for `@`.
fn filled(template: &str, name: &[u8]) -> OsString {
    let parts: Vec<&[u8]> = template.split('@').map(str::as_bytes).collect();
    OsString::from_vec(parts.join(name))
}

/// Files whose names and contents are hostile.
fn env(name: &[u8]) -> Env {
    let env = Env::new();
    // As a text of JSON and TOML, which cannot hold all bytes.
    let quoted = serde_json::to_string(&String::from_utf8_lossy(name)).unwrap();
    let raw = |template: &str| filled(template, name).into_vec();
    let text = |template: &str| template.replace('@', &quoted).into_bytes();
    let dataset = |ai: &str, phases: &str| {
        format!(
            "mode = \"normal\"\noutput_dir = \"out\"\nphases = {phases}\nsamples_per_phase = 3\n\
             seed = 7\n[self_play]\nworkers = 1\n[self_play.ai]\nname = {ai}\nlevel = 1\n"
        )
    };
    let liar = |kind: &str| {
        format!(
            "setup = \"off\"\n[engines.liar]\nkind = \"{kind}\"\nbinary = \"liar.sh\"\n\
             startup_timeout = \"300ms\"\ntimeout = \"300ms\"\n[engines.builtin]\nkind = \"builtin\"\n"
        )
    };
    let files: Vec<(&str, Vec<u8>)> = vec![
        ("@.toml", b"mode = 7\n\"a b\" = 3\n".to_vec()),
        ("odd.toml", text(&format!("@ = 3\n{}", dataset("@", "@")))),
        ("good.toml", dataset("\"liar\"", "\"55\"").into_bytes()),
        (
            "odd-app.toml",
            text("setup = \"off\"\n[engines.@]\nkind = @\n"),
        ),
        (
            "gone-app.toml",
            text("setup = \"off\"\n[engines.liar]\nkind = \"gtp\"\nbinary = @\n"),
        ),
        ("nboard.toml", liar("nboard").into_bytes()),
        ("gtp.toml", liar("gtp").into_bytes()),
        ("edax.toml", liar("edax").into_bytes()),
        (
            "liar.sh",
            raw("#!/bin/sh\nprintf '%s' '@' >&2\nwhile read x; do printf '%s\\n' '=== @'; done\n"),
        ),
        ("@.rd", b"RDGBBVAL1\nxxxxxxxxxxxxxxxxx".to_vec()),
        ("@.bin", raw("@@@@")),
        ("@.txt", raw("@\n")),
        ("games.txt", raw("e6f4e3f6g5d6e7f5c5\n@\nf5f5@\n")),
        ("@-good.txt", b"e6f4e3f6g5d6e7f5c5\n".to_vec()),
        (
            "g.ggf",
            raw("(;GM[Othello]PB[@]PW[@]RE[@]TY[8@]BO[8 --@*]B[F5]W[@];)\n"),
        ),
        (
            "g.pgn",
            raw("[Event \"@\"]\n[White \"@\"]\n[FEN \"@\"]\n\n1. f5 @ d6 *\n\n"),
        ),
        ("g.csv", raw("moves,score\n\"@\",\"@\"\n")),
        (
            "g.jsonl",
            text("{\"moves\": @, \"black\": @}\n{\"moves\": \"f5d6\", @: 2}\n"),
        ),
        ("g.sgf", raw("(;GM[@]FF[4]PB[@]SZ[@];B[f5];W[@])\n")),
        ("ds/phase_10/train.rd", b"RDGBBVAL1\n".to_vec()),
        (
            "ds/phase_10/metadata.json",
            text("{\"schema\": @, \"engine\": {\"name\": @}}"),
        ),
        ("ds/phase_10/run_state.json", text("{\"schema\": @}")),
        ("d@/phase_10/train.rd", b"RDGBBVAL1\n".to_vec()),
        ("openings.txt", raw("@\nf5@\n")),
        ("odd.json", text("{\"schema\": @}")),
    ];
    for (path, content) in files {
        let path = env.path("").join(filled(path, name));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    std::fs::create_dir(env.path("").join(filled("folder@", name))).unwrap();
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(env.path("liar.sh"), executable).unwrap();
    env
}

/// Commands, and what is typed into them.
const TYPED: [(&str, &str); 4] = [
    ("analyze -", "@\n"),
    ("play --no-color", "@\nlevel @\nf5 @\nquit\n"),
    (
        "engine nboard",
        "@\nset game @\nmove @\nset depth @\nhint @\nping @\nquit\n",
    ),
    (
        "engine gtp",
        "@\nplay @ @\nboardsize @\nrdg-setup_board @\nquit\n",
    ),
];

const COMMANDS: &[&str] = &[
    "@",
    "--@",
    "generate @",
    "--progress-interval @",
    "--config @",
    "--config @.toml",
    "--config odd.toml",
    "--config good.toml --app-config @",
    "--config good.toml --app-config odd-app.toml",
    "--config good.toml --app-config gone-app.toml",
    "--config good.toml --app-config gtp.toml --log-file @.rd/x",
    "--dry-run --config good.toml --app-config gone-app.toml",
    "--config good.toml --app-config nboard.toml --no-progress",
    "--config good.toml --app-config gtp.toml --no-progress",
    "--config good.toml --app-config edax.toml --no-progress",
    "import @ -o none",
    "import games.txt -o i1 --no-progress",
    "import games.txt -o i2 --no-progress --strict",
    "import g.ggf -o i3",
    "import g.pgn -o i4",
    "import g.csv -o i5",
    "import g.jsonl -o i6",
    "import g.sgf -o i7",
    "import g.ggf -o i8 --strict",
    "import g.pgn -o i9 --strict",
    "import g.csv -o i10 --strict",
    "import g.jsonl -o i11 --strict",
    "import g.sgf -o i12 --strict",
    "import @-good.txt -o out@",
    "import @-good.txt -o out@",
    "import folder@ -o i13",
    "import @.rd @-good.txt -o i14 --player @ --year @",
    "import @.bin @-good.txt -o i15",
    "export @ --format csv -o e1",
    "export @.rd --format @ -o e1",
    "export @.rd --format csv -o e2",
    "export d@ --format csv -o e3@",
    "export ds --format csv -o e4",
    "analyze @",
    "analyze f5@",
    "analyze --file @",
    "analyze --file @.rd",
    "analyze --weights @",
    "analyze --weights @.bin",
    "analyze --engine @",
    "analyze --engine liar --app-config gtp.toml",
    "analyze --engine liar --app-config nboard.toml",
    "merge @ @2 --output m1",
    "merge d@ ds --output m2@",
    "merge d@ d@ --output m3",
    "label @ --exact --output l1",
    "label d@ --exact --output l2@",
    "label ds --exact --output l3",
    "label ds --exact --output l3 --score-rule @",
    "learn --output @.rd",
    "learn --initial @ --output w1",
    "learn --initial @.bin --output w1",
    "learn --quick --games 1 --epochs 1 --depth 1 --check-games 0 --output w2@",
    "learn --output w2@",
    "bootstrap --output @.rd",
    "bootstrap --start @ --output b1",
    "bootstrap --start @.bin --output b1",
    "fit @ --output f1",
    "fit @.rd --output f1",
    "fit d@ --output f2@",
    "fit d@ --patterns @.txt --output f3",
    "fit d@ --start @.bin --output f3",
    "match @:1 builtin:1",
    "match @.bin builtin:1",
    "match builtin:@ builtin:1",
    "match builtin:1 builtin:1 --openings @",
    "match builtin:1 builtin:1 --openings openings.txt",
    "match builtin:1 builtin:1 --games 2 --save folder@/x.pgn",
    "match liar:1 builtin:1 --games 2 --app-config gtp.toml",
    "play --black @",
    "play --moves @",
    "play --position @",
    "play --weights @",
    "play --save folder@",
    "play --black liar --white builtin --app-config gtp.toml",
    "engine @",
    "engine nboard --eval @",
    "doctor @",
    "doctor --config @",
    "doctor --config odd.toml --app-config odd-app.toml",
    "doctor liar --app-config gone-app.toml",
    "doctor liar --app-config gtp.toml --time 1s",
    "inspect @",
    "inspect @.rd",
    "inspect d@",
    "inspect ds",
    "inspect out@",
    "report @",
    "report d@ --output @",
    "report ds",
    "report d@ --compare odd.json",
    "report d@ --output @.html",
    "overlap @",
    "overlap @.rd @.rd",
    "overlap d@ out@",
    "verify @",
    "verify @.rd",
    "verify d@",
    "verify ds",
    "verify out@ ds d@",
    "completions @",
    "man @",
    "man --all @.rd",
    "bench --ffo @",
    "bench @",
    "bench --labels --write @.rd",
    "init @.rd",
    "init new@",
];

/// The bytes that a terminal would obey, and lines that are the rest of another.
fn broken(said: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(said).into_owned();
    // Where a file of text cannot hold the bytes, what stands for them is in the file already.
    let is_bad = |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202a}'..='\u{202e}');
    let is_torn = |line: &str| line.starts_with(REST) || line.contains(is_bad);
    let mut lines: Vec<String> = text
        .lines()
        .filter(|line| is_torn(line))
        .map(str::to_owned)
        .collect();
    // `lines` takes a return in front of the end of a line away.
    if text.contains('\r') {
        lines.push("a carriage return".to_owned());
    }
    if std::str::from_utf8(said).is_err() {
        lines.push(format!("it is not UTF-8: {text}"));
    }
    lines
}

#[test]
fn no_command_lets_text_from_elsewhere_act() {
    let mut wrong = String::new();
    for unseen in UNSEEN {
        let name = [b"evil", unseen, REST.as_bytes()].concat();
        let env = env(&name);
        let alone = COMMANDS.iter().map(|&words| (words, ""));
        for (words, typed) in alone.chain(TYPED) {
            let mut child = env
                .rdg()
                .args(words.split(' ').map(|word| filled(word, &name)))
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("the program can be started");
            let mut stdin = child.stdin.take().expect("it is a pipe");
            // It may end before it has read all.
            let _ = stdin.write_all(filled(typed, &name).as_bytes());
            drop(stdin);
            let output = child.wait_with_output().expect("it ends");
            let said = [output.stdout, output.stderr].concat();
            for line in broken(&said) {
                wrong += &format!(
                    "rdg {words} with {:?}: {line:?}\n",
                    OsStr::from_bytes(unseen)
                );
            }
            assert!(
                !String::from_utf8_lossy(&said).contains("panicked"),
                "{words}"
            );
        }
    }
    assert_eq!(wrong, "");
}
