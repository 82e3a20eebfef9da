//! The positions between reading and fitting: dealt out like cards into parts, by split and stage.
//!
//! Part number p of a deck of P parts has every P-th of its positions, so each part looks like the
//! whole however the input is sorted. All parts are regions of one file, whose places are known
//! before the first position is written.

use super::FitError;
use super::sources::Sources;
use crate::dataset::DatasetError;
use crate::dataset::files::open_or_create_own;
use crate::dataset::record::{RECORD_SIZE, Record};
use crate::dataset::split::Split;
use crate::engine::builtin::patterns::Stages;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// Positions of a part: 4.7 MB.
const PART: u64 = 1 << 18;

/// Memory for positions that wait to be written.
const WAITING_BYTES: usize = 64 << 20;

/// Positions of neighbouring stages that a stage also learns from, in discs.
const OVERLAP: u32 = 2;

/// One split of one stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Deck {
    /// Number of its first position in the file.
    first: u64,
    /// Positions.
    pub(super) rows: u64,
}

impl Deck {
    /// Its parts.
    pub(super) fn parts(&self) -> u64 {
        self.rows.div_ceil(PART)
    }

    /// Where a part begins, and its length.
    fn part(&self, part: u64) -> (u64, u64) {
        let (each, more) = (self.rows / self.parts(), self.rows % self.parts());
        let first = self.first + part * each + part.min(more);
        (first, each + u64::from(part < more))
    }
}

/// All decks, by split and stage.
pub(super) type Decks = [Vec<Deck>; 3];

/// The file, with its decks.
pub(super) struct Spool {
    path: PathBuf,
    file: File,
    pub(super) decks: Decks,
}

impl Spool {
    /// A file that was filled before.
    pub(super) fn open(path: &Path, decks: Decks) -> Result<Spool, FitError> {
        let file = open_or_create_own(path)?;
        let last = decks.iter().flatten().map(|deck| deck.first + deck.rows);
        let expected = last.max().unwrap_or(0) * RECORD_SIZE as u64;
        let found = file.metadata().map_err(DatasetError::io("read", path))?;
        if found.len() != expected {
            return Err(FitError::BadState {
                path: path.to_owned(),
                reason: format!("it has {} bytes instead of {expected}", found.len()).into(),
            });
        }
        Ok(Spool {
            path: path.to_owned(),
            file,
            decks,
        })
    }

    /// Deals out the positions of `sources`; `counts` are their numbers by split and discs, `look`
    /// sees each. `read` hears of every block.
    pub(super) fn fill(
        path: &Path,
        sources: &Sources,
        counts: &[[u64; 65]; 3],
        stages: &Stages,
        read: impl FnMut(u64) -> Result<(), FitError>,
        mut look: impl FnMut(Split, &Record),
    ) -> Result<Spool, FitError> {
        let decks = decks(counts, stages);
        let file = open_or_create_own(path)?;
        file.set_len(0).map_err(DatasetError::io("write", path))?;
        let spool = Spool {
            path: path.to_owned(),
            file,
            decks,
        };
        let mut dealers: [Vec<Dealer>; 3] = Default::default();
        let parts: u64 = spool.decks.iter().flatten().map(Deck::parts).sum();
        let limit = (WAITING_BYTES / parts.max(1) as usize).clamp(RECORD_SIZE, 1 << 16);
        for (dealers, decks) in dealers.iter_mut().zip(&spool.decks) {
            dealers.extend(decks.iter().map(|deck| Dealer::new(*deck)));
        }
        sources.for_each(read, |split, record| {
            look(split, record);
            let overlap = overlap_of(split);
            let bytes = record.encode();
            for stage in stages_of(stages, record.board.discs(), overlap) {
                dealers[split.index()][stage].deal(&bytes, limit, &spool)?;
            }
            Ok(())
        })?;
        for dealer in dealers.iter_mut().flatten() {
            dealer.flush(&spool)?;
        }
        let synced = spool.file.sync_data();
        synced.map_err(DatasetError::io("sync", path))?;
        Ok(spool)
    }

