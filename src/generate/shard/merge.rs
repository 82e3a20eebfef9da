//! Shards become a dataset: their games are committed in the order of their numbers, up to the first
//! number that is missing, by the rules of one machine. What is there already is continued.

use super::description::ShardDescription;
use super::numbering::Shard;
use crate::base::shown::Shown;
use crate::base::stop::Stop;
use crate::config::{self, DatasetConfig};
use crate::dataset::DatasetError;
use crate::dataset::lock::OutputLock;
use crate::engine::KINDS;
use crate::games::Recording;
use crate::games::{Ending, GamesDir, GamesFile, GamesState, KeptGame};
use crate::generate::GenerateError;
use crate::generate::campaign::Campaign;
use crate::generate::collector::{Collector, FileGames, KeptGames};
use crate::generate::facts::ExistingOutput;
use crate::generate::run::{Request, Sources, run_with};
use crate::generate::settings::differences;
use crate::progress::{Progress, RunReport};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// Games handed over at once.
const AT_ONCE: usize = 1 << 13;

/// What is to be merged.
#[derive(Clone, Debug)]
pub(crate) struct MergeRequest {
    /// Folders of all shards.
    pub shards: Vec<PathBuf>,
    /// Where the dataset goes.
    pub output: PathBuf,
    /// Take games that were given up as one machine would have: the data is not reproducible then.
    pub accept_failed: bool,
    /// Exclude other runs on the shards and the output.
    pub lock: bool,
}

/// What a merge found of a phase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lack {
    /// Discs − 4.
    pub phase: u8,
    /// First phase of its campaign.
    pub anchor: u8,
    /// Samples that are there.
    pub samples: u64,
    /// Samples that are wanted.
    pub target: u64,
    /// Games that were committed.
    pub games: u64,
    /// The game number that the shards should reach; `None` where nothing lacks.
    pub until: Option<u64>,
}

/// A finished merge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Merged {
    /// Every phase.
    pub phases: Vec<Lack>,
    /// The configuration that the shards were played with.
    pub config: PathBuf,
}

/// Merges all shards of a dataset.
pub(crate) fn merge_shards(
    request: &MergeRequest,
    progress: &Progress,
    stop: &Stop,
) -> (RunReport, Result<Merged, GenerateError>) {
    let prepared = prepare(request);
    let (mut sources, run) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => return (RunReport::default(), Err(error)),
    };
    let (report, end) = run_with(&run, progress, stop, &mut sources);
    let config = run.config.path.clone();
    let phases = std::mem::take(&mut sources.phases);
    (report, end.map(|()| Merged { phases, config }))
}

fn prepare(request: &MergeRequest) -> Result<(ShardSources, Request), GenerateError> {
    let mut shards = Vec::new();
    let mut locks = Vec::new();
    for folder in &request.shards {
        if request.lock {
            // Asked first: a folder that is not there is not to be made.
            std::fs::metadata(folder).map_err(DatasetError::io("read", folder))?;
            locks.push(OutputLock::acquire(folder)?);
        }
        shards.push((folder.clone(), ShardDescription::read(folder)?));
    }
    shards.sort_by_key(|(_, description)| description.shard);
    check_together(&shards)?;
    let Some((_, first)) = shards.first() else {
        return Err(bad("no shard is named".to_owned()));
    };
    let dataset = config::dataset_of_text(&first.config_path, &first.config)
        .map_err(|error| bad(error.to_string()))?;
    let app = match first.app_config.is_empty() {
        // The embedded engine alone played.
        true => config::no_app(&first.app_config_path, &KINDS),
        false => config::app_of_text(&first.app_config_path, &first.app_config, &KINDS)
            .map_err(|error| bad(error.to_string()))?,
    };
    let dataset = DatasetConfig {
        output_dir: request.output.clone(),
        keep_games: true,
        ..dataset
    };
    let engines = dataset
        .engines(&app)
        .map_err(|error| bad(error.to_string()))?;
    let mut run = Request::new(dataset, &app, engines, ExistingOutput::Resume);
    run.lock = request.lock;
    let sources = ShardSources {
        described: first.clone(),
        folders: shards.iter().map(|(folder, _)| folder.clone()).collect(),
        accept_failed: request.accept_failed,
        phases: Vec::new(),
        _locks: locks,
    };
    Ok((sources, run))
}

fn bad(reason: String) -> GenerateError {
    GenerateError::Shards {
        reason: reason.into(),
    }
}

