//! What is on disk before a run, and what becomes of it: refused, continued, rebuilt or replaced.

use super::campaign::group_phases;
use super::error::{GenerateError, Unresumable};
use super::facts::{ExistingOutput, RunFacts};
use super::phase::{PhasePlan, PhaseTask};
use super::report;
use super::settings::{HASH_DEFINITION, differences, recorded_split_by};
use crate::config::{DatasetConfig, SplitBy};
use crate::dataset::DatasetError;
use crate::dataset::counters::ValueHistogram;
use crate::dataset::label::LABEL_FILE;
use crate::dataset::layout::PhaseDir;
use crate::dataset::metadata::Metadata;
use crate::dataset::positions::PositionSet;
use crate::dataset::record::file_size;
use crate::dataset::rules::RecordFault;
use crate::dataset::run_state::RunState;
use crate::dataset::scan::{require_records, scan_phase};
use crate::dataset::split::{Split, Thresholds, split_hash};
use crate::games::GamesDir;
use crate::progress::{Event, Progress};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Folders of phases on their way out: renamed first, so that no half-deleted phase is ever seen.
const DELETED_PREFIX: &str = ".deleted_phase_";

/// Phases whose records are checked at the same time: each needs 24 bytes per record meanwhile.
const CHECKED_AT_ONCE: usize = 8;

/// The output folder as a run finds it.
pub(super) struct Existing {
    what: ExistingOutput,
    /// The checkpoint of each phase that has any output.
    states: BTreeMap<u8, Result<RunState, DatasetError>>,
}

impl Existing {
    /// Looks at the phases of the configuration.
    ///
    /// # Errors
    /// [`GenerateError::OutputExists`] where output is to be refused and some is there,
    /// [`GenerateError::Labelled`] where it is not generation's to continue.
    pub(super) fn look(
        config: &DatasetConfig,
        what: ExistingOutput,
    ) -> Result<Existing, GenerateError> {
        if matches!(what, ExistingOutput::Resume | ExistingOutput::Repair) && is_labelled(config) {
            return Err(GenerateError::Labelled {
                folder: config.output_dir.clone(),
            });
        }
        let mut states = BTreeMap::new();
        for &phase in &config.phases {
            let dir = PhaseDir::new(&config.output_dir, phase);
            if !dir.has_output()? {
                continue;
            }
            match what {
                ExistingOutput::Refuse => {
                    let folder = dir.path().to_owned();
                    return Err(GenerateError::OutputExists { phase, folder });
                }
                ExistingOutput::Replace => {}
                ExistingOutput::Resume | ExistingOutput::Repair => {
                    dir.check_own()?;
                    states.insert(phase, RunState::read(&dir));
                }
            }
        }
        if what == ExistingOutput::Refuse {
            for (phase, _) in group_phases(config) {
                let games = GamesDir::new(&config.output_dir, phase);
                if games.has_output() {
                    let folder = games.path().to_owned();
                    return Err(GenerateError::OutputExists { phase, folder });
                }
            }
        }
        Ok(Existing { what, states })
    }

    /// What becomes of it.
    pub(super) fn what(&self) -> ExistingOutput {
        self.what
    }

    /// Whether games are kept: where the configuration says so, and where they were kept before.
    ///
    /// # Errors
    /// [`GenerateError::GamesNotKept`] where some would be missing.
    pub(super) fn keeps_games(&self, config: &DatasetConfig) -> Result<bool, GenerateError> {
        if self.what == ExistingOutput::Replace {
            return Ok(config.keep_games);
        }
        let mut kept = config.keep_games || self.readable().any(|(_, state)| state.keeps_games);
        for (anchor, _) in group_phases(config) {
            kept |= GamesDir::new(&config.output_dir, anchor).has_output();
        }
        let counts = |state: &RunState| state.next_game > 0 || state.complete;
        let unkept = self
            .readable()
            .find(|(_, state)| !state.keeps_games && counts(state));
        match unkept {
            Some((phase, _)) if config.keep_games => Err(GenerateError::GamesNotKept { phase }),
            // Phases of before stay as they are, and so does the dataset.
            Some(_) => Ok(false),
            None => Ok(kept),
        }
    }

