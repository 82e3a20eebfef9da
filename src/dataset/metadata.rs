//! `metadata.json`: how a phase was made.

use super::DatasetError;
use super::import::ImportSettings;
use super::json::read_schema;
use super::label::{LabelKind, Labelled};
use super::record::{FORMAT, MAGIC, RECORD_SIZE, RECORD_SPEC};
use super::split::{SPLIT_METHOD, Split};
use crate::board::ScoreRule;
use crate::config::{SplitBy, SplitRatios};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Name of the file's form.
pub const METADATA_SCHEMA: &str = "rdg_phase_metadata_v1";

/// Values are own − opponent; empty squares count for nobody.
pub const PLAIN_DISC_DIFFERENCE: &str = "plain_disc_difference";

/// Values where the winner of a finished game gets the empty squares.
pub const WINNER_TAKES_EMPTIES: &str = "winner_takes_empties";

/// As metadata.json writes a rule; [`super::value_rules::score_rule`] reads it.
pub const fn score_rule_name(rule: ScoreRule) -> &'static str {
    match rule {
        ScoreRule::Plain => PLAIN_DISC_DIFFERENCE,
        ScoreRule::WinnerTakesEmpties => WINNER_TAKES_EMPTIES,
    }
}

/// How positions were found: `mode` of the files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DataMode {
    /// Random playouts.
    Normal,
    /// Every position of a phase.
    AllPositions,
    /// Games that others played.
    Import,
    /// Datasets that have no games in common.
    Merge,
    /// Data of unknown origin that went through `rdg label`.
    Label,
}

impl From<crate::config::Mode> for DataMode {
    fn from(mode: crate::config::Mode) -> DataMode {
        match mode {
            crate::config::Mode::Normal => DataMode::Normal,
            crate::config::Mode::AllPositions => DataMode::AllPositions,
        }
    }
}

impl DataMode {
    /// As the files write it.
    pub const fn name(self) -> &'static str {
        match self {
            DataMode::Normal => "normal",
            DataMode::AllPositions => "all_positions",
            DataMode::Import => "import",
            DataMode::Merge => "merge",
            DataMode::Label => "label",
        }
    }
}

/// What one game gives: `generation` of the files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Generation {
    /// One sample.
    Phase,
    /// A sample for each phase of a window.
    Window,
    /// A sample for each move of a played game.
    Import,
    /// Samples of several datasets.
    Merge,
    /// Nobody knows: the data came without metadata to `rdg label`.
    Label,
}

/// A value that is there, be it `null`.
fn present<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Option<bool>>, D::Error> {
    Option::deserialize(value).map(Some)
}

/// metadata.json. What does not apply is `None` and absent from the file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Metadata {
    /// [`METADATA_SCHEMA`].
    pub schema: String,
    /// How positions were found.
    pub mode: DataMode,
    /// What one game gives.
    pub generation: Generation,
    /// Discs − 4.
    pub phase: u8,
    /// [`FORMAT`].
    pub format: String,
    /// The header of the files.
    pub record_magic: String,
    /// Bytes of a record.
    pub record_size_bytes: u64,
    /// The record in words.
    pub record_spec: String,
    /// config.toml.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config_path: Option<String>,
    /// SHA-256 of its bytes, hex.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config_sha256: Option<String>,
    /// Hash of what decides this phase's data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config_effective_hash: Option<String>,
    /// [`PLAIN_DISC_DIFFERENCE`] or [`WINNER_TAKES_EMPTIES`].
    pub score_rule: String,
    /// What the values are; absent: results of games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<LabelKind>,
    /// How values were put in place of others, where they were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labelled: Option<Labelled>,
    /// Phase + 4.
    pub discs: u32,
    /// Ply (moves from the start position, passes not counted) where random play ended and the
    /// engine took over: the phase, or the anchor of its window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub random_plies: Option<u8>,
    /// Games were thrown away whose position at `random_plies` the embedded engine scored beyond ± this
    /// many discs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_score: Option<u8>,
    /// The lines that games began with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<OpeningsSection>,
    /// With this many empty squares or fewer the embedded solver played for both sides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solve_from: Option<u8>,
    /// Whether the same seed gives the same bytes; `null` in the file, `Some(None)`, where that is
    /// not known.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub reproducible: Option<Option<bool>>,
    /// Why it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reproducible_reason: Option<String>,
    /// app.toml.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub app_config_path: Option<String>,
    /// SHA-256 of its bytes, hex.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub app_config_sha256: Option<String>,
    /// Who played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<EngineSection>,
    /// Which programs they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine_identity: Option<EngineIdentitySection>,
    /// This program.
    #[serde(flatten)]
    pub generator: Generator,
    /// Shares of the three files.
    pub split: SplitSection,
    /// What decides the split. Absent in older data: the position, or the import's `split_by`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split_by: Option<SplitBy>,
    /// [`SPLIT_METHOD`], [`super::split::SPLIT_BY_ANCHOR`], or the import's rule.
    pub split_method: String,
    /// Master seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples_per_phase: Option<u64>,
    /// The window that the phase belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<WindowSection>,
    /// Settings and sources of an import.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub import: Option<ImportSettings>,
    /// Names of the files, beside this one.
    pub output_files: OutputFiles,
    /// When this file was written, RFC 3339.
    pub generated_at: String,
}

