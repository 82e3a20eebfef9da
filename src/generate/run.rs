//! A whole run: lock, seed, phases, workers, collector, closing files.

use super::campaign::{Campaign, Numbers, campaigns, group_phases};
use super::collector::{CLOSING, CampaignTasks, Collector, finish_phases};
use super::dispenser::Dispenser;
use super::error::GenerateError;
use super::facts::{ExistingOutput, RunFacts};
use super::kept::{self, FoundGames};
use super::open::Existing;
use super::openings::OpeningBook;
use super::phase::{PhasePlan, PhaseTask};
use super::play::Recording;
use super::settings::{IdentifiedEngine, RunEngines, effective_hash, effective_settings};
use super::shard::{Shard, ShardDescription, UntilGame, describe};
use super::worker::{Message, WorkerContext, run_worker};
use super::{repetition, report};
use crate::base::stop::Stop;
use crate::board::distinct_positions;
use crate::board::enumerate::{EnumerateError, Enumeration, EnumerationTally};
use crate::config::{self, Affinity, AppConfig, DatasetConfig, Mode};
use crate::dataset::DatasetError;
use crate::dataset::counters::EnumerationCounters;
use crate::dataset::durable::{self, side_by_side};
use crate::dataset::layout::PhaseDir;
use crate::dataset::lock::OutputLock;
use crate::dataset::split::Thresholds;
use crate::engine::EngineIdentity;
use crate::engine::limits;
use crate::engine::pinning::{Cpus, Policy};
use crate::progress::{Event, Progress, RunReport};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// What is to be made, and what is to become of output that is there.
#[derive(Clone, Debug)]
pub struct Request {
    /// config.toml.
    pub config: DatasetConfig,
    /// app.toml's path, for the metadata.
    pub app_config_path: PathBuf,
    /// SHA-256 of its bytes; empty where there is no such file.
    pub app_config_sha256: String,
    /// Who plays.
    pub engines: config::RunEngines,
    /// Existing output.
    pub existing: ExistingOutput,
    /// Play the games of one shard, and keep them alone.
    pub shard: Option<ShardRun>,
    /// Exclude other runs on the same output.
    pub lock: bool,
    /// The lines that games begin with, if they are read already.
    pub book: Option<Arc<OpeningBook>>,
}

/// A shard and how far it goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShardRun {
    /// Which.
    pub shard: Shard,
    /// Games up to here, instead of its share of samples.
    pub until: Option<UntilGame>,
}

impl Request {
    /// From the two configurations.
    pub fn new(
        config: DatasetConfig,
        app: &AppConfig,
        engines: config::RunEngines,
        existing: ExistingOutput,
    ) -> Request {
        Request {
            config,
            app_config_path: app.path.clone(),
            app_config_sha256: app.sha256.clone(),
            engines,
            existing,
            shard: None,
            lock: true,
            book: None,
        }
    }
}

/// Finds out whether existing output forbids the run, without changing anything: worth knowing
/// before engines are set up. Gives the seed: the configured one, that of the output that is to be
/// continued, or a new one.
///
/// # Errors
/// [`GenerateError::OutputExists`], [`GenerateError::SeedsDiffer`]; what the system refuses.
pub fn check_existing(
    config: &DatasetConfig,
    existing: ExistingOutput,
) -> Result<u64, GenerateError> {
    Existing::look(config, existing)?.seed(config)
}

/// Makes the dataset. The report tells what is on disk, whatever the end.
pub fn run(
    request: &Request,
    progress: &Progress,
    stop: &Stop,
) -> (RunReport, Result<(), GenerateError>) {
    run_with(request, progress, stop, &mut Played)
}

/// Where games come from that are read instead of played.
pub(super) trait Sources {
    /// What was written down of them; `None` where games are played.
    fn description(&self) -> Option<&ShardDescription>;

    /// Hands over what there is.
    fn feed(
        &mut self,
        collector: &mut Collector<'_>,
        campaigns: &[Campaign],
        recording: &Recording,
        stop: &Stop,
    ) -> Result<(), GenerateError>;
}

/// All games are played.
struct Played;

impl Sources for Played {
    fn description(&self) -> Option<&ShardDescription> {
        None
    }

    fn feed(
        &mut self,
        _: &mut Collector<'_>,
        _: &[Campaign],
        _: &Recording,
        _: &Stop,
    ) -> Result<(), GenerateError> {
        Ok(())
    }
}

