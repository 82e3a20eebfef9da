//! What `rdg label --compare --json` (or `rdg label --json`) says.

use super::attach::Attachment;
use serde_json::Value;

/// Old values against new ones.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct LabelErrors {
    /// Who gave the new ones.
    pub against: String,
    /// In the order of the file; phases without positions are left out.
    pub phases: Vec<LabelError>,
    /// Over all phases.
    pub all: Option<LabelError>,
}

/// Of one phase or of all.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct LabelError {
    /// Discs − 4; 0 for all phases.
    pub phase: f64,
    /// Positions.
    pub n: u64,
    /// Mean difference, discs.
    pub mean: f64,
    /// Mean absolute error, discs.
    pub mae: f64,
    /// Root of the mean squared error, discs.
    pub rmse: f64,
    /// Share of equal values, 0..=1.
    pub equal: f64,
}

impl LabelErrors {
    /// `None` for a file of another form.
    pub(super) fn of(attachment: &Attachment) -> Option<LabelErrors> {
        let object = &attachment.value;
        let schema = object["schema"].as_str()?;
        if !["rdg_label_compare_v1", "rdg_label_v1"].contains(&schema) {
            return None;
        }
        let by = &object["by"];
        let against = match (by["engine"].as_str(), by["level"].as_u64()) {
            (None, _) => "value with best play".to_owned(),
            (Some(engine), None) => format!("score of {engine}"),
            (Some(engine), Some(level)) => format!("score of {engine} level {level}"),
        };
        let phases = object["phases"].as_array()?.iter();
        Some(LabelErrors {
            against,
            phases: phases.filter_map(error).collect(),
            all: error(&object["all"]),
        })
    }
}

fn error(object: &Value) -> Option<LabelError> {
    Some(LabelError {
        phase: object["phase"].as_f64().unwrap_or(0.0),
        n: object["n"].as_u64()?,
        mean: object["mean"].as_f64()?,
        mae: object["mae"].as_f64()?,
        rmse: object["rmse"].as_f64()?,
        equal: object["share_equal"].as_f64()?,
    })
}
