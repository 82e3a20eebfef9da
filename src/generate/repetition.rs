//! How often games will repeat each other, before any is played.
//!
//! An engine makes the same move in the same position, so a playout that an engine takes part in
//! meets the same openings again and again; and a game that leaves the playout at the same position
//! is the same to its end. How many openings there are follows from the number of choices at each
//! ply: with probability p + (1 − p) / k a move is the engine's, and each of the other k − 1 moves
//! has the probability (1 − p) / k.

use super::campaign::group_phases;
use super::openings::OpeningBook;
use super::phase::PhaseTask;
use crate::base::text::{count, phases as shown};
use crate::board::distinct_positions;
use crate::config::{DatasetConfig, Mode, RunEngines};
use crate::engine::launch::is_reproducible;

/// Choices at a ply of which the number of positions is not known, up to symmetry and counting
/// positions that are reached in several ways once.
const CHOICES: f64 = 7.0;
/// Nobody plays more games.
const MOST_GAMES: u64 = 1_000_000_000_000;
/// Fewer duplicates are nothing to speak of.
const WORTH_TELLING: u64 = 100;

/// Openings that are equally likely.
#[derive(Clone, Copy, Debug)]
struct Openings {
    number: f64,
    probability: f64,
}

/// Openings of `anchor` moves that begin with a line of `book`, lines as long as its longest one.
fn openings_of_book(anchor: u8, ai_probability: f64, book: &OpeningBook) -> Vec<Openings> {
    let lines = book.distinct() as f64;
    let line = Openings {
        number: lines,
        probability: 1.0 / lines,
    };
    longer(
        &[line],
        anchor.saturating_sub(book.longest()),
        ai_probability,
    )
}

/// The openings of `plies` moves, in groups of the same probability.
fn openings(plies: u8, ai_probability: f64) -> Vec<Openings> {
    let one = Openings {
        number: 1.0,
        probability: 1.0,
    };
    let mut all = vec![one];
    let mut known = 0;
    for ply in 1..=plies {
        let (Some(before), Some(after)) = (distinct_positions(ply - 1), distinct_positions(ply))
        else {
            break;
        };
        known = ply;
        let choices = after as f64 / before as f64;
        let (engine, other) = chances(ai_probability, choices);
        all = all
            .into_iter()
            .flat_map(|group| {
                let times = |number: f64, probability: f64| Openings {
                    number: group.number * number,
                    probability: group.probability * probability,
                };
                [times(1.0, engine), times(choices - 1.0, other)]
            })
            .filter(|group| group.number > 0.0 && group.probability > 0.0)
            .collect();
    }
    longer(&all, plies - known, ai_probability)
}

/// Each of them followed by `plies` moves with equally many choices: only the number of moves that are
/// not the engine's counts.
fn longer(all: &[Openings], plies: u8, ai_probability: f64) -> Vec<Openings> {
    let rest = i32::from(plies);
    let (engine, other) = chances(ai_probability, CHOICES);
    let mut binomial = 1.0;
    let mut tails = Vec::new();
    for others in 0..=rest {
        tails.push(Openings {
            number: binomial * (CHOICES - 1.0).powi(others),
            probability: engine.powi(rest - others) * other.powi(others),
        });
        binomial *= f64::from(rest - others) / f64::from(others + 1);
    }
    all.iter()
        .flat_map(|group| {
            tails.iter().map(|tail| Openings {
                number: group.number * tail.number,
                probability: group.probability * tail.probability,
            })
        })
        .filter(|group| group.probability > 0.0)
        .collect()
}

/// Of the engine's move, and of each other one.
fn chances(ai_probability: f64, choices: f64) -> (f64, f64) {
    let other = (1.0 - ai_probability) / choices;
    (ai_probability + other, other)
}

/// Different openings among so many games, on the average.
fn distinct(openings: &[Openings], games: u64) -> f64 {
    let met = |group: &Openings| -> f64 {
        let never = games as f64 * (-group.probability.min(1.0)).ln_1p();
        group.number * -never.exp_m1()
    };
    openings.iter().map(met).sum()
}

/// The games after which `samples` different openings have been met; [`MOST_GAMES`] stands for
/// all that is more.
fn games_for(openings: &[Openings], samples: u64) -> u64 {
    let is_enough = |games: u64| distinct(openings, games) >= samples as f64 - 0.5;
    let (mut low, mut high) = (0, samples.clamp(1, MOST_GAMES));
    while !is_enough(high) {
        if high == MOST_GAMES {
            return MOST_GAMES;
        }
        (low, high) = (high, high.saturating_mul(2).min(MOST_GAMES));
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match is_enough(middle) {
            true => high = middle,
            false => low = middle,
        }
    }
    high
}

