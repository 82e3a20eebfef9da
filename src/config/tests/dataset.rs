//! config.toml.

use super::*;
use crate::board::ScoreRule;
use std::time::Duration;

#[test]
fn a_good_file_is_read_as_written() {
    let config = dataset(GOOD).unwrap();
    assert_eq!(config.mode, Mode::Normal);
    assert!(config.output_dir.ends_with("datasets/x"));
    assert_eq!(config.phases, Vec::from_iter(10..=60));
    assert_eq!(config.samples_per_phase, 1000);
    assert_eq!(config.seed, Some(42));
    assert_eq!(config.score_rule, ScoreRule::WinnerTakesEmpties);
    assert_eq!(config.split, SplitRatios::default());
    assert_eq!(config.split_by, Some(SplitBy::Position));
    assert_eq!(config.self_play.solve_from, 12);
    assert_eq!(config.playout.ai_probability, 0.0);
    assert_eq!(config.playout.max_attempts_multiplier, 100);
    assert_eq!(config.playout.ai, None, "not needed, so not asked for");
    assert_eq!(config.self_play.workers, 8);
    assert_eq!(config.self_play.retries, 3);
    assert_eq!(config.self_play.affinity, Affinity::On);
    assert_eq!(config.self_play.ai.timeout, Some(Duration::from_secs(300)));
    assert_eq!(config.window, Some(WindowConfig { size: 10 }));
    assert_eq!(config.sha256.len(), 64);
}

#[test]
fn what_may_be_absent_has_the_documented_default() {
    let config = dataset(
        "output_dir = 'x'\nphases = '30'\nsamples_per_phase = 5\n\
         [self_play.ai]\nname = 'builtin'",
    )
    .unwrap();
    assert_eq!(config.mode, Mode::Normal);
    assert_eq!(config.seed, None);
    assert_eq!(
        (config.score_rule, config.split_by),
        (ScoreRule::Plain, None)
    );
    assert_eq!(config.self_play.solve_from, 0);
    assert_eq!(config.split, SplitRatios::default());
    assert_eq!(config.playout.ai_probability, 0.0);
    assert_eq!(config.playout.max_attempts_multiplier, 100);
    assert_eq!(config.self_play.retries, 3);
    assert_eq!(config.self_play.affinity, Affinity::Auto);
    let cpus = std::thread::available_parallelism().unwrap().get();
    assert_eq!(config.self_play.workers, cpus);
    assert_eq!(config.self_play.ai.level, None);
    assert_eq!(config.window, None);
}

#[test]
fn what_decides_the_split_can_be_said_without_the_shares() {
    let config = |split: &str| {
        dataset(format!(
            "output_dir = 'x'\nphases = '30'\nsamples_per_phase = 5\n[split]\n{split}\n\
             [self_play.ai]\nname = 'builtin'"
        ))
    };
    let by_game = config("by = 'game'").unwrap();
    assert_eq!(by_game.split, SplitRatios::default());
    assert_eq!(by_game.split_by, Some(SplitBy::Game));
    // Some of the shares are a slip, with or without it.
    for some in ["by = 'game'\ntrain = 1", ""] {
        let error = config(some).unwrap_err().to_string();
        assert!(error.contains("`split.test` is missing"), "{error}");
    }
}

#[test]
fn all_positions_needs_no_target() {
    let text = with(GOOD, "", "mode", "mode = \"all_positions\"");
    let text = with(&text, "", "samples_per_phase", "");
    let text = with(&text, "", "phases", "phases = \"1..9\"");
    let text = with(&text, "window", "enabled", "enabled = false");
    let config = dataset(&text).unwrap();
    assert_eq!(config.mode, Mode::AllPositions);
    assert_eq!((config.samples_per_phase, config.window), (0, None));
    // A target that is there does no harm, however small the phase.
    let with_target = text.replace("seed = 42", "samples_per_phase = 1000");
    assert_eq!(dataset(with_target).unwrap().samples_per_phase, 0);
}