/// The same, with games from somewhere else.
pub(super) fn run_with(
    request: &Request,
    progress: &Progress,
    stop: &Stop,
    sources: &mut dyn Sources,
) -> (RunReport, Result<(), GenerateError>) {
    let since = Instant::now();
    let mut report = RunReport {
        output_dir: request.config.output_dir.clone(),
        samples: Some(0),
        new_samples: Some(0),
        ..RunReport::default()
    };
    let end = generate(request, progress, stop, sources, &mut report);
    report.elapsed = since.elapsed();
    (report, end)
}

fn generate(
    request: &Request,
    progress: &Progress,
    stop: &Stop,
    sources: &mut dyn Sources,
    report: &mut RunReport,
) -> Result<(), GenerateError> {
    let since = Instant::now();
    let config = &request.config;
    let _lock = match request.lock {
        true => Some(OutputLock::acquire(&config.output_dir)?),
        false => None,
    };
    let existing = Existing::look(config, request.existing)?;
    let seed = existing.seed(config)?;
    let facts = Arc::new(RunFacts {
        config: config.clone(),
        app_config_path: request.app_config_path.clone(),
        app_config_sha256: request.app_config_sha256.clone(),
        engines: identify(&request.engines, sources.description())?,
        seed,
        book: match (&request.book, sources.description()) {
            (Some(book), _) => Some(Arc::clone(book)),
            (None, None) => OpeningBook::load(config)?.map(Arc::new),
            (None, Some(_)) => None,
        },
        split_by: existing.split_by(config),
        elapsed_before: existing.elapsed(),
        since,
    });
    tracing::info!(seed, "seed of this run");
    for warning in repetition::foreseen(config, &request.engines, facts.book.as_deref()) {
        progress.emit(Event::Warning(warning));
    }

    let enumeration = enumerate(config, progress, stop)?;
    let keeps_games = existing.keeps_games(config)?;
    let mut campaigns = campaigns(
        config,
        seed,
        enumeration.as_ref().map(|walk| &walk.all),
        request
            .shard
            .as_ref()
            .map_or(Numbers::ALL, |run| run.shard.numbers()),
        keeps_games || request.shard.is_some(),
        facts.book.as_ref(),
    );
    let described = sources.description();
    let mut plans = plans(&facts, &campaigns, enumeration.as_ref(), described);
    let found_games = kept::find(&facts, &campaigns, &plans, &existing, progress)?;
    if let Some(run) = &request.shard {
        std::fs::create_dir_all(&config.output_dir)
            .map_err(DatasetError::io("create", &config.output_dir))?;
        describe(&facts, &plans, run.shard)?;
        for plan in plans.iter_mut().flatten() {
            plan.has_files = false;
            if config.mode == Mode::Normal {
                plan.target = run.shard.share(plan.target);
            }
        }
    }
    let mut tasks = existing.open(&facts, plans, progress)?;
    // Fewer samples are wanted than are there.
    let is_over = |task: &&mut PhaseTask| !task.is_complete() && task.is_full();
    finish_phases(tasks.iter_mut().flatten().filter(is_over).collect())?;
    // Each begins with a checkpoint, and that waits for the disk.
    let games = side_by_side(&found_games, FoundGames::open);

    let tasks = tasks
        .into_iter()
        .zip(games)
        .zip(&mut campaigns)
        .map(|((phases, games), campaign)| {
            let games = games?;
            let run = request.shard.as_ref();
            let until = run.and_then(|run| run.until.as_ref()?.of(campaign.anchor));
            if let Some(until) = until {
                campaign.game_limit = campaign.game_limit.min(until);
            }
            Ok(CampaignTasks {
                again: match (run, &games) {
                    (Some(_), Some(games)) => games.given_up()?,
                    _ => Vec::new(),
                },
                games,
                // Then it is the number that ends the work, and not its share.
                phases: if until.is_some() { Vec::new() } else { phases },
                until: until.map_or(0, |_| campaign.game_limit),
            })
        })
        .collect::<Result<_, GenerateError>>()?;
    let workers = workers_that_fit(config, &request.engines, &campaigns, progress);
    let mut collector = Collector::new(
        &campaigns,
        tasks,
        progress,
        workers,
        config.self_play.retries,
    );
    let recording = Recording {
        split: Thresholds::new(&config.split),
        split_by: facts.split_by,
        score_rule: config.score_rule,
        label: config.label,
    };
    let mut fed = collector.feed_own(&recording, stop);
    if fed.is_ok() {
        fed = sources.feed(&mut collector, &campaigns, &recording, stop);
    }
    let is_read = sources.description().is_some();
    let dispenser = Dispenser::new(&collector.lane_starts());
    // The end of the work stops the workers' engines too, without a signal having come.
    let work = Stop::new();
    let linked = work.clone();
    let _link = stop.on_request(move || linked.request());
    let context = WorkerContext {
        campaigns: &campaigns,
        dispenser: &dispenser,
        recording,
        max_score: config.playout.max_score,
        solve_from: config.self_play.solve_from,
        self_play: &facts.engines.self_play.spec,
        playout: facts.engines.playout.as_ref().map(|engine| &engine.spec),
        ai_probability: config.playout.ai_probability,
        retries: config.self_play.retries,
        cpus: cpus(config, &request.engines, workers),
        stop: &work,
    };
    let (sender, results) = mpsc::channel();
    let (collected, end) = std::thread::scope(|scope| {
        if is_read {
            return collector.close(stop, fed);
        }
        if fed.is_ok() && !collector.all_done() {
            spawn_workers(scope, &context, workers, sender);
        }
        let end = collector.collect(results, &dispenser, &work, fed);
        work.request();
        end
    });
    report.games = collected.games;
    let shown = || collected.tasks.iter().map(|task| task.progress());
    report.samples = Some(shown().map(|phase| phase.done).sum());
    report.new_samples = Some(
        shown()
            .map(|phase| phase.done.saturating_sub(phase.resumed))
            .sum(),
    );
    end?;
    if request.shard.is_some() || collected.tasks.iter().any(|task| !task.is_complete()) {
        return Ok(());
    }
    report::write_run(&facts, &collected.tasks)?;
    if let Some(warning) = repetition::seen(config, &collected.tasks) {
        progress.emit(Event::Warning(warning));
    }
    Ok(())
}

