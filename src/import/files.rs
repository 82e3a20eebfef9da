//! The JSON files of an imported dataset, filled in.

use super::merge::MergedPhase;
use super::options::ImportOptions;
use super::tally::Tally;
use crate::base::version;
use crate::config::SplitBy;
use crate::dataset::DatasetError;
use crate::dataset::counters::Counters;
use crate::dataset::import::{ImportCounts, ImportSettings, ImportedFile, SPLIT_BY_GAME};
use crate::dataset::json::write_json;
use crate::dataset::layout::PhaseDir;
use crate::dataset::metadata::{DataMode, Generation, Generator, Metadata, score_rule_name};
use crate::dataset::stats::{PhaseStats, SplitCounts, StatsFacts};
use crate::dataset::summary::Summary;

/// What was read.
pub(super) struct Sources {
    /// Files.
    pub files: u64,
    /// Bytes in them.
    pub bytes: u64,
    /// Bytes looked at, those of files without games included.
    pub bytes_seen: u64,
    /// Over the digests of all, hex.
    pub sha256: String,
    /// The first of them, one by one.
    pub named: Vec<ImportedFile>,
    /// When reading began, RFC 3339.
    pub started_at: String,
}

/// Writes metadata.json of a phase.
pub(super) fn write_metadata(
    dir: &PhaseDir,
    options: &ImportOptions,
    sources: &Sources,
) -> Result<(), DatasetError> {
    let mut metadata = Metadata::new(
        DataMode::Import,
        Generation::Import,
        dir.phase(),
        &options.split,
    );
    metadata.generator = Generator {
        version: version::GENERATOR_VERSION.to_owned(),
        commit: version::GENERATOR_COMMIT.unwrap_or_default().to_owned(),
        dirty: version::GENERATOR_DIRTY,
        dirty_known: version::GENERATOR_DIRTY_KNOWN,
    };
    metadata.reproducible = Some(Some(true));
    metadata.score_rule = score_rule_name(options.score_rule).to_owned();
    metadata.split_by = Some(options.split_by);
    if options.split_by == SplitBy::Game {
        metadata.split_method = SPLIT_BY_GAME.to_owned();
    }
    metadata.import = Some(ImportSettings {
        duplicates: options.duplicates.name().to_owned(),
        unfinished: options.unfinished.name().to_owned(),
        values: options.values.name().to_owned(),
        players: options.filter.players.clone(),
        years: options
            .filter
            .years
            .as_ref()
            .map(|years| [*years.start(), *years.end()]),
        min_rating: options.filter.min_rating,
        split_by: options.split_by.name().to_owned(),
        winner_only: options.winner_only,
        max_per_game: options.max_per_game,
        input_files: sources.files,
        input_bytes: sources.bytes,
        inputs_sha256: sources.sha256.clone(),
    });
    write_json(&dir.metadata(), &metadata)
}

/// Writes stats.json of a phase.
pub(super) fn write_stats(
    dir: &PhaseDir,
    tally: &Tally,
    merged: &MergedPhase,
    started_at: &str,
    finished_at: &str,
    elapsed_seconds: f64,
) -> Result<PhaseStats, DatasetError> {
    let records = SplitCounts::from(merged.records);
    let counters = Counters {
        attempts: tally.games,
        duplicate_positions: merged.met - records.total(),
        failed_attempts: tally.bad_games(),
        values: merged.values.clone(),
        ..Counters::default()
    };
    let facts = StatsFacts {
        mode: DataMode::Import,
        generation: Generation::Import,
        phase: dir.phase(),
        started_at: started_at.to_owned(),
        finished_at: finished_at.to_owned(),
        elapsed_seconds,
        enumeration_seconds: 0.0,
        target_samples: records.total(),
        ai_probability: 0.0,
        records,
    };
    let mut stats = PhaseStats::from_counters(facts, &counters);
    stats.import = Some(ImportCounts {
        repeated_positions: Some(merged.repeated),
        ..tally.counts()
    });
    write_json(&dir.stats(), &stats)?;
    Ok(stats)
}

/// The summary over all phases.
pub(super) fn summary(
    tally: &Tally,
    sources: Sources,
    phases: &[PhaseStats],
    finished_at: String,
    elapsed_seconds: f64,
) -> Summary {
    let mut summary = Summary::new(
        DataMode::Import,
        Generation::Import,
        sources.started_at,
        finished_at,
        elapsed_seconds,
        phases,
    );
    summary.import = Some(tally.counts());
    summary.inputs = Some(sources.named);
    summary
}
