//! From a raw game to the positions that are recorded of it.

use super::Filter;
use super::options::{ImportOptions, Unfinished, Values};
use super::reading::RawGame;
use super::tally::Tally;
use crate::board::{Board, Color, ScoreRule};
use crate::config::SplitBy;
use crate::dataset::split::{Split, Thresholds};
use crate::records::{Fault, GameRecord, Placed, Replay};
use sha2::{Digest, Sha256};

/// A position before a move, with the outcome of its game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sample {
    /// Seen from the side that moves.
    pub board: Board,
    /// Final difference for the side that moves, −64..=64.
    pub value: i8,
    /// The split of the game, where it decides.
    pub split: Option<Split>,
}

/// What some games gave.
#[derive(Default)]
pub(super) struct Harvest {
    /// The positions in the order of the games.
    pub samples: Vec<Sample>,
    /// What was counted.
    pub tally: Tally,
    /// Bad games: index of the file, number in it, what is wrong. As many as are to be reported.
    pub bad: Vec<(usize, u64, Fault)>,
}

/// What decides which positions of a game are taken.
#[derive(Clone, Copy)]
pub(super) struct Selection {
    /// Bit n: phase n is wanted.
    phases: u64,
    max_per_game: Option<usize>,
    winner_only: bool,
    score_rule: ScoreRule,
    unfinished: Unfinished,
    values: Values,
    by_game: Option<Thresholds>,
    /// Bad games that are kept; more are counted only.
    kept_bad_games: usize,
}

impl Selection {
    /// As the options say.
    pub(super) fn new(options: &ImportOptions) -> Selection {
        Selection {
            phases: options
                .phases
                .iter()
                .fold(0, |set, &phase| set | 1 << phase),
            max_per_game: options.max_per_game.map(|n| n as usize),
            winner_only: options.winner_only,
            score_rule: options.score_rule,
            unfinished: options.unfinished,
            values: options.values,
            by_game: match options.split_by {
                SplitBy::Position => None,
                SplitBy::Game => Some(Thresholds::new(&options.split)),
            },
            kept_bad_games: (options.reported_bad_games as usize).max(1),
        }
    }
}

/// Takes positions from one game after the other, reusing its memory.
pub(super) struct Harvester<'a> {
    selection: Selection,
    filter: &'a Filter,
    record: GameRecord,
    replay: Replay,
    harvest: Harvest,
}

