//! app.toml.

use super::*;
use std::time::Duration;

#[test]
fn a_good_app_toml_is_read_as_written() {
    let app = app(GOOD_APP).unwrap();
    assert_eq!(app.setup, SetupPolicy::Missing);
    assert!(app.log.file.as_ref().unwrap().ends_with("logs/rdg.log"));
    assert_eq!((app.log.max_size_mb, app.log.max_files), (100, 5));
    let edax = &app.engines["edax"];
    assert_eq!(edax.kind.name(), "edax");
    let binary = edax.binary.as_ref().unwrap();
    assert!(binary.is_absolute() && binary.ends_with("edax/bin/edax"));
    assert_eq!((edax.level, edax.threads), (Some(5), Some(2)));
    assert_eq!(edax.startup_timeout, Some(Duration::from_secs(60)));
    assert_eq!(edax.args, ["-book-file", "16"]);
    assert_eq!(edax.options["hash_bits"], OptionValue::Integer(16));
    assert_eq!(edax.options["ratio"], OptionValue::Float(0.5));
    assert_eq!(edax.options["fresh"], OptionValue::Bool(true));
    assert_eq!(edax.options["book"], OptionValue::Text("no".to_owned()));
    let OptionValue::Text(file) = &edax.options["config"] else {
        panic!("a text")
    };
    assert!(
        Path::new(file).is_absolute(),
        "names a file, so it is a path: {file}"
    );
    assert_eq!(app.engines["builtin"].binary, None);
}

#[test]
fn each_key_of_app_toml_wrong_in_each_way() {
    for (section, key, value, allowed) in [
        (
            "",
            "setup",
            "\"never\"",
            "\"missing\" or \"always\" or \"off\"",
        ),
        ("", "setup", "true", "\"missing\" or \"always\" or \"off\""),
        ("log", "file", "\"\"", "path of a file"),
        ("log", "file", "5", "path of a file"),
        ("log", "file", "\"..\"", "is a folder"),
        ("log", "max_size_mb", "0", "from 1 to"),
        ("log", "max_size_mb", "-1", "from 1 to"),
        ("log", "max_size_mb", "1.5", "from 1 to"),
        ("log", "max_files", "-1", "from 0 to 1000"),
        ("log", "max_files", "\"5\"", "from 0 to 1000"),
        (
            "engines.edax",
            "kind",
            "\"Edax\"",
            "\"edax\" or \"egaroucid\"",
        ),
        ("engines.edax", "kind", "\"uci\"", "\"nboard\" or \"gtp\""),
        ("engines.edax", "kind", "1", "\"edax\" or"),
        ("engines.edax", "binary", "\"\"", "engine's program"),
        ("engines.edax", "binary", "[\"edax\"]", "engine's program"),
        ("engines.edax", "binary", "\"a\\u0000\"", "engine's program"),
        ("engines.edax", "eval_file", "\" \"", "path of a file"),
        ("engines.edax", "eval_file", "false", "path of a file"),
        ("engines.edax", "level", "-1", "from 0 to 1000"),
        ("engines.edax", "threads", "0", "from 1 to 1024"),
        ("engines.edax", "timeout", "20", "duration above 0"),
        (
            "engines.edax",
            "startup_timeout",
            "\"0ms\"",
            "duration above 0",
        ),
        ("engines.edax", "args", "\"-h 16\"", "array of texts"),
        ("engines.edax", "args", "[16]", "array of texts"),
        ("engines.edax", "args", "[[\"a\"]]", "array of texts"),
        ("engines.edax", "args", "[\"\\u0000\"]", "array of texts"),
        (
            "engines.edax.options",
            "hash_bits",
            "[16]",
            "a number or a text",
        ),
        (
            "engines.edax.options",
            "hash_bits",
            "{ a = 1 }",
            "a number or a text",
        ),
        (
            "engines.edax.options",
            "hash_bits",
            "99999999999999999999",
            "64 bits",
        ),
        ("engines.edax.options", "ratio", "nan", "finite"),
        ("engines.edax.options", "ratio", "inf", "finite"),
    ] {
        let full = if section.is_empty() {
            key.to_owned()
        } else {
            format!("{section}.{key}")
        };
        let text = with(GOOD_APP, section, key, &format!("{key} = {value}"));
        let start = format!("`{full}` is ");
        assert_one_fault(app(&text), &[&start, allowed], &format!("{full} = {value}"));
    }
}

#[test]
fn entries_of_engines_are_checked_as_a_whole() {
    for (text, words) in [
        ("[engines.x]\nbinary = 'a'", "`engines.x.kind` is missing"),
        ("[engines.x]\nkind = 'gtp'", "`engines.x.binary` is missing"),
        (
            "[engines.x]\nkind = 'builtin'\nbinary = 'a'",
            "`engines.x.binary` must be absent",
        ),
        (
            "[engines.'my engine']\nkind = 'builtin'",
            "engine `my engine` must have a name",
        ),
        (
            "[engines.'']\nkind = 'builtin'",
            "engine `` must have a name",
        ),
        (
            "[engines]\nedax = 'path'",
            "`engines.edax` is \"path\", but must be a table",
        ),
        (
            "[[engines]]\nkind = 'edax'",
            "`engines` is an array, but must be a table",
        ),
        (
            "[engines.x]\nkind = 'builtin'\neval = 'f'",
            "unknown key `engines.x.eval`",
        ),
        (
            "[engines.x]\nkind = 'builtin'\noptions = 5",
            "must be a table",
        ),
        ("[engine.x]\nkind = 'builtin'", "did you mean `engines`?"),
        ("[logs]\nfile = 'x'", "did you mean `log`?"),
        (
            "log = 'rdg.log'",
            "`log` is \"rdg.log\", but must be a table",
        ),
    ] {
        assert_one_fault(app(text), &[words], text);
    }
    let empty = app("setup = 'off'").unwrap();
    assert_eq!((empty.log.max_size_mb, empty.log.max_files), (100, 5));
    // The embedded engine is always there.
    let names: Vec<&String> = empty.engines.keys().collect();
    assert_eq!(names, ["builtin"]);
    assert!(empty.log.file.is_none());
}
