//! Appends games so that nothing that was synced can be harmed.

use super::block::MAGIC;
use super::error::GamesError;
use super::file::{GamesFile, Item, check_header};
use super::game::Ending;
use super::layout::GamesDir;
use super::state::{EndingCounts, GamesState};
use crate::dataset::DatasetError;
use crate::dataset::durable::{DataFile, Part, folders_above};
use crate::dataset::files::{check_own_folder, create_new, open_own, sync_folder};
use crate::dataset::json::json_text;
use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::sync::Arc;

/// Bytes held back.
const BUFFER: usize = 1 << 16;

/// The open games file of one campaign, with the state that its checkpoint will hold.
///
/// An append that fails may be repeated: bytes go to known places in the file. What is not
/// [synced](GamesWriter::sync) is lost when the writer is dropped, as it is when the process is
/// killed.
#[derive(Debug)]
pub struct GamesWriter {
    dir: GamesDir,
    path: PathBuf,
    file: Arc<DataFile>,
    state: GamesState,
    /// Bytes that are in the file.
    length: u64,
    /// Bytes to follow.
    buffer: Vec<u8>,
    /// No checkpoint on disk is known to count all that was appended.
    dirty: bool,
    /// The file's name need not be on disk yet.
    name_is_new: bool,
}

impl GamesWriter {
    /// Begins a file. The checkpoint comes first: whatever moment the run is killed at, what is
    /// there can be continued. A file that its checkpoint counts nothing of is replaced.
    pub fn create(dir: GamesDir, mut state: GamesState) -> Result<GamesWriter, GamesError> {
        check_own_folder(dir.path())?;
        fs::create_dir_all(dir.path()).map_err(DatasetError::io("create", dir.path()))?;
        let path = dir.games();
        (state.games, state.next_game, state.bytes) = (0, state.first_game, MAGIC.len() as u64);
        state.endings = Default::default();
        state.write(&dir)?;
        match fs::remove_file(&path) {
            Err(e) if e.kind() != ErrorKind::NotFound => {
                return Err(DatasetError::io("remove", &path)(e).into());
            }
            _ => {}
        }
        let file = DataFile::new(path.clone(), create_new(&path)?, true);
        let mut writer = GamesWriter {
            dir,
            path,
            file: Arc::new(file),
            state,
            length: 0,
            buffer: MAGIC.to_vec(),
            dirty: true,
            name_is_new: true,
        };
        writer.flush()?;
        Ok(writer)
    }

    /// Goes on behind the games that `state` counts; cuts what lies behind them. A state that
    /// counts none begins anew.
    ///
    /// # Errors
    /// A file that is shorter or no games file; it has not been changed then.
    pub fn continue_at(dir: GamesDir, state: GamesState) -> Result<GamesWriter, GamesError> {
        if state.games == 0 {
            return GamesWriter::create(dir, state);
        }
        check_own_folder(dir.path())?;
        let path = dir.games();
        let file = open_own(&path)?;
        check_header(&file, &path)?;
        let found = file
            .metadata()
            .map_err(DatasetError::io("read", &path))?
            .len();
        if found < state.bytes {
            return Err(GamesError::TooShort {
                path,
                found,
                expected: state.bytes,
            });
        }
        let file = DataFile::new(path.clone(), file, false);
        let dirty = file.cut(state.bytes)?;
        Ok(GamesWriter {
            dir,
            path,
            file: Arc::new(file),
            length: state.bytes,
            state,
            buffer: Vec::new(),
            dirty,
            name_is_new: false,
        })
    }

    /// What the next checkpoint will hold.
    pub fn state(&self) -> &GamesState {
        &self.state
    }

    /// Whether something was appended that no checkpoint counts.
    pub fn is_dirty(&self) -> bool {
        self.dirty
    }

    /// Where it is.
    pub fn dir(&self) -> &GamesDir {
        &self.dir
    }

    /// Tells that games from here on need not follow from the seed, if they do not.
    pub fn note_reproducible(&mut self, reproducible: bool) {
        self.state.reproducible &= reproducible;
    }