    /// Games that some of these phases count and that are kept.
    pub(super) fn games_counted(&self, phases: &[u8]) -> u64 {
        self.readable()
            .filter(|(phase, state)| state.keeps_games && phases.contains(phase))
            .map(|(_, state)| state.next_game)
            .max()
            .unwrap_or(0)
    }

    fn readable(&self) -> impl Iterator<Item = (u8, &RunState)> {
        self.states
            .iter()
            .filter_map(|(&phase, state)| Some((phase, state.as_ref().ok()?)))
    }

    /// The configured seed; without one that of the existing phases; without any a new one of 53
    /// bits, which every reader of JSON holds exactly.
    pub(super) fn seed(&self, config: &DatasetConfig) -> Result<u64, GenerateError> {
        if let Some(seed) = config.seed {
            return Ok(seed);
        }
        let mut states = self.readable();
        let Some((first, state)) = states.next() else {
            return Ok(rand::random::<u64>() >> 11);
        };
        match states.find(|(_, other)| other.seed != state.seed) {
            None => Ok(state.seed),
            Some((second, other)) => Err(GenerateError::SeedsDiffer {
                first,
                first_seed: state.seed,
                second,
                second_seed: other.seed,
                config: config.path.clone(),
            }),
        }
    }

    /// What the samples are split by: as configured; else as the phases that are there, so that a
    /// dataset stays of one kind; else by the game.
    pub(super) fn split_by(&self, config: &DatasetConfig) -> SplitBy {
        let recorded = || {
            self.readable()
                .filter_map(|(_, state)| recorded_split_by(&state.settings))
                .max_by_key(|&by| by == SplitBy::Position)
        };
        config.split_by.or_else(recorded).unwrap_or(SplitBy::Game)
    }

    /// Working time of the runs before.
    pub(super) fn elapsed(&self) -> Duration {
        self.readable()
            .filter_map(|(_, state)| Duration::try_from_secs_f64(state.run_elapsed_seconds).ok())
            .max()
            .unwrap_or_default()
    }

    /// Opens every phase. Nothing is changed before it is certain that all can be opened.
    pub(super) fn open(
        mut self,
        facts: &Arc<RunFacts>,
        plans: Vec<Vec<PhasePlan>>,
        progress: &Progress,
    ) -> Result<Vec<Vec<PhaseTask>>, GenerateError> {
        clear_deleted(&facts.config.output_dir);
        let replace = self.what == ExistingOutput::Replace;
        let found: Vec<Vec<(PhasePlan, Option<_>)>> = plans
            .into_iter()
            .map(|group| {
                let state = |plan: PhasePlan| {
                    let state = self.states.remove(&plan.dir.phase());
                    (plan, state)
                };
                group.into_iter().map(state).collect()
            })
            .collect();
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(CHECKED_AT_ONCE.min(rayon::current_num_threads()))
            .build();
        let check = || -> Result<Vec<Vec<Checked>>, DatasetError> {
            found
                .into_par_iter()
                .map(|group| {
                    let check = |(plan, state)| {
                        // By game the record tells its split at the anchor alone.
                        let is_known = |plan: &PhasePlan| {
                            facts.split_by == SplitBy::Position || plan.dir.phase() == plan.anchor
                        };
                        let ratios = &facts.config.split;
                        let split = is_known(&plan).then(|| Thresholds::new(ratios));
                        check_phase(plan, state, split)
                    };
                    group.into_par_iter().map(check).collect()
                })
                .collect()
        };
        let checked = match pool {
            Ok(pool) => pool.install(check),
            Err(_) => check(),
        }?;
        self.refuse_or_report(&checked, progress)?;
        checked
            .into_iter()
            .map(|group| {
                group
                    .into_iter()
                    .map(|phase| phase.open(facts, replace, progress))
                    .collect()
            })
            .collect()
    }

    fn refuse_or_report(
        &self,
        checked: &[Vec<Checked>],
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        let bad: Vec<Unresumable> = checked
            .iter()
            .flatten()
            .filter_map(|phase| match &phase.verdict {
                Verdict::Bad(reason) => Some(Unresumable {
                    phase: phase.plan.dir.phase(),
                    reason: reason.clone().into(),
                }),
                _ => None,
            })
            .collect();
        if bad.is_empty() {
            return Ok(());
        }
        if self.what != ExistingOutput::Repair {
            return Err(GenerateError::NotResumable { phases: bad });
        }
        for phase in bad {
            progress.emit(Event::Warning(format!("rebuilding {phase}")));
        }
        Ok(())
    }
}

