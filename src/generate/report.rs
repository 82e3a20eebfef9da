//! The closing files: metadata and statistics of a phase, window statistics and summary of a run.

use super::facts::RunFacts;
use super::phase::PhaseTask;
use super::settings::IdentifiedEngine;
use crate::base::clock;
use crate::base::version;
use crate::config::{LabelValue, Mode, SplitBy, format_duration};
use crate::dataset::DatasetError;
use crate::dataset::counters::Counters;
use crate::dataset::json::{json_text, read_json, write_json};
use crate::dataset::label::LabelKind;
use crate::dataset::layout::{PhaseDir, summary_path, window_stats_path};
use crate::dataset::metadata::{
    EngineFingerprint, EngineIdentitySection, EngineSection, EngineSettings, Generator, Metadata,
    OpeningsSection, WindowSection, path_text, score_rule_name,
};
use crate::dataset::split::{SPLIT_BY_ANCHOR, SPLIT_METHOD};
use crate::dataset::stats::{PhaseStats, StatsFacts};
use crate::dataset::summary::Summary;
use crate::dataset::window_stats::{WindowEntry, WindowStats};
use crate::engine::launch::doubt_of_repeats;
use std::path::PathBuf;

/// Writes metadata.json and stats.json of a phase that has all its samples.
pub(super) fn write_phase(facts: &RunFacts, task: &PhaseTask) -> Result<(), DatasetError> {
    write_json(&task.dir().metadata(), &metadata(facts, task))?;
    write_json(&task.dir().stats(), &stats(facts, task))
}

/// What [`write_phase`] writes, by path.
pub(super) fn phase_files(
    facts: &RunFacts,
    task: &PhaseTask,
) -> Result<[(PathBuf, Vec<u8>); 2], DatasetError> {
    let (metadata_path, stats_path) = (task.dir().metadata(), task.dir().stats());
    let metadata = json_text(&metadata_path, &metadata(facts, task))?;
    let stats = json_text(&stats_path, &stats(facts, task))?;
    Ok([(metadata_path, metadata), (stats_path, stats)])
}

/// What keeps metadata.json or stats.json of a finished phase from being read, if anything does.
/// They hold nothing that its checkpoint does not tell again.
pub(super) fn fault(dir: &PhaseDir) -> Option<DatasetError> {
    let stats = || read_json::<PhaseStats>(&dir.stats());
    Metadata::read(&dir.metadata())
        .err()
        .or_else(|| stats().err())
}

/// Writes window_stats.json (in window mode) and, last of all, summary.json.
pub(super) fn write_run(facts: &RunFacts, tasks: &[PhaseTask]) -> Result<(), DatasetError> {
    let output_dir = &facts.config.output_dir;
    if let Some(window) = facts.config.window {
        let stats = WindowStats::new(window.size, windows(tasks));
        write_json(&window_stats_path(output_dir), &stats)?;
    }
    let phases: Vec<PhaseStats> = tasks.iter().map(|task| stats(facts, task)).collect();
    // RFC 3339 in UTC, as all of them are, sorts by time.
    let started_at = phases
        .iter()
        .map(|phase| phase.started_at.clone())
        .min()
        .unwrap_or_default();
    let mut summary = Summary::new(
        facts.config.mode.into(),
        facts.generation(),
        started_at,
        clock::now(),
        facts.elapsed().as_secs_f64(),
        &phases,
    );
    summary.seed = Some(facts.seed);
    write_json(&summary_path(output_dir), &summary)
}

fn windows(tasks: &[PhaseTask]) -> Vec<WindowEntry> {
    tasks
        .chunk_by(|a, b| a.anchor() == b.anchor())
        .map(|window| {
            let counters: Vec<(u8, Counters)> = window
                .iter()
                .map(|task| (task.phase(), task.counters()))
                .collect();
            let phases: Vec<(u8, &Counters)> = counters
                .iter()
                .map(|(phase, counters)| (*phase, counters))
                .collect();
            let elapsed = window
                .iter()
                .map(PhaseTask::elapsed)
                .max()
                .unwrap_or_default();
            WindowEntry::from_phases(window[0].anchor(), &phases, elapsed.as_secs_f64())
        })
        .collect()
}