    /// Number of the next game that the file takes.
    pub fn next_game(&self) -> u64 {
        self.state.next_game
    }

    /// Adds game number [`GamesWriter::next_game`], as its block. After an error it has not been
    /// added; free space and try again.
    #[inline]
    pub fn append(&mut self, block: &[u8], ending: Ending) -> Result<(), GamesError> {
        debug_assert_eq!(super::block::number_of(block), self.state.next_game);
        if self.buffer.len() >= BUFFER {
            self.flush()?;
        }
        self.dirty = true;
        self.buffer.extend_from_slice(block);
        self.state.bytes += block.len() as u64;
        self.state.games += 1;
        self.state.next_game += self.state.step;
        self.state.endings.count(ending);
        Ok(())
    }

    /// Puts everything appended so far on disk, then the checkpoint that counts it. After it, and
    /// only after it, the state of a phase may count these games.
    ///
    /// Once the system has failed to sync, it is unknown what is on disk: every further sync fails,
    /// and the way on is to open the file again at the last checkpoint.
    pub fn sync(&mut self) -> Result<(), GamesError> {
        if !self.dirty {
            return Ok(());
        }
        self.flush()?;
        self.file.sync()?;
        for folder in self.new_names() {
            sync_folder(&folder)?;
        }
        self.state.write(&self.dir)?;
        (self.dirty, self.name_is_new) = (false, false);
        Ok(())
    }

    /// The same in two steps, for [`save`](crate::dataset::durable::save): this is what is to be
    /// saved, and [`GamesWriter::saved`] is to be told the result. What is appended meanwhile is of
    /// the next checkpoint.
    pub(crate) fn part(&mut self) -> Result<Part, GamesError> {
        self.flush()?;
        let path = self.dir.state();
        let part = Part {
            folder: self.dir.path().to_owned(),
            data: vec![Arc::clone(&self.file)],
            json: vec![(path.clone(), json_text(&path, &self.state)?)],
            names: self.new_names(),
        };
        self.dirty = false;
        Ok(part)
    }

    /// Whether the last [part](GamesWriter::part) is on disk.
    pub(crate) fn saved(&mut self, lasts: bool) {
        self.dirty |= !lasts;
        self.name_is_new &= !lasts;
    }

    /// The folder of the file, the one that holds its name, and the one that holds the output's,
    /// while they may be missing on disk.
    fn new_names(&self) -> Vec<PathBuf> {
        let folder = self.dir.path();
        match self.name_is_new {
            true => std::iter::once(folder.to_owned())
                .chain(folders_above(folder))
                .collect(),
            false => Vec::new(),
        }
    }

    /// The numbers of the games that were given up.
    pub fn given_up(&self) -> Result<Vec<u64>, GamesError> {
        if self.state.endings.given_up == 0 {
            return Ok(Vec::new());
        }
        let mut numbers = Vec::new();
        for item in GamesFile::open_counted(&self.dir, &self.state)?.items() {
            if let Item::Game(_, game) = item?
                && game.ending == Ending::GivenUp
            {
                numbers.push(game.number);
            }
        }
        Ok(numbers)
    }

