//! A run of learning in a few lines of plain text, for people.

use super::check::Check;
use super::run::Learned;
use crate::arena::matches::{Statistics, describe};
use crate::base::shown::Shown;
use std::fmt::Write;
use std::path::Path;

/// Characters of a full bar of the curve.
const BAR: usize = 40;

/// What a person reads at the end: curve, weights, final match, speed, and what to do next.
pub(crate) fn summary(learned: &Learned, output: &Path) -> String {
    let trainer = &learned.trainer;
    let mut text = String::new();
    if !trainer.checks.is_empty() {
        text += "Learning curve: score against the initial weights (| is 50 %)\n";
        for check in &thinned(&trainer.checks) {
            let _ = writeln!(
                text,
                "  epoch {:>6}  {}  {:5.1} %  {:+6.1} discs",
                check.epoch,
                bar(check.score),
                100.0 * check.score,
                check.mean_difference
            );
        }
        text.push('\n');
    }
    text += "Learned weights, upper left quarter (a1 to d4; the rest mirrors it)\n";
    for rank in 0..4 {
        let row = &trainer.result().0[rank * 8..rank * 8 + 4];
        let cells: Vec<String> = row.iter().map(|w| format!("{w:9.1}")).collect();
        let _ = writeln!(text, " {}", cells.join(""));
    }
    if let Some(check) = &learned.check {
        let _ = writeln!(
            text,
            "\nLearned against initial weights, {} games at depth {}",
            check.games, trainer.settings.depth
        );
        text += &describe(check);
        text += verdict(check);
    }
    if learned.new_games > 0 {
        let _ = writeln!(
            text,
            "\n{} games of self-play in {:.1} s; learning took {:.1} % of the time of playing",
            learned.new_games,
            learned.playing.as_secs_f64(),
            100.0 * learned.updating.as_secs_f64() / learned.playing.as_secs_f64().max(1e-9)
        );
    }
    let file = output.join("weight_final.txt");
    let _ = writeln!(
        text,
        "\nThe weights are in {}\nPlay against them: rdg play --weights {}",
        file.shown(),
        file.shown()
    );
    text
}

fn verdict(check: &Statistics) -> &'static str {
    if check.is_better() {
        "  The learned weights are the better ones, with 95 % confidence.\n"
    } else if check.is_worse() {
        "  The initial weights are the better ones, with 95 % confidence: learn for longer.\n"
    } else {
        "  No difference is certain with 95 % confidence: learn for longer, or check more games.\n"
    }
}

/// At most 20 points, evenly spread, the last one among them.
fn thinned(checks: &[Check]) -> Vec<Check> {
    let step = checks.len().div_ceil(20).max(1);
    let mut kept: Vec<Check> = checks.iter().rev().step_by(step).copied().collect();
    kept.reverse();
    kept
}

/// A bar for a score of 0..=1, with a mark at one half.
fn bar(score: f64) -> String {
    let full = (score * BAR as f64).round() as usize;
    let cell = |i: usize| match (i < full, i == BAR / 2) {
        (true, _) => '#',
        (false, true) => '|',
        (false, false) => '.',
    };
    (0..BAR).map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_show_scores() {
        assert_eq!(bar(0.0), format!("{}|{}", ".".repeat(20), ".".repeat(19)));
        assert_eq!(bar(1.0), "#".repeat(40));
        assert_eq!(bar(0.75), "#".repeat(30) + &".".repeat(10));
    }

    #[test]
    fn long_curves_are_thinned_and_keep_their_end() {
        let check = |epoch| Check {
            epoch,
            games: 2,
            wins: 1,
            draws: 0,
            losses: 1,
            score: 0.5,
            mean_difference: 0.0,
        };
        let checks: Vec<Check> = (1..=1000).map(check).collect();
        let kept = thinned(&checks);
        assert_eq!(kept.len(), 20);
        assert_eq!(kept.last().map(|c| c.epoch), Some(1000));
        assert_eq!(thinned(&checks[..3]).len(), 3);
    }
}
