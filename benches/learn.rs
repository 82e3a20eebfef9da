//! Learning by self-play on one core: time per game, and what learning adds to mere playing.
//!
//! The same games are played twice: once as `rdg learn` does, once by the search alone, without
//! any update of weights (whose changes would make the games different, so each epoch's games are
//! played with that epoch's weights). Prints the best of several rounds and ratios.
//!
//! `cargo bench --bench learn [-- EPOCHS]`

use rdg::base::stop::Stop;
use rdg::learn::search::Search;
use rdg::learn::self_play::{game_stream, play_game};
use rdg::learn::settings::Settings;
use rdg::learn::td::{Discs, learn_game};
use rdg::learn::trainer::Trainer;
use rdg::learn::weights::Weights;
use std::time::{Duration, Instant};

/// What the program that the method is taken from needs for a game, in milliseconds.
const ELSEWHERE: f64 = 26.0;

const ROUNDS: usize = 3;

fn main() {
    let epochs = std::env::args()
        .filter_map(|word| word.parse().ok())
        .next()
        .unwrap_or(20);
    println!("{epochs} epochs of 50 games, one thread, best of {ROUNDS} rounds\n");
    println!("depth   ms per game   learning   updates : search   games/s   26 ms per game : this");
    for depth in 1..=5 {
        let settings = Settings {
            epochs,
            depth,
            check_games: 0,
            ..Settings::recommended(1)
        };
        let mut playing = Duration::MAX;
        let mut learning = Duration::MAX;
        let mut updating = Duration::MAX;
        for _ in 0..ROUNDS {
            let (whole, states) = learn(&settings);
            learning = learning.min(whole);
            let (searched, games) = search_alone(&settings, &states);
            playing = playing.min(searched);
            updating = updating.min(update_alone(&settings, &states, &games));
        }
        let games = f64::from(settings.epochs * settings.games);
        let per_game = 1e3 * learning.as_secs_f64() / games;
        println!(
            "{depth:>5} {per_game:>13.4} {:>10.3} {:>18.4} {:>9.0} {:>19.0}x",
            learning.as_secs_f64() / playing.as_secs_f64(),
            updating.as_secs_f64() / playing.as_secs_f64(),
            1e3 / per_game,
            ELSEWHERE / per_game
        );
    }
    println!(
        "\nlearning: the whole of it as a multiple of the time that the same games take without \
         any update"
    );
}

/// The whole of learning, and the weights before each epoch.
fn learn(settings: &Settings) -> (Duration, Vec<Weights>) {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .expect("a thread can be had");
    let mut trainer = Trainer::new(settings.clone(), Weights::ZERO);
    let stop = Stop::new();
    let mut states = Vec::new();
    let mut took = Duration::ZERO;
    while !trainer.is_done() {
        states.push(trainer.weights.clone());
        let began = Instant::now();
        trainer.step(&pool, &stop).expect("the settings are sound");
        took += began.elapsed();
    }
    (took, states)
}

/// The same games, played and nothing learned.
fn search_alone(settings: &Settings, states: &[Weights]) -> (Duration, Vec<Vec<Discs>>) {
    let stop = Stop::new();
    let mut games = Vec::new();
    let began = Instant::now();
    for (epoch, weights) in (1..).zip(states) {
        let search = Search::new(&weights.rounded(), settings.depth);
        for game in 0..settings.games {
            let mut rng = game_stream(settings.seed, epoch, game);
            games.extend(play_game(&search, settings.random_plies, &mut rng, &stop));
        }
    }
    (began.elapsed(), games)
}

/// The updates of the same games, and the averages.
fn update_alone(settings: &Settings, states: &[Weights], games: &[Vec<Discs>]) -> Duration {
    let began = Instant::now();
    for (weights, games) in states.iter().zip(games.chunks(settings.games as usize)) {
        let mut weights = weights.clone();
        for game in games {
            std::hint::black_box(learn_game(&mut weights, game, settings.alpha));
        }
        weights.average_symmetries();
        std::hint::black_box(&weights);
    }
    began.elapsed()
}
