//! A comparison for programs.

use super::text::NAMES;
use super::{Comparison, Counts, FILES, Side, SideFacts, place};
use crate::dataset::damage::Damage;
use crate::look::neighbours::Neighbours;
use serde_json::{Map, Value, json};

/// Name and version of the schema.
pub(super) const SCHEMA: &str = "rdg_overlap_v1";

/// The whole comparison. Positions are counted up to symmetry, each once. What needs two sides is
/// null where one was named.
pub fn object(comparison: &Comparison) -> Value {
    let total = comparison.total();
    let is_two = comparison.b.is_some();
    let phases: Vec<Value> = comparison
        .phases
        .iter()
        .map(|(phase, counts)| {
            let mut object = self::counts(counts, is_two);
            object["phase"] = json!(phase);
            object
        })
        .collect();
    let side = |facts: &SideFacts| {
        json!({
            "path": facts.path.to_string_lossy(),
            "files": facts.files,
            "records": facts.records,
            "one_move_away": facts.neighbours.iter().map(Neighbours::json).collect::<Vec<_>>(),
        })
    };
    json!({
        "schema": SCHEMA,
        "sound": comparison.damage.is_empty(),
        "a": side(&comparison.a),
        "b": comparison.b.as_ref().map(side),
        "total": counts(&total, is_two),
        "phases": phases,
        "phases_only_in_a": is_two.then(|| comparison.only_in(Side::A)),
        "phases_only_in_b": is_two.then(|| comparison.only_in(Side::B)),
        "damage": comparison.damage.iter().map(Damage::json).collect::<Vec<_>>(),
    })
}

/// `shared_by_file` and `within_…` have for each file of the one side the positions that it shares
/// with each file of the other, or with another of the same.
fn counts(counts: &Counts, is_two: bool) -> Value {
    let side = |side: Side| {
        let files = (0..FILES).map(|file| {
            let place = place(side, file);
            (NAMES[file].to_owned(), json!(counts.in_both(place, place)))
        });
        json!({
            "records": counts.records(side),
            "positions": counts.positions(side),
            "positions_by_file": files.collect::<Map<_, _>>(),
            "within": table(counts, side, side),
        })
    };
    let shared = counts.shared();
    let share = |side| match counts.positions(side) {
        0 => None,
        positions => Some(shared as f64 / positions as f64),
    };
    match is_two {
        true => json!({
            "a": side(Side::A),
            "b": side(Side::B),
            "shared": shared,
            "shared_share_of_a": share(Side::A),
            "shared_share_of_b": share(Side::B),
            "shared_by_file": table(counts, Side::A, Side::B),
            "crossed": counts.crossed(),
        }),
        false => json!({ "a": side(Side::A) }),
    }
}

fn table(counts: &Counts, lines: Side, columns: Side) -> Value {
    let line = |line: usize| -> Map<String, Value> {
        (0..FILES)
            .filter(|&column| lines != columns || line != column)
            .map(|column| {
                let n = counts.in_both(place(lines, line), place(columns, column));
                (NAMES[column].to_owned(), json!(n))
            })
            .collect()
    };
    let lines = (0..FILES).map(|file| (NAMES[file].to_owned(), Value::Object(line(file))));
    Value::Object(lines.collect())
}
