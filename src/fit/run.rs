//! A whole fit: from options to a file, with interruption and continuation.

use super::FitError;
use super::baseline::{Baseline, SquareSums};
use super::descent::{Descent, Step};
use super::judge::{Sums, judge};
use super::options::{Existing, FitOptions};
use super::report::{Figures, FitReport, StageReport, judging};
use super::sources::Sources;
use super::spool::Spool;
use super::start::start;
use super::state::{Course, Folder, Settings, State, Weights};
use crate::base::stop::Stop;
use crate::dataset::files::{check_own, write_file};
use crate::dataset::json::write_json;
use crate::dataset::lock::OutputLock;
use crate::dataset::split::Split;
use crate::dataset::value_rules::score_rule;
use crate::engine::builtin::patterns::{Layout, STEPS_PER_DISC, Stages, Stored};
use crate::progress::{Event, FitEpoch, Progress, Steps};
use rayon::prelude::*;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A stage ends after so many epochs without a smaller error on the valid split.
const PATIENCE: u32 = 3;

/// Between two checkpoints at most about this much work is at risk; it would be done again the same.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(3);

/// What a run came to.
#[derive(Clone, Debug)]
pub enum Fitted {
    /// The weights are written.
    Finished(Box<FitReport>),
    /// They were finished by an earlier run.
    Already,
    /// A stop came after so many epochs; the best weights so far are written if there are any.
    Interrupted {
        /// Epochs done.
        epoch: u32,
        /// Of so many.
        epochs: u32,
    },
}

/// A fit that has its inputs and its folder.
pub struct Prepared {
    options: FitOptions,
    sources: Sources,
    settings: Settings,
    folder: Folder,
    layout: Layout,
    stages: Stages,
    found: Option<(State, Weights, Weights)>,
    start: Option<Weights>,
    is_done: bool,
    // Kept until the run ends.
    _lock: Option<OutputLock>,
}

impl Prepared {
    /// What a user should know at the beginning.
    pub fn warnings(&self) -> &[String] {
        &self.sources.warnings
    }

    /// Epochs of an earlier run that are continued.
    pub fn epochs_done(&self) -> u32 {
        self.found.as_ref().map_or(0, |(state, ..)| state.epoch)
    }
}

/// Opens the inputs and looks at what is there. Nothing of an earlier fit is touched.
///
/// # Errors
/// Options that make no sense, inputs that cannot be read or do not belong together, or files in
/// the way.
pub fn prepare(options: FitOptions) -> Result<Prepared, FitError> {
    options.check()?;
    check_own(&options.output)?;
    let folder = Folder::of(&options.output);
    let (is_begun, is_there) = (folder.exists()?, options.output.exists());
    match options.existing {
        Existing::Refuse if is_begun => {
            return Err(FitError::Unfinished {
                path: options.output,
            });
        }
        Existing::Refuse if is_there => {
            return Err(FitError::Exists {
                path: options.output,
            });
        }
        _ => {}
    }
    let sources = Sources::open(&options.inputs)?;
    let is_done = options.existing == Existing::Continue && is_there && !is_begun;
    let layout = Layout::new(options.shapes.clone());
    let (start, digest) = start(&options)?.unzip();
    let settings = Settings::new(&options, &sources, digest.unwrap_or_default());
    let mut prepared = Prepared {
        stages: Stages::equal(options.stages),
        settings,
        options,
        sources,
        folder,
        layout,
        found: None,
        start,
        is_done,
        _lock: None,
    };
    if is_done {
        return Ok(prepared);
    }
    prepared._lock = Some(OutputLock::acquire(prepared.folder.path())?);
    if prepared.options.existing == Existing::Continue {
        prepared.found = continued(&prepared)?;
    }
    Ok(prepared)
}

fn continued(prepared: &Prepared) -> Result<Option<(State, Weights, Weights)>, FitError> {
    let Some((state, now, best)) = prepared.folder.load(prepared.layout.weights())? else {
        return Ok(None);
    };
    match state.settings.difference(&prepared.settings) {
        Some((what, was, is)) => Err(FitError::Other {
            path: prepared.options.output.clone(),
            what: what.into(),
            was: was.into(),
            now: is.into(),
        }),
        None => Ok(Some((state, now, best))),
    }
}

