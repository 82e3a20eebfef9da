//! Engines as people name them on the command line: `name` or `name:level`.

use crate::config::{
    APP_CONFIG_NAME, AiConfig, AppConfig, DEFAULT_SELF_PLAY_TIMEOUT, EngineEntry, EngineSpec,
    Lines, LogConfig, Setting, is_there, load_app, no_app, parse_duration, usual_file,
};
use crate::engine::KINDS;
use crate::engine::launch::check_spec;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The embedded engine's name where app.toml has no other entry of that name.
pub(super) const EMBEDDED: &str = "builtin";

/// The registry, read when the first engine is asked for that needs it: the embedded engine works
/// without any file.
pub(super) struct Registry {
    path: PathBuf,
    is_named: bool,
    loaded: Option<Result<AppConfig, String>>,
}

/// `name`, `name:level` or `name:time`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct EngineName {
    /// An `[engines.<name>]`.
    pub name: String,
    /// Playing strength.
    pub level: Option<u32>,
    /// Time for each move, in place of a level.
    pub time: Option<Duration>,
}

impl EngineName {
    /// Reads `name`, `name:level` or `name:time`, such as `builtin:100ms`; `None` for what cannot be either, such as a path.
    pub(super) fn parse(text: &str) -> Option<EngineName> {
        let (name, strength) = match text.split_once(':') {
            Some((name, strength)) => (name, Some(strength)),
            None => (text, None),
        };
        let level: Option<u32> = strength.and_then(|text| text.parse().ok());
        let time = strength.filter(|_| level.is_none());
        let time = time.map(parse_duration).transpose().ok()?;
        let allowed = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        (!name.is_empty() && name.chars().all(allowed)).then(|| EngineName {
            name: name.to_owned(),
            level,
            time,
        })
    }
}

impl Registry {
    /// The registry in this file, or the usual one, which need not be there and is read when it
    /// is needed.
    ///
    /// # Errors
    /// Everything that is wrong with a file that was named, whether its engines play or not.
    pub(super) fn new(named: Option<&Path>) -> Result<Registry, String> {
        let mut registry = Registry {
            path: named.map_or_else(|| usual_file(APP_CONFIG_NAME), Path::to_owned),
            is_named: named.is_some(),
            loaded: None,
        };
        if named.is_some() {
            registry.app()?;
        }
        Ok(registry)
    }

    /// Its file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The log that it asks for, if it has been read.
    pub(super) fn log(&self) -> Option<&LogConfig> {
        match &self.loaded {
            Some(Ok(app)) => Some(&app.log),
            _ => None,
        }
    }

    /// The engine of this name. `eval_file` replaces its evaluation, `level` the level where the
    /// name says none; the registry's own level comes next, then a default.
    ///
    /// # Errors
    /// One message that names the engine, or every fault of the registry's file.
    pub(super) fn engine(
        &mut self,
        wanted: &EngineName,
        level: Option<u32>,
        eval_file: Option<&Path>,
    ) -> Result<EngineSpec, String> {
        let level = wanted.level.or(level);
        let app = self.app()?;
        let default = match app.engines.get(&wanted.name) {
            Some(entry)
                if entry.level.is_none()
                    && entry.move_time.is_none()
                    && entry.kind.passes(entry, Setting::Level) =>
            {
                Some(entry.kind.usual_level())
            }
            _ => None,
        };
        let ai = AiConfig {
            name: wanted.name.clone(),
            level: level.or(default),
            threads: None,
            timeout: None,
            lines: Lines::default(),
        };
        let mut spec = app
            .engine(&ai, DEFAULT_SELF_PLAY_TIMEOUT)
            .map_err(|error| error.to_string())?;
        if let Some(time) = wanted.time {
            spec = spec.with_move_time(time)?;
        }
        if let Some(file) = eval_file {
            spec.entry.eval_file = Some(file.to_owned());
        }
        check_spec(&spec).map_err(|error| format!("engine `{}`: {error}", wanted.name))?;
        Ok(spec)
    }

    /// Whether an engine of this name could be told a level.
    pub(super) fn takes_level(&mut self, name: &str) -> bool {
        let passes = |entry: &EngineEntry| entry.kind.passes(entry, Setting::Level);
        (self.app().ok()).is_none_or(|app| app.engines.get(name).is_none_or(passes))
    }

    /// Whether the registry has an engine of this name.
    pub(super) fn has(&mut self, name: &str) -> bool {
        name == EMBEDDED || self.app().is_ok_and(|app| app.engines.contains_key(name))
    }

    /// All names, the embedded engine's too, sorted.
    ///
    /// # Errors
    /// Every fault of the registry's file.
    pub(super) fn names(&mut self) -> Result<Vec<String>, String> {
        Ok(self.app()?.engines.into_keys().collect())
    }

    /// All that it says. Where nobody named it and it is not there, the embedded engine is all there
    /// is.
    ///
    /// # Errors
    /// Every fault of the registry's file.
    pub(super) fn app(&mut self) -> Result<AppConfig, String> {
        let path = &self.path;
        let load = || match is_there(path) || self.is_named {
            true => load_app(path, &KINDS).map_err(|error| error.to_string()),
            false => Ok(no_app(path, &KINDS)),
        };
        self.loaded.get_or_insert_with(load).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::BUILTIN;

    fn name(text: &str) -> Option<(String, Option<u32>)> {
        EngineName::parse(text).map(|n| (n.name, n.level))
    }

    #[test]
    fn names_levels_and_paths_are_told_apart() {
        assert_eq!(name("edax"), Some(("edax".to_owned(), None)));
        assert_eq!(name("edax:5"), Some(("edax".to_owned(), Some(5))));
        let timed = EngineName::parse("builtin:100ms").unwrap();
        assert_eq!(timed.time, Some(Duration::from_millis(100)));
        for text in [
            "", ":5", "a/b", "w.txt", "edax:", "edax:x", "edax:-1", "a b",
        ] {
            assert_eq!(name(text), None, "{text:?}");
        }
    }

    #[test]
    fn the_embedded_engine_needs_no_file() {
        let mut registry = Registry {
            path: "/nonexistent/app.toml".into(),
            is_named: false,
            loaded: None,
        };
        assert!(Registry::new(Some(registry.path())).is_err());
        let wanted = EngineName::parse("builtin:3").unwrap();
        let spec = registry.engine(&wanted, None, None).unwrap();
        assert_eq!((spec.level, spec.entry.kind), (3, BUILTIN));
        let wanted = EngineName::parse("builtin").unwrap();
        assert_eq!(registry.engine(&wanted, Some(9), None).unwrap().level, 9);
        assert_eq!(
            registry.engine(&wanted, None, None).unwrap().level,
            BUILTIN.usual_level()
        );
        let other = EngineName::parse("edax").unwrap();
        let error = registry.engine(&other, None, None).unwrap_err();
        assert!(error.contains("/nonexistent/app.toml"), "{error}");
    }
}