fn stats(facts: &RunFacts, task: &PhaseTask) -> PhaseStats {
    let state = task.state();
    PhaseStats::from_counters(
        StatsFacts {
            mode: state.mode,
            generation: state.generation,
            phase: state.phase,
            started_at: state.started_at,
            finished_at: clock::now(),
            elapsed_seconds: state.elapsed_seconds,
            enumeration_seconds: state.enumeration_seconds,
            target_samples: state.samples_per_phase,
            ai_probability: facts.config.playout.ai_probability,
            records: state.records,
        },
        &state.counters,
    )
}

fn metadata(facts: &RunFacts, task: &PhaseTask) -> Metadata {
    let config = &facts.config;
    let state = task.state();
    let engines = &facts.engines;
    let fingerprint = |engine: &IdentifiedEngine| {
        let identity = engine.identity.clone();
        let print = EngineFingerprint {
            engine_ref: identity.engine_ref,
            engine_binary_sha256: identity.engine_binary_sha256,
            eval_file_sha256: identity.eval_file_sha256,
        };
        (engine.spec.entry.name.clone(), print)
    };
    // A game that was given up, or an engine that is known to vary, leaves no doubt.
    let doubt = std::iter::once(&engines.self_play)
        .chain(&engines.playout)
        .find_map(|engine| doubt_of_repeats(&engine.spec))
        .filter(|_| state.reproducible);
    let settings = |engine: &IdentifiedEngine| EngineSettings {
        name: engine.spec.entry.name.clone(),
        level: engine.spec.told_level(),
        threads: engine.spec.told_threads(),
        timeout: format_duration(engine.spec.timeout),
    };
    Metadata {
        config_path: Some(path_text(&config.path)),
        config_sha256: Some(config.sha256.clone()),
        config_effective_hash: Some(state.config_effective_hash),
        score_rule: score_rule_name(config.score_rule).to_owned(),
        random_plies: Some(task.anchor()),
        label: match config.label {
            LabelValue::Result => None,
            LabelValue::Score => Some(LabelKind::Score),
        },
        max_score: config.playout.max_score,
        openings: match (&config.openings, task.book_of_settings()) {
            (Some(openings), sha256) => Some(OpeningsSection {
                file: path_text(&openings.file),
                sha256,
                order: openings.order.name().to_owned(),
            }),
            (None, _) => None,
        },
        solve_from: Some(config.self_play.solve_from).filter(|&empties| empties > 0),
        reproducible: Some(doubt.is_none().then_some(state.reproducible)),
        reproducible_reason: doubt,
        app_config_path: facts.app_config().map(path_text),
        app_config_sha256: facts.app_config().map(|_| facts.app_config_sha256.clone()),
        engine: Some(EngineSection {
            playout: engines.playout.as_ref().map(settings),
            self_play: settings(&engines.self_play),
        }),
        engine_identity: Some(EngineIdentitySection {
            engines: std::iter::once(&engines.self_play)
                .chain(&engines.playout)
                .map(fingerprint)
                .collect(),
        }),
        generator: Generator {
            version: version::GENERATOR_VERSION.to_owned(),
            commit: version::GENERATOR_COMMIT.unwrap_or_default().to_owned(),
            dirty: version::GENERATOR_DIRTY,
            dirty_known: version::GENERATOR_DIRTY_KNOWN,
        },
        split_by: Some(facts.split_by),
        split_method: match config.window {
            Some(_) if facts.split_by == SplitBy::Game => SPLIT_BY_ANCHOR.to_owned(),
            _ => SPLIT_METHOD.to_owned(),
        },
        seed: Some(facts.seed),
        samples_per_phase: (config.mode == Mode::Normal).then_some(config.samples_per_phase),
        window: config.window.map(|window| WindowSection {
            size: window.size,
            anchor: task.anchor(),
            phases: super::campaign::group_phases(config)
                .into_iter()
                .find(|(anchor, _)| *anchor == task.anchor())
                .map(|(_, phases)| phases)
                .unwrap_or_default(),
        }),
        ..Metadata::new(state.mode, state.generation, state.phase, &config.split)
    }
}