impl<'a> Harvester<'a> {
    /// With room for the positions of `games` games.
    pub(super) fn new(selection: Selection, filter: &'a Filter, games: usize) -> Harvester<'a> {
        let mut harvest = Harvest::default();
        harvest.samples.reserve(games * 60);
        Harvester {
            selection,
            filter,
            record: GameRecord::default(),
            replay: Replay::default(),
            harvest,
        }
    }

    /// Takes the positions of one game, or notes why there are none.
    pub(super) fn take(&mut self, raw: &RawGame<'_>) {
        self.harvest.tally.games += 1;
        if let Err(fault) = self.try_take(raw) {
            let tally = &mut self.harvest.tally;
            *tally.bad.entry(fault.reason()).or_default() += 1;
            if self.harvest.bad.len() < self.selection.kept_bad_games {
                self.harvest.bad.push((raw.file, raw.number, fault));
            }
        }
    }

    /// Everything taken so far.
    pub(super) fn finish(self) -> Harvest {
        self.harvest
    }

    fn try_take(&mut self, raw: &RawGame<'_>) -> Result<(), Fault> {
        let bytes = raw.content.map_err(Fault::clone)?;
        self.record.clear();
        match raw.header {
            Some(header) => raw.format.parse_with(bytes, header, &mut self.record)?,
            None => raw.format.parse(bytes, &mut self.record)?,
        }
        if !self.filter.takes(&self.record.facts) {
            self.harvest.tally.filtered += 1;
            return Ok(());
        }
        match self.selection.values {
            Values::AsGiven { round } => return self.take_given(round),
            Values::OfGames if self.record.is_valued_position() => {
                return Err(Fault::ValuedPosition);
            }
            Values::OfGames => {}
        }
        self.replay.run(&self.record)?;
        if self.replay.is_finished() && self.contradicts() {
            self.harvest.tally.contradicted += 1;
        }
        let tally = &mut self.harvest.tally;
        let for_black = if self.replay.is_finished() {
            self.replay.black_score(self.selection.score_rule)
        } else {
            match (self.selection.unfinished, self.record.claim) {
                (Unfinished::Claimed, Some(claim)) => {
                    tally.claimed += 1;
                    i16::from(claim)
                }
                _ => {
                    tally.unfinished += 1;
                    return Ok(());
                }
            }
        };
        tally.mirrored += u64::from(self.replay.mirrored);
        self.select(for_black as i8);
        Ok(())
    }

    /// Whether the file claims another result than the board shows, by either way of counting.
    fn contradicts(&self) -> bool {
        let counted = [
            self.replay.black_score(ScoreRule::Plain),
            self.replay.black_score(ScoreRule::WinnerTakesEmpties),
        ];
        let turned = if self.replay.mirrored { -1 } else { 1 };
        self.record
            .claim
            .is_some_and(|claim| !counted.map(|n| n * turned).contains(&claim.into()))
    }

    /// Takes a position with the value that the file gives.
    fn take_given(&mut self, round: bool) -> Result<(), Fault> {
        let record = &self.record;
        let (Some(start), Some(value), []) = (record.start, record.value, &record.moves[..]) else {
            return Err(Fault::NoValue);
        };
        start.check()?;
        if !(-64.0..=64.0).contains(&value) {
            return Err(Fault::BadValue(value.to_string().into()));
        }
        if !round && value.fract() != 0.0 {
            return Err(Fault::Fraction(value.to_string().into()));
        }
        let color = start.color.unwrap_or(Color::Black);
        let board = Board::from_colors(start.black, start.white, color);
        if self.selection.phases >> board.phase() & 1 != 0 {
            self.harvest.samples.push(Sample {
                board,
                // Rounds half away from zero, and stays in range.
                value: value.round() as i8,
                split: None,
            });
            self.harvest.tally.positions += 1;
            self.harvest.tally.used += 1;
        }
        Ok(())
    }

    fn select(&mut self, for_black: i8) {
        let Selection {
            phases,
            winner_only,
            max_per_game,
            by_game,
            ..
        } = self.selection;
        let hash = match (by_game, max_per_game) {
            (None, None) => 0,
            _ => game_hash(&self.replay.placed),
        };
        let split = by_game.map(|shares| shares.split(hash));
        let value_for = |color| match color {
            Color::Black => for_black,
            Color::White => -for_black,
        };
        let wanted = |placed: &&Placed| {
            phases >> placed.board.phase() & 1 != 0 && (!winner_only || value_for(placed.color) > 0)
        };
        let samples = &mut self.harvest.samples;
        let before = samples.len();
        samples.extend(
            self.replay
                .placed
                .iter()
                .filter(wanted)
                .map(|placed| Sample {
                    board: placed.board,
                    value: value_for(placed.color),
                    split,
                }),
        );
        let found = samples.len() - before;
        if let Some(most) = max_per_game.filter(|&most| most < found) {
            for kept in 0..most {
                samples[before + kept] = samples[before + evenly(kept, most, found, hash as u32)];
            }
            samples.truncate(before + most);
        }
        let taken = (samples.len() - before) as u64;
        self.harvest.tally.positions += taken;
        self.harvest.tally.used += u64::from(taken > 0);
    }
}

/// The index of the `kept`-th of `most` elements that lie evenly among `found`: one in each of as
/// many equal stretches, `offset` / 2^32 of the way into it. Never below `kept`. The offset differs
/// from game to game, or all games would give the same phases.
fn evenly(kept: usize, most: usize, found: usize, offset: u32) -> usize {
    let place = (kept as u128) << 32 | u128::from(offset);
    ((place * found as u128 / most as u128) >> 32) as usize
}

/// Decides the split of a game, the same for its eight images
/// ([`crate::dataset::import::SPLIT_BY_GAME`]).
fn game_hash(placed: &[Placed]) -> u64 {
    let mut hash = Sha256::new();
    for placed in placed {
        let Board { own, opponent } = placed.board.canonical();
        hash.update(own.to_le_bytes());
        hash.update(opponent.to_le_bytes());
    }
    let digest = hash.finalize();
    digest[..8]
        .iter()
        .fold(0, |hash, &byte| hash << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Game, Symmetry};

    #[test]
    fn positions_are_spread_evenly() {
        const HALF: u32 = 1 << 31;
        let picked = |most, found, offset| -> Vec<usize> {
            let at = |kept| evenly(kept, most, found, offset);
            (0..most).map(at).collect()
        };
        assert_eq!(picked(1, 60, HALF), [30]);
        assert_eq!(picked(3, 60, HALF), [10, 30, 50]);
        assert_eq!(picked(3, 60, 0), [0, 20, 40]);
        assert_eq!(picked(3, 60, u32::MAX), [19, 39, 59]);
        for offset in [0, 1, HALF, u32::MAX] {
            for found in 2..70 {
                for most in 1..found {
                    let picked = picked(most, found, offset);
                    assert!(picked.windows(2).all(|pair| pair[0] < pair[1]));
                    assert!(picked[most - 1] < found);
                    assert!(picked.iter().enumerate().all(|(kept, &at)| at >= kept));
                }
            }
        }
    }

    #[test]
    fn over_many_games_every_place_is_taken_as_often() {
        let mut taken = [0_u32; 60];
        for game in 0..6000_u64 {
            let hash = game.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let offset = (hash >> 32) as u32;
            (0..10).for_each(|kept| taken[evenly(kept, 10, 60, offset)] += 1);
        }
        assert!(
            taken.iter().all(|count| (900..1100).contains(count)),
            "{taken:?}"
        );
    }

    #[test]
    fn the_hash_of_a_game_is_pinned_and_the_same_for_its_images() {
        let game = Game::from_move_text("f5d6c3").unwrap();
        let hash = |symmetry: Symmetry| {
            let mut record = GameRecord::default();
            for mv in game.moves() {
                let crate::board::Move::Play(square) = *mv else {
                    panic!("no pass in this game");
                };
                record.push(symmetry.apply_square(square).into());
            }
            let mut replay = Replay::default();
            replay.run(&record).unwrap();
            game_hash(&replay.placed)
        };
        for symmetry in Symmetry::ALL {
            assert_eq!(hash(symmetry), hash(Symmetry::ALL[0]));
        }
        // From another program: Python's hashlib over the three canonical positions.
        assert_eq!(hash(Symmetry::ALL[0]), 0xc4b8_938a_bb7a_5746);
    }
}
