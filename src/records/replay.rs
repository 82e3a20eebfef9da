//! Replays a recorded game by the rules: passes that the file leaves out, games on the mirrored
//! start, and the first thing that cannot be.

use super::{Fault, GameRecord, Start};
use crate::board::{Board, CENTRE, Color, Game, IllegalMove, Move, ScoreRule, Square};

/// A position in which a disc was placed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placed {
    /// Before the move, seen from the side that moves.
    pub board: Board,
    /// Who moves.
    pub color: Color,
    /// Where.
    pub square: Square,
}

/// A game by the rules. Reused from game to game, so that none costs an allocation.
#[derive(Clone, Debug)]
pub struct Replay {
    /// Every placed disc, in order; passes leave no entry.
    pub placed: Vec<Placed>,
    /// The position after the last move, seen from the side to move.
    pub last: Board,
    /// The side to move after the last move.
    pub color: Color,
    /// The game was recorded on the mirrored start and has been turned to the usual one.
    pub mirrored: bool,
}

impl Default for Replay {
    fn default() -> Replay {
        Replay {
            placed: Vec::with_capacity(64),
            last: Board::START,
            color: Color::Black,
            mirrored: false,
        }
    }
}

impl Replay {
    /// Replays `record`. On a fault, what was replayed so far is of no use.
    ///
    /// Some programs swap the colours of the four start discs, or count rows from the other end,
    /// which comes to the same. Such a game shows itself by its start board, or, where the file
    /// tells none, by its first move: the moves that are legal on the two starts have no square
    /// in common. It is turned by mirroring the rows.
    pub fn run(&mut self, record: &GameRecord) -> Result<(), Fault> {
        let start = record.start.unwrap_or(Start::USUAL);
        start.check()?;
        let first = record.moves.first();
        self.color = start
            .color
            .or(first.and_then(|first| first.color))
            .unwrap_or(Color::Black);
        self.last = Board::from_colors(start.black, start.white, self.color);
        self.mirrored = match (record.start, first.map(|first| first.mv)) {
            (Some(start), _) => {
                (start.black, start.white) == (Start::USUAL.white, Start::USUAL.black)
            }
            (None, Some(Move::Play(square))) => {
                !self.last.is_legal(square) && self.last.is_legal(mirror_rows(square))
            }
            (None, _) => false,
        };
        if self.mirrored && record.start.is_some() {
            self.last = self.last.passed();
        }
        self.placed.clear();
        for (index, recorded) in record.moves.iter().enumerate() {
            let number = index + 1;
            match recorded.mv {
                Move::Play(square) => {
                    let placed = if self.mirrored {
                        mirror_rows(square)
                    } else {
                        square
                    };
                    self.place(placed, recorded.color)
                        .map_err(|refused| refused.fault(recorded.mv, number, recorded.color))?;
                }
                Move::Pass => self.pass(number)?,
            }
        }
        Ok(())
    }

    /// Neither side can move any more.
    pub fn is_finished(&self) -> bool {
        self.last.is_game_over()
    }

    /// Plain disc difference Black − White at the end of the record.
    pub fn black_difference(&self) -> i16 {
        self.for_black(self.last.disc_difference())
    }

    /// The final score of a finished game, Black − White.
    pub fn black_score(&self, rule: ScoreRule) -> i16 {
        self.for_black(rule.final_score(self.last) as i16)
    }

    /// The replayed game with its passes, on the usual start where it was mirrored.
    pub fn to_game(&self) -> Result<Game, IllegalMove> {
        let mut game = match self.placed.first() {
            Some(first) => Game::from_position(first.board, first.color),
            None => Game::from_position(self.last, self.color),
        };
        for placed in &self.placed {
            game.pass_if_forced();
            game.play(Move::Play(placed.square))?;
        }
        Ok(game)
    }

    fn for_black(&self, value: i16) -> i16 {
        match self.color {
            Color::Black => value,
            Color::White => -value,
        }
    }

