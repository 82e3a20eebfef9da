//! One kept game.

use crate::board::{Board, Color, Game, IllegalMove, Move, Square};

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ending {
    /// Played to the end.
    Finished,
    /// Over before its random part was.
    EndedEarly,
    /// Thrown away: too one-sided where its random part ended.
    Unbalanced,
    /// The engine failed too often; no move of it is known.
    GivenUp,
}

impl Ending {
    /// All, in the order of their numbers in the file.
    pub const ALL: [Ending; 4] = [
        Ending::Finished,
        Ending::EndedEarly,
        Ending::Unbalanced,
        Ending::GivenUp,
    ];

    /// Its number in the file.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// In words.
    pub const fn name(self) -> &'static str {
        match self {
            Ending::Finished => "finished",
            Ending::EndedEarly => "ended early",
            Ending::Unbalanced => "unbalanced",
            Ending::GivenUp => "given up",
        }
    }
}

/// What an engine's search said of the position in which it was to move, for the side to move, in
/// hundredths of a disc.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Score(i16);

impl Score {
    /// Scores beyond are stored as this many hundredths of a disc.
    pub const MAX: i16 = 32_000;

    /// Cut towards zero to hundredths, which keeps [`Score::value`] equal to the rounded `discs`.
    /// NaN, which no engine tells, is 0.
    pub fn from_discs(discs: f64) -> Score {
        if discs.is_nan() {
            return Score(0);
        }
        let limit = f64::from(Score::MAX);
        // What is a whole number of hundredths stays that number, although most of these are not
        // exact in binary.
        let hundredths = (discs.abs() * 100.0 + 1e-6).floor().min(limit) as i16;
        let rounded = discs.abs().round().min(limit / 100.0) as i16;
        let fits = (hundredths + 50) / 100 <= rounded;
        let hundredths = if fits { hundredths } else { hundredths - 1 };
        Score(if discs < 0.0 { -hundredths } else { hundredths })
    }

    /// From hundredths of a disc; `None` beyond ±[`Score::MAX`].
    pub fn from_hundredths(hundredths: i16) -> Option<Score> {
        (-Score::MAX..=Score::MAX)
            .contains(&hundredths)
            .then_some(Score(hundredths))
    }

    /// Hundredths of a disc.
    pub const fn hundredths(self) -> i16 {
        self.0
    }

    /// Discs.
    pub fn discs(self) -> f64 {
        f64::from(self.0) / 100.0
    }

    /// Whole discs, rounded half away from zero, within what a board allows: what a record holds
    /// where scores are its labels.
    pub const fn value(self) -> i16 {
        let away = if self.0 < 0 { -50 } else { 50 };
        let value = (self.0 + away) / 100;
        if value > 64 {
            64
        } else if value < -64 {
            -64
        } else {
            value
        }
    }
}

/// A game as it is kept. Passes are not among its moves: they are forced, and follow from the rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptGame {
    /// Its number in the campaign.
    pub number: u64,
    /// How it ended.
    pub ending: Ending,
    /// Where it began, the side to move first, and who that was; `None`: the start position.
    pub start: Option<(Board, Color)>,
    /// Discs placed, in order.
    pub moves: Vec<Square>,
    /// Moves of the random part, the opening's among them; self-play begins behind them.
    pub random_moves: u8,
    /// Of these, moves that the playout's engine chose.
    pub engine_moves: u8,
    /// Of these, moves that a line of an openings file gave: the first ones.
    pub opening_moves: u8,
    /// One for each move of self-play, or nothing where no score was told.
    pub scores: Vec<Option<Score>>,
}

impl KeptGame {
    /// A game of which nothing is known but that it was given up.
    pub fn given_up(number: u64) -> KeptGame {
        KeptGame {
            number,
            ending: Ending::GivenUp,
            start: None,
            moves: Vec::new(),
            random_moves: 0,
            engine_moves: 0,
            opening_moves: 0,
            scores: Vec::new(),
        }
    }

    /// The moves of `game`, passes left out, with nothing said of where they came from.
    pub fn of_moves(number: u64, ending: Ending, game: &Game) -> KeptGame {
        let start = game.start();
        let placed = |mv: &Move| match mv {
            Move::Play(square) => Some(*square),
            Move::Pass => None,
        };
        KeptGame {
            start: (start != (Board::START, Color::Black)).then_some(start),
            moves: game.moves().iter().filter_map(placed).collect(),
            ending,
            ..KeptGame::given_up(number)
        }
    }

    /// Where it begins.
    pub fn start(&self) -> (Board, Color) {
        self.start.unwrap_or((Board::START, Color::Black))
    }

    /// What was told of the position in which move number `ply` (from 0) was made.
    pub fn score(&self, ply: usize) -> Option<Score> {
        let at = ply.checked_sub(usize::from(self.random_moves))?;
        self.scores.get(at).copied().flatten()
    }

    /// The game played by the rules, forced passes made where they arise.
    ///
    /// # Errors
    /// The number of the move (from 0, passes not counted) that the rules forbid.
    pub fn replay(&self) -> Result<Game, (usize, IllegalMove)> {
        let (board, color) = self.start();
        let mut game = Game::from_position(board, color);
        for (ply, &square) in self.moves.iter().enumerate() {
            game.pass_if_forced();
            game.play(Move::Play(square))
                .map_err(|error| (ply, error))?;
        }
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn hundredths_of_a_disc_go_round() {
        for hundredths in -Score::MAX..=Score::MAX {
            let score = Score::from_discs(f64::from(hundredths) / 100.0);
            assert_eq!(score.hundredths(), hundredths);
            assert_eq!(Score::from_hundredths(hundredths), Some(score));
        }
        assert_eq!(Score::from_hundredths(i16::MIN), None);
        assert_eq!(Score::from_discs(f64::NAN).hundredths(), 0);
        assert_eq!(Score::from_discs(1e300).value(), 64);
    }

    #[test]
    fn values_are_rounded_once_half_away_from_zero() {
        for (discs, value) in [
            (0.5, 1),
            (-0.5, -1),
            (0.499_999_999_9, 0),
            (2.499_6, 2),
            (-2.5, -3),
            (-0.49, 0),
            (63.7, 64),
            (70.0, 64),
            (-1000.0, -64),
        ] {
            assert_eq!(Score::from_discs(discs).value(), value, "{discs}");
        }
    }

    proptest! {
        #[test]
        fn storing_changes_no_value(discs in -64.0..64.0) {
            prop_assert_eq!(Score::from_discs(discs).value(), discs.round() as i16);
        }
    }
}
