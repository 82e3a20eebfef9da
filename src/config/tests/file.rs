//! Files as such: order of faults, broken TOML, what is no text.

use super::*;
use std::fmt::Write as _;

#[test]
fn all_faults_of_a_file_are_reported_in_its_order() {
    let text = with(GOOD, "", "phases", "phases = \"0..70\"");
    let text = with(&text, "", "seed", "seed = -1");
    let text = with(&text, "self_play.ai", "timeout", "timeout = 5");
    let text = with(&text, "window", "size", "size = 0\nlength = 5");
    let message = dataset(&text).unwrap_err();
    let lines: Vec<&str> = message.lines().collect();
    assert_eq!(lines.len(), 5, "{message}");
    for (line, key) in lines.iter().zip([
        "`phases`",
        "`seed`",
        "`self_play.ai.timeout`",
        "`window.size`",
        "`window.length`",
    ]) {
        assert!(line.contains(key), "{line}");
    }
}

#[test]
fn broken_toml_names_line_and_column() {
    let cases = [
        ("mode = \"normal\"\nphases = \n", "file.toml:2:"),
        ("mode = \"normal\nphases = 1", "file.toml:1:"),
        (
            "mode = \"a\"\nmode = \"b\"",
            "file.toml:2:1: is not valid TOML: duplicate key",
        ),
        ("[split\ntrain = 1", "file.toml:1:"),
        ("mode == 1", "file.toml:1:"),
        ("\u{7f}ELF", "file.toml:1:"),
    ];
    for (text, words) in cases {
        let message = dataset(text).unwrap_err();
        assert!(message.contains(words), "{text:?}: {message}");
        assert!(message.contains("is not valid TOML"), "{message}");
        assert!(
            !message.contains("missing"),
            "no faults that merely follow: {message}"
        );
        assert!(message.lines().count() <= 5, "{message}");
    }
}

#[test]
fn files_that_are_no_text_are_refused() {
    let mut long = String::new();
    while long.len() <= 1 << 20 {
        writeln!(long, "# {}", "x".repeat(1000)).unwrap();
    }
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (b"".to_vec(), "is empty"),
        (b" \n\t\r\n".to_vec(), "is empty"),
        (b"\xef\xbb\xbf".to_vec(), "is empty"),
        (
            b"mode = 1\n# \xff\xfe".to_vec(),
            "not UTF-8 text: byte 0xff in line 2",
        ),
        (b"RDGBBVAL1\n\x00\x01\x80\xff".to_vec(), "not UTF-8"),
        (b"\xff\xfem\x00o\x00d\x00e\x00".to_vec(), "UTF-16"),
        (long.into_bytes(), "larger than 1 MiB"),
    ];
    for (bytes, words) in cases {
        assert_one_fault(dataset(&bytes), &[words], words);
        assert_one_fault(app(&bytes), &[words], words);
    }
    let with_mark = [b"\xef\xbb\xbf", GOOD.as_bytes()].concat();
    dataset(with_mark).unwrap();
    dataset(GOOD.replace('\n', "\r\n")).unwrap();
}

#[test]
fn files_that_cannot_be_read_are_named_with_the_option() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("none.toml");
    let message = load_dataset(&missing).unwrap_err().to_string();
    assert!(
        message.contains("none.toml: cannot be read: No such file"),
        "{message}"
    );
    assert!(message.contains("--config"), "{message}");
    let message = load_app(&missing, &crate::engine::KINDS)
        .unwrap_err()
        .to_string();
    assert!(message.contains("--app-config"), "{message}");
    let message = load_app(folder.path(), &crate::engine::KINDS)
        .unwrap_err()
        .to_string();
    assert!(message.contains("is a folder"), "{message}");
}