    /// Places a disc for the side to move, after a forced pass that the file left out.
    #[inline]
    fn place(&mut self, square: Square, color: Option<Color>) -> Result<(), Refused> {
        let (mut board, mut mover) = (self.last, self.color);
        if color.is_some_and(|color| color != mover) {
            if !board.must_pass() {
                return Err(Refused::wrong_turn(board));
            }
            (board, mover) = (board.passed(), mover.other());
        }
        if board.occupied() & square.bit() != 0 {
            return Err(Refused::illegal(board));
        }
        let mut flipped = board.flips(square);
        if flipped == 0 {
            if color.is_some() || !board.must_pass() {
                return Err(Refused::illegal(board));
            }
            (board, mover) = (board.passed(), mover.other());
            flipped = board.flips(square);
            if flipped == 0 {
                return Err(Refused::illegal(board));
            }
        }
        self.placed.push(Placed {
            board,
            color: mover,
            square,
        });
        self.last = board.after(square, flipped);
        self.color = mover.other();
        Ok(())
    }

    /// A written pass. Passes written after the end of a game are common and harmless.
    fn pass(&mut self, number: usize) -> Result<(), Fault> {
        if self.last.must_pass() {
            self.last = self.last.passed();
            self.color = self.color.other();
        } else if !self.last.is_game_over() {
            return Err(Fault::IllegalMove {
                mv: Move::Pass,
                number,
            });
        }
        Ok(())
    }
}

/// Why a disc cannot be placed.
enum Refused {
    Illegal,
    WrongTurn,
    Over,
}

impl Refused {
    #[cold]
    fn illegal(board: Board) -> Refused {
        if board.is_game_over() {
            Refused::Over
        } else {
            Refused::Illegal
        }
    }

    #[cold]
    fn wrong_turn(board: Board) -> Refused {
        if board.is_game_over() {
            Refused::Over
        } else {
            Refused::WrongTurn
        }
    }

    fn fault(self, mv: Move, number: usize, color: Option<Color>) -> Fault {
        match (self, color) {
            (Refused::Over, _) => Fault::AfterTheEnd { mv, number },
            (Refused::WrongTurn, Some(color)) => Fault::WrongTurn { mv, number, color },
            _ => Fault::IllegalMove { mv, number },
        }
    }
}

impl Start {
    /// The rules that every recorded position has to keep bind the start as well.
    pub fn check(self) -> Result<(), Fault> {
        if self.black & self.white != 0 {
            return Err(Fault::BadBoard("a square holds two discs".into()));
        }
        if (self.black | self.white) & CENTRE != CENTRE {
            return Err(Fault::BadBoard("a centre square is empty".into()));
        }
        Ok(())
    }
}

/// The square in the same column, rows counted from the other end.
fn mirror_rows(square: Square) -> Square {
    Square::ALL[usize::from(square.index() ^ 56)]
}

#[cfg(test)]
mod tests {
    use super::super::RecordedMove;
    use super::*;

    fn record(text: &str) -> GameRecord {
        let mut record = GameRecord::default();
        for word in text.split_whitespace() {
            record.push(word.parse().unwrap());
        }
        record
    }

    fn replayed(record: &GameRecord) -> Result<Replay, Fault> {
        let mut replay = Replay::default();
        replay.run(record).map(|()| replay)
    }

    #[test]
    fn shortest_game_is_finished_with_its_known_score() {
        let replay = replayed(&record("e6 f4 e3 f6 g5 d6 e7 f5 c5")).unwrap();
        assert!(replay.is_finished() && !replay.mirrored);
        assert_eq!(replay.placed.len(), 9);
        assert_eq!(replay.black_difference(), 13);
        assert_eq!(replay.black_score(ScoreRule::WinnerTakesEmpties), 64);
        assert_eq!(replay.placed[0].board, Board::START);
    }

