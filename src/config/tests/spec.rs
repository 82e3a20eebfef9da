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
