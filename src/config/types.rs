//! What a valid configuration holds. A value of these types has passed every check.

use super::duration::format_duration;
use super::{EngineKind, Setting};
use crate::board::ScoreRule;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// config.toml.
#[derive(Clone, PartialEq, Debug)]
pub struct DatasetConfig {
    /// Where it was read from.
    pub path: PathBuf,
    /// SHA-256 of the file's bytes, lower-case hex.
    pub sha256: String,
    /// How positions are found.
    pub mode: Mode,
    /// Absolute or relative to the working folder; the file's own folder is already joined.
    pub output_dir: PathBuf,
    /// Sorted, distinct, each 1..=60.
    pub phases: Vec<u8>,
    /// Target per phase, > 0 in normal mode; 0 in all_positions mode.
    pub samples_per_phase: u64,
    /// Absent: one is drawn.
    pub seed: Option<u64>,
    /// How finished games are counted, and what the embedded engine plays for.
    pub score_rule: ScoreRule,
    /// What the values are.
    pub label: LabelValue,
    /// Every game is kept beside the samples.
    pub keep_games: bool,
    /// Shares of the three files.
    pub split: SplitRatios,
    /// What decides the split. Absent: the game, or what output that is continued was split by.
    pub split_by: Option<SplitBy>,
    /// Opening moves.
    pub playout: PlayoutConfig,
    /// The games.
    pub self_play: SelfPlayConfig,
    /// `Some` when `[window]` is enabled.
    pub window: Option<WindowConfig>,
    /// `[openings]`.
    pub openings: Option<OpeningsConfig>,
}

/// `[openings]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningsConfig {
    /// Absolute or relative to the working folder; the file's own folder is already joined.
    pub file: PathBuf,
    /// Which line a game begins with.
    pub order: OpeningOrder,
}

/// Which line of an openings file a game begins with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpeningOrder {
    /// One that is drawn.
    Random,
    /// The lines one after the other, over and over.
    Sequential,
}

impl OpeningOrder {
    /// As written in config.toml and in the output.
    pub const fn name(self) -> &'static str {
        match self {
            OpeningOrder::Random => "random",
            OpeningOrder::Sequential => "sequential",
        }
    }
}

/// How positions are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Random playouts.
    Normal,
    /// Every position of a phase.
    AllPositions,
}

impl Mode {
    /// As written in config.toml and in the output.
    pub const fn name(self) -> &'static str {
        match self {
            Mode::Normal => "normal",
            Mode::AllPositions => "all_positions",
        }
    }
}

/// `[label] value`: what a sample's value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LabelValue {
    /// The final difference of its game.
    #[default]
    Result,
    /// What the engine's search said of the position.
    Score,
}

impl LabelValue {
    /// Both.
    pub const ALL: [LabelValue; 2] = [LabelValue::Result, LabelValue::Score];

    /// As written in config.toml and in the output.
    pub const fn name(self) -> &'static str {
        match self {
            LabelValue::Result => "result",
            LabelValue::Score => "score",
        }
    }
}

/// What decides in which of the three files a sample is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum SplitBy {
    /// A fixed hash of the game: samples that share their ending are in one file.
    Game,
    /// A fixed hash of the position alone.
    Position,
}

impl SplitBy {
    /// As written in config.toml, on the command line and in the output.
    pub const fn name(self) -> &'static str {
        match self {
            SplitBy::Game => "game",
            SplitBy::Position => "position",
        }
    }
}

/// Shares that sum to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SplitRatios {
    /// Share of train.rd, 0..=1.
    pub train: f64,
    /// Share of valid.rd, 0..=1.
    pub valid: f64,
    /// Share of test.rd, 0..=1.
    pub test: f64,
}

impl Default for SplitRatios {
    fn default() -> SplitRatios {
        SplitRatios {
            train: 0.98,
            valid: 0.01,
            test: 0.01,
        }
    }
}

/// `[playout]`.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayoutConfig {
    /// Chance 0..=1 that a move before the phase is the engine's.
    pub ai_probability: f64,
    /// Give up after samples × this many games; ≥ 1.
    pub max_attempts_multiplier: u64,
    /// `Some` exactly when `ai_probability` > 0.
    pub ai: Option<AiConfig>,
    /// Games are thrown away whose anchor the embedded engine scores beyond ± this many discs, 0..=64.
    pub max_score: Option<u8>,
}