    /// Reads a part.
    pub(super) fn read(
        &self,
        split: Split,
        stage: usize,
        part: u64,
        into: &mut Vec<[u8; RECORD_SIZE]>,
    ) -> Result<(), FitError> {
        let (first, rows) = self.decks[split.index()][stage].part(part);
        into.resize(rows as usize, [0; RECORD_SIZE]);
        let read = self
            .file
            .read_exact_at(into.as_flattened_mut(), first * RECORD_SIZE as u64);
        Ok(read.map_err(DatasetError::io("read", &self.path))?)
    }
}

/// Only what is learned from is shared with the neighbours.
fn overlap_of(split: Split) -> u32 {
    match split {
        Split::Train => OVERLAP,
        Split::Valid | Split::Test => 0,
    }
}

/// The stages that a position with so many discs belongs to.
fn stages_of(stages: &Stages, discs: u32, overlap: u32) -> std::ops::RangeInclusive<usize> {
    stages.of(discs.saturating_sub(overlap))..=stages.of(discs + overlap)
}

fn decks(counts: &[[u64; 65]; 3], stages: &Stages) -> Decks {
    let mut first = 0;
    Split::ALL.map(|split| {
        let mut decks = vec![Deck::default(); stages.number()];
        for (discs, &count) in (0..).zip(&counts[split.index()]) {
            for stage in stages_of(stages, discs, overlap_of(split)) {
                decks[stage].rows += count;
            }
        }
        for deck in &mut decks {
            deck.first = first;
            first += deck.rows;
        }
        decks
    })
}

/// Deals the positions of one deck.
struct Dealer {
    deck: Deck,
    /// Positions dealt.
    dealt: u64,
    /// For each part what waits to be written, and how many positions were written.
    waiting: Vec<(Vec<u8>, u64)>,
}

impl Dealer {
    fn new(deck: Deck) -> Dealer {
        Dealer {
            deck,
            dealt: 0,
            waiting: vec![(Vec::new(), 0); deck.parts() as usize],
        }
    }

    fn deal(
        &mut self,
        bytes: &[u8; RECORD_SIZE],
        limit: usize,
        spool: &Spool,
    ) -> Result<(), FitError> {
        // A file that grew since it was counted: its new positions have no place.
        if self.dealt == self.deck.rows {
            return Ok(());
        }
        let part = self.dealt % self.waiting.len() as u64;
        self.dealt += 1;
        let waiting = &mut self.waiting[part as usize];
        waiting.0.extend_from_slice(bytes);
        match waiting.0.len() >= limit {
            true => write(&self.deck, part, waiting, spool),
            false => Ok(()),
        }
    }

    fn flush(&mut self, spool: &Spool) -> Result<(), FitError> {
        for (part, waiting) in (0..).zip(&mut self.waiting) {
            write(&self.deck, part, waiting, spool)?;
        }
        Ok(())
    }
}

fn write(
    deck: &Deck,
    part: u64,
    (bytes, written): &mut (Vec<u8>, u64),
    spool: &Spool,
) -> Result<(), FitError> {
    let at = (deck.part(part).0 + *written) * RECORD_SIZE as u64;
    let done = spool.file.write_all_at(bytes, at);
    done.map_err(DatasetError::io("write", &spool.path))?;
    *written += (bytes.len() / RECORD_SIZE) as u64;
    bytes.clear();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_share_a_deck_without_gaps() {
        for rows in [1, 5, PART, PART + 1, 3 * PART + 2] {
            let deck = Deck { first: 7, rows };
            let mut next = 7;
            for part in 0..deck.parts() {
                let (first, length) = deck.part(part);
                assert_eq!(first, next);
                assert!(length <= PART);
                next += length;
            }
            assert_eq!(next, 7 + rows);
        }
    }

    #[test]
    fn neighbours_share_two_discs() {
        let stages = Stages::equal(9);
        let of = |discs, overlap| stages_of(&stages, discs, overlap).collect::<Vec<_>>();
        assert_eq!(of(15, 0), [0]);
        assert_eq!(of(14, 2), [0, 1]);
        assert_eq!(of(17, 2), [0, 1]);
        assert_eq!(of(18, 2), [1]);
        assert_eq!(of(64, 2), [8]);
        assert_eq!(of(1, 2), [0]);
    }
}
