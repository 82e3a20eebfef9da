//! Endgame positions whose values are known from other solvers.

use crate::board::{Board, Square, parse_position};

/// A position with its true value.
#[derive(Clone, PartialEq, Debug)]
pub struct KnownPosition {
    /// Its number in the collection.
    pub number: u32,
    /// Seen from the side to move.
    pub board: Board,
    /// Final score with best play; empty squares count for the winner.
    pub score: i32,
    /// Every move that reaches that score.
    pub best: Vec<Square>,
}

/// The FFO endgame positions 1 to 79, the field's yardstick for solvers.
pub fn ffo() -> Vec<KnownPosition> {
    include_str!("ffo.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(parse)
        .collect()
}

fn parse(line: &str) -> Option<KnownPosition> {
    let mut words = line.split_whitespace();
    let number = words.next()?.parse().ok()?;
    let (squares, side) = (words.next()?, words.next()?);
    let (board, _) = parse_position(&format!("{squares} {side}")).ok()?;
    Some(KnownPosition {
        number,
        board,
        score: words.next()?.parse().ok()?,
        best: words.map(|word| word.parse().ok()).collect::<Option<_>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_positions_are_read() {
        let positions = ffo();
        let numbers: Vec<u32> = positions.iter().map(|p| p.number).collect();
        assert_eq!(numbers, (1..=79).collect::<Vec<u32>>());
        for position in positions {
            assert!(!position.best.is_empty(), "{}", position.number);
            for square in position.best {
                assert!(position.board.is_legal(square), "{}", position.number);
            }
        }
    }
}