#[test]
fn each_key_of_config_toml_wrong_in_each_way() {
    let mut cases: Vec<(&str, &str, &str, &str)> = vec![
        ("", "mode", "\"Normal\"", "\"normal\" or \"all_positions\""),
        ("", "mode", "\"\"", "\"normal\" or \"all_positions\""),
        ("", "mode", "1", "\"normal\" or \"all_positions\""),
        ("", "output_dir", "\"\"", "path of a folder"),
        ("", "output_dir", "\"  \"", "path of a folder"),
        ("", "output_dir", "\"a\\u0000b\"", "path of a folder"),
        ("", "output_dir", "5", "path of a folder"),
        ("", "output_dir", "[\"a\"]", "path of a folder"),
        ("", "output_dir", "\"file.toml\"", "is not a folder"),
        ("", "phases", "10", "such as \"10..60\""),
        ("", "phases", "[10, 20]", "such as \"10..60\""),
        ("", "phases", "\"\"", "such as \"10..60\""),
        ("", "phases", "\"60..10\"", "\"10..60\" instead of"),
        ("", "phases", "\"0..10\"", "start position"),
        ("", "phases", "\"10..61\"", "phase 61 does not exist"),
        ("", "phases", "\"10,10\"", "phase 10 is there twice"),
        ("", "samples_per_phase", "0", "from 1 to"),
        ("", "samples_per_phase", "-5", "from 1 to"),
        ("", "samples_per_phase", "1e3", "from 1 to"),
        ("", "samples_per_phase", "inf", "from 1 to"),
        ("", "samples_per_phase", "9223372036854775807", "from 1 to"),
        (
            "",
            "samples_per_phase",
            "99999999999999999999999",
            "from 1 to",
        ),
        ("", "seed", "-1", "from 0 to 18446744073709551615"),
        ("", "seed", "18446744073709551616", "from 0 to"),
        (
            "",
            "score_rule",
            "\"Plain\"",
            "\"plain\" or \"winner_takes_empties\"",
        ),
        (
            "",
            "score_rule",
            "1",
            "\"plain\" or \"winner_takes_empties\"",
        ),
        ("split", "by", "\"games\"", "\"game\" or \"position\""),
        ("split", "by", "true", "\"game\" or \"position\""),
        ("self_play", "solve_from", "25", "from 0 to 24"),
        ("self_play", "solve_from", "-1", "from 0 to 24"),
        ("self_play", "solve_from", "300", "from 0 to 24"),
        ("self_play", "solve_from", "\"12\"", "from 0 to 24"),
        ("self_play", "solve_from", "12.5", "from 0 to 24"),
        ("split", "train", "-0.98", "from 0 to 1"),
        ("split", "train", "1.5", "from 0 to 1"),
        ("split", "valid", "nan", "from 0 to 1"),
        ("split", "valid", "inf", "from 0 to 1"),
        ("split", "test", "-inf", "from 0 to 1"),
        ("split", "test", "\"0.01\"", "from 0 to 1"),
        ("split", "test", "true", "from 0 to 1"),
        ("playout", "ai_probability", "-0.1", "from 0 to 1"),
        ("playout", "ai_probability", "1.1", "from 0 to 1"),
        ("playout", "ai_probability", "2", "from 0 to 1"),
        ("playout", "ai_probability", "nan", "from 0 to 1"),
        ("playout", "ai_probability", "\"half\"", "from 0 to 1"),
        ("playout", "dedupe", "\"none\"", "\"canonical_board\""),
        ("playout", "dedupe", "true", "\"canonical_board\""),
        ("playout", "max_attempts_multiplier", "0", "from 1 to"),
        ("playout", "max_attempts_multiplier", "-1", "from 1 to"),
        (
            "playout",
            "max_attempts_multiplier",
            "9999999999",
            "from 1 to",
        ),
        ("self_play", "workers", "-1", "from 0 to 4096"),
        ("self_play", "workers", "5000", "from 0 to 4096"),
        ("self_play", "retries", "-1", "from 0 to 1000"),
        ("self_play", "retries", "1001", "from 0 to 1000"),
        ("self_play", "affinity", "1", "\"auto\", true or false"),
        (
            "self_play",
            "affinity",
            "\"yes\"",
            "\"auto\", true or false",
        ),
        ("window", "enabled", "\"true\"", "true or false"),
        ("window", "enabled", "1", "true or false"),
        ("window", "size", "0", "from 1 to 60"),
        ("window", "size", "61", "from 1 to 60"),
        ("window", "size", "-1", "from 1 to 60"),
    ];
    for section in ["playout.ai", "self_play.ai"] {
        cases.extend([
            (section, "name", "\"\"", "[A-Za-z0-9_-]+"),
            (section, "name", "\"my engine\"", "[A-Za-z0-9_-]+"),
            (section, "name", "\"../edax\"", "[A-Za-z0-9_-]+"),
            (section, "name", "\"エダックス\"", "[A-Za-z0-9_-]+"),
            (section, "name", "5", "letters, digits"),
            (section, "level", "-1", "from 0 to 1000"),
            (section, "level", "1001", "from 0 to 1000"),
            (section, "threads", "0", "from 1 to 1024"),
            (section, "threads", "-4", "from 1 to 1024"),
            (section, "threads", "100000", "from 1 to 1024"),
            (section, "timeout", "\"0s\"", "duration above 0"),
            (section, "timeout", "\"-5s\"", "duration above 0"),
            (section, "timeout", "\"300\"", "duration above 0"),
            (section, "timeout", "\"soon\"", "duration above 0"),
            (section, "timeout", "\"\"", "duration above 0"),
            (section, "timeout", "300", "duration above 0"),
            (section, "timeout", "\"1d\"", "duration above 0"),
        ]);
    }
    for (section, key) in [
        ("", "samples_per_phase"),
        ("", "seed"),
        ("playout", "max_attempts_multiplier"),
        ("self_play", "workers"),
        ("self_play", "retries"),
        ("self_play.ai", "level"),
        ("playout.ai", "threads"),
        ("window", "size"),
    ] {
        let not_a_number = ["\"5\"", "true", "1.5", "[1]", "{ a = 1 }", "1979-05-27"];
        cases.extend(not_a_number.map(|value| (section, key, value, "a whole number from")));
    }
    for (section, key, value, allowed) in cases {
        let text = with(GOOD, section, key, &format!("{key} = {value}"));
        let line = text
            .lines()
            .position(|line| line == format!("{key} = {value}"));
        let full = if section.is_empty() {
            key.to_owned()
        } else {
            format!("{section}.{key}")
        };
        let place = format!("file.toml:{}: `{full}` is ", line.unwrap() + 1);
        assert_one_fault(
            dataset(&text),
            &[&place, allowed],
            &format!("{full} = {value}"),
        );
    }
}