/// `[self_play]`.
#[derive(Clone, PartialEq, Debug)]
pub struct SelfPlayConfig {
    /// Worker threads, ≥ 1; 0 in the file has become the number of CPUs.
    pub workers: usize,
    /// Restarts of a failed game.
    pub retries: u32,
    /// Whether each worker and its engine share one CPU.
    pub affinity: Affinity,
    /// With this many empty squares or fewer the embedded solver plays perfectly for both sides,
    /// 0..=24; 0: never.
    pub solve_from: u8,
    /// Who plays.
    pub ai: AiConfig,
}

/// Whether a worker and its engine are pinned to one CPU.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Affinity {
    /// While it pays.
    Auto,
    /// Always.
    On,
    /// Never.
    Off,
}

/// `[playout.ai]` or `[self_play.ai]`: what the dataset's configuration says of an engine. `None`
/// leaves the choice to the engine's entry in app.toml.
#[derive(Clone, PartialEq, Debug)]
pub struct AiConfig {
    /// An `[engines.<name>]` of app.toml.
    pub name: String,
    /// Playing strength.
    pub level: Option<u32>,
    /// Threads of one engine process, ≥ 1.
    pub threads: Option<u32>,
    /// Deadline of one move.
    pub timeout: Option<Duration>,
    /// Where its keys stand.
    pub lines: Lines,
}

/// `[window]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WindowConfig {
    /// Phases per game, ≥ 1.
    pub size: u8,
}

/// app.toml.
#[derive(Clone, PartialEq, Debug)]
pub struct AppConfig {
    /// Where it was read from.
    pub path: PathBuf,
    /// SHA-256 of the file's bytes, lower-case hex.
    pub sha256: String,
    /// When engines are set up.
    pub setup: SetupPolicy,
    /// The log file.
    pub log: LogConfig,
    /// The registry, by name.
    pub engines: BTreeMap<String, EngineEntry>,
}

/// When `make setup-<engine>` is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetupPolicy {
    /// When a file of an engine in use is missing.
    Missing,
    /// At every start.
    Always,
    /// Never.
    Off,
}

/// `[log]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogConfig {
    /// Absent: no log file.
    pub file: Option<PathBuf>,
    /// Size at which the file is rotated, in MiB, ≥ 1.
    pub max_size_mb: u64,
    /// Rotated generations kept.
    pub max_files: u32,
}

/// One `[engines.<name>]`.
#[derive(Clone, PartialEq, Debug)]
pub struct EngineEntry {
    /// The `<name>`, `[A-Za-z0-9_-]+`.
    pub name: String,
    /// How it is driven.
    pub kind: EngineKind,
    /// `Some` for every kind but `builtin`.
    pub binary: Option<PathBuf>,
    /// Evaluation data.
    pub eval_file: Option<PathBuf>,
    /// Default level.
    pub level: Option<u32>,
    /// Time for a move in place of a level.
    pub move_time: Option<Duration>,
    /// Default threads, ≥ 1.
    pub threads: Option<u32>,
    /// Default deadline of one move.
    pub timeout: Option<Duration>,
    /// Deadline of start-up; absent: 60 s.
    pub startup_timeout: Option<Duration>,
    /// Extra command-line words.
    pub args: Vec<String>,
    /// Working folder; absent: the binary's.
    pub dir: Option<PathBuf>,
    /// Variables added to its environment.
    pub env: BTreeMap<String, String>,
    /// Settings of the kind, as written; strings that name existing files are already resolved.
    pub options: BTreeMap<String, OptionValue>,
    /// Where its keys stand.
    pub lines: Lines,
}

impl EngineEntry {
    /// An entry that says nothing but this.
    pub fn new(name: &str, kind: EngineKind) -> EngineEntry {
        EngineEntry {
            name: name.to_owned(),
            kind,
            binary: None,
            eval_file: None,
            level: None,
            move_time: None,
            threads: None,
            timeout: None,
            startup_timeout: None,
            args: Vec::new(),
            dir: None,
            env: BTreeMap::new(),
            options: BTreeMap::new(),
            lines: Lines::default(),
        }
    }
}

