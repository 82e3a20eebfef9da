//! What decides the data of a phase: the settings that a resumed run must share, and their hash.
//!
//! Nothing else is in it: another number of workers, another timeout, more samples, phases that
//! leave this one's games alone or a moved checkout change no byte of the phase.

use super::openings::OpeningBook;
use crate::base::rng::STREAM_DEFINITION;
use crate::board::ScoreRule;
use crate::config::{DatasetConfig, EngineSpec, LabelValue, OptionValue, SplitBy};
use crate::dataset::split::SPLIT_METHOD;
use crate::engine::EngineIdentity;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::Path;

/// Names the meaning of the hash; it changes whenever a setting is added or its form changes.
pub(crate) const HASH_DEFINITION: &str = "rdg_effective_config_v1";

/// An engine of the run with what it is.
#[derive(Clone, Debug)]
pub(crate) struct IdentifiedEngine {
    /// How it is started.
    pub spec: EngineSpec,
    /// Hashes of its files.
    pub identity: EngineIdentity,
}

/// The engines of a run.
#[derive(Clone, Debug)]
pub(crate) struct RunEngines {
    /// Plays from the anchor on.
    pub self_play: IdentifiedEngine,
    /// Plays some moves before it; `None` when all of those are random.
    pub playout: Option<IdentifiedEngine>,
}

/// What a key means where it is absent. Keys that came later are among the settings only where
/// they say something else, so that data from before them goes on as it was begun.
const ABSENT_MEANS: [(&str, &str); 6] = [
    (SPLIT_BY, "position"),
    ("score_rule", "plain"),
    ("label.value", "result"),
    ("self_play.solve_from", "0"),
    ("playout.max_score", "none"),
    ("openings.order", "no openings"),
];

const SPLIT_BY: &str = "split.by";

/// What a phase was split by, from the settings of its checkpoint; `None` where both come to the
/// same, because every sample is the anchor of its game.
pub(crate) fn recorded_split_by(settings: &Map<String, Value>) -> Option<SplitBy> {
    if settings.get("window.anchor") == settings.get("phase") {
        return None;
    }
    Some(match settings.contains_key(SPLIT_BY) {
        true => SplitBy::Game,
        false => SplitBy::Position,
    })
}

/// Every setting that decides the data of `phase`, by its name in the configuration.
pub(crate) fn effective_settings(
    config: &DatasetConfig,
    engines: &RunEngines,
    book: Option<&OpeningBook>,
    seed: u64,
    split_by: SplitBy,
    phase: u8,
    anchor: u8,
) -> Map<String, Value> {
    let mut settings = BTreeMap::new();
    let mut set = |name: &str, value: Value| settings.insert(name.to_owned(), value);
    set("mode", json!(config.mode.name()));
    set("phase", json!(phase));
    set("window.anchor", json!(anchor));
    set("seed", json!(seed));
    set("streams", json!(STREAM_DEFINITION));
    set("split.method", json!(SPLIT_METHOD));
    set("split.train", json!(config.split.train));
    set("split.valid", json!(config.split.valid));
    set("split.test", json!(config.split.test));
    if split_by == SplitBy::Game && phase != anchor {
        set(SPLIT_BY, json!(split_by.name()));
    }
    if config.score_rule != ScoreRule::default() {
        set("score_rule", json!(config.score_rule.name()));
    }
    if config.label != LabelValue::default() {
        set("label.value", json!(config.label.name()));
    }
    if config.self_play.solve_from > 0 {
        set("self_play.solve_from", json!(config.self_play.solve_from));
        set(
            "self_play.solver_revision",
            json!(crate::engine::builtin::REVISION),
        );
    }
    if let Some(most) = config.playout.max_score {
        set("playout.max_score", json!(most));
        set(
            "playout.max_score_revision",
            json!(crate::engine::builtin::REVISION),
        );
    }
    if let Some(book) = book {
        set("openings.sha256", json!(book.sha256()));
        set("openings.order", json!(book.order().name()));
    }
    set(
        "playout.ai_probability",
        json!(config.playout.ai_probability),
    );
    if let Some(engine) = &engines.playout {
        add_engine(&mut settings, "playout.ai", engine);
    }
    add_engine(&mut settings, "self_play.ai", &engines.self_play);
    settings.into_iter().collect()
}

