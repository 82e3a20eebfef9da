//! What a run of learning is made with: everything that decides its weights.

use super::error::LearnError;
use crate::arena::matches::MAX_RANDOM_PLIES;
use serde::{Deserialize, Serialize};

/// The settings of a run. Together with the initial weights they decide every byte of its output.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Rounds of learning, ≥ 1.
    pub epochs: u32,
    /// Games of self-play per epoch, ≥ 1.
    pub games: u32,
    /// Learning rate, > 0 and at most 1/32.
    pub alpha: f64,
    /// Plies that self-play and the checks search, 1..=[`MAX_DEPTH`].
    pub depth: u32,
    /// Weight files are kept every so many epochs.
    pub save_every: u32,
    /// Random moves at the beginning of a game.
    pub random_plies: u32,
    /// A match against the initial weights every so many epochs, for the learning curve.
    pub check_every: u32,
    /// Games of the match at the end, even; 0: none. The curve's matches have a quarter.
    pub check_games: u32,
    /// Whether the result is the average over the epochs or the last epoch's weights.
    pub averaging: bool,
    /// Where the initial weights come from: `zero`, `corners` or a file's path.
    pub initial: String,
    /// What all games are drawn from.
    pub seed: u64,
}

/// Self-play cannot search deeper: a game would take minutes.
pub const MAX_DEPTH: u32 = 8;

/// The last step of a game moves the value of a full board by 64·α·δ towards the result: from
/// twice the error on it overshoots farther each time.
const LARGEST_ALPHA: f64 = 2.0 / 64.0;

/// More games than any machine can play; keeps counters and streams within their types.
const MOST: u32 = 1_000_000;

impl Settings {
    /// The recommended settings, with this seed.
    pub fn recommended(seed: u64) -> Settings {
        Settings {
            epochs: 500,
            games: 50,
            alpha: 0.001,
            depth: 3,
            save_every: 100,
            random_plies: 10,
            check_every: 25,
            check_games: 400,
            averaging: true,
            initial: "zero".to_owned(),
            seed,
        }
    }

    /// A run of a second, to see that everything works.
    pub fn quick(seed: u64) -> Settings {
        Settings {
            epochs: 5,
            games: 10,
            check_every: 1,
            check_games: 100,
            ..Settings::recommended(seed)
        }
    }

    /// Checks every setting; the error names the option.
    pub fn check(&self) -> Result<(), LearnError> {
        let bounded = |option, value: u32, low: u32, high: u32| {
            if (low..=high).contains(&value) {
                return Ok(());
            }
            Err(LearnError::Setting {
                option,
                value: value.to_string().into(),
                expected: format!("it must be from {low} to {high}"),
            })
        };
        bounded("--epochs", self.epochs, 1, MOST)?;
        bounded("--games", self.games, 1, MOST)?;
        bounded("--depth", self.depth, 1, MAX_DEPTH)?;
        bounded("--save-every", self.save_every, 1, MOST)?;
        bounded("--random-plies", self.random_plies, 0, MAX_RANDOM_PLIES)?;
        bounded("--check-every", self.check_every, 1, MOST)?;
        bounded("--check-games", self.check_games, 0, MOST)?;
        if !(self.alpha > 0.0 && self.alpha <= LARGEST_ALPHA) {
            return Err(LearnError::Setting {
                option: "--alpha",
                value: self.alpha.to_string().into(),
                expected: format!(
                    "the learning rate must be above 0 and at most {LARGEST_ALPHA}, beyond which \
                     the weights grow without end; the usual one is 0.001"
                ),
            });
        }
        if !self.check_games.is_multiple_of(2) {
            return Err(LearnError::Setting {
                option: "--check-games",
                value: self.check_games.to_string().into(),
                expected: "it must be even: each opening is played with both colours".to_owned(),
            });
        }
        Ok(())
    }

    /// The first setting in which a continued run may not differ from `earlier` but does: option,
    /// earlier value, value now. More epochs may be added.
    pub fn difference(&self, earlier: &Settings) -> Option<(&'static str, String, String)> {
        macro_rules! same {
            ($($field:ident => $option:literal),*) => {
                $(if self.$field != earlier.$field {
                    return Some(($option, earlier.$field.to_string(), self.$field.to_string()));
                })*
            };
        }
        same!(
            games => "--games",
            alpha => "--alpha",
            depth => "--depth",
            save_every => "--save-every",
            random_plies => "--random-plies",
            check_every => "--check-every",
            check_games => "--check-games",
            averaging => "averaging",
            initial => "--initial",
            seed => "--seed"
        );
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_sound() {
        Settings::recommended(1).check().unwrap();
        Settings::quick(1).check().unwrap();
    }

    #[test]
    fn each_fault_names_its_option() {
        let base = Settings::recommended(1);
        type Change = fn(&mut Settings);
        let cases: [(&str, Change); 13] = [
            ("--epochs", |s| s.epochs = 0),
            ("--games", |s| s.games = 0),
            ("--games", |s| s.games = u32::MAX),
            ("--alpha", |s| s.alpha = 0.0),
            ("--alpha", |s| s.alpha = -0.1),
            ("--alpha", |s| s.alpha = f64::NAN),
            ("--alpha", |s| s.alpha = f64::INFINITY),
            ("--alpha", |s| s.alpha = 0.04),
            ("--depth", |s| s.depth = 0),
            ("--depth", |s| s.depth = 9),
            ("--save-every", |s| s.save_every = 0),
            ("--random-plies", |s| s.random_plies = 41),
            ("--check-games", |s| s.check_games = 3),
        ];
        for (option, change) in cases {
            let mut settings = base.clone();
            change(&mut settings);
            let error = settings.check().unwrap_err().to_string();
            assert!(error.starts_with(option), "{error}");
        }
    }

    #[test]
    fn only_the_number_of_epochs_may_change() {
        let earlier = Settings::recommended(1);
        let mut now = earlier.clone();
        now.epochs = 900;
        assert_eq!(now.difference(&earlier), None);
        now.alpha = 0.01;
        let (option, was, is) = now.difference(&earlier).unwrap();
        assert_eq!(
            (option, was.as_str(), is.as_str()),
            ("--alpha", "0.001", "0.01")
        );
    }
}
