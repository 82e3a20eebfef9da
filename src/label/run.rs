//! The data again with new values.

use super::check::check;
use super::difference::{Difference, PhaseDifference};
use super::input::{Input, InputPhase};
use super::labeller::Method;
use super::state::{Current, LabelState, Settings};
use super::team::Team;
use super::{Empties, LabelError, QUICKLY_SOLVED, files};
use crate::base::stop::Stop;
use crate::base::text::count;
use crate::board::ScoreRule;
use crate::dataset::counters::ValueHistogram;
use crate::dataset::json::read_json;
use crate::dataset::layout::{PhaseDir, summary_path};
use crate::dataset::lock::OutputLock;
use crate::dataset::record::{RECORD_SIZE, Record};
use crate::dataset::scan::{require_records, scan_phase};
use crate::dataset::split::Split;
use crate::dataset::stats::PhaseStats;
use crate::dataset::tree::Records;
use crate::dataset::writer::PhaseWriter;
use crate::progress::{Event, PhaseProgress, PhaseReport, Progress, Steps};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Work of so long is lost at most when the process is killed.
const CHECKPOINT: Duration = Duration::from_secs(5);

/// Records that are copied at once.
const COPY_BLOCK: usize = 1 << 15;

/// What is to be labelled, and how.
#[derive(Clone, Debug)]
pub(crate) struct LabelRequest {
    /// A dataset, a phase or a file.
    pub input: PathBuf,
    /// Where the result goes.
    pub output: PathBuf,
    /// Go on with what is there.
    pub resume: bool,
    /// Who gives the values.
    pub method: Method,
    /// Which positions get new values.
    pub empties: Empties,
    /// Whether the others are kept.
    pub keep_others: bool,
    /// Searches at once.
    pub threads: usize,
    /// How values count where the data does not say.
    pub rule: Option<ScoreRule>,
    /// Exclude other runs on the output.
    pub lock: bool,
}

/// Labels. What is done stays when it fails or is stopped, and `resume` goes on there.
///
/// # Errors
/// See [`LabelError`]; nothing is written before the input has been read once and found sound.
pub(crate) fn label(
    request: &LabelRequest,
    progress: &Progress,
    stop: &Stop,
) -> Result<LabelState, LabelError> {
    refuse_inside(&request.input, &request.output)?;
    let begun = LabelState::path(&request.output).exists();
    if begun && !request.resume {
        return Err(LabelError::Begun {
            path: request.output.clone(),
        });
    }
    let mut input = Input::open(&request.input, request.rule)?;
    for phase in &input.phases {
        if let Some(file) = phase.files.iter().find(|file| file.split.is_none()) {
            return Err(LabelError::NoSplit {
                path: file.records.path().to_owned(),
            });
        }
    }
    if !request.keep_others {
        input
            .phases
            .retain(|phase| request.empties.contains(&phase.empties()));
    }
    let is_wanted = |phase: &&InputPhase| request.empties.contains(&phase.empties());
    if !input.phases.iter().any(|phase| is_wanted(&phase)) {
        return Err(LabelError::NothingInRange {
            path: request.input.clone(),
            first: *request.empties.start(),
            last: *request.empties.end(),
        });
    }
    for phase in input.phases.iter().filter(is_wanted) {
        request.method.check(phase.rule)?;
    }
    let by = request.method.named()?;
    let mut team = Team::new(&request.method, request.threads, stop);
    if let Some(first) = input.phases.iter().find(is_wanted)
        && matches!(request.method, Method::Engine(_))
    {
        team.begin(first.empties(), first.rule)?;
        team.probe()?;
    }
    let digests = check_all(&input, progress, stop)?;
    let empties = [*request.empties.start(), *request.empties.end()];
    let settings = Settings::new(by, empties, request.keep_others, &input, &digests);
    let _lock = match request.lock {
        true => Some(OutputLock::acquire(&request.output)?),
        false => {
            std::fs::create_dir_all(&request.output)
                .map_err(crate::dataset::DatasetError::io("create", &request.output))?;
            None
        }
    };
    let state = match LabelState::resume(&request.output, &settings)? {
        Some(state) => state,
        None => {
            refuse_existing(&input, &request.output)?;
            LabelState::new(&request.input, settings)
        }
    };
    if state.complete {
        return Ok(state);
    }
    let work = Work {
        request,
        input: &input,
        progress,
        stop,
        since: Instant::now(),
        before: state.elapsed_seconds,
    };
    work.warn_of_long_searches();
    work.run(state, &mut team)
}

