//! A worker: owns its engines, plays the games it is handed, sends results in batches.

use super::balance::Balance;
use super::campaign::Campaign;
use super::dispenser::{Dispenser, Ticket};
use super::play::{Batch, Ending, GameResult, Players, Recording, play_game};
use super::playout::PlayoutTally;
use super::timed::Timed;
use crate::base::stop::Stop;
use crate::config::EngineSpec;
use crate::engine::launch::launch_counting;
use crate::engine::pinning::{Cpus, Pinning};
use crate::engine::{Engine, EngineError, FailureKind};
use crate::games::{self, KeptGame};
use crate::progress::{GameTimes, MoveTimes};
use std::collections::BTreeMap;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

/// What all workers share.
pub(super) struct WorkerContext<'a> {
    /// The campaigns, as tickets name them.
    pub campaigns: &'a [Campaign],
    /// Who hands out games.
    pub dispenser: &'a Dispenser,
    /// How positions become samples.
    pub recording: Recording,
    /// Anchors beyond ± this many discs are not played on from.
    pub max_score: Option<u8>,
    /// Empty squares from which on the solver plays; 0: never.
    pub solve_from: u8,
    /// Plays from the anchor on.
    pub self_play: &'a EngineSpec,
    /// Plays some moves before it.
    pub playout: Option<&'a EngineSpec>,
    /// Chance of such a move.
    pub ai_probability: f64,
    /// Restarts of a failed game.
    pub retries: u32,
    /// CPUs for workers and their engines to share.
    pub cpus: Cpus,
    /// Ends everything.
    pub stop: &'a Stop,
}

/// What a worker tells the collector.
pub(super) enum Message {
    /// Games played, each with its campaign.
    Games {
        /// In the order in which they were played.
        games: Vec<(usize, GameResult)>,
        /// Of all these games: one piece, so that handing it over costs next to nothing.
        batch: Batch,
        /// Time engines spent thinking.
        busy: Duration,
        /// Time since the worker's last message.
        time: Duration,
        /// Where the time of some of these games went, by anchor.
        times: BTreeMap<u8, MoveTimes>,
    },
    /// The worker's engines run; `reproducible` says whether their games follow from the seed.
    Up {
        /// Which worker.
        worker: usize,
        /// See [`Engine::is_reproducible`].
        reproducible: bool,
    },
    /// The worker's engine cannot be started; it goes on trying.
    Down {
        /// Which worker.
        worker: usize,
        /// Why.
        error: EngineError,
        /// Failed starts before this one.
        earlier: Vec<FailureKind>,
    },
    /// Nothing that a restart could mend.
    Fatal(EngineError),
    /// The worker ended by a bug in rdg.
    Lost {
        /// Which worker.
        worker: usize,
    },
    /// The system gives no thread for the worker.
    NoThread {
        /// Which worker.
        worker: usize,
        /// What it said.
        error: std::io::Error,
    },
}

/// Results are sent when this old, or this many: the collector is woken some dozen times a second,
/// not once per game.
const FLUSH_AFTER: Duration = Duration::from_millis(10);
const FLUSH_AT: usize = 256;

/// A quick game of the embedded engine is timed move by move when its number is a multiple: the clock
/// would cost more than a move.
const TIMED: u64 = 16;
const QUICK: Duration = Duration::from_millis(2);

/// First and longest wait between attempts to start an engine that does not start.
const BACKOFF: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));

/// Plays until the dispenser has no more games or the run stops.
pub(super) fn run_worker(worker: usize, context: &WorkerContext<'_>, results: Sender<Message>) {
    let mut seat = Seat::new(worker, context, results);
    // Started before a game is taken: a worker without an engine holds up nobody.
    while !context.stop.is_requested() && seat.start() {
        let Some(ticket) = seat.next_ticket() else {
            break;
        };
        if !seat.play(ticket) {
            break;
        }
    }
    seat.flush();
}

/// A worker's engines and its outgoing results.
struct Seat<'a> {
    worker: usize,
    context: &'a WorkerContext<'a>,
    results: Sender<Message>,
    self_play: Option<Box<dyn Engine>>,
    playout: Option<Box<dyn Engine>>,
    pinning: Pinning,
    ending: Option<Ending>,
    balance: Option<Balance>,
    announced: bool,
    /// Failed starts that nobody has been told of yet: the next game's failures.
    failed_starts: Vec<FailureKind>,
    games: Vec<(usize, GameResult)>,
    batch: Batch,
    busy: Duration,
    /// How long the last game took.
    last_game: Duration,
    times: BTreeMap<u8, MoveTimes>,
    last_flush: Instant,
}

