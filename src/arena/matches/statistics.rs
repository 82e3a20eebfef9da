//! What a match says about two players, with how sure it is.
//!
//! The two games of one opening are no independent trials, so every interval is computed over
//! pairs of games.

use serde::Serialize;

/// 97.5 % quantile of the normal distribution: 95 % lie within it on both sides.
const Z: f64 = 1.959_963_984_540_054;

/// The two games of one opening: the first player's final disc difference with the black discs,
/// and with the white ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pair(pub [i16; 2]);

/// A 95 % confidence interval. A bound that no number can express is absent.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(crate) struct Interval {
    /// Lower bound.
    pub low: Option<f64>,
    /// Upper bound.
    pub high: Option<f64>,
}

/// The first player's result.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(crate) struct Statistics {
    /// Games played.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// (wins + draws / 2) / games, 0..=1.
    pub score: f64,
    /// Its interval: "plus four" (Agresti and Coull 1998) over pairs, that is with two won and two
    /// lost pairs added, which keeps it honest for few or one-sided games.
    pub score_interval: Interval,
    /// Mean final disc difference.
    pub mean_difference: f64,
    /// Its interval, by Student's t over pairs, within ±64; no bounds for a single pair.
    pub difference_interval: Interval,
    /// Elo difference that the score stands for; absent when every game was won or lost.
    pub elo: Option<f64>,
    /// The bounds of `score_interval` as Elo differences; absent where they are without bound.
    pub elo_interval: Interval,
}

impl Statistics {
    /// The figures of these pairs; `None` without any.
    pub(crate) fn new(pairs: &[Pair]) -> Option<Statistics> {
        if pairs.is_empty() {
            return None;
        }
        let differences = || pairs.iter().flat_map(|pair| pair.0);
        let count = |sign: i16| differences().filter(|d| d.signum() == sign).count() as u64;
        let (wins, draws, losses) = (count(1), count(0), count(-1));
        let of_pair = |value: &dyn Fn(i16) -> f64| -> Vec<f64> {
            pairs
                .iter()
                .map(|pair| (value(pair.0[0]) + value(pair.0[1])) / 2.0)
                .collect()
        };
        let mut scores = of_pair(&|d| f64::from(d.signum() + 1) / 2.0);
        let means = of_pair(&f64::from);
        let (score, _) = mean_and_error(&scores);
        let (mean_difference, error) = mean_and_error(&means);
        let difference_interval = match error {
            Some(error) => {
                let half = student_t(means.len() - 1) * error;
                Interval {
                    low: Some((mean_difference - half).max(-64.0)),
                    high: Some((mean_difference + half).min(64.0)),
                }
            }
            None => Interval {
                low: None,
                high: None,
            },
        };
        scores.extend([0.0, 0.0, 1.0, 1.0]);
        let (centre, error) = mean_and_error(&scores);
        let half = Z * error.unwrap_or(0.0);
        let (low, high) = ((centre - half).max(0.0), (centre + half).min(1.0));
        Some(Statistics {
            games: wins + draws + losses,
            wins,
            draws,
            losses,
            score,
            score_interval: Interval {
                low: Some(low),
                high: Some(high),
            },
            mean_difference,
            difference_interval,
            elo: elo(score),
            elo_interval: Interval {
                low: elo(low),
                high: elo(high),
            },
        })
    }

    /// Whether the first player is the better one with 95 % confidence.
    pub(crate) fn is_better(&self) -> bool {
        self.score_interval.low.is_some_and(|low| low > 0.5)
    }

    /// Whether the second player is the better one with 95 % confidence.
    pub(crate) fn is_worse(&self) -> bool {
        self.score_interval.high.is_some_and(|high| high < 0.5)
    }
}

/// Mean and standard error of the mean; the error is absent for a single value.
fn mean_and_error(values: &[f64]) -> (f64, Option<f64>) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    if values.len() < 2 {
        return (mean, None);
    }
    let squares: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
    (mean, Some((squares / (n - 1.0) / n).sqrt()))
}

/// The logistic Elo difference of an expected score; absent at 0 and 1.
fn elo(score: f64) -> Option<f64> {
    // Adding 0 turns the -0 of an even score into 0.
    (score > 0.0 && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10() + 0.0)
}

