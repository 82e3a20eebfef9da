//! What one searching thread carries through the tree.

use super::confidence::Confidence;
use super::endgame::Stability;
use super::split::Cut;
use super::table::{Table, View};
use super::weights::Evaluation;
use crate::board::{Move, ScoreRule, Square};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The search was told to stop; there is no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the search was stopped")]
pub struct Stopped;

/// Nodes between two looks at the stop flag.
const POLL_INTERVAL: u64 = 4096;

/// The state of one searching thread.
pub(super) struct Worker<'a, C> {
    /// The instructions that it may use.
    pub(super) cpu: C,
    pub(super) stability: Stability,
    whole_table: &'a Table,
    /// What threads share of the table.
    pub(super) table: View<'a>,
    /// This thread's own part of the table.
    pub(super) near: View<'a>,
    pub(super) evaluation: &'a Evaluation,
    pub(super) rule: ScoreRule,
    /// How sure the search is to be of what it leaves out; results of different confidence do not
    /// mix. Set by [`Worker::prune`].
    pub(super) confidence: Confidence,
    /// The same as tenths of standard deviations; `None` where nothing is left out.
    pub(super) pruning: Option<i32>,
    stop: &'a AtomicBool,
    /// When the time for this move is over.
    pub(super) deadline: Option<Instant>,
    /// Whether other threads may take a part of the work.
    pub(super) is_shared: bool,
    /// The nearest node above that several threads search.
    pub(super) cut: Option<&'a Cut<'a>>,
    /// Positions visited.
    pub(super) nodes: u64,
    next_poll: u64,
    /// Once set, every function returns at once, and what it returns is worth nothing.
    pub(super) stopped: bool,
}

impl<'a, C> Worker<'a, C> {
    pub(super) fn new(
        cpu: C,
        table: &'a Table,
        evaluation: &'a Evaluation,
        rule: ScoreRule,
        stop: &'a AtomicBool,
        is_shared: bool,
    ) -> Worker<'a, C> {
        Worker {
            cpu,
            stability: Stability::new(),
            whole_table: table,
            table: table.far(),
            near: table.near(rayon::current_thread_index().unwrap_or(0)),
            evaluation,
            rule,
            confidence: Confidence::FULL,
            pruning: None,
            stop,
            deadline: None,
            is_shared,
            cut: None,
            nodes: 0,
            next_poll: POLL_INTERVAL,
            stopped: false,
        }
    }

    /// From now on, leaves out what is improbable with this confidence.
    pub(super) fn prune(&mut self, confidence: Confidence) {
        self.confidence = confidence;
        self.pruning = confidence.tenths();
    }

    /// Looks now and then whether to stop.
    #[inline(always)]
    pub(super) fn poll(&mut self) {
        if self.nodes >= self.next_poll {
            self.next_poll = self.nodes + POLL_INTERVAL;
            self.look_at_flags();
        }
    }

    /// Stops if the search was stopped, or if its result has become worthless.
    #[cold]
    pub(super) fn look_at_flags(&mut self) {
        self.stopped |= self.is_told_to_stop()
            || self.cut.is_some_and(Cut::is_settled)
            || self.deadline.is_some_and(|at| Instant::now() >= at);
    }

    /// Whether somebody wants the whole search to end.
    pub(super) fn is_told_to_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// A worker of another thread for a part of this one's work.
    pub(super) fn below<'b>(&self, cut: &'b Cut<'b>) -> Worker<'b, C>
    where
        'a: 'b,
        C: Copy,
    {
        let mut worker = Worker::new(
            self.cpu,
            self.whole_table,
            self.evaluation,
            self.rule,
            self.stop,
            self.is_shared,
        );
        worker.prune(self.confidence);
        worker.deadline = self.deadline;
        worker.cut = Some(cut);
        worker
    }

    /// The result, unless the search was stopped on the way.
    pub(super) fn finished<T>(&self, result: T) -> Result<T, Stopped> {
        if self.stopped {
            Err(Stopped)
        } else {
            Ok(result)
        }
    }
}

/// A sequence of moves, passes included.
#[derive(Clone)]
pub(super) struct Line {
    moves: [u8; Line::CAPACITY],
    length: usize,
}

impl Line {
    /// Sixty moves and as many passes.
    const CAPACITY: usize = 120;
    const PASS: u8 = 64;

    pub(super) const EMPTY: Line = Line {
        moves: [0; Line::CAPACITY],
        length: 0,
    };

    /// Becomes `first` followed by `rest`.
    pub(super) fn set(&mut self, first: Move, rest: &Line) {
        self.moves[0] = match first {
            Move::Play(square) => square.index(),
            Move::Pass => Line::PASS,
        };
        let kept = rest.length.min(Line::CAPACITY - 1);
        self.moves[1..=kept].copy_from_slice(&rest.moves[..kept]);
        self.length = kept + 1;
    }

    pub(super) fn to_moves(&self) -> Vec<Move> {
        self.moves[..self.length]
            .iter()
            .map(|&index| Square::new(index).map_or(Move::Pass, Move::Play))
            .collect()
    }
}
