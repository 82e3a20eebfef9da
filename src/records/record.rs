//! A game as a file tells it, before the rules have seen it, and everything that can be wrong
//! with one.

use crate::base::shown::{Foreign, Shown};
use crate::board::{Board, Color, Move};

/// A game as it stands in a file: nothing of it is checked against the rules yet.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GameRecord {
    /// Where the game starts; `None` is the usual start position.
    pub start: Option<Start>,
    /// The moves in the order of the file. Passes are there only where the file writes them.
    pub moves: Vec<RecordedMove>,
    /// What the file claims as the result, Black − White, −64..=64. Never to be trusted for a
    /// game that can be counted.
    pub claim: Option<i8>,
    /// What the file gives as the value of the start position, for the side to move there: a
    /// position with its value instead of a game.
    pub value: Option<f64>,
    /// Who played, and when.
    pub facts: Facts,
}

/// What a file tells about a game beside its moves; empty and `None` where it does not.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Facts {
    /// Who played Black.
    pub black: String,
    /// Who played White.
    pub white: String,
    /// The year of the game.
    pub year: Option<u16>,
    /// Ratings of Black and White.
    pub ratings: [Option<f64>; 2],
}

impl Facts {
    fn clear(&mut self) {
        self.black.clear();
        self.white.clear();
        self.year = None;
        self.ratings = [None; 2];
    }
}

impl GameRecord {
    /// Makes it an empty game again and keeps its memory.
    pub fn clear(&mut self) {
        self.start = None;
        self.moves.clear();
        self.claim = None;
        self.value = None;
        self.facts.clear();
    }

    /// It is a position with a value, not a game.
    pub fn is_valued_position(&self) -> bool {
        self.value.is_some() && self.start.is_some() && self.moves.is_empty()
    }

    /// Appends a move whose colour the file does not tell.
    pub fn push(&mut self, mv: Move) {
        self.moves.push(RecordedMove { color: None, mv });
    }
}

/// A start position of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Start {
    /// Black discs.
    pub black: u64,
    /// White discs.
    pub white: u64,
    /// Who moves first; `None`: whoever the first move belongs to, else Black.
    pub color: Option<Color>,
}

impl Start {
    /// The usual start position.
    pub const USUAL: Start = Start {
        black: Board::START.own,
        white: Board::START.opponent,
        color: None,
    };
}

/// A move and, where the file tells it, who played it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordedMove {
    /// Who moved.
    pub color: Option<Color>,
    /// What.
    pub mv: Move,
}

/// Why a game of a file cannot be used. Move numbers count from 1 the moves as the file writes
/// them, written passes included.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// The rules forbid a move.
    #[error("illegal move {mv} at move {number}")]
    IllegalMove {
        /// What was attempted.
        mv: Move,
        /// Its number.
        number: usize,
    },
    /// Neither side could move any more.
    #[error("move {number} ({mv}) comes after the game is over")]
    AfterTheEnd {
        /// What was attempted.
        mv: Move,
        /// Its number.
        number: usize,
    },
    /// The file gives the move to the side that is not to move.
    #[error("move {number} ({mv}) is given to {color}, who is not to move")]
    WrongTurn {
        /// What was attempted.
        mv: Move,
        /// Its number.
        number: usize,
        /// Whose move the file says it is.
        color: Color,
    },
    /// A text or byte that stands for no square and no pass.
    #[error("`{text}` at move {number} is not a move")]
    NotAMove {
        /// The beginning of it, unseen characters spelled out.
        text: Foreign,
        /// The number that the move would have.
        number: usize,
    },
    /// A value that is not a number, or out of range.
    #[error("`{0}` is not a value between -64 and 64")]
    BadValue(Foreign),
    /// A value between two whole numbers.
    #[error("the value {0} is not a whole number; --round rounds such values")]
    Fraction(Foreign),
    /// A position with a value among games.
    #[error("it is a position with a value, not a game; --values as-given takes such values")]
    ValuedPosition,
    /// A game among positions with values.
    #[error("it is not a position with a value, which --values as-given asks for")]
    NoValue,
    /// A row or an object without moves or a board.
    #[error("there are no moves in it")]
    NoMoves,
    /// More than one game where one is expected.
    #[error("there are several games in one object; put each into an object of its own")]
    SeveralGames,
    /// Not JSON.
    #[error("it is not JSON: {0}")]
    BadJson(Foreign),
    /// A format that must tell the start position does not.
    #[error("the start position (BO) is missing")]
    MissingBoard,
    /// A start position that cannot be read or cannot be.
    #[error("the start position is unusable: {0}")]
    BadBoard(Foreign),
    /// Another board than 8×8.
    #[error("the board is {0}, not 8x8")]
    BoardSize(Foreign),
    /// Another game.
    #[error("the game is {0}, not Othello")]
    OtherGame(Foreign),
    /// A game of another format than the file's.
    #[error("it is {found} in a file of {file}; give each format a file of its own")]
    OtherFormat {
        /// What it is.
        found: &'static str,
        /// What the file is read as.
        file: &'static str,
    },
    /// Played for the fewest discs.
    #[error("it is an anti game, won by the fewest discs")]
    AntiGame,
    /// Discs are put on the board by hand in the middle of the game.
    #[error("discs are set up by hand after move {number}")]
    SetUpLater {
        /// Moves played before.
        number: usize,
    },
    /// The game has no end mark, or its bytes stop early.
    #[error("the game is cut off")]
    Cut,
    /// The file does not begin as its format demands.
    #[error("these bytes are not the header of a WTHOR file")]
    BadHeader,
    /// The file ends before the games that it counts.
    #[error("the file ends after {found} of {expected} games")]
    MissingGames {
        /// Complete games there.
        found: u64,
        /// Games that the header counts.
        expected: u64,
    },
    /// The file goes on after the games that it counts.
    #[error("bytes follow the last of the {expected} games that the header counts")]
    ExtraBytes {
        /// Games that the header counts.
        expected: u64,
    },
    /// Too big to be a game.
    #[error("the game is longer than {limit} bytes")]
    TooLong {
        /// The limit that it exceeds.
        limit: usize,
    },
}

