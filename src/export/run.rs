//! An export from beginning to end.

use super::card::dataset_card;
use super::error::ExportError;
use super::files::{Cutter, Group, SLOTS, Slots, Task, file_name};
use super::formats::{Exporter, Naming, exporter};
use super::games::run_games;
use super::keys::Keys;
use super::options::{AcceptedRule, ExportOptions, FormatName, Layout};
use super::output::{Output, Stage};
use super::reading::Reading;
use super::sample::Chosen;
use super::shuffle::shuffle;
use super::sidecar::{self, ExportedFile, SIDECAR};
use super::source::Sources;
use super::work::Work;
use super::writing::{Encoded, Written, write, write_empty};
use crate::base::stop::Stop;
use crate::dataset::files::write_file;
use crate::dataset::json::write_json;
use crate::dataset::metadata::{Metadata, path_text};
use crate::dataset::record::RECORD_SIZE;
use crate::dataset::watch::Watch;
use rayon::prelude::*;
use serde_json::json;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::sync_channel;
use std::thread;

/// What an export has made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ExportReport {
    /// The files, by phase and split.
    pub files: Vec<ExportedFile>,
    /// The JSON file beside them.
    pub sidecar: PathBuf,
    /// As metadata.json writes it.
    pub score_rule: String,
    /// `result` or `score`.
    pub label: String,
    /// Folders of the files.
    pub layout: Layout,
    /// What stands in the records though the data does not have it.
    pub invented: Vec<&'static str>,
    /// What a user should know.
    pub warnings: Vec<String>,
    /// Games, where those were asked for.
    pub games: Option<GamesReport>,
}

/// Games written and not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct GamesReport {
    /// Played to the end.
    pub written: u64,
    /// Given up, thrown away, or over before their random part was.
    pub left_out: u64,
}

impl ExportReport {
    /// Records in all files.
    pub(crate) fn records(&self) -> u64 {
        self.files.iter().map(|file| file.records).sum()
    }
}

