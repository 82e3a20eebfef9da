//! Whether an engine tells what `[label] value = "score"` records.

use crate::base::stop::Stop;
use crate::board::{Game, ScoreRule};
use crate::config::{DatasetConfig, EngineSpec, LabelValue};
use crate::engine::launch::{launch, scoring};
use crate::engine::{EngineError, Scoring};

/// No position is worth more discs.
const MOST: f64 = 64.0;

/// A score that can be recorded.
pub(crate) fn sound(score: Option<f64>) -> Option<f64> {
    score.filter(|score| score.abs() <= MOST)
}

/// What is wrong with the configuration, before any engine is started.
///
/// # Errors
/// One sentence with what to do.
pub(crate) fn check(config: &DatasetConfig, spec: &EngineSpec) -> Result<(), String> {
    if config.label != LabelValue::Score {
        return Ok(());
    }
    match scoring(spec) {
        Scoring::None => Err(without_scores(spec)),
        Scoring::AsAsked => Ok(()),
        Scoring::WinnerTakesEmpties | Scoring::PerhapsWinnerTakesEmpties
            if config.score_rule == ScoreRule::WinnerTakesEmpties =>
        {
            Ok(())
        }
        Scoring::WinnerTakesEmpties | Scoring::PerhapsWinnerTakesEmpties => Err(format!(
            "`label.value` is \"score\", and engine `{}` counts the empty squares for the winner: set \
             score_rule = \"winner_takes_empties\", or label.value = \"result\"",
            spec.entry.name
        )),
    }
}

/// Starts the engine and asks it for a move whose score can be recorded.
///
/// # Errors
/// [`ScoreError::Silent`] where it tells none; what happens to its process.
pub(crate) fn probe(
    config: &DatasetConfig,
    spec: &EngineSpec,
    stop: &Stop,
) -> Result<(), ScoreError> {
    if config.label != LabelValue::Score {
        return Ok(());
    }
    let mut engine = launch(spec, stop)?;
    engine.new_game()?;
    let (_, score) = engine.choose_with_score(&opening())?;
    engine.end_game()?;
    match sound(score) {
        Some(_) => Ok(()),
        None => Err(ScoreError::Silent(without_scores(spec))),
    }
}

/// Why scores of an engine cannot be recorded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ScoreError {
    /// It tells none.
    #[error("{0}")]
    Silent(String),
    /// It does not even play.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

fn without_scores(spec: &EngineSpec) -> String {
    let level = match spec.told_level() {
        Some(level) => format!(" at level {level}"),
        None => String::new(),
    };
    format!(
        "`label.value` is \"score\", but engine `{}` (kind `{}`){level} tells no score with its moves; \
         set label.value = \"result\", or play with the embedded engine, Edax or Egaroucid's console \
         at level 1 or more, or an NBoard engine that answers `=== move/score`",
        spec.entry.name,
        spec.entry.kind.name()
    )
}

/// A position with several moves that no engine knows by heart.
fn opening() -> Game {
    Game::from_move_text("f5d6c4g5f6d3").expect("a legal game, as the test below replays it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_position_of_the_probe_leaves_a_choice() {
        assert!(opening().board().legal_moves().count_ones() > 1);
    }

    #[test]
    fn impossible_scores_are_none() {
        for score in [f64::NAN, f64::INFINITY, -1e9, 64.5] {
            assert_eq!(sound(Some(score)), None, "{score}");
        }
        assert_eq!(sound(Some(-64.0)), Some(-64.0));
        assert_eq!(sound(None), None);
    }
}
