//! Inspections for programs.

use super::{FileView, Inspection, Measured, PhaseView, Sample, Wanted, facts};
use crate::board::{Color, Squares};
use crate::dataset::damage::Damage;
use crate::dataset::record::{FORMAT, MAGIC, RECORD_SIZE};
use crate::dataset::tree::TreeKind;
use serde_json::{Map, Value, json};

/// Name and version of the schema.
pub(super) const SCHEMA: &str = "rdg_inspect_v1";

/// Everything: what was found at each path, and all damage, which includes paths where nothing was
/// found.
pub fn object(inspections: &[Inspection], wanted: Wanted, damage: &[Damage]) -> Value {
    let mut object = json!({
        "schema": SCHEMA,
        "sound": damage.is_empty(),
        "inspected": inspections.iter().map(|i| inspection(i, wanted)).collect::<Vec<_>>(),
        "damage": damage.iter().map(Damage::json).collect::<Vec<_>>(),
    });
    if let Wanted::Sample { seed, .. } = wanted {
        object["seed"] = json!(seed);
    }
    object
}

fn inspection(inspection: &Inspection, wanted: Wanted) -> Value {
    let mut object = json!({
        "path": inspection.path.to_string_lossy(),
        "kind": match inspection.kind {
            TreeKind::File => "file",
            TreeKind::Phase => "phase",
            TreeKind::Dataset => "dataset",
        },
        "format": FORMAT,
        "record_magic": String::from_utf8_lossy(MAGIC),
        "record_size_bytes": RECORD_SIZE,
        "files": inspection.files().count(),
        "records": inspection.records(),
        "bytes": inspection.files().map(|file| file.bytes).sum::<u64>(),
    });
    match wanted {
        Wanted::Summary => {
            object["total"] = measured(&inspection.measured());
            object["phases"] = inspection.phases.iter().map(phase).collect();
        }
        Wanted::Sample { .. } | Wanted::Record(_) => {
            object["samples"] = inspection.samples.iter().map(sample).collect();
        }
    }
    object
}

fn phase(phase: &PhaseView) -> Value {
    let [train, valid, test, other] = phase.split_sizes();
    let sums = phase.measured();
    json!({
        "phase": phase.phase,
        "discs": phase.phase.map(|phase| u32::from(phase) + 4),
        "records": sums.records,
        "split": {"train": train, "valid": valid, "test": test, "other": other},
        "total": measured(&sums),
        "metadata": phase.metadata.as_ref().map(facts::object),
        "files": phase.files.iter().map(file).collect::<Vec<_>>(),
    })
}

fn file(file: &FileView) -> Value {
    json!({
        "path": file.path.to_string_lossy(),
        "split": file.split.map(|split| split.name()),
        "records": file.records,
        "bytes": file.bytes,
        "total": file.measured.as_ref().map(measured),
    })
}

/// Sums over records; what is computed of values is null where there are none.
fn measured(measured: &Measured) -> Value {
    let sound = measured.sound();
    let share = |n: u64| (sound > 0).then(|| n as f64 / sound as f64);
    let histogram: Map<String, Value> = measured
        .values()
        .map(|(value, n)| (value.to_string(), json!(n)))
        .collect();
    let phases: Map<String, Value> = measured
        .phases()
        .map(|(phase, n)| (phase.to_string(), json!(n)))
        .collect();
    json!({
        "records": measured.records,
        "broken_records": measured.broken,
        "records_by_phase": phases,
        "value": {
            "min": measured.min(),
            "max": measured.max(),
            "mean": measured.mean(),
            "standard_deviation": measured.standard_deviation(),
            "histogram": histogram,
        },
        "must_pass": measured.must_pass,
        "must_pass_share": share(measured.must_pass),
        "game_over": measured.game_over,
        "game_over_share": share(measured.game_over),
    })
}

/// `position` has X for the side to move; it is null where both sides hold a square.
fn sample(sample: &Sample) -> Value {
    let board = sample.record.board;
    let is_board = board.own & board.opponent == 0;
    let moves: Option<Vec<String>> = is_board.then(|| {
        Squares(board.legal_moves())
            .map(|s| s.to_string())
            .collect()
    });
    json!({
        "path": sample.path.to_string_lossy(),
        "record": sample.number,
        "own": board.own,
        "opponent": board.opponent,
        "value": sample.record.value,
        "phase": board.phase(),
        "position": is_board.then(|| board.to_text(Color::Black)),
        "legal_moves": moves,
        "must_pass": is_board.then(|| board.must_pass()),
        "game_over": is_board.then(|| board.is_game_over()),
        "broken": sample.fault.map(|fault| fault.to_string()),
    })
}
