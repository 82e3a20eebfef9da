//! app.toml: engines, log, set-up policy.

use super::dataset::{Strength, strength, threads, timeout};
use super::file::ConfigFile;
use super::paths::{no_tilde, resolve, resolve_absolute, resolve_program};
use super::reader::{Section, choice, short, text, whole};
use super::{
    AppConfig, ConfigError, EngineEntry, EngineKind, LogConfig, OptionValue, SetupPolicy,
    engine_name,
};
use crate::base::shown::Shown;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toml::de::DeValue;

const DEFAULT_LOG_SIZE_MB: u64 = 100;
const DEFAULT_LOG_FILES: u32 = 5;

/// Reads and checks an application configuration; `kinds` are those that an engine can be of.
/// Whether the engines' files are there is not looked at: only those in use need to be.
pub fn load_app(path: &Path, kinds: &[EngineKind]) -> Result<AppConfig, ConfigError> {
    parse(path, &ConfigFile::read(path, "--app-config")?, kinds)
}

/// The same for a file that was at `path` and held `text`.
pub fn app_of_text(
    path: &Path,
    text: &str,
    kinds: &[EngineKind],
) -> Result<AppConfig, ConfigError> {
    parse(path, &ConfigFile::of_bytes(path, text.as_bytes())?, kinds)
}

/// What holds where there is no file: no log, and the embedded engine. `path` is for messages, and
/// its fingerprint is empty.
pub fn no_app(path: &Path, kinds: &[EngineKind]) -> AppConfig {
    let mut engines = BTreeMap::new();
    with_embedded(&mut engines, kinds);
    AppConfig {
        path: path.to_owned(),
        sha256: String::new(),
        setup: SetupPolicy::Missing,
        log: LogConfig {
            file: None,
            max_size_mb: DEFAULT_LOG_SIZE_MB,
            max_files: DEFAULT_LOG_FILES,
        },
        engines,
    }
}

/// Adds the embedded engine, which needs no entry, unless an engine has its name.
fn with_embedded(engines: &mut BTreeMap<String, EngineEntry>, kinds: &[EngineKind]) {
    for kind in kinds.iter().filter(|kind| kind.is_embedded()) {
        let entry = || EngineEntry::new(kind.name(), *kind);
        engines.entry(kind.name().to_owned()).or_insert_with(entry);
    }
}

fn parse(path: &Path, file: &ConfigFile, kinds: &[EngineKind]) -> Result<AppConfig, ConfigError> {
    file.parse(path, |table, faults| {
        let mut root = Section::root(table, faults);
        let policies = [
            ("missing", SetupPolicy::Missing),
            ("always", SetupPolicy::Always),
            ("off", SetupPolicy::Off),
        ];
        let setup = root.optional("setup", |value| choice(value, &policies));
        let log = log(root.section("log"), path);
        let engines = engines(root.section("engines"), path, kinds);
        root.finish();
        Some(AppConfig {
            path: path.to_owned(),
            sha256: file.sha256.clone(),
            setup: setup.unwrap_or(SetupPolicy::Missing),
            log,
            engines,
        })
    })
}

fn log(mut section: Section<'_>, config: &Path) -> LogConfig {
    const ALLOWED: &str = "the path of a file";
    let file = section.optional("file", |value| {
        let path = resolve(config, path_text(value, ALLOWED)?);
        if path.is_dir() {
            return Err(format!("{ALLOWED}: {} is a folder", path.shown()));
        }
        Ok(path)
    });
    let max_size_mb = section.optional("max_size_mb", |value| whole(value, 1, 1_000_000));
    let max_files = section.optional("max_files", |value| whole(value, 0, 1000));
    section.finish();
    LogConfig {
        file,
        max_size_mb: max_size_mb.unwrap_or(DEFAULT_LOG_SIZE_MB),
        max_files: max_files.unwrap_or(DEFAULT_LOG_FILES),
    }
}

fn engines(
    mut section: Section<'_>,
    config: &Path,
    kinds: &[EngineKind],
) -> BTreeMap<String, EngineEntry> {
    let mut entries = BTreeMap::new();
    for (name, entry) in section.subsections() {
        if let Err(allowed) = engine_name(&name) {
            entry.fault(format!("engine `{}` must have {allowed}", short(&name)));
        }
        if let Some(entry) = engine(&name, entry, config, kinds) {
            entries.insert(name, entry);
        }
    }
    with_embedded(&mut entries, kinds);
    entries
}