    /// Puts other blocks in the place of games that are there, by their numbers; everything is to be
    /// synced before. The file is written anew beside its place. An end between the new file and
    /// its checkpoint does no harm: the number of games is the same, and tells where they end.
    pub fn replace(&mut self, blocks: &BTreeMap<u64, (Vec<u8>, Ending)>) -> Result<(), GamesError> {
        let mut bytes = MAGIC.to_vec();
        let mut endings = EndingCounts::default();
        let beside = self.path.with_file_name(".games.rdg.tmp");
        let write = |source| DatasetError::io("write", &beside)(source);
        match fs::remove_file(&beside) {
            Err(e) if e.kind() != ErrorKind::NotFound => {
                return Err(DatasetError::io("remove", &beside)(e).into());
            }
            _ => {}
        }
        let mut file = create_new(&beside)?;
        let mut length = 0;
        let mut games = GamesFile::open_counted(&self.dir, &self.state)?;
        while let Some(batch) = games.next_batch()? {
            for at in 0..batch.len() {
                let (Some(block), Some(Item::Game(_, game))) = (batch.block(at), batch.item(at))
                else {
                    continue;
                };
                let (block, ending) = match blocks.get(&game.number) {
                    Some((block, ending)) => (block.as_slice(), *ending),
                    None => (block, game.ending),
                };
                bytes.extend_from_slice(block);
                endings.count(ending);
            }
            length += bytes.len() as u64;
            file.write_all(&bytes).map_err(write)?;
            bytes.clear();
        }
        file.sync_all().map_err(DatasetError::io("sync", &beside))?;
        drop(file);
        fs::rename(&beside, &self.path).map_err(DatasetError::io("replace", &self.path))?;
        sync_folder(self.dir.path())?;
        let file = DataFile::new(self.path.clone(), open_own(&self.path)?, false);
        self.file = Arc::new(file);
        (self.length, self.state.bytes, self.state.endings) = (length, length, endings);
        self.state.write(&self.dir)
    }

    fn flush(&mut self) -> Result<(), GamesError> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        self.file.write_at(&self.buffer, self.length)?;
        self.length += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::block::encode;
    use super::super::game::KeptGame;
    use super::super::state::GAMES_STATE_SCHEMA;
    use super::*;
    use crate::board::Game;
    use crate::dataset::metadata::{DataMode, Generation};
    use std::path::Path;

    fn state(first_game: u64, step: u64) -> GamesState {
        GamesState {
            schema: GAMES_STATE_SCHEMA.to_owned(),
            mode: DataMode::Normal,
            generation: Generation::Phase,
            anchor: 10,
            seed: 1,
            settings: Default::default(),
            first_game,
            step,
            next_game: first_game,
            games: 0,
            bytes: 0,
            reproducible: true,
            endings: EndingCounts::default(),
        }
    }

    fn add(writer: &mut GamesWriter, games: u64) {
        for _ in 0..games {
            let number = writer.next_game();
            let game = match number % 3 {
                0 => KeptGame::given_up(number),
                _ => {
                    let game = Game::from_move_text("e6f4e3f6g5d6e7f5c5").unwrap();
                    KeptGame::of_moves(number, Ending::Finished, &game)
                }
            };
            let mut block = Vec::new();
            encode(&game, &mut block);
            writer.append(&block, game.ending).unwrap();
        }
    }

    fn numbers(path: &Path) -> Vec<u64> {
        let items = GamesFile::open(path).unwrap().items();
        items
            .map(|item| match item.unwrap() {
                Item::Game(_, game) => game.number,
                Item::Damage(damage) => panic!("{damage:?}"),
            })
            .collect()
    }

    #[test]
    fn bytes_do_not_tell_where_a_run_was_interrupted() {
        let out = tempfile::tempdir().unwrap();
        let whole = GamesDir::new(&out.path().join("whole"), 10);
        let mut writer = GamesWriter::create(whole.clone(), state(0, 1)).unwrap();
        add(&mut writer, 3000);
        writer.sync().unwrap();
        let pieces = GamesDir::new(&out.path().join("pieces"), 10);
        let mut writer = GamesWriter::create(pieces.clone(), state(0, 1)).unwrap();
        for games in [0, 1, 700, 2, 1297, 1000] {
            add(&mut writer, games);
            writer.sync().unwrap();
            // What no checkpoint counts is lost, whether it reached the file or not.
            add(&mut writer, 1500);
            drop(writer);
            let state = GamesState::read(&pieces).unwrap();
            writer = GamesWriter::continue_at(pieces.clone(), state).unwrap();
        }
        writer.sync().unwrap();
        let read = |dir: &GamesDir| {
            (
                fs::read(dir.games()).unwrap(),
                fs::read(dir.state()).unwrap(),
            )
        };
        assert!(read(&whole) == read(&pieces));
        assert_eq!(numbers(&whole.games()), (0..3000).collect::<Vec<u64>>());
        let state = GamesState::read(&whole).unwrap();
        assert_eq!((state.games, state.next_game), (3000, 3000));
        assert_eq!(
            (state.endings.given_up, state.endings.finished),
            (1000, 2000)
        );
    }

