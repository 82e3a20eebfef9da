//! What an engine process has been told of the game being played.

use crate::board::{Board, Color, Game, Move};

/// The board as the process holds it: where it was set up, and the moves since.
#[derive(Debug, Default)]
pub(super) struct Told {
    game: Option<((Board, Color), Vec<Move>)>,
}

impl Told {
    /// Nothing is certain any more: the next question sets the position up from scratch.
    pub(super) fn forget(&mut self) {
        self.game = None;
    }

    /// The moves of `game` that the process has not seen; `None` if its board does not lie on the
    /// game's way.
    pub(super) fn news<'g>(&self, game: &'g Game) -> Option<&'g [Move]> {
        let (start, moves) = self.game.as_ref()?;
        if *start != game.start() {
            return None;
        }
        game.moves().strip_prefix(moves.as_slice())
    }

    /// The process now stands where `game` stands.
    pub(super) fn has_seen(&mut self, game: &Game) {
        let (start, moves) = self
            .game
            .get_or_insert_with(|| (game.start(), Vec::with_capacity(64)));
        *start = game.start();
        moves.clear();
        moves.extend_from_slice(game.moves());
    }

    /// The process has played this move on its own board.
    pub(super) fn has_played(&mut self, mv: Move) {
        if let Some((_, moves)) = &mut self.game {
            moves.push(mv);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_growing_game_has_news() {
        let mut told = Told::default();
        let before = Game::from_move_text("f5d6").unwrap();
        assert_eq!(told.news(&before), None);
        told.has_seen(&before);
        let longer = Game::from_move_text("f5d6c3d3").unwrap();
        assert_eq!(told.news(&before), Some(&[][..]));
        assert_eq!(told.news(&longer), Some(&longer.moves()[2..]));
        told.has_played(longer.moves()[2]);
        assert_eq!(told.news(&longer), Some(&longer.moves()[3..]));
        let other = Game::from_move_text("f5d6c4").unwrap();
        assert_eq!(told.news(&other), None, "another third move");
        assert_eq!(told.news(&before), None, "shorter");
        let elsewhere = Game::from_position(before.board(), before.color());
        assert_eq!(told.news(&elsewhere), None, "another start");
        told.forget();
        assert_eq!(told.news(&longer), None);
    }
}
