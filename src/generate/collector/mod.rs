//! Puts results back into the order of their numbers and commits them.
//!
//! One thread: it alone counts and writes. Workers are never waited for, and never wait for it, up
//! to the bound of the dispenser. What was written is put on disk by another thread.

mod feed;
mod lane;
mod saving;

pub(super) use feed::{FileGames, KeptGames};
pub(super) use lane::CampaignTasks;
pub(super) use saving::{CLOSING, finish_phases};

use lane::{Early, Lane};
use saving::Saver;

use super::campaign::Campaign;
use super::dispenser::{Dispenser, LaneStart};
use super::error::GenerateError;
use super::phase::PhaseTask;
use super::play::GameResult;
use super::worker::Message;
use crate::base::stop::Stop;
use crate::engine::FailureKind;
use crate::games::Ending;
use crate::progress::{Event, Losses, MoveTimes, Progress};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How often counters are published and the stop flag is looked at.
const TICK: Duration = Duration::from_millis(50);

/// The committing side of a run.
pub(super) struct Collector<'a> {
    campaigns: &'a [Campaign],
    lanes: Vec<Lane>,
    progress: &'a Progress,
    retries: u32,
    workers: usize,
    down: BTreeSet<usize>,
    /// What is worth telling only if somebody's engine starts; `None` once one has.
    held_back: Option<Vec<String>>,
    failed_in_a_row: u64,
    /// Whether every engine's games follow from the seed.
    reproducible: bool,
    /// Every phase has its folder and files.
    begun: bool,
    saver: Saver,
    missed: Vec<String>,
    published: Instant,
    games: u64,
    losses: Losses,
    fresh_failures: BTreeMap<FailureKind, u64>,
    /// Failed starts of workers that have no game: the next game that anybody finishes counts them.
    uncounted_starts: Vec<FailureKind>,
    busy: Duration,
    worker_time: Duration,
    /// Not told yet.
    times: BTreeMap<u8, MoveTimes>,
}

/// What a finished collection leaves.
pub(super) struct Collected {
    /// Every phase, ascending by campaign.
    pub tasks: Vec<PhaseTask>,
    /// Games committed in this run.
    pub games: u64,
}

