//! A line that an NBoard engine answers to `hint`: the score of one move.
//!
//! `search c6A4d3G6 -17 0 10`: continuation, score for the side to move, nothing (the number of
//! games where the line begins with `book`), depth, and whatever else the engine likes to say. The
//! moves of the continuation may have hyphens between them. The depth is a number of plies, or the
//! probability in per cent that a search to the end is right: `100%` is exact, `100%W` tells no
//! more than who wins.

use crate::board::Move;

/// More discs than this no evaluation expects, not even one that is not held to the board's 64.
const MAX_SCORE: f64 = 100.0;

/// What a line says.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Hint {
    /// Expected final disc difference.
    pub score: f64,
    /// Plies.
    pub depth: u32,
    /// It is said to be the true value.
    pub is_exact: bool,
    /// Expected continuation: at least the move itself.
    pub line: Vec<Move>,
}

impl Hint {
    /// Understands what follows the word `search` in a position with so many empty squares; `None`
    /// if it is nonsense.
    pub(super) fn parse(text: &str, empties: u32) -> Option<Hint> {
        let mut words = text.split_whitespace();
        let letters = words.next()?.replace('-', "");
        let line: Vec<Move> = (0..letters.len() / 2)
            .map_while(|at| letters.get(2 * at..2 * at + 2)?.parse().ok())
            .collect();
        let score: f64 = words.next()?.parse().ok()?;
        let depth = words.nth(1)?;
        let digits = depth.bytes().take_while(u8::is_ascii_digit).count();
        let number: u32 = depth[..digits].parse().ok()?;
        let is_to_the_end = depth[digits..].starts_with('%');
        (!line.is_empty() && score.abs() <= MAX_SCORE).then_some(Hint {
            // The sum turns −0 into 0.
            score: score + 0.0,
            depth: if is_to_the_end { empties } else { number },
            is_exact: depth == "100%",
            line,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(line: &[Move]) -> String {
        line.iter().map(Move::to_string).collect()
    }

    #[test]
    fn lines_of_several_engines() {
        // Edax 4.6, with and without a whole continuation.
        let hint = Hint::parse("c6A4d3G6 -17 0 10", 33).unwrap();
        assert_eq!((hint.score, hint.depth, hint.is_exact), (-17.0, 10, false));
        assert_eq!(text(&hint.line), "c6a4d3g6");
        assert_eq!(Hint::parse("f4C4e8   0 0 5", 50).unwrap().line.len(), 3);
        // As the protocol describes them.
        let hint = Hint::parse("F5-D6-C3 1.25 0 12 and more to say", 60).unwrap();
        assert_eq!((hint.score, hint.depth, hint.is_exact), (1.25, 12, false));
        assert_eq!(text(&hint.line), "f5d6c3");
        let hint = Hint::parse("h8 64 0 100%", 9).unwrap();
        assert_eq!((hint.depth, hint.is_exact), (9, true));
        let hint = Hint::parse("h8 2 0 100%W", 9).unwrap();
        assert_eq!((hint.depth, hint.is_exact), (9, false));
        assert!(!Hint::parse("h8 2 0 88%", 9).unwrap().is_exact);
    }

    #[test]
    fn nonsense() {
        for bad in [
            "",
            "c4",
            "c4 1",
            "c4 1 0",
            "c4 much 0 5",
            "c4 NaN 0 5",
            "c4 inf 0 5",
            "c4 -1e300 0 5",
            "c4 1 0 deep",
            "c4 1 0 99999999999",
            "k9 1 0 5",
            "é 1 0 5",
            "- 1 0 5",
        ] {
            assert_eq!(Hint::parse(bad, 60), None, "{bad}");
        }
    }
}
