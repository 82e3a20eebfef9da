//! A game in progress: start position, moves so far, position now.

use super::{Board, Move, ScoreRule, Square};
use crate::base::shown::Foreign;
use std::fmt;

/// The two sides. Black moves first from the start position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Color {
    /// Moves first.
    Black,
    /// Moves second.
    White,
}

impl Color {
    /// The other side.
    pub const fn other(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Color::Black => "Black",
            Color::White => "White",
        })
    }
}

/// A move that the rules forbid in this position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("illegal move {attempted}")]
pub struct IllegalMove {
    /// What was attempted.
    pub attempted: Move,
}

/// A game: where it started, every move since (passes included), and the position reached.
///
/// ```
/// use rdg::board::{Color, Game, ScoreRule};
///
/// // The shortest game there is: Black takes every disc with the ninth move.
/// let mut game = Game::from_move_text("e6f4e3f6g5d6e7f5")?;
/// assert_eq!(game.color(), Color::Black);
/// game.play(rdg::board::Move::Play("c5".parse()?))?;
/// assert!(game.is_over());
/// assert_eq!(game.black_difference(), 13);
/// assert_eq!(game.black_score(ScoreRule::WinnerTakesEmpties), 64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    start: Board,
    start_color: Color,
    moves: Vec<Move>,
    board: Board,
    color: Color,
}

impl Default for Game {
    fn default() -> Game {
        Game::new()
    }
}

impl Game {
    /// A game from the start position, Black to move.
    pub fn new() -> Game {
        Game::from_position(Board::START, Color::Black)
    }

    /// A game from any position with `color` to move.
    pub fn from_position(start: Board, color: Color) -> Game {
        Game {
            start,
            start_color: color,
            moves: Vec::with_capacity(64),
            board: start,
            color,
        }
    }

    /// The position that the moves start from.
    pub fn start(&self) -> (Board, Color) {
        (self.start, self.start_color)
    }

    /// The moves played so far, passes included.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position now, seen from the side to move.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The side to move.
    pub fn color(&self) -> Color {
        self.color
    }

    /// Neither side has a move.
    pub fn is_over(&self) -> bool {
        self.board.is_game_over()
    }

    /// Final (or present) disc difference Black − White.
    pub fn black_difference(&self) -> i16 {
        match self.color {
            Color::Black => self.board.disc_difference(),
            Color::White => -self.board.disc_difference(),
        }
    }

    /// The final score of a game that is over, Black − White.
    pub fn black_score(&self, rule: ScoreRule) -> i16 {
        let score = rule.final_score(self.board) as i16;
        match self.color {
            Color::Black => score,
            Color::White => -score,
        }
    }

    /// Plays a move; on an illegal one the game stays as it was. A pass is legal only where the
    /// side to move has no move and the other side has one.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let next = match mv {
            Move::Play(square) => self.board.play(square),
            Move::Pass => self.board.must_pass().then(|| self.board.passed()),
        };
        self.board = next.ok_or(IllegalMove { attempted: mv })?;
        self.color = self.color.other();
        self.moves.push(mv);
        Ok(())
    }

    /// Plays on `square`, whose `flipped` discs the caller has from [`Board::flips`].
    #[inline]
    pub fn play_known(&mut self, square: Square, flipped: u64) {
        self.board = self.board.after(square, flipped);
        self.color = self.color.other();
        self.moves.push(Move::Play(square));
    }

    /// Plays the pass if the side to move must pass; says whether it did.
    pub fn pass_if_forced(&mut self) -> bool {
        let forced = self.board.must_pass();
        if forced {
            self.board = self.board.passed();
            self.color = self.color.other();
            self.moves.push(Move::Pass);
        }
        forced
    }

    /// Takes the last move back; `None` at the start.
    pub fn undo(&mut self) -> Option<Move> {
        let undone = self.moves.pop()?;
        let mut replayed = Game::from_position(self.start, self.start_color);
        for &mv in &self.moves {
            // Each of these moves has been played once already.
            let _ = replayed.play(mv);
        }
        *self = replayed;
        Some(undone)
    }

    /// Replays `text` such as `f5d6c3` from the start position. Blanks are skipped, forced passes
    /// may be written (`pa`, `--` …) or left out. The error names the move and its number, from 1.
    pub fn from_move_text(text: &str) -> Result<Game, MoveTextError> {
        let mut game = Game::new();
        let compact: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
        let mut at = 0;
        while at < compact.len() {
            let number = game.moves.len() + 1;
            let take = |n: usize| -> String { compact[at..].iter().take(n).collect() };
            // The long spelling of a pass is tried first: `pass` also begins with `pa`.
            let (mv, length) = match (take(4).parse(), take(2).parse()) {
                (Ok(mv @ Move::Pass), _) => (mv, 4),
                (_, Ok(mv)) => (mv, 2),
                _ => {
                    return Err(MoveTextError {
                        text: take(2).into(),
                        number,
                    });
                }
            };
            if mv != Move::Pass {
                game.pass_if_forced();
            }
            game.play(mv).map_err(|_| MoveTextError {
                text: mv.to_string().into(),
                number,
            })?;
            at += length;
        }
        Ok(game)
    }

    /// The moves as one word, `f5d6c3…`; passes as `pa` so that each move has two letters.
    pub fn move_text(&self) -> String {
        self.moves
            .iter()
            .map(|mv| match mv {
                Move::Play(square) => square.to_string(),
                Move::Pass => "pa".to_owned(),
            })
            .collect()
    }
}

/// A move list that the rules do not allow, or that is not a move list.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("illegal move {text} at move {number}")]
pub struct MoveTextError {
    /// The offending piece.
    pub text: Foreign,
    /// Its number in the game, from 1, passes counted.
    pub number: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortest_known_game_wipes_white_out() {
        let game = Game::from_move_text("e6f4e3f6g5d6e7f5c5").unwrap();
        assert!(game.is_over());
        assert_eq!(game.moves().len(), 9);
        assert_eq!(game.black_difference(), 13);
        assert_eq!(game.board().discs(), 13);
        assert_eq!(game.move_text(), "e6f4e3f6g5d6e7f5c5");
    }

    #[test]
    fn undo_goes_back_one_move() {
        let mut game = Game::from_move_text("f5d6c3").unwrap();
        assert_eq!(game.undo(), Some(Move::Play("c3".parse().unwrap())));
        assert_eq!(game, Game::from_move_text("f5 d6").unwrap());
        assert_eq!(Game::new().undo(), None);
    }

    #[test]
    fn bad_move_lists_name_the_move() {
        let error = Game::from_move_text("f5d6a1").unwrap_err();
        assert_eq!(error.to_string(), "illegal move a1 at move 3");
        assert_eq!(Game::from_move_text("f5z").unwrap_err().number, 2);
        assert_eq!(
            Game::from_move_text("f5pa").unwrap_err().text,
            "pass".into()
        );
    }

    #[test]
    fn a_pass_is_refused_where_a_move_exists() {
        let mut game = Game::new();
        assert!(game.play(Move::Pass).is_err());
        assert_eq!(game, Game::new());
    }
}
