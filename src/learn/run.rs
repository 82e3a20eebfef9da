//! A whole run of learning: from a request to files, with interruption and continuation.

use super::check::compare;
use super::error::LearnError;
use super::files::Folder;
use super::settings::Settings;
use super::trainer::Trainer;
use super::weights::Weights;
use crate::arena::matches::Statistics;
use crate::base::stop::Stop;
use crate::dataset::lock::OutputLock;
use crate::engine::builtin::read_weight_file;
use crate::progress::{CheckReport, Event, Progress, Steps};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Between two checkpoints at most this much work is at risk (it would be made again the same).
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(2);

/// What happens to files of an earlier run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Existing {
    /// They are an error.
    Refuse,
    /// They are continued.
    Continue,
    /// They are removed once the first epoch has been learned.
    Replace,
}

/// A run as it was asked for. What is `None` is taken from the run to be continued, or else from
/// the recommended settings.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// Where files go.
    pub output: PathBuf,
    /// What happens to files that are there.
    pub existing: Existing,
    /// Settings of a second instead of the recommended ones.
    pub quick: bool,
    /// Threads, ≥ 1.
    pub workers: usize,
    /// See [`Settings::epochs`], and so on.
    pub epochs: Option<u32>,
    /// Games per epoch.
    pub games: Option<u32>,
    /// Learning rate.
    pub alpha: Option<f64>,
    /// Plies searched.
    pub depth: Option<u32>,
    /// Epochs between kept weight files.
    pub save_every: Option<u32>,
    /// Random moves of an opening.
    pub random_plies: Option<u32>,
    /// Epochs between points of the curve.
    pub check_every: Option<u32>,
    /// Games of the final match.
    pub check_games: Option<u32>,
    /// Whether the result is the average over the epochs.
    pub averaging: Option<bool>,
    /// `zero`, `corners` or a weight file.
    pub initial: Option<String>,
    /// What games are drawn from.
    pub seed: Option<u64>,
}

/// What a run has come to.
#[derive(Clone, Debug)]
pub(crate) struct Learned {
    /// The end of the course.
    pub trainer: Trainer,
    /// Learned against initial weights.
    pub check: Option<Statistics>,
    /// Games learned from by this run.
    pub new_games: u64,
    /// Time spent playing, of this run.
    pub playing: Duration,
    /// Time spent updating weights, of this run.
    pub updating: Duration,
}

impl Request {
    fn settings(&self, base: Settings) -> Settings {
        Settings {
            epochs: self.epochs.unwrap_or(base.epochs),
            games: self.games.unwrap_or(base.games),
            alpha: self.alpha.unwrap_or(base.alpha),
            depth: self.depth.unwrap_or(base.depth),
            save_every: self.save_every.unwrap_or(base.save_every),
            random_plies: self.random_plies.unwrap_or(base.random_plies),
            check_every: self.check_every.unwrap_or(base.check_every),
            check_games: self.check_games.unwrap_or(base.check_games),
            averaging: self.averaging.unwrap_or(base.averaging),
            initial: self.initial.clone().unwrap_or(base.initial),
            seed: self.seed.unwrap_or(base.seed),
        }
    }
}

/// A run that has its folder and its settings, and has not begun to learn.
pub(crate) struct Prepared {
    trainer: Trainer,
    folder: Folder,
    existing: Existing,
    workers: usize,
    // Kept until the run ends.
    _lock: OutputLock,
}

impl Prepared {
    /// What decides the weights.
    pub(crate) fn settings(&self) -> &Settings {
        &self.trainer.settings
    }

    /// Epochs that earlier runs have learned.
    pub(crate) fn epochs_done(&self) -> u32 {
        self.trainer.epoch
    }
}

/// Locks the output folder, finds out what is there and what is wanted. `draw_seed` is asked
/// where no seed is given. Nothing of an earlier run is touched.
///
/// # Errors
/// Settings that make no sense or do not fit the run to be continued, a bad file of initial
/// weights, files in the way, or a folder that cannot be used.
pub(crate) fn prepare(
    request: &Request,
    draw_seed: impl FnOnce() -> u64,
) -> Result<Prepared, LearnError> {
    let recommended = |seed| match request.quick {
        true => Settings::quick(seed),
        false => Settings::recommended(seed),
    };
    // Faults of what was typed are told before a folder is made.
    request.settings(recommended(0)).check()?;
    let lock = OutputLock::acquire(&request.output)?;
    let folder = Folder::new(&request.output);
    let earlier = match request.existing {
        Existing::Continue => folder.load()?,
        Existing::Refuse | Existing::Replace => None,
    };
    let trainer = match earlier {
        Some(trainer) => continued(request, trainer, &folder)?,
        None => {
            let files = folder.learned_files()?;
            match (files.first(), request.existing) {
                (Some(file), Existing::Refuse) => {
                    return Err(LearnError::OutputExists {
                        folder: request.output.clone(),
                        file: file.clone(),
                    });
                }
                (Some(file), Existing::Continue) => {
                    return Err(LearnError::BadState {
                        state: folder.state_path(),
                        reason: format!(
                            "it is missing, but {file} is there; start over with --force"
                        )
                        .into(),
                    });
                }
                _ => {}
            }
            let seed = request.seed.unwrap_or_else(draw_seed);
            let settings = request.settings(recommended(seed));
            let initial = initial_weights(&settings.initial)?;
            Trainer::new(settings, initial)
        }
    };
    Ok(Prepared {
        trainer,
        folder,
        existing: request.existing,
        workers: request.workers.max(1),
        _lock: lock,
    })
}