/// Whether all shards of one dataset are there, each once.
fn check_together(shards: &[(PathBuf, ShardDescription)]) -> Result<(), GenerateError> {
    let Some((first_folder, first)) = shards.first() else {
        return Ok(());
    };
    for (folder, other) in shards {
        let differ = |what: &str| {
            bad(format!(
                "{} and {} do not belong together: {what}",
                first_folder.shown(),
                folder.shown()
            ))
        };
        if other.shards != first.shards {
            return Err(differ(&format!(
                "one is of {} shards, the other of {}",
                first.shards, other.shards
            )));
        }
        if other.settings.keys().ne(first.settings.keys()) {
            return Err(differ("they have other phases"));
        }
        for (phase, settings) in &other.settings {
            let differing = differences(&first.settings[phase], settings);
            if !differing.is_empty() {
                return Err(differ(&format!("phase {phase}: {}", differing.join("; "))));
            }
        }
    }
    for pair in shards.windows(2) {
        if pair[0].1.shard == pair[1].1.shard {
            return Err(bad(format!(
                "{} and {} are both {}",
                pair[0].0.shown(),
                pair[1].0.shown(),
                pair[0].1.shard()
            )));
        }
    }
    let missing: Vec<String> = (1..=first.shards)
        .filter(|index| shards.iter().all(|(_, other)| other.shard != *index))
        .map(|index| index.to_string())
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(bad(format!(
        "of {} shards these are missing: {}",
        first.shards,
        missing.join(", ")
    )))
}

/// Games that come from shards.
struct ShardSources {
    described: ShardDescription,
    folders: Vec<PathBuf>,
    accept_failed: bool,
    phases: Vec<Lack>,
    _locks: Vec<OutputLock>,
}

impl Sources for ShardSources {
    fn description(&self) -> Option<&ShardDescription> {
        Some(&self.described)
    }

    fn feed(
        &mut self,
        collector: &mut Collector<'_>,
        campaigns: &[Campaign],
        recording: &Recording,
        stop: &Stop,
    ) -> Result<(), GenerateError> {
        for (at, campaign) in campaigns.iter().enumerate() {
            let mut games = ShardGames::open(&self.folders, campaign.anchor, self.accept_failed)?;
            collector.note_reproducible(games.reproducible);
            collector.feed(at, &mut games, recording, stop)?;
        }
        let shards = self.folders.len() as u64;
        self.phases = collector
            .phases()
            .map(|(task, next)| {
                let done = task.progress().done;
                let target = task.progress().target;
                let more = task.games_to_fill();
                // A twentieth more than expected, so that it need not be said twice.
                let until = (next + more + more / 20).next_multiple_of(shards);
                Lack {
                    phase: task.phase(),
                    anchor: task.anchor(),
                    samples: done,
                    target,
                    games: next,
                    until: (!task.is_complete()).then_some(until),
                }
            })
            .collect();
        Ok(())
    }
}

/// The games of one campaign from all shards, in turn.
struct ShardGames {
    files: Vec<FileGames>,
    queues: Vec<VecDeque<KeptGame>>,
    next: u64,
    accept_failed: bool,
    reproducible: bool,
    last: PathBuf,
}

impl ShardGames {
    fn open(
        folders: &[PathBuf],
        anchor: u8,
        accept_failed: bool,
    ) -> Result<ShardGames, GenerateError> {
        let mut games = ShardGames {
            files: Vec::new(),
            queues: folders.iter().map(|_| VecDeque::new()).collect(),
            next: 0,
            accept_failed,
            reproducible: true,
            last: PathBuf::new(),
        };
        for (index, folder) in (1..).zip(folders) {
            let dir = GamesDir::new(folder, anchor);
            let shard = Shard {
                index,
                count: folders.len() as u64,
            };
            let state = GamesState::read(&dir)?;
            let numbers = shard.numbers();
            if (state.first_game, state.step) != (numbers.first, numbers.step) {
                return Err(bad(format!(
                    "{} does not hold the games of {shard}",
                    dir.path().shown()
                )));
            }
            if state.endings.given_up > 0 && !accept_failed {
                let lost = match state.endings.given_up {
                    1 => "1 game that was".to_owned(),
                    more => format!("{more} games that were"),
                };
                return Err(bad(format!(
                    "{} holds {lost} given up because the engine failed; run the shard again, \
                     which plays what is missing, or take it as it is with --accept-failed",
                    dir.path().shown(),
                )));
            }
            games.reproducible &= state.reproducible;
            let file = GamesFile::open_counted(&dir, &state)?;
            games.files.push(FileGames::new(file));
        }
        Ok(games)
    }
}

impl KeptGames for ShardGames {
    fn next(&mut self) -> Result<Option<Vec<KeptGame>>, GenerateError> {
        let mut games = Vec::with_capacity(AT_ONCE);
        while games.len() < AT_ONCE {
            let shard = (self.next % self.files.len() as u64) as usize;
            self.last = self.files[shard].path().to_owned();
            if self.queues[shard].is_empty() {
                // A batch of one block that was damaged is an error, so this ends.
                match self.files[shard].next()? {
                    Some(more) => self.queues[shard].extend(more),
                    None => break,
                }
            }
            let Some(game) = self.queues[shard].pop_front() else {
                continue;
            };
            if game.number != self.next {
                return Err(GenerateError::GameMissing {
                    path: self.last.clone(),
                    game: self.next,
                });
            }
            debug_assert!(self.accept_failed || game.ending != Ending::GivenUp);
            self.next += 1;
            games.push(game);
        }
        Ok(Some(games).filter(|games| !games.is_empty()))
    }

    fn path(&self) -> &Path {
        &self.last
    }
}
