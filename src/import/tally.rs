//! What is counted while games are read.

use crate::base::shown::Shown;
use crate::dataset::import::ImportCounts;
use crate::progress::Losses;
use crate::records::Fault;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// The games of an import, or of a part of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games read, usable or not.
    pub games: u64,
    /// Games that gave positions.
    pub used: u64,
    /// Games not played to the end and therefore left out.
    pub unfinished: u64,
    /// Games not played to the end, taken with their claimed result.
    pub claimed: u64,
    /// Games on the mirrored start.
    pub mirrored: u64,
    /// Bad games by reason.
    pub bad: BTreeMap<&'static str, u64>,
    /// Games that the filter left out.
    pub filtered: u64,
    /// Finished games whose file claims another result than the board shows.
    pub contradicted: u64,
    /// Files of folders without games.
    pub skipped_files: u64,
    /// Positions taken.
    pub positions: u64,
}

impl Tally {
    /// Adds what another part counted.
    pub fn add(&mut self, other: &Tally) {
        self.games += other.games;
        self.used += other.used;
        self.unfinished += other.unfinished;
        self.claimed += other.claimed;
        self.mirrored += other.mirrored;
        self.filtered += other.filtered;
        self.contradicted += other.contradicted;
        for (reason, count) in &other.bad {
            *self.bad.entry(reason).or_default() += count;
        }
        self.skipped_files += other.skipped_files;
        self.positions += other.positions;
    }

    /// Bad games of all reasons.
    pub fn bad_games(&self) -> u64 {
        self.bad.values().sum()
    }

    /// Games that gave nothing.
    pub fn losses(&self) -> Losses {
        Losses {
            ended_early: 0,
            unbalanced: 0,
            failed: self.bad_games(),
            left_out: self.unfinished,
        }
    }

    /// As the files of the dataset tell it.
    pub fn counts(&self) -> ImportCounts {
        ImportCounts {
            games: self.games,
            used_games: self.used,
            unfinished_games: self.unfinished,
            claimed_games: self.claimed,
            mirrored_games: self.mirrored,
            filtered_games: self.filtered,
            contradicted_results: self.contradicted,
            bad_games: self.bad_games(),
            bad_games_by_reason: self
                .bad
                .iter()
                .map(|(&reason, &count)| (reason.to_owned(), count))
                .collect(),
            skipped_files: self.skipped_files,
            positions: self.positions,
            repeated_positions: None,
        }
    }
}

/// A game that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadGame {
    /// Where it stands.
    pub path: PathBuf,
    /// Its number in the file, from 1.
    pub number: u64,
    /// What is wrong with it.
    pub fault: Fault,
}

impl fmt::Display for BadGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BadGame {
            path,
            number,
            fault,
        } = self;
        write!(f, "{}, game {number}: {fault}", path.shown())
    }
}