/// Exports. An export that fails or is stopped leaves nothing behind.
///
/// # Errors
/// Inputs that cannot be read or do not belong together, an output that is there already, a system
/// that refuses, a stop.
pub(crate) fn run(
    options: &ExportOptions,
    watch: &dyn Watch,
    stop: &Stop,
) -> Result<ExportReport, ExportError> {
    if options.format == FormatName::Games {
        return run_games(options, stop);
    }
    let sources = Sources::open(options)?;
    let exporter = exporter(options, &sources)?;
    check_rule(options, exporter.as_ref(), &sources)?;
    let output = Output::find(&options.output, exporter.extension(), options.force)?;
    let layout = match output.is_file() {
        true => options.layout.unwrap_or(Layout::Single),
        false => options.layout.unwrap_or(exporter.layout()),
    };
    let slots = Slots {
        layout,
        one_file: output.is_file(),
    };
    if output.is_file() {
        check_one_file(options, exporter.as_ref(), &sources, layout)?;
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build()
        .map_err(|error| ExportError::Threads {
            threads: options.threads,
            reason: error.to_string().into(),
        })?;
    let mut reading = Reading {
        phases: options.phases.clone(),
        symmetries: options.symmetries,
        chosen: None,
        unusual: AtomicU64::new(0),
    };
    if let Some(wanted) = options.sample {
        let keys = Keys::new("sample", options.shuffle.unwrap_or(0));
        let whole = Work {
            options,
            sources: &sources,
            reading: &reading,
            slots,
            pool: &pool,
            stop,
            watch,
        };
        let chosen = whole.draw(&keys, wanted)?;
        reading.chosen = (chosen != Chosen::All).then_some((keys, chosen));
        reading.unusual = AtomicU64::new(0);
    }
    let work = Work {
        options,
        sources: &sources,
        reading: &reading,
        slots,
        pool: &pool,
        stop,
        watch,
    };
    let passes = 1 + u64::from(options.shuffle.is_some());
    watch.expect(sources.records * RECORD_SIZE as u64 * passes);
    let stage = output.stage()?;
    let limit = options.max_records_per_file.or(match output.is_file() {
        true => None,
        false => exporter.max_records(),
    });
    let mut written = transform(&work, exporter.as_ref(), &stage, limit)?;
    add_empty(&work, exporter.as_ref(), stage.folder(), &mut written)?;
    let tree = stage.tree();
    let files = arrange(
        &written,
        exporter.as_ref(),
        slots,
        limit.is_some(),
        &output,
        &tree,
    )?;
    let mut beside = Vec::new();
    if options.format == FormatName::Rd && !output.is_file() {
        beside.extend(write_metadata(&sources, slots, &files, &tree)?);
    }
    if options.format == FormatName::Parquet && !output.is_file() {
        write_file(
            &tree.join("README.md"),
            dataset_card(&sources, &files).as_bytes(),
        )?;
        beside.push(PathBuf::from("README.md"));
    }
    let mut object = sidecar::object(
        options,
        exporter.as_ref(),
        &sources,
        layout,
        &files,
        output.is_file(),
    );
    object["beside"] = json!(
        beside
            .iter()
            .map(|path| path_text(path))
            .collect::<Vec<_>>()
    );
    write_json(&tree.join(SIDECAR), &object)?;
    work.check_stop()?;
    let placed: Vec<PathBuf> = files
        .iter()
        .map(|file| file.path.clone())
        .chain(beside)
        .collect();
    output.place(&stage, &placed)?;
    let mut warnings = sources.warnings.clone();
    let unusual = reading.unusual.into_inner();
    if unusual > 0 {
        warnings.push(format!(
            "{unusual} positions cannot come from a game (fewer than four discs, or an empty centre); \
             they were exported as they are"
        ));
    }
    Ok(ExportReport {
        files,
        sidecar: output.sidecar(),
        score_rule: sources.score_rule.clone(),
        label: sources.label.clone(),
        layout,
        invented: exporter.invented(),
        warnings,
        games: None,
    })
}

fn check_rule(
    options: &ExportOptions,
    exporter: &dyn Exporter,
    sources: &Sources,
) -> Result<(), ExportError> {
    let rule = AcceptedRule::of_metadata(&sources.score_rule);
    let data = || rule.map_or(sources.score_rule.clone(), |rule| rule.name().to_owned());
    if let Some(accepted) = options.accept_score_rule
        && Some(accepted) != rule
    {
        return Err(ExportError::OtherRuleAccepted {
            accepted: accepted.name(),
            data: data().into(),
        });
    }
    match exporter.prescribed_rule() {
        Some(wanted) if Some(wanted) != rule && options.accept_score_rule.is_none() => {
            Err(ExportError::ScoreRule {
                format: exporter.name(),
                wanted: wanted.name(),
                data: data().into(),
            })
        }
        _ => Ok(()),
    }
}

fn check_one_file(
    options: &ExportOptions,
    exporter: &dyn Exporter,
    sources: &Sources,
    layout: Layout,
) -> Result<(), ExportError> {
    let refuse = |why, instead| {
        Err(ExportError::OneFile {
            path: options.output.clone(),
            why,
            instead,
        })
    };
    if layout != Layout::Single {
        return refuse(
            "--layout phase and discs need folders",
            "leave out --layout",
        );
    }
    if options.max_records_per_file.is_some() {
        return refuse(
            "--max-records-per-file makes several",
            "leave that option out",
        );
    }
    let splits: BTreeSet<_> = sources.files.iter().map(|file| file.split).collect();
    if splits.len() > 1 && !exporter.tells_split() {
        return refuse(
            "the inputs have several splits, which the format does not tell apart",
            "choose one with --split",
        );
    }
    Ok(())
}

/// Reads, orders, encodes and writes; the files have names of their own for the time being.
fn transform(
    work: &Work<'_>,
    exporter: &dyn Exporter,
    stage: &Stage,
    limit: Option<u64>,
) -> Result<Vec<Written>, ExportError> {
    let given_up = AtomicBool::new(false);
    // As many pieces wait for the disk as are being encoded.
    let (send, receive) = sync_channel(2 * work.options.threads);
    thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let receive = receive;
            write(exporter, stage.folder(), &receive, &given_up)
        });
        let mut cutter = Cutter::new(work.slots, exporter.piece_rows(), limit);
        let deliver = |tasks: Vec<Task>| {
            let encoded: Vec<Result<Encoded, ExportError>> = work.pool.install(|| {
                tasks
                    .into_par_iter()
                    .map(|task| encode(exporter, task))
                    .collect()
            });
            for piece in encoded {
                // A writer that has gone tells why when it is joined.
                if send.send(piece?).is_err() {
                    return Err(ExportError::Interrupted);
                }
            }
            Ok(())
        };
        let mut tasks = Vec::new();
        let read = match work.options.shuffle {
            None => work.stream(|batch| {
                for (slot, rows) in batch {
                    cutter.push(slot, rows, &mut tasks);
                }
                deliver(std::mem::take(&mut tasks))
            }),
            Some(seed) => shuffle(work, seed, stage.folder(), |batch| {
                for (slot, rows) in batch {
                    cutter.push(Some(slot), rows, &mut tasks);
                }
                deliver(std::mem::take(&mut tasks))
            }),
        };
        let read = read.and_then(|()| {
            cutter.finish(&mut tasks);
            deliver(std::mem::take(&mut tasks))
        });
        given_up.store(read.is_err(), Relaxed);
        drop(send);
        let written = match writer.join() {
            Ok(written) => written,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        written.and_then(|files| read.map(|()| files))
    })
}

