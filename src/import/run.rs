//! The import from beginning to end.

use super::files::{self, Sources};
use super::inputs::{self, Input, Wanted};
use super::merge::{MergedPhase, Merging, merge_phase};
use super::options::ImportOptions;
use super::positions::{Harvest, Harvester, Selection};
use super::reading::{self, Batch, News};
use super::spool::{Spool, Spools};
use super::stage::Stage;
use super::tally::{BadGame, Tally};
use super::{ImportError, options::Unfinished};
use crate::base::clock;
use crate::base::shown::Shown;
use crate::base::stop::Stop;
use crate::dataset::stats::PhaseStats;
use crate::progress::{Event, PhaseReport, Progress, Steps};
use crate::records::Fault;
use rayon::ThreadPool;
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Games that one task replays: few enough to spread a batch, many enough to be worth a task.
const GAMES_PER_TASK: usize = 128;
/// Files that summary.json names one by one.
const NAMED_FILES: usize = 1000;
/// Time between two updates of the counters.
const UPDATE: Duration = Duration::from_millis(100);

/// What an import made.
#[derive(Clone, PartialEq, Debug)]
pub struct ImportReport {
    /// The games.
    pub tally: Tally,
    /// Each phase, ascending.
    pub phases: Vec<PhaseStats>,
    /// Wall-clock time.
    pub elapsed: Duration,
}

/// Reads the games and writes the dataset. On any error, and on a stop, nothing is left of it.
pub fn run(
    options: &ImportOptions,
    progress: &Progress,
    stop: &Stop,
) -> Result<ImportReport, ImportError> {
    let began = Instant::now();
    let inputs: Arc<[Input]> = inputs::list(&options.inputs, wanted(options))?.into();
    let stage = Stage::begin(&options.output_dir, &options.phases, options.force)?;
    if let Some(mended) = stage.mended() {
        progress.emit(Event::Warning(mended.to_owned()));
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .thread_name(|n| format!("import-{n}"))
        .build()
        .map_err(|error| ImportError::Threads {
            threads: options.threads,
            reason: error.to_string().into(),
        })?;
    let import = Import {
        options,
        progress,
        stop,
        pool: &pool,
        stage: &stage,
        merged: AtomicU64::new(0),
    };
    let started_at = clock::now();
    let (tally, spools, sources) = import.read(&inputs, started_at)?;
    if tally.positions == 0 {
        return Err(import.nothing_usable(&tally));
    }
    let phases = import.merge(&tally, &spools, &sources)?;
    if stop.is_requested() {
        return Err(ImportError::Interrupted);
    }
    let elapsed = began.elapsed();
    let summary = files::summary(
        &tally,
        sources,
        &phases,
        clock::now(),
        elapsed.as_secs_f64(),
    );
    stage.publish(&summary)?;
    Ok(ImportReport {
        tally,
        phases,
        elapsed,
    })
}

struct Import<'a> {
    options: &'a ImportOptions,
    progress: &'a Progress,
    stop: &'a Stop,
    pool: &'a ThreadPool,
    stage: &'a Stage,
    /// Positions that have been brought together.
    merged: AtomicU64,
}