impl<'a> Collector<'a> {
    /// `tasks` holds the phases of each campaign.
    pub(super) fn new(
        campaigns: &'a [Campaign],
        tasks: Vec<CampaignTasks>,
        progress: &'a Progress,
        workers: usize,
        retries: u32,
    ) -> Collector<'a> {
        let now = Instant::now();
        Collector {
            campaigns,
            lanes: tasks
                .into_iter()
                .zip(campaigns)
                .map(|(tasks, campaign)| Lane::new(tasks, campaign))
                .collect(),
            progress,
            retries,
            workers,
            down: BTreeSet::new(),
            held_back: Some(Vec::new()),
            failed_in_a_row: 0,
            reproducible: true,
            begun: false,
            saver: Saver::new(),
            missed: Vec::new(),
            published: now,
            games: 0,
            losses: Losses::default(),
            fresh_failures: BTreeMap::new(),
            uncounted_starts: Vec::new(),
            busy: Duration::ZERO,
            worker_time: Duration::ZERO,
            times: BTreeMap::new(),
        }
    }

    /// Where the dispenser starts from.
    pub(super) fn lane_starts(&self) -> Vec<LaneStart> {
        self.lanes
            .iter()
            .zip(self.campaigns)
            .map(|(lane, campaign)| LaneStart {
                next: lane.next,
                limit: campaign.game_limit,
                step: lane.step,
                again: lane.again.iter().copied().collect(),
                wanted: lane.wanted(),
                done: lane.done,
            })
            .collect()
    }

    /// Commits until every campaign is done, the run stops, or something fails. Whatever the end,
    /// all that was committed is in a checkpoint, as far as the disk allows. `fed` is how it went
    /// with games that were read before.
    pub(super) fn collect(
        mut self,
        results: Receiver<Message>,
        dispenser: &Dispenser,
        stop: &Stop,
        fed: Result<(), GenerateError>,
    ) -> (Collected, Result<(), GenerateError>) {
        let end = fed.and_then(|()| self.work(&results, dispenser, stop));
        dispenser.close();
        // What has arrived by now costs nothing to keep.
        let end = end.and_then(|()| {
            if self.all_done() {
                Ok(())
            } else {
                Err(GenerateError::Interrupted)
            }
        });
        let end = match end {
            Err(GenerateError::Interrupted) => self
                .drain(&results, dispenser)
                .and(Err(GenerateError::Interrupted)),
            other => other,
        };
        self.close(stop, end)
    }

    /// Puts everything on disk; `end` is how it went so far.
    pub(super) fn close(
        mut self,
        stop: &Stop,
        end: Result<(), GenerateError>,
    ) -> (Collected, Result<(), GenerateError>) {
        let saved = self.save_all();
        self.publish();
        let end = match end {
            Ok(()) if stop.is_requested() && !self.all_done() => Err(GenerateError::Interrupted),
            end => end,
        };
        let end = match (end, saved) {
            (Ok(()) | Err(GenerateError::Interrupted), Err(error)) => Err(error),
            (Ok(()), Ok(())) if !self.missed.is_empty() => Err(GenerateError::TargetsMissed {
                phases: std::mem::take(&mut self.missed),
            }),
            (end, _) => end,
        };
        let tasks = self.lanes.into_iter().flat_map(|lane| lane.tasks).collect();
        (
            Collected {
                tasks,
                games: self.games,
            },
            end,
        )
    }

    /// Tells that games which are read need not follow from the seed, if they do not.
    pub(super) fn note_reproducible(&mut self, reproducible: bool) {
        self.reproducible &= reproducible;
    }

    /// Every phase, with the first game of its campaign that is not there.
    pub(super) fn phases(&self) -> impl Iterator<Item = (&PhaseTask, u64)> {
        self.lanes
            .iter()
            .flat_map(|lane| lane.tasks.iter().map(|task| (task, lane.next)))
    }

    /// Whether nothing is left to be played.
    pub(super) fn all_done(&self) -> bool {
        self.lanes.iter().all(|lane| lane.done)
    }

    fn work(
        &mut self,
        results: &Receiver<Message>,
        dispenser: &Dispenser,
        stop: &Stop,
    ) -> Result<(), GenerateError> {
        // A campaign of zero games (nothing to enumerate, a limit reached before) ends here.
        for campaign in 0..self.lanes.len() {
            self.settle(campaign, dispenser)?;
        }
        self.publish();
        while !self.all_done() && !stop.is_requested() {
            match results.recv_timeout(TICK) {
                Ok(message) => self.take(message, dispenser)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) if stop.is_requested() => break,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(GenerateError::WorkerLost { worker: 0 });
                }
            }
            self.tick()?;
        }
        Ok(())
    }

    /// What is due by the clock.
    fn tick(&mut self) -> Result<(), GenerateError> {
        self.save_what_is_due()?;
        if self.published.elapsed() >= TICK {
            self.publish();
        }
        Ok(())
    }

    fn drain(
        &mut self,
        results: &Receiver<Message>,
        dispenser: &Dispenser,
    ) -> Result<(), GenerateError> {
        while let Ok(message) = results.try_recv() {
            // Engines that are killed by the stop are no failures.
            if let Message::Games { .. } | Message::Up { .. } = message {
                self.take(message, dispenser)?;
            }
        }
        Ok(())
    }

    fn take(&mut self, message: Message, dispenser: &Dispenser) -> Result<(), GenerateError> {
        match message {
            Message::Games {
                games,
                batch,
                busy,
                time,
                times,
            } => {
                self.busy += busy;
                self.worker_time += time;
                for (anchor, times) in times {
                    self.times.entry(anchor).or_default().merge(&times);
                }
                // All of the batch at once, before anything is looked up.
                for (campaign, result) in &games {
                    self.lanes[*campaign].warm(&batch.samples[result.samples.clone()]);
                }
                let batch = Arc::new(batch);
                let mut touched = BTreeSet::new();
                for (campaign, mut result) in games {
                    self.watch(&result)?;
                    result.failures.append(&mut self.uncounted_starts);
                    let lane = &mut self.lanes[campaign];
                    if lane.again.remove(&result.number) {
                        let block = batch.blocks[result.block.clone()].to_vec();
                        lane.replaced.insert(result.number, (block, result.ending));
                        lane.done = lane.is_done();
                        touched.insert(campaign);
                    } else if !lane.done && result.number >= lane.next {
                        let batch = Arc::clone(&batch);
                        lane.early.insert(result.number, Early { result, batch });
                        touched.insert(campaign);
                    }
                }
                for campaign in touched {
                    self.settle(campaign, dispenser)?;
                }
            }
            Message::Up {
                worker,
                reproducible,
            } => {
                self.down.remove(&worker);
                self.reproducible &= reproducible;
                for warning in self.held_back.take().into_iter().flatten() {
                    self.progress.emit(Event::Warning(warning));
                }
            }
            Message::Down {
                worker,
                error,
                earlier,
            } => {
                for kind in earlier.into_iter().chain(error.kind()) {
                    *self.fresh_failures.entry(kind).or_default() += 1;
                    self.uncounted_starts.push(kind);
                }
                self.down.insert(worker);
                if self.down.len() >= self.workers {
                    return Err(GenerateError::NoEngine { error });
                }
                let warning =
                    format!("worker {worker} cannot start its engine and will try again: {error}");
                // If nobody's starts the run ends, and nothing is tried again.
                match &mut self.held_back {
                    Some(held_back) => held_back.push(warning),
                    None => self.progress.emit(Event::Warning(warning)),
                }
            }
            Message::Fatal(error) => return Err(GenerateError::Engine(error)),
            Message::Lost { worker } => return Err(GenerateError::WorkerLost { worker }),
            Message::NoThread { worker, error } => {
                self.down.insert(worker);
                if self.down.len() >= self.workers {
                    return Err(GenerateError::NoThread { error });
                }
                self.progress.emit(Event::Warning(format!(
                    "the system gives no thread for worker {worker} ({error}); the others go on"
                )));
            }
        }
        Ok(())
    }

    /// Notices engines that never finish a game.
    fn watch(&mut self, result: &GameResult) -> Result<(), GenerateError> {
        for &kind in &result.failures {
            *self.fresh_failures.entry(kind).or_default() += 1;
        }
        let Some(last) = &result.given_up else {
            self.failed_in_a_row = 0;
            return Ok(());
        };
        self.failed_in_a_row += 1;
        if self.failed_in_a_row > (self.workers as u64).max(2) {
            return Err(GenerateError::EngineKeepsFailing {
                failed: self.failed_in_a_row,
                retries: self.retries,
                last: last.clone().into(),
            });
        }
        Ok(())
    }

    /// Commits what is in order, and tells the dispenser how far the campaign is.
    fn settle(&mut self, campaign: usize, dispenser: &Dispenser) -> Result<(), GenerateError> {
        let limit = self.campaigns[campaign].game_limit;
        if !self.lanes[campaign].early.is_empty() {
            self.begin_phases()?;
        }
        loop {
            let lane = &mut self.lanes[campaign];
            if lane.done {
                break;
            }
            let Some(early) = lane.early.remove(&lane.next) else {
                break;
            };
            let result = &early.result;
            self.campaigns[campaign].refuse_given_up(result)?;
            lane.commit(result, early.samples(), early.block(), self.reproducible)?;
            self.games += 1;
            match (&result.given_up, &result.self_play) {
                (Some(_), _) => self.losses.failed += 1,
                (None, None) if result.ending == Ending::Unbalanced => self.losses.unbalanced += 1,
                (None, None) => self.losses.ended_early += 1,
                (None, Some(_)) => {}
            }
        }
        let lane = &mut self.lanes[campaign];
        if !lane.done && lane.next >= limit {
            lane.done = true;
            for task in lane.tasks.iter_mut().filter(|task| !task.is_complete()) {
                let missed = task.missed(limit);
                self.progress.emit(Event::Warning(missed.clone()));
                self.missed.push(missed);
            }
        }
        if lane.done {
            lane.early.clear();
        }
        dispenser.advance(campaign, lane.next, lane.wanted(), lane.done);
        Ok(())
    }

    fn publish(&mut self) {
        self.published = Instant::now();
        let lanes = &self.lanes;
        let failures = std::mem::take(&mut self.fresh_failures);
        let (games, losses) = (self.games, self.losses);
        let (busy, time) = (self.busy, self.worker_time);
        let times = std::mem::take(&mut self.times);
        self.progress.update(|now| {
            now.games = games;
            now.losses = losses;
            now.engine_busy = busy;
            now.worker_time = time;
            for (anchor, times) in times {
                now.move_times.entry(anchor).or_default().merge(&times);
            }
            for (kind, count) in failures {
                *now.failures.entry(kind).or_default() += count;
            }
            now.active.clear();
            now.splits = [0; 3];
            now.duplicates = 0;
            let tasks = || lanes.iter().flat_map(|lane| &lane.tasks);
            now.phases.clear();
            now.phases.extend(tasks().map(PhaseTask::progress));
            if let Some(lane) = lanes.iter().find(|lane| !lane.done) {
                now.active.extend(lane.tasks.iter().map(PhaseTask::phase));
            }
            for task in tasks() {
                for (sum, count) in now.splits.iter_mut().zip(task.counts()) {
                    *sum += count;
                }
                now.duplicates += task.fresh_duplicates();
            }
            let (sum, number) = tasks()
                .map(PhaseTask::values)
                .fold((0.0, 0.0), |(sum, number), (more, others)| {
                    (sum + more, number + others)
                });
            now.mean_value = (number > 0.0).then(|| sum / number);
        });
    }
}
