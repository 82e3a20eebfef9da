//! What the records of files add up to: values, discs, passes, finished games.

use crate::dataset::DatasetError;
use crate::dataset::blocks::for_each_block;
use crate::dataset::record::{RECORD_SIZE, Record};
use crate::dataset::rules::{MAX_VALUE, RecordFault, check_record};
use crate::dataset::tree::Records;
use std::sync::{Mutex, PoisonError};

/// Values −64..=64.
const VALUES: usize = 2 * MAX_VALUE as usize + 1;

/// Sums over records. Records that break a rule of the format are counted and otherwise left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measured {
    /// Whole records, broken ones included.
    pub records: u64,
    /// Records that break a rule of the format.
    pub broken: u64,
    /// Records whose side to move has no move while the other has one.
    pub must_pass: u64,
    /// Records where nobody has a move.
    pub game_over: u64,
    values: [u64; VALUES],
    discs: [u64; 65],
}

impl Measured {
    /// Of nothing.
    pub const NONE: Measured = Measured {
        records: 0,
        broken: 0,
        must_pass: 0,
        game_over: 0,
        values: [0; VALUES],
        discs: [0; 65],
    };

    /// Takes in the sums of other records.
    pub fn add(&mut self, other: &Measured) {
        self.records += other.records;
        self.broken += other.broken;
        self.must_pass += other.must_pass;
        self.game_over += other.game_over;
        for (sum, n) in self.values.iter_mut().zip(&other.values) {
            *sum += n;
        }
        for (sum, n) in self.discs.iter_mut().zip(&other.discs) {
            *sum += n;
        }
    }

    /// Records that keep the rules.
    pub fn sound(&self) -> u64 {
        self.records - self.broken
    }

    /// The values that occur, ascending, and how often.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = (i16, u64)> {
        let all = (-MAX_VALUE..=MAX_VALUE).zip(self.values);
        all.filter(|(_, n)| *n > 0)
    }

    /// The phases that occur (discs on the board − 4), ascending, and how often.
    pub fn phases(&self) -> impl Iterator<Item = (u8, u64)> {
        let all = (0..=60).zip(self.discs.into_iter().skip(4));
        all.filter(|(_, n)| *n > 0)
    }

    /// The smallest value.
    pub fn min(&self) -> Option<i16> {
        self.values().next().map(|(value, _)| value)
    }

    /// The largest value.
    pub fn max(&self) -> Option<i16> {
        self.values().next_back().map(|(value, _)| value)
    }

    /// Their mean.
    pub fn mean(&self) -> Option<f64> {
        let n = self.sound();
        let sum: i128 = self
            .values()
            .map(|(v, n)| i128::from(v) * i128::from(n))
            .sum();
        (n > 0).then(|| sum as f64 / n as f64)
    }

    /// Their standard deviation: root of the mean squared distance from the mean.
    pub fn standard_deviation(&self) -> Option<f64> {
        let mean = self.mean()?;
        let squares: f64 = self
            .values()
            .map(|(value, n)| (f64::from(value) - mean).powi(2) * n as f64)
            .sum();
        Some((squares / self.sound() as f64).sqrt())
    }

    fn count(&mut self, record: &Record) {
        if let Some(n) = self.values.get_mut((record.value + MAX_VALUE) as usize) {
            *n += 1;
        }
        self.discs[record.board.discs() as usize] += 1;
        if record.board.legal_moves() == 0 {
            match record.board.passed().legal_moves() {
                0 => self.game_over += 1,
                _ => self.must_pass += 1,
            }
        }
    }
}

/// A file measured.
#[derive(Clone, Debug)]
pub(super) struct FileMeasure {
    /// Its sums.
    pub measured: Measured,
    /// The first record that breaks a rule, and which.
    pub first_broken: Option<(u64, RecordFault)>,
}

