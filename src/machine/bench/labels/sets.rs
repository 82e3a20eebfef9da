//! The solved positions: 150 games each from two kinds of openings, and of each game the positions
//! with 20, 16 and 12 empty squares. [`make`] makes them from their seed; the files beside hold what
//! it made, as records of the dataset format with the value of best play.

use crate::base::rng::StreamKey;
use crate::base::stop::Stop;
use crate::board::{Board, Game, ScoreRule, Squares};
use crate::config::SplitRatios;
use crate::dataset::DatasetError;
use crate::dataset::counters::{Counters, ValueHistogram};
use crate::dataset::json::write_json;
use crate::dataset::label::LabelKind;
use crate::dataset::layout::{PhaseDir, summary_path};
use crate::dataset::metadata::{DataMode, Generation, Generator, Metadata, WINNER_TAKES_EMPTIES};
use crate::dataset::record::{MAGIC, RECORD_SIZE, Record};
use crate::dataset::split::split_of;
use crate::dataset::stats::{PhaseStats, SplitCounts, StatsFacts};
use crate::dataset::summary::Summary;
use crate::dataset::writer::PhaseWriter;
use crate::engine::builtin::{Builtin, Solver};
use crate::engine::{Engine, EngineError};
use std::path::Path;

/// Empty squares of the sets, as they come in a game.
pub(crate) const EMPTIES: [u8; 3] = [20, 16, 12];

/// Positions of a set.
pub(crate) const COUNT: usize = 150;

/// Seed of all games.
const SEED: u64 = 15;

/// Random moves before strong play, as a library of openings has them.
const STRONG_AFTER: u32 = 8;

/// Who plays strongly.
const STRONG_LEVEL: u32 = 8;

/// How the games of a set were played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Openings {
    /// Every move drawn from the legal ones.
    Random,
    /// Eight moves drawn, the others by the embedded engine at level 8.
    Strong,
}

impl Openings {
    /// Both.
    pub(crate) const ALL: [Openings; 2] = [Openings::Random, Openings::Strong];

    /// As files and tables name it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Openings::Random => "random",
            Openings::Strong => "strong",
        }
    }

    /// The set with so many empty squares, each position with its value by
    /// [`ScoreRule::WinnerTakesEmpties`]; `None` for a number that is none of [`EMPTIES`].
    pub(crate) fn set(self, empties: u8) -> Option<Vec<Record>> {
        let bytes: &[u8] = match (self, empties) {
            (Openings::Random, 20) => include_bytes!("random_20.rd"),
            (Openings::Random, 16) => include_bytes!("random_16.rd"),
            (Openings::Random, 12) => include_bytes!("random_12.rd"),
            (Openings::Strong, 20) => include_bytes!("strong_20.rd"),
            (Openings::Strong, 16) => include_bytes!("strong_16.rd"),
            (Openings::Strong, 12) => include_bytes!("strong_12.rd"),
            _ => return None,
        };
        let (records, _) = bytes.get(MAGIC.len()..)?.as_chunks::<RECORD_SIZE>();
        Some(records.iter().map(Record::decode).collect())
    }
}

/// The positions of the games from number `first` on, until there are `count` games that reach the
/// last of [`EMPTIES`] with a side to move that can move at each; unsolved.
///
/// # Errors
/// Stopped.
pub(crate) fn positions(
    openings: Openings,
    count: usize,
    stop: &Stop,
) -> Result<Vec<[Board; 3]>, EngineError> {
    let key = StreamKey::new(SEED, openings.name(), 0);
    let mut engine = Builtin::new("builtin", STRONG_LEVEL, 1, None, stop)?;
    let mut found: Vec<[Board; 3]> = Vec::new();
    let mut number = 0;
    while found.len() < count {
        let mut rng = key.game(number);
        number += 1;
        let mut game = Game::new();
        engine.new_game()?;
        let mut boards = Vec::new();
        while boards.len() < EMPTIES.len() {
            game.pass_if_forced();
            let board = game.board();
            let legal = board.legal_moves();
            if legal == 0 {
                break;
            }
            if u32::from(EMPTIES[boards.len()]) == board.empties() {
                boards.push(board);
            }
            let is_drawn = openings == Openings::Random || board.discs() < 4 + STRONG_AFTER;
            let square = match is_drawn {
                true => Squares(legal).nth(rng.below(legal.count_ones()) as usize),
                false => Some(engine.choose(&game)?),
            };
            let Some(square) = square else { break };
            game.play_known(square, board.flips(square));
        }
        let known = |boards: &[Board; 3]| {
            let mut earlier = found.iter();
            earlier.any(|other| (0..3).any(|i| other[i].canonical() == boards[i].canonical()))
        };
        if let Ok(boards) = <[Board; 3]>::try_from(boards)
            && !known(&boards)
        {
            found.push(boards);
        }
    }
    Ok(found)
}

