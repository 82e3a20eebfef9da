//! An analysis as a JSON object, for programs.

use super::Analysis;
use crate::board::Move;
use crate::dataset::metadata::score_rule_name;
use serde_json::{Value, json};

/// Name and version of the schema.
pub(crate) const SCHEMA: &str = "rdg_analysis_v2";

/// The whole analysis. Scores are final disc differences, the evaluation's shares discs, both seen
/// from the side to move; moves stand best first.
pub(crate) fn object(analysis: &Analysis) -> Value {
    let subject = &analysis.subject;
    let board = subject.board();
    let (black, white) = board.colors(subject.color());
    let moves: Vec<Value> = analysis
        .moves
        .iter()
        .map(|score| {
            json!({
                "move": score.square.to_string(),
                "score": score.score,
                "depth": score.depth,
                "exact": score.exact,
                "best": analysis.is_best(score),
                "line": score.line.iter().map(Move::to_string).collect::<Vec<_>>(),
            })
        })
        .collect();
    let evaluation = &analysis.evaluation;
    let shares: Vec<Value> = evaluation
        .shares
        .iter()
        .map(|share| {
            json!({
                "name": share.name,
                "own": share.own,
                "opponent": share.opponent,
                "discs": share.discs,
            })
        })
        .collect();
    json!({
        "schema": SCHEMA,
        "position": board.to_text(subject.color()),
        "side_to_move": subject.color().to_string().to_lowercase(),
        "discs": {
            "black": black.count_ones(),
            "white": white.count_ones(),
            "empty": board.empties(),
        },
        "must_pass": board.must_pass(),
        "game_over": board.is_game_over(),
        "recorded_value": subject.recorded_value,
        "recorded_rule": subject.recorded_rule.map(score_rule_name),
        "engine": analysis.engine,
        "moves": moves,
        "choice": analysis.choice.map(|(square, score)| json!({
            "move": square.to_string(),
            "score": score,
        })),
        "evaluation": {
            "kind": evaluation.kind,
            "stage": evaluation.stage.map(|(stage, _)| stage),
            "stages": evaluation.stage.map(|(_, stages)| stages),
            "shares": shares,
            "discs": evaluation.discs,
        },
    })
}