/// Reads every file once; `phases` has the phase of each where it is known. `read` is told how many
/// bytes have been read.
pub(super) fn measure(
    files: &[&Records],
    phases: &[Option<u8>],
    read: impl Fn(u64) + Sync,
) -> (Vec<FileMeasure>, Vec<(usize, DatasetError)>) {
    let sums: Vec<Mutex<FileMeasure>> = files
        .iter()
        .map(|_| {
            Mutex::new(FileMeasure {
                measured: Measured::NONE,
                first_broken: None,
            })
        })
        .collect();
    let errors = for_each_block(
        files,
        || (),
        |(), file, first, records| {
            let block = measure_block(first, records, phases[file]);
            let mut sum = sums[file].lock().unwrap_or_else(PoisonError::into_inner);
            sum.measured.add(&block.measured);
            sum.first_broken = match (sum.first_broken, block.first_broken) {
                (Some(a), Some(b)) => Some(if a.0 <= b.0 { a } else { b }),
                (a, b) => a.or(b),
            };
            drop(sum);
            read(size_of_val(records) as u64);
        },
    );
    let sums = sums
        .into_iter()
        .map(|sum| sum.into_inner().unwrap_or_else(PoisonError::into_inner))
        .collect();
    (sums, errors)
}

fn measure_block(first: u64, records: &[[u8; RECORD_SIZE]], phase: Option<u8>) -> FileMeasure {
    let mut measured = Measured::NONE;
    let mut first_broken = None;
    for (number, bytes) in (first..).zip(records) {
        let record = Record::decode(bytes);
        match check_record(&record, phase) {
            Ok(()) => measured.count(&record),
            Err(fault) => {
                measured.broken += 1;
                first_broken.get_or_insert((number, fault));
            }
        }
    }
    measured.records = records.len() as u64;
    FileMeasure {
        measured,
        first_broken,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Game};

    fn record(moves: &str, value: i16) -> [u8; RECORD_SIZE] {
        let board = Game::from_move_text(moves).unwrap().board();
        Record { board, value }.encode()
    }

    #[test]
    fn mean_and_deviation_are_those_of_the_textbook() {
        // 2, 4, 4, 4, 5, 5, 7, 9 have the mean 5 and the standard deviation 2.
        let records = [2, 4, 4, 4, 5, 5, 7, 9].map(|value| record("f5", value));
        let found = measure_block(0, &records, Some(1)).measured;
        assert_eq!(
            (found.mean(), found.standard_deviation()),
            (Some(5.0), Some(2.0))
        );
        assert_eq!((found.min(), found.max()), (Some(2), Some(9)));
        assert_eq!(
            found.values().map(|(_, n)| n).collect::<Vec<_>>(),
            [1, 3, 2, 1, 1]
        );
        assert_eq!(found.phases().collect::<Vec<_>>(), [(1, 8)]);
        assert_eq!(Measured::NONE.mean(), None);
    }

    #[test]
    fn broken_records_are_counted_and_left_out() {
        let overlap = Record {
            board: Board {
                own: Board::START.own,
                opponent: u64::MAX,
            },
            value: 0,
        };
        let records = [
            record("f5", 3),
            overlap.encode(),
            record("f5", 65),
            record("f5d6", 1),
            record("f5", -64),
        ];
        let found = measure_block(70, &records, Some(1));
        assert_eq!(found.first_broken, Some((71, RecordFault::Overlap(2))));
        assert_eq!((found.measured.records, found.measured.broken), (5, 3));
        assert_eq!(found.measured.min(), Some(-64));
        assert_eq!(found.measured.max(), Some(3));
        // Where the phase is unknown, other numbers of discs are no fault.
        assert_eq!(measure_block(0, &records, None).measured.broken, 2);
    }

    #[test]
    fn passes_and_finished_games_are_told_apart() {
        // The shortest game: White has no disc left after nine moves.
        let over = record("e6f4e3f6g5d6e7f5c5", -13);
        // c4 looks along full lines only, to the right and down to g8; White can take it from b4.
        let text = "-------- -------- -------- --XOOOOO ---OO--- ----O--- -----O-- ------O- X";
        let (board, _) = crate::board::parse_position(text).unwrap();
        let pass = Record { board, value: 0 }.encode();
        let found = measure_block(0, &[over, pass, record("f5", 1)], None).measured;
        assert_eq!((found.must_pass, found.game_over), (1, 1));
    }
}
