//! Hands out game numbers so that no worker ever waits for another.
//!
//! Games are played ahead of what is committed. A campaign gets as many games at once as it is
//! expected to need; when all of those are out, the next campaign begins, so that the last slow
//! games of one phase do not leave the other workers idle. Which worker plays what, and when,
//! never changes the data: results are committed by number.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Games that may be played ahead of the committed ones, over all campaigns: bounds the memory of
/// results that wait for a slow game.
const MAX_AHEAD: u64 = 1 << 16;

/// A game to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ticket {
    /// Index of the campaign.
    pub campaign: usize,
    /// Number of the game in it.
    pub game: u64,
}

/// Shared by all workers.
pub(super) struct Dispenser {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    lanes: Vec<Lane>,
    closed: bool,
}

/// One campaign.
#[derive(Clone, Debug)]
struct Lane {
    /// Next number never handed out.
    next: u64,
    /// All below are committed.
    committed: u64,
    /// No number from here on.
    limit: u64,
    /// From one number to the next.
    step: u64,
    /// Games that the campaign is expected to need beyond the committed ones.
    wanted: u64,
    /// Numbers handed out and given back unplayed.
    returned: Vec<u64>,
    done: bool,
}

impl Lane {
    fn outstanding(&self) -> u64 {
        (self.next - self.committed) / self.step
    }

    fn take(&mut self) -> Option<u64> {
        if let Some(game) = self.returned.pop() {
            return Some(game);
        }
        if self.next >= self.limit {
            return None;
        }
        self.next += self.step;
        Some(self.next - self.step)
    }
}

/// Where a campaign starts from.
#[derive(Clone, Debug)]
pub(super) struct LaneStart {
    /// First game to play.
    pub next: u64,
    /// No number from here on.
    pub limit: u64,
    /// From one number to the next.
    pub step: u64,
    /// Numbers before `next` that are to be played again, first of all.
    pub again: Vec<u64>,
    /// Games expected to be needed.
    pub wanted: u64,
    /// Nothing is to be done.
    pub done: bool,
}

impl Dispenser {
    /// Campaigns in the order in which they are to be worked on.
    pub(super) fn new(starts: &[LaneStart]) -> Dispenser {
        let lanes = starts
            .iter()
            .map(|start| Lane {
                next: start.next,
                committed: start.next,
                limit: start.limit,
                step: start.step,
                wanted: start.wanted,
                returned: start.again.clone(),
                done: start.done,
            })
            .collect();
        Dispenser {
            state: Mutex::new(State {
                lanes,
                closed: false,
            }),
            changed: Condvar::new(),
        }
    }

    /// The next game to play, if one may be played now.
    pub(super) fn try_take(&self) -> Option<Ticket> {
        let mut state = self.lock();
        if state.closed { None } else { state.pick() }
    }

    /// The next game to play; waits while too many are out. `None` when there is no more to do.
    ///
    /// What ends the wait is the commit of games that are out, so whoever holds results back
    /// hands them over first.
    pub(super) fn take(&self) -> Option<Ticket> {
        let mut state = self.lock();
        loop {
            if state.closed {
                return None;
            }
            if let Some(ticket) = state.pick() {
                return Some(ticket);
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Gives a game back that could not be played.
    pub(super) fn give_back(&self, ticket: Ticket) {
        let mut state = self.lock();
        state.lanes[ticket.campaign].returned.push(ticket.game);
        self.changed.notify_one();
    }

    /// Tells how far a campaign is: every game below `committed` is accounted for, and about
    /// `wanted` more are needed.
    pub(super) fn advance(&self, campaign: usize, committed: u64, wanted: u64, done: bool) {
        let mut state = self.lock();
        let lane = &mut state.lanes[campaign];
        lane.committed = committed;
        lane.wanted = wanted;
        lane.done = done;
        self.changed.notify_all();
    }

    /// Ends the hand-out.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn pick(&mut self) -> Option<Ticket> {
        let open = || |(_, lane): &(usize, &mut Lane)| !lane.done;
        // Games that were given back hold up every later one.
        for (campaign, lane) in self.lanes.iter_mut().enumerate().filter(open()) {
            if let Some(game) = lane.returned.pop() {
                return Some(Ticket { campaign, game });
            }
        }
        let out: u64 = self
            .lanes
            .iter()
            .filter(|lane| !lane.done)
            .map(Lane::outstanding)
            .sum();
        if out >= MAX_AHEAD {
            return None;
        }
        for (campaign, lane) in self.lanes.iter_mut().enumerate().filter(open()) {
            if lane.outstanding() < lane.wanted
                && let Some(game) = lane.take()
            {
                return Some(Ticket { campaign, game });
            }
        }
        // All that should be needed is out: more of the first campaign, in case it is not enough.
        for (campaign, lane) in self.lanes.iter_mut().enumerate().filter(open()) {
            if let Some(game) = lane.take() {
                return Some(Ticket { campaign, game });
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lane(wanted: u64, limit: u64) -> LaneStart {
        LaneStart {
            next: 0,
            limit,
            step: 1,
            again: Vec::new(),
            wanted,
            done: false,
        }
    }

    fn take(dispenser: &Dispenser) -> (usize, u64) {
        let ticket = dispenser.take().unwrap();
        (ticket.campaign, ticket.game)
    }

    #[test]
    fn the_next_campaign_begins_when_the_first_has_what_it_needs() {
        let dispenser = Dispenser::new(&[lane(2, 100), lane(1, 100)]);
        let order: Vec<_> = (0..5).map(|_| take(&dispenser)).collect();
        assert_eq!(order, [(0, 0), (0, 1), (1, 0), (0, 2), (0, 3)]);
        dispenser.advance(0, 2, 4, false);
        assert_eq!(take(&dispenser), (0, 4));
        dispenser.advance(0, 5, 0, true);
        assert_eq!(take(&dispenser), (1, 1));
    }

    #[test]
    fn games_given_back_come_first() {
        let dispenser = Dispenser::new(&[lane(5, 100)]);
        let first = dispenser.take().unwrap();
        take(&dispenser);
        dispenser.give_back(first);
        assert_eq!(take(&dispenser), (0, 0));
        assert_eq!(take(&dispenser), (0, 2));
    }

    #[test]
    fn limits_hold_and_closing_ends_the_wait() {
        let dispenser = Dispenser::new(&[lane(5, 2)]);
        assert_eq!(take(&dispenser), (0, 0));
        assert_eq!(take(&dispenser), (0, 1));
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| dispenser.take());
            dispenser.close();
            assert_eq!(waiting.join().unwrap(), None);
        });
    }
}