/// 97.5 % quantile of Student's t distribution. From five degrees of freedom on by the expansion
/// of Abramowitz and Stegun 26.7.5, good to a few thousandths there.
fn student_t(degrees: usize) -> f64 {
    match degrees {
        0 => f64::INFINITY,
        1 => 12.706_205,
        2 => 4.302_653,
        3 => 3.182_446,
        4 => 2.776_445,
        n => {
            let n = n as f64;
            let power = |e: i32| Z.powi(e);
            let g1 = (power(3) + Z) / 4.0;
            let g2 = (5.0 * power(5) + 16.0 * power(3) + 3.0 * Z) / 96.0;
            let g3 = (3.0 * power(7) + 19.0 * power(5) + 17.0 * power(3) - 15.0 * Z) / 384.0;
            Z + g1 / n + g2 / (n * n) + g3 / (n * n * n)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() < tolerance, "{a} and {b}");
    }

    #[test]
    fn student_quantiles_are_the_published_ones() {
        for (degrees, published) in [
            (1, 12.706),
            (2, 4.303),
            (3, 3.182),
            (4, 2.776),
            (5, 2.571),
            (10, 2.228),
            (30, 2.042),
            (100, 1.984),
            (1000, 1.962),
        ] {
            near(student_t(degrees), published, 0.005);
        }
    }

    #[test]
    fn elo_differences_are_the_known_ones() {
        near(elo(0.5).unwrap(), 0.0, 1e-9);
        near(elo(0.75).unwrap(), 190.85, 0.01);
        near(elo(10.0 / 11.0).unwrap(), 400.0, 1e-9);
        assert_eq!((elo(0.0), elo(1.0)), (None, None));
    }

    /// Worked out by hand: pair scores 1, 0.5, 0.75, 0.5; pair differences 10, 0, 4, −6.
    #[test]
    fn a_small_match_by_hand() {
        let pairs = [Pair([8, 12]), Pair([2, -2]), Pair([8, 0]), Pair([-20, 8])];
        let s = Statistics::new(&pairs).unwrap();
        assert_eq!((s.games, s.wins, s.draws, s.losses), (8, 5, 1, 2));
        near(s.score, 0.6875, 1e-12);
        near(s.mean_difference, 2.0, 1e-12);
        // Squares of 8, −2, 2, −8 sum to 136; /3 = 45.333; /4 = 11.333; root 3.3665; × 3.182.
        near(
            s.difference_interval.high.unwrap(),
            2.0 + 3.3665 * 3.182,
            0.05,
        );
        // With 0, 0, 1, 1: mean 4.75 / 8 = 0.59375; squares sum to
        // 4.0625 − 8 × 0.59375² = 1.2422; / 7 / 8; root 0.14894.
        near(
            s.score_interval.low.unwrap(),
            0.59375 - 1.96 * 0.14894,
            1e-3,
        );
        assert!(!s.is_better() && !s.is_worse());
    }

    /// Means 64 and −60 leave room for anything, but for no difference that no game can have.
    #[test]
    fn no_interval_leaves_the_board() {
        let s = Statistics::new(&[Pair([64, 64]), Pair([-60, -60])]).unwrap();
        near(s.mean_difference, 2.0, 1e-12);
        assert_eq!(s.difference_interval.low, Some(-64.0));
        assert_eq!(s.difference_interval.high, Some(64.0));
    }

    #[test]
    fn a_one_sided_match_has_no_elo_but_a_sure_bound() {
        let s = Statistics::new(&[Pair([64, 64]); 50]).unwrap();
        assert_eq!((s.elo, s.elo_interval.high), (None, None));
        assert!(s.elo_interval.low.unwrap() > 200.0);
        assert!(s.is_better());
        let s = Statistics::new(&[Pair([-2, -4])]).unwrap();
        assert!(!s.is_worse() && s.difference_interval.low.is_none());
        assert_eq!(Statistics::new(&[]), None);
    }

    #[test]
    fn equal_players_are_told_apart_in_about_one_match_of_twenty() {
        use crate::base::rng::StreamKey;
        let key = StreamKey::new(11, "statistics", 0);
        let mut wrong = 0;
        for number in 0..2000 {
            let mut rng = key.game(number);
            let mut game = || rng.below(41) as i16 - 20;
            let pairs: Vec<Pair> = (0..50).map(|_| Pair([game(), game()])).collect();
            let s = Statistics::new(&pairs).unwrap();
            wrong += u32::from(s.is_better() || s.is_worse());
        }
        // 5 % of 2000 is 100, with a standard deviation of 10.
        assert!((50..150).contains(&wrong), "{wrong}");
    }
}
