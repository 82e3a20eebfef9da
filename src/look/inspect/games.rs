//! Kept games: how many, how they ended, how long they are; single ones as moves.

use super::Wanted;
use crate::base::draw::draw;
use crate::base::text::count;
use crate::dataset::DatasetError;
use crate::dataset::files::open_regular;
use crate::dataset::watch::Watch;
use crate::games::{
    Ending, EndingCounts, GamesError, GamesFile, GamesState, Item, KeptGame, find_games,
};
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Damaged blocks that are told one by one.
const MOST_DAMAGE: usize = 20;

/// One file of kept games.
#[derive(Clone, Debug, Serialize)]
pub struct GamesView {
    /// Where it is.
    pub path: String,
    /// Sound games.
    pub games: u64,
    /// Bytes of the file.
    pub bytes: u64,
    /// First and last number.
    pub numbers: Option<(u64, u64)>,
    /// How they ended.
    pub endings: EndingCounts,
    /// Fewest and most discs placed in a finished game.
    pub moves: Option<(u8, u8)>,
    /// Discs placed in all games.
    pub total_moves: u64,
    /// Of these, in the random parts.
    pub random_moves: u64,
    /// Moves of which the engine told a score.
    pub scores: u64,
    /// Blocks that are damaged.
    pub damaged: u64,
    /// Single games, where those were wanted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<GameView>,
    #[serde(skip)]
    damage: Vec<String>,
}

/// One game.
#[derive(Clone, Debug, Serialize)]
pub struct GameView {
    /// Its number.
    pub number: u64,
    /// How it ended.
    pub ending: &'static str,
    /// `f5d6…`; passes are left out.
    pub moves: String,
    /// Moves of the random part.
    pub random_moves: u8,
    /// For each move behind that, in discs; `None` where none was told.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<Option<f64>>,
    /// Black − White, plain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<i16>,
}

impl GameView {
    fn new(game: &KeptGame) -> GameView {
        let played = game.replay().ok();
        GameView {
            number: game.number,
            ending: game.ending.name(),
            moves: game.moves.iter().map(ToString::to_string).collect(),
            random_moves: game.random_moves,
            scores: game
                .scores
                .iter()
                .map(|score| score.map(|score| score.discs()))
                .collect(),
            difference: played
                .filter(|played| played.is_over())
                .map(|played| played.black_difference()),
        }
    }
}

/// The files of kept games at a path: itself, or those in it.
pub fn games_at(path: &Path) -> Vec<PathBuf> {
    if path.is_dir() {
        let own = path.join("games.rdg");
        if own.is_file() {
            return vec![own];
        }
        let folders = find_games(path).unwrap_or_default();
        return folders.iter().map(|dir| dir.games()).collect();
    }
    let mut magic = [0; 8];
    let is_games = open_regular(path)
        .is_ok_and(|mut file| file.read_exact(&mut magic).is_ok() && magic == *b"RDGGAMES");
    match is_games {
        true => vec![path.to_owned()],
        false => Vec::new(),
    }
}

