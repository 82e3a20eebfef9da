//! What the JSON files of a phase say, against its records and against each other.

use super::fault::{FaultList, Place};
use super::records::PhaseRules;
use crate::base::text::number_of;
use crate::board::{ScoreRule, distinct_positions};
use crate::config::SplitRatios;
use crate::dataset::DatasetError;
use crate::dataset::counters::ValueHistogram;
use crate::dataset::json::read_json;
use crate::dataset::label::LabelKind;
use crate::dataset::layout::is_exported;
use crate::dataset::metadata::{
    DataMode, Generation, METADATA_SCHEMA, Metadata, OutputFiles, PLAIN_DISC_DIFFERENCE,
    WINNER_TAKES_EMPTIES,
};
use crate::dataset::record::{FORMAT, MAGIC, RECORD_SIZE};
use crate::dataset::run_state::{RUN_STATE_SCHEMA, RunState};
use crate::dataset::split::{SPLIT_BY_ANCHOR, SPLIT_METHOD, Split, Thresholds};
use crate::dataset::stats::{
    ALL_POSITIONS_STATS_SCHEMA, PhaseStats, STATS_SCHEMA, SplitCounts, ValueStats,
};
use crate::dataset::tree::PhaseFiles;
use crate::dataset::value_rules::{ValueRule, ValueSource, score_rule};
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::path::{Path, PathBuf};

/// The JSON files come behind the records of their phase in the report.
const FIRST_PART: usize = 1 << 16;

/// The JSON files of one phase, as far as they could be read.
#[derive(Debug, Default)]
pub(super) struct Sidecars {
    /// metadata.json
    pub metadata: Option<Metadata>,
    /// stats.json
    pub stats: Option<PhaseStats>,
    /// run_state.json
    pub state: Option<RunState>,
}

/// What was counted in the files.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    /// Records per split; `None` where the file is missing or unreadable.
    pub records: [Option<u64>; 3],
    /// Their values; those out of range are left out.
    pub values: ValueHistogram,
}

/// Adds faults of the files of one phase.
pub(super) struct Reporter<'a> {
    /// Index of the phase.
    pub phase: usize,
    /// Where they go.
    pub faults: &'a mut FaultList,
}

impl Reporter<'_> {
    fn add(&mut self, path: &Path, kind: &'static str, message: impl Into<String>) {
        let part = FIRST_PART
            + ["metadata.json", "stats.json", "run_state.json"]
                .iter()
                .position(|name| path.ends_with(name))
                .unwrap_or(3);
        let place = Place {
            phase: self.phase,
            part,
            record: None,
        };
        self.faults.add(place, path, kind, message.into());
    }

    /// A fault where two numbers differ that should not.
    fn same<T: PartialEq + Debug>(
        &mut self,
        path: &Path,
        kind: &'static str,
        name: &str,
        said: T,
        is: T,
    ) {
        if said != is {
            self.add(
                path,
                kind,
                format!("{name} is {said:?}, but should be {is:?}"),
            );
        }
    }

    fn read<T: DeserializeOwned>(&mut self, path: &Path, kind: &'static str) -> Option<T> {
        match read_json(path) {
            Ok(value) => Some(value),
            Err(error) if error.is_missing() => None,
            Err(DatasetError::Json { reason, .. }) => {
                self.add(path, kind, format!("it cannot be understood: {reason}"));
                None
            }
            Err(error) => {
                self.add(path, "unreadable", error.to_string());
                None
            }
        }
    }
}

impl Sidecars {
    /// Reads what is there; what cannot be understood is a fault.
    pub(super) fn read(files: &PhaseFiles, reporter: &mut Reporter) -> Sidecars {
        let Some([metadata, stats, state]) = paths(files) else {
            // A file that was named alone is held against the rules of its phase, where they lie
            // beside it, but not against their counts.
            let beside = files.files.first().and_then(|file| file.path.parent());
            let metadata =
                beside.and_then(|folder| read_json::<Metadata>(&folder.join("metadata.json")).ok());
            return Sidecars {
                metadata,
                ..Sidecars::default()
            };
        };
        Sidecars {
            metadata: reporter.read(&metadata, "metadata"),
            stats: reporter.read(&stats, "stats"),
            state: reporter.read(&state, "run_state"),
        }
    }

