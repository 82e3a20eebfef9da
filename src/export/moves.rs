//! Kept games as a table: a row for each move, for those who learn from moves or scores too.

use super::error::ExportError;
use crate::board::{Board, Color, Game, Move, ScoreRule, Square};
use crate::dataset::split::Split;
use crate::games::{KeptGame, Recording, Score};
use std::path::Path;

/// A move with the position in which it was made.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct MoveRow {
    /// The position, seen from the side to move.
    pub board: Board,
    /// Who that is.
    pub side: Color,
    /// The move.
    pub square: Square,
    /// What the search said of the position, discs for the side to move.
    pub score: Option<Score>,
    /// The game's final difference for the side to move, by the rule of the data.
    pub result: i16,
    /// The split that the position would be in; `None` where no checkpoint tells.
    pub split: Option<Split>,
    /// Number of the game in its campaign.
    pub game: u64,
    /// Moves made before it, passes not counted.
    pub ply: u8,
    /// Whether a player chose it, and not chance or an opening.
    pub self_play: bool,
}

/// Appends a row for each move of a game; `recording` is what its checkpoint tells.
pub(crate) fn append_moves(
    path: &Path,
    kept: &KeptGame,
    recording: Option<&Recording>,
    rows: &mut Vec<MoveRow>,
) -> Result<(), ExportError> {
    let bad = |ply: usize, reason: String| ExportError::BadGame {
        path: path.to_owned(),
        number: kept.number,
        reason: format!("move {ply}: {reason}").into(),
    };
    let (start, color) = kept.start();
    let mut game = Game::from_position(start, color);
    let first = rows.len();
    for (ply, &square) in kept.moves.iter().enumerate() {
        game.pass_if_forced();
        rows.push(MoveRow {
            board: game.board(),
            side: game.color(),
            square,
            score: kept.score(ply),
            result: 0,
            split: None,
            game: kept.number,
            ply: ply.min(usize::from(u8::MAX)) as u8,
            self_play: ply >= usize::from(kept.random_moves),
        });
        game.play(Move::Play(square))
            .map_err(|error| bad(ply, error.to_string()))?;
    }
    let rows = rows.get_mut(first..).unwrap_or_default();
    let black = game.black_score(recording.map_or(ScoreRule::Plain, |known| known.score_rule));
    let anchor = rows
        .get(usize::from(kept.random_moves))
        .map_or(game.board(), |row| row.board);
    for row in rows {
        row.result = match row.side {
            Color::Black => black,
            Color::White => -black,
        };
        row.split = recording.map(|known| known.split_of(anchor, row.board));
    }
    Ok(())
}