impl Import<'_> {
    /// Reads and replays all games; their positions are in the spools then.
    fn read(
        &self,
        inputs: &Arc<[Input]>,
        started_at: String,
    ) -> Result<(Tally, Vec<Option<Spool>>, Sources), ImportError> {
        let total: Option<u64> = inputs.iter().map(|input| input.bytes).sum();
        let bytes_read = Arc::new(AtomicU64::new(0));
        let news = reading::start(
            inputs.clone(),
            wanted(self.options),
            !self.options.filter.players.is_empty(),
            bytes_read.clone(),
            self.stop,
        )
        .map_err(|error| ImportError::Threads {
            threads: 1,
            reason: error.to_string().into(),
        })?;
        let mut spools = Spools::create(self.stage.temporary())?;
        let selection = Selection::new(self.options);
        let mut tally = Tally::default();
        let mut reported = 0;
        let mut digest = Sha256::new();
        let mut sources = Sources {
            files: 0,
            bytes: 0,
            bytes_seen: 0,
            sha256: String::new(),
            named: Vec::new(),
            started_at,
        };
        let mut shown = Instant::now();
        while !self.stop.is_requested() {
            let news = match news.recv_timeout(UPDATE) {
                Ok(news) => news,
                // Nothing comes down a pipe: the stop is looked at meanwhile.
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            match news {
                News::Games(batch) => {
                    for harvest in self.harvest(&batch, selection) {
                        spools.append(&harvest.samples)?;
                        tally.add(&harvest.tally);
                        for (file, number, fault) in harvest.bad {
                            let path = inputs[file].path.clone();
                            let bad = BadGame {
                                path,
                                number,
                                fault,
                            };
                            self.report(bad, &mut reported)?;
                        }
                    }
                }
                News::FileRead(file, file_digest) => {
                    digest.update(file_digest);
                    sources.files += 1;
                    sources.bytes += file.bytes;
                    if sources.named.len() < NAMED_FILES {
                        sources.named.push(file);
                    }
                }
                News::Skipped { file, why } => {
                    let path = &inputs[file].path;
                    if self.options.strict {
                        let path = path.clone();
                        return Err(ImportError::StrictFile { path, why });
                    }
                    tally.skipped_files += 1;
                    if tally.skipped_files <= self.options.reported_bad_games {
                        let message = format!("{} is passed over: {why}", path.shown());
                        self.progress.emit(Event::Warning(message));
                    }
                }
                News::Failed(error) => return Err(error),
            }
            if shown.elapsed() >= UPDATE {
                shown = Instant::now();
                self.show(&tally, bytes_read.load(Ordering::Relaxed), total);
            }
        }
        if self.stop.is_requested() {
            return Err(ImportError::Interrupted);
        }
        sources.bytes_seen = bytes_read.load(Ordering::Relaxed);
        self.show(&tally, sources.bytes_seen, total);
        sources.sha256 = digest
            .finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        Ok((tally, spools.finish()?, sources))
    }

    /// Replays a batch on all threads; what comes out is in the order of the games.
    fn harvest(&self, batch: &Batch, selection: Selection) -> Vec<Harvest> {
        self.pool.install(|| {
            (0..batch.len().div_ceil(GAMES_PER_TASK))
                .into_par_iter()
                .map(|task| {
                    let from = task * GAMES_PER_TASK;
                    let to = (from + GAMES_PER_TASK).min(batch.len());
                    let mut harvester = Harvester::new(selection, &self.options.filter, to - from);
                    for raw in batch.games(from..to) {
                        harvester.take(&raw);
                    }
                    harvester.finish()
                })
                .collect()
        })
    }

    /// Tells a bad game, or ends a strict import with it.
    fn report(&self, bad: BadGame, reported: &mut u64) -> Result<(), ImportError> {
        if matches!(bad.fault, Fault::Fraction(_)) {
            return Err(ImportError::Fraction(bad));
        }
        if self.options.strict {
            return Err(ImportError::Strict(bad));
        }
        *reported += 1;
        if *reported <= self.options.reported_bad_games {
            self.progress.emit(Event::Warning(bad.to_string()));
        }
        Ok(())
    }

    /// Shows how far reading has come. That is half of the work: each byte counts half when it is
    /// read, and in full when the positions that came out of it are merged.
    fn show(&self, tally: &Tally, bytes: u64, total: Option<u64>) {
        self.progress.update(|now| {
            now.games = tally.games;
            now.losses = tally.losses();
            now.steps = Some(Steps {
                done: bytes / 2,
                total,
                unit: "byte",
            });
        });
    }

    /// Brings the positions of each phase together and writes its files, one phase per thread.
    fn merge(
        &self,
        tally: &Tally,
        spools: &[Option<Spool>],
        sources: &Sources,
    ) -> Result<Vec<PhaseStats>, ImportError> {
        let merging = Merging::new(self.options);
        let next = AtomicUsize::new(0);
        let done: Mutex<Vec<PhaseStats>> = Mutex::default();
        let failed: Mutex<Option<ImportError>> = Mutex::default();
        self.pool.broadcast(|_| {
            while let Some(&phase) = self
                .options
                .phases
                .get(next.fetch_add(1, Ordering::Relaxed))
            {
                let spool = spools[usize::from(phase)].as_ref();
                match self.merge_one(phase, spool, &merging, tally, sources) {
                    Ok(stats) => lock(&done).push(stats),
                    Err(error) => {
                        // Nobody begins another phase.
                        next.store(usize::MAX / 2, Ordering::Relaxed);
                        lock(&failed).get_or_insert(error);
                    }
                }
            }
        });
        if let Some(error) = lock(&failed).take() {
            return Err(error);
        }
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_by_key(|stats| stats.phase);
        Ok(done)
    }

    fn merge_one(
        &self,
        phase: u8,
        spool: Option<&Spool>,
        merging: &Merging,
        tally: &Tally,
        sources: &Sources,
    ) -> Result<PhaseStats, ImportError> {
        let began = Instant::now();
        let started_at = clock::now();
        let dir = self.stage.phase_dir(phase);
        let merged = merge_phase(spool, merging, &dir, self.stop)?;
        files::write_metadata(&dir, self.options, sources)?;
        let elapsed = began.elapsed();
        let stats = files::write_stats(
            &dir,
            tally,
            &merged,
            &started_at,
            &clock::now(),
            elapsed.as_secs_f64(),
        )?;
        self.show_merged(&stats, &merged, tally, sources);
        self.progress.emit(Event::PhaseFinished(PhaseReport {
            phase,
            samples: stats.emitted_samples,
            duplicates: stats.duplicate_positions,
            losses: tally.losses(),
            elapsed,
        }));
        Ok(stats)
    }

    fn show_merged(
        &self,
        stats: &PhaseStats,
        merged: &MergedPhase,
        tally: &Tally,
        sources: &Sources,
    ) {
        let met = self.merged.fetch_add(merged.met, Ordering::Relaxed) + merged.met;
        let bytes = sources.bytes_seen;
        let half = (bytes - bytes / 2) as f64 * (met as f64 / tally.positions.max(1) as f64);
        let done = bytes.min(bytes / 2 + half as u64);
        self.progress.update(|now| {
            now.duplicates += stats.duplicate_positions;
            for (sum, records) in now.splits.iter_mut().zip(merged.records) {
                *sum += records;
            }
            // Phases may come to be told in another order than they were finished in.
            let before = now.steps.map_or(0, |steps| steps.done);
            now.steps = Some(Steps {
                done: done.max(before),
                total: Some(bytes),
                unit: "byte",
            });
        });
    }

    /// Says what there was instead of usable games.
    fn nothing_usable(&self, tally: &Tally) -> ImportError {
        let reasons: Vec<String> = tally
            .bad
            .iter()
            .map(|(reason, count)| format!("{reason} {count}"))
            .collect();
        let (games, bad, unfinished) = (tally.games, tally.bad_games(), tally.unfinished);
        let reason = if games == 0 && tally.skipped_files > 0 {
            format!("none of the {} files holds games", tally.skipped_files)
        } else if games == 0 {
            "no game was found".to_owned()
        } else if tally.filtered > 0 && bad + tally.filtered == games {
            format!(
                "of {games} games, {bad} are bad and {} do not fit --player, --year and --min-rating, or \
                 do not tell their players, year or ratings",
                tally.filtered
            )
        } else if bad == games {
            format!("all {games} games are bad ({})", reasons.join(", "))
        } else if unfinished > 0 && self.options.unfinished == Unfinished::Skip {
            format!(
                "of {games} games, {bad} are bad and {unfinished} are not played to the end; \
                 --unfinished claimed takes the latter with the results that the files claim"
            )
        } else if unfinished > 0 {
            format!(
                "of {games} games, {bad} are bad and {unfinished} are not played to the end and \
                 claim no result"
            )
        } else {
            format!("of {games} games, none has a position that --phases and --winner-only leave")
        };
        ImportError::NothingUsable {
            reason: reason.into(),
        }
    }
}

fn wanted(options: &ImportOptions) -> Wanted {
    Wanted {
        format: options.format,
        values: options.values,
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