    /// Whether anything says that more is to come.
    pub(super) fn is_unfinished(&self) -> bool {
        self.state.as_ref().is_some_and(|state| !state.complete)
    }

    /// What the records are to be held against.
    pub(super) fn rules(&self, files: &PhaseFiles) -> PhaseRules {
        let phase = files.phase.or(self.metadata.as_ref().map(|m| m.phase));
        let Some(metadata) = &self.metadata else {
            return PhaseRules {
                phase,
                joined: false,
                value: ValueRule::UNKNOWN,
                split: None,
                reachable: false,
            };
        };
        let generated = !is_from_elsewhere(metadata);
        // Lines of an openings file may begin anywhere.
        let from_the_start = generated && metadata.openings.is_none();
        let score = score_rule(&metadata.score_rule);
        let source = match &metadata.import {
            _ if metadata.label() == LabelKind::Score => ValueSource::Given,
            _ if metadata.label() == LabelKind::Exact => ValueSource::OneGame,
            Some(import) if import.values != "of_games" => ValueSource::Given,
            Some(import) if import.unfinished != "skip" => ValueSource::Claim,
            Some(import) if import.duplicates == "first" => ValueSource::OneGame,
            None if generated => ValueSource::OneGame,
            _ => ValueSource::Mean,
        };
        PhaseRules {
            phase,
            joined: from_the_start,
            value: ValueRule { score, source },
            split: tells_split(metadata)
                .then(|| Thresholds::new(&SplitRatios::from(metadata.split))),
            reachable: from_the_start
                && phase.and_then(distinct_positions).is_some()
                && phase != Some(10),
        }
    }

    /// Holds the files against what was counted.
    pub(super) fn compare(&self, files: &PhaseFiles, number_of: &Counted, reporter: &mut Reporter) {
        let Some([metadata, stats, state]) = paths(files) else {
            return;
        };
        self.missing(files, [&metadata, &stats, &state], reporter);
        if let Some(said) = &self.metadata {
            compare_metadata(said, files, &metadata, reporter);
        }
        if let Some(said) = &self.state {
            self.compare_state(said, files, number_of, &state, reporter);
        }
        if let Some(said) = &self.stats
            && !self.is_unfinished()
        {
            compare_stats(said, files, number_of, &stats, reporter);
        }
        self.compare_all_positions(files, number_of, reporter);
    }

    /// Where there is one of these files there should be all; unfinished phases have just a
    /// checkpoint, imports have none, and an export has no more than its metadata.
    fn missing(&self, files: &PhaseFiles, paths: [&PathBuf; 3], reporter: &mut Reporter) {
        let exists = paths.map(|path| path.symlink_metadata().is_ok());
        if !exists.contains(&true) {
            return;
        }
        let import = self
            .metadata
            .as_ref()
            .is_some_and(|m| is_from_elsewhere(m) || m.labelled.is_some());
        let export = files.folder.as_deref().is_some_and(is_exported);
        let expected = match export {
            true => [true, false, false],
            false => [!self.is_unfinished(), !self.is_unfinished(), !import],
        };
        for ((path, exists), expected) in paths.into_iter().zip(exists).zip(expected) {
            if expected && !exists && files.folder.is_some() {
                reporter.add(path, "missing_file", "the file is missing");
            }
        }
    }