/// An output in the input would be read as a part of it another time.
fn refuse_inside(input: &Path, output: &Path) -> Result<(), LabelError> {
    let Ok(input_is) = std::fs::canonicalize(input) else {
        // Told when it is opened.
        return Ok(());
    };
    let absolute = std::path::absolute(output).unwrap_or_else(|_| output.to_owned());
    let found = absolute
        .ancestors()
        .find_map(|above| Some((above, std::fs::canonicalize(above).ok()?)));
    let output_is = match found {
        Some((above, is)) => is.join(absolute.strip_prefix(above).unwrap_or(Path::new(""))),
        None => absolute,
    };
    match output_is.starts_with(&input_is) {
        true => Err(LabelError::InsideInput {
            output: output.to_owned(),
            input: input.to_owned(),
        }),
        false => Ok(()),
    }
}

fn refuse_existing(input: &Input, output: &Path) -> Result<(), LabelError> {
    for phase in &input.phases {
        let dir = PhaseDir::new(output, phase.phase);
        if dir.exists()? {
            return Err(LabelError::OutputExists {
                path: dir.path().to_owned(),
            });
        }
    }
    let summary = summary_path(output);
    match summary.symlink_metadata() {
        Ok(_) => Err(LabelError::OutputExists { path: summary }),
        Err(_) => Ok(()),
    }
}

fn check_all(input: &Input, progress: &Progress, stop: &Stop) -> Result<Vec<[u8; 32]>, LabelError> {
    let records: u64 = input.phases.iter().map(InputPhase::count).sum();
    progress.update(|now| {
        now.steps = Some(Steps {
            total: Some(records * RECORD_SIZE as u64),
            ..Steps::bytes()
        });
    });
    let digests = check(input, stop, |bytes| {
        progress.update(|now| {
            if let Some(steps) = &mut now.steps {
                steps.done += bytes;
            }
        });
    });
    progress.update(|now| now.steps = None);
    digests
}

struct Work<'a> {
    request: &'a LabelRequest,
    input: &'a Input,
    progress: &'a Progress,
    stop: &'a Stop,
    since: Instant,
    /// Working time of earlier runs.
    before: f64,
}

