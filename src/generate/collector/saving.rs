//! Puts what was committed on disk while the work goes on: at a checkpoint, and as phases are full.
//! The order that makes it safe is that of [`durable`].

use super::Collector;
use crate::dataset::DatasetError;
use crate::dataset::durable::{self, Group, Saved};
use crate::generate::GenerateError;
use crate::generate::phase::PhaseTask;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Shortest and longest time between two checkpoints.
const CHECKPOINT_EVERY: (Duration, Duration) = (Duration::from_secs(2), Duration::from_secs(20));

/// A checkpoint may cost this share of the time: after a slow one the next comes later.
const CHECKPOINT_SHARE: u32 = 100;

/// So many phases may be full and wait for the disk, or as many as a window has: their files are
/// open until then.
pub(crate) const CLOSING: usize = 4;

/// What is to be saved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum What {
    /// All that was committed.
    Everything,
    /// Phases that have all their samples.
    Closing,
}

/// Where a group comes from.
#[derive(Default, Debug)]
pub(super) struct Origin {
    /// The campaign's games are its first part.
    pub(super) games: bool,
    /// Which of the campaign's phases are the other parts.
    pub(super) phases: Vec<usize>,
}

type Result<T> = std::result::Result<T, GenerateError>;
type Outcome = (Vec<Saved>, std::result::Result<(), DatasetError>);

/// One thing at a time is being saved, by a thread of its own.
pub(super) struct Saver {
    running: Option<Running>,
    last_checkpoint: Instant,
    interval: Duration,
}

struct Running {
    what: What,
    since: Instant,
    /// By campaign.
    origins: Vec<(usize, Origin)>,
    thread: Work,
}

enum Work {
    Thread(JoinHandle<Outcome>),
    /// The system gave no thread.
    Done(Outcome),
}

impl Saver {
    pub(super) fn new() -> Saver {
        Saver {
            running: None,
            last_checkpoint: Instant::now(),
            interval: CHECKPOINT_EVERY.0,
        }
    }

    fn start(&mut self, what: What, origins: Vec<(usize, Origin)>, groups: Vec<Group>) {
        let groups = Arc::new(groups);
        let builder = std::thread::Builder::new().name("checkpoint".to_owned());
        let spawned = builder.spawn({
            let groups = Arc::clone(&groups);
            move || durable::save(&groups)
        });
        self.running = Some(Running {
            what,
            since: Instant::now(),
            origins,
            thread: match spawned {
                Ok(thread) => Work::Thread(thread),
                Err(_) => Work::Done(durable::save(&groups)),
            },
        });
    }

    /// What has been saved, or `None` if nothing is on its way, or it is not to be waited for.
    fn finished(&mut self, wait: bool) -> Option<(Vec<(usize, Origin)>, Outcome)> {
        let is_ready = |running: &mut Running| match &running.thread {
            Work::Thread(thread) => wait || thread.is_finished(),
            Work::Done(_) => true,
        };
        let running = self.running.take_if(is_ready)?;
        let outcome = match running.thread {
            Work::Thread(thread) => thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Work::Done(outcome) => outcome,
        };
        if running.what == What::Everything {
            let cost = running.since.elapsed();
            self.interval = (cost * CHECKPOINT_SHARE).clamp(CHECKPOINT_EVERY.0, CHECKPOINT_EVERY.1);
            self.last_checkpoint = Instant::now();
            tracing::debug!(
                campaigns = running.origins.len(),
                milliseconds = cost.as_millis() as u64,
                "checkpoint"
            );
        }
        Some((running.origins, outcome))
    }
}

impl Collector<'_> {
    /// Makes folders and files of all phases, before the first game is committed. Not earlier: a run
    /// whose engine does not start leaves nothing behind.
    pub(super) fn begin_phases(&mut self) -> Result<()> {
        if self.begun {
            return Ok(());
        }
        let tasks = self.lanes.iter_mut().flat_map(|lane| &mut lane.tasks);
        begin(tasks.collect())?;
        self.begun = true;
        Ok(())
    }

    /// Goes on with saving; never waits for the disk, unless too many phases are.
    pub(super) fn save_what_is_due(&mut self) -> Result<()> {
        self.take_saved(false)?;
        if self.saver.running.is_none() {
            if self.saver.last_checkpoint.elapsed() >= self.saver.interval {
                self.start_saving(What::Everything)?;
            } else if self.closing() > 0 {
                self.start_saving(What::Closing)?;
            }
        }
        let phases = self.campaigns.iter().map(|one| one.phases.len());
        let most = CLOSING.max(phases.max().unwrap_or(0));
        while self.closing() > most {
            self.take_saved(true)?;
            self.start_saving(What::Closing)?;
        }
        Ok(())
    }

    /// Puts everything committed on disk, whatever of it fails.
    pub(super) fn save_all(&mut self) -> Result<()> {
        let before = self.take_saved(true);
        let started = self.start_saving(What::Everything);
        before.and(started).and(self.take_saved(true))
    }

    /// Full phases that no save has taken up.
    fn closing(&self) -> usize {
        let tasks = self.lanes.iter().flat_map(|lane| &lane.tasks);
        tasks.filter(|task| task.is_closing()).count()
    }

    /// Nothing may be on its way.
    fn start_saving(&mut self, what: What) -> Result<()> {
        let mut end = Ok(());
        let (mut origins, mut groups) = (Vec::new(), Vec::new());
        for (campaign, lane) in self.lanes.iter_mut().enumerate() {
            if what == What::Everything {
                let replaced = lane.replace_games();
                if replaced.is_err() {
                    end = end.and(replaced);
                    continue;
                }
            }
            let (origin, group, taken) = lane.unsaved(what, self.reproducible);
            end = end.and(taken);
            if group.first.is_some() || !group.then.is_empty() {
                origins.push((campaign, origin));
                groups.push(group);
            }
        }
        if !groups.is_empty() {
            self.saver.start(what, origins, groups);
        } else if what == What::Everything {
            self.saver.last_checkpoint = Instant::now();
        }
        end
    }

    fn take_saved(&mut self, wait: bool) -> Result<()> {
        let Some((origins, (saved, end))) = self.saver.finished(wait) else {
            return Ok(());
        };
        for ((campaign, origin), saved) in origins.iter().zip(&saved) {
            self.lanes[*campaign].saved(origin, saved, self.progress);
        }
        Ok(end?)
    }
}

/// Makes folders and files of those phases that have none.
fn begin(tasks: Vec<&mut PhaseTask>) -> Result<()> {
    let mut tasks: Vec<_> = tasks
        .into_iter()
        .filter(|task| task.is_to_be_begun())
        .collect();
    let parts = tasks.iter_mut().map(|task| task.begin());
    let group = Group {
        first: None,
        then: parts.collect::<std::result::Result<_, _>>()?,
    };
    durable::save(&[group]).1?;
    for task in tasks {
        task.make_files()?;
    }
    Ok(())
}

/// Ends phases that have all their samples before the work begins.
pub(crate) fn finish_phases(mut tasks: Vec<&mut PhaseTask>) -> Result<()> {
    begin(tasks.iter_mut().map(|task| &mut **task).collect())?;
    let mut group = Group::default();
    for task in &mut tasks {
        task.close()?;
        group.then.push(task.part(true)?);
    }
    let (saved, end) = durable::save(&[group]);
    for (task, &lasts) in tasks.iter_mut().zip(saved.iter().flat_map(|one| &one.then)) {
        task.saved(lasts);
    }
    Ok(end?)
}
