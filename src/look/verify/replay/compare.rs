//! Records as games give them, against the records of a phase's files, in step.

use super::super::fault::{FaultList, Place};
use crate::board::Board;
use crate::dataset::DatasetError;
use crate::dataset::record::{RECORD_SIZE, Record};
use crate::dataset::split::Split;
use crate::dataset::tree::Records;
use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};

/// How far apart two records may have changed places to be called swapped, and how many records
/// too many or too few are passed over at once.
const REACH: usize = 64;

/// Records of one read.
const READ: u64 = 1 << 14;

/// Records without a place that are remembered; more are told one by one.
const REMEMBERED: usize = 1 << 16;

/// A record as a game gives it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Expected {
    /// The position.
    pub board: Board,
    /// Its value.
    pub value: i16,
    /// Its file.
    pub split: Split,
    /// The game.
    pub game: u64,
    /// Moves before the position.
    pub ply: u8,
}

impl Expected {
    fn record(&self) -> Record {
        Record {
            board: self.board,
            value: self.value,
        }
    }

    fn source(&self) -> String {
        format!("game {}, after move {}", self.game, self.ply)
    }
}

/// The three files of a phase.
#[derive(Debug)]
pub(super) struct PhaseFilesCheck {
    index: usize,
    splits: [SplitCheck; 3],
    found: Vec<Finding>,
}

/// Something that is wrong with a record.
#[derive(Debug)]
enum Finding {
    Value(Split, u64, Record, Expected),
    Swapped(Split, u64, u64, Expected),
    /// In the file, and no game gives it here.
    Extra(Split, u64, Record),
    /// A game gives it, and it is not in the file here.
    Missing(u64, Expected),
    Unreadable(Split, DatasetError),
}

#[derive(Debug)]
struct SplitCheck {
    split: Split,
    part: usize,
    records: Option<Records>,
    /// Records that count.
    count: u64,
    /// Number of the next record.
    at: u64,
    /// Records read, from number `first` on.
    buffer: Vec<[u8; RECORD_SIZE]>,
    first: u64,
    pending: VecDeque<Expected>,
}

impl PhaseFilesCheck {
    /// The files that could be opened, each with its place in the phase, read up to so many
    /// records.
    pub(super) fn new(
        index: usize,
        opened: [Option<(usize, Records)>; 3],
        limits: [u64; 3],
    ) -> PhaseFilesCheck {
        let mut opened = opened.into_iter();
        let splits = Split::ALL.map(|split| {
            let (part, records) = opened.next().flatten().unzip();
            let count = records.as_ref().map_or(0, Records::count);
            SplitCheck {
                split,
                part: part.unwrap_or(0),
                count: count.min(limits[split.index()]),
                records,
                at: 0,
                buffer: Vec::new(),
                first: 0,
                pending: VecDeque::new(),
            }
        });
        PhaseFilesCheck {
            index,
            splits,
            found: Vec::new(),
        }
    }

    /// The next record of its file.
    pub(super) fn expect(&mut self, expected: Expected) {
        let split = &mut self.splits[expected.split.index()];
        // A file that could not be opened is told elsewhere.
        if split.records.is_none() {
            return;
        }
        split.pending.push_back(expected);
        while split.pending.len() > REACH {
            split.step(&mut self.found);
        }
    }

    /// Compares what is left and tells everything that was found.
    pub(super) fn finish(&mut self, faults: &mut FaultList) {
        for split in &mut self.splits {
            while !split.pending.is_empty() {
                split.step(&mut self.found);
            }
            while let Some(record) = split.peek(0, &mut self.found) {
                self.found
                    .push(Finding::Extra(split.split, split.at, record));
                split.at += 1;
            }
        }
        self.tell(faults);
    }