/// Fits, stores and tells. A stop keeps the best weights so far and what is needed to continue.
///
/// # Errors
/// Everything but a stop; what a checkpoint covers is on disk.
pub fn run(prepared: Prepared, progress: &Progress, stop: &Stop) -> Result<Fitted, FitError> {
    if prepared.is_done {
        return Ok(Fitted::Already);
    }
    let threads = prepared.options.threads;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| FitError::Threads {
            threads,
            reason: error.to_string().into(),
        })?;
    let is_fresh = prepared.found.is_none();
    let folder = Folder::of(&prepared.options.output);
    let epochs = prepared.options.epochs;
    let mut work = match Work::begin(prepared, progress, stop) {
        Ok(work) => work,
        Err(error) => {
            // Half-dealt positions are of no use to anybody.
            if is_fresh {
                folder.remove()?;
            }
            return match error {
                FitError::Stopped => Ok(Fitted::Interrupted { epoch: 0, epochs }),
                error => Err(error),
            };
        }
    };
    match pool.install(|| work.go(progress, stop)) {
        Ok(report) => Ok(Fitted::Finished(Box::new(report))),
        Err(FitError::Stopped) => {
            work.save()?;
            if work.state.epoch > 0 {
                work.write_weights()?;
            }
            Ok(Fitted::Interrupted {
                epoch: work.state.epoch,
                epochs: work.options.epochs,
            })
        }
        Err(error) => Err(error),
    }
}

/// A fit at work.
struct Work {
    options: FitOptions,
    folder: Folder,
    layout: Layout,
    stages: Stages,
    spool: Spool,
    state: State,
    now: Weights,
    best: Weights,
    warnings: Vec<String>,
    began: Instant,
    saved: Instant,
    seen: u64,
    _lock: Option<OutputLock>,
}

impl Work {
    fn begin(prepared: Prepared, progress: &Progress, stop: &Stop) -> Result<Work, FitError> {
        let Prepared {
            options,
            sources,
            settings,
            folder,
            layout,
            stages,
            found,
            start,
            is_done: _,
            _lock,
        } = prepared;
        let (spool, state, now, best) = match found {
            Some((state, now, best)) => {
                let spool = Spool::open(&folder.rows(), state.decks.clone())?;
                (spool, state, now, best)
            }
            None => {
                folder.forget()?;
                let (spool, state) = deal(&sources, settings, &folder, &stages, progress, stop)?;
                let begin =
                    start.unwrap_or_else(|| vec![vec![0.0; layout.weights()]; stages.number()]);
                (spool, state, begin.clone(), begin)
            }
        };
        Ok(Work {
            options,
            folder,
            layout,
            stages,
            spool,
            state,
            now,
            best,
            warnings: sources.warnings,
            began: Instant::now(),
            saved: Instant::now(),
            seen: 0,
            _lock,
        })
    }

    fn go(&mut self, progress: &Progress, stop: &Stop) -> Result<FitReport, FitError> {
        let rows: u64 = self.rows(Split::Train).iter().sum();
        let epochs = self.options.epochs;
        let total = rows * u64::from(epochs);
        progress.update(|now| {
            now.steps = Some(Steps {
                done: rows * u64::from(self.state.epoch),
                total: Some(total),
                unit: "position",
            });
        });
        let seen = |rows: u64| {
            progress.update(|now| {
                if let Some(steps) = &mut now.steps {
                    steps.done = (steps.done + rows).min(total);
                }
            });
        };
        if self.state.epoch == 0 && self.options.start.is_some() {
            // Where nothing better is found, the weights to begin with stay.
            let descent = self.descent(stop, &seen);
            let judged = judge(&descent, Split::Valid, &self.now, &self.state.baselines)?;
            for (course, sums) in self.state.courses.iter_mut().zip(judged) {
                course.best = sums.rmse();
            }
        }
        let pulls = self.pulls(stop, &seen)?;
        while self.state.epoch < epochs && self.open_stages().next().is_some() {
            self.epoch(&pulls, stop, &seen)?;
            progress.emit(Event::Fitted(self.figures_of_epoch()));
            if self.saved.elapsed() >= CHECKPOINT_INTERVAL {
                self.save()?;
            }
        }
        self.finish(stop)
    }

