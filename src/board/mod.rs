//! The rules of Reversi on bitboards. Knows nothing of engines, files or generation.
//!
//! A [`Board`] is seen from the side to move: `own` holds its discs, `opponent` the other side's.
//! Bit 0 is a1 (top left), bit 7 is h1, bit 63 is h8.

mod bitboard;
pub mod cpu;
pub mod enumerate;
mod flips;
mod game;
mod known_counts;
mod last_flips;
mod moves;
mod perft;
mod predecessors;
mod score;
mod square;
mod symmetry;
mod text;

pub use bitboard::{Board, CENTRE, Squares};
pub use game::{Color, Game, IllegalMove, MoveTextError};
pub use known_counts::distinct_positions;
pub use perft::perft;
pub use score::ScoreRule;
pub use square::{Move, ParseMoveError, Square};
pub use symmetry::Symmetry;
pub use text::{ParseBoardError, parse_position};