#[test]
fn missing_keys_are_named() {
    for (section, key, words) in [
        ("", "output_dir", "`output_dir` is missing"),
        ("", "phases", "`phases` is missing"),
        ("", "samples_per_phase", "`samples_per_phase` is missing"),
        ("split", "train", "`split.train` is missing"),
        ("split", "valid", "`split.valid` is missing"),
        ("split", "test", "`split.test` is missing"),
        ("playout.ai", "name", "`playout.ai.name` is missing"),
        ("self_play.ai", "name", "`self_play.ai.name` is missing"),
        ("window", "enabled", "`window.enabled` is missing"),
        ("window", "size", "`window.size` is missing"),
    ] {
        assert_one_fault(dataset(with(GOOD, section, key, "")), &[words], key);
    }
}

#[test]
fn keys_that_contradict_each_other_are_refused() {
    let cases: &[(String, &[&str])] = &[
        (
            with(GOOD, "split", "train", "train = 0.97"),
            &["train = 0.97", "sums to 0.99", "must sum to 1"],
        ),
        (
            with(GOOD, "", "phases", "phases = \"3..6\""),
            &[
                "is 1000",
                "phase 3 has only 14, phase 4 has only 60, phase 5 has only 322;",
            ],
        ),
        (
            with(GOOD, "", "samples_per_phase", "samples_per_phase = 3000000"),
            &["phase 10 has only 2958586"],
        ),
        (
            GOOD.replace("\"normal\"", "\"all_positions\""),
            &["`window.enabled` is true", "all_positions"],
        ),
        (
            with(GOOD, "window", "size", "size = 10\nanchors = [10, 20]"),
            &["`window.anchors`", "`window.size` replaces it"],
        ),
        (
            with(GOOD, "playout", "ai_probability", "ai_probability = 0.5").replace(
                "[playout.ai]\nname = \"edax\"\nlevel = 3\nthreads = 1\ntimeout = \"10s\"\n",
                "",
            ),
            &["`playout.ai` is missing", "ai_probability"],
        ),
        (
            GOOD[..GOOD.find("[self_play.ai]").unwrap()].to_owned(),
            &["`self_play.ai` is missing"],
        ),
    ];
    for (text, words) in cases {
        assert_one_fault(dataset(text), words, text);
    }
    // Just enough is possible.
    let text = with(GOOD, "", "phases", "phases = \"6..9\"");
    dataset(with(
        &text,
        "",
        "samples_per_phase",
        "samples_per_phase = 1773",
    ))
    .unwrap();
    // Decimal shares that sum to 1 up to rounding.
    let text = with(GOOD, "split", "train", "train = 0.7");
    let text = with(&text, "split", "valid", "valid = 0.2");
    dataset(with(&text, "split", "test", "test = 0.1")).unwrap();
    let text = with(GOOD, "split", "train", "train = 1");
    let text = with(&text, "split", "valid", "valid = 0");
    dataset(with(&text, "split", "test", "test = 0.0")).unwrap();
}

