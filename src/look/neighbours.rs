//! One-move neighbours across splits: positions of one split that are one move away from a position of
//! another. They share all discs but a few and often a result, so a test that is full of them measures
//! memory rather than judgement.

use crate::base::draw::draw as draw_numbers;
use crate::board::{Board, Squares};
use crate::dataset::DatasetError;
use crate::dataset::blocks::for_each_block;
use crate::dataset::record::Record;
use crate::dataset::split::Split;
use crate::dataset::tree::{Records, Tree};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Positions of each split that are looked at.
const SAMPLE: u64 = 5_000;
/// The same ones each time.
const SEED: u64 = 0;

/// Of the positions of a split, drawn at random, how many have a neighbour in which split.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Neighbours {
    /// Whose positions were drawn.
    pub split: Split,
    /// How many.
    pub drawn: u64,
    /// Whether these are all of the split.
    pub is_all: bool,
    /// Of these, with a neighbour in train, valid, test: a position from which one move leads to it, or
    /// to which one leads from it, passes included, up to symmetry.
    pub by_split: [u64; 3],
}

impl Neighbours {
    /// For programs.
    pub fn json(&self) -> Value {
        let by_split =
            Split::ALL.map(|split| (split.name().to_owned(), self.by_split[split.index()].into()));
        json!({
            "split": self.split.name(),
            "drawn": self.drawn,
            "neighbours": by_split.into_iter().collect::<Map<_, Value>>(),
        })
    }
}

/// Looks for them in a dataset; nothing where there are no splits.
///
/// # Errors
/// A file that was readable before is not any more.
pub(crate) fn neighbours(tree: &Tree) -> Result<Vec<Neighbours>, DatasetError> {
    let mut files: Vec<(Split, Records)> = Vec::new();
    for file in tree.files() {
        if let Some(split) = file.split
            && let Ok(records) = Records::open(&file.path)
        {
            files.push((split, records));
        }
    }
    let mut drawn = [0; 3];
    // Which of the drawn positions (split, number) have this neighbour.
    let mut wanted: HashMap<Board, Vec<(usize, usize)>> = HashMap::new();
    for split in Split::ALL {
        let own: Vec<&Records> = files
            .iter()
            .filter(|f| f.0 == split)
            .map(|f| &f.1)
            .collect();
        for board in draw(&own)? {
            let number = drawn[split.index()];
            drawn[split.index()] += 1;
            for neighbour in one_move_away(board) {
                let places = wanted.entry(neighbour.canonical()).or_default();
                places.push((split.index(), number as usize));
            }
        }
    }
    let found: [Vec<[AtomicBool; 3]>; 3] =
        drawn.map(|n| (0..n).map(|_| Default::default()).collect());
    let all: Vec<&Records> = files.iter().map(|(_, records)| records).collect();
    if !wanted.is_empty() {
        for_each_block(
            &all,
            || (),
            |(), file, _, records| {
                let split = files[file].0.index();
                for bytes in records {
                    let board = Record::decode(bytes).board;
                    if let Some(places) = wanted.get(&board.canonical()) {
                        for &(of, number) in places {
                            found[of][number][split].store(true, Relaxed);
                        }
                    }
                }
            },
        );
    }
    let total = |split: Split| -> u64 {
        let own = files.iter().filter(|f| f.0 == split);
        own.map(|f| f.1.count()).sum()
    };
    let count = |of: usize, split: usize| {
        let hits = found[of].iter().filter(|flags| flags[split].load(Relaxed));
        hits.count() as u64
    };
    Ok(Split::ALL
        .into_iter()
        .filter(|split| drawn[split.index()] > 0)
        .map(|split| Neighbours {
            split,
            drawn: drawn[split.index()],
            is_all: total(split) <= SAMPLE,
            by_split: [0, 1, 2].map(|other| count(split.index(), other)),
        })
        .collect())
}

/// The positions before and after one, as records show them: where somebody has a move, or nobody.
fn one_move_away(board: Board) -> Vec<Board> {
    let mut found: Vec<Board> = Squares(board.legal_moves())
        .filter_map(|square| board.play(square))
        .map(|next| {
            if next.must_pass() {
                next.passed()
            } else {
                next
            }
        })
        .collect();
    found.extend(board.predecessors());
    if board.passed().must_pass() {
        found.extend(board.passed().predecessors());
    }
    found
}

fn draw(files: &[&Records]) -> Result<Vec<Board>, DatasetError> {
    let total: u64 = files.iter().map(|records| records.count()).sum();
    let mut boards = Vec::new();
    let mut place = files.iter();
    let mut file = place.next();
    let mut before = 0;
    for number in draw_numbers(total, SAMPLE, SEED) {
        while let Some(records) = file
            && number >= before + records.count()
        {
            before += records.count();
            file = place.next();
        }
        let Some(records) = file else { break };
        let mut bytes = [[0; 18]];
        records.read(number - before, &mut bytes)?;
        let board = Record::decode(&bytes[0]).board;
        if board.own & board.opponent == 0 {
            boards.push(board);
        }
    }
    Ok(boards)
}