    #[test]
    fn a_shard_takes_every_nth_number() {
        let out = tempfile::tempdir().unwrap();
        let dir = GamesDir::new(out.path(), 10);
        let mut writer = GamesWriter::create(dir.clone(), state(2, 5)).unwrap();
        add(&mut writer, 4);
        writer.sync().unwrap();
        assert_eq!(numbers(&dir.games()), [2, 7, 12, 17]);
        assert_eq!(GamesState::read(&dir).unwrap().next_game, 22);
    }

    #[test]
    fn games_that_were_given_up_are_replaced() {
        let out = tempfile::tempdir().unwrap();
        let dir = GamesDir::new(out.path(), 10);
        let mut writer = GamesWriter::create(dir.clone(), state(0, 1)).unwrap();
        add(&mut writer, 7);
        writer.sync().unwrap();
        assert_eq!(writer.given_up().unwrap(), [0, 3, 6]);
        let before = GamesState::read(&dir).unwrap();
        let game = Game::from_move_text("e6f4e3f6g5d6e7f5c5").unwrap();
        let game = KeptGame::of_moves(3, Ending::Finished, &game);
        let mut block = Vec::new();
        encode(&game, &mut block);
        let blocks = BTreeMap::from([(3, (block, game.ending))]);
        writer.replace(&blocks).unwrap();
        add(&mut writer, 2);
        writer.sync().unwrap();
        assert_eq!(writer.given_up().unwrap(), [0, 6]);
        assert_eq!(numbers(&dir.games()), (0..9).collect::<Vec<u64>>());
        // Killed between the new file and its checkpoint.
        before.write(&dir).unwrap();
        let (part, fault) = super::super::check::sound_part(&dir, &before).unwrap();
        assert!(fault.is_none() && part.games == 7 && part.endings.given_up == 2);
    }

    #[test]
    fn what_cannot_be_continued_is_refused_unchanged() {
        let out = tempfile::tempdir().unwrap();
        let dir = GamesDir::new(out.path(), 10);
        let mut writer = GamesWriter::create(dir.clone(), state(0, 1)).unwrap();
        add(&mut writer, 9);
        writer.sync().unwrap();
        drop(writer);
        let good = GamesState::read(&dir).unwrap();
        let sound = fs::read(dir.games()).unwrap();
        let refusal = |bytes: &[u8]| {
            fs::write(dir.games(), bytes).unwrap();
            let error = GamesWriter::continue_at(dir.clone(), good.clone()).unwrap_err();
            assert_eq!(fs::read(dir.games()).unwrap(), bytes);
            error
        };
        let short = refusal(&sound[..sound.len() - 1]);
        assert!(matches!(short, GamesError::TooShort { .. }), "{short}");
        let mut newer = sound.clone();
        newer[8] = b'2';
        let newer = refusal(&newer);
        assert!(
            matches!(newer, GamesError::Version { found: '2', .. }),
            "{newer}"
        );
        assert!(!newer.is_corruption());
        assert!(matches!(
            refusal(b"RDGBBVAL1\n..."),
            GamesError::BadHeader { .. }
        ));

        let target = out.path().join("target");
        fs::write(&target, &sound).unwrap();
        fs::remove_file(dir.games()).unwrap();
        std::os::unix::fs::symlink(&target, dir.games()).unwrap();
        let error = GamesWriter::continue_at(dir.clone(), good.clone()).unwrap_err();
        assert!(error.to_string().contains("symbolic link"), "{error}");

        for bad in [
            GamesState {
                next_game: 10,
                ..good.clone()
            },
            GamesState {
                step: 0,
                ..good.clone()
            },
            GamesState {
                anchor: 11,
                ..good.clone()
            },
            GamesState {
                games: u64::MAX,
                step: 3,
                ..good
            },
        ] {
            bad.write(&dir).unwrap();
            assert!(GamesState::read(&dir).unwrap_err().is_corruption());
        }
    }
}