/// Makes the sets anew and writes them to `random_20.rd` and so on in a folder: minutes.
///
/// # Errors
/// Stopped, or a file that cannot be written.
pub(crate) fn make(folder: &Path, stop: &Stop) -> Result<(), MakeError> {
    std::fs::create_dir_all(folder).map_err(DatasetError::io("create", folder))?;
    for openings in Openings::ALL {
        let games = positions(openings, COUNT, stop)?;
        for (at, empties) in EMPTIES.into_iter().enumerate() {
            let rule = ScoreRule::WinnerTakesEmpties;
            let mut solver = Solver::new(u32::from(empties), rule, stop);
            let mut bytes = MAGIC.to_vec();
            for boards in &games {
                let board = boards[at];
                let value = solver.value(board).map_err(EngineError::from)? as i16;
                bytes.extend(Record { board, value }.encode());
            }
            let path = folder.join(format!("{}_{empties}.rd", openings.name()));
            crate::dataset::files::write_file(&path, &bytes)?;
        }
    }
    Ok(())
}

/// Writes the sets as two datasets, `random` and `strong`, into a folder.
///
/// # Errors
/// A file that is there already or cannot be written.
pub(crate) fn write(folder: &Path) -> Result<(), DatasetError> {
    for openings in Openings::ALL {
        write_dataset(openings, &folder.join(openings.name()))?;
    }
    Ok(())
}

fn write_dataset(openings: Openings, output: &Path) -> Result<(), DatasetError> {
    let shares = SplitRatios::default();
    let now = crate::base::clock::now();
    let mut all = Vec::new();
    for empties in EMPTIES {
        let phase = 60 - empties;
        let dir = PhaseDir::new(output, phase);
        let mut writer = PhaseWriter::create(&dir)?;
        let mut values = ValueHistogram::default();
        for record in openings.set(empties).unwrap_or_default() {
            writer.append(split_of(record.board.canonical(), &shares), &record)?;
            values.count_value(record.value);
        }
        writer.sync()?;
        let records = SplitCounts::from(writer.counts());
        let facts = StatsFacts {
            mode: DataMode::Label,
            generation: Generation::Label,
            phase,
            started_at: now.clone(),
            finished_at: now.clone(),
            elapsed_seconds: 0.0,
            enumeration_seconds: 0.0,
            target_samples: records.total(),
            ai_probability: 0.0,
            records,
        };
        let counters = Counters {
            values,
            ..Counters::default()
        };
        let stats = PhaseStats::from_counters(facts, &counters);
        let mut metadata = Metadata::new(DataMode::Label, Generation::Label, phase, &shares);
        metadata.score_rule = WINNER_TAKES_EMPTIES.to_owned();
        metadata.label = Some(LabelKind::Exact);
        metadata.seed = Some(SEED);
        metadata.reproducible = Some(Some(true));
        metadata.generator = Generator {
            version: crate::base::version::GENERATOR_VERSION.to_owned(),
            ..Generator::default()
        };
        write_json(&dir.stats(), &stats)?;
        write_json(&dir.metadata(), &metadata)?;
        all.push(stats);
    }
    let mut summary = Summary::new(
        DataMode::Label,
        Generation::Label,
        now.clone(),
        now,
        0.0,
        &all,
    );
    summary.seed = Some(SEED);
    write_json(&summary_path(output), &summary)
}

/// Why sets were not made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MakeError {
    /// Files.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// Stopped, mostly.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_files_are_what_the_seed_makes() {
        let stop = Stop::new();
        let games = positions(Openings::Random, 20, &stop).unwrap();
        for (at, empties) in EMPTIES.into_iter().enumerate() {
            let set = Openings::Random.set(empties).unwrap();
            let found: Vec<Board> = set.iter().take(20).map(|record| record.board).collect();
            let made: Vec<Board> = games.iter().map(|boards| boards[at]).collect();
            assert_eq!(found, made, "{empties} empties");
        }
    }

    #[test]
    fn sets_are_whole_and_different() {
        let rule = ScoreRule::WinnerTakesEmpties;
        for openings in Openings::ALL {
            for empties in EMPTIES {
                let set = openings.set(empties).unwrap();
                assert_eq!(set.len(), COUNT);
                let different: BTreeSet<_> = set.iter().map(|r| r.board.canonical()).collect();
                assert_eq!(different.len(), COUNT);
                for record in &set {
                    assert_eq!(record.board.empties(), u32::from(empties));
                    assert_ne!(record.board.legal_moves(), 0);
                    assert_eq!(record.value % 2, 0);
                }
            }
            // By the null-window search of another order of moves, with few empty squares.
            let mut solver = Solver::new(12, rule, &Stop::new());
            for record in openings.set(12).unwrap().iter().take(5) {
                let mut board = record.board;
                let mut turned = false;
                while !board.is_game_over() {
                    match solver.choose(board).unwrap() {
                        Some(square) => board = board.play(square).unwrap(),
                        None => board = board.passed(),
                    }
                    turned = !turned;
                }
                let end = rule.final_score(board) as i16;
                assert_eq!(if turned { -end } else { end }, record.value);
            }
        }
    }
}
