//! One round: games, weights, matches.

use super::BootstrapError;
use super::files::Folder;
use super::report::{RoundReport, Strength};
use super::settings::Settings;
use crate::arena::matches::{Finished, MatchSettings, Players, Statistics, play};
use crate::base::stop::Stop;
use crate::config::{load_app, load_dataset};
use crate::dataset::files::write_file;
use crate::engine::builtin::Builtin;
use crate::engine::builtin::patterns::standard;
use crate::engine::{Engine, EngineError, KINDS};
use crate::fit::{self, FitOptions, FitReport, Fitted};
use crate::generate::{self, ExistingOutput, GenerateError, Request};
use crate::progress::{Progress, Snapshot, Steps};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Phases of the games. Earlier ones have too few positions.
const PHASES: &str = "8..59";

/// Phases of a window: four windows, so that each phase has its share of varied positions.
const WINDOW: u32 = 13;

/// From so many empties on games are played perfectly.
const SOLVE_FROM: u32 = 14;

/// Random moves of an opening of the matches.
const RANDOM_PLIES: u32 = 8;

/// Who makes a round, and for whom.
pub(super) struct Maker<'a> {
    pub(super) folder: &'a Folder,
    pub(super) settings: &'a Settings,
    pub(super) workers: usize,
    pub(super) progress: &'a Progress,
    pub(super) stop: &'a Stop,
}

impl Maker<'_> {
    /// Makes round number `round`, or what is missing of it.
    pub(super) fn round(&self, round: u32) -> Result<RoundReport, BootstrapError> {
        let began = Instant::now();
        let folder = self.folder.make(round)?;
        self.games(round, &folder)?;
        let fitted = self.weights(round, &folder)?;
        let against_last = self.match_against(round, round - 1)?;
        let against_start = match round {
            1 => against_last,
            _ => self.match_against(round, 0)?,
        };
        Ok(RoundReport {
            round,
            positions: fitted.positions,
            mae: fitted.figures.map(|figures| figures.mae),
            against_last,
            against_start,
            seconds: began.elapsed().as_secs_f64(),
        })
    }

    /// The counters of one part of a round do not belong to the next.
    fn begin_part(&self) {
        self.progress.update(|now| *now = Snapshot::default());
    }

    fn games(&self, round: u32, folder: &Path) -> Result<(), BootstrapError> {
        let weights = self.folder.weights(round - 1, self.settings);
        let weights = weights.map(|path| std::path::absolute(&path).unwrap_or(path));
        let eval_file = weights.map_or(String::new(), |path| {
            format!("eval_file = {}\n", quoted(&path.to_string_lossy()))
        });
        let app = folder.join("app.toml");
        let text =
            format!("setup = \"off\"\n\n[engines.last_round]\nkind = \"builtin\"\n{eval_file}");
        write_file(&app, text.as_bytes())?;
        let config = folder.join("config.toml");
        write_file(&config, self.config(round).as_bytes())?;
        let app = load_app(&app, &KINDS)?;
        let mut config = load_dataset(&config)?;
        config.self_play.workers = self.workers;
        let engines = config.engines(&app)?;
        self.begin_part();
        let request = Request::new(config, &app, engines, ExistingOutput::Resume);
        match generate::run(&request, self.progress, self.stop).1 {
            Ok(()) => Ok(()),
            Err(GenerateError::Interrupted) => Err(BootstrapError::Stopped),
            Err(source) => Err(BootstrapError::Generate { round, source }),
        }
    }

    fn config(&self, round: u32) -> String {
        let Settings {
            samples,
            level,
            seed,
            ..
        } = self.settings;
        // Each round has games of its own.
        let seed = seed.wrapping_add(u64::from(round)) & i64::MAX as u64;
        format!(
            "mode = \"normal\"\noutput_dir = \"data\"\nphases = \"{PHASES}\"\n\
             samples_per_phase = {samples}\nseed = {seed}\nscore_rule = \"winner_takes_empties\"\n\n\
             [split]\ntrain = 0.95\nvalid = 0.025\ntest = 0.025\n\n\
             [self_play]\nsolve_from = {SOLVE_FROM}\n\n\
             [self_play.ai]\nname = \"last_round\"\nlevel = {level}\n\n\
             [window]\nenabled = true\nsize = {WINDOW}\n"
        )
    }

    /// Fits to the positions of this round and the one before: older ones were played worse.
    fn weights(&self, round: u32, folder: &Path) -> Result<FitReport, BootstrapError> {
        let failed = |source| BootstrapError::Fit { round, source };
        let rounds = round.saturating_sub(1).max(1)..=round;
        let inputs: Vec<PathBuf> = rounds.map(|r| self.folder.round(r).join("data")).collect();
        let options = FitOptions {
            inputs,
            output: folder.join("weights.bin"),
            // A finished file of a round that is not: it is made again, for what it tells.
            existing: fit::Existing::Replace,
            epochs: FitOptions::EPOCHS,
            rate: FitOptions::RATE,
            l2: FitOptions::L2,
            stages: FitOptions::STAGES,
            shapes: standard(),
            start: None,
            threads: self.workers,
        };
        self.begin_part();
        let prepared = fit::prepare(options).map_err(failed)?;
        match fit::run(prepared, self.progress, self.stop).map_err(failed)? {
            Fitted::Finished(report) => Ok(*report),
            Fitted::Already | Fitted::Interrupted { .. } => Err(BootstrapError::Stopped),
        }
    }

    fn match_against(&self, round: u32, other: u32) -> Result<Strength, BootstrapError> {
        let games = self.settings.match_games;
        let settings = MatchSettings {
            pairs: games / 2,
            openings: Vec::new(),
            random_plies: RANDOM_PLIES,
            seed: self.settings.seed,
            workers: self.workers,
            retries: 0,
        };
        let start =
            || -> Result<Players, EngineError> { Ok([self.player(round)?, self.player(other)?]) };
        let finished = |finished: &Finished| {
            self.progress.update(|now| {
                now.games = now.games.max(2 * finished.count);
                now.steps = Some(Steps {
                    done: now.games,
                    total: Some(games),
                    unit: "game",
                });
                let score = now.score.get_or_insert_default();
                finished
                    .pair
                    .0
                    .into_iter()
                    .for_each(|result| score.add(result));
            });
        };
        self.begin_part();
        let outcome = play(&settings, &start, self.stop, &finished)
            .map_err(|source| BootstrapError::Match { round, source })?;
        let statistics = Statistics::new(&outcome.pairs).filter(|_| outcome.is_complete);
        let statistics = statistics.ok_or(BootstrapError::Stopped)?;
        Ok(Strength::from(&statistics))
    }

    fn player(&self, round: u32) -> Result<Box<dyn Engine>, EngineError> {
        let weights = self.folder.weights(round, self.settings);
        let name = format!("round {round}");
        let level = self.settings.match_level;
        let engine = Builtin::new(&name, level, 1, weights.as_deref(), self.stop)?;
        Ok(Box::new(engine))
    }
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
