//! `--score-rule`: the words of [`ScoreRule`] with their help.

use crate::board::ScoreRule;
use clap::ValueEnum;
use clap::builder::PossibleValue;

impl ValueEnum for ScoreRule {
    fn value_variants<'a>() -> &'a [ScoreRule] {
        &ScoreRule::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(match self {
            ScoreRule::Plain => "Own discs minus opponent's; empty squares count for nobody",
            ScoreRule::WinnerTakesEmpties => "The winner gets the empty squares",
        }))
    }
}
