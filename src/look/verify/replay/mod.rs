//! `--replay`: every kept game is played again by the rules, every record derived from it, and
//! compared with the files byte by byte: order, values, splits and duplicates are all proved.

mod compare;

use super::fault::{FaultList, Place};
use super::sidecars::Sidecars;
use crate::dataset::DatasetError;
use crate::dataset::positions::PositionSet;
use crate::dataset::split::Split;
use crate::dataset::tree::{Records, Tree, TreeKind};
use crate::dataset::watch::Watch;
use crate::games::{
    Batch, Damage, GamesDir, GamesError, GamesFile, GamesState, Item, Recording, ReplayFault,
    Sample, find_games, replay,
};
use compare::{Expected, PhaseFilesCheck};
use rayon::prelude::*;
use std::path::Path;

/// Games' faults come behind those of the records of their phase, before its JSON files.
const GAMES_PART: usize = 1 << 15;

/// Games that one thread replays at a time.
const PIECE: usize = 256;

/// Replays the games of a dataset; gives how many.
pub(super) fn check_replay(
    tree: &Tree,
    sidecars: &[Sidecars],
    watch: &dyn Watch,
    faults: &mut FaultList,
) -> u64 {
    let mut add = |path: &Path, kind, message: String| {
        let place = Place {
            phase: 0,
            part: GAMES_PART,
            record: None,
        };
        faults.add(place, path, kind, message);
    };
    if tree.kind != TreeKind::Dataset {
        let message =
            "games are kept beside the phases of a dataset; name its folder to replay them";
        add(&tree.root, "no_games", message.to_owned());
        return 0;
    }
    let folders = match find_games(&tree.root) {
        Ok(folders) => folders,
        Err(error) => {
            add(&tree.root, "unreadable", error.to_string());
            return 0;
        }
    };
    if folders.is_empty() {
        let message = "no games are kept here (`games.keep`), so none can be replayed";
        add(&tree.root, "no_games", message.to_owned());
        return 0;
    }
    let mut games = 0;
    let mut covered = vec![false; tree.phases.len()];
    for dir in folders {
        let mut campaign = Campaign::find(dir, tree, sidecars, faults);
        for phase in &campaign.phases {
            covered[phase.index] = true;
        }
        games += campaign.check(watch, faults);
    }
    for (files, is_covered) in tree.phases.iter().zip(covered) {
        if let (false, Some(folder)) = (is_covered, &files.folder) {
            let place = Place {
                phase: 0,
                part: GAMES_PART,
                record: None,
            };
            let message = "no kept games belong to this phase, so it cannot be replayed";
            faults.add(place, folder, "no_games", message.to_owned());
        }
    }
    games
}

/// The games of a phase or window, and the phases that follow from them.
struct Campaign {
    dir: GamesDir,
    state: Option<GamesState>,
    recording: Option<Recording>,
    phases: Vec<PhaseReplay>,
}

/// A phase that is compared.
struct PhaseReplay {
    /// Its place in the report.
    index: usize,
    phase: u8,
    /// No game from here on is in it.
    next_game: u64,
    seen: PositionSet,
    files: PhaseFilesCheck,
    memory: Option<DatasetError>,
}

/// What one game gives.
struct Replayed {
    number: u64,
    samples: std::ops::Range<usize>,
    /// Plies before the game's first move.
    first_phase: u8,
}

impl Campaign {
    fn find(dir: GamesDir, tree: &Tree, sidecars: &[Sidecars], faults: &mut FaultList) -> Campaign {
        let mut campaign = Campaign {
            state: None,
            recording: None,
            phases: Vec::new(),
            dir,
        };
        for (index, (files, sidecars)) in tree.phases.iter().zip(sidecars).enumerate() {
            let (Some(phase), Some(state)) = (files.phase, &sidecars.state) else {
                continue;
            };
            if !state.keeps_games || state.anchor.unwrap_or(phase) != campaign.dir.anchor() {
                continue;
            }
            // At the anchor both ways to split come to the same; the others tell which it was.
            if campaign.recording.is_none() || phase != campaign.dir.anchor() {
                campaign.recording = Recording::from_settings(&state.settings);
            }
            let mut opened: [Option<(usize, Records)>; 3] = [None, None, None];
            for (part, file) in files.files.iter().enumerate() {
                // What cannot be opened is told elsewhere.
                if let (Some(split), Ok(records)) = (file.split, Records::open(&file.path)) {
                    opened[split.index()] = Some((part, records));
                }
            }
            let counts: [u64; 3] = state.records.into();
            let limits = Split::ALL.map(|split| match state.complete {
                true => u64::MAX,
                // What lies behind is cut off by the next run.
                false => counts[split.index()],
            });
            match PositionSet::for_expected(state.records.total()) {
                Ok(seen) => campaign.phases.push(PhaseReplay {
                    index,
                    phase,
                    next_game: state.next_game,
                    seen,
                    files: PhaseFilesCheck::new(index, opened, limits),
                    memory: None,
                }),
                Err(error) => campaign.fault(faults, "unreadable", error.to_string()),
            }
        }
        campaign
    }

    fn fault(&self, faults: &mut FaultList, kind: &'static str, message: String) {
        let place = Place {
            phase: self.phases.first().map_or(0, |phase| phase.index),
            part: GAMES_PART,
            record: None,
        };
        faults.add(place, &self.dir.games(), kind, message);
    }

