//! Which file a row goes into: the folder of its phase, the file of its split, and the number of the
//! file where one may only hold so many records.

use super::formats::Naming;
use super::options::Layout;
use super::row::{Row, split_name};
use crate::dataset::split::Split;
use std::path::PathBuf;

/// Slots of one phase: train, valid, test, no split.
const SPLITS: usize = 4;

/// One slot for each phase and split.
pub(super) const SLOTS: usize = 61 * SPLITS;

/// How rows are told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Slots {
    /// Folders.
    pub layout: Layout,
    /// Everything is in one file, whatever its split.
    pub one_file: bool,
}

/// The phase and split that share a slot; what is not told apart is absent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Group {
    /// Discs − 4.
    pub phase: Option<u8>,
    /// Of the file's name.
    pub split: Option<Split>,
}

impl Slots {
    /// Where a row of this phase and split goes.
    #[inline]
    pub(super) fn of(&self, phase: u8, split: Option<Split>) -> usize {
        let split = match self.one_file {
            true => 0,
            false => split.map_or(SPLITS - 1, Split::index),
        };
        match self.layout {
            Layout::Single => split,
            Layout::Phase | Layout::Discs => usize::from(phase.min(60)) * SPLITS + split,
        }
    }

    /// The same, asked of the row.
    #[inline]
    pub(super) fn of_row(&self, row: &Row) -> usize {
        match self.layout {
            Layout::Single => self.of(0, row.split),
            Layout::Phase | Layout::Discs => self.of(row.phase(), row.split),
        }
    }

    /// What the rows of a slot share.
    pub(super) fn group(&self, slot: usize) -> Group {
        Group {
            phase: (self.layout != Layout::Single).then_some((slot / SPLITS) as u8),
            split: match self.one_file {
                true => None,
                false => Split::ALL.get(slot % SPLITS).copied(),
            },
        }
    }

    /// The folder of a group's files, relative to the output, with the splits as folders where the
    /// file's name has no room for them.
    pub(super) fn folder(&self, group: Group, split_folders: bool) -> PathBuf {
        let mut folder = PathBuf::new();
        if let Some(phase) = group.phase {
            folder.push(match self.layout {
                Layout::Discs => format!("phase_{}", u32::from(phase) + 4),
                _ => format!("phase_{phase:02}"),
            });
        }
        if split_folders {
            folder.push(split_name(group.split));
        }
        folder
    }
}

/// The name of a file: number `number` of `files` of its group.
pub(super) fn file_name(
    naming: Naming,
    group: Group,
    number: usize,
    files: usize,
    limited: bool,
    extension: &str,
) -> String {
    let split = split_name(group.split);
    match naming {
        Naming::Numbered { digits } => format!("{number:0digits$}.{extension}"),
        Naming::OfSplit if limited => format!("{split}-{number:05}.{extension}"),
        Naming::OfSplit => format!("{split}.{extension}"),
        Naming::OfTotal => format!("{split}-{number:05}-of-{files:05}.{extension}"),
    }
}

/// Rows on their way into one file.
#[derive(Debug)]
pub(super) struct Task {
    /// Where they go.
    pub slot: usize,
    /// Number of the file in its slot.
    pub file: usize,
    /// In order.
    pub rows: Vec<Row>,
}

/// Cuts the stream of rows into tasks that never span two files.
pub(super) struct Cutter {
    slots: Slots,
    /// Rows of every task but a file's last, where a format wants that.
    piece: Option<usize>,
    limit: u64,
    states: Vec<State>,
}

#[derive(Clone, Default)]
struct State {
    file: usize,
    in_file: u64,
    pending: Vec<Row>,
}

impl Cutter {
    /// With files of at most `limit` records.
    pub(super) fn new(slots: Slots, piece: Option<usize>, limit: Option<u64>) -> Cutter {
        Cutter {
            slots,
            piece,
            limit: limit.unwrap_or(u64::MAX),
            states: vec![State::default(); SLOTS],
        }
    }

    /// Takes rows; `slot` where all have the same.
    pub(super) fn push(&mut self, slot: Option<usize>, rows: Vec<Row>, tasks: &mut Vec<Task>) {
        match slot {
            Some(slot) => {
                let state = &mut self.states[slot];
                if state.pending.is_empty() {
                    state.pending = rows;
                } else {
                    state.pending.extend(rows);
                }
                self.cut(slot, false, tasks);
            }
            None => {
                for row in rows {
                    self.states[self.slots.of_row(&row)].pending.push(row);
                }
                for slot in 0..SLOTS {
                    self.cut(slot, false, tasks);
                }
            }
        }
    }

