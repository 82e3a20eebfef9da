//! All rounds, with interruption and continuation.

use super::BootstrapError;
use super::files::{Folder, SCHEMA, State};
use super::report::{BootstrapReport, RoundReport};
use super::round::Maker;
use super::settings::{Settings, Start};
use crate::base::stop::Stop;
use crate::dataset::lock::OutputLock;
use crate::progress::{Event, Progress, RoundFinished};
use std::path::PathBuf;

/// What happens to rounds that are there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Existing {
    /// They are an error.
    Refuse,
    /// They are continued.
    Continue,
    /// They are removed.
    Replace,
}

/// The rounds as they were asked for. What is `None` is that of the run to be continued, or else
/// the recommended setting.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// The folder.
    pub output: PathBuf,
    /// What happens to rounds that are there.
    pub existing: Existing,
    /// Threads, ≥ 1.
    pub workers: usize,
    /// See [`Settings::rounds`], and so on.
    pub rounds: Option<u32>,
    /// Positions of each phase.
    pub samples: Option<u64>,
    /// Level of self-play.
    pub level: Option<u32>,
    /// Games of each match.
    pub match_games: Option<u64>,
    /// Level of the matches.
    pub match_level: Option<u32>,
    /// Whose judgement the first round plays by.
    pub start: Option<Start>,
    /// What everything is drawn from.
    pub seed: Option<u64>,
}

/// Rounds that have their folder and settings.
pub(crate) struct Prepared {
    folder: Folder,
    state: State,
    workers: usize,
    existing: Existing,
    // Kept until the run ends.
    _lock: OutputLock,
}

impl Prepared {
    /// What decides the weights.
    pub(crate) fn settings(&self) -> &Settings {
        &self.state.settings
    }
}

impl Request {
    fn settings(&self, base: Settings) -> Settings {
        Settings {
            rounds: self.rounds.unwrap_or(base.rounds),
            samples: self.samples.unwrap_or(base.samples),
            level: self.level.unwrap_or(base.level),
            match_games: self.match_games.unwrap_or(base.match_games),
            match_level: self.match_level.unwrap_or(base.match_level),
            start: self.start.clone().unwrap_or(base.start),
            seed: self.seed.unwrap_or(base.seed),
        }
    }
}

/// Locks the folder, and finds out what is there and what is wanted.
///
/// # Errors
/// Settings that make no sense or differ from those of the rounds that are there, rounds in the
/// way, or a folder that cannot be used.
pub(crate) fn prepare(request: &Request) -> Result<Prepared, BootstrapError> {
    let recommended = Settings::recommended(1);
    request.settings(recommended.clone()).check()?;
    if let Some(Start::File(path)) = &request.start {
        let path = std::path::Path::new(path);
        crate::engine::builtin::Evaluation::from_file(path)
            .map_err(|reason| BootstrapError::Start(reason.into()))?;
    }
    let lock = OutputLock::acquire(&request.output)?;
    let folder = Folder::new(&request.output);
    let earlier = match request.existing {
        Existing::Replace => None,
        Existing::Refuse | Existing::Continue => folder.load()?,
    };
    let state = match earlier {
        Some(_) if request.existing == Existing::Refuse => {
            return Err(BootstrapError::Exists {
                path: request.output.clone(),
            });
        }
        Some(mut state) => {
            let settings = request.settings(state.settings.clone());
            settings.check()?;
            if let Some((option, was, now)) = state.settings.difference(&settings) {
                return Err(BootstrapError::Other {
                    path: request.output.clone(),
                    option,
                    was: was.into(),
                    now: now.into(),
                });
            }
            state.settings = settings;
            state
        }
        None => State {
            schema: SCHEMA.to_owned(),
            settings: request.settings(recommended),
            rounds: Vec::new(),
        },
    };
    Ok(Prepared {
        folder,
        state,
        workers: request.workers.max(1),
        existing: request.existing,
        _lock: lock,
    })
}

/// Makes the rounds that are missing. Every finished round is kept at once.
///
/// # Errors
/// [`BootstrapError::Stopped`] after a stop; anything else is a failure.
pub(crate) fn run(
    prepared: Prepared,
    progress: &Progress,
    stop: &Stop,
) -> Result<BootstrapReport, BootstrapError> {
    let Prepared {
        folder,
        mut state,
        workers,
        existing,
        _lock,
    } = prepared;
    if existing == Existing::Replace {
        folder.clear()?;
    }
    folder.begin(&state.settings)?;
    folder.save(&state)?;
    for round in state.rounds.len() as u32 + 1..=state.settings.rounds {
        let maker = Maker {
            folder: &folder,
            settings: &state.settings,
            workers,
            progress,
            stop,
        };
        let report = maker.round(round)?;
        tell(&report, state.settings.rounds, progress);
        state.rounds.push(report);
        folder.save(&state)?;
    }
    let last = state.rounds.last();
    Ok(BootstrapReport {
        schema: SCHEMA,
        weights: last.and_then(|round| folder.weights(round.round, &state.settings)),
        settings: state.settings,
        rounds: state.rounds,
    })
}

fn tell(report: &RoundReport, rounds: u32, progress: &Progress) {
    progress.emit(Event::Round(RoundFinished {
        round: report.round,
        rounds,
        positions: report.positions,
        mae: report.mae,
        against_last: report.against_last.score,
        against_start: report.against_start.score,
    }));
}