    fn compare_state(
        &self,
        said: &RunState,
        files: &PhaseFiles,
        number_of: &Counted,
        path: &Path,
        reporter: &mut Reporter,
    ) {
        let kind = "run_state";
        reporter.same(path, kind, "schema", said.schema.as_str(), RUN_STATE_SCHEMA);
        if let Some(phase) = files.phase {
            reporter.same(path, kind, "phase", said.phase, phase);
        }
        for (split, expected) in Split::ALL.into_iter().zip(<[u64; 3]>::from(said.records)) {
            let Some(found) = number_of.records[split.index()] else {
                continue;
            };
            if found < expected {
                let message = format!(
                    "it counts {expected} records in {}, which holds {found}; rebuild the phase \
                     with --resume --repair",
                    split.file_name()
                );
                reporter.add(path, kind, message);
            } else if found > expected {
                let message = format!(
                    "it counts {expected} records in {}, which holds {found}; --resume cuts what \
                     no checkpoint counts",
                    split.file_name()
                );
                reporter.add(path, kind, message);
            }
        }
        let total = said.records.total();
        if said.complete && said.mode == DataMode::Normal && total < said.samples_per_phase {
            let target = said.samples_per_phase;
            let message = format!("it says complete with {total} of {target} records");
            reporter.add(path, kind, message);
        }
        if said.counters.values.count() != total {
            let values = said.counters.values.count();
            let message = format!("its values count {values} records, its files {total}");
            reporter.add(path, kind, message);
        }
        if let Some(contradiction) = said.contradiction() {
            reporter.add(path, "run_state", contradiction);
        }
        if let Some(metadata) = &self.metadata {
            let rule = match said
                .settings
                .get("score_rule")
                .and_then(|rule| rule.as_str())
            {
                Some(name) if name == ScoreRule::WinnerTakesEmpties.name() => WINNER_TAKES_EMPTIES,
                _ => PLAIN_DISC_DIFFERENCE,
            };
            let beside = path.with_file_name("metadata.json");
            let found = metadata.score_rule.as_str();
            reporter.same(&beside, "metadata", "score_rule", found, rule);
            if metadata.labelled.is_none() {
                let label = said.settings.get("label.value");
                let label = label.and_then(|label| label.as_str()).unwrap_or("result");
                reporter.same(&beside, "metadata", "label", metadata.label().name(), label);
            }
            let hash = metadata.config_effective_hash.as_deref();
            let own = Some(said.config_effective_hash.as_str());
            reporter.same(path, kind, "config_effective_hash", own, hash);
            match metadata.seed {
                Some(seed) => reporter.same(path, kind, "seed", said.seed, seed),
                None => reporter.add(
                    path,
                    kind,
                    format!("seed is {}, metadata.json names none", said.seed),
                ),
            }
        }
    }

    /// Every position of the phase, each once.
    fn compare_all_positions(
        &self,
        files: &PhaseFiles,
        number_of: &Counted,
        reporter: &mut Reporter,
    ) {
        let (Some(said), false) = (&self.stats, self.is_unfinished()) else {
            return;
        };
        let (DataMode::AllPositions, Some(folder), Some(known)) =
            (said.mode, &files.folder, distinct_positions(said.phase))
        else {
            return;
        };
        let kind = "all_positions";
        let path = folder.join("stats.json");
        if let Some(walk) = &said.enumeration {
            reporter.same(&path, kind, "enumeration.unique", walk.unique, known);
        }
        let failed = said.evaluation.map_or(0, |evaluation| evaluation.failed);
        let [Some(train), Some(valid), Some(test)] = number_of.records else {
            return;
        };
        let found = train + valid + test;
        if found.saturating_add(failed) != known {
            let phase = said.phase;
            let message = format!(
                "phase {phase} has {known} positions up to symmetry, its files hold {found}, and \
                 {failed} are number_of as failed"
            );
            reporter.add(folder, kind, message);
        }
    }
}

/// Whether the positions were not found by generation.
fn is_from_elsewhere(metadata: &Metadata) -> bool {
    matches!(
        metadata.generation,
        Generation::Import | Generation::Merge | Generation::Label
    )
}

/// Whether a record by itself tells which split it belongs to: where its position decides, or where
/// every sample is the position at which its game's random part ended.
fn tells_split(metadata: &Metadata) -> bool {
    match metadata.split_method.as_str() {
        SPLIT_METHOD => true,
        SPLIT_BY_ANCHOR => metadata.random_plies == Some(metadata.phase),
        _ => false,
    }
}

/// metadata.json, stats.json, run_state.json.
fn paths(files: &PhaseFiles) -> Option<[PathBuf; 3]> {
    let folder = files.folder.as_ref()?;
    Some(["metadata.json", "stats.json", "run_state.json"].map(|name| folder.join(name)))
}