/// A phase and what its files are worth.
struct Checked {
    plan: PhasePlan,
    verdict: Verdict,
}

enum Verdict {
    /// Nothing is there, or nothing that counts.
    Fresh,
    /// To be continued, or finished.
    Good(Box<RunState>, Option<PositionSet>),
    /// Not to be continued, for this reason.
    Bad(String),
}

fn check_phase(
    plan: PhasePlan,
    state: Option<Result<RunState, DatasetError>>,
    split: Option<Thresholds>,
) -> Result<Checked, DatasetError> {
    let verdict = match state {
        None => Verdict::Fresh,
        Some(Err(error)) if error.is_missing() => {
            Verdict::Bad("there is no run_state.json beside its files".to_owned())
        }
        Some(Err(error)) if error.is_corruption() => Verdict::Bad(error.to_string()),
        Some(Err(error)) => return Err(error),
        Some(Ok(state)) => match settings_fault(&plan, &state).or_else(|| contradiction(&state)) {
            Some(fault) => Verdict::Bad(fault),
            // Killed before its first checkpoint: the files need not even be there.
            None if state.next_game == 0 && !state.complete => Verdict::Fresh,
            None => match check_records(&plan, &state, split) {
                Ok(seen) => Verdict::Good(Box::new(state), seen),
                Err(error) if error.is_corruption() || error.is_missing() => {
                    Verdict::Bad(error.to_string())
                }
                Err(error) => return Err(error),
            },
        },
    };
    Ok(Checked { plan, verdict })
}

/// A state whose numbers cannot all be true: going on from it would give other bytes.
pub(super) fn contradiction(state: &RunState) -> Option<String> {
    let what = state.contradiction()?;
    Some(format!("its run_state.json contradicts itself: {what}"))
}

fn settings_fault(plan: &PhasePlan, state: &RunState) -> Option<String> {
    if state.hash_definition != HASH_DEFINITION {
        return Some(format!(
            "its run_state.json defines the settings' hash as `{}`, this rdg as `{HASH_DEFINITION}`",
            state.hash_definition
        ));
    }
    if state.config_effective_hash == plan.hash {
        return None;
    }
    let differing = differences(&state.settings, &plan.settings);
    Some(match differing.is_empty() {
        true => "the hash of its settings does not fit them".to_owned(),
        false => format!("it was made with other settings ({})", differing.join("; ")),
    })
}

/// Reads every record once. Gives the positions where more are to be added.
fn check_records(
    plan: &PhasePlan,
    state: &RunState,
    thresholds: Option<Thresholds>,
) -> Result<Option<PositionSet>, DatasetError> {
    let counts: [u64; 3] = state.records.into();
    // Before memory is asked for: what the files do not hold need not fit into it.
    require_records(&plan.dir, counts)?;
    let records: u64 = counts.iter().sum();
    let mut seen = PositionSet::for_expected(plan.target.max(records))?;
    let mut values = ValueHistogram::default();
    let mut memory = Ok(());
    scan_phase(&plan.dir, counts, |split, record| {
        let canonical = record.board.canonical();
        if let Some(thresholds) = &thresholds {
            let belongs = thresholds.split(split_hash(canonical));
            if belongs != split {
                return Err(RecordFault::OtherSplit(belongs.name()));
            }
        }
        values.count_value(record.value);
        match seen.insert(canonical) {
            Ok(true) => Ok(()),
            Ok(false) => Err(RecordFault::Duplicate),
            Err(error) => {
                memory = Err(error);
                Ok(())
            }
        }
    })?;
    memory?;
    if values != state.counters.values {
        return Err(DatasetError::Json {
            path: plan.dir.run_state(),
            reason: "its counts of values do not fit the records".into(),
        });
    }
    let wanted = !state.complete || records < plan.target;
    Ok(wanted.then_some(seen))
}

