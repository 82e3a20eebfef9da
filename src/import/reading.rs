//! Reads the files one after the other and hands raw games over in batches, in a thread of its
//! own, never more than a few batches ahead.

use super::ImportError;
use super::inputs::{Input, Opened};
use crate::base::stop::Stop;
use crate::dataset::import::ImportedFile;
use crate::records::{Fault, Format, NotGames, RawGames};
use sha2::{Digest, Sha256};
use std::io::{self, Read};
use std::ops::Range;
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
pub struct Batch {
    bytes: Vec<u8>,
    games: Vec<Located>,
}

struct Located {
    format: &'static dyn Format,
    file: usize,
    number: u64,
    content: Result<Range<usize>, Fault>,
}

/// A raw game and where it stands.
pub struct RawGame<'a> {
    /// How to parse it.
    pub format: &'static dyn Format,
    /// Index of its file.
    pub file: usize,
    /// Its number in the file, from 1.
    pub number: u64,
    /// Its bytes, or what is wrong in its place.
    pub content: Result<&'a [u8], &'a Fault>,
}

impl Batch {
    /// Games in it.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Some of the games.
    pub fn games(&self, range: Range<usize>) -> impl Iterator<Item = RawGame<'_>> {
        self.games[range].iter().map(|located| RawGame {
            format: located.format,
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
pub enum News {
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
/// requested or when nobody listens any more. `bytes_read` grows as it goes.
pub fn start(
    inputs: Arc<[Input]>,
    forced: Option<&'static dyn Format>,
    bytes_read: Arc<AtomicU64>,
    stop: &Stop,
) -> io::Result<Receiver<News>> {
    let (sender, news) = sync_channel(AHEAD);
    let stop = stop.clone();
    std::thread::Builder::new()
        .name("reader".to_owned())
        .spawn(move || {
            let reader = Reader {
                forced,
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
    forced: Option<&'static dyn Format>,
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
            let opened = input.open()?;
            match opened.format(self.forced) {
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
                    self.bytes_read.fetch_add(bytes, Ordering::Relaxed);
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
        let mut source = Counted {
            input: opened.input,
            bytes: 0,
            digest: Sha256::new(),
            total: &self.bytes_read,
        };
        source.count(&opened.head);
        let mut raw_games = RawGames::new(format, opened.head, &mut source);
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
                file,
                number,
                content,
            });
            if batch.games.len() >= BATCH_GAMES || batch.bytes.len() >= BATCH_BYTES {
                self.hand_over(batch)?;
            }
        }
        let digest: [u8; 32] = source.digest.finalize().into();
        let read = ImportedFile {
            path: input.path.to_string_lossy().into_owned(),
            format: format.name().to_owned(),
            games: number,
            bytes: source.bytes,
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

/// Counts and digests what is read through it.
struct Counted<'a> {
    input: Box<dyn Read + Send>,
    bytes: u64,
    digest: Sha256,
    total: &'a AtomicU64,
}

impl Counted<'_> {
    fn count(&mut self, block: &[u8]) {
        self.bytes += block.len() as u64;
        self.digest.update(block);
        self.total.fetch_add(block.len() as u64, Ordering::Relaxed);
    }
}

impl Read for Counted<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let got = self.input.read(into)?;
        self.count(&into[..got]);
        Ok(got)
    }
}
