//! The moves at the table, back and forth. Knows who moved as colours alone.

use crate::board::{Color, Game, IllegalMove, Move};

/// A game whose moves can be taken back and played again, but not beyond the position with which
/// it began.
#[derive(Clone, Debug)]
pub(super) struct History {
    start: Game,
    game: Game,
    /// What was taken back, the last one first to be played again.
    undone: Vec<Vec<Move>>,
}

impl History {
    /// A game that goes on from `start`, whose moves stay.
    pub(super) fn new(start: Game) -> History {
        History {
            game: start.clone(),
            start,
            undone: Vec::new(),
        }
    }

    /// The game now.
    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    /// Whether nobody has moved yet at this table.
    pub(super) fn is_fresh(&self) -> bool {
        self.game.moves().len() == self.start.moves().len()
    }

    /// Plays a move. What was taken back before is gone.
    pub(super) fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.game.play(mv)?;
        self.undone.clear();
        Ok(())
    }

    /// Plays the pass if there is no choice; says whether it did.
    pub(super) fn pass_if_forced(&mut self) -> bool {
        self.game.pass_if_forced()
    }

    /// Goes back to the position in which one of the sides that `is_person` last chose a move.
    /// Gives the moves taken back; none where there is no such move.
    pub(super) fn undo(&mut self, is_person: impl Fn(Color) -> bool) -> &[Move] {
        let first = self.start.moves().len();
        let mut color = self.game.start().1;
        let mut target = None;
        for (at, mv) in self.game.moves().iter().enumerate() {
            if at >= first && *mv != Move::Pass && is_person(color) {
                target = Some(at);
            }
            color = color.other();
        }
        let Some(target) = target else {
            return &[];
        };
        let taken = self.game.moves()[target..].to_vec();
        for _ in &taken {
            self.game.undo();
        }
        self.undone.push(taken);
        self.undone.last().map_or(&[], Vec::as_slice)
    }

    /// Plays again what the last [`History::undo`] took back. Gives those moves; none where there
    /// are none.
    pub(super) fn redo(&mut self) -> Vec<Move> {
        let moves = self.undone.pop().unwrap_or_default();
        for &mv in &moves {
            self.game
                .play(mv)
                .expect("the moves were played from this very position before");
        }
        moves
    }

    /// Begins again.
    pub(super) fn restart(&mut self) {
        self.game = self.start.clone();
        self.undone.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(text: &str) -> History {
        let mut history = History::new(Game::new());
        for &mv in Game::from_move_text(text).unwrap().moves() {
            history.play(mv).unwrap();
        }
        history
    }

    #[test]
    fn a_person_gets_the_position_before_the_last_own_choice() {
        let mut history = played("f5d6c3d3c4");
        assert_eq!(history.undo(|color| color == Color::White).len(), 2);
        assert_eq!(history.game().move_text(), "f5d6c3");
        history.undo(|color| color == Color::White);
        assert_eq!(history.game().move_text(), "f5");
        assert!(history.undo(|color| color == Color::White).is_empty());
        assert_eq!(history.redo().len(), 2);
        assert_eq!(history.redo().len(), 2);
        assert!(history.redo().is_empty());
        assert_eq!(history.game().move_text(), "f5d6c3d3c4");
    }

    #[test]
    fn two_persons_go_back_move_by_move_and_a_new_move_ends_the_redoing() {
        let mut history = played("f5d6c3");
        history.undo(|_| true);
        history.undo(|_| true);
        assert_eq!(history.game().move_text(), "f5");
        history.play("f4".parse().unwrap()).unwrap();
        assert!(history.redo().is_empty());
        assert_eq!(history.game().move_text(), "f5f4");
    }

    #[test]
    fn moves_of_the_start_are_never_taken_back() {
        let mut history = History::new(Game::from_move_text("f5d6").unwrap());
        assert!(history.is_fresh());
        assert!(history.undo(|_| true).is_empty());
        history.play("c3".parse().unwrap()).unwrap();
        assert_eq!(history.undo(|_| true).len(), 1);
        assert_eq!(history.game().move_text(), "f5d6");
    }

    #[test]
    fn passes_go_back_together_with_the_move_before_them() {
        // After Black's a1 White has no move; Black's next one is c8.
        let text = format!("-OX-----{}XO------ X", "-".repeat(48));
        let (board, color) = crate::board::parse_position(&text).unwrap();
        let mut history = History::new(Game::from_position(board, color));
        history.play("a1".parse().unwrap()).unwrap();
        assert!(history.pass_if_forced());
        assert_eq!(history.undo(|color| color == Color::Black).len(), 2);
        assert_eq!(history.game().board(), board);
        assert_eq!(history.redo().len(), 2);
        assert_eq!(history.game().color(), Color::Black);
        assert!(!history.game().is_over());
    }
}
