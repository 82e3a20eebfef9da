use super::*;
use crate::board::{Square, Squares};
use crate::engine::MoveScore;
use std::sync::Arc;

/// Plays the first or the last legal square; breaks at given calls.
struct Simple {
    last: bool,
    calls: Arc<AtomicU64>,
    breaks_every: u64,
}

impl Engine for Simple {
    fn new_game(&mut self) -> Result<(), EngineError> {
        Ok(())
    }

    fn choose(&mut self, game: &Game) -> Result<Square, EngineError> {
        let call = self.calls.fetch_add(1, Ordering::SeqCst) + 1;
        if self.breaks_every > 0 && call.is_multiple_of(self.breaks_every) {
            return Err(EngineError::Exited {
                engine: "simple".to_owned(),
                during: "choosing a move".to_owned(),
                how: "exit status 1".into(),
                stderr: String::new().into(),
            });
        }
        let mut legal = Squares(game.board().legal_moves());
        let square = if self.last {
            legal.last()
        } else {
            legal.next()
        };
        Ok(square.expect("there is a legal move"))
    }

    fn score_moves(&mut self, _: &Game) -> Result<Vec<MoveScore>, EngineError> {
        Err(EngineError::CannotScore {
            engine: "simple".to_owned(),
        })
    }

    fn is_reproducible(&self) -> bool {
        true
    }
}

fn settings(workers: usize) -> MatchSettings {
    MatchSettings {
        pairs: 40,
        openings: Vec::new(),
        random_plies: 6,
        seed: 9,
        workers,
        retries: 3,
    }
}

fn run(
    settings: &MatchSettings,
    breaks_every: u64,
    swapped: bool,
    stop: &Stop,
) -> Result<Outcome, MatchError> {
    let calls = Arc::new(AtomicU64::new(0));
    let player = |last| -> Box<dyn Engine> {
        Box::new(Simple {
            last,
            calls: calls.clone(),
            breaks_every,
        })
    };
    let start = || Ok([player(swapped), player(!swapped)]);
    play(settings, &start, stop, &|_| {})
}

#[test]
fn results_do_not_depend_on_workers() {
    let stop = Stop::new();
    let one = run(&settings(1), 0, false, &stop).unwrap();
    assert!(one.is_complete && one.pairs.len() == 40);
    assert_eq!(one, run(&settings(5), 0, false, &stop).unwrap());
}

#[test]
fn swapping_the_players_swaps_the_results() {
    let stop = Stop::new();
    let straight = run(&settings(2), 0, false, &stop).unwrap();
    let swapped = run(&settings(2), 0, true, &stop).unwrap();
    for (a, b) in straight.pairs.iter().zip(&swapped.pairs) {
        assert_eq!(a.0, [-b.0[1], -b.0[0]]);
    }
}

#[test]
fn failures_are_made_good_and_counted() {
    let stop = Stop::new();
    let whole = run(&settings(1), 0, false, &stop).unwrap();
    let broken = run(&settings(1), 1009, false, &stop).unwrap();
    assert_eq!(whole.pairs, broken.pairs);
    assert!(broken.restarts > 0);
}

#[test]
fn an_engine_that_always_fails_ends_the_match() {
    let error = run(&settings(2), 1, false, &Stop::new()).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("game ") && text.contains("`simple` ended"),
        "{text}"
    );
}

#[test]
fn a_stop_keeps_what_was_finished() {
    let stop = Stop::new();
    let calls = AtomicU64::new(0);
    let player = |last| -> Box<dyn Engine> {
        Box::new(Simple {
            last,
            calls: Arc::default(),
            breaks_every: 0,
        })
    };
    let outcome = play(
        &settings(1),
        &|| Ok([player(true), player(false)]),
        &stop,
        &|finished| {
            calls.store(finished.count, Ordering::SeqCst);
            if finished.count == 3 {
                stop.request();
            }
        },
    )
    .unwrap();
    assert_eq!(outcome.pairs.len(), 3);
    assert!(!outcome.is_complete);
}
