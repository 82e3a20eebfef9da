//! An engine as a run uses it: the dataset's words on top of the registry's.

use super::dataset::{NOT_BY_TIME, asked_engines};
use super::duration::format_duration;
use super::reader::{Fault, list, nearest};
use super::types::no_move_time;
use super::{AiConfig, AppConfig, ConfigError, DatasetConfig, EngineEntry, EngineSpec, Setting};
use crate::base::shown::Shown;
use crate::board::ScoreRule;
use std::path::Path;
use std::time::Duration;

/// Deadline of start-up where app.toml names none.
pub(super) const DEFAULT_STARTUP_TIMEOUT: Duration = Duration::from_secs(60);

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
                .map(|spec| EngineSpec {
                    score_rule: self.score_rule,
                    ..spec
                })
                .map_err(|found| faults.extend(found))
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

/// What is wrong with the engines that a dataset configuration names, although it cannot be read
/// as a whole: so that one look mends everything.
pub(crate) fn engine_errors(path: &Path, app: &AppConfig) -> Vec<String> {
    let asked = asked_engines(path).into_iter();
    let faults = asked.filter_map(|(section, ai, timeout)| app.spec(section, &ai, timeout).err());
    let faults: Vec<Fault> = faults.flatten().collect();
    ConfigError::new(path, faults).lines().collect()
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
            .map_err(|faults| ConfigError::new(&self.path, faults))
    }

    /// `section` is where config.toml speaks of this engine, empty where it does not. Faults are
    /// of config.toml, but for those that name app.toml.
    fn spec(
        &self,
        section: &str,
        ai: &AiConfig,
        default_timeout: Duration,
    ) -> Result<EngineSpec, Vec<Fault>> {
        let Some(entry) = self.engines.get(&ai.name) else {
            let text = self.unknown_engine(section, &ai.name);
            return Err(vec![Fault::of_key(&ai.lines, "name", text)]);
        };
        let kind = entry.kind;
        let threads = ai.threads.or(entry.threads).unwrap_or(1);
        let mut faults = self.unreached(section, ai, entry);
        let level = ai.level.or(entry.level);
        // A level that is asked for here takes the place of the entry's time.
        let move_time = entry.move_time.filter(|_| ai.level.is_none());
        if move_time.is_some() && !kind.plays_by_time() {
            let text = no_move_time(&entry.name, kind);
            faults.push(Fault::of_key(&entry.lines, "level", text).in_file(&self.path));
        } else if let Some(time) = move_time.filter(|_| !section.is_empty()) {
            let text = format!(
                "`engines.{}.level` is \"{}\": {NOT_BY_TIME}; add `{section}.level`, a whole number",
                entry.name,
                format_duration(time)
            );
            faults.push(Fault::of_key(&entry.lines, "level", text).in_file(&self.path));
        }
        match (level, kind.highest_level()) {
            (None, _) if move_time.is_none() && kind.needs_level(entry) => {
                faults.push(Fault::of_file(level_is_missing(section, &ai.name)));
            }
            (Some(level), Some(most)) if level > most => {
                let key = match section {
                    "" => format!("the level of engine `{}`", ai.name),
                    _ if ai.level.is_none() => format!("`engines.{}.level`", ai.name),
                    section => format!("`{section}.level`"),
                };
                let text = format!(
                    "{key} is {level}, but kind \"{}\" has levels from 0 to {most}",
                    kind.name()
                );
                faults.push(match ai.level {
                    Some(_) => Fault::of_key(&ai.lines, "level", text),
                    None => Fault::of_key(&entry.lines, "level", text).in_file(&self.path),
                });
            }
            _ => {}
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        Ok(EngineSpec {
            level: level.unwrap_or(0),
            has_level: level.is_some(),
            move_time,
            threads,
            timeout: ai.timeout.or(entry.timeout).unwrap_or(default_timeout),
            startup_timeout: entry.startup_timeout.unwrap_or(DEFAULT_STARTUP_TIMEOUT),
            entry: entry.clone(),
            score_rule: ScoreRule::WinnerTakesEmpties,
        })
    }

    /// Settings that say something and have no way to the engine.
    fn unreached(&self, section: &str, ai: &AiConfig, entry: &EngineEntry) -> Vec<Fault> {
        let mut faults = Vec::new();
        let mut check = |setting: Setting, key: &str, of_ai: Option<u32>, of_entry: bool| {
            if entry.kind.passes(entry, setting) {
                return;
            }
            if of_entry {
                let text = unreached(&format!("`engines.{}.{key}`", entry.name), entry, setting);
                faults.push(Fault::of_key(&entry.lines, key, text).in_file(&self.path));
            }
            if let Some(value) = of_ai {
                let what = match section {
                    "" => format!("{key} {value}"),
                    section => format!("`{section}.{key}` = {value}"),
                };
                faults.push(Fault::of_key(
                    &ai.lines,
                    key,
                    unreached(&what, entry, setting),
                ));
            }
        };
        let above_1 = |threads: Option<u32>| threads.filter(|threads| *threads > 1);
        check(Setting::Level, "level", ai.level, entry.level.is_some());
        let threads = above_1(ai.threads);
        // The dataset's word counts: where it says 1, nothing is lost.
        let of_entry = ai.threads.is_none() && above_1(entry.threads).is_some();
        check(Setting::Threads, "threads", threads, of_entry);
        check(
            Setting::EvalFile,
            "eval_file",
            None,
            entry.eval_file.is_some(),
        );
        check(Setting::Process, "args", None, !entry.args.is_empty());
        check(Setting::Process, "dir", None, entry.dir.is_some());
        check(Setting::Process, "env", None, !entry.env.is_empty());
        faults.extend(self.overruling(entry));
        faults
    }

    /// Words in `args` that say again what rdg tells the engine itself.
    fn overruling(&self, entry: &EngineEntry) -> Vec<Fault> {
        let own = entry.kind.own_words();
        let is_mark = |word: &String| word.starts_with('{') && word.ends_with('}');
        let found = entry.args.iter().enumerate().filter_map(|(i, word)| {
            let instead = own.iter().find(|own| own.is(word))?.instead;
            if entry.args.get(i + 1).is_some_and(is_mark) {
                return None;
            }
            let text = format!(
                "`engines.{}.args` has {word}, which rdg writes itself for kind \"{}\", so that \
                 what it records is what the engine was told: {instead}",
                entry.name,
                entry.kind.name()
            );
            Some(Fault::of_key(&entry.lines, "args", text).in_file(&self.path))
        });
        found.collect()
    }

    fn unknown_engine(&self, section: &str, name: &str) -> String {
        let app = self.path.shown();
        let names: Vec<&str> = self.engines.keys().map(String::as_str).collect();
        let hint = match nearest(name, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`? Known are {}", list(&names)),
            None => format!("known are {}", list(&names)),
        };
        match section {
            "" if self.sha256.is_empty() => format!(
                "there is no engine `{name}` without a file that says where it is: {app} does not \
                 exist; name one with --app-config, or let `rdg init` write one"
            ),
            "" => format!("there is no engine `{name}`; {hint}"),
            section if self.sha256.is_empty() => format!(
                "`{section}.name` is \"{name}\", but there is no app.toml that says where this \
                 engine is; name one with --app-config, or let `rdg init` write one"
            ),
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

/// Why a setting changes nothing, and what to do.
pub(super) fn unreached(what: &str, entry: &EngineEntry, setting: Setting) -> String {
    let name = &entry.name;
    let kind = entry.kind.name();
    match setting.mark() {
        Some(mark) if !entry.kind.is_embedded() => format!(
            "{what} does not reach engine `{name}`: kind \"{kind}\" has no command for it, and \
             `engines.{name}.args` has no {mark}; write {mark} where its command line takes it, or \
             remove the key"
        ),
        _ => format!(
            "{what} does not reach engine `{name}`: kind \"{kind}\" has no use for it; remove the \
             key"
        ),
    }
}
