//! Checkups for programs.

use super::checkup::Checkup;
use super::circumstances::Circumstances;
use super::finding::Finding;
use crate::base::shown::Shown;
use serde_json::{Value, json};
use std::time::Duration;

/// Name of the form of the JSON.
pub(super) const DOCTOR_SCHEMA: &str = "rdg_doctor_v1";

/// Everything about all engines. Times are seconds, memory is bytes; what is not known is null.
pub(crate) fn json(checkups: &[Checkup], circumstances: &Circumstances) -> Value {
    let machine = &circumstances.machine;
    let needed_are_usable = checkups
        .iter()
        .all(|checkup| checkup.is_usable() || !checkup.patient.is_needed());
    json!({
        "schema": DOCTOR_SCHEMA,
        "usable": needed_are_usable,
        "machine": {
            "cpus": machine.cpus,
            "cpu_level": circumstances.cpu.level,
            "cpu_lacks": circumstances.cpu.missing,
            "available_memory_bytes": machine.available_memory,
        },
        "workers": circumstances.workers,
        "engines": checkups.iter().map(engine).collect::<Vec<_>>(),
    })
}

fn engine(checkup: &Checkup) -> Value {
    let spec = &checkup.patient.spec;
    let seconds = |time: Duration| time.as_secs_f64();
    let roles: Vec<&str> = checkup
        .patient
        .roles
        .iter()
        .map(|role| role.name())
        .collect();
    json!({
        "name": spec.entry.name,
        "kind": spec.entry.kind.name(),
        "level": spec.told_level(),
        "threads": spec.threads,
        "timeout_seconds": seconds(spec.timeout),
        "used_for": roles,
        "needed": checkup.patient.is_needed(),
        "usable": checkup.is_usable(),
        "identity": checkup.identity,
        "start_seconds": checkup.starts.iter().copied().map(seconds).collect::<Vec<_>>(),
        "moves": checkup.speed.as_ref().map(|speed| json!({
            "whole_games": speed.whole_games,
            "timed": speed.moves,
            "median_seconds": seconds(speed.median),
            "worst_seconds": seconds(speed.worst),
            "games_per_second": speed.games_per_second(),
        })),
        "repeats": checkup.repeats.as_ref().map(|repeats| json!({
            "games": repeats.games,
            "differing_in_the_same_process": repeats.differing_warm,
            "differing_in_a_new_process": repeats.differing_cold,
            "example": repeats.example,
        })),
        "memory": checkup.memory.map(|memory| json!({
            "bytes": memory.bytes,
            "measured": memory.is_measured,
            "all_workers_bytes": memory.all_workers,
        })),
        "findings": checkup.findings.iter().map(finding).collect::<Vec<_>>(),
    })
}

fn finding(finding: &Finding) -> Value {
    json!({
        "check": finding.check.name(),
        "verdict": finding.verdict.name(),
        "text": finding.text.shown().to_string(),
        "advice": finding.advice,
    })
}