fn compare_metadata(said: &Metadata, files: &PhaseFiles, path: &Path, reporter: &mut Reporter) {
    let kind = "metadata";
    reporter.same(path, kind, "schema", said.schema.as_str(), METADATA_SCHEMA);
    if let Some(phase) = files.phase {
        reporter.same(path, kind, "phase", said.phase, phase);
    }
    reporter.same(path, kind, "discs", said.discs, u32::from(said.phase) + 4);
    reporter.same(path, kind, "format", said.format.as_str(), FORMAT);
    let magic = String::from_utf8_lossy(MAGIC);
    reporter.same(
        path,
        kind,
        "record_magic",
        said.record_magic.as_str(),
        &magic,
    );
    let size = RECORD_SIZE as u64;
    reporter.same(
        path,
        kind,
        "record_size_bytes",
        said.record_size_bytes,
        size,
    );
    let names = OutputFiles::default();
    reporter.same(path, kind, "output_files", &said.output_files, &names);
    if score_rule(&said.score_rule).is_none() {
        let message = format!("score_rule `{}` is unknown", said.score_rule);
        reporter.add(path, kind, message);
    }
    let split = SplitRatios::from(said.split);
    let shares = [split.train, split.valid, split.test];
    let sum: f64 = shares.iter().sum();
    if shares.iter().any(|share| !(0.0..=1.0).contains(share)) || (sum - 1.0).abs() > 1e-6 {
        reporter.add(path, kind, format!("split {shares:?} are not shares of 1"));
    }
    if let Some(window) = &said.window {
        let inside = window.anchor..=window.anchor.saturating_add(window.size.saturating_sub(1));
        if !inside.contains(&said.phase) {
            let (anchor, size) = (window.anchor, window.size);
            let size = number_of(size.into(), "phase");
            let message = format!("the window of {size} from {anchor} does not hold it");
            reporter.add(path, kind, message);
        }
    }
}

fn compare_stats(
    said: &PhaseStats,
    files: &PhaseFiles,
    number_of: &Counted,
    path: &Path,
    reporter: &mut Reporter,
) {
    let kind = "stats";
    let schema = match said.mode {
        DataMode::AllPositions => ALL_POSITIONS_STATS_SCHEMA,
        _ => STATS_SCHEMA,
    };
    reporter.same(path, kind, "schema", said.schema.as_str(), schema);
    if let Some(phase) = files.phase {
        reporter.same(path, kind, "phase", said.phase, phase);
    }
    let said_split = <[u64; 3]>::from(said.split);
    for split in Split::ALL {
        if let Some(found) = number_of.records[split.index()] {
            let name = format!("split.{}", split.name());
            reporter.same(path, kind, &name, said_split[split.index()], found);
        }
    }
    let [Some(train), Some(valid), Some(test)] = number_of.records else {
        return;
    };
    let found = SplitCounts { train, valid, test };
    reporter.same(
        path,
        kind,
        "emitted_samples",
        said.emitted_samples,
        found.total(),
    );
    let values = ValueStats::from(&number_of.values);
    // Values out of range are faults of their own.
    if number_of.values.count() == found.total() {
        if said.value.histogram != values.histogram {
            let differing = differing(&said.value.histogram, &values.histogram);
            reporter.add(
                path,
                kind,
                format!("value.histogram differs at {differing}"),
            );
        }
        reporter.same(path, kind, "value.min", said.value.min, values.min);
        reporter.same(path, kind, "value.max", said.value.max, values.max);
        let mean = |stats: &ValueStats| stats.mean.unwrap_or(0.0);
        if (mean(&said.value) - mean(&values)).abs() > 1e-6 {
            let (said, is) = (mean(&said.value), mean(&values));
            reporter.add(
                path,
                kind,
                format!("value.mean is {said}, but should be {is}"),
            );
        }
    }
}

/// The first value whose count differs, with both counts.
fn differing(said: &ValueHistogram, is: &ValueHistogram) -> String {
    let count = |histogram: &ValueHistogram, value| histogram.0.get(&value).copied().unwrap_or(0);
    let mut values: Vec<i16> = said.0.keys().chain(is.0.keys()).copied().collect();
    values.sort_unstable();
    values
        .into_iter()
        .find(|&value| count(said, value) != count(is, value))
        .map_or_else(String::new, |value| {
            let (said, is) = (count(said, value), count(is, value));
            format!("{value}: {said}, but should be {is}")
        })
}