/// The earlier run with what may be changed.
fn continued(
    request: &Request,
    mut trainer: Trainer,
    folder: &Folder,
) -> Result<Trainer, LearnError> {
    let settings = request.settings(trainer.settings.clone());
    settings.check()?;
    if let Some((option, was, now)) = settings.difference(&trainer.settings) {
        return Err(LearnError::OtherSetting {
            state: folder.state_path(),
            option,
            was: was.into(),
            now: now.into(),
        });
    }
    if settings.epochs < trainer.epoch {
        return Err(LearnError::Setting {
            option: "--epochs",
            value: settings.epochs.to_string().into(),
            expected: format!("{} are learned already", trainer.epoch),
        });
    }
    trainer.settings = settings;
    Ok(trainer)
}

fn initial_weights(name: &str) -> Result<Weights, LearnError> {
    match name {
        "zero" => Ok(Weights::ZERO),
        "corners" => Ok(Weights::corner_table()),
        file => read_weight_file(Path::new(file))
            .map(Weights)
            .map_err(|reason| LearnError::InitialWeights(reason.into())),
    }
}

/// Learns, stores and tells. After a stop or an error everything up to the last checkpoint is on
/// disk, and a stop makes one.
///
/// # Errors
/// [`LearnError::Stopped`] after a stop; anything else is a failure.
pub(crate) fn run(
    prepared: Prepared,
    progress: &Progress,
    stop: &Stop,
) -> Result<Learned, LearnError> {
    let Prepared {
        mut trainer,
        folder,
        existing,
        workers,
        _lock,
    } = prepared;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(workers)
        .build()
        .map_err(|e| LearnError::Threads {
            workers,
            reason: e.to_string().into(),
        })?;
    let began_at = trainer.epoch;
    let mut learned = Learned {
        trainer: trainer.clone(),
        check: None,
        new_games: 0,
        playing: Duration::ZERO,
        updating: Duration::ZERO,
    };
    if began_at > 0 {
        // A run that was killed right after its first state has not written it.
        folder.write_initial(&trainer.initial)?;
    }
    let mut stored = None;
    while !trainer.is_done() {
        let time = match trainer.step(&pool, stop) {
            Ok(time) => time,
            Err(error) => {
                // Whatever ended the run: the epochs before it are good.
                if stored.is_some() {
                    folder.save(&trainer)?;
                }
                return Err(error);
            }
        };
        learned.playing += time.playing;
        learned.updating += time.updating;
        learned.new_games += u64::from(trainer.settings.games);
        if stored.is_none() && began_at == 0 {
            if existing == Existing::Replace {
                folder.clear()?;
            }
            // The state comes first: other files without it could not be continued.
            folder.save(&trainer)?;
            folder.write_initial(&trainer.initial)?;
        }
        let keep = trainer.epoch.is_multiple_of(trainer.settings.save_every);
        if keep {
            folder.write_epoch(trainer.epoch, trainer.result())?;
        }
        let is_due = stored.is_none_or(|at: Instant| at.elapsed() >= CHECKPOINT_INTERVAL);
        if keep || is_due || trainer.is_done() {
            folder.save(&trainer)?;
            stored = Some(Instant::now());
        }
        tell(&trainer, learned.new_games, progress);
    }
    let pairs = u64::from(trainer.settings.check_games / 2);
    if pairs > 0 {
        learned.check = Some(compare(
            trainer.result(),
            &trainer.initial,
            &trainer.settings,
            pairs,
            workers,
            stop,
            &|_| {},
        )?);
    }
    folder.write_final(&trainer, learned.check.as_ref())?;
    learned.trainer = trainer;
    Ok(learned)
}

fn tell(trainer: &Trainer, new_games: u64, progress: &Progress) {
    progress.update(|now| {
        now.games = new_games;
        now.steps = Some(steps(trainer));
    });
    if let (Some(check), Some(stats)) = (trainer.checks.last(), trainer.curve.last())
        && check.epoch == trainer.epoch
    {
        progress.emit(Event::Checked(CheckReport {
            epoch: check.epoch,
            games: check.games,
            score: check.score,
            mean_difference: check.mean_difference,
            rms_td_error: stats.rms_td_error,
        }));
    }
}

fn steps(trainer: &Trainer) -> Steps {
    Steps {
        done: u64::from(trainer.epoch),
        total: Some(u64::from(trainer.settings.epochs)),
        unit: "epoch",
    }
}