/// Where the engines run.
fn cpus(config: &DatasetConfig, engines: &config::RunEngines, workers: usize) -> Cpus {
    let policy = match config.self_play.affinity {
        Affinity::Auto if engines.self_play.entry.kind.is_embedded() => Policy::Never,
        Affinity::Auto => Policy::Auto,
        Affinity::On => Policy::Always,
        Affinity::Off => Policy::Never,
    };
    let threads = std::iter::once(&engines.self_play)
        .chain(&engines.playout)
        .map(|spec| spec.threads);
    Cpus::new(policy, workers, threads.max().unwrap_or(1))
}

/// The workers whose engines' pipes fit beside the files of the dataset: no run dies for want of
/// open files when it could do with fewer workers. The data is the same.
pub(super) fn workers_that_fit(
    config: &DatasetConfig,
    engines: &config::RunEngines,
    campaigns: &[Campaign],
    progress: &Progress,
) -> usize {
    let workers = config.self_play.workers;
    let processes = std::iter::once(&engines.self_play)
        .chain(&engines.playout)
        .filter(|spec| !spec.entry.kind.is_embedded())
        .count() as u64;
    // A campaign's last games overlap with the first ones of the next.
    let phases = |pair: &[Campaign]| pair.iter().map(|one| one.phases.len() as u64).sum::<u64>();
    let open = campaigns.windows(2).map(phases).max();
    let open = open.unwrap_or_else(|| phases(campaigns));
    // Finished phases are open until they are on disk. Kept games are open already, and counted so.
    let most = campaigns.iter().map(|one| one.phases.len()).max();
    let closing = match campaigns.len() {
        0..=2 => 0,
        _ => CLOSING.max(most.unwrap_or(0)) as u64,
    };
    let own = 3 * (open + closing) + durable::AT_ONCE as u64;
    let fitting = limits::workers_that_fit(workers, processes, own);
    if fitting < workers {
        progress.emit(Event::Warning(limits::few_fit(fitting, workers)));
    }
    fitting
}

