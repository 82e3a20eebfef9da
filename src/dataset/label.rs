//! What the values of a phase are, and who put them in place of others: `label` and `labelled` of
//! metadata.json.

use super::metadata::{EngineFingerprint, Metadata};
use serde::{Deserialize, Serialize};

/// Name of the file in the folder of a labelled dataset that tells how it was labelled.
pub(crate) const LABEL_FILE: &str = "label.json";

/// What a value is. Data that names none has [`LabelKind::Result`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LabelKind {
    /// The result of the game that the position is from.
    #[default]
    Result,
    /// What a search expected the result to be, rounded.
    Score,
    /// The result with best play by both sides.
    Exact,
}

impl LabelKind {
    /// As the files write it.
    pub const fn name(self) -> &'static str {
        match self {
            LabelKind::Result => "result",
            LabelKind::Score => "score",
            LabelKind::Exact => "exact",
        }
    }
}

/// Who gave values.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Labeller {
    /// What its values are.
    pub label: LabelKind,
    /// Its name in app.toml; absent for the solver.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// Its level, where it was told one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u32>,
    /// Revision of the embedded engine's search, where it is that engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<u32>,
    /// Which program it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<EngineFingerprint>,
    /// Whether it gives a position the same value every time; `null` where that is not known.
    pub reproducible: Option<bool>,
}

impl Labeller {
    /// For people: `best play`, `score of builtin level 8`.
    pub fn title(&self) -> String {
        match (&self.engine, self.level) {
            (None, _) => "value with best play".to_owned(),
            (Some(name), None) => format!("score of {name}"),
            (Some(name), Some(level)) => format!("score of {name} level {level}"),
        }
    }
}

/// `labelled` of metadata.json: the phase went through `rdg label`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Labelled {
    /// Whether the values are the old ones: the phase is outside of the range.
    pub kept: bool,
    /// Who gave the values of this phase, or of the others where these are kept.
    pub by: Labeller,
    /// Positions with so many empty squares got new values, from the first to the last number.
    pub empties: [u8; 2],
    /// The dataset with the old values.
    pub input: String,
    /// SHA-256 over the SHA-256 digests (32 bytes each) of its files in the order of reading, hex.
    pub inputs_sha256: String,
    /// Version of rdg that did it.
    pub generator_version: String,
    /// When, RFC 3339.
    pub labelled_at: String,
}

impl Metadata {
    /// What the values are.
    pub fn label(&self) -> LabelKind {
        self.label.unwrap_or_default()
    }
}
