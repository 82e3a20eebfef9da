//! What the rounds came to.

use super::settings::Settings;
use crate::arena::matches::Statistics;
use crate::base::shown::Shown;
use crate::base::text::count;
use crate::base::text_table::write_table;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// One match, seen from the new weights.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Strength {
    /// Games.
    pub games: u64,
    /// (wins + draws / 2) / games.
    pub score: f64,
    /// Its 95 % interval.
    pub score_low: Option<f64>,
    /// See [`Strength::score_low`].
    pub score_high: Option<f64>,
    /// Elo difference; absent when every game was won or lost.
    pub elo: Option<f64>,
    /// Mean final disc difference.
    pub discs: f64,
}

/// One finished round.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct RoundReport {
    /// From 1.
    pub round: u32,
    /// Positions learned from.
    pub positions: u64,
    /// Mean absolute error on positions that were not learned from, in discs.
    pub mae: Option<f64>,
    /// Against the round before.
    pub against_last: Strength,
    /// Against the beginning.
    pub against_start: Strength,
    /// Time that it took.
    pub seconds: f64,
}

/// All rounds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct BootstrapReport {
    /// `rdg_bootstrap_v1`.
    pub schema: &'static str,
    /// What they were made with.
    pub settings: Settings,
    /// In order.
    pub rounds: Vec<RoundReport>,
    /// The weights of the last round.
    pub weights: Option<PathBuf>,
}

impl From<&Statistics> for Strength {
    fn from(of: &Statistics) -> Strength {
        Strength {
            games: of.games,
            score: of.score,
            score_low: of.score_interval.low,
            score_high: of.score_interval.high,
            elo: of.elo,
            discs: of.mean_difference,
        }
    }
}

impl BootstrapReport {
    /// The table of strength by round.
    pub(crate) fn to_text(&self) -> String {
        let start = self.settings.start.name();
        let mut rows = vec![
            [
                "round",
                "positions",
                "error",
                "score against",
                "",
                "score against",
                "",
                "Elo",
                "time",
            ]
            .map(str::to_owned)
            .to_vec(),
            [
                "",
                "",
                "in discs",
                "round before",
                "95 %",
                start,
                "95 %",
                "over it",
                "",
            ]
            .map(str::to_owned)
            .to_vec(),
        ];
        for of in &self.rounds {
            let percent = |score: f64| format!("{:.1} %", 100.0 * score);
            let range = |of: &Strength| match (of.score_low, of.score_high) {
                (Some(low), Some(high)) => format!("{:.1} to {:.1}", 100.0 * low, 100.0 * high),
                _ => String::new(),
            };
            let (last, start) = (&of.against_last, &of.against_start);
            rows.push(vec![
                of.round.to_string(),
                count(of.positions),
                of.mae.map_or("-".to_owned(), |mae| format!("{mae:.2}")),
                percent(last.score),
                range(last),
                percent(start.score),
                range(start),
                start.elo.map_or("-".to_owned(), |elo| format!("{elo:+.0}")),
                crate::base::text::duration(std::time::Duration::from_secs_f64(of.seconds)),
            ]);
        }
        let mut text = Vec::new();
        // Writing into memory does not fail.
        let _ = write_table(&rows, &mut text);
        let mut text = String::from_utf8_lossy(&text).into_owned();
        if let Some(weights) = &self.weights {
            let weights = weights.shown().to_string();
            text += &format!(
                "\nweights    {weights}\ntry them   rdg match {weights}:{level} builtin:{level}\n",
                level = self.settings.match_level
            );
        }
        text
    }
}