impl<'a> Seat<'a> {
    fn new(worker: usize, context: &'a WorkerContext<'a>, results: Sender<Message>) -> Seat<'a> {
        Seat {
            worker,
            context,
            results,
            self_play: None,
            playout: None,
            pinning: Pinning::new(worker, &context.cpus),
            ending: (context.solve_from > 0).then(|| {
                let rule = context.recording.score_rule;
                Ending::new(context.solve_from, rule, context.stop)
            }),
            balance: context.max_score.map(|most| {
                let rule = context.recording.score_rule;
                Balance::new(most, rule, context.stop)
            }),
            announced: false,
            failed_starts: Vec::new(),
            games: Vec::new(),
            batch: Batch::default(),
            busy: Duration::ZERO,
            last_game: Duration::ZERO,
            times: BTreeMap::new(),
            last_flush: Instant::now(),
        }
    }

    /// The next game. Before a wait for one, results go out: the wait may be for them.
    fn next_ticket(&mut self) -> Option<Ticket> {
        self.context.dispenser.try_take().or_else(|| {
            self.flush();
            self.context.dispenser.take()
        })
    }

    /// Makes sure that the engines run, however long that takes; `false` when the run stops first.
    fn start(&mut self) -> bool {
        let mut wait = BACKOFF.0;
        loop {
            let error = match self.launch_missing() {
                Ok(()) => return true,
                Err(EngineError::Stopped) => return false,
                Err(error) => error,
            };
            if self.context.stop.is_requested() {
                return false;
            }
            tracing::warn!(worker = self.worker, %error, "engine start failed");
            self.announced = false;
            self.flush();
            if self
                .results
                .send(Message::Down {
                    worker: self.worker,
                    error,
                    earlier: std::mem::take(&mut self.failed_starts),
                })
                .is_err()
            {
                return false;
            }
            if !sleep_unless_stopped(wait, self.context.stop) {
                return false;
            }
            wait = (wait * 2).min(BACKOFF.1);
        }
    }

    fn launch_missing(&mut self) -> Result<(), EngineError> {
        let stop = self.context.stop;
        let worker = self.worker;
        let failed_starts = &mut self.failed_starts;
        let mut launch = |spec: &EngineSpec| {
            launch_counting(spec, stop, &mut |error| {
                tracing::warn!(worker, %error, "engine start failed, trying once more");
                failed_starts.extend(error.kind());
            })
        };
        if self.self_play.is_none() {
            self.self_play = Some(launch(self.context.self_play)?);
        }
        if let (None, Some(spec)) = (&self.playout, self.context.playout) {
            self.playout = Some(launch(spec)?);
        }
        let engines = [&self.self_play, &self.playout].into_iter().flatten();
        self.pinning
            .engines_are(engines.filter_map(|engine| engine.process_id()));
        if !self.announced {
            self.announced = true;
            let engines = [&self.self_play, &self.playout];
            let reproducible = engines.into_iter().flatten().all(|e| e.is_reproducible());
            // A collector that is gone is noticed at the next batch.
            let _ = self.results.send(Message::Up {
                worker: self.worker,
                reproducible,
            });
        }
        Ok(())
    }

    /// Plays one game, repeating it whole after a failure. `false`: the worker is to end.
    fn play(&mut self, ticket: Ticket) -> bool {
        let campaign = &self.context.campaigns[ticket.campaign];
        let mut failures = Vec::new();
        loop {
            let last = match self.attempt(campaign, ticket.game) {
                Ok(Some(mut result)) => {
                    result.failures = failures;
                    return self.deliver(ticket.campaign, result);
                }
                Ok(None) => return true,
                Err(EngineError::Stopped) => return false,
                Err(_) if self.context.stop.is_requested() => return false,
                Err(error) => {
                    let Some(kind) = error.kind() else {
                        let _ = self.results.send(Message::Fatal(error));
                        return false;
                    };
                    tracing::warn!(
                        worker = self.worker,
                        anchor = campaign.anchor,
                        game = ticket.game,
                        attempt = failures.len() + 1,
                        %error,
                        "game failed"
                    );
                    failures.push(kind);
                    error.to_string()
                }
            };
            // Both engines: the game is repeated whole, searches included.
            self.self_play = None;
            self.playout = None;
            if failures.len() > self.context.retries as usize {
                let block = match campaign.keeps_games {
                    true => self.batch.keep(&KeptGame::given_up(ticket.game)),
                    false => 0..0,
                };
                let result = GameResult {
                    number: ticket.game,
                    samples: 0..0,
                    block,
                    ending: games::Ending::GivenUp,
                    playout: PlayoutTally::default(),
                    self_play: None,
                    failures,
                    given_up: Some(last),
                };
                return self.deliver(ticket.campaign, result);
            }
            match self.launch_missing() {
                Ok(()) => {}
                Err(EngineError::Stopped) => return false,
                Err(error) => {
                    tracing::warn!(worker = self.worker, %error, "engine restart failed");
                    // They count all the same, with the next game that this worker finishes.
                    self.failed_starts.extend(failures);
                    self.failed_starts.extend(error.kind());
                    // Somebody else plays the game meanwhile.
                    self.context.dispenser.give_back(ticket);
                    return true;
                }
            }
        }
    }

    fn attempt(
        &mut self,
        campaign: &Campaign,
        game: u64,
    ) -> Result<Option<GameResult>, EngineError> {
        let Some(self_play) = self.self_play.as_deref_mut() else {
            return Err(EngineError::Stopped);
        };
        let embedded = self.context.self_play.entry.kind.is_embedded();
        let started = Instant::now();
        let mut timed = Timed {
            inner: self_play,
            times: GameTimes::default(),
            pinning: (!embedded).then_some(&mut self.pinning),
            deadline: None,
        };
        let is_timed = !embedded || self.last_game > QUICK || game.is_multiple_of(TIMED);
        let engine: &mut dyn Engine = if is_timed { &mut timed } else { timed.inner };
        let mut players = Players {
            name: &self.context.self_play.entry.name,
            self_play: engine,
            playout: self
                .playout
                .as_deref_mut()
                .map(|engine| engine as &mut dyn Engine),
            ai_probability: self.context.ai_probability,
            ending: self.ending.as_mut(),
            balance: self.balance.as_mut(),
        };
        let recording = &self.context.recording;
        let result = play_game(campaign, game, &mut players, recording, &mut self.batch);
        let mut times = timed.times;
        let solving = self.ending.as_mut().map(Ending::take_busy);
        if let Some(solving) = solving {
            let from = 60_u8.saturating_sub(self.context.solve_from);
            times.solved(from.max(campaign.anchor), solving);
        }
        self.last_game = started.elapsed();
        let thinking = Duration::from_secs_f64(times.total());
        self.busy += if embedded { self.last_game } else { thinking };
        if is_timed && result.is_ok() {
            let opening = self.last_game.saturating_sub(thinking);
            let of_anchor = self.times.entry(campaign.anchor).or_default();
            of_anchor.add(campaign.anchor, 60, &times, opening);
        }
        result
    }

    /// Adds a result to the batch; `false` when nobody takes results any more.
    fn deliver(&mut self, campaign: usize, mut result: GameResult) -> bool {
        if !self.failed_starts.is_empty() {
            result.failures.append(&mut self.failed_starts);
        }
        self.games.push((campaign, result));
        if self.games.len() < FLUSH_AT && self.last_flush.elapsed() < FLUSH_AFTER {
            return true;
        }
        self.flush()
    }

    fn flush(&mut self) -> bool {
        let time = self.last_flush.elapsed();
        self.last_flush = Instant::now();
        let games = std::mem::take(&mut self.games);
        let next = self.batch.next();
        let batch = std::mem::replace(&mut self.batch, next);
        let busy = std::mem::take(&mut self.busy);
        let times = std::mem::take(&mut self.times);
        self.results
            .send(Message::Games {
                games,
                batch,
                busy,
                time,
                times,
            })
            .is_ok()
    }
}

/// Sleeps in short steps; `false` when the run was stopped meanwhile.
fn sleep_unless_stopped(duration: Duration, stop: &Stop) -> bool {
    let end = Instant::now() + duration;
    while Instant::now() < end {
        if stop.is_requested() {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    !stop.is_requested()
}
