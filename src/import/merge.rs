//! The positions of one phase: which are the same up to symmetry, and what value they get.
//!
//! A table of the distinct positions takes about 100 bytes each while it grows. Where a phase has
//! more than the memory set aside, it is gone through several times, each time for another part of
//! the positions, chosen by a hash; the parts are then put back into one order, that of first
//! occurrence.

use super::ImportError;
use super::options::{Duplicates, ImportOptions};
use super::parts::{Distinct, PartWriter, in_order};
use super::spool::Spool;
use super::table::{Entry, Table};
use crate::base::stop::Stop;
use crate::board::Board;
use crate::dataset::counters::ValueHistogram;
use crate::dataset::layout::PhaseDir;
use crate::dataset::record::Record;
use crate::dataset::rules::MAX_VALUE;
use crate::dataset::split::{Thresholds, split_hash};
use crate::dataset::writer::PhaseWriter;

/// Memory for all tables together.
const MEMORY: u64 = 768 << 20;
/// Of it, what one position takes at worst: an entry twice while the list of them is being moved
/// to a larger place, and its slots.
const PER_POSITION: u64 = 160;
/// Positions between two looks at the stop flag.
const STRIDE: u64 = 4096;

/// How positions are brought together.
#[derive(Clone, Copy)]
pub(super) struct Merging {
    duplicates: Duplicates,
    shares: Thresholds,
    /// Distinct positions that one table may hold.
    table_limit: u64,
}

impl Merging {
    /// As the options say, for so many tables at once as there are threads.
    pub(super) fn new(options: &ImportOptions) -> Merging {
        let tables = options.threads.max(1) as u64;
        Merging {
            duplicates: options.duplicates,
            shares: Thresholds::new(&options.split),
            table_limit: (MEMORY / PER_POSITION / tables).max(1 << 16),
        }
    }
}

/// What became of a phase.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct MergedPhase {
    /// Positions met.
    pub met: u64,
    /// Records per split.
    pub records: [u64; 3],
    /// Recorded positions that were met more than once.
    pub repeated: u64,
    /// Recorded values.
    pub values: ValueHistogram,
}

/// Writes the records of one phase into `dir` and syncs them.
pub(super) fn merge_phase(
    spool: Option<&Spool>,
    merging: &Merging,
    dir: &PhaseDir,
    stop: &Stop,
) -> Result<MergedPhase, ImportError> {
    let mut writer = PhaseWriter::create(dir)?;
    let mut merged = MergedPhase::default();
    if let Some(spool) = spool {
        merged.met = spool.samples;
        // Counted in an array: a map costs more than everything else here.
        let mut values = [0u64; 2 * MAX_VALUE as usize + 1];
        let mut write = |distinct: &Distinct| {
            merged.repeated += u64::from(distinct.repeated);
            values[(distinct.record.value + MAX_VALUE) as usize] += 1;
            writer
                .append(distinct.split, &distinct.record)
                .map_err(ImportError::from)
        };
        let parts = spool.samples.div_ceil(merging.table_limit);
        if parts <= 1 {
            let table = tabulate(spool, Part { number: 0, of: 1 }, stop)?;
            for entry in table.entries() {
                write(&entry.distinct(merging))?;
            }
        } else {
            let mut files = Vec::new();
            for number in 0..parts {
                let table = tabulate(spool, Part { number, of: parts }, stop)?;
                let mut file = PartWriter::create(spool.part_path(number))?;
                for entry in table.entries() {
                    file.append(&entry.distinct(merging))?;
                }
                files.push(file.finish()?);
            }
            in_order(files, stop, write)?;
        }
        spool.remove()?;
        let counted = (-MAX_VALUE..=MAX_VALUE).zip(values).filter(|&(_, n)| n > 0);
        merged.values = ValueHistogram(counted.collect());
    }
    writer.sync()?;
    merged.records = writer.counts();
    Ok(merged)
}

