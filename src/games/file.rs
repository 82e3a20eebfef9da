//! Reads a games file from front to back; past damage it goes on with the next sound block.

use super::block::{MAGIC, MAX_BLOCK, decode, number_of, sound_length};
use super::error::GamesError;
use super::game::KeptGame;
use super::layout::GamesDir;
use super::state::GamesState;
use crate::dataset::DatasetError;
use crate::dataset::files::open_regular;
use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// Bytes of one read.
const CHUNK: usize = 1 << 20;

/// What stands in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// A game, with the byte at which its block begins.
    Game(u64, KeptGame),
    /// Bytes that are no block.
    Damage(Damage),
}

/// Bytes that are no block, up to the next sound one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// Where they begin.
    pub offset: u64,
    /// How many.
    pub bytes: u64,
    /// The last sound game before.
    pub after: Option<u64>,
    /// What is wrong at their beginning.
    pub reason: &'static str,
}

impl Damage {
    /// As an error of the file at `path`.
    pub fn into_error(self, path: &Path) -> GamesError {
        GamesError::Damaged {
            path: path.to_owned(),
            offset: self.offset,
            after: self.after,
            reason: self.reason.into(),
        }
    }
}

/// An open games file.
#[derive(Debug)]
pub struct GamesFile {
    path: PathBuf,
    file: File,
    /// Bytes to be read.
    end: u64,
    at: u64,
    /// The last sound game.
    last: Option<u64>,
}

/// Blocks read at once; decoding them is anybody's work.
#[derive(Debug)]
pub struct Batch {
    bytes: Vec<u8>,
    first: u64,
    blocks: Vec<Result<Range<usize>, Damage>>,
}

impl GamesFile {
    /// Opens a file and checks its header; all of it is read.
    pub fn open(path: &Path) -> Result<GamesFile, GamesError> {
        let games = GamesFile::open_whatever(path)?;
        check_header(&games.file, path)?;
        Ok(games)
    }

    /// Opens the file of a campaign and reads as many bytes as its checkpoint counts.
    pub fn open_counted(dir: &GamesDir, state: &GamesState) -> Result<GamesFile, GamesError> {
        let mut games = GamesFile::open(&dir.games())?;
        games.limit_to(state.bytes)?;
        Ok(games)
    }

    /// Opens a file whose header may be damaged; [`GamesFile::header_fault`] tells.
    pub fn open_whatever(path: &Path) -> Result<GamesFile, GamesError> {
        let file = open_regular(path)?;
        let end = file
            .metadata()
            .map_err(DatasetError::io("read", path))?
            .len();
        Ok(GamesFile {
            path: path.to_owned(),
            file,
            end,
            at: MAGIC.len() as u64,
            last: None,
        })
    }

    /// What is wrong with the first bytes.
    pub fn header_fault(&self) -> Option<GamesError> {
        check_header(&self.file, &self.path).err()
    }

    /// Reads no further than `bytes`.
    pub fn limit_to(&mut self, bytes: u64) -> Result<(), GamesError> {
        if self.end < bytes {
            return Err(GamesError::TooShort {
                path: self.path.clone(),
                found: self.end,
                expected: bytes,
            });
        }
        self.end = bytes;
        Ok(())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The blocks of the next mebibyte; `None` at the end.
    pub fn next_batch(&mut self) -> Result<Option<Batch>, GamesError> {
        let mut bytes = Vec::new();
        let mut blocks = Vec::new();
        let first = self.at;
        let mut at = 0;
        loop {
            let left = self.end.saturating_sub(first + bytes.len() as u64);
            let rest = bytes.len() - at;
            if blocks.is_empty() && rest < MAX_BLOCK && left > 0 {
                // The first read of a batch, or damage that goes on to the end of what was read.
                let read = CHUNK.min(usize::try_from(left).unwrap_or(CHUNK));
                let from = bytes.len();
                bytes.resize(from + read, 0);
                self.file
                    .read_exact_at(&mut bytes[from..], first + from as u64)
                    .map_err(DatasetError::io("read", &self.path))?;
                continue;
            }
            // A block that is cut by the end of what was read belongs to the next batch.
            if at == bytes.len() || (rest < MAX_BLOCK && left > 0) {
                break;
            }
            match self.check(&bytes[at..]) {
                Ok(length) => {
                    self.last = Some(number_of(&bytes[at..]));
                    blocks.push(Ok(at..at + length));
                    at += length;
                }
                Err(reason) => {
                    let from = at;
                    at += 1;
                    // Damage that is not past by the end of what was read goes on in the next one.
                    while at < bytes.len()
                        && (bytes.len() - at >= MAX_BLOCK || left == 0)
                        && self.check(&bytes[at..]).is_err()
                    {
                        at += 1;
                    }
                    blocks.push(Err(Damage {
                        offset: first + from as u64,
                        bytes: (at - from) as u64,
                        after: self.last,
                        reason,
                    }));
                }
            }
        }
        self.at = first + at as u64;
        if blocks.is_empty() {
            return Ok(None);
        }
        Ok(Some(Batch {
            bytes,
            first,
            blocks,
        }))
    }

    /// A block is sound only where its number goes on from the last.
    fn check(&self, bytes: &[u8]) -> Result<usize, &'static str> {
        let length = sound_length(bytes)?;
        match self.last {
            Some(last) if number_of(bytes) <= last => {
                Err("its number does not go on from the last")
            }
            _ => decode(&bytes[..length]).map(|_| length),
        }
    }