fn add_engine(settings: &mut BTreeMap<String, Value>, section: &str, engine: &IdentifiedEngine) {
    let IdentifiedEngine { spec, identity } = engine;
    let mut set = |name: &str, value: Value| settings.insert(format!("{section}.{name}"), value);
    set("kind", json!(spec.entry.kind.name()));
    set("level", json!(spec.level));
    set("threads", json!(spec.threads));
    set("args", json!(spec.entry.args));
    match crate::engine::kinds::profile(spec).revision() {
        Some(revision) => set("revision", json!(revision.number)),
        None => set("binary_sha256", json!(identity.engine_binary_sha256)),
    };
    set("eval_file_sha256", json!(identity.eval_file_sha256));
    for (name, value) in &spec.entry.env {
        set(&format!("env.{name}"), json!(value));
    }
    for (name, value) in &spec.entry.options {
        set(&format!("options.{name}"), option_value(value));
    }
}

/// An option as it decides the data: a file by what is in it, so that a moved checkout resumes.
fn option_value(value: &OptionValue) -> Value {
    match value {
        OptionValue::Bool(value) => json!(value),
        OptionValue::Integer(value) => json!(value),
        OptionValue::Float(value) => json!(value),
        OptionValue::Text(text) => match std::fs::read(Path::new(text)) {
            Ok(bytes) if Path::new(text).is_absolute() => {
                json!(format!("file with SHA-256 {}", hex(&Sha256::digest(bytes))))
            }
            _ => json!(text),
        },
    }
}

/// SHA-256 over the definition's name and the settings as compact JSON, keys in order.
pub(crate) fn effective_hash(settings: &Map<String, Value>) -> String {
    let sorted: BTreeMap<&String, &Value> = settings.iter().collect();
    let mut hash = Sha256::new();
    hash.update(HASH_DEFINITION.as_bytes());
    hash.update([0]);
    hash.update(json!(sorted).to_string());
    hex(&hash.finalize())
}

/// One line per setting that differs: `seed: 42 before, 43 now`.
pub(crate) fn differences(before: &Map<String, Value>, now: &Map<String, Value>) -> Vec<String> {
    let names: std::collections::BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    let absent_means = |name: &str| ABSENT_MEANS.iter().find(|(known, _)| *known == name);
    let whole = |settings: &Map<String, Value>, name: &str| match settings.get(name) {
        None | Some(Value::Null) => absent_means(name)
            .map_or("absent", |known| known.1)
            .to_owned(),
        Some(Value::String(word)) if absent_means(name).is_some() => word.clone(),
        Some(value) => value.to_string(),
    };
    // Enough of a hash to compare by eye.
    let show = |settings: &Map<String, Value>, name: &str| match settings.get(name) {
        Some(Value::String(hash)) if name.ends_with("sha256") && hash.len() > 12 => {
            format!("{}…", hash.get(..12).unwrap_or(hash))
        }
        _ => whole(settings, name),
    };
    names
        .into_iter()
        .filter(|name| whole(before, name) != whole(now, name))
        .map(|name| {
            format!(
                "{name}: {} before, {} now",
                show(before, name),
                show(now, name)
            )
        })
        .collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(pairs: &[(&str, Value)]) -> Map<String, Value> {
        pairs
            .iter()
            .map(|(k, v)| ((*k).to_owned(), v.clone()))
            .collect()
    }

    #[test]
    fn differences_name_each_setting_with_both_values() {
        let before = map(&[
            ("seed", json!(42)),
            ("mode", json!("normal")),
            ("a", json!(1)),
            ("x_sha256", json!("0123456789abcdef")),
        ]);
        let now = map(&[
            ("seed", json!(43)),
            ("mode", json!("normal")),
            ("b", Value::Null),
            ("x_sha256", json!("0123456789abcdee")),
            ("score_rule", json!("winner_takes_empties")),
        ]);
        assert_eq!(
            differences(&before, &now),
            [
                "a: 1 before, absent now",
                "score_rule: plain before, winner_takes_empties now",
                "seed: 42 before, 43 now",
                "x_sha256: 0123456789ab… before, 0123456789ab… now"
            ]
        );
    }

    #[test]
    fn the_hash_does_not_depend_on_the_order_of_insertion() {
        let a = map(&[("x", json!(1)), ("y", json!(2))]);
        let b = map(&[("y", json!(2)), ("x", json!(1))]);
        assert_eq!(effective_hash(&a), effective_hash(&b));
        assert_ne!(effective_hash(&a), effective_hash(&map(&[("x", json!(1))])));
    }
}
