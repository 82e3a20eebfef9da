//! Engines as a run uses them.

use super::*;
use std::time::Duration;

fn ai(name: &str, level: Option<u32>) -> AiConfig {
    AiConfig {
        name: name.to_owned(),
        level,
        threads: None,
        timeout: None,
        lines: Lines::default(),
    }
}

#[test]
fn the_dataset_overrides_the_registry_which_overrides_defaults() {
    let app = app(GOOD_APP).unwrap();
    let default = Duration::from_secs(7);
    let spec = app.engine(&ai("edax", Some(20)), default).unwrap();
    assert_eq!((spec.level, spec.threads), (20, 2));
    assert_eq!(spec.timeout, Duration::from_secs(20));
    assert_eq!(spec.startup_timeout, Duration::from_secs(60));
    assert_eq!(app.engine(&ai("edax", None), default).unwrap().level, 5);
    let spec = app.engine(&ai("other", Some(3)), default).unwrap();
    assert_eq!((spec.threads, spec.timeout), (1, default));
    let all = AiConfig {
        threads: Some(4),
        timeout: Some(Duration::from_secs(1)),
        ..ai("edax", Some(1))
    };
    let spec = app.engine(&all, default).unwrap();
    assert_eq!((spec.threads, spec.timeout), (4, Duration::from_secs(1)));
    assert_eq!(app.engine(&ai("plain", None), default).unwrap().level, 0);
}

#[test]
fn engines_that_cannot_be_used_are_named_with_the_key() {
    let app = app(GOOD_APP).unwrap();
    let cases = [
        (
            ai("edxa", Some(1)),
            "has no [engines.edxa]; did you mean `edax`?",
        ),
        (
            ai("zebra", Some(1)),
            "known are `builtin`, `edax`, `other` and `plain`",
        ),
        (ai("builtin", None), "`self_play.ai.level` is missing"),
        (ai("other", None), "`engines.other.level` gives no default"),
        (
            ai("edax", Some(61)),
            "`self_play.ai.level` is 61, but kind \"edax\"",
        ),
    ];
    let mut config = dataset(GOOD).unwrap();
    for (ai, words) in cases {
        config.self_play.ai = ai.clone();
        let message = config.engines(&app).unwrap_err().to_string();
        assert!(message.contains(words), "{message}");
        assert!(message.contains("file.toml: "), "{message}");
        assert!(app.engine(&ai, Duration::ZERO).is_err());
    }
    config.playout.ai = Some(ai("nobody", Some(1)));
    let message = config.engines(&app).unwrap_err().to_string();
    assert_eq!(message.lines().count(), 2, "both sections: {message}");
    assert!(
        message.contains("`playout.ai.name` is \"nobody\""),
        "{message}"
    );

    config.self_play.ai = ai("edax", Some(60));
    config.playout.ai = Some(ai("builtin", Some(1)));
    let engines = config.engines(&app).unwrap();
    assert_eq!(engines.playout.unwrap().timeout, DEFAULT_PLAYOUT_TIMEOUT);
    assert_eq!(engines.self_play.timeout, Duration::from_secs(20));
}

#[test]
fn words_that_would_overrule_what_is_recorded_are_refused() {
    let of = |kind: &str, args: &str| {
        let text =
            format!("[engines.e]\nkind = \"{kind}\"\nbinary = \"x\"\nlevel = 5\nargs = [{args}]\n");
        let app = app(text).unwrap();
        let spec = app.engine(&ai("e", None), Duration::from_secs(1));
        spec.map_err(|error| error.to_string()).err()
    };
    let cases = [
        ("edax", "\"-l\", \"9\"", "-l", "write `level`"),
        ("edax", "\"--level=9\"", "--level=9", "write `level`"),
        ("edax", "\"-n-tasks\", \"4\"", "-n-tasks", "write `threads`"),
        ("edax", "\"-h\", \"24\"", "-h", "`hash_bits`"),
        ("edax", "\"-eval-file\", \"e\"", "-eval-file", "`eval_file`"),
        ("edax", "\"-xboard\"", "-xboard", "another `kind`"),
        ("egaroucid", "\"-level\", \"9\"", "-level", "write `level`"),
        ("egaroucid", "\"-t\", \"4\"", "-t", "write `threads`"),
        ("egaroucid", "\"-eval\", \"e\"", "-eval", "`eval_file`"),
        ("egaroucid", "\"-gtp\"", "-gtp", "`protocol = \"gtp\"`"),
    ];
    for (kind, args, word, instead) in cases {
        let message = of(kind, args).unwrap_or_else(|| panic!("{kind} takes {args}"));
        let named = format!("5: `engines.e.args` has {word}, which rdg writes itself");
        assert!(message.contains(&named), "{message}");
        assert!(message.contains(instead), "{message}");
    }
    // What says the same, words that are something else, and kinds whose level is nobody's.
    for (kind, args) in [
        ("edax", "\"-l\", \"{level}\""),
        ("edax", "\"-book-file\", \"l\""),
        ("egaroucid", "\"-hash\", \"25\""),
        ("nboard", "\"-l\", \"9\""),
    ] {
        assert_eq!(of(kind, args), None, "{kind} {args}");
    }
}