/// Lines (from 1) of a table's keys in its file, for messages. Takes no part in comparisons.
#[derive(Clone, Debug, Default)]
pub struct Lines(pub(super) BTreeMap<String, usize>);

impl PartialEq for Lines {
    fn eq(&self, _: &Lines) -> bool {
        true
    }
}

impl Eq for Lines {}

/// A value in an engine's `options` table.
#[derive(Clone, PartialEq, Debug)]
pub enum OptionValue {
    /// `true`, `false`.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A number.
    Float(f64),
    /// A text.
    Text(String),
}

/// An engine as a run uses it: its entry in app.toml with what the dataset's configuration (or a
/// command line) says on top. This is what an engine is started from.
#[derive(Clone, PartialEq, Debug)]
pub struct EngineSpec {
    /// The entry.
    pub entry: EngineEntry,
    /// Playing strength; 0 where the engine is told none.
    pub level: u32,
    /// Whether it is told its level.
    pub has_level: bool,
    /// Time for a move, which the engine uses in place of a level.
    pub move_time: Option<Duration>,
    /// Threads of one process, ≥ 1.
    pub threads: u32,
    /// Deadline of one move.
    pub timeout: Duration,
    /// Deadline of start-up.
    pub startup_timeout: Duration,
    /// What the embedded engine plays for. Others play by the standard rule, whatever stands here.
    pub score_rule: ScoreRule,
}

impl EngineSpec {
    /// The engine at this level, with one thread and the usual deadlines.
    pub fn new(entry: EngineEntry, level: u32) -> EngineSpec {
        EngineSpec {
            entry,
            level,
            has_level: true,
            move_time: None,
            threads: 1,
            timeout: super::DEFAULT_SELF_PLAY_TIMEOUT,
            startup_timeout: super::DEFAULT_STARTUP_TIMEOUT,
            score_rule: ScoreRule::WinnerTakesEmpties,
        }
    }

    /// Its name, with its level or time where it is told one.
    pub fn title(&self) -> String {
        match (self.move_time, self.has_level) {
            (Some(time), _) => format!("{} {} a move", self.entry.name, format_duration(time)),
            (None, true) => format!("{} level {}", self.entry.name, self.level),
            (None, false) => self.entry.name.clone(),
        }
    }

    /// The same with a time for each move.
    ///
    /// # Errors
    /// One message, for an engine that cannot be told one.
    pub fn with_move_time(mut self, time: Duration) -> Result<EngineSpec, String> {
        let kind = self.entry.kind;
        if !kind.plays_by_time() {
            return Err(no_move_time(&self.entry.name, kind));
        }
        if time.is_zero() {
            return Err(format!(
                "the time for a move of engine `{}` must be above 0",
                self.entry.name
            ));
        }
        (self.level, self.has_level, self.move_time) = (0, false, Some(time));
        Ok(self)
    }

    /// The same at another level.
    ///
    /// # Errors
    /// One message, for a level that it does not have or cannot be told.
    pub fn at_level(mut self, level: u32) -> Result<EngineSpec, String> {
        let kind = self.entry.kind;
        if let Some(most) = kind.highest_level().filter(|&most| level > most) {
            return Err(format!(
                "engine `{}` (kind `{}`) has no level {level}; choose 0 to {most}",
                self.entry.name,
                kind.name()
            ));
        }
        if !kind.passes(&self.entry, Setting::Level) {
            let what = format!("level {level}");
            return Err(super::spec::unreached(&what, &self.entry, Setting::Level));
        }
        (self.level, self.has_level, self.move_time) = (level, true, None);
        Ok(self)
    }

    /// The level that it is told.
    pub fn told_level(&self) -> Option<u32> {
        self.has_level.then_some(self.level)
    }

    /// The number of threads that it is told.
    pub fn told_threads(&self) -> Option<u32> {
        let is_told = self.entry.kind.passes(&self.entry, Setting::Threads);
        is_told.then_some(self.threads)
    }
}

/// Why an engine of this kind gets a level and no time.
pub(super) fn no_move_time(name: &str, kind: EngineKind) -> String {
    format!(
        "engine `{name}` (kind `{}`) cannot be told a time for its moves; only the embedded engine \
         can. Give it a level",
        kind.name()
    )
}