    /// For each weight of each stage, l2 over the number of its occurrences.
    fn pulls(&self, stop: &Stop, seen: &(dyn Fn(u64) + Sync)) -> Result<Vec<Vec<f32>>, FitError> {
        let descent = self.descent(stop, seen);
        let l2 = self.options.l2;
        let of_stage = |stage: usize| {
            let counts = match l2 > 0.0 {
                true => descent.occurrences(stage)?,
                false => vec![0; self.layout.weights()],
            };
            let pull = |&count: &u32| match count {
                0 => 0.0,
                count => (l2 / f64::from(count)) as f32,
            };
            Ok(counts.iter().map(pull).collect())
        };
        (0..self.stages.number())
            .into_par_iter()
            .map(of_stage)
            .collect()
    }

    /// Stages that are still learning.
    fn open_stages(&self) -> impl Iterator<Item = usize> + '_ {
        let decks = &self.spool.decks[Split::Train.index()];
        let courses = self.state.courses.iter().zip(decks).enumerate();
        courses
            .filter(|(_, (course, deck))| course.waited < PATIENCE && deck.rows > 0)
            .map(|(stage, _)| stage)
    }

    fn epoch(
        &mut self,
        pulls: &[Vec<f32>],
        stop: &Stop,
        seen: &(dyn Fn(u64) + Sync),
    ) -> Result<(), FitError> {
        let step = Step {
            epoch: self.state.epoch,
            rate: self.options.rate_of(self.state.epoch),
        };
        let open: Vec<usize> = self.open_stages().collect();
        let descent = self.descent(stop, seen);
        let moved: Result<Vec<_>, FitError> = open
            .par_iter()
            .map(|&stage| {
                let pull = pulls[stage].iter().map(|pull| (pull * step.rate).min(1.0));
                let pull: Vec<f32> = pull.collect();
                descent.stage(stage, &self.now[stage], &pull, step)
            })
            .collect();
        let moved = moved?;
        let mut candidate = self.now.clone();
        let mut train = vec![None; self.stages.number()];
        for (&stage, moved) in open.iter().zip(moved) {
            let rows = self.spool.decks[Split::Train.index()][stage].rows;
            if !moved.squares.is_finite() || moved.weights.iter().any(|w| !w.is_finite()) {
                return Err(FitError::Diverged {
                    epoch: step.epoch + 1,
                    rate: self.options.rate,
                });
            }
            train[stage] = Some((moved.squares / rows as f64).sqrt());
            candidate[stage] = moved.weights;
        }
        let judged = judge(
            &self.descent(stop, seen),
            Split::Valid,
            &candidate,
            &self.state.baselines,
        )?;
        // From here on nothing can stop the epoch half-way.
        self.seen += open
            .iter()
            .map(|&s| self.spool.decks[0][s].rows)
            .sum::<u64>();
        self.now = candidate;
        self.state.epoch += 1;
        for stage in open {
            let course = &mut self.state.courses[stage];
            course.train = train[stage];
            let valid = judged[stage].rmse();
            let is_better = match (valid, course.best) {
                (Some(valid), Some(best)) => valid < best,
                _ => true,
            };
            if is_better {
                course.best = valid;
                course.best_epoch = self.state.epoch;
                course.waited = 0;
                self.best[stage].clone_from(&self.now[stage]);
            } else {
                course.waited += 1;
            }
        }
        Ok(())
    }

    fn figures_of_epoch(&self) -> FitEpoch {
        let rows = |split: Split| self.rows(split);
        let all = |rows: Vec<u64>, of: &dyn Fn(&Course) -> Option<f64>| {
            let pairs = rows.iter().zip(&self.state.courses);
            let (sum, count) = pairs
                .filter_map(|(&rows, course)| Some((rows, of(course)?)))
                .fold((0.0, 0), |(sum, count), (rows, rmse)| {
                    (sum + rmse * rmse * rows as f64, count + rows)
                });
            (count > 0).then(|| (sum / count as f64).sqrt())
        };
        FitEpoch {
            epoch: self.state.epoch,
            epochs: self.options.epochs,
            train_rmse: all(rows(Split::Train), &|course| course.train).unwrap_or(0.0),
            valid_rmse: all(rows(Split::Valid), &|course| course.best),
        }
    }

    fn descent<'a>(&'a self, stop: &'a Stop, seen: &'a (dyn Fn(u64) + Sync)) -> Descent<'a> {
        Descent {
            spool: &self.spool,
            layout: &self.layout,
            stop,
            seen,
        }
    }

    fn rows(&self, split: Split) -> Vec<u64> {
        let decks = self.spool.decks[split.index()].iter();
        decks.map(|deck| deck.rows).collect()
    }

    fn save(&mut self) -> Result<(), FitError> {
        self.folder.save(&self.state, &self.now, &self.best)?;
        self.saved = Instant::now();
        Ok(())
    }

    /// The best weights as they are stored; stages that have none take their neighbours'.
    fn stored(&self) -> (Stored, Vec<Vec<usize>>) {
        let mut filled = vec![Vec::new(); self.stages.number()];
        let has_start = self.options.start.is_some();
        let has_own =
            |stage: &usize| has_start || self.spool.decks[Split::Train.index()][*stage].rows > 0;
        let rounded = |weight: f32| {
            let steps = (f64::from(weight) * f64::from(STEPS_PER_DISC)).round();
            steps.clamp(f64::from(i16::MIN), f64::from(i16::MAX)) as i16
        };
        let weights = (0..self.stages.number()).map(|stage| {
            if has_own(&stage) {
                return self.best[stage].iter().map(|&w| rounded(w)).collect();
            }
            let below = (0..stage).rev().find(has_own);
            let above = (stage..self.stages.number()).find(has_own);
            let from: Vec<usize> = below.into_iter().chain(above).collect();
            let sum = |at: usize| from.iter().map(|&s| self.best[s][at]).sum::<f32>();
            let mean = |at: usize| rounded(sum(at) / from.len().max(1) as f32);
            let weights = (0..self.layout.weights()).map(mean).collect();
            filled[stage] = from;
            weights
        });
        let stored = Stored {
            weights: weights.collect(),
            shapes: self.options.shapes.clone(),
            stages: self.stages,
            score_rule: score_rule(&self.state.score_rule),
        };
        (stored, filled)
    }

    fn write_weights(&self) -> Result<(), FitError> {
        Ok(write_file(
            &self.options.output,
            &self.stored().0.to_bytes(),
        )?)
    }

    /// Writes the weights, judges them, and removes what was needed to make them.
    fn finish(&mut self, stop: &Stop) -> Result<FitReport, FitError> {
        let seconds = self.began.elapsed().as_secs_f64();
        let (stored, filled) = self.stored();
        let discs = |&weight: &i16| f32::from(weight) / STEPS_PER_DISC as f32;
        let weights: Weights = stored
            .weights
            .iter()
            .map(|stage| stage.iter().map(discs).collect())
            .collect();
        let rows = Split::ALL.map(|split| self.rows(split).iter().sum());
        let split = judging(rows);
        let judged = judge(
            &self.descent(stop, &|_| {}),
            split,
            &weights,
            &self.state.baselines,
        )?;
        let mut all = Sums::default();
        judged.iter().for_each(|sums| all.add(sums));
        let mut warnings = self.warnings.clone();
        warnings.extend(without_positions(&filled, &self.stages, rows));
        let stages = judged.iter().zip(filled).enumerate();
        let stages = stages.map(|(stage, (sums, filled))| {
            let (discs_from, discs_to) = self.stages.discs(stage);
            let course = &self.state.courses[stage];
            StageReport {
                stage: stage + 1,
                discs_from,
                discs_to,
                positions: self.state.positions[stage],
                epoch: course.best_epoch,
                train_rmse: course.train,
                valid_rmse: course.best,
                figures: Figures::new(sums),
                filled_from: filled.iter().map(|stage| stage + 1).collect(),
            }
        });
        let report = FitReport {
            schema: "rdg_fit_v1",
            output: PathBuf::new(),
            inputs: Vec::new(),
            score_rule: self.state.score_rule.clone(),
            labels: self.state.labels.clone(),
            epochs: 0,
            rate: 0.0,
            l2: 0.0,
            start: None,
            patterns: self.state.settings.patterns.clone(),
            positions: self.state.positions.iter().sum(),
            judged_on: split.name(),
            figures: Figures::new(&all),
            stages: stages.collect(),
            seen: self.seen,
            seconds,
            threads: 0,
            warnings,
        };
        let report = report.options(&self.options);
        write_json(&description(&self.options.output), &report)?;
        write_file(&self.options.output, &stored.to_bytes())?;
        self.folder.remove()?;
        Ok(report)
    }
}

