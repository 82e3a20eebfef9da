//! What the rounds are made with: everything that decides their weights.

use super::BootstrapError;
use serde::{Deserialize, Serialize};

/// The settings of all rounds. Same settings, same weights.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    /// Rounds, ≥ 1.
    pub rounds: u32,
    /// Positions of each phase in each round.
    pub samples: u64,
    /// Level of self-play.
    pub level: u32,
    /// Games of each match, even.
    pub match_games: u64,
    /// Level of both sides in the matches.
    pub match_level: u32,
    /// Whose judgement the first round plays by: `squares`, `builtin` or a weight file.
    pub start: Start,
    /// What everything is drawn from.
    pub seed: u64,
}

/// What round 0 is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Start {
    /// A beginner's table of square weights.
    Squares,
    /// The embedded weights.
    Builtin,
    /// A file of weights of either kind.
    File(String),
}

impl Start {
    /// Reads `squares`, `builtin` or a path.
    pub(crate) fn parse(text: &str) -> Start {
        match text {
            "squares" => Start::Squares,
            "builtin" => Start::Builtin,
            path => Start::File(path.to_owned()),
        }
    }

    /// As it is typed.
    pub(crate) fn name(&self) -> &str {
        match self {
            Start::Squares => "squares",
            Start::Builtin => "builtin",
            Start::File(path) => path,
        }
    }
}

impl Settings {
    /// What is made where nobody says otherwise: minutes on two cores.
    pub(crate) fn recommended(seed: u64) -> Settings {
        Settings {
            rounds: 3,
            samples: 4000,
            level: 4,
            match_games: 400,
            match_level: 4,
            start: Start::Squares,
            seed,
        }
    }

    /// Fails for numbers that make no sense.
    pub(super) fn check(&self) -> Result<(), BootstrapError> {
        let refuse = |option, value: u64, expected| {
            Err(BootstrapError::Setting {
                option,
                value,
                expected,
            })
        };
        if !(1..=1000).contains(&self.rounds) {
            return refuse("--rounds", self.rounds.into(), "choose 1 to 1000");
        }
        if !(20..=1_000_000_000).contains(&self.samples) {
            return refuse("--samples", self.samples, "choose 20 to 1000000000");
        }
        for (option, level) in [("--level", self.level), ("--match-level", self.match_level)] {
            if !(1..=60).contains(&level) {
                return refuse(option, level.into(), "choose 1 to 60");
            }
        }
        if !self.match_games.is_multiple_of(2) || !(2..=1_000_000).contains(&self.match_games) {
            let expected = "choose an even number from 2 to 1000000";
            return refuse("--match-games", self.match_games, expected);
        }
        if self.seed > i64::MAX as u64 {
            return refuse("--seed", self.seed, "choose at most 9223372036854775807");
        }
        Ok(())
    }

    /// What differs from the settings of an earlier run, apart from the number of rounds: option,
    /// value then, value now.
    pub(super) fn difference(&self, now: &Settings) -> Option<(&'static str, String, String)> {
        let pair = |of: &dyn Fn(&Settings) -> String| (of(self), of(now));
        [
            ("--samples", pair(&|s| s.samples.to_string())),
            ("--level", pair(&|s| s.level.to_string())),
            ("--match-games", pair(&|s| s.match_games.to_string())),
            ("--match-level", pair(&|s| s.match_level.to_string())),
            ("--start", pair(&|s| s.start.name().to_owned())),
            ("--seed", pair(&|s| s.seed.to_string())),
        ]
        .into_iter()
        .find(|(_, (was, is))| was != is)
        .map(|(option, (was, is))| (option, was, is))
    }
}
