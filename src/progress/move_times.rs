//! Where the time of games goes, ply by ply: what games from one phase say of games from a later one.

use std::time::Duration;

/// Plies that a game has at most.
const PLIES: usize = 60;

/// Times of the moves of one game: seconds by phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameTimes([f64; PLIES]);

impl Default for GameTimes {
    fn default() -> GameTimes {
        GameTimes([0.0; PLIES])
    }
}

impl GameTimes {
    /// A move from this phase took so long.
    pub fn moved(&mut self, phase: u8, time: Duration) {
        if let Some(seconds) = self.0.get_mut(usize::from(phase)) {
            *seconds += time.as_secs_f64();
        }
    }

    /// A search to the end did all moves from this phase on; each costs about half of the one before.
    pub fn solved(&mut self, phase: u8, time: Duration) {
        let first = usize::from(phase).min(PLIES - 1);
        let weight = |ply: usize| 0.5_f64.powi((ply - first) as i32);
        let whole: f64 = (first..PLIES).map(weight).sum();
        for ply in first..PLIES {
            self.0[ply] += time.as_secs_f64() * weight(ply) / whole;
        }
    }

    /// The phase behind the last move that was timed.
    pub fn reached(&self) -> u8 {
        let last = self.0.iter().rposition(|&seconds| seconds > 0.0);
        last.map_or(0, |last| last as u8 + 1)
    }

    /// All of them, in seconds.
    pub fn total(&self) -> f64 {
        self.0.iter().sum()
    }
}

/// Times of the moves of many games.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveTimes {
    /// Seconds before the engine took over, and the plies of that.
    opening: (f64, u64),
    /// Seconds by phase.
    seconds: [f64; PLIES],
    /// Games that were looked at in each phase.
    games: [u64; PLIES],
}

impl Default for MoveTimes {
    fn default() -> MoveTimes {
        MoveTimes {
            opening: (0.0, 0),
            seconds: [0.0; PLIES],
            games: [0; PLIES],
        }
    }
}

impl MoveTimes {
    /// Adds a game whose engine took over at `anchor`, as far as phase `until`: 60 where it was
    /// played to its end. `opening` went before.
    pub fn add(&mut self, anchor: u8, until: u8, game: &GameTimes, opening: Duration) {
        self.opening.0 += opening.as_secs_f64();
        self.opening.1 += u64::from(anchor);
        for ply in usize::from(anchor)..usize::from(until).min(PLIES) {
            self.seconds[ply] += game.0[ply];
            self.games[ply] += 1;
        }
    }

    /// Adds those of other games.
    pub fn merge(&mut self, other: &MoveTimes) {
        self.opening.0 += other.opening.0;
        self.opening.1 += other.opening.1;
        for ply in 0..PLIES {
            self.seconds[ply] += other.seconds[ply];
            self.games[ply] += other.games[ply];
        }
    }

    /// Games that were looked at in this phase.
    pub fn games_at(&self, phase: u8) -> u64 {
        self.games.get(usize::from(phase)).copied().unwrap_or(0)
    }

    /// Seconds of one game whose engine takes over at `anchor`, on one worker. Plies that nobody has
    /// timed cost what their neighbours do; `None` where nothing was timed.
    pub fn seconds_per_game(&self, anchor: u8) -> Option<f64> {
        let mean =
            |ply: usize| (self.games[ply] > 0).then(|| self.seconds[ply] / self.games[ply] as f64);
        let mut last = (0..PLIES).find_map(mean)?;
        let mut sum = 0.0;
        for ply in 0..PLIES {
            last = mean(ply).unwrap_or(last);
            if ply >= usize::from(anchor) {
                sum += last;
            }
        }
        let opening = match self.opening {
            (seconds, plies @ 1..) => seconds / plies as f64 * f64::from(anchor),
            _ => 0.0,
        };
        Some(sum + opening)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    /// Games from phase 10, a move of which takes as many ms as squares are empty.
    fn times() -> MoveTimes {
        let mut times = MoveTimes::default();
        for _ in 0..3 {
            let mut game = GameTimes::default();
            for phase in 10..60 {
                game.moved(phase, MS * (60 - u32::from(phase)));
            }
            times.add(10, 60, &game, MS * 20);
        }
        times
    }

    #[test]
    fn games_tell_what_later_ones_cost() {
        let near = |anchor, ms: f64| {
            let found = times().seconds_per_game(anchor).unwrap() * 1e3;
            assert!((found - ms).abs() < 1e-6, "{anchor}: {found} {ms}");
        };
        // 2 ms for each ply of the opening; 1 + 2 + … + 50 and so on.
        near(10, 20.0 + 1275.0);
        near(40, 80.0 + 210.0);
        near(59, 118.0 + 1.0);
        near(60, 120.0);
        assert_eq!(MoveTimes::default().seconds_per_game(10), None);
    }

    #[test]
    fn gaps_cost_what_their_neighbours_do() {
        let mut times = MoveTimes::default();
        let mut game = GameTimes::default();
        for phase in 20..30 {
            game.moved(phase, MS * 10);
        }
        // Broken off at phase 25.
        times.add(20, 25, &game, Duration::ZERO);
        assert_eq!(times.games_at(24), 1);
        assert_eq!(times.games_at(25), 0);
        let seconds = |anchor| times.seconds_per_game(anchor).unwrap();
        assert!((seconds(20) - 0.4).abs() < 1e-9);
        assert!((seconds(10) - 0.5).abs() < 1e-9);
    }

    #[test]
    fn a_solved_ending_is_spread_and_nothing_of_it_lost() {
        let mut game = GameTimes::default();
        game.solved(48, MS * 100);
        assert!((game.total() - 0.1).abs() < 1e-9);
        let mut times = MoveTimes::default();
        times.add(40, 60, &game, Duration::ZERO);
        let late = times.seconds_per_game(50).unwrap();
        assert!((late - 0.025).abs() < 1e-4, "{late}");
        game.solved(60, MS);
        assert!((game.total() - 0.101).abs() < 1e-9);
    }
}