/// `openings`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpeningsSection {
    /// The file.
    pub file: String,
    /// SHA-256 of its start positions and moves, hex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// `random` or `sequential`.
    pub order: String,
}

impl Metadata {
    /// With everything that is the same for every phase of this version; the rest is absent.
    pub fn new(mode: DataMode, generation: Generation, phase: u8, split: &SplitRatios) -> Metadata {
        Metadata {
            schema: METADATA_SCHEMA.to_owned(),
            mode,
            generation,
            phase,
            format: FORMAT.to_owned(),
            record_magic: String::from_utf8_lossy(MAGIC).into_owned(),
            record_size_bytes: RECORD_SIZE as u64,
            record_spec: RECORD_SPEC.to_owned(),
            config_path: None,
            config_sha256: None,
            config_effective_hash: None,
            score_rule: PLAIN_DISC_DIFFERENCE.to_owned(),
            label: None,
            labelled: None,
            discs: u32::from(phase) + 4,
            random_plies: None,
            max_score: None,
            openings: None,
            solve_from: None,
            reproducible: None,
            reproducible_reason: None,
            app_config_path: None,
            app_config_sha256: None,
            engine: None,
            engine_identity: None,
            generator: Generator::default(),
            split: SplitSection::from(split),
            split_by: None,
            split_method: SPLIT_METHOD.to_owned(),
            seed: None,
            samples_per_phase: None,
            window: None,
            import: None,
            output_files: OutputFiles::default(),
            generated_at: crate::base::clock::now(),
        }
    }

    /// Reads the file.
    pub fn read(path: &Path) -> Result<Metadata, DatasetError> {
        read_schema(path, METADATA_SCHEMA)
    }
}

/// `generator_…`: the program that made the data.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Generator {
    /// Version of rdg.
    #[serde(rename = "generator_version")]
    pub version: String,
    /// Its commit, empty when unknown.
    #[serde(rename = "generator_commit")]
    pub commit: String,
    /// Whether its sources had changes on top of the commit.
    #[serde(rename = "generator_dirty")]
    pub dirty: bool,
    /// Whether `generator_dirty` is known at all.
    #[serde(rename = "generator_dirty_known")]
    pub dirty_known: bool,
}

/// `engine`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EngineSection {
    /// Who plays moves before the phase, where anybody does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub playout: Option<EngineSettings>,
    /// Who plays the games.
    pub self_play: EngineSettings,
}

/// An engine as it was asked to play.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EngineSettings {
    /// Its name in app.toml.
    pub name: String,
    /// Playing strength, where it was told one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u32>,
    /// Threads per process, where it was told how many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
    /// Deadline of one move, as durations are written: `300s`.
    pub timeout: String,
}

/// `engine_identity`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct EngineIdentitySection {
    /// By name in app.toml.
    pub engines: BTreeMap<String, EngineFingerprint>,
}

/// Which program an engine is.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct EngineFingerprint {
    /// Upstream revision, where it is known.
    pub engine_ref: Option<String>,
    /// SHA-256 of the program, hex.
    pub engine_binary_sha256: Option<String>,
    /// SHA-256 of its evaluation data, hex.
    pub eval_file_sha256: Option<String>,
}

/// `split` of metadata.json: the shares.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct SplitSection {
    /// Share of train.rd.
    pub train: f64,
    /// Share of valid.rd.
    pub valid: f64,
    /// Share of test.rd.
    pub test: f64,
}

impl From<&SplitRatios> for SplitSection {
    fn from(ratios: &SplitRatios) -> SplitSection {
        SplitSection {
            train: ratios.train,
            valid: ratios.valid,
            test: ratios.test,
        }
    }
}

impl From<SplitSection> for SplitRatios {
    fn from(section: SplitSection) -> SplitRatios {
        SplitRatios {
            train: section.train,
            valid: section.valid,
            test: section.test,
        }
    }
}

/// `window` of metadata.json.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WindowSection {
    /// Phases per game.
    pub size: u8,
    /// First phase of this phase's window, where random play ends.
    pub anchor: u8,
    /// The configured phases in it.
    pub phases: Vec<u8>,
}

/// `output_files`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OutputFiles {
    /// `train.rd`.
    pub train: String,
    /// `valid.rd`.
    pub valid: String,
    /// `test.rd`.
    pub test: String,
}

impl Default for OutputFiles {
    fn default() -> OutputFiles {
        OutputFiles {
            train: Split::Train.file_name().to_owned(),
            valid: Split::Valid.file_name().to_owned(),
            test: Split::Test.file_name().to_owned(),
        }
    }
}

/// A path as the JSON files write it; bytes that are no text are replaced.
pub fn path_text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
