//! One campaign at work: its games in order, its phases, and what of them is not on disk yet.

use super::saving::{Origin, What};
use crate::dataset::durable::{Group, Saved};
use crate::games::{Ending, GamesWriter};
use crate::generate::GenerateError;
use crate::generate::campaign::Campaign;
use crate::generate::phase::PhaseTask;
use crate::generate::play::{Batch, GameResult, Sample};
use crate::progress::{Event, PhaseReport, Progress};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// One campaign at work.
pub(super) struct Lane {
    pub(super) tasks: Vec<PhaseTask>,
    /// Where its games are kept, if they are.
    pub(super) games: Option<GamesWriter>,
    /// First number that is not committed.
    pub(super) next: u64,
    /// From one number to the next.
    pub(super) step: u64,
    /// Games are wanted up to here, whatever the phases have.
    pub(super) until: u64,
    /// Games that were given up in an earlier run and are being played again.
    pub(super) again: BTreeSet<u64>,
    /// Those that were, until they stand in the file.
    pub(super) replaced: BTreeMap<u64, (Vec<u8>, Ending)>,
    /// Results that came before their turn.
    pub(super) early: BTreeMap<u64, Early>,
    pub(super) done: bool,
}

/// A result that waits for its turn, with the samples of its whole batch.
pub(super) struct Early {
    pub(super) result: GameResult,
    pub(super) batch: Arc<Batch>,
}

impl Early {
    pub(super) fn samples(&self) -> &[Sample] {
        &self.batch.samples[self.result.samples.clone()]
    }

    pub(super) fn block(&self) -> &[u8] {
        &self.batch.blocks[self.result.block.clone()]
    }
}

/// A campaign's phases and where its games are kept.
pub(crate) struct CampaignTasks {
    /// Its phases, ascending.
    pub phases: Vec<PhaseTask>,
    /// `None`: its games are not kept.
    pub games: Option<GamesWriter>,
    /// Games are wanted up to this number, whatever the phases have.
    pub until: u64,
    /// Games that were given up and are to be played again.
    pub again: Vec<u64>,
}

impl Lane {
    pub(super) fn new(tasks: CampaignTasks, campaign: &Campaign) -> Lane {
        let CampaignTasks {
            phases: tasks,
            games,
            until,
            again,
        } = tasks;
        let kept = games.as_ref().map_or(0, GamesWriter::next_game);
        let counted = tasks.iter().map(PhaseTask::next_game).max().unwrap_or(kept);
        let open = tasks.iter().filter(|task| !task.is_complete());
        let mut next = open.map(PhaseTask::next_game).min().unwrap_or(counted);
        let mut until = until;
        // Games that phases count and that are not kept any more are played again.
        if let Some(games) = &games {
            next = next.min(games.next_game());
            until = until.max(counted);
        }
        let mut lane = Lane {
            tasks,
            games,
            next: next.max(campaign.numbers.first),
            step: campaign.numbers.step,
            until,
            again: again.into_iter().collect(),
            replaced: BTreeMap::new(),
            early: BTreeMap::new(),
            done: false,
        };
        lane.done = lane.is_done();
        lane
    }

    /// Whether nothing more is wanted.
    pub(super) fn is_done(&self) -> bool {
        let kept = self.games.as_ref().map_or(u64::MAX, GamesWriter::next_game);
        self.tasks.iter().all(PhaseTask::is_complete) && kept >= self.until && self.again.is_empty()
    }

    /// Counts game number [`Lane::next`], whose turn it is. After an error it counts in nothing
    /// that a checkpoint will hold, or in the games alone, which is where a repetition finds it.
    pub(super) fn commit(
        &mut self,
        result: &GameResult,
        samples: &[Sample],
        block: &[u8],
        reproducible: bool,
    ) -> Result<(), GenerateError> {
        if let Some(games) = &mut self.games
            && games.next_game() == result.number
        {
            games.note_reproducible(reproducible);
            games.append(block, result.ending)?;
        }
        self.next += self.step;
        for task in self.tasks.iter_mut().filter(|task| !task.is_complete()) {
            if task.next_game() == result.number {
                task.commit(result, samples)?;
                if task.is_full() {
                    task.close()?;
                }
            }
        }
        self.done = self.is_done();
        Ok(())
    }

    /// Puts games that were played again in the place of those that were given up. Waits for the
    /// disk; no part of these games may be on its way to it.
    pub(super) fn replace_games(&mut self) -> Result<(), GenerateError> {
        if let Some(games) = &mut self.games
            && !self.replaced.is_empty()
        {
            games.sync()?;
            games.replace(&self.replaced)?;
            self.replaced.clear();
        }
        Ok(())
    }

    /// What is to be saved, with where it is from: the games before the phases that count them.
    /// What can be saved is, whatever fails.
    pub(super) fn unsaved(
        &mut self,
        what: What,
        reproducible: bool,
    ) -> (Origin, Group, Result<(), GenerateError>) {
        let mut origin = Origin::default();
        let mut group = Group::default();
        let is_due = |task: &PhaseTask| match what {
            What::Everything => task.is_dirty(),
            What::Closing => task.is_closing(),
        };
        let is_any = what == What::Everything || self.tasks.iter().any(is_due);
        if let Some(games) = &mut self.games
            && is_any
            && games.is_dirty()
        {
            match games.part() {
                Ok(part) => (origin.games, group.first) = (true, Some(part)),
                Err(error) => return (origin, group, Err(error.into())),
            }
        }
        let mut end = Ok(());
        for (at, task) in self.tasks.iter_mut().enumerate() {
            if !is_due(task) {
                continue;
            }
            match task.part(reproducible) {
                Ok(part) => {
                    origin.phases.push(at);
                    group.then.push(part);
                }
                Err(error) => end = end.and(Err(error.into())),
            }
        }
        (origin, group, end)
    }

    /// What became of it.
    pub(super) fn saved(&mut self, origin: &Origin, saved: &Saved, progress: &Progress) {
        if let Some(games) = &mut self.games
            && origin.games
        {
            games.saved(saved.first);
        }
        for (&at, &lasts) in origin.phases.iter().zip(&saved.then) {
            let task = &mut self.tasks[at];
            task.saved(lasts);
            if lasts && task.is_complete() && !task.is_dirty() {
                tell_finished(progress, task);
            }
        }
    }

    /// Gets the phases ready for the samples of a game.
    pub(super) fn warm(&self, samples: &[Sample]) {
        // Both ascend by phase.
        let mut samples = samples.iter().peekable();
        for task in &self.tasks {
            while samples
                .next_if(|sample| sample.phase < task.phase())
                .is_some()
            {}
            if let Some(sample) = samples.next_if(|sample| sample.phase == task.phase()) {
                task.warm(sample);
            }
        }
    }

    /// Games that are likely to be needed from here on.
    pub(super) fn wanted(&self) -> u64 {
        let of_phases = self.tasks.iter().map(PhaseTask::games_wanted).max();
        let until = self.until.saturating_sub(self.next).div_ceil(self.step);
        of_phases.unwrap_or(0).max(until)
    }
}

fn tell_finished(progress: &Progress, task: &PhaseTask) {
    progress.emit(Event::PhaseFinished(PhaseReport {
        phase: task.phase(),
        samples: task.counts().iter().sum(),
        duplicates: task.duplicates(),
        losses: task.losses(),
        elapsed: task.elapsed(),
    }));
}
