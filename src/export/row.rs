//! What goes through an export: one position with its value and the file that it came from.

use crate::board::Board;
use crate::dataset::split::Split;

/// One position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Row {
    /// The position, seen from the side to move.
    pub board: Board,
    /// As recorded, −64..=64.
    pub value: i16,
    /// Which of the three files it was in; `None` for files of other names.
    pub split: Option<Split>,
}

impl Row {
    /// Discs on the board − 4; 0 for boards with fewer discs, which no game has.
    #[inline]
    pub(super) fn phase(&self) -> u8 {
        self.board.occupied().count_ones().saturating_sub(4) as u8
    }

    /// The square's character as text formats write it: `X` the side to move, `O` the other, `-`.
    pub(super) fn board_text(&self) -> [u8; 64] {
        let mut text = [b'-'; 64];
        let Board { own, opponent } = self.board;
        for (index, square) in text.iter_mut().enumerate() {
            if own >> index & 1 != 0 {
                *square = b'X';
            } else if opponent >> index & 1 != 0 {
                *square = b'O';
            }
        }
        text
    }
}

/// `train`, `valid`, `test`, or `data` for positions of files with other names.
pub(super) fn split_name(split: Option<Split>) -> &'static str {
    split.map_or("data", Split::name)
}
