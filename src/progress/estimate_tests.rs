//! Estimates against runs whose true end is known, because they are simulated here.

use super::*;
use crate::progress::GameTimes;

/// A run in which a game from anchor `a` takes `price(a)` seconds.
struct Run {
    now: Snapshot,
    clock: f64,
    estimator: Estimator,
    /// What a move from each phase costs, where moves are timed.
    ply: Option<fn(u8) -> f64>,
}

fn windows(anchors: &[u8], size: u8, target: u64, done: u64) -> Vec<PhaseProgress> {
    let phases = anchors.iter().flat_map(|&anchor| {
        (anchor..anchor + size).map(move |phase| PhaseProgress {
            phase,
            anchor,
            target,
            done,
            resumed: done,
        })
    });
    phases.collect()
}

impl Run {
    fn new(phases: Vec<PhaseProgress>) -> Run {
        Run {
            now: Snapshot {
                phases,
                ..Snapshot::default()
            },
            clock: 0.0,
            estimator: Estimator::new("normal"),
            ply: None,
        }
    }

    /// Plays until the clock shows `until` or everything is full; looks once a second.
    fn play(&mut self, price: impl Fn(u8) -> f64, until: f64) {
        let mut looked = self.clock;
        self.look();
        while self.clock < until {
            let Some(anchor) = self
                .now
                .phases
                .iter()
                .find(|phase| phase.done < phase.target)
                .map(|phase| phase.anchor)
            else {
                break;
            };
            let of_window = |phase: &&mut PhaseProgress| phase.anchor == anchor;
            self.now.active.clear();
            for phase in self.now.phases.iter_mut().filter(of_window) {
                self.now.active.push(phase.phase);
                phase.done = (phase.done + 1).min(phase.target);
            }
            self.now.games += 1;
            self.clock += price(anchor);
            if let Some(ply) = self.ply {
                let mut game = GameTimes::default();
                for phase in anchor..60 {
                    game.moved(phase, Duration::from_secs_f64(ply(phase)));
                }
                let times = self.now.move_times.entry(anchor).or_default();
                times.add(anchor, 60, &game, Duration::ZERO);
            }
            if self.clock >= looked + 1.0 {
                looked = self.clock;
                self.look();
            }
        }
        self.look();
    }

    fn look(&mut self) {
        let elapsed = Duration::from_secs_f64(self.clock);
        self.estimator.observe(elapsed, &self.now);
    }

    fn remaining(&self) -> f64 {
        let estimate = self.estimator.estimate(&self.now);
        estimate.remaining.expect("games were played").as_secs_f64()
    }
}

fn assert_near(found: f64, truth: f64, tolerance: f64) {
    assert!(
        (found - truth).abs() <= truth * tolerance,
        "estimated {found:.0} s, true {truth:.0} s"
    );
}

#[test]
fn one_speed_is_told_after_a_minute() {
    let mut run = Run::new(windows(&[20], 10, 100_000, 0));
    run.play(|_| 0.1, 60.0);
    assert_near(run.remaining(), 10_000.0 - 60.0, 0.01);
}

#[test]
fn what_an_earlier_run_did_does_not_count_as_speed() {
    let mut run = Run::new(windows(&[20], 10, 100_000, 90_000));
    run.play(|_| 0.1, 60.0);
    assert_near(run.remaining(), 1_000.0 - 60.0, 0.01);
    let estimate = run.estimator.estimate(&run.now);
    assert_near(estimate.games_per_second, 10.0, 0.01);
    assert_near(estimate.samples_per_second, 100.0, 0.01);
}

#[test]
fn later_windows_are_taken_to_be_faster() {
    // As many seconds per game as moves are left: 50, 40, 30, 20, 10 hundredths.
    let price = |anchor: u8| f64::from(60 - anchor) / 100.0;
    let mut run = Run::new(windows(&[10, 20, 30, 40, 50], 10, 1000, 0));
    run.play(price, 60.0);
    assert_near(run.remaining(), 1500.0 - 60.0, 0.02);
}

#[test]
fn the_law_of_prices_is_learned() {
    // The square of the moves left; after two windows that is known.
    let price = |anchor: u8| f64::from(60 - anchor).powi(2) / 10_000.0;
    let total: f64 = [10, 20, 30, 40, 50].map(|a| 1000.0 * price(a)).iter().sum();
    let mut run = Run::new(windows(&[10, 20, 30, 40, 50], 10, 1000, 0));
    let until = 1000.0 * (price(10) + 0.5 * price(20));
    run.play(price, until);
    assert_near(run.remaining(), total - until, 0.05);
}

#[test]
fn a_change_of_speed_shows_within_minutes() {
    let mut run = Run::new(windows(&[20], 10, 100_000, 0));
    run.play(|_| 0.1, 600.0);
    run.play(|_| 0.2, 900.0);
    let left = (100_000.0 - 6_000.0 - 1_500.0) * 0.2;
    assert_near(run.remaining(), left, 0.02);
}