/// The distinct positions of one part of a phase.
fn tabulate(spool: &Spool, part: Part, stop: &Stop) -> Result<Table, ImportError> {
    let mut table = Table::new(spool.samples / part.of);
    spool.for_each(|number, sample| {
        if number % STRIDE == 0 && stop.is_requested() {
            return Err(ImportError::Interrupted);
        }
        let canonical = sample.board.canonical();
        if part.of == 1 || part.holds(canonical) {
            table.add(canonical, number, &sample);
        }
        Ok(())
    })?;
    Ok(table)
}

/// One part of all positions.
#[derive(Clone, Copy)]
struct Part {
    number: u64,
    of: u64,
}

impl Part {
    fn holds(self, canonical: Board) -> bool {
        ((u128::from(split_hash(canonical)) * u128::from(self.of)) >> 64) as u64 == self.number
    }
}

impl Entry {
    fn distinct(&self, merging: &Merging) -> Distinct {
        Distinct {
            first: self.first,
            record: Record {
                board: self.board,
                value: match merging.duplicates {
                    Duplicates::First => self.first_value.into(),
                    Duplicates::Mean => mean(self.sum, self.count),
                },
            },
            split: self
                .split
                .unwrap_or_else(|| merging.shares.split(split_hash(self.canonical))),
            repeated: self.repeated,
        }
    }
}

/// The mean, rounded half away from zero.
fn mean(sum: i64, count: u64) -> i16 {
    let (sum, count) = (i128::from(sum), i128::from(count.max(1)));
    let rounded = (2 * sum.abs() + count) / (2 * count) * sum.signum();
    // A mean of values in -64..=64 is in that range.
    rounded as i16
}

#[cfg(test)]
mod tests {
    use super::super::positions::Sample;
    use super::super::spool::Spools;
    use super::*;
    use crate::board::{Game, Squares, Symmetry};
    use crate::config::SplitRatios;
    use crate::dataset::scan::for_each_record;
    use crate::dataset::split::Split;

    #[test]
    fn means_round_half_away_from_zero() {
        for (sum, count, expected) in [
            (0, 3, 0),
            (3, 2, 2),
            (-3, 2, -2),
            (1, 2, 1),
            (-1, 2, -1),
            (1, 3, 0),
            (-2, 3, -1),
            (64 * 7, 7, 64),
            (-64 * 7, 7, -64),
            (5, 1, 5),
        ] {
            assert_eq!(mean(sum, count), expected, "{sum}/{count}");
        }
    }

    fn merging(duplicates: Duplicates, table_limit: u64) -> Merging {
        Merging {
            duplicates,
            shares: Thresholds::new(&SplitRatios {
                train: 1.0,
                valid: 0.0,
                test: 0.0,
            }),
            table_limit,
        }
    }

    /// Spools `samples`, merges them, reads the records of train.rd back.
    fn merged(samples: &[Sample], merging: &Merging) -> (MergedPhase, Vec<Record>) {
        let folder = tempfile::tempdir().unwrap();
        let mut spools = Spools::create(folder.path().join("spool")).unwrap();
        spools.append(samples).unwrap();
        let phase = samples[0].board.phase();
        let spools = spools.finish().unwrap();
        let dir = PhaseDir::new(folder.path(), phase);
        let spool = spools[usize::from(phase)].as_ref();
        let merged = merge_phase(spool, merging, &dir, &Stop::new()).unwrap();
        let mut records = Vec::new();
        let count = merged.records[0];
        for_each_record(&dir.records(Split::Train), count, |record, _| {
            records.push(*record);
            Ok(())
        })
        .unwrap();
        (merged, records)
    }

    fn sample(board: Board, value: i8) -> Sample {
        Sample {
            board,
            value,
            split: None,
        }
    }

