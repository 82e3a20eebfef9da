//! An analysis in words, for people.

use super::Analysis;
use super::picture::{self, Look, score_text};
use crate::board::{Color, Move, ScoreRule};
use crate::engine::MoveScore;
use std::fmt::Write;

/// The board, the moves, the evaluation.
pub(crate) fn report(analysis: &Analysis, look: Look) -> String {
    let mut text = picture::board(&analysis.subject.game, &analysis.moves, look);
    text.push('\n');
    text += &situation(analysis);
    text.push('\n');
    if !analysis.moves.is_empty() {
        text += &moves(analysis);
        text.push('\n');
    }
    text += &evaluation(analysis);
    text
}

/// Whose move it is, and the disc count.
fn situation(analysis: &Analysis) -> String {
    let subject = &analysis.subject;
    let board = subject.board();
    let (black, white) = board.colors(subject.color());
    let side = named(subject.color());
    let what = if board.is_game_over() {
        let difference = subject.game.black_score(ScoreRule::WinnerTakesEmpties);
        match difference {
            0 => "The game is over: a draw".to_owned(),
            _ => {
                let winner = if difference > 0 {
                    Color::Black
                } else {
                    Color::White
                };
                format!(
                    "The game is over: {} wins by {}",
                    named(winner),
                    difference.abs()
                )
            }
        }
    } else if board.must_pass() {
        format!("{side} has no move and must pass")
    } else {
        format!("{side} to move")
    };
    let mut text = format!(
        "{what}. Discs: Black {}, White {}; {} empty.\n",
        black.count_ones(),
        white.count_ones(),
        board.empties()
    );
    if let Some(value) = subject.recorded_value {
        let _ = writeln!(
            text,
            "The record's value is {value:+} discs for the side to move, shown here as Black{}.",
            match subject.recorded_rule {
                Some(ScoreRule::Plain) => ", where empty squares count for nobody",
                Some(ScoreRule::WinnerTakesEmpties) => ", where the winner takes the empty squares",
                None => "",
            }
        );
    }
    text
}

/// `Black (X)`.
fn named(color: Color) -> &'static str {
    match color {
        Color::Black => "Black (X)",
        Color::White => "White (O)",
    }
}

fn moves(analysis: &Analysis) -> String {
    let mut text = format!(
        "Moves by {}: expected final disc difference for {}\n",
        analysis.engine,
        analysis.subject.color()
    );
    for score in &analysis.moves {
        let mark = if analysis.is_best(score) { "*" } else { " " };
        let _ = writeln!(
            text,
            " {mark} {}  {:>6}  {:<9} {}",
            score.square,
            score_text(score),
            reach(score),
            line(score)
        );
    }
    let best = analysis.moves.first().map(|best| best.score);
    if let (Some((square, score)), Some(best)) = (analysis.choice, best)
        && (score - best).abs() >= 0.05
    {
        let _ = writeln!(
            text,
            "   When it is to move it plays {square} and says {score:+.1}, as in a score label."
        );
    }
    text
}

/// `exact` or `depth 6`.
pub(crate) fn reach(score: &MoveScore) -> String {
    match score.exact {
        true => "exact".to_owned(),
        false => format!("depth {}", score.depth),
    }
}

/// The expected moves, at most eight, `--` for a pass.
fn line(score: &MoveScore) -> String {
    let words: Vec<String> = score
        .line
        .iter()
        .take(8)
        .map(|mv| match mv {
            Move::Play(square) => square.to_string(),
            Move::Pass => "--".to_owned(),
        })
        .collect();
    let more = if score.line.len() > 8 { " .." } else { "" };
    words.join(" ") + more
}

/// The static evaluation, part by part.
fn evaluation(analysis: &Analysis) -> String {
    let color = analysis.subject.color();
    let of = &analysis.evaluation;
    let by = match (of.kind, of.stage) {
        (_, Some((stage, stages))) => format!("patterns, stage {stage} of {stages}"),
        ("square_weights", _) => "square weights".to_owned(),
        _ => "terms".to_owned(),
    };
    let mut text = format!("Evaluation by {by}, without search\n");
    let _ = writeln!(
        text,
        "{:<26}{:>9}{:>9}{:>11}",
        "",
        "Black",
        "White",
        format!("for {color}")
    );
    let cell = |number: Option<f64>| number.map_or(String::new(), |n| format!("{n:.0}"));
    for share in &of.shares {
        let (black, white) = match color {
            Color::Black => (share.own, share.opponent),
            Color::White => (share.opponent, share.own),
        };
        let _ = writeln!(
            text,
            "{:<26}{:>9}{:>9}{:>+11.2}",
            share.name,
            cell(black),
            cell(white),
            share.discs + 0.0
        );
    }
    let _ = writeln!(text, "{:<44}{:>+11.2} discs", "sum", of.discs + 0.0);
    text
}
