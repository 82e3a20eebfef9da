//! The games of a match in a file, in their order, whichever was finished first.

use super::run::Finished;
use crate::arena::save::{SaveError, SaveFile};
use crate::board::Game;
use crate::records::WrittenGame;
use std::collections::BTreeMap;

/// Writes the games of a match.
pub(crate) struct GameKeeper {
    file: SaveFile,
    /// First and second player.
    names: [String; 2],
    /// The pair that is to be written next.
    next: u64,
    /// Pairs that were finished before it.
    waiting: BTreeMap<u64, [Game; 2]>,
    /// Writing failed: nothing more is written.
    failed: Option<SaveError>,
}

impl GameKeeper {
    /// Adds to `file` the games of these two players.
    pub(crate) fn new(file: SaveFile, names: [String; 2]) -> GameKeeper {
        GameKeeper {
            file,
            names,
            next: 0,
            waiting: BTreeMap::new(),
            failed: None,
        }
    }

    /// Takes a finished pair, and writes all games up to the first that is missing.
    pub(crate) fn take(&mut self, finished: &Finished) {
        self.waiting.insert(finished.number, finished.games.clone());
        while let Some(games) = self.waiting.remove(&self.next) {
            self.write(&games);
            self.next += 1;
        }
    }

    /// Writes what is still waiting, and waits until the disk has everything.
    pub(crate) fn finish(mut self) -> Result<(), SaveError> {
        for games in std::mem::take(&mut self.waiting).into_values() {
            self.write(&games);
        }
        match self.failed {
            Some(error) => Err(error),
            None => self.file.sync(),
        }
    }

    fn write(&mut self, [as_black, as_white]: &[Game; 2]) {
        let [first, second] = &self.names;
        let written = |game, black, white| WrittenGame { game, black, white };
        let games = [
            written(as_black, first.as_str(), second.as_str()),
            written(as_white, second, first),
        ];
        if self.failed.is_none() {
            self.failed = self.file.append(&games).err();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::statistics::Pair;
    use super::*;

    #[test]
    fn games_are_written_in_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let file = SaveFile::open(&path, &Game::new()).unwrap();
        let mut keeper = GameKeeper::new(file, ["A level 1".to_owned(), "B".to_owned()]);
        let firsts = ["f5", "d3", "c4", "e6"];
        for number in [2, 0, 3, 1] {
            let game = Game::from_move_text(firsts[number]).unwrap();
            keeper.take(&Finished {
                count: 0,
                number: number as u64,
                pair: Pair([0, 0]),
                games: [game.clone(), game],
            });
        }
        keeper.finish().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let moves: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("1. "))
            .collect();
        let expected: Vec<String> = firsts
            .iter()
            .flat_map(|m| [format!("{m} *"), format!("{m} *")])
            .collect();
        assert_eq!(moves, expected);
        let black: Vec<&str> = text
            .lines()
            .filter(|line| line.starts_with("[Black "))
            .take(2)
            .collect();
        assert_eq!(black, ["[Black \"A level 1\"]", "[Black \"B\"]"]);
    }
}
