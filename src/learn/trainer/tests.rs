use super::*;
use crate::board::Symmetry;
use std::collections::BTreeSet;

fn pool(workers: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new()
        .num_threads(workers)
        .build()
        .unwrap()
}

fn trained(settings: Settings, initial: Weights, workers: usize) -> Trainer {
    let mut trainer = Trainer::new(settings, initial);
    let pool = pool(workers);
    while !trainer.is_done() {
        trainer.step(&pool, &Stop::new()).unwrap();
    }
    trainer
}

fn short(seed: u64) -> Settings {
    Settings {
        epochs: 12,
        games: 20,
        depth: 2,
        check_every: 5,
        check_games: 40,
        ..Settings::recommended(seed)
    }
}

#[test]
fn weights_do_not_depend_on_the_number_of_workers() {
    let one = trained(short(3), Weights::ZERO, 1);
    assert_eq!(one, trained(short(3), Weights::ZERO, 4));
    assert_ne!(one.weights, trained(short(4), Weights::ZERO, 2).weights);
    assert_eq!(one.curve.len(), 12);
    let epochs: Vec<u32> = one.checks.iter().map(|c| c.epoch).collect();
    assert_eq!(epochs, [5, 10]);
    assert_eq!(one.checks[0].games, 10);
}

#[test]
fn after_each_epoch_ten_values_equal_to_the_last_bit_under_all_symmetries() {
    let mut trainer = Trainer::new(short(5), Weights::ZERO);
    let pool = pool(2);
    while !trainer.is_done() {
        trainer.step(&pool, &Stop::new()).unwrap();
        for weights in [&trainer.weights, &trainer.averaged] {
            for symmetry in Symmetry::ALL {
                for square in crate::board::Square::ALL {
                    let image = symmetry.apply_square(square);
                    assert_eq!(
                        weights.0[usize::from(square.index())].to_bits(),
                        weights.0[usize::from(image.index())].to_bits()
                    );
                }
            }
            let distinct: BTreeSet<u64> = weights.0.iter().map(|w| w.to_bits()).collect();
            assert_eq!(distinct.len(), 10);
        }
    }
}

/// What every player of the game knows, found out from nothing: corners are worth most, and the
/// squares diagonal to them less than the average square.
#[test]
fn corners_come_out_on_top_and_their_diagonal_neighbours_below_the_average() {
    for seed in 1..=4 {
        let settings = Settings {
            epochs: 120,
            check_games: 0,
            ..Settings::recommended(seed)
        };
        let trainer = trained(settings, Weights::ZERO, 2);
        for weights in [&trainer.weights, &trainer.averaged] {
            let w = &weights.0;
            let others = (0..64).filter(|i| ![0, 7, 56, 63].contains(i));
            let best_other = others.map(|i| w[i]).fold(f64::MIN, f64::max);
            assert!(w[0] > best_other, "seed {seed}: {w:?}");
            let average = w.iter().sum::<f64>() / 64.0;
            assert!(w[9] < average, "seed {seed}: {w:?}");
        }
    }
}

#[test]
fn the_state_survives_storage_exactly_at_any_epoch() {
    let pool = pool(2);
    let straight = trained(short(8), Weights::corner_table(), 2);
    let mut trainer = Trainer::new(short(8), Weights::corner_table());
    while !trainer.is_done() {
        trainer.step(&pool, &Stop::new()).unwrap();
        let stored = serde_json::to_string(&trainer).unwrap();
        trainer = serde_json::from_str(&stored).unwrap();
    }
    assert_eq!(straight, trainer);
    let bits = |t: &Trainer| t.weights.0.map(f64::to_bits);
    assert_eq!(bits(&straight), bits(&trainer));
}

#[test]
fn a_silly_learning_rate_is_an_error_that_changes_nothing() {
    for alpha in [0.1, 0.2, 1.0, 1e300] {
        let settings = Settings { alpha, ..short(1) };
        let mut trainer = Trainer::new(settings, Weights::ZERO);
        let (before, error) = loop {
            let before = trainer.clone();
            if let Err(error) = trainer.step(&pool(1), &Stop::new()) {
                break (before, error);
            }
        };
        assert!(matches!(error, LearnError::RanAway { .. }), "{error}");
        assert!(error.to_string().contains("smaller --alpha"), "{error}");
        assert_eq!(trainer, before);
    }
}

#[test]
fn a_stop_leaves_the_last_whole_epoch() {
    let mut trainer = Trainer::new(short(1), Weights::ZERO);
    let stop = Stop::new();
    trainer.step(&pool(1), &stop).unwrap();
    let before = trainer.clone();
    stop.request();
    let error = trainer.step(&pool(1), &stop).unwrap_err();
    assert!(matches!(error, LearnError::Stopped));
    assert_eq!(trainer, before);
}

#[test]
fn without_averaging_the_result_is_the_last_epochs() {
    let settings = Settings {
        averaging: false,
        ..short(2)
    };
    let trainer = trained(settings, Weights::ZERO, 1);
    assert_eq!(trainer.result(), &trainer.weights);
    // The games do not depend on it.
    let averaged = trained(short(2), Weights::ZERO, 1);
    assert_eq!(averaged.weights, trainer.weights);
    assert_ne!(averaged.result(), trainer.result());
}

/// By hand: shares of epochs 1, 2, 3 are 1, 5/6, 5/7 of what is left.
#[test]
fn the_average_forgets_early_epochs() {
    let mut trainer = Trainer::new(short(6), Weights::ZERO);
    let pool = pool(1);
    let mut corners = Vec::new();
    for _ in 0..3 {
        trainer.step(&pool, &Stop::new()).unwrap();
        corners.push(trainer.weights.0[0]);
    }
    let second = corners[0] / 6.0 + corners[1] * 5.0 / 6.0;
    let third = second * 2.0 / 7.0 + corners[2] * 5.0 / 7.0;
    assert!((trainer.averaged.0[0] - third).abs() < 1e-9);
}
