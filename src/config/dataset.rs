//! config.toml: what dataset is wanted.

use super::file::ConfigFile;
use super::paths::{no_tilde, resolve};
use super::phases;
use super::reader::{Section, boolean, choice, share, text, whole};
use super::spec::{DEFAULT_PLAYOUT_TIMEOUT, DEFAULT_SELF_PLAY_TIMEOUT};
use super::{
    Affinity, AiConfig, ConfigError, DatasetConfig, LabelValue, Mode, OpeningOrder, OpeningsConfig,
    PlayoutConfig, SelfPlayConfig, SplitBy, SplitRatios, WindowConfig, engine_name, parse_duration,
};
use crate::base::shown::Shown;
use crate::board::{ScoreRule, distinct_positions};
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

/// A phase of this size holds 18 TB; times the largest multiplier it still fits into 64 bits.
const MOST_SAMPLES: u64 = 1_000_000_000_000;
const MOST_ATTEMPTS_MULTIPLIER: u64 = 1_000_000;
const MOST_WORKERS: u64 = 4096;
const MOST_RETRIES: u32 = 1000;
/// Beyond this many empty squares the embedded solver takes minutes for a position.
const MOST_SOLVE_FROM: u8 = 24;
/// No position is worth more discs.
const MOST_SCORE: u8 = 64;
/// Shares are written in decimal, and a few of those do not sum to 1 exactly.
const SPLIT_TOLERANCE: f64 = 1e-9;

/// Defaults of SPEC where a key is absent.
const DEFAULT_ATTEMPTS_MULTIPLIER: u64 = 100;
const DEFAULT_RETRIES: u32 = 3;

/// Reads and checks a dataset configuration.
pub fn load_dataset(path: &Path) -> Result<DatasetConfig, ConfigError> {
    parse(path, &ConfigFile::read(path, "--config")?)
}

/// The same for a file that was at `path` and held `text`.
pub fn dataset_of_text(path: &Path, text: &str) -> Result<DatasetConfig, ConfigError> {
    parse(path, &ConfigFile::of_bytes(path, text.as_bytes())?)
}

/// The engines that a configuration names in a readable way, whatever is wrong with the rest:
/// section, what it says, and the time limit where it says none.
pub(super) fn asked_engines(path: &Path) -> Vec<(&'static str, AiConfig, Duration)> {
    let asked = ConfigFile::read(path, "--config").ok().and_then(|file| {
        file.glance(|table, faults| {
            let mut root = Section::root(table, faults);
            let mut self_play = root.section("self_play");
            let mut playout = root.section("playout");
            let mut asked = Vec::new();
            if self_play.has("ai") {
                let ai = ai(self_play.section("ai"));
                asked.extend(ai.map(|ai| ("self_play.ai", ai, DEFAULT_SELF_PLAY_TIMEOUT)));
            }
            let share = playout.optional("ai_probability", share);
            if share.is_some_and(|share| share > 0.0) && playout.has("ai") {
                let ai = ai(playout.section("ai"));
                asked.extend(ai.map(|ai| ("playout.ai", ai, DEFAULT_PLAYOUT_TIMEOUT)));
            }
            asked
        })
    });
    asked.unwrap_or_default()
}

fn parse(path: &Path, file: &ConfigFile) -> Result<DatasetConfig, ConfigError> {
    file.parse(path, |table, faults| {
        let mut root = Section::root(table, faults);
        let modes = [
            (Mode::Normal.name(), Mode::Normal),
            (Mode::AllPositions.name(), Mode::AllPositions),
        ];
        let mode = match root.optional("mode", |value| choice(value, &modes)) {
            None if root.has("mode") => None,
            mode => Some(mode.unwrap_or(Mode::Normal)),
        };
        let output_dir = output_dir(&mut root, path);
        let phases = root.required("phases", "write \"10..60\" or \"10,20,30\"", |value| {
            phases::parse_phases(text(value, &phases::wanted())?)
        });
        let samples_per_phase = samples_per_phase(&mut root, mode, phases.as_deref());
        let seed = root.optional("seed", |value| whole(value, 0, u64::MAX));
        let score_rule = root.optional("score_rule", |value| {
            choice(value, &ScoreRule::ALL.map(|rule| (rule.name(), rule)))
        });
        let split = split(root.section("split"));
        let label = label(root.section("label"));
        let keep_games = games(root.section("games"));
        let playout = playout(root.section("playout"), mode);
        let openings = openings(root.section("openings"), path, mode);
        let self_play = self_play(root.section("self_play"));
        let window = window(root.section("window"), mode);
        root.finish();
        Some(DatasetConfig {
            path: path.to_owned(),
            sha256: file.sha256.clone(),
            mode: mode?,
            output_dir: output_dir?,
            phases: phases?,
            samples_per_phase: samples_per_phase?,
            seed,
            score_rule: score_rule.unwrap_or_default(),
            label: label?,
            keep_games: keep_games?,
            split: split.0?,
            split_by: split.1,
            playout: playout?,
            self_play: self_play?,
            window: window?,
            openings: openings?,
        })
    })
}