fn engine(
    name: &str,
    mut section: Section<'_>,
    config: &Path,
    kinds: &[EngineKind],
) -> Option<EngineEntry> {
    const BINARY: &str = "the path of the engine's program";
    const EVAL_FILE: &str = "the path of a file";
    if !section.is_present() {
        return None;
    }
    let kinds: Vec<(&str, EngineKind)> = kinds.iter().map(|kind| (kind.name(), *kind)).collect();
    let kind = section.required("kind", &quoted(&kinds), |value| choice(value, &kinds));
    let binary = section.optional("binary", |value| {
        Ok(resolve_program(config, path_text(value, BINARY)?))
    });
    match kind {
        Some(kind) if kind.is_embedded() && section.has("binary") => section.fault_at(
            "binary",
            format!(
                "`{}` must be absent: the embedded engine has no program of its own",
                section.path("binary")
            ),
        ),
        Some(kind) if !kind.is_embedded() && !section.has("binary") => {
            section.fault(format!("`{}` is missing: {BINARY}", section.path("binary")));
        }
        _ => {}
    }
    let eval_file = section.optional("eval_file", |value| {
        Ok(resolve_absolute(config, path_text(value, EVAL_FILE)?))
    });
    let (level, move_time) = match section.optional("level", strength) {
        Some(Strength::Time(time)) => (None, Some(time)),
        Some(Strength::Level(level)) => (Some(level), None),
        None => (None, None),
    };
    let threads = section.optional("threads", threads);
    let timeout_ = section.optional("timeout", timeout);
    let startup_timeout = section.optional("startup_timeout", timeout);
    let args = section.optional("args", args);
    let dir = section.optional("dir", |value| dir(value, config));
    let env = env(section.section("env"));
    let options = options(section.section("options"), config);
    let lines = section.lines();
    section.finish();
    Some(EngineEntry {
        name: name.to_owned(),
        kind: kind?,
        binary,
        eval_file,
        level,
        move_time,
        threads,
        timeout: timeout_,
        startup_timeout,
        args: args.unwrap_or_default(),
        dir,
        env,
        options,
        lines,
    })
}

/// `"a", "b" or "c"`.
fn quoted(kinds: &[(&str, EngineKind)]) -> String {
    let names: Vec<String> = kinds
        .iter()
        .map(|(name, _)| format!("\"{name}\""))
        .collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// The folder that a program runs in.
fn dir(value: &DeValue<'_>, config: &Path) -> Result<PathBuf, String> {
    const ALLOWED: &str = "the path of a folder";
    match resolve_absolute(config, path_text(value, ALLOWED)?) {
        path if path.is_dir() => Ok(path),
        path if path.exists() => Err(format!("{ALLOWED}: {} is not a folder", path.shown())),
        path => Err(format!("{ALLOWED}: {} does not exist", path.shown())),
    }
}

/// Variables by name.
fn env(section: Section<'_>) -> BTreeMap<String, String> {
    let keys: Vec<&str> = section.keys().collect();
    keys.into_iter()
        .filter_map(|key| {
            if key.is_empty() || key.contains(['=', '\0']) {
                section.fault_at(
                    key,
                    format!(
                        "`{}` cannot be the name of a variable",
                        section.path(&short(key))
                    ),
                );
            }
            let value = section.value(key, |value| match text(value, "a text")? {
                text if text.contains('\0') => Err("a text without NUL".to_owned()),
                text => Ok(text.to_owned()),
            })?;
            Some((key.to_owned(), value))
        })
        .collect()
}

/// Command-line words. The operating system takes any text without a NUL.
fn args(value: &DeValue<'_>) -> Result<Vec<String>, String> {
    const ALLOWED: &str = "an array of texts such as [\"-l\", \"{level}\"]";
    let DeValue::Array(items) = value else {
        return Err(ALLOWED.to_owned());
    };
    items
        .iter()
        .map(|item| match item.get_ref() {
            DeValue::String(word) if word.starts_with("~/") => no_tilde(word).map(str::to_owned),
            DeValue::String(word) if !word.contains('\0') => Ok(word.to_string()),
            _ => Err(format!("{ALLOWED}, nothing else in it")),
        })
        .collect()
}

fn options(section: Section<'_>, config: &Path) -> BTreeMap<String, OptionValue> {
    let keys: Vec<&str> = section.keys().collect();
    keys.into_iter()
        .filter_map(|key| {
            let value = section.value(key, |value| option(value, config))?;
            Some((key.to_owned(), value))
        })
        .collect()
}

fn option(value: &DeValue<'_>, config: &Path) -> Result<OptionValue, String> {
    const ALLOWED: &str = "true, false, a number or a text";
    match value {
        DeValue::Boolean(truth) => Ok(OptionValue::Bool(*truth)),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map(OptionValue::Integer)
            .map_err(|_| "a whole number of at most 64 bits".to_owned()),
        DeValue::Float(number) => match number.as_str().parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(OptionValue::Float(number)),
            _ => Err("a finite number".to_owned()),
        },
        DeValue::String(text) if text.contains('\0') => Err("a text without NUL".to_owned()),
        DeValue::String(text) => option_text(text, config).map(OptionValue::Text),
        _ => Err(ALLOWED.to_owned()),
    }
}

/// A text that names an existing file is a path; any other stays as it is.
fn option_text(text: &str, config: &Path) -> Result<String, String> {
    if text.starts_with("~/") {
        no_tilde(text)?;
    }
    let path = resolve_absolute(config, text);
    if text.is_empty() || !path.is_file() {
        return Ok(text.to_owned());
    }
    into_text(path)
}

fn into_text(path: PathBuf) -> Result<String, String> {
    path.into_os_string()
        .into_string()
        .map_err(|_| "a file in a folder whose path is UTF-8 text".to_owned())
}

fn path_text<'v>(value: &'v DeValue<'_>, allowed: &str) -> Result<&'v str, String> {
    match text(value, allowed)? {
        name if name.trim().is_empty() || name.contains('\0') => Err(allowed.to_owned()),
        name => no_tilde(name),
    }
}
