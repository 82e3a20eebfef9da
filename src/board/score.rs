//! How a finished game is counted.

use super::Board;

/// What becomes of the squares that are empty when a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ScoreRule {
    /// Own discs − opponent's discs; empty squares count for nobody.
    #[default]
    Plain,
    /// The winner also gets the empty squares. The standard rule: endgame problems, WTHOR, and
    /// nearly all programs and trainers count like this.
    WinnerTakesEmpties,
}

impl ScoreRule {
    /// Both rules.
    pub const ALL: [ScoreRule; 2] = [ScoreRule::Plain, ScoreRule::WinnerTakesEmpties];

    /// As configurations and command lines write it.
    pub const fn name(self) -> &'static str {
        match self {
            ScoreRule::Plain => "plain",
            ScoreRule::WinnerTakesEmpties => "winner_takes_empties",
        }
    }

    /// The final score for the side to move of a game that is over.
    #[inline(always)]
    pub const fn final_score(self, board: Board) -> i32 {
        let difference = board.own.count_ones() as i32 - board.opponent.count_ones() as i32;
        self.with_empties(difference, board.empties() as i32)
    }

    /// The final score from the plain `difference` and the number of squares left empty.
    #[inline(always)]
    pub(crate) const fn with_empties(self, difference: i32, empties: i32) -> i32 {
        match self {
            ScoreRule::Plain => difference,
            ScoreRule::WinnerTakesEmpties => difference + difference.signum() * empties,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Game;

    #[test]
    fn the_rules_differ_by_the_empty_squares() {
        // Nine moves, 13 discs to none.
        let mut game = Game::from_move_text("e6f4e3f6g5d6e7f5c5").unwrap();
        assert_eq!(game.black_score(ScoreRule::Plain), 13);
        assert_eq!(game.black_score(ScoreRule::WinnerTakesEmpties), 64);
        let lost = game.board();
        assert_eq!(ScoreRule::Plain.final_score(lost), -13);
        assert_eq!(ScoreRule::WinnerTakesEmpties.final_score(lost), -64);
        game = Game::new();
        for rule in ScoreRule::ALL {
            assert_eq!(game.black_score(rule), 0, "nobody wins a draw");
        }
    }
}
