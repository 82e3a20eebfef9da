//! Reads the files one after the other and hands raw games over in batches, in a thread of its
//! own, never more than a few batches ahead.

use super::ImportError;
use super::inputs::{Input, Opened, Wanted};
use crate::base::stop::Stop;
use crate::dataset::import::ImportedFile;
use crate::records::{Fault, Format, Header, NotGames, RawGames, player_names};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// A batch is handed over when it holds so many games or bytes. Large enough to keep processors
/// busy, small enough that a stop is noticed at once.
const BATCH_GAMES: usize = 4096;
const BATCH_BYTES: usize = 1 << 20;
/// Batches that wait.
const AHEAD: usize = 3;

/// Raw games of one or several files.
#[derive(Default)]
pub(super) struct Batch {
    bytes: Vec<u8>,
    games: Vec<Located>,
}

struct Located {
    format: &'static dyn Format,
    header: Option<Arc<Header>>,
    file: usize,
    number: u64,
    content: Result<Range<usize>, Fault>,
}

/// A raw game and where it stands.
pub(super) struct RawGame<'a> {
    /// How to parse it.
    pub format: &'static dyn Format,
    /// What the beginning of its stream tells.
    pub header: Option<&'a Header>,
    /// Index of its file.
    pub file: usize,
    /// Its number in the file, from 1.
    pub number: u64,
    /// Its bytes, or what is wrong in its place.
    pub content: Result<&'a [u8], &'a Fault>,
}

impl Batch {
    /// Games in it.
    pub(super) fn len(&self) -> usize {
        self.games.len()
    }

    /// Some of the games.
    pub(super) fn games(&self, range: Range<usize>) -> impl Iterator<Item = RawGame<'_>> {
        self.games[range].iter().map(|located| RawGame {
            format: located.format,
            header: located.header.as_deref(),
            file: located.file,
            number: located.number,
            content: match &located.content {
                Ok(range) => Ok(&self.bytes[range.clone()]),
                Err(fault) => Err(fault),
            },
        })
    }
}

/// What the reader tells, in the order of the files.
pub(super) enum News {
    /// Games.
    Games(Batch),
    /// A file has been read to its end.
    FileRead(ImportedFile, [u8; 32]),
    /// A file of a folder holds no games.
    Skipped {
        /// Index of the file.
        file: usize,
        /// What it is.
        why: NotGames,
    },
    /// Nothing more can be read.
    Failed(ImportError),
}

/// Starts the thread. It ends when everything is read, when reading fails, when the stop is
/// requested or when nobody listens any more. `bytes_read` grows as it goes; `by_name`: players are
/// asked for by name.
pub(super) fn start(
    inputs: Arc<[Input]>,
    wanted: Wanted,
    by_name: bool,
    bytes_read: Arc<AtomicU64>,
    stop: &Stop,
) -> io::Result<Receiver<News>> {
    let (sender, news) = sync_channel(AHEAD);
    let stop = stop.clone();
    std::thread::Builder::new()
        .name("reader".to_owned())
        .spawn(move || {
            let reader = Reader {
                wanted,
                by_name,
                bytes_read,
                stop,
                sender,
            };
            if let Err(Ended::Failed(error)) = reader.read_all(&inputs) {
                let _ = reader.sender.send(News::Failed(error));
            }
        })?;
    Ok(news)
}

struct Reader {
    wanted: Wanted,
    /// Players are asked for by name.
    by_name: bool,
    bytes_read: Arc<AtomicU64>,
    stop: Stop,
    sender: SyncSender<News>,
}

/// Why reading ended before the end of the files.
enum Ended {
    /// It failed.
    Failed(ImportError),
    /// Nobody listens, or a stop was requested.
    Unwanted,
}

impl From<ImportError> for Ended {
    fn from(error: ImportError) -> Ended {
        Ended::Failed(error)
    }
}

impl Reader {
    fn read_all(&self, inputs: &[Input]) -> Result<(), Ended> {
        let mut batch = Batch::default();
        for (file, input) in inputs.iter().enumerate() {
            let read_before = self.bytes_read.load(Ordering::Relaxed);
            let opened = input.open(&self.bytes_read)?;
            match opened.format(self.wanted) {
                Ok(format) => self.read_file(file, input, format, opened, &mut batch)?,
                Err(why) if input.named => {
                    let path = input.path.clone();
                    return Err(ImportError::NotGames { path, why }.into());
                }
                Err(why) => {
                    // What was read before is told before.
                    self.hand_over(&mut batch)?;
                    self.tell(News::Skipped { file, why })?;
                    let bytes = input.bytes.unwrap_or(0);
                    self.bytes_read
                        .store(read_before + bytes, Ordering::Relaxed);
                }
            }
        }
        self.hand_over(&mut batch)
    }

    fn read_file(
        &self,
        file: usize,
        input: &Input,
        format: &'static dyn Format,
        opened: Opened,
        batch: &mut Batch,
    ) -> Result<(), Ended> {
        let Opened {
            head,
            input: source,
            packing,
            meter,
        } = opened;
        let mut raw_games = RawGames::new(format, head, source);
        if self.by_name && format.name() == "wthor" {
            raw_games.know_players(players_beside(&input.path).into());
        }
        let mut number = 0;
        while let Some(raw) = raw_games
            .next_game()
            .map_err(ImportError::read(&input.path))?
        {
            number += 1;
            let content = raw.map(|raw| {
                let start = batch.bytes.len();
                batch.bytes.extend_from_slice(raw);
                start..batch.bytes.len()
            });
            batch.games.push(Located {
                format,
                header: raw_games.header().cloned(),
                file,
                number,
                content,
            });
            if batch.games.len() >= BATCH_GAMES || batch.bytes.len() >= BATCH_BYTES {
                self.hand_over(batch)?;
            }
        }
        let (bytes, digest) = meter.finish();
        let read = ImportedFile {
            path: input.path.to_string_lossy().into_owned(),
            format: format.name().to_owned(),
            packing: packing.map(|packing| packing.name().to_owned()),
            games: number,
            bytes,
            sha256: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
        };
        self.tell(News::FileRead(read, digest))
    }

    fn hand_over(&self, batch: &mut Batch) -> Result<(), Ended> {
        if batch.games.is_empty() {
            return Ok(());
        }
        self.tell(News::Games(std::mem::take(batch)))
    }

    fn tell(&self, news: News) -> Result<(), Ended> {
        if self.stop.is_requested() {
            return Err(Ended::Unwanted);
        }
        self.sender.send(news).map_err(|_| Ended::Unwanted)
    }
}

/// The names in the list of players (.jou) in the folder of a file of games; none where there is
/// no such list, or several.
fn players_beside(path: &Path) -> Vec<String> {
    let folder = match path.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
        Some(folder) => folder,
        None => return Vec::new(),
    };
    let is_list = |path: &PathBuf| {
        path.extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("jou"))
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let lists: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_list).collect();
    match lists.as_slice() {
        [list] => std::fs::read(list)
            .ok()
            .and_then(|list| player_names(&list))
            .unwrap_or_default(),
        _ => Vec::new(),
    }
}