fn output_dir(root: &mut Section<'_>, config: &Path) -> Option<std::path::PathBuf> {
    const ALLOWED: &str = "the path of a folder";
    root.required(
        "output_dir",
        "name the folder to write to",
        |value| match text(value, ALLOWED)? {
            name if name.trim().is_empty() || name.contains('\0') => Err(ALLOWED.to_owned()),
            name => match resolve(config, no_tilde(name)?) {
                path if path.exists() && !path.is_dir() => {
                    Err(format!("{ALLOWED}: {} is not a folder", path.shown()))
                }
                path => Ok(path),
            },
        },
    )
}

/// The target per phase; 0 where the mode has none. Targets that the rules of the game make
/// impossible are found here, before any engine starts.
fn samples_per_phase(
    root: &mut Section<'_>,
    mode: Option<Mode>,
    phases: Option<&[u8]>,
) -> Option<u64> {
    const KEY: &str = "samples_per_phase";
    let wanted = format!("a whole number from 1 to {MOST_SAMPLES}");
    if mode == Some(Mode::AllPositions) {
        let ignored = root.optional(KEY, |value| whole(value, 0, MOST_SAMPLES));
        return (ignored.is_some() || !root.has(KEY)).then_some(0);
    }
    let samples = root.required(KEY, &wanted, |value| whole(value, 1, MOST_SAMPLES))?;
    let too_small: Vec<String> = phases?
        .iter()
        .filter_map(|&phase| Some((phase, distinct_positions(phase)?)))
        .filter(|(_, count)| *count < samples)
        .map(|(phase, count)| format!("phase {phase} has only {count}"))
        .collect();
    if too_small.is_empty() {
        return Some(samples);
    }
    root.fault_at(
        KEY,
        format!(
            "`{KEY}` is {samples}, but of distinct positions (symmetric ones counted once) {}; \
             ask for fewer, leave these phases out, or use mode = \"all_positions\" for them",
            too_small.join(", ")
        ),
    );
    None
}

/// The shares, and what decides.
fn split(mut section: Section<'_>) -> (Option<SplitRatios>, Option<SplitBy>) {
    let words = [SplitBy::Game, SplitBy::Position].map(|by| (by.name(), by));
    let by = section.optional("by", |value| choice(value, &words));
    let has_shares = ["train", "valid", "test"].map(|key| section.has(key));
    if !section.is_present() || (section.has("by") && has_shares == [false; 3]) {
        for key in ["train", "valid", "test"] {
            section.optional(key, share);
        }
        section.finish();
        return (Some(SplitRatios::default()), by);
    }
    let wanted = "a number from 0 to 1; train, valid and test sum to 1";
    let train = section.required("train", wanted, share);
    let valid = section.required("valid", wanted, share);
    let test = section.required("test", wanted, share);
    let ratios = (|| {
        Some(SplitRatios {
            train: train?,
            valid: valid?,
            test: test?,
        })
    })();
    if let Some(SplitRatios { train, valid, test }) = ratios {
        let sum = train + valid + test;
        if (sum - 1.0).abs() > SPLIT_TOLERANCE {
            section.fault(format!(
                "`split` is train = {train}, valid = {valid}, test = {test}, which sums to {}, \
                 but must sum to 1",
                // Rounded, so that 0.98 + 0.02 + 0.01 reads as 1.01.
                (sum * 1e9).round() / 1e9
            ));
        }
    }
    section.finish();
    (ratios, by)
}

