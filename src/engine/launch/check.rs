//! What can be said about an engine's configuration before any process starts.

use crate::base::shown::Foreign;
use crate::config::{EngineSpec, OptionValue};

/// A fault in an `[engines.<name>]` table or in what a run asks of it.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SpecError {
    /// A kind that is a program, without the program.
    #[error("[engines.{engine}] of kind `{kind}` needs `binary`, the path of its program")]
    NoBinary {
        /// Name in app.toml.
        engine: String,
        /// Its kind.
        kind: &'static str,
    },
    /// A key of the options table that the kind does not have.
    #[error(
        "[engines.{engine}.options] has the unknown key `{key}`; kind `{kind}` knows {}", listed(.known)
    )]
    UnknownOption {
        /// Name in app.toml.
        engine: String,
        /// The key.
        key: String,
        /// Its kind.
        kind: &'static str,
        /// All keys of the kind.
        known: Vec<&'static str>,
    },
    /// An option's value that cannot be.
    #[error("`{key}` in [engines.{engine}.options] is {found}, it must be {allowed}")]
    BadOption {
        /// Name in app.toml.
        engine: String,
        /// The key.
        key: &'static str,
        /// The value as written.
        found: Foreign,
        /// What may stand there.
        allowed: &'static str,
    },
    /// A level that the engine does not have; some engines crash on it.
    #[error("engine `{engine}` (kind `{kind}`) has no level {level}; choose 0 to {highest}")]
    BadLevel {
        /// Name in app.toml.
        engine: String,
        /// Its kind.
        kind: &'static str,
        /// What was asked.
        level: u32,
        /// The highest there is.
        highest: u32,
    },
    /// A number of threads that cannot be meant.
    #[error("engine `{engine}` cannot use {threads} threads; choose 1 to {MAX_THREADS}")]
    BadThreads {
        /// Name in app.toml.
        engine: String,
        /// What was asked.
        threads: u32,
    },
}

/// More than any machine that an engine was built for.
const MAX_THREADS: u32 = 1024;

fn listed(keys: &[&str]) -> String {
    match keys {
        [] => "no options".to_owned(),
        keys => keys
            .iter()
            .map(|key| format!("`{key}`"))
            .collect::<Vec<_>>()
            .join(", "),
    }
}

/// Checks everything about an engine that needs no look at the disk: options of its kind and
/// their values, level, threads, a binary where there must be one. Reports the first fault.
pub fn check_spec(spec: &EngineSpec) -> Result<(), SpecError> {
    let entry = &spec.entry;
    let engine = || entry.name.clone();
    let kind = entry.kind;
    if !kind.is_embedded() && entry.binary.is_none() {
        return Err(SpecError::NoBinary {
            engine: engine(),
            kind: kind.name(),
        });
    }
    let options = kind.options();
    for (key, value) in &entry.options {
        let Some(option) = options.iter().find(|option| option.name == key) else {
            return Err(SpecError::UnknownOption {
                engine: engine(),
                key: key.clone(),
                kind: kind.name(),
                known: options.iter().map(|option| option.name).collect(),
            });
        };
        if let Err(allowed) = option.allowed.check(value) {
            return Err(SpecError::BadOption {
                engine: engine(),
                key: option.name,
                found: written(value).into(),
                allowed,
            });
        }
    }
    if let Some(highest) = kind.highest_level()
        && spec.level > highest
    {
        return Err(SpecError::BadLevel {
            engine: engine(),
            kind: kind.name(),
            level: spec.level,
            highest,
        });
    }
    if !(1..=MAX_THREADS).contains(&spec.threads) {
        return Err(SpecError::BadThreads {
            engine: engine(),
            threads: spec.threads,
        });
    }
    Ok(())
}

/// A value as it stands in the file.
fn written(value: &OptionValue) -> String {
    match value {
        OptionValue::Bool(value) => value.to_string(),
        OptionValue::Integer(value) => value.to_string(),
        OptionValue::Float(value) => value.to_string(),
        OptionValue::Text(value) => format!("{value:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::kinds::tests::spec as of_kind;

    fn spec(kind: &str, options: &[(&str, OptionValue)]) -> EngineSpec {
        let mut spec = of_kind(kind, 5, options);
        spec.entry.name = "mine".to_owned();
        spec
    }

    fn message(spec: &EngineSpec) -> String {
        check_spec(spec).unwrap_err().to_string()
    }

    #[test]
    fn good_options_pass() {
        use OptionValue::{Bool, Integer, Text};
        for (kind, options) in [
            ("edax", &[("hash_bits", Integer(12))][..]),
            (
                "egaroucid",
                &[
                    ("fresh_table", Bool(false)),
                    ("protocol", Text("gtp".into())),
                ],
            ),
            ("gtp", &[("reproducible", Bool(false))]),
            ("builtin", &[]),
        ] {
            assert_eq!(check_spec(&spec(kind, options)), Ok(()));
        }
    }

    #[test]
    fn faults_name_engine_key_and_what_is_allowed() {
        let unknown = spec("edax", &[("hashbits", OptionValue::Integer(12))]);
        assert_eq!(
            message(&unknown),
            "[engines.mine.options] has the unknown key `hashbits`; kind `edax` knows \
             `hash_bits`, `reproducible`"
        );
        let none = spec("builtin", &[("x", OptionValue::Integer(1))]);
        assert!(message(&none).ends_with("kind `builtin` knows no options"));
        for value in [
            OptionValue::Integer(9),
            OptionValue::Integer(i64::MAX),
            OptionValue::Float(12.0),
            OptionValue::Text("12".into()),
            OptionValue::Bool(true),
        ] {
            let bad = spec("edax", &[("hash_bits", value)]);
            assert!(
                message(&bad).ends_with("it must be a whole number from 10 to 30"),
                "{}",
                message(&bad)
            );
        }
        let bad = spec(
            "egaroucid",
            &[("protocol", OptionValue::Text("uci".into()))],
        );
        assert_eq!(
            message(&bad),
            "`protocol` in [engines.mine.options] is \"uci\", it must be \"console\" or \"gtp\""
        );
    }

    #[test]
    fn levels_threads_and_binaries_are_checked() {
        let mut deep = spec("edax", &[]);
        deep.level = 61;
        assert!(message(&deep).contains("has no level 61; choose 0 to 60"));
        let mut own = spec("gtp", &[]);
        own.level = 999;
        assert_eq!(check_spec(&own), Ok(()), "only the engine knows its levels");
        own.threads = 0;
        assert!(message(&own).contains("0 threads"));
        let mut bodiless = spec("nboard", &[]);
        bodiless.entry.binary = None;
        assert!(message(&bodiless).contains("needs `binary`"));
    }
}