impl Fault {
    /// A short name of the kind, under which such games are counted.
    pub fn reason(&self) -> &'static str {
        match self {
            Fault::IllegalMove { .. } => "illegal_move",
            Fault::AfterTheEnd { .. } => "move_after_the_end",
            Fault::WrongTurn { .. } => "wrong_turn",
            Fault::NotAMove { .. } => "not_a_move",
            Fault::BadValue(_) => "bad_value",
            Fault::Fraction(_) => "fraction",
            Fault::ValuedPosition => "valued_position",
            Fault::NoValue => "no_value",
            Fault::NoMoves => "no_moves",
            Fault::SeveralGames => "several_games",
            Fault::BadJson(_) => "bad_json",
            Fault::MissingBoard => "missing_board",
            Fault::BadBoard(_) => "bad_board",
            Fault::BoardSize(_) => "board_size",
            Fault::OtherGame(_) => "other_game",
            Fault::OtherFormat { .. } => "other_format",
            Fault::AntiGame => "anti_game",
            Fault::SetUpLater { .. } => "set_up_later",
            Fault::Cut => "cut",
            Fault::BadHeader => "bad_header",
            Fault::MissingGames { .. } => "missing_games",
            Fault::ExtraBytes { .. } => "extra_bytes",
            Fault::TooLong { .. } => "too_long",
        }
    }

    /// A piece of a file that is not a move, shortened and unseen characters spelled out.
    pub(super) fn not_a_move(piece: &[u8], number: usize) -> Fault {
        Fault::NotAMove {
            text: excerpt(piece),
            number,
        }
    }
}

/// The beginning of a piece of a file.
pub(super) fn excerpt(piece: &[u8]) -> Foreign {
    piece.shown().start(12).into()
}

/// The year of a date in any of the usual spellings, or of seconds since 1970.
pub(super) fn year(date: &[u8]) -> Option<u16> {
    const SECONDS_OF_A_YEAR: u64 = 31_556_952;
    let digits = |run: &&[u8]| matches!(run.len(), 4 | 9 | 10);
    let run = date.split(|c| !c.is_ascii_digit()).find(digits)?;
    let number: u64 = std::str::from_utf8(run).ok()?.parse().ok()?;
    let year = match run.len() {
        4 => number,
        _ => 1970 + number / SECONDS_OF_A_YEAR,
    };
    (1800..=2200).contains(&year).then_some(year as u16)
}

#[cfg(test)]
mod tests {
    use super::year;

    #[test]
    fn years_of_dates_in_every_spelling() {
        for (date, expected) in [
            ("2003.12.15_13:24:03.MST", Some(2003)),
            ("2024.01.02", Some(2024)),
            ("02.01.2024", Some(2024)),
            ("1999-12-31", Some(1999)),
            ("2003", Some(2003)),
            ("947375357", Some(2000)),
            ("1700000000", Some(2023)),
            ("????.??.??", None),
            ("9999.01.01", None),
            ("", None),
            ("12", None),
        ] {
            assert_eq!(year(date.as_bytes()), expected, "{date}");
        }
    }
}