    fn tell(&mut self, faults: &mut FaultList) {
        let found = std::mem::take(&mut self.found);
        // A record that is too many in one place and missing in another was moved.
        let mut missing: HashMap<[u8; RECORD_SIZE], (u64, Expected)> = HashMap::new();
        for finding in &found {
            if let Finding::Missing(at, expected) = finding
                && missing.len() < REMEMBERED
            {
                missing.insert(expected.record().encode(), (*at, *expected));
            }
        }
        let mut moved = std::collections::HashSet::new();
        let mut add = |split: Split, record, kind, message: String| {
            let check = &self.splits[split.index()];
            let place = Place {
                phase: self.index,
                part: check.part,
                record,
            };
            faults.add(place, &check.path(), kind, message);
        };
        for finding in &found {
            match finding {
                Finding::Value(split, at, record, expected) => {
                    let side = match record.value == -expected.value {
                        true => ", as seen from the wrong side",
                        false => "",
                    };
                    let message = format!(
                        "value {} where {} gives {}{side}",
                        record.value,
                        expected.source(),
                        expected.value
                    );
                    add(*split, Some(*at), "replay_value", message);
                }
                Finding::Swapped(split, at, other, expected) => {
                    let message = format!(
                        "it has changed places with record {other} ({} belongs here)",
                        expected.source()
                    );
                    add(*split, Some(*at), "replay_order", message);
                }
                Finding::Extra(split, at, record) => {
                    let Some((place, expected)) = missing.get(&record.encode()) else {
                        let message = "no kept game gives this record".to_owned();
                        add(*split, Some(*at), "replay_extra", message);
                        continue;
                    };
                    moved.insert(record.encode());
                    let (kind, message) = match expected.split == *split {
                        true => (
                            "replay_order",
                            format!("it belongs to number {place} ({})", expected.source()),
                        ),
                        false => (
                            "replay_split",
                            format!(
                                "it belongs in {} ({})",
                                expected.split.file_name(),
                                expected.source()
                            ),
                        ),
                    };
                    add(*split, Some(*at), kind, message);
                }
                Finding::Missing(..) => {}
                Finding::Unreadable(split, error) => {
                    add(*split, None, "unreadable", error.to_string());
                }
            }
        }
        for finding in &found {
            if let Finding::Missing(at, expected) = finding
                && !moved.contains(&expected.record().encode())
            {
                let message = format!("the record of {} is missing here", expected.source());
                add(expected.split, Some(*at), "replay_missing", message);
            }
        }
    }
}

impl SplitCheck {
    fn path(&self) -> PathBuf {
        self.records
            .as_ref()
            .map_or(Path::new(self.split.file_name()), Records::path)
            .to_owned()
    }

    /// The record `ahead` behind the next one.
    fn peek(&mut self, ahead: usize, found: &mut Vec<Finding>) -> Option<Record> {
        let number = self.at + ahead as u64;
        if number >= self.count {
            return None;
        }
        let end = self.first + self.buffer.len() as u64;
        if number >= end || number < self.first {
            self.first = self.at;
            let wanted = (self.count - self.at).min(READ);
            self.buffer.resize(wanted as usize, [0; RECORD_SIZE]);
            let records = self.records.as_ref()?;
            if let Err(error) = records.read(self.at, &mut self.buffer) {
                found.push(Finding::Unreadable(self.split, error));
                self.buffer.clear();
                self.count = self.at;
                return None;
            }
        }
        let at = usize::try_from(number - self.first).ok()?;
        self.buffer.get(at).map(Record::decode)
    }

    /// Disposes of the first pending record at least.
    fn step(&mut self, found: &mut Vec<Finding>) {
        let Some(&expected) = self.pending.front() else {
            return;
        };
        let wanted = expected.record();
        let Some(there) = self.peek(0, found) else {
            found.push(Finding::Missing(self.at, expected));
            self.pending.pop_front();
            return;
        };
        if there == wanted {
            self.advance();
            return;
        }
        if there.board == wanted.board {
            found.push(Finding::Value(self.split, self.at, there, expected));
            self.advance();
            return;
        }
        let is_later = (1..REACH).find(|&ahead| self.peek(ahead, found) == Some(wanted));
        let comes_later = (1..self.pending.len()).find(|&at| self.pending[at].record() == there);
        match (is_later, comes_later) {
            (Some(ahead), Some(at)) if ahead == at => {
                let other = self.at + ahead as u64;
                found.push(Finding::Swapped(self.split, self.at, other, expected));
                // From here on as if they stood where they stand.
                self.pending.swap(0, at);
            }
            (Some(ahead), _) => {
                for _ in 0..ahead {
                    if let Some(record) = self.peek(0, found) {
                        found.push(Finding::Extra(self.split, self.at, record));
                    }
                    self.at += 1;
                }
            }
            (None, Some(at)) => {
                for expected in self.pending.drain(..at) {
                    found.push(Finding::Missing(self.at, expected));
                }
            }
            (None, None) => {
                found.push(Finding::Extra(self.split, self.at, there));
                found.push(Finding::Missing(self.at, expected));
                self.advance();
            }
        }
    }

    fn advance(&mut self) {
        self.at += 1;
        self.pending.pop_front();
    }
}
