//! The JSON files of a labelled dataset: those of the input, with the new values.

use super::input::InputPhase;
use super::state::LabelState;
use crate::base::{clock, version};
use crate::config::SplitRatios;
use crate::dataset::DatasetError;
use crate::dataset::counters::{Counters, ValueHistogram};
use crate::dataset::json::write_json;
use crate::dataset::label::Labelled;
use crate::dataset::layout::{PhaseDir, summary_path};
use crate::dataset::metadata::{DataMode, Generation, Generator, Metadata, score_rule_name};
use crate::dataset::stats::{PhaseStats, SplitCounts, StatsFacts, ValueStats};
use crate::dataset::summary::Summary;
use crate::engine::launch::doubt;
use std::path::Path;

/// Name of the split of data that does not say how it was split.
const UNKNOWN_SPLIT: &str = "as_found";

/// Writes metadata.json and stats.json of a finished phase.
pub(super) fn write_phase(
    dir: &PhaseDir,
    of: &InputPhase,
    state: &LabelState,
    kept: bool,
    records: [u64; 3],
    values: &ValueHistogram,
) -> Result<PhaseStats, DatasetError> {
    let counts = SplitCounts::from(records);
    let stats = stats(of, state, counts, values);
    let mut metadata = of.metadata.clone().unwrap_or_else(|| {
        let total = counts.total().max(1) as f64;
        let [train, valid, test] = records.map(|n| n as f64 / total);
        let shares = match counts.total() {
            0 => SplitRatios::default(),
            _ => SplitRatios { train, valid, test },
        };
        let mut metadata = Metadata::new(DataMode::Label, Generation::Label, of.phase, &shares);
        metadata.split_method = UNKNOWN_SPLIT.to_owned();
        metadata.score_rule = score_rule_name(of.rule).to_owned();
        metadata.generator = Generator {
            version: version::GENERATOR_VERSION.to_owned(),
            commit: version::GENERATOR_COMMIT.unwrap_or_default().to_owned(),
            dirty: version::GENERATOR_DIRTY,
            dirty_known: version::GENERATOR_DIRTY_KNOWN,
        };
        metadata
    });
    let by = state.settings.by.clone();
    if !kept {
        metadata.label = Some(by.label);
        match (by.reproducible, metadata.reproducible) {
            (Some(false), _) => {
                metadata.reproducible = Some(Some(false));
                metadata.reproducible_reason = None;
            }
            (None, Some(Some(true))) => {
                let engine = by.engine.as_deref().unwrap_or_default();
                metadata.reproducible = Some(None);
                metadata.reproducible_reason = Some(doubt(engine));
            }
            _ => {}
        }
    }
    metadata.labelled = Some(Labelled {
        kept,
        by,
        empties: state.settings.empties,
        input: state.input.clone(),
        inputs_sha256: state.settings.inputs_sha256(),
        generator_version: version::GENERATOR_VERSION.to_owned(),
        labelled_at: clock::now(),
    });
    write_json(&dir.stats(), &stats)?;
    write_json(&dir.metadata(), &metadata)?;
    Ok(stats)
}

/// What is said of the games that the positions are from stays true.
fn stats(
    of: &InputPhase,
    state: &LabelState,
    records: SplitCounts,
    values: &ValueHistogram,
) -> PhaseStats {
    let mut stats = of.stats.clone().unwrap_or_else(|| {
        let made = of.metadata.as_ref();
        let facts = StatsFacts {
            mode: made.map_or(DataMode::Label, |m| m.mode),
            generation: made.map_or(Generation::Label, |m| m.generation),
            phase: of.phase,
            started_at: state.started_at.clone(),
            finished_at: clock::now(),
            elapsed_seconds: state.elapsed_seconds,
            enumeration_seconds: 0.0,
            target_samples: records.total(),
            ai_probability: 0.0,
            records,
        };
        PhaseStats::from_counters(facts, &Counters::default())
    });
    stats.emitted_samples = records.total();
    stats.split = records;
    stats.value = ValueStats::from(values);
    stats
}

/// Writes summary.json.
pub(super) fn write_summary(
    output: &Path,
    state: &LabelState,
    phases: &[(&InputPhase, PhaseStats)],
) -> Result<(), DatasetError> {
    let made = phases
        .first()
        .and_then(|(input, _)| input.metadata.as_ref());
    let stats: Vec<PhaseStats> = phases.iter().map(|(_, stats)| stats.clone()).collect();
    let mut summary = Summary::new(
        made.map_or(DataMode::Label, |m| m.mode),
        made.map_or(Generation::Label, |m| m.generation),
        state.started_at.clone(),
        clock::now(),
        state.elapsed_seconds,
        &stats,
    );
    summary.seed = made.and_then(|m| m.seed);
    write_json(&summary_path(output), &summary)
}
