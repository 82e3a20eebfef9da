//! How wrong labels are and what they cost: the embedded engine's labels of solved positions at each
//! level, against their true values.

mod markdown;
mod measure;
pub(crate) mod sets;

pub(crate) use markdown::markdown;
pub(crate) use measure::{SetTable, measure};

use serde_json::{Value, json};

/// Levels of the table.
pub(crate) const LEVELS: std::ops::RangeInclusive<u32> = 1..=10;

/// Where the solver takes over in the games that are finished by it.
pub(crate) const SOLVE_FROM: u8 = 14;

/// For programs, schema `rdg_label_bench_v1`.
pub(crate) fn to_json(tables: &[SetTable], positions: usize) -> Value {
    json!({
        "schema": "rdg_label_bench_v1",
        "generator_version": crate::base::version::GENERATOR_VERSION,
        "revision": crate::engine::builtin::REVISION,
        "cpu": crate::board::cpu::name(),
        "score_rule": crate::board::ScoreRule::WinnerTakesEmpties.name(),
        "solve_from": SOLVE_FROM,
        "positions_per_set": positions,
        "sets": tables.iter().map(|table| json!({
            "openings": table.openings.name(),
            "rows": table.cells,
        })).collect::<Vec<_>>(),
    })
}
