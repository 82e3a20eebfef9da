//! The JSON files of a merged dataset.

use super::MergedPhase;
use crate::base::{clock, version};
use crate::config::SplitRatios;
use crate::dataset::DatasetError;
use crate::dataset::counters::Counters;
use crate::dataset::json::write_json;
use crate::dataset::label::LabelKind;
use crate::dataset::layout::PhaseDir;
use crate::dataset::metadata::{DataMode, Generation, Generator, Metadata};
use crate::dataset::stats::{PhaseStats, SplitCounts, StatsFacts};
use crate::dataset::summary::Summary;
use std::path::Path;

/// Name of the split of merged data.
const SPLIT_METHOD: &str = "merged_test_valid_train_v1";

/// What the values of a phase mean.
pub(super) fn meaning(metadata: &Metadata) -> String {
    match metadata.label() {
        LabelKind::Result => metadata.score_rule.clone(),
        label => format!("{} ({})", metadata.score_rule, label.name()),
    }
}

/// Writes metadata.json and stats.json of a phase that was made of phases with this metadata.
pub(super) fn write_phase(
    dir: &PhaseDir,
    of: &[&Metadata],
    merged: &MergedPhase,
    started_at: &str,
    elapsed_seconds: f64,
) -> Result<PhaseStats, DatasetError> {
    let records = SplitCounts::from(merged.records);
    // What they had in common is still true; the shares are those that came out.
    let total = records.total().max(1) as f64;
    let shares = SplitRatios {
        train: merged.records[0] as f64 / total,
        valid: merged.records[1] as f64 / total,
        test: merged.records[2] as f64 / total,
    };
    let mut metadata = Metadata::new(DataMode::Merge, Generation::Merge, dir.phase(), &shares);
    if let Some(first) = of.first() {
        metadata.score_rule.clone_from(&first.score_rule);
        metadata.label = first.label;
    }
    metadata.split_method = SPLIT_METHOD.to_owned();
    let said = of.iter().map(|one| one.reproducible.flatten());
    let weakest = said.min_by_key(|said| match said {
        Some(false) => 0,
        None => 1,
        Some(true) => 2,
    });
    metadata.reproducible = weakest;
    if weakest == Some(None) {
        let reason = of.iter().find_map(|one| one.reproducible_reason.clone());
        metadata.reproducible_reason =
            reason.or_else(|| Some("one of the merged datasets does not say it".to_owned()));
    }
    metadata.generator = Generator {
        version: version::GENERATOR_VERSION.to_owned(),
        commit: version::GENERATOR_COMMIT.unwrap_or_default().to_owned(),
        dirty: version::GENERATOR_DIRTY,
        dirty_known: version::GENERATOR_DIRTY_KNOWN,
    };
    let facts = StatsFacts {
        mode: DataMode::Merge,
        generation: Generation::Merge,
        phase: dir.phase(),
        started_at: started_at.to_owned(),
        finished_at: clock::now(),
        elapsed_seconds,
        enumeration_seconds: 0.0,
        target_samples: records.total(),
        ai_probability: 0.0,
        records,
    };
    let counters = Counters {
        duplicate_positions: merged.duplicates,
        values: merged.values.clone(),
        ..Counters::default()
    };
    let stats = PhaseStats::from_counters(facts, &counters);
    write_json(&dir.stats(), &stats)?;
    write_json(&dir.metadata(), &metadata)?;
    Ok(stats)
}

/// Writes summary.json.
pub(super) fn write_summary(
    path: &Path,
    phases: &[PhaseStats],
    started_at: String,
    elapsed_seconds: f64,
) -> Result<(), DatasetError> {
    let summary = Summary::new(
        DataMode::Merge,
        Generation::Merge,
        started_at,
        clock::now(),
        elapsed_seconds,
        phases,
    );
    write_json(path, &summary)
}