    #[test]
    fn rows_counted_from_the_other_end_give_the_same_game() {
        let usual = replayed(&record("e6 f4 e3 f6 g5 d6 e7 f5 c5")).unwrap();
        let mut mirrored = record("e3 f5 e6 f3 g4 d3 e2 f4 c4");
        let by_first_move = replayed(&mirrored).unwrap();
        mirrored.start = Some(Start {
            black: Start::USUAL.white,
            white: Start::USUAL.black,
            color: None,
        });
        let by_board = replayed(&mirrored).unwrap();
        for replay in [by_first_move, by_board] {
            assert!(replay.mirrored);
            assert_eq!(replay.placed, usual.placed);
            assert_eq!(replay.last, usual.last);
        }
    }

    #[test]
    fn faults_name_the_move_as_the_file_writes_it() {
        for (text, expected) in [
            ("f5 d6 a1", "illegal move a1 at move 3"),
            ("f5 d6 d6", "illegal move d6 at move 3"),
            ("f5 pass", "illegal move pass at move 2"),
            ("a1", "illegal move a1 at move 1"),
            // On the mirrored start, and named in the file's own coordinates.
            ("f4 d3 a8", "illegal move a8 at move 3"),
            (
                "e6 f4 e3 f6 g5 d6 e7 f5 c5 c4",
                "move 10 (c4) comes after the game is over",
            ),
        ] {
            assert_eq!(
                replayed(&record(text)).unwrap_err().to_string(),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn passes_may_be_written_left_out_or_told_by_the_colour() {
        let mut tried = 0;
        // Random legal play finds many games with a pass.
        for seed in 0u64..200 {
            let mut game = Game::new();
            let mut written = GameRecord::default();
            let mut left_out = GameRecord::default();
            let mut coloured = GameRecord::default();
            let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
            let mut passes = 0;
            while !game.is_over() {
                if game.pass_if_forced() {
                    written.push(Move::Pass);
                    passes += 1;
                }
                let legal: Vec<_> = crate::board::Squares(game.board().legal_moves()).collect();
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                let mv = Move::Play(legal[(state % legal.len() as u64) as usize]);
                coloured.moves.push(RecordedMove {
                    color: Some(game.color()),
                    mv,
                });
                written.push(mv);
                left_out.push(mv);
                game.play(mv).unwrap();
            }
            tried += usize::from(passes > 0);
            let a = replayed(&written).unwrap();
            assert!(a.is_finished());
            assert_eq!(a.black_difference(), game.black_difference());
            assert_eq!(a.to_game().unwrap(), game);
            assert_eq!(replayed(&left_out).unwrap().placed, a.placed);
            assert_eq!(replayed(&coloured).unwrap().placed, a.placed);
            written.push(Move::Pass);
            written.push(Move::Pass);
            assert_eq!(replayed(&written).unwrap().placed, a.placed);
        }
        assert!(tried > 50, "only {tried} games had a pass");
    }

    #[test]
    fn a_move_of_the_wrong_side_is_a_fault() {
        let mut record = record("f5 d6");
        record.moves[1].color = Some(Color::Black);
        assert_eq!(
            replayed(&record).unwrap_err().to_string(),
            "move 2 (d6) is given to Black, who is not to move"
        );
    }

    #[test]
    fn white_may_move_first() {
        let mut record = record("f4 d3");
        record.moves[0].color = Some(Color::White);
        let replay = replayed(&record).unwrap();
        assert!(!replay.mirrored);
        assert_eq!(replay.placed[0].color, Color::White);
        assert_eq!(replay.placed[0].board.canonical(), Board::START.canonical());
    }

    #[test]
    fn impossible_starts_are_refused() {
        for (black, white) in [(1, 1 | CENTRE), (1, 2), (0, 0)] {
            let record = GameRecord {
                start: Some(Start {
                    black,
                    white,
                    color: None,
                }),
                ..GameRecord::default()
            };
            assert!(matches!(replayed(&record), Err(Fault::BadBoard(_))));
        }
    }
}
