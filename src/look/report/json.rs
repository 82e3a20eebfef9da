//! The report for programs.

use super::gather::{Dataset, Report};
use crate::dataset::damage::Damage;
use crate::dataset::metadata::path_text;
use crate::look::inspect::{Wanted, object as inspected};
use crate::look::neighbours::Neighbours;
use serde_json::{Value, json};

/// Name and version of the schema.
pub(super) const SCHEMA: &str = "rdg_report_v1";

/// All numbers of the page. What `rdg inspect --json` says stands under `inspected`, unchanged.
pub(crate) fn object(report: &Report) -> Value {
    json!({
        "schema": SCHEMA,
        "sound": report.is_sound(),
        "datasets": report.datasets.iter().map(dataset).collect::<Vec<_>>(),
        "attachments": report.attachments.iter().map(|attachment| json!({
            "kind": attachment.kind,
            "path": path_text(&attachment.path),
            "value": attachment.value,
        })).collect::<Vec<_>>(),
    })
}

fn dataset(dataset: &Dataset) -> Value {
    let inspection = dataset.inspection.iter();
    let mut said = inspection.map(|inspection| {
        inspected(
            std::slice::from_ref(inspection),
            Wanted::Summary,
            &inspection.damage,
        )
    });
    json!({
        "path": path_text(&dataset.path),
        "inspected": said.next().map(|said| said["inspected"][0].clone()),
        "stats": dataset.stats.iter().map(|stats| json!({
            "phase": stats.phase,
            "attempts": stats.attempts,
            "duplicate_positions": stats.duplicate_positions,
            "duplicate_rate": stats.duplicate_rate,
            "ended_early": stats.ended_early,
            "unbalanced": stats.unbalanced,
            "failed_attempts": stats.failed_attempts,
        })).collect::<Vec<_>>(),
        "neighbours": dataset.neighbours.iter().map(Neighbours::json).collect::<Vec<_>>(),
        "samples": dataset.samples.iter().map(|sample| json!({
            "path": path_text(&sample.path),
            "record": sample.number,
            "own": sample.record.board.own,
            "opponent": sample.record.board.opponent,
            "value": sample.record.value,
        })).collect::<Vec<_>>(),
        "damage": dataset.damage.iter().map(Damage::json).collect::<Vec<_>>(),
    })
}
