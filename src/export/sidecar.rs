//! `export.json`: where the data came from, how its values count, and what had to be invented.

use super::files::Group;
use super::formats::Exporter;
use super::keys::KEY_DEFINITION;
use super::options::{AcceptedRule, ExportOptions, Layout};
use super::row::split_name;
use super::source::Sources;
use crate::base::{clock, version};
use crate::dataset::json::read_json;
use crate::dataset::layout::EXPORT_SIDECAR;
use crate::dataset::metadata::{Metadata, path_text};
use serde_json::{Value, json};
use std::path::{Component, Path, PathBuf};

/// Its name beside the data; an output of one file has it as `<file>.json`.
pub(super) const SIDECAR: &str = EXPORT_SIDECAR;

/// Name of its form.
pub(super) const EXPORT_SCHEMA: &str = "rdg_export_v1";

/// One of the files, in its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ExportedFile {
    /// Relative to the output.
    pub path: PathBuf,
    /// What its records share.
    pub group: Group,
    /// Records in it.
    pub records: u64,
    /// Its length.
    pub bytes: u64,
}

/// The whole object.
pub(super) fn object(
    options: &ExportOptions,
    exporter: &dyn Exporter,
    sources: &Sources,
    layout: Layout,
    files: &[ExportedFile],
    one_file: bool,
) -> Value {
    let rule = AcceptedRule::of_metadata(&sources.score_rule);
    let prescribed = exporter.prescribed_rule();
    let stands_for_another = prescribed.is_some() && prescribed != rule;
    let listed: Vec<Value> = files
        .iter()
        .map(|file| file_object(file, one_file))
        .collect();
    json!({
        "schema": EXPORT_SCHEMA,
        "format": exporter.name(),
        "record_spec": exporter.record_spec(),
        "layout": layout.name(),
        "files": listed,
        "records": files.iter().map(|file| file.records).sum::<u64>(),
        "score_rule": sources.score_rule,
        "score_rule_expected_by_readers": prescribed.map(AcceptedRule::name),
        "accepted_other_score_rule": stands_for_another,
        "label": sources.label,
        "value": "for the side to move",
        "splits": options.splits.iter().map(|split| split.name()).collect::<Vec<_>>(),
        "phases": options.phases,
        "symmetries": options.symmetries,
        "sample": options.sample,
        "shuffle": options.shuffle.map(|seed| json!({"seed": seed, "definition": KEY_DEFINITION})),
        "max_records_per_file": options.max_records_per_file.or(exporter.max_records()),
        "invented": exporter.invented(),
        "sources": options.inputs.iter().map(|path| path_text(path)).collect::<Vec<_>>(),
        "source_files": sources.files.iter().map(|file| json!({
            "path": path_text(file.records.path()),
            "records": file.records.count(),
            "phase": file.phase,
            "split": file.split.map(|split| split.name()),
        })).collect::<Vec<_>>(),
        "made": different(sources.metadata.iter().map(made)),
        "generator_version": version::GENERATOR_VERSION,
        "generated_at": clock::now(),
    })
}

fn file_object(file: &ExportedFile, one_file: bool) -> Value {
    json!({
        "path": path_text(&file.path),
        "phase": file.group.phase,
        "split": (!one_file).then(|| split_name(file.group.split)),
        "records": file.records,
        "bytes": file.bytes,
    })
}

/// How the data of a phase was made, without what differs from phase to phase.
fn made(metadata: &Metadata) -> Value {
    let engine = metadata.engine.as_ref().map(|engine| &engine.self_play);
    json!({
        "mode": metadata.mode,
        "generation": metadata.generation,
        "seed": metadata.seed,
        "engine": engine.map(|e| json!({"name": e.name, "level": e.level})),
        "engine_identity": metadata.engine_identity,
        "split": metadata.split,
        "split_method": metadata.split_method,
        "generator_version": metadata.generator.version,
        "generator_commit": metadata.generator.commit,
    })
}

fn different(values: impl Iterator<Item = Value>) -> Vec<Value> {
    let mut found = Vec::new();
    for value in values {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

/// The files that an earlier export wrote, relative to its folder; `None` where there is no sidecar
/// that could be understood. Paths that lead out of the folder are left alone.
pub(super) fn listed_files(sidecar: &Path) -> Option<Vec<PathBuf>> {
    let object: Value = read_json(sidecar).ok()?;
    if object["schema"] != EXPORT_SCHEMA {
        return None;
    }
    let paths = object["files"].as_array()?.iter();
    let mut files: Vec<PathBuf> = paths
        .filter_map(|file| Some(PathBuf::from(file["path"].as_str()?)))
        .collect();
    let beside = object["beside"].as_array().into_iter().flatten();
    files.extend(beside.filter_map(|path| Some(PathBuf::from(path.as_str()?))));
    files.retain(|path| path.components().all(|c| matches!(c, Component::Normal(_))));
    Some(files)
}