impl Work<'_> {
    fn is_wanted(&self, phase: &InputPhase) -> bool {
        self.request.empties.contains(&phase.empties())
    }

    fn warn_of_long_searches(&self) {
        let long = self.input.phases.iter().filter(|phase| {
            self.is_wanted(phase) && phase.empties() > QUICKLY_SOLVED && phase.count() > 0
        });
        let positions: u64 = long.map(InputPhase::count).sum();
        if self.request.method == Method::Exact && positions > 0 {
            self.progress.emit(Event::Warning(format!(
                "{} positions have more than {QUICKLY_SOLVED} empty squares: solving one of them takes \
                 minutes and more; --empties 0..{QUICKLY_SOLVED} leaves them out",
                count(positions)
            )));
        }
    }

    fn run(&self, mut state: LabelState, team: &mut Team) -> Result<LabelState, LabelError> {
        let output = &self.request.output;
        self.progress.update(|now| {
            now.phases = self
                .input
                .phases
                .iter()
                .map(|phase| {
                    let done = self.done_before(&state, phase);
                    PhaseProgress {
                        phase: phase.phase,
                        anchor: phase.phase,
                        target: phase.count(),
                        done,
                        resumed: done,
                    }
                })
                .collect();
        });
        let mut finished: Vec<(&InputPhase, PhaseStats)> = Vec::new();
        for phase in &self.input.phases {
            let dir = PhaseDir::new(output, phase.phase);
            let stats = match state.finished.contains(&phase.phase) {
                true => {
                    require_records(&dir, counts(phase))?;
                    read_json(&dir.stats())?
                }
                false => self.phase(&dir, phase, &mut state, team)?,
            };
            finished.push((phase, stats));
        }
        state.elapsed_seconds = self.elapsed();
        files::write_summary(output, &state, &finished)?;
        state.complete = true;
        state.write(output)?;
        Ok(state)
    }

    fn done_before(&self, state: &LabelState, phase: &InputPhase) -> u64 {
        match &state.current {
            _ if state.finished.contains(&phase.phase) => phase.count(),
            Some(current) if current.phase == phase.phase => current.records.iter().sum(),
            _ => 0,
        }
    }

    fn elapsed(&self) -> f64 {
        self.before + self.since.elapsed().as_secs_f64()
    }

    fn phase(
        &self,
        dir: &PhaseDir,
        phase: &InputPhase,
        state: &mut LabelState,
        team: &mut Team,
    ) -> Result<PhaseStats, LabelError> {
        let output = &self.request.output;
        let is_new = self.is_wanted(phase);
        let begun = state.current.filter(|current| current.phase == phase.phase);
        let (mut writer, mut current) = match begun.filter(|begun| begun.records != [0; 3]) {
            Some(current) => (PhaseWriter::continue_at(dir, current.records)?, current),
            None => {
                let current = Current {
                    phase: phase.phase,
                    records: [0; 3],
                    difference: Difference::default(),
                };
                // Said before there is a file, so that what a kill leaves is known to be ours.
                state.current = Some(current);
                state.elapsed_seconds = self.elapsed();
                state.write(output)?;
                if begun.is_some() {
                    dir.remove()?;
                }
                (PhaseWriter::create(dir)?, current)
            }
        };
        self.progress.update(|now| now.active = vec![phase.phase]);
        if is_new {
            team.begin(phase.empties(), phase.rule)?;
        }
        let end = self.records(phase, is_new, &mut writer, &mut current, state, team);
        // After an interruption or a failed engine too: what is there stays there.
        let saved = self.checkpoint(&mut writer, &mut current, state);
        end?;
        saved?;
        let records = counts(phase);
        let mut values = ValueHistogram::default();
        scan_phase(dir, records, |_, record| {
            values.count_value(record.value);
            Ok(())
        })?;
        let stats = files::write_phase(dir, phase, state, !is_new, records, &values)?;
        state.finished.push(phase.phase);
        state.current = None;
        if is_new {
            state.phases.push(PhaseDifference {
                phase: phase.phase,
                difference: current.difference,
            });
        }
        state.write(output)?;
        self.progress.emit(Event::PhaseFinished(PhaseReport {
            phase: phase.phase,
            samples: phase.count(),
            duplicates: 0,
            losses: crate::progress::Losses::default(),
            elapsed: Duration::from_secs_f64(self.elapsed()),
        }));
        Ok(stats)
    }

    fn checkpoint(
        &self,
        writer: &mut PhaseWriter,
        current: &mut Current,
        state: &mut LabelState,
    ) -> Result<(), LabelError> {
        writer.sync()?;
        current.records = writer.counts();
        state.current = Some(*current);
        state.elapsed_seconds = self.elapsed();
        state.write(&self.request.output)
    }

    /// All records that are not there yet, in their order.
    fn records(
        &self,
        phase: &InputPhase,
        is_new: bool,
        writer: &mut PhaseWriter,
        current: &mut Current,
        state: &mut LabelState,
        team: &mut Team,
    ) -> Result<(), LabelError> {
        let mut saved = Instant::now();
        for file in &phase.files {
            let Some(split) = file.split else { continue };
            let mut first = writer.counts()[split.index()];
            while first < file.records.count() {
                if self.stop.is_requested() {
                    return Err(LabelError::Interrupted);
                }
                let most = if is_new { team.block() } else { COPY_BLOCK };
                let old = read(&file.records, first, most)?;
                let new = match is_new {
                    true => {
                        let boards: Vec<_> = old.iter().map(|record| record.board).collect();
                        team.values(&boards)?
                    }
                    false => old.iter().map(|record| record.value).collect(),
                };
                for (old, &value) in old.iter().zip(&new) {
                    let board = old.board;
                    writer.append(split, &Record { board, value })?;
                    current.difference.count(old.value, value);
                }
                first += old.len() as u64;
                self.tell(phase.phase, split, old.len() as u64);
                if saved.elapsed() >= CHECKPOINT {
                    self.checkpoint(writer, current, state)?;
                    saved = Instant::now();
                }
            }
        }
        Ok(())
    }

    fn tell(&self, phase: u8, split: Split, records: u64) {
        self.progress.update(|now| {
            now.splits[split.index()] += records;
            if let Some(phase) = now.phases.iter_mut().find(|p| p.phase == phase) {
                phase.done += records;
            }
        });
    }
}

/// Records per split.
fn counts(phase: &InputPhase) -> [u64; 3] {
    let mut counts = [0; 3];
    for file in &phase.files {
        if let Some(split) = file.split {
            counts[split.index()] = file.records.count();
        }
    }
    counts
}

/// So many records at most, from number `first` on.
pub(super) fn read(records: &Records, first: u64, most: usize) -> Result<Vec<Record>, LabelError> {
    let count = most.min(usize::try_from(records.count() - first).unwrap_or(most));
    let mut bytes = vec![[0; RECORD_SIZE]; count];
    records.read(first, &mut bytes)?;
    Ok(bytes.iter().map(Record::decode).collect())
}