#[test]
fn unknown_keys_name_the_nearest_known_one() {
    let cases = [
        (
            "sample_per_phase = 5",
            "`sample_per_phase`; did you mean `samples_per_phase`?",
        ),
        ("Seed = 5", "`Seed`; did you mean `seed`?"),
        ("frobnicate = 5", "`frobnicate`; known are `mode`"),
        ("\"\" = 5", "unknown key ``"),
        ("[windows]", "`windows`; did you mean `window`?"),
        ("[selfplay]", "`selfplay`; did you mean `self_play`?"),
    ];
    for (line, words) in cases {
        // A table goes to the end, a plain key to the beginning.
        let text = match line.starts_with('[') {
            true => format!("{GOOD}{line}\n"),
            false => format!("{line}\n{GOOD}"),
        };
        assert_one_fault(dataset(text), &[words], line);
    }
    for (section, line, words) in [
        (
            "self_play.ai",
            "lvl = 5",
            "`self_play.ai.lvl`; did you mean `self_play.ai.level`?",
        ),
        (
            "playout",
            "probability = 1",
            "`playout.probability`; did you mean `playout.ai_probability`?",
        ),
        ("split", "validation = 0", "`split.validation`"),
        ("window", "sizes = 5", "did you mean `window.size`?"),
    ] {
        let header = format!("[{section}]");
        let text = GOOD.replace(&header, &format!("{header}\n{line}"));
        assert_one_fault(dataset(text), &[words], line);
    }
}

#[test]
fn tables_must_be_tables() {
    for name in ["split", "playout", "self_play", "window"] {
        let at = GOOD.find(&format!("[{name}]")).unwrap();
        let rest = &GOOD[at + 1..];
        let end = rest
            .match_indices("\n[")
            .map(|(i, _)| i + 1)
            .find(|i| !rest[*i..].starts_with(&format!("[{name}.")))
            .unwrap_or(rest.len());
        let text = format!("{name} = 5\n{}{}", &GOOD[..at], &rest[end..]);
        let message = dataset(&text).unwrap_err();
        assert!(
            message.contains(&format!("`{name}` is 5, but must be a table")),
            "{message}"
        );
        let text = format!("{}[[{name}]]\n{}", &GOOD[..at], &rest[end..]);
        let message = dataset(&text).unwrap_err();
        assert!(message.contains("must be a table"), "{message}");
    }
}