/// What the values are.
fn label(mut section: Section<'_>) -> Option<LabelValue> {
    let words = LabelValue::ALL.map(|label| (label.name(), label));
    let value = section.optional("value", |value| choice(value, &words));
    let is_bad = value.is_none() && section.has("value");
    section.finish();
    (!is_bad).then(|| value.unwrap_or_default())
}

/// Whether games are kept.
fn games(mut section: Section<'_>) -> Option<bool> {
    let keep = section.optional("keep", boolean);
    let is_bad = keep.is_none() && section.has("keep");
    section.finish();
    (!is_bad).then(|| keep.unwrap_or(false))
}

/// Where games begin.
fn openings(
    mut section: Section<'_>,
    config: &Path,
    mode: Option<Mode>,
) -> Option<Option<OpeningsConfig>> {
    const ALLOWED: &str = "the path of a file of openings";
    let orders =
        [OpeningOrder::Random, OpeningOrder::Sequential].map(|order| (order.name(), order));
    let order = section.optional("order", |value| choice(value, &orders));
    let order_is_bad = order.is_none() && section.has("order");
    if !section.is_present() {
        section.finish();
        return Some(None);
    }
    let file = section.required("file", ALLOWED, |value| match text(value, ALLOWED)? {
        name if name.trim().is_empty() || name.contains('\0') => Err(ALLOWED.to_owned()),
        name => Ok(resolve(config, no_tilde(name)?)),
    });
    if mode == Some(Mode::AllPositions) {
        section.fault(
            "`openings` cannot be used in mode \"all_positions\", which starts from every position; \
             take the section out, or set mode = \"normal\""
                .to_owned(),
        );
    }
    section.finish();
    if order_is_bad {
        return None;
    }
    Some(Some(OpeningsConfig {
        file: file?,
        order: order.unwrap_or(OpeningOrder::Random),
    }))
}

fn playout(mut section: Section<'_>, mode: Option<Mode>) -> Option<PlayoutConfig> {
    let ai_probability = section.optional("ai_probability", share);
    let probability_is_bad = ai_probability.is_none() && section.has("ai_probability");
    section.optional("dedupe", |value| choice(value, &[("canonical_board", ())]));
    let multiplier = section.optional("max_attempts_multiplier", |value| {
        whole(value, 1, MOST_ATTEMPTS_MULTIPLIER)
    });
    let max_score = section.optional("max_score", |value| whole(value, 0, MOST_SCORE));
    let max_score_is_bad = max_score.is_none() && section.has("max_score");
    if max_score.is_some() && mode == Some(Mode::AllPositions) {
        section.fault_at(
            "max_score",
            "`playout.max_score` cannot be used in mode \"all_positions\", which wants every position; \
             take it out, or set mode = \"normal\""
                .to_owned(),
        );
    }
    let ai_section = section.section("ai");
    let has_ai = section.has("ai");
    let ai_is_used = ai_probability.is_some_and(|probability| probability > 0.0);
    let ai = has_ai.then(|| ai(ai_section));
    if ai_is_used && !has_ai {
        section.fault_at(
            "ai_probability",
            "`playout.ai` is missing: with `playout.ai_probability` above 0 it must say which \
             engine plays, for example name = \"builtin\" and level = 3"
                .to_owned(),
        );
    }
    section.finish();
    if probability_is_bad || max_score_is_bad {
        return None;
    }
    Some(PlayoutConfig {
        ai_probability: ai_probability.unwrap_or(0.0),
        max_attempts_multiplier: multiplier.unwrap_or(DEFAULT_ATTEMPTS_MULTIPLIER),
        ai: if ai_is_used { ai.flatten() } else { None },
        max_score,
    })
}

fn self_play(mut section: Section<'_>) -> Option<SelfPlayConfig> {
    let workers = section.optional("workers", |value| whole(value, 0, MOST_WORKERS));
    let retries = section.optional("retries", |value| whole(value, 0, MOST_RETRIES));
    let affinity = section.optional("affinity", affinity);
    let solve_from = section.optional("solve_from", |value| whole(value, 0, MOST_SOLVE_FROM));
    let ai_section = section.section("ai");
    if !section.has("ai") {
        section.fault(
            "`self_play.ai` is missing: it must say which engine plays, for example \
             name = \"builtin\" and level = 10"
                .to_owned(),
        );
    }
    let ai = section.has("ai").then(|| ai(ai_section)).flatten();
    section.finish();
    Some(SelfPlayConfig {
        workers: match workers {
            None | Some(0) => cpus(),
            Some(workers) => usize::try_from(workers).ok()?,
        },
        retries: retries.unwrap_or(DEFAULT_RETRIES),
        affinity: affinity.unwrap_or(Affinity::Auto),
        solve_from: solve_from.unwrap_or(0),
        ai: ai?,
    })
}