    #[test]
    fn no_value_of_a_stricter_split_reaches_a_laxer_one() {
        let board = three_moves()[8];
        let (train, valid, test) = (Some(Split::Train), Some(Split::Valid), Some(Split::Test));
        let of = |games: &[(Option<Split>, i8)], duplicates| {
            let samples: Vec<Sample> = games
                .iter()
                .map(|&(split, value)| Sample {
                    board,
                    value,
                    split,
                })
                .collect();
            let folder = tempfile::tempdir().unwrap();
            let mut spools = Spools::create(folder.path().join("spool")).unwrap();
            spools.append(&samples).unwrap();
            let spools = spools.finish().unwrap();
            let dir = PhaseDir::new(folder.path(), 3);
            let merging = merging(duplicates, 1000);
            let merged = merge_phase(spools[3].as_ref(), &merging, &dir, &Stop::new()).unwrap();
            assert_eq!(merged.repeated, u64::from(games.len() > 1));
            let value = merged.values.0.keys().copied().collect::<Vec<_>>();
            (merged.records, value)
        };
        let mixed = [(train, 10), (test, -4), (train, 2), (test, -6), (valid, 30)];
        assert_eq!(of(&mixed, Duplicates::Mean), ([0, 0, 1], vec![-5]));
        assert_eq!(of(&mixed, Duplicates::First), ([0, 0, 1], vec![-4]));
        let laxer = [(valid, 8), (train, 2), (valid, 4)];
        assert_eq!(of(&laxer, Duplicates::Mean), ([0, 1, 0], vec![6]));
        assert_eq!(
            of(&[(train, 1), (train, 4)], Duplicates::First),
            ([1, 0, 0], vec![1])
        );
        assert_eq!(of(&[(test, 9)], Duplicates::Mean), ([0, 0, 1], vec![9]));
    }

    /// All positions after three moves, each in all eight orientations.
    fn three_moves() -> Vec<Board> {
        let mut level = vec![Game::new()];
        for _ in 0..3 {
            let mut next = Vec::new();
            for game in &level {
                for square in Squares(game.board().legal_moves()) {
                    let mut game = game.clone();
                    game.play(square.into()).unwrap();
                    next.push(game);
                }
            }
            level = next;
        }
        let image = |game: &Game| Symmetry::ALL.map(|s| s.apply_board(game.board()));
        level.iter().flat_map(image).collect()
    }

    #[test]
    fn images_are_one_position_in_the_orientation_met_first() {
        let board = three_moves()[8];
        let images = Symmetry::ALL.map(|s| s.apply_board(board));
        let values = [10, 11, -4, 0, 1, 2, 3, 4];
        let samples: Vec<Sample> = images
            .iter()
            .zip(values)
            .map(|(&board, value)| sample(board, value))
            .collect();
        let (phase, records) = merged(&samples, &merging(Duplicates::Mean, 1000));
        // 27 / 8 = 3.375
        assert_eq!(records, [Record { board, value: 3 }]);
        assert_eq!((phase.met, phase.repeated), (8, 1));
        let (_, records) = merged(&samples, &merging(Duplicates::First, 1000));
        assert_eq!(records, [Record { board, value: 10 }]);
    }

    #[test]
    fn going_through_in_parts_gives_the_same_bytes() {
        let mut samples: Vec<Sample> = three_moves()
            .into_iter()
            .enumerate()
            .map(|(i, board)| sample(board, ((i % 129) as i16 - 64) as i8))
            .collect();
        samples.extend_from_within(..);
        let (whole, records) = merged(&samples, &merging(Duplicates::Mean, u64::MAX));
        // Known from exhaustive counting: 1, 3, 14 distinct positions after one, two, three moves.
        assert_eq!(records.len(), 14);
        for limit in [1, 7, 100, samples.len() as u64 - 1] {
            let parts = merged(&samples, &merging(Duplicates::Mean, limit));
            assert_eq!(parts, (whole.clone(), records.clone()), "limit {limit}");
        }
    }

    #[test]
    fn a_stop_ends_it() {
        let folder = tempfile::tempdir().unwrap();
        let mut spools = Spools::create(folder.path().join("spool")).unwrap();
        spools.append(&[sample(Board::START, 0)]).unwrap();
        let spools = spools.finish().unwrap();
        let stop = Stop::new();
        stop.request();
        let result = merge_phase(
            spools[0].as_ref(),
            &merging(Duplicates::Mean, 10),
            &PhaseDir::new(folder.path(), 0),
            &stop,
        );
        assert!(matches!(result, Err(ImportError::Interrupted)));
    }
}