fn encode(exporter: &dyn Exporter, task: Task) -> Result<Encoded, ExportError> {
    Ok(Encoded {
        slot: task.slot,
        file: task.file,
        rows: task.rows.len() as u64,
        piece: exporter.encode(&task.rows)?,
    })
}

/// A split without a record is a file without a record, not a missing file.
fn add_empty(
    work: &Work<'_>,
    exporter: &dyn Exporter,
    folder: &Path,
    written: &mut Vec<Written>,
) -> Result<(), ExportError> {
    let mut known: BTreeSet<usize> = BTreeSet::new();
    for file in &work.sources.files {
        match (work.slots.layout, file.phase) {
            (Layout::Single, _) => known.insert(work.slots.of(0, file.split)),
            (_, Some(phase)) => known.insert(work.slots.of(phase, file.split)),
            (_, None) => false,
        };
    }
    for slot in known {
        if written.iter().all(|file| file.slot != slot) {
            written.push(write_empty(exporter, folder, slot)?);
        }
    }
    written.sort_by_key(|file| (file.slot, file.file));
    Ok(())
}

/// Gives the files their names in the tree.
fn arrange(
    written: &[Written],
    exporter: &dyn Exporter,
    slots: Slots,
    limited: bool,
    output: &Output,
    tree: &Path,
) -> Result<Vec<ExportedFile>, ExportError> {
    let splits: BTreeSet<_> = written.iter().map(|f| slots.group(f.slot).split).collect();
    let numbered = matches!(exporter.naming(), Naming::Numbered { .. });
    let split_folders = numbered && splits.len() > 1;
    let mut files_of = [0; SLOTS];
    for file in written {
        files_of[file.slot] += 1;
    }
    let mut files = Vec::new();
    for file in written {
        let group: Group = slots.group(file.slot);
        let (naming, extension) = (exporter.naming(), exporter.extension());
        let name = file_name(
            naming,
            group,
            file.file,
            files_of[file.slot],
            limited,
            extension,
        );
        let path = match output.is_file() {
            true => PathBuf::from(name),
            false => slots.folder(group, split_folders).join(name),
        };
        let place = tree.join(&path);
        let folder = place.parent().unwrap_or(tree);
        fs::create_dir_all(folder).map_err(ExportError::io("create", folder))?;
        fs::rename(&file.path, &place).map_err(ExportError::io("rename to", &place))?;
        files.push(ExportedFile {
            path,
            group,
            records: file.records,
            bytes: file.bytes,
        });
    }
    Ok(files)
}

/// metadata.json of each phase, so that rdg's own commands know how the values count.
fn write_metadata(
    sources: &Sources,
    slots: Slots,
    files: &[ExportedFile],
    tree: &Path,
) -> Result<Vec<PathBuf>, ExportError> {
    let phases: BTreeSet<u8> = files.iter().filter_map(|file| file.group.phase).collect();
    let mut written = Vec::new();
    for phase in phases {
        let Some(metadata) = common(&sources.metadata_of_phase(phase)) else {
            continue;
        };
        let group = Group {
            phase: Some(phase),
            split: None,
        };
        let path = slots.folder(group, false).join("metadata.json");
        write_json(&tree.join(&path), &metadata)?;
        written.push(path);
    }
    Ok(written)
}

/// What several phases have in common: all where there is one, else how the values count.
fn common(all: &[&Metadata]) -> Option<Metadata> {
    let (first, others) = all.split_first()?;
    if others.is_empty() {
        return Some(Metadata::clone(first));
    }
    Some(Metadata {
        seed: None,
        samples_per_phase: None,
        window: None,
        reproducible: None,
        reproducible_reason: None,
        config_path: None,
        config_sha256: None,
        config_effective_hash: None,
        app_config_path: None,
        app_config_sha256: None,
        random_plies: None,
        engine: others
            .iter()
            .all(|m| m.engine == first.engine)
            .then(|| first.engine.clone())
            .flatten(),
        engine_identity: others
            .iter()
            .all(|m| m.engine_identity == first.engine_identity)
            .then(|| first.engine_identity.clone())
            .flatten(),
        ..Metadata::clone(first)
    })
}