#[test]
fn a_full_run_has_nothing_left_and_an_unstarted_one_no_guess() {
    let full = Run::new(windows(&[20], 1, 10, 10));
    let mut estimator = Estimator::new("normal");
    estimator.observe(Duration::ZERO, &full.now);
    assert_eq!(
        estimator.estimate(&full.now).remaining,
        Some(Duration::ZERO)
    );
    let empty = Run::new(windows(&[20], 1, 10, 0));
    let mut estimator = Estimator::new("normal");
    estimator.observe(Duration::ZERO, &empty.now);
    estimator.observe(Duration::from_secs(60), &empty.now);
    assert_eq!(estimator.estimate(&empty.now).remaining, None);
}

#[test]
fn steps_are_timed_where_there_are_no_samples() {
    let mut now = Snapshot::default();
    let mut estimator = Estimator::new("");
    for second in 0..=100 {
        now.steps = Some(Steps {
            // 500 were there at the beginning.
            done: 500 + second * 10,
            total: Some(5_500),
            unit: "game",
        });
        estimator.observe(Duration::from_secs(second), &now);
    }
    let remaining = estimator.estimate(&now).remaining.expect("it moves");
    assert_near(remaining.as_secs_f64(), 400.0, 0.001);
}

#[test]
fn collecting_all_positions_of_a_shallow_phase_takes_longer_than_their_number() {
    // Three coupons: 1 + 3/2 + 3 draws.
    assert!((expected_games(2, 0, 3) - 5.5).abs() < 1e-9);
    assert!((expected_games(2, 2, 3) - 3.0).abs() < 1e-9);
    // The whole of phase 9: n (ln n + γ).
    let n: f64 = 434_029.0;
    let whole = n * (n.ln() + 0.577_215_664_9);
    assert_near(expected_games(9, 0, 434_029), whole, 1e-4);
    assert_eq!(expected_games(30, 10, 1_000), 990.0);
    assert_eq!(expected_games(30, 1_000, 10), 0.0);
}

#[test]
fn a_run_of_weeks_keeps_a_short_history() {
    let mut estimator = Estimator::new("normal");
    let now = Snapshot::default();
    for second in 0..200_000 {
        estimator.observe(Duration::from_secs(second), &now);
    }
    assert!(
        estimator.history.len() <= 800,
        "{}",
        estimator.history.len()
    );
    let oldest = estimator.history.front().map(|point| point.at);
    assert_eq!(oldest, Some(Duration::ZERO));
}

/// Moves of the middle game cost the same each, the search to the end from 20 empties very much, the
/// rest nothing: no power of the moves left.
fn ply(phase: u8) -> f64 {
    match phase {
        0..40 => 0.002,
        40..44 => 0.1,
        _ => 0.0001,
    }
}

fn game_of(anchor: u8) -> f64 {
    (anchor..60).map(ply).sum()
}

/// The worst error over a run of five windows, looked at every five seconds.
fn worst_error(ply: Option<fn(u8) -> f64>) -> f64 {
    let anchors = [10, 20, 30, 40, 50];
    let total: f64 = anchors.iter().map(|&anchor| 300.0 * game_of(anchor)).sum();
    let mut run = Run::new(windows(&anchors, 10, 300, 0));
    run.ply = ply;
    let mut worst: f64 = 0.0;
    while run.clock < total - 5.0 {
        run.play(game_of, run.clock + 5.0);
        let truth = total - run.clock;
        let told = run.remaining();
        worst = worst.max((told.max(1.0) / truth.max(1.0)).ln().abs());
    }
    worst.exp() - 1.0
}

#[test]
fn timed_moves_tell_what_later_windows_cost() {
    let (with, without) = (worst_error(Some(ply)), worst_error(None));
    // Worst just behind the beginning of a window, whose first games share a look with the last ones
    // of the window before.
    assert!(with < 0.2, "{with}");
    // Else there would be nothing to time them for.
    assert!(without > 0.3, "{without}");
}

#[test]
fn tables_tell_before_a_game_is_played_and_games_overrule_them() {
    let mut run = Run::new(windows(&[10, 20], 10, 1000, 0));
    let prices: Vec<f64> = (0..=60)
        .map(|phase| f64::from(60 - phase) / 100.0)
        .collect();
    run.estimator = Estimator::new("normal").with_prices(prices);
    run.look();
    assert_near(run.remaining(), 500.0 + 400.0, 0.001);
    let estimate = run.estimator.estimate(&run.now);
    for (of, anchor, seconds) in [(0, 10, 500.0), (1, 20, 400.0)] {
        let campaign = &estimate.campaigns[of];
        assert_eq!(campaign.anchor, anchor);
        let told = campaign.remaining.expect("the table tells");
        assert_near(told.as_secs_f64(), seconds, 0.001);
    }
    // The machine is ten times as fast.
    run.play(|anchor| f64::from(60 - anchor) / 1000.0, 10.0);
    assert_near(run.remaining(), 80.0, 0.1);
}