    /// One after the other.
    pub fn items(self) -> impl Iterator<Item = Result<Item, GamesError>> {
        Items {
            games: self,
            batch: None,
            next: 0,
        }
    }
}

struct Items {
    games: GamesFile,
    batch: Option<Batch>,
    next: usize,
}

impl Iterator for Items {
    type Item = Result<Item, GamesError>;

    fn next(&mut self) -> Option<Result<Item, GamesError>> {
        loop {
            if let Some(item) = self.batch.as_ref().and_then(|batch| batch.item(self.next)) {
                self.next += 1;
                return Some(Ok(item));
            }
            self.next = 0;
            match self.games.next_batch() {
                Ok(None) => return None,
                Ok(batch) => self.batch = batch,
                Err(error) => {
                    self.games.at = self.games.end;
                    self.batch = None;
                    return Some(Err(error));
                }
            }
        }
    }
}

impl Batch {
    /// Blocks and stretches of damage.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Nothing in it.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// How many bytes they are.
    pub fn bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// The bytes of block number `at`, if it is sound.
    pub fn block(&self, at: usize) -> Option<&[u8]> {
        let range = self.blocks.get(at)?.as_ref().ok()?;
        self.bytes.get(range.clone())
    }

    /// Block number `at`, decoded; `None` past the end.
    pub fn item(&self, at: usize) -> Option<Item> {
        Some(match self.blocks.get(at)? {
            Err(damage) => Item::Damage(damage.clone()),
            Ok(range) => {
                let offset = self.first + range.start as u64;
                match decode(&self.bytes[range.clone()]) {
                    Ok(game) => Item::Game(offset, game),
                    Err(reason) => Item::Damage(Damage {
                        offset,
                        bytes: range.len() as u64,
                        after: None,
                        reason,
                    }),
                }
            }
        })
    }
}