fn affinity(value: &toml::de::DeValue<'_>) -> Result<Affinity, String> {
    const ALLOWED: &str = "\"auto\", true or false";
    match (boolean(value), text(value, ALLOWED)) {
        (Ok(true), _) => Ok(Affinity::On),
        (Ok(false), _) => Ok(Affinity::Off),
        (_, Ok("auto")) => Ok(Affinity::Auto),
        _ => Err(ALLOWED.to_owned()),
    }
}

/// CPUs that this process may use.
fn cpus() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

fn ai(mut section: Section<'_>) -> Option<AiConfig> {
    let name = section.required("name", "name an engine of app.toml", |value| {
        engine_name(text(value, engine_name::ALLOWED)?)
    });
    let level = section.optional("level", level_of_dataset);
    let threads = section.optional("threads", threads);
    let timeout = section.optional("timeout", timeout);
    let lines = section.lines();
    section.finish();
    Some(AiConfig {
        name: name?,
        level,
        threads,
        timeout,
        lines,
    })
}

fn window(mut section: Section<'_>, mode: Option<Mode>) -> Option<Option<WindowConfig>> {
    section.refuse(
        "anchors",
        "no longer exists: `window.size` replaces it (windows of that many phases, from the \
         smallest phase on)",
    );
    let allowed = "a whole number from 1 to 60: phases per game";
    let size = section.optional("size", |value| {
        whole(value, 1, 60).map_err(|_| allowed.to_owned())
    });
    if !section.is_present() {
        section.finish();
        return Some(None);
    }
    let enabled = section.required("enabled", "true or false", boolean);
    if enabled == Some(true) {
        if mode == Some(Mode::AllPositions) {
            section.fault_at(
                "enabled",
                "`window.enabled` is true, but must be false in mode \"all_positions\", which \
                 has no games to share"
                    .to_owned(),
            );
        }
        if !section.has("size") {
            section.fault(format!("`window.size` is missing: {allowed}"));
        }
    }
    section.finish();
    match enabled? {
        false => Some(None),
        true => Some(Some(WindowConfig { size: size? })),
    }
}

/// What both files accept as a level, a number of threads and a deadline.
pub(super) fn level(value: &toml::de::DeValue<'_>) -> Result<u32, String> {
    whole(value, 0, 1000)
}

/// A level, or a time for each move.
pub(super) enum Strength {
    Level(u32),
    Time(Duration),
}

/// What app.toml accepts as a level.
pub(super) fn strength(value: &toml::de::DeValue<'_>) -> Result<Strength, String> {
    match value {
        toml::de::DeValue::String(_) => timeout(value).map(Strength::Time),
        _ => level(value).map(Strength::Level),
    }
}

/// What config.toml accepts: nothing that goes by the clock.
fn level_of_dataset(value: &toml::de::DeValue<'_>) -> Result<u32, String> {
    level(value).map_err(|allowed| match value {
        toml::de::DeValue::String(_) => format!("{allowed}; {NOT_BY_TIME}"),
        _ => allowed,
    })
}

/// Why games of a dataset are not played by the clock.
pub(super) const NOT_BY_TIME: &str =
    "games by time per move cannot be played again, and the same seed would not give the same data";

pub(super) fn threads(value: &toml::de::DeValue<'_>) -> Result<u32, String> {
    whole(value, 1, 1024)
}

pub(super) fn timeout(value: &toml::de::DeValue<'_>) -> Result<Duration, String> {
    let allowed = "a duration above 0 such as \"300s\", \"5m\", \"1m30s\" or \"250ms\"";
    parse_duration(text(value, allowed)?)
        .ok()
        .filter(|duration| !duration.is_zero())
        .ok_or_else(|| allowed.to_owned())
}