/// The JSON file that describes a file of weights: `FILE.json`.
fn description(output: &Path) -> PathBuf {
    let mut name = OsString::from(output.file_name().unwrap_or_default());
    name.push(".json");
    output.with_file_name(name)
}

/// What is said of stages and splits without positions.
fn without_positions(filled: &[Vec<usize>], stages: &Stages, rows: [u64; 3]) -> Vec<String> {
    let mut said = Vec::new();
    for (stage, from) in filled
        .iter()
        .enumerate()
        .filter(|(_, from)| !from.is_empty())
    {
        let (first, last) = stages.discs(stage);
        let from: Vec<String> = from.iter().map(|stage| (stage + 1).to_string()).collect();
        said.push(format!(
            "stage {} ({first} to {last} discs) has no positions: its weights are those of stage {}",
            stage + 1,
            from.join(" and ")
        ));
    }
    if rows[Split::Valid.index()] == 0 {
        said.push(
            "valid has no positions: every stage was fitted to the last epoch, nothing tells when \
             to stop"
                .to_owned(),
        );
    }
    if rows[Split::Test.index()] == 0 {
        said.push(match rows[Split::Valid.index()] {
            0 => "test has no positions: nothing tells how good the weights are".to_owned(),
            _ => "test has no positions: the errors are those on valid, by which the epochs were \
                  chosen"
                .to_owned(),
        });
    }
    said
}