    /// Gives what is left.
    pub(super) fn finish(&mut self, tasks: &mut Vec<Task>) {
        for slot in 0..SLOTS {
            self.cut(slot, true, tasks);
        }
    }

    fn cut(&mut self, slot: usize, is_end: bool, tasks: &mut Vec<Task>) {
        let state = &mut self.states[slot];
        let mut start = 0;
        loop {
            let waiting = state.pending.len() - start;
            let room = usize::try_from(self.limit - state.in_file).unwrap_or(usize::MAX);
            let wanted = match self.piece {
                Some(piece) => room.min(piece),
                None => room.min(waiting.max(1)),
            };
            if waiting == 0 || (waiting < wanted && !is_end) {
                break;
            }
            let taken = waiting.min(wanted);
            let rows = match taken == state.pending.len() {
                true => std::mem::take(&mut state.pending),
                false => state.pending[start..start + taken].to_vec(),
            };
            start = if state.pending.is_empty() {
                0
            } else {
                start + taken
            };
            tasks.push(Task {
                slot,
                file: state.file,
                rows,
            });
            state.in_file += taken as u64;
            if state.in_file == self.limit {
                state.file += 1;
                state.in_file = 0;
            }
        }
        state.pending.drain(..start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    const SINGLE: Slots = Slots {
        layout: Layout::Single,
        one_file: false,
    };

    fn rows(range: std::ops::Range<u64>) -> Vec<Row> {
        range
            .map(|own| Row {
                board: Board { own, opponent: 0 },
                value: 0,
                split: Some(Split::Train),
            })
            .collect()
    }

    fn cut(piece: Option<usize>, limit: Option<u64>, pushes: &[u64]) -> Vec<(usize, Vec<u64>)> {
        let mut cutter = Cutter::new(SINGLE, piece, limit);
        let mut tasks = Vec::new();
        let mut start = 0;
        for (number, &end) in pushes.iter().enumerate() {
            let slot = (number % 2 == 0).then_some(0);
            cutter.push(slot, rows(start..end), &mut tasks);
            start = end;
        }
        cutter.finish(&mut tasks);
        tasks
            .into_iter()
            .map(|t| (t.file, t.rows.iter().map(|r| r.board.own).collect()))
            .collect()
    }

    #[test]
    fn tasks_never_span_files_and_lose_no_row() {
        let found = cut(None, Some(4), &[3, 9, 9, 10]);
        assert_eq!(
            found,
            [
                (0, vec![0, 1, 2]),
                (0, vec![3]),
                (1, vec![4, 5, 6, 7]),
                (2, vec![8]),
                (2, vec![9]),
            ]
        );
    }

    #[test]
    fn pieces_do_not_depend_on_how_the_rows_came() {
        let whole = cut(Some(3), Some(7), &[20]);
        assert_eq!(whole, cut(Some(3), Some(7), &[1, 2, 9, 13, 20]));
        let lengths: Vec<(usize, usize)> = whole.iter().map(|(f, r)| (*f, r.len())).collect();
        assert_eq!(
            lengths,
            [
                (0, 3),
                (0, 3),
                (0, 1),
                (1, 3),
                (1, 3),
                (1, 1),
                (2, 3),
                (2, 3)
            ]
        );
    }

    #[test]
    fn names_are_those_that_readers_look_for() {
        let slots = Slots {
            layout: Layout::Discs,
            one_file: false,
        };
        let group = slots.group(slots.of(7, Some(Split::Valid)));
        assert_eq!(slots.folder(group, false), PathBuf::from("phase_11"));
        assert_eq!(slots.folder(group, true), PathBuf::from("phase_11/valid"));
        let name = |naming, limited| file_name(naming, group, 3, 5, limited, "x");
        assert_eq!(name(Naming::OfSplit, false), "valid.x");
        assert_eq!(name(Naming::OfSplit, true), "valid-00003.x");
        assert_eq!(name(Naming::OfTotal, false), "valid-00003-of-00005.x");
        assert_eq!(name(Naming::Numbered { digits: 7 }, true), "0000003.x");
        assert_eq!(
            SINGLE.group(SINGLE.of(7, None)),
            Group {
                phase: None,
                split: None
            }
        );
    }
}