/// Checks the first bytes of a file.
pub(super) fn check_header(file: &File, path: &Path) -> Result<(), GamesError> {
    let mut header = [0; MAGIC.len()];
    match file.read_exact_at(&mut header, 0) {
        Ok(()) => {}
        Err(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => {}
        Err(e) => return Err(DatasetError::io("read", path)(e).into()),
    }
    let path = || path.to_owned();
    match header {
        header if header == *MAGIC => Ok(()),
        [
            b'R',
            b'D',
            b'G',
            b'G',
            b'A',
            b'M',
            b'E',
            b'S',
            version,
            b'\n',
        ] if version.is_ascii_alphanumeric() => Err(GamesError::Version {
            path: path(),
            found: char::from(version),
        }),
        _ => Err(GamesError::BadHeader { path: path() }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::block::encode;
    use super::super::game::{Ending, Score};
    use super::*;
    use crate::board::Game;
    use std::fs;

    fn game(number: u64) -> KeptGame {
        let game = Game::from_move_text("e6f4e3f6g5d6e7f5c5").unwrap();
        KeptGame {
            random_moves: (number % 9) as u8,
            scores: (number % 9..9)
                .map(|ply| Some(Score::from_discs((ply + number % 20) as f64)))
                .collect(),
            ..KeptGame::of_moves(number, Ending::Finished, &game)
        }
    }

    fn bytes(games: u64) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for number in 0..games {
            encode(&game(number), &mut bytes);
        }
        bytes
    }

    fn read(path: &Path) -> (Vec<u64>, Vec<Damage>) {
        let (mut numbers, mut damages) = (Vec::new(), Vec::new());
        for item in GamesFile::open_whatever(path).unwrap().items() {
            match item.unwrap() {
                Item::Game(_, found) => {
                    assert_eq!(found, game(found.number));
                    numbers.push(found.number);
                }
                Item::Damage(damage) => damages.push(damage),
            }
        }
        (numbers, damages)
    }

    #[test]
    fn more_than_one_read_goes_through_in_order() {
        let out = tempfile::tempdir().unwrap();
        let path = out.path().join("games.rdg");
        let games = 60_000;
        fs::write(&path, bytes(games)).unwrap();
        assert!(path.metadata().unwrap().len() > 2 * CHUNK as u64);
        assert_eq!(read(&path), ((0..games).collect(), Vec::new()));
    }

    /// Whatever bit is flipped, one game is lost and no more, and the place is named.
    #[test]
    fn each_flipped_bit_costs_one_game() {
        let out = tempfile::tempdir().unwrap();
        let path = out.path().join("games.rdg");
        let sound = bytes(12);
        let mut starts = vec![MAGIC.len()];
        while *starts.last().unwrap() < sound.len() {
            starts.push(starts.last().unwrap() + usize::from(sound[*starts.last().unwrap()]));
        }
        for bit in 8 * MAGIC.len()..8 * sound.len() {
            let mut changed = sound.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, changed).unwrap();
            let hit = starts.partition_point(|&start| start <= bit / 8) as u64 - 1;
            let (numbers, damages) = read(&path);
            let others: Vec<u64> = (0..12).filter(|&number| number != hit).collect();
            assert_eq!(numbers, others, "bit {bit}");
            assert_eq!(damages.len(), 1, "bit {bit}");
            assert_eq!(damages[0].offset, starts[hit as usize] as u64);
            assert_eq!(damages[0].after, hit.checked_sub(1));
        }
        for bit in 0..8 * MAGIC.len() {
            let mut changed = sound.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, changed).unwrap();
            assert!(GamesFile::open(&path).is_err(), "bit {bit}");
            assert_eq!(read(&path).0.len(), 12);
        }
    }

    #[test]
    fn long_damage_repeats_and_torn_ends() {
        let out = tempfile::tempdir().unwrap();
        let path = out.path().join("games.rdg");
        let sound = bytes(60_000);
        // Over the border of two reads.
        let mut changed = sound.clone();
        changed[CHUNK - 3000..CHUNK + 3000].fill(0xa5);
        fs::write(&path, changed).unwrap();
        let (numbers, damages) = read(&path);
        assert!(
            (59_800..59_990).contains(&numbers.len()),
            "{}",
            numbers.len()
        );
        assert!((1..=2).contains(&damages.len()), "{damages:?}");
        // A game that comes twice is not a game.
        let mut twice = bytes(3);
        twice.extend(&bytes(3)[MAGIC.len()..]);
        fs::write(&path, twice).unwrap();
        let (numbers, damages) = read(&path);
        assert_eq!((numbers.len(), damages.len()), (3, 1));
        // Cut anywhere.
        let sound = bytes(2);
        for length in MAGIC.len()..sound.len() {
            fs::write(&path, &sound[..length]).unwrap();
            let (numbers, damages) = read(&path);
            assert!(numbers.len() < 2);
            let torn = length > MAGIC.len() && length != MAGIC.len() + usize::from(sound[10]);
            assert_eq!(damages.len(), usize::from(torn), "{length}");
        }
    }

    proptest::proptest! {
        #[test]
        fn junk_never_panics(junk: Vec<u8>, has_header: bool) {
            let out = tempfile::tempdir().unwrap();
            let path = out.path().join("games.rdg");
            let mut bytes = if has_header { MAGIC.to_vec() } else { Vec::new() };
            bytes.extend(junk);
            fs::write(&path, bytes).unwrap();
            let _ = GamesFile::open(&path).map(|games| games.items().count());
            let _ = GamesFile::open_whatever(&path).unwrap().items().count();
        }
    }
}
