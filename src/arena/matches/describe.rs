//! A match's figures in words.

use super::statistics::{Interval, Statistics};
use std::fmt::Write;

/// Three indented lines: games and score, mean difference, Elo difference, each with its interval.
pub(crate) fn describe(of: &Statistics) -> String {
    let mut text = String::new();
    let percent = |x: f64| format!("{:.1}", 100.0 * x);
    let signed = |x: f64| format!("{x:+.1}");
    let whole = |x: f64| format!("{x:+.0}");
    let _ = writeln!(
        text,
        "  {} won, {} drawn, {} lost: score {} %{}",
        of.wins,
        of.draws,
        of.losses,
        percent(of.score),
        range(of.score_interval, percent)
    );
    let _ = writeln!(
        text,
        "  mean difference {} discs{}",
        signed(of.mean_difference),
        range(of.difference_interval, signed)
    );
    let elo = of.elo.map_or("without bound".to_owned(), whole);
    let _ = writeln!(
        text,
        "  Elo difference {elo}{}",
        range(of.elo_interval, whole)
    );
    text
}

/// ` (95 %: low to high)`; a missing bound is called so.
fn range(interval: Interval, show: impl Fn(f64) -> String) -> String {
    match (interval.low, interval.high) {
        (Some(low), Some(high)) => format!(" (95 %: {} to {})", show(low), show(high)),
        (Some(low), None) => format!(" (95 %: above {})", show(low)),
        (None, Some(high)) => format!(" (95 %: below {})", show(high)),
        (None, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::statistics::Pair;
    use super::*;

    #[test]
    fn figures_are_readable() {
        let pairs = vec![Pair([10, -4]); 10];
        let text = describe(&Statistics::new(&pairs).unwrap());
        assert!(
            text.contains("10 won, 0 drawn, 10 lost: score 50.0 % (95 %: "),
            "{text}"
        );
        assert!(
            text.contains("mean difference +3.0 discs (95 %: +3.0 to +3.0)"),
            "{text}"
        );
        assert!(text.contains("Elo difference +0 (95 %: -"), "{text}");
        let text = describe(&Statistics::new(&[Pair([64, 64]); 100]).unwrap());
        assert!(
            text.contains("Elo difference without bound (95 %: above +"),
            "{text}"
        );
    }
}