/// What the engines are: looked at, or as it was written down.
fn identify(
    engines: &config::RunEngines,
    described: Option<&ShardDescription>,
) -> Result<RunEngines, GenerateError> {
    let identify = |spec: &config::EngineSpec, known: Option<&EngineIdentity>| {
        Ok::<_, GenerateError>(IdentifiedEngine {
            spec: spec.clone(),
            identity: match known {
                Some(identity) => identity.clone(),
                None => crate::engine::identify(spec)?,
            },
        })
    };
    let playout = described.and_then(|described| described.playout.as_ref());
    Ok(RunEngines {
        self_play: identify(&engines.self_play, described.map(|d| &d.self_play))?,
        playout: match &engines.playout {
            Some(spec) => Some(identify(spec, playout)?),
            None => None,
        },
    })
}

fn spawn_workers<'scope, 'env>(
    scope: &'scope std::thread::Scope<'scope, 'env>,
    context: &'env WorkerContext<'env>,
    workers: usize,
    results: mpsc::Sender<Message>,
) {
    for worker in 0..workers {
        let results = results.clone();
        let spawned = std::thread::Builder::new()
            .name(format!("worker-{worker}"))
            .spawn_scoped(scope, {
                let results = results.clone();
                move || {
                    let lost = results.clone();
                    // A game that is never delivered would hold up all later ones for ever.
                    let work =
                        std::panic::AssertUnwindSafe(|| run_worker(worker, context, results));
                    if std::panic::catch_unwind(work).is_err() {
                        let _ = lost.send(Message::Lost { worker });
                    }
                }
            });
        if let Err(error) = spawned {
            tracing::warn!(worker, %error, "cannot start a worker thread");
            let _ = results.send(Message::NoThread { worker, error });
        }
    }
}

/// The enumerated positions and the time it took to find them.
struct Walk {
    all: Arc<Enumeration>,
    time: Duration,
}

fn enumerate(
    config: &DatasetConfig,
    progress: &Progress,
    stop: &Stop,
) -> Result<Option<Walk>, GenerateError> {
    let (Mode::AllPositions, Some(&last)) = (config.mode, config.phases.last()) else {
        return Ok(None);
    };
    if last > 9 {
        progress.emit(Event::Warning(match distinct_positions(last) {
            Some(count) => format!("phase {last} has {count} positions, each of which is played"),
            None => format!(
                "phase {last} has more than 17 million positions (about seven times as many with \
                 each further phase); all of them are held in memory and played"
            ),
        }));
    }
    let started = Instant::now();
    let all = match Enumeration::up_to(last, stop) {
        Err(EnumerateError::Stopped) => return Err(GenerateError::Interrupted),
        other => Arc::new(other?),
    };
    Ok(Some(Walk {
        all,
        time: started.elapsed(),
    }))
}

/// What decides each phase, grouped by campaign.
fn plans(
    facts: &RunFacts,
    campaigns: &[Campaign],
    walk: Option<&Walk>,
    described: Option<&ShardDescription>,
) -> Vec<Vec<PhasePlan>> {
    debug_assert_eq!(group_phases(&facts.config).len(), campaigns.len());
    let plan = |campaign: &Campaign, phase: u8| {
        let settings = effective_settings(
            &facts.config,
            &facts.engines,
            facts.book.as_deref(),
            facts.seed,
            facts.split_by,
            phase,
            campaign.anchor,
        );
        let written_down = described.and_then(|described| described.settings.get(&phase));
        let settings = written_down.cloned().unwrap_or(settings);
        PhasePlan {
            dir: PhaseDir::new(&facts.config.output_dir, phase),
            anchor: campaign.anchor,
            target: match walk {
                Some(_) => campaign.numbers.below(campaign.game_limit),
                None => facts.config.samples_per_phase,
            },
            hash: effective_hash(&settings),
            numbers: campaign.numbers,
            keeps_games: campaign.keeps_games,
            has_files: true,
            settings,
            enumeration: walk.map(|walk| (counters(walk.all.tally(phase)), walk.time)),
        }
    };
    campaigns
        .iter()
        .map(|campaign| {
            campaign
                .phases
                .iter()
                .map(|&phase| plan(campaign, phase))
                .collect()
        })
        .collect()
}

fn counters(tally: EnumerationTally) -> EnumerationCounters {
    EnumerationCounters {
        nodes: tally.nodes,
        leaf: tally.leaf,
        unique: tally.unique,
        duplicates: tally.duplicates,
        pass: tally.pass,
        game_over: tally.game_over,
    }
}