    fn check(&mut self, watch: &dyn Watch, faults: &mut FaultList) -> u64 {
        match GamesState::read(&self.dir) {
            Ok(state) => self.state = Some(state),
            Err(error) => self.fault(faults, "games_state", error.to_string()),
        }
        let Some(mut file) = self.open(faults) else {
            return 0;
        };
        let Some(recording) = self.recording else {
            let message = match self.phases.is_empty() {
                true => "no phase beside it counts these games",
                false => "run_state.json of its phases does not say how they were split and scored",
            };
            self.fault(faults, "games_state", message.to_owned());
            return 0;
        };
        let (step, mut expected) = match &self.state {
            Some(state) => (state.step, state.first_game),
            None => (1, 0),
        };
        let mask = self
            .phases
            .iter()
            .fold(0, |mask, phase| mask | 1 << phase.phase);
        let mut games = 0;
        loop {
            let batch = match file.next_batch() {
                Ok(Some(batch)) => batch,
                Ok(None) => break,
                Err(error) => {
                    self.fault(faults, "unreadable", error.to_string());
                    break;
                }
            };
            watch.read(batch.bytes());
            let pieces: Vec<Piece> = (0..batch.len().div_ceil(PIECE))
                .into_par_iter()
                .map(|piece| Piece::derive(&batch, piece, self.dir.anchor(), mask, &recording))
                .collect();
            for piece in &pieces {
                for (number, fault) in &piece.wrong {
                    let message = format!("game {number}: {fault}");
                    self.fault(faults, "game", message);
                }
                for damage in &piece.damages {
                    self.tell_damage(damage, faults);
                }
                for &number in &piece.numbers {
                    if number > expected {
                        let last = number - step;
                        let message = match last == expected {
                            true => format!("game {expected} is missing"),
                            false => format!("games {expected} to {last} are missing"),
                        };
                        self.fault(faults, "game_missing", message);
                    }
                    expected = number + step;
                }
                games += piece.numbers.len() as u64;
            }
            self.phases
                .par_iter_mut()
                .for_each(|phase| phase.take(&pieces));
        }
        self.close(games, expected, faults);
        games
    }

    fn open(&self, faults: &mut FaultList) -> Option<GamesFile> {
        let mut file = match GamesFile::open_whatever(&self.dir.games()) {
            Ok(file) => file,
            Err(error) => {
                let kind = match error.is_missing() {
                    true => "missing_file",
                    false => "unreadable",
                };
                self.fault(faults, kind, error.to_string());
                return None;
            }
        };
        match file.header_fault() {
            // Its blocks may have another form.
            Some(error @ GamesError::Version { .. }) if self.state.is_none() => {
                self.fault(faults, "games_header", error.to_string());
                return None;
            }
            Some(error) => self.fault(faults, "games_header", error.to_string()),
            None => {}
        }
        if let Some(state) = &self.state
            && let Err(error) = file.limit_to(state.bytes)
        {
            self.fault(faults, "games_short", error.to_string());
        }
        Some(file)
    }

    fn tell_damage(&self, damage: &Damage, faults: &mut FaultList) {
        let after = match damage.after {
            Some(number) => format!(", behind game {number}"),
            None => String::new(),
        };
        let message = format!(
            "block at byte {}{after}, {} bytes: {}",
            damage.offset, damage.bytes, damage.reason
        );
        self.fault(faults, "games_block", message);
    }

    fn close(&mut self, games: u64, end: u64, faults: &mut FaultList) {
        if let Some(state) = &self.state
            && state.games != games
        {
            let message = format!(
                "it holds {games} sound games where games_state.json counts {}",
                state.games
            );
            self.fault(faults, "games_count", message);
        }
        for at in 0..self.phases.len() {
            let (phase, counted) = (self.phases[at].phase, self.phases[at].next_game);
            if counted > end {
                let message =
                    format!("it ends before game {end}, but phase {phase} counts {counted} games");
                self.fault(faults, "game_missing", message);
            }
            if let Some(error) = self.phases[at].memory.take() {
                self.fault(faults, "unreadable", error.to_string());
            }
            self.phases[at].files.finish(faults);
        }
    }
}

/// What some blocks give.
#[derive(Default)]
struct Piece {
    games: Vec<Replayed>,
    samples: Vec<Sample>,
    numbers: Vec<u64>,
    wrong: Vec<(u64, ReplayFault)>,
    damages: Vec<Damage>,
}

impl Piece {
    fn derive(batch: &Batch, piece: usize, anchor: u8, mask: u64, recording: &Recording) -> Piece {
        let mut found = Piece::default();
        for at in piece * PIECE..(piece + 1) * PIECE {
            let game = match batch.item(at) {
                None => break,
                Some(Item::Damage(damage)) => {
                    found.damages.push(damage);
                    continue;
                }
                Some(Item::Game(_, game)) => game,
            };
            let first = found.samples.len();
            found.numbers.push(game.number);
            match replay(&game, anchor, mask, recording, &mut found.samples) {
                Ok(_) => found.games.push(Replayed {
                    number: game.number,
                    samples: first..found.samples.len(),
                    first_phase: game.start().0.phase(),
                }),
                Err(fault) => found.wrong.push((game.number, fault)),
            }
        }
        found
    }
}

impl PhaseReplay {
    fn take(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            for game in &piece.games {
                if game.number >= self.next_game {
                    return;
                }
                let samples = &piece.samples[game.samples.clone()];
                let Some(sample) = samples.iter().find(|sample| sample.phase == self.phase) else {
                    continue;
                };
                match self.seen.insert(sample.canonical) {
                    Ok(true) => self.files.expect(Expected {
                        board: sample.board,
                        value: sample.value,
                        split: sample.split,
                        game: game.number,
                        ply: self.phase - game.first_phase,
                    }),
                    Ok(false) => {}
                    Err(error) => {
                        self.memory.get_or_insert(error);
                    }
                }
            }
        }
    }
}