/// Reads a file of kept games; damage is counted and passed over.
///
/// # Errors
/// What the system refuses, and a file of another version.
pub fn view_games(path: &Path, wanted: Wanted, watch: &dyn Watch) -> Result<GamesView, GamesError> {
    let bytes = std::fs::metadata(path)
        .map_err(DatasetError::io("read", path))?
        .len();
    watch.expect(bytes);
    let mut view = GamesView {
        path: path.to_string_lossy().into_owned(),
        games: 0,
        bytes,
        numbers: None,
        endings: EndingCounts::default(),
        moves: None,
        total_moves: 0,
        random_moves: 0,
        scores: 0,
        damaged: 0,
        samples: Vec::new(),
        damage: Vec::new(),
    };
    // Which of them are drawn has to be known before they are read.
    let drawn: BTreeSet<u64> = match wanted {
        Wanted::Sample { count, seed } => {
            let total = match read_state(path) {
                Some(games) => games,
                None => count_games(path)?,
            };
            draw(total, count, seed).into_iter().collect()
        }
        _ => BTreeSet::new(),
    };
    let mut file = GamesFile::open(path)?;
    while let Some(batch) = file.next_batch()? {
        for item in (0..batch.len()).filter_map(|at| batch.item(at)) {
            let game = match item {
                Item::Game(_, game) => game,
                Item::Damage(damage) => {
                    view.damaged += 1;
                    if view.damage.len() < MOST_DAMAGE {
                        view.damage.push(damage.into_error(path).to_string());
                    }
                    continue;
                }
            };
            let is_wanted = match wanted {
                Wanted::Summary => false,
                Wanted::Record(number) => number == game.number,
                Wanted::Sample { .. } => drawn.contains(&view.games),
            };
            if is_wanted {
                view.samples.push(GameView::new(&game));
            }
            view.count(&game);
        }
        watch.read(batch.bytes());
    }
    Ok(view)
}

fn read_state(path: &Path) -> Option<u64> {
    let anchor = find_games(path.parent()?.parent()?).ok()?;
    let dir = anchor.into_iter().find(|dir| dir.games() == path)?;
    Some(GamesState::read(&dir).ok()?.games)
}

fn count_games(path: &Path) -> Result<u64, GamesError> {
    let mut games = 0;
    let mut file = GamesFile::open(path)?;
    while let Some(batch) = file.next_batch()? {
        games += (0..batch.len())
            .filter(|&at| batch.block(at).is_some())
            .count() as u64;
    }
    Ok(games)
}

impl GamesView {
    fn count(&mut self, game: &KeptGame) {
        self.games += 1;
        self.numbers = Some((
            self.numbers.map_or(game.number, |(first, _)| first),
            game.number,
        ));
        self.endings.count(game.ending);
        let moves = game.moves.len() as u8;
        if game.ending == Ending::Finished {
            let (least, most) = self.moves.unwrap_or((moves, moves));
            self.moves = Some((least.min(moves), most.max(moves)));
        }
        self.total_moves += u64::from(moves);
        self.random_moves += u64::from(game.random_moves);
        self.scores += game.scores.iter().flatten().count() as u64;
    }

    /// What is broken, for stderr.
    pub fn damage(&self) -> &[String] {
        &self.damage
    }

    /// For people.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "{}: {} kept games, {} bytes",
            self.path,
            count(self.games),
            count(self.bytes)
        )?;
        if let Some((first, last)) = self.numbers {
            writeln!(out, "  numbers {first} to {last}")?;
        }
        let endings: Vec<String> = Ending::ALL
            .iter()
            .filter(|ending| self.endings.of(**ending) > 0)
            .map(|ending| format!("{} {}", count(self.endings.of(*ending)), ending.name()))
            .collect();
        if !endings.is_empty() {
            writeln!(out, "  {}", endings.join(", "))?;
        }
        if let (Some((least, most)), true) = (self.moves, self.games > 0) {
            writeln!(
                out,
                "  finished games have {least} to {most} moves; of all moves {:.0}% are of the random \
                 part, {} have a score",
                100.0 * self.random_moves as f64 / self.total_moves.max(1) as f64,
                count(self.scores)
            )?;
        }
        for game in &self.samples {
            let (random, played) = game.moves.split_at(2 * usize::from(game.random_moves));
            write!(out, "\ngame {}, {}", game.number, game.ending)?;
            if let Some(difference) = game.difference {
                write!(out, ", Black {difference:+}")?;
            }
            writeln!(out, "\n  {random} | {played}")?;
            if !game.scores.is_empty() {
                let scores: Vec<String> = game
                    .scores
                    .iter()
                    .map(|score| score.map_or("-".to_owned(), |score| format!("{score:+.2}")))
                    .collect();
                writeln!(out, "  {}", scores.join(" "))?;
            }
        }
        Ok(())
    }
}
