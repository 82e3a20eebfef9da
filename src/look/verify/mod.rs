//! `rdg verify`: whether files hold what their format and their own JSON files promise.
//!
//! Three questions, each in a module of its own: do the [`records`] keep the rules, and is no
//! position there twice; do the JSON files of a phase ([`sidecars`]) say the same as its records;
//! and do those of the [`whole`]. Nothing is written, and memory stays within a budget however
//! large the files are.

mod duplicates;
mod fault;
mod kernel;
mod records;
mod replay;
mod report;
mod sidecars;
mod whole;

pub use fault::{Fault, FaultList};
pub use report::Report;

use crate::base::stop::Stop;
use crate::board::enumerate::Enumeration;
use crate::dataset::DatasetError;
use crate::dataset::tree::{PhaseFiles, Records, Tree, TreeKind};
use crate::dataset::watch::{Unwatched, Watch};
use fault::Place;
use records::{Effort, PhaseRules, Source, check_records};
use sidecars::{Counted, Reporter, Sidecars};
use std::path::{Path, PathBuf};
use whole::{Phase, check_whole};

/// How to verify.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Faults that are kept; the rest is counted.
    pub limit: usize,
    /// Check the split of every position of large data too, and not of one in 64.
    pub thorough: bool,
    /// Play kept games again and compare what follows from them.
    pub replay: bool,
    /// Memory for finding duplicates; more records are read in several passes.
    pub memory_bytes: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            limit: 20,
            thorough: false,
            replay: false,
            memory_bytes: 1 << 30,
        }
    }
}

/// Verifies files, phase folders and datasets, each by itself.
pub fn verify(paths: &[PathBuf], options: &Options) -> Report {
    verify_watched(paths, options, &Unwatched)
}

/// The same, for somebody who is told how far it has come.
pub fn verify_watched(paths: &[PathBuf], options: &Options, watch: &dyn Watch) -> Report {
    let mut report = Report::new(paths, options.limit);
    for path in paths {
        match Tree::find(path) {
            Ok(tree) => verify_tree(&tree, options, watch, &mut report),
            Err(error) => report.unreadable(path, &error),
        }
    }
    report
}

fn verify_tree(tree: &Tree, options: &Options, watch: &dyn Watch, report: &mut Report) {
    let mut faults = FaultList::new(options.limit);
    let mut sources = Vec::new();
    let mut all_sidecars = Vec::new();
    for (index, files) in tree.phases.iter().enumerate() {
        let mut reporter = Reporter {
            phase: index,
            faults: &mut faults,
        };
        all_sidecars.push(Sidecars::read(files, &mut reporter));
        open(index, files, &mut sources, &mut faults);
    }
    let rules: Vec<PhaseRules> = all_sidecars
        .iter()
        .zip(&tree.phases)
        .map(|(sidecars, files)| sidecars.rules(files))
        .collect();
    let reachable = reachable(&rules);
    let effort = Effort {
        every_split: options.thorough,
        memory_bytes: options.memory_bytes,
        limit: options.limit,
    };
    let values = check_records(
        &sources,
        &rules,
        reachable.as_ref(),
        effort,
        watch,
        &mut faults,
    );
    if options.replay {
        report.games += replay::check_replay(tree, &all_sidecars, watch, &mut faults);
    }
    let mut phases = Vec::new();
    for (index, (sidecars, values)) in all_sidecars.into_iter().zip(values).enumerate() {
        let files = &tree.phases[index];
        let mut counted = Counted {
            records: [None; 3],
            values,
        };
        for source in sources.iter().filter(|source| source.phase == index) {
            if let Some(split) = source.split {
                counted.records[split.index()] = Some(source.records.count());
            }
        }
        let mut reporter = Reporter {
            phase: index,
            faults: &mut faults,
        };
        sidecars.compare(files, &counted, &mut reporter);
        if sidecars.is_unfinished() {
            report.note_unfinished(files);
        }
        phases.push(Phase {
            phase: rules[index].phase,
            sidecars,
            counted,
        });
    }
    if tree.kind == TreeKind::Dataset {
        check_whole(tree, &phases, &mut faults);
    }
    report.count(tree, &sources);
    report.faults.append(faults);
}

/// Opens the files of a phase; what cannot be opened, or has a bad end, is a fault.
fn open(index: usize, files: &PhaseFiles, sources: &mut Vec<Source>, faults: &mut FaultList) {
    let mut add = |part, path: &Path, kind, message: String| {
        let place = Place {
            phase: index,
            part,
            record: None,
        };
        faults.add(place, path, kind, message);
    };
    for missing in &files.missing {
        add(0, missing, "missing_file", "the file is missing".to_owned());
    }
    for (part, file) in files.files.iter().enumerate() {
        match Records::open(&file.path) {
            Ok(records) => {
                match records.torn_bytes() {
                    0 => {}
                    n => {
                        let message = format!(
                            "its last record is cut short: {n} of 18 bytes behind record count {}",
                            records.count()
                        );
                        add(part, &file.path, "torn_record", message);
                    }
                }
                sources.push(Source {
                    phase: index,
                    part,
                    split: file.split,
                    records,
                });
            }
            Err(DatasetError::BadHeader { .. }) => {
                let message = "it does not begin with RDGBBVAL1".to_owned();
                add(part, &file.path, "header", message);
            }
            Err(error) => {
                let kind = match error.is_missing() {
                    true => "missing_file",
                    false => "unreadable",
                };
                add(part, &file.path, kind, error.to_string());
            }
        }
    }
}

/// The positions of the shallow phases, as deep as they are asked for.
fn reachable(rules: &[PhaseRules]) -> Option<Enumeration> {
    let deepest = rules
        .iter()
        .filter(|rules| rules.reachable)
        .filter_map(|rules| rules.phase)
        .max()?;
    Enumeration::up_to(deepest, &Stop::new()).ok()
}