/// The games that a campaign with this anchor needs from `from` samples to `to`, if repetition of
/// openings is what decides it; `None` where it is not.
pub(crate) fn expected_games(
    config: &DatasetConfig,
    engines: &RunEngines,
    book: Option<&OpeningBook>,
    anchor: u8,
    from: u64,
    to: u64,
) -> Option<u64> {
    if config.mode == Mode::AllPositions || from >= to {
        return None;
    }
    let ai_probability = config.playout.ai_probability;
    let has_ai = ai_probability > 0.0;
    if let (true, Some(playout)) = (has_ai, &engines.playout)
        && !is_reproducible(playout)
    {
        return None;
    }
    let is_recorded = config.phases.contains(&anchor);
    // Where the anchor is not recorded, the games beyond it need not repeat each other.
    let decides = match is_recorded {
        true => has_ai || book.is_some(),
        false => is_reproducible(&engines.self_play),
    };
    if !decides {
        return None;
    }
    let openings = match book {
        Some(book) => openings_of_book(anchor, ai_probability, book),
        None => openings(anchor, ai_probability),
    };
    let before = match from {
        0 => 0,
        from => games_for(&openings, from),
    };
    Some((games_for(&openings, to) - before).max(to - from))
}

/// Warnings about campaigns most of whose games will repeat others.
pub(crate) fn foreseen(
    config: &DatasetConfig,
    engines: &RunEngines,
    book: Option<&OpeningBook>,
) -> Vec<String> {
    let wanted = config.samples_per_phase;
    let warning = |(anchor, phases): (u8, Vec<u8>)| {
        let games = expected_games(config, engines, book, anchor, 0, wanted)?;
        let repeated = games - wanted.min(games);
        if repeated < WORTH_TELLING || repeated <= games / 2 {
            return None;
        }
        let phases = shown(&phases);
        let cause = format!(
            "games of phases {phases} leave the playout at phase {anchor}, and too few different \
             positions are met there"
        );
        Some(match games {
            MOST_GAMES => format!("{cause}: they cannot be filled; {}", advice(config)),
            games => format!(
                "{cause}: of about {} games {:.0}% would repeat others; {}",
                count(games),
                100.0 * repeated as f64 / games as f64,
                advice(config)
            ),
        })
    };
    group_phases(config)
        .into_iter()
        .filter_map(warning)
        .collect()
}

fn advice(config: &DatasetConfig) -> &'static str {
    match config.playout.ai_probability > 0.0 {
        _ if config.openings.is_some() => {
            "add openings, begin at a later phase, or want fewer samples_per_phase"
        }
        true => {
            "lower playout.ai_probability, begin at a later phase, or want fewer samples_per_phase"
        }
        false => "begin at a later phase, or want fewer samples_per_phase",
    }
}

/// Says it if most of what phases were offered was there already.
pub(crate) fn seen(config: &DatasetConfig, tasks: &[PhaseTask]) -> Option<String> {
    let offered: Vec<(u8, u64, u64)> = tasks
        .iter()
        .map(|task| (task.phase(), task.duplicates(), task.progress().done))
        .collect();
    let repeated: Vec<_> = offered
        .into_iter()
        .filter(|&(_, duplicates, samples)| duplicates >= WORTH_TELLING && duplicates > samples)
        .collect();
    let phases: Vec<u8> = repeated.iter().map(|&(phase, ..)| phase).collect();
    let duplicates: u64 = repeated.iter().map(|&(_, duplicates, _)| duplicates).sum();
    let all: u64 = duplicates + repeated.iter().map(|&(.., samples)| samples).sum::<u64>();
    (!phases.is_empty()).then(|| {
        format!(
            "{:.0}% of the positions of phases {} were there already and were passed over, so most \
             of that work was repetition; next time {}",
            100.0 * duplicates as f64 / all as f64,
            shown(&phases),
            advice(config)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(ai_probability: f64, anchor: u8, samples: u64) -> u64 {
        games_for(&openings(anchor, ai_probability), samples)
    }

    #[test]
    fn probabilities_sum_to_one() {
        for (plies, ai_probability) in [(0, 0.5), (1, 0.0), (9, 0.75), (10, 1.0), (30, 0.9)] {
            let openings = openings(plies, ai_probability);
            let sum: f64 = openings.iter().map(|o| o.number * o.probability).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{plies} {ai_probability}: {sum}");
        }
    }

    #[test]
    fn without_an_engine_all_positions_are_there() {
        for (anchor, positions) in [(3, 14.0), (6, 1773.0), (10, 2_958_586.0)] {
            let number = distinct(&openings(anchor, 0.0), MOST_GAMES);
            assert!((number / positions - 1.0).abs() < 1e-6, "{number}");
        }
    }

    #[test]
    fn one_opening_is_all_that_an_engine_alone_gives() {
        assert_eq!(games(1.0, 10, 1), 1);
        assert_eq!(games(1.0, 10, 2), MOST_GAMES);
        assert_eq!(games(0.5, 3, 15), MOST_GAMES);
    }

    /// Games that real runs took (embedded engine, level 2, seed 1, windows of ten phases).
    #[test]
    fn predictions_are_near_what_runs_took() {
        for (ai_probability, anchor, samples, took) in [
            (0.75, 10, 1000, 2002),
            (0.5, 10, 1000, 1054),
            (0.75, 20, 1000, 1017),
            (0.9, 10, 300, 1626),
        ] {
            let predicted = games(ai_probability, anchor, samples) as f64;
            let ratio = predicted / f64::from(took);
            assert!((0.8..1.25).contains(&ratio), "{predicted} of {took}");
        }
    }
}