impl Checked {
    fn open(
        self,
        facts: &Arc<RunFacts>,
        replace: bool,
        progress: &Progress,
    ) -> Result<PhaseTask, GenerateError> {
        let dir = self.plan.dir.clone();
        match self.verdict {
            Verdict::Fresh => {
                if replace {
                    delete(&dir)?;
                }
                Ok(PhaseTask::fresh(Arc::clone(facts), self.plan))
            }
            Verdict::Bad(_) => Ok(PhaseTask::fresh(Arc::clone(facts), self.plan)),
            Verdict::Good(state, seen) => {
                let counts: [u64; 3] = state.records.into();
                if has_tail(&dir, counts)? {
                    progress.emit(Event::Warning(format!(
                        "phase {}: bytes behind the {} records of its checkpoint are cut off",
                        dir.phase(),
                        counts.iter().sum::<u64>()
                    )));
                    crate::dataset::writer::PhaseWriter::continue_at(&dir, counts)?.sync()?;
                }
                let task = PhaseTask::resumed(Arc::clone(facts), self.plan, *state, seen)?;
                if let Some(fault) = report::fault(&dir).filter(|_| task.is_complete()) {
                    if !fault.is_missing() {
                        progress.emit(Event::Warning(format!(
                            "phase {}: metadata.json and stats.json are written anew: {fault}",
                            dir.phase()
                        )));
                    }
                    report::write_phase(facts, &task)?;
                }
                Ok(task)
            }
        }
    }
}

/// Whether `rdg label` made or is making what is there. A phase that was copied out of such a
/// dataset says so itself.
fn is_labelled(config: &DatasetConfig) -> bool {
    let says_so = |&phase: &u8| {
        let dir = PhaseDir::new(&config.output_dir, phase);
        Metadata::read(&dir.metadata()).is_ok_and(|metadata| metadata.labelled.is_some())
    };
    config.output_dir.join(LABEL_FILE).exists() || config.phases.iter().any(says_so)
}

fn has_tail(dir: &PhaseDir, counts: [u64; 3]) -> Result<bool, DatasetError> {
    for split in Split::ALL {
        let path = dir.records(split);
        let length = path
            .metadata()
            .map_err(DatasetError::io("look at", &path))?
            .len();
        if Some(length) != file_size(counts[split.index()]) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Takes a phase's folder away in one step, then deletes it at leisure.
fn delete(dir: &PhaseDir) -> Result<(), DatasetError> {
    if !dir.exists()? {
        return Ok(());
    }
    let aside = dir
        .path()
        .with_file_name(format!("{DELETED_PREFIX}{:02}", dir.phase()));
    match std::fs::rename(dir.path(), &aside) {
        Ok(()) => std::fs::remove_dir_all(&aside)
            .or_else(|_| std::fs::remove_file(&aside))
            .map_err(DatasetError::io("remove", &aside)),
        // A mount point, say: then file by file, the checkpoint first.
        Err(_) => dir.remove(),
    }
}

/// Whether this is a folder that holds nothing but what rdg writes into a phase's folder.
fn holds_a_phase(folder: &Path) -> bool {
    let dir = PhaseDir::at(folder.to_owned(), 0);
    let ours: Vec<PathBuf> = (Split::ALL.into_iter().map(|split| dir.records(split)))
        .chain([dir.run_state(), dir.metadata(), dir.stats()])
        .collect();
    let is_ours = |entry: std::fs::DirEntry| {
        let name = entry.file_name();
        let name = name.to_str().unwrap_or_default();
        let whole = name
            .strip_prefix('.')
            .and_then(|name| name.strip_suffix(".tmp"));
        let is_named = ours.contains(&folder.join(whole.unwrap_or(name)));
        is_named && entry.file_type().is_ok_and(|kind| kind.is_file())
    };
    let is_folder = folder.symlink_metadata().is_ok_and(|found| found.is_dir());
    is_folder
        && std::fs::read_dir(folder)
            .is_ok_and(|mut entries| entries.all(|entry| entry.is_ok_and(is_ours)))
}

/// Removes what an interrupted deletion left. What cannot be removed harms nobody.
fn clear_deleted(output_dir: &Path) {
    let Ok(entries) = std::fs::read_dir(output_dir) else {
        return;
    };
    for entry in entries.flatten() {
        // Only folders named as ours are: somebody may keep a `.deleted_phase_of_my_life`.
        let name = entry.file_name();
        let digits = name
            .to_str()
            .and_then(|name| name.strip_prefix(DELETED_PREFIX));
        let is_ours = digits.is_some_and(|digits| {
            digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit())
        });
        if is_ours && holds_a_phase(&entry.path()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}
