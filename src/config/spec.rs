//! An engine as a run uses it: the dataset's words on top of the registry's.

use super::reader::{Fault, list, nearest};
use super::{AiConfig, AppConfig, ConfigError, DatasetConfig, EngineEntry, EngineKind, EngineSpec};
use std::time::Duration;

/// Deadline of start-up where app.toml names none.
const DEFAULT_STARTUP_TIMEOUT: Duration = Duration::from_secs(60);

/// Deadline of a move of self-play where neither file names one.
pub const DEFAULT_SELF_PLAY_TIMEOUT: Duration = Duration::from_secs(300);

/// Deadline of a move of the playout where neither file names one.
pub const DEFAULT_PLAYOUT_TIMEOUT: Duration = Duration::from_secs(10);

/// The engines of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct RunEngines {
    /// Plays the games.
    pub self_play: EngineSpec,
    /// Plays a part of the opening moves; `Some` exactly when `playout.ai_probability` > 0.
    pub playout: Option<EngineSpec>,
}

impl DatasetConfig {
    /// The engines that this dataset needs, from the registry. Faults are those of this file: it
    /// is where an engine is named.
    pub fn engines(&self, app: &AppConfig) -> Result<RunEngines, ConfigError> {
        let mut faults = Vec::new();
        let mut spec = |section: &str, ai: &AiConfig, timeout| {
            app.spec(section, ai, timeout)
                .map_err(|fault| faults.push(Fault::of_file(fault)))
                .ok()
        };
        let self_play = spec(
            "self_play.ai",
            &self.self_play.ai,
            DEFAULT_SELF_PLAY_TIMEOUT,
        );
        let playout = self
            .playout
            .ai
            .as_ref()
            .map(|ai| spec("playout.ai", ai, DEFAULT_PLAYOUT_TIMEOUT));
        match (self_play, playout) {
            (Some(self_play), None) => Ok(RunEngines {
                self_play,
                playout: None,
            }),
            (Some(self_play), Some(Some(playout))) => Ok(RunEngines {
                self_play,
                playout: Some(playout),
            }),
            _ => Err(ConfigError::new(&self.path, faults)),
        }
    }
}

impl AppConfig {
    /// The engine that `ai` names, with what `ai` says on top of its entry. Threads are 1 where
    /// neither says how many; a level must come from one of them unless the engine has no use for
    /// it.
    pub fn engine(
        &self,
        ai: &AiConfig,
        default_timeout: Duration,
    ) -> Result<EngineSpec, ConfigError> {
        self.spec("", ai, default_timeout)
            .map_err(|fault| ConfigError::new(&self.path, vec![Fault::of_file(fault)]))
    }

    /// `section` is where config.toml speaks of this engine, empty where it does not.
    fn spec(
        &self,
        section: &str,
        ai: &AiConfig,
        default_timeout: Duration,
    ) -> Result<EngineSpec, String> {
        let Some(entry) = self.engines.get(&ai.name) else {
            return Err(self.unknown_engine(section, &ai.name));
        };
        let level = match ai.level.or(entry.level) {
            Some(level) => level,
            None if !uses_level(entry) => 0,
            None => return Err(level_is_missing(section, &ai.name)),
        };
        if let Some(most) = highest_level(entry.kind).filter(|most| level > *most) {
            let key = match section {
                "" => format!("the level of engine `{}`", ai.name),
                _ if ai.level.is_none() => format!("`engines.{}.level`", ai.name),
                section => format!("`{section}.level`"),
            };
            return Err(format!(
                "{key} is {level}, but kind \"{}\" has levels from 0 to {most}",
                entry.kind.name()
            ));
        }
        Ok(EngineSpec {
            level,
            threads: ai.threads.or(entry.threads).unwrap_or(1),
            timeout: ai.timeout.or(entry.timeout).unwrap_or(default_timeout),
            startup_timeout: entry.startup_timeout.unwrap_or(DEFAULT_STARTUP_TIMEOUT),
            entry: entry.clone(),
        })
    }

    fn unknown_engine(&self, section: &str, name: &str) -> String {
        let app = self.path.display();
        let names: Vec<&str> = self.engines.keys().map(String::as_str).collect();
        let hint = match nearest(name, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`? Known are {}", list(&names)),
            None if names.is_empty() => "it has no [engines] at all".to_owned(),
            None => format!("known are {}", list(&names)),
        };
        match section {
            "" => format!("there is no engine `{name}`; {hint}"),
            section => {
                format!("`{section}.name` is \"{name}\", but {app} has no [engines.{name}]; {hint}")
            }
        }
    }
}

fn level_is_missing(section: &str, name: &str) -> String {
    match section {
        "" => format!("the level of engine `{name}` is missing: add `engines.{name}.level`"),
        section => format!(
            "`{section}.level` is missing, and `engines.{name}.level` gives no default for it"
        ),
    }
}

/// Whether the level changes anything: engines of general kinds get it in their `args` alone.
fn uses_level(entry: &EngineEntry) -> bool {
    match entry.kind {
        EngineKind::Nboard | EngineKind::Gtp => {
            entry.args.iter().any(|word| word.contains("{level}"))
        }
        EngineKind::Edax | EngineKind::Egaroucid | EngineKind::Builtin => true,
    }
}

/// Edax crashes above its highest level, Egaroucid does not start.
fn highest_level(kind: EngineKind) -> Option<u32> {
    match kind {
        EngineKind::Edax | EngineKind::Egaroucid | EngineKind::Builtin => Some(60),
        EngineKind::Nboard | EngineKind::Gtp => None,
    }
}