/// Reads the inputs twice: to count, and to deal out.
fn deal(
    sources: &Sources,
    settings: Settings,
    folder: &Folder,
    stages: &Stages,
    progress: &Progress,
    stop: &Stop,
) -> Result<(Spool, State), FitError> {
    let total = 2 * sources.records();
    let mut done = 0;
    let mut read = |records: u64| {
        done += records;
        progress.update(|now| {
            now.steps = Some(Steps {
                done,
                total: Some(total),
                unit: "record",
            });
        });
        match stop.is_requested() {
            true => Err(FitError::Stopped),
            false => Ok(()),
        }
    };
    let mut counts = [[0u64; 65]; 3];
    sources.for_each(&mut read, |split, record| {
        counts[split.index()][record.board.discs() as usize] += 1;
        Ok(())
    })?;
    let [train, valid, test] = counts.map(|counts| counts.iter().sum::<u64>());
    if train == 0 {
        return Err(FitError::Nothing { train, valid, test });
    }
    let mut sums = vec![SquareSums::default(); stages.number()];
    let look = |split: Split, record: &crate::dataset::record::Record| {
        if split == Split::Train {
            sums[stages.of(record.board.discs())].add(record);
        }
    };
    let spool = Spool::fill(&folder.rows(), sources, &counts, stages, read, look)?;
    let mut positions = vec![0; stages.number()];
    for (discs, count) in (0..).zip(counts[Split::Train.index()]) {
        positions[stages.of(discs)] += count;
    }
    let state = State {
        schema: State::schema(),
        settings,
        score_rule: sources.score_rule.clone(),
        labels: sources.labels.iter().cloned().collect(),
        decks: spool.decks.clone(),
        positions,
        baselines: sums
            .iter()
            .map(SquareSums::solve)
            .collect::<Vec<Baseline>>(),
        epoch: 0,
        courses: vec![Course::default(); stages.number()],
    };
    Ok((spool, state))
}
