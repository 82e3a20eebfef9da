//! Reversi on an array of 64 squares, written as one would without bitboards: the yardstick that
//! the rules' speed is compared with, and a second opinion on what they allow.

/// A square's content.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Content {
    /// Nothing.
    Empty,
    /// A disc of the side to move.
    Own,
    /// A disc of the other side.
    Opponent,
}

/// A position as an array, seen from the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NaiveBoard {
    squares: [Content; 64],
}

const DIRECTIONS: [(i32, i32); 8] = [
    (1, 0),
    (-1, 0),
    (0, 1),
    (0, -1),
    (1, 1),
    (1, -1),
    (-1, 1),
    (-1, -1),
];

impl NaiveBoard {
    /// The start position.
    pub(crate) fn start() -> NaiveBoard {
        let mut squares = [Content::Empty; 64];
        squares[28] = Content::Own;
        squares[35] = Content::Own;
        squares[27] = Content::Opponent;
        squares[36] = Content::Opponent;
        NaiveBoard { squares }
    }

    /// The squares that a move on `square` turns.
    pub(crate) fn flips(&self, square: usize) -> Vec<usize> {
        let mut all = Vec::new();
        if self.squares[square] != Content::Empty {
            return all;
        }
        for (df, dr) in DIRECTIONS {
            let mut run = Vec::new();
            let (mut file, mut rank) = ((square % 8) as i32 + df, (square / 8) as i32 + dr);
            while (0..8).contains(&file) && (0..8).contains(&rank) {
                let at = (rank * 8 + file) as usize;
                match self.squares[at] {
                    Content::Opponent => run.push(at),
                    Content::Own => {
                        all.append(&mut run);
                        break;
                    }
                    Content::Empty => break,
                }
                file += df;
                rank += dr;
            }
        }
        all
    }

    /// The squares on which the side to move may play.
    pub(crate) fn legal_moves(&self) -> Vec<usize> {
        (0..64)
            .filter(|&square| !self.flips(square).is_empty())
            .collect()
    }

    /// Plays and hands over.
    pub(crate) fn play(&mut self, square: usize) {
        for flipped in self.flips(square) {
            self.squares[flipped] = Content::Own;
        }
        self.squares[square] = Content::Own;
        self.pass();
    }

    /// Hands over.
    pub(crate) fn pass(&mut self) {
        for content in &mut self.squares {
            *content = match *content {
                Content::Empty => Content::Empty,
                Content::Own => Content::Opponent,
                Content::Opponent => Content::Own,
            };
        }
    }

    /// The discs of the side to move and of the other side, as bitboards.
    pub(crate) fn to_bits(&self) -> (u64, u64) {
        let set = |wanted| {
            (0..64)
                .filter(|&square| self.squares[square] == wanted)
                .map(|square| 1u64 << square)
                .sum()
        };
        (set(Content::Own), set(Content::Opponent))
    }
}
