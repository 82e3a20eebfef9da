//! One phase being filled: its files, its memory of positions, its counters, its checkpoint.

use super::campaign::Numbers;
use super::facts::RunFacts;
use super::play::{GameResult, Sample};
use super::report;
use super::settings::HASH_DEFINITION;
use crate::base::clock;
use crate::dataset::DatasetError;
use crate::dataset::counters::{Counters, ValueHistogram};
use crate::dataset::durable::{Part, folders_above};
use crate::dataset::files::check_own_folder;
use crate::dataset::json::json_text;
use crate::dataset::layout::PhaseDir;
use crate::dataset::positions::PositionSet;
use crate::dataset::record::Record;
use crate::dataset::run_state::{RUN_STATE_SCHEMA, RunState};
use crate::dataset::split::Split;
use crate::dataset::writer::PhaseWriter;
use crate::games::Ending;
use crate::progress::{Losses, PhaseProgress, expected_games};
use serde_json::{Map, Value};
use std::io::ErrorKind;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A phase of the run, in whatever state it is.
pub(crate) struct PhaseTask {
    facts: Arc<RunFacts>,
    dir: PhaseDir,
    anchor: u8,
    target: u64,
    settings: Map<String, Value>,
    hash: String,
    started_at: String,
    elapsed_before: Duration,
    enumeration_time: Duration,
    counters: Counters,
    /// Recorded values, index = value + 64; kept apart because it is counted once per sample.
    values: [u64; 129],
    next_game: u64,
    counts: [u64; 3],
    complete: bool,
    numbers: Numbers,
    keeps_games: bool,
    has_files: bool,
    /// So far every byte follows from the seed.
    reproducible: bool,
    /// `None` until the first game, and again once the phase is complete.
    open: Option<Open>,
    /// Folder, state and empty files are there.
    begun: Option<Begun>,
    /// The files of a complete phase, until all of it is on disk.
    closing: Option<PhaseWriter>,
    /// Something was committed that no checkpoint covers.
    dirty: bool,
    /// What this run found: records, duplicates.
    found: (u64, u64),
}

/// What a phase needs while games arrive.
struct Open {
    /// `None` where samples are counted and not recorded.
    writer: Option<PhaseWriter>,
    seen: PositionSet,
    since: Instant,
}

/// How a phase was begun.
#[derive(Clone, Copy)]
struct Begun {
    /// The names of its files are not on disk yet.
    names_are_new: bool,
}

/// What decides a phase, before anything of it exists.
pub(crate) struct PhasePlan {
    /// Its folder.
    pub dir: PhaseDir,
    /// Ply at which the engine takes over.
    pub anchor: u8,
    /// Records wanted.
    pub target: u64,
    /// See [`super::settings`].
    pub settings: Map<String, Value>,
    /// Their hash.
    pub hash: String,
    /// Which games are its.
    pub numbers: Numbers,
    /// Its games are kept.
    pub keeps_games: bool,
    /// Its samples are recorded; a shard only counts them.
    pub has_files: bool,
    /// The walk that found the positions of an enumerated phase, and its time.
    pub enumeration: Option<(crate::dataset::counters::EnumerationCounters, Duration)>,
}

impl PhaseTask {
    /// A phase of which nothing is kept. Nothing is written yet.
    pub(crate) fn fresh(facts: Arc<RunFacts>, plan: PhasePlan) -> PhaseTask {
        let (enumeration, enumeration_time) = plan.enumeration.unzip();
        PhaseTask {
            facts,
            dir: plan.dir,
            anchor: plan.anchor,
            target: plan.target,
            settings: plan.settings,
            hash: plan.hash,
            started_at: clock::now(),
            elapsed_before: Duration::ZERO,
            enumeration_time: enumeration_time.unwrap_or_default(),
            counters: Counters {
                enumeration,
                ..Counters::default()
            },
            values: [0; 129],
            next_game: plan.numbers.first,
            counts: [0; 3],
            complete: false,
            numbers: plan.numbers,
            keeps_games: plan.keeps_games,
            has_files: plan.has_files,
            reproducible: true,
            open: None,
            begun: None,
            closing: None,
            dirty: false,
            found: (0, 0),
        }
    }

    /// A phase that goes on from its checkpoint. `seen` holds the canonical positions of its
    /// records; the files are cut to what the checkpoint counts when the first game arrives.
    pub(crate) fn resumed(
        facts: Arc<RunFacts>,
        plan: PhasePlan,
        state: RunState,
        seen: Option<PositionSet>,
    ) -> Result<PhaseTask, DatasetError> {
        let mut task = PhaseTask::fresh(facts, plan);
        task.started_at = state.started_at;
        task.elapsed_before =
            Duration::try_from_secs_f64(state.elapsed_seconds).unwrap_or_default();
        task.reproducible = state.reproducible;
        task.next_game = state.next_game;
        task.counts = state.records.into();
        for (&value, &count) in &state.counters.values.0 {
            if let Some(slot) = value_slot(value) {
                task.values[slot] = count;
            }
        }
        let enumeration = state.counters.enumeration.or(task.counters.enumeration);
        task.counters = Counters {
            enumeration,
            values: ValueHistogram::default(),
            ..state.counters
        };
        let records: u64 = task.counts.iter().sum();
        task.complete = records >= task.target && state.complete;
        task.found = (records, task.counters.duplicate_positions);
        if let (false, Some(seen)) = (task.complete, seen) {
            let writer = PhaseWriter::continue_at(&task.dir, task.counts)?;
            task.open = Some(Open {
                writer: Some(writer),
                seen,
                since: Instant::now(),
            });
        }
        Ok(task)
    }

    /// SHA-256 of the openings that its games begin with, hex.
    pub(crate) fn book_of_settings(&self) -> Option<String> {
        let sha256 = self.settings.get("openings.sha256")?;
        sha256.as_str().map(str::to_owned)
    }

    /// Discs − 4.
    pub(crate) fn phase(&self) -> u8 {
        self.dir.phase()
    }

    /// Ply at which the engine takes over.
    pub(crate) fn anchor(&self) -> u8 {
        self.anchor
    }

    /// Its folder.
    pub(crate) fn dir(&self) -> &PhaseDir {
        &self.dir
    }

    /// All samples are there and no more are taken; its files may be on their way to the disk.
    pub(crate) fn is_complete(&self) -> bool {
        self.complete
    }

    /// All samples are there.
    pub(crate) fn is_full(&self) -> bool {
        self.counts.iter().sum::<u64>() >= self.target
    }

    /// First game that is not counted.
    pub(crate) fn next_game(&self) -> u64 {
        self.next_game
    }

    /// Records per split.
    pub(crate) fn counts(&self) -> [u64; 3] {
        self.counts
    }

    /// Complete, and not on disk as such.
    pub(crate) fn is_closing(&self) -> bool {
        self.complete && self.dirty
    }

    /// Whether a checkpoint is due.
    pub(crate) fn is_dirty(&self) -> bool {
        self.dirty
    }

    /// Duplicates, earlier runs included.
    pub(crate) fn duplicates(&self) -> u64 {
        self.counters.duplicate_positions
    }

    /// Duplicates of this run.
    pub(crate) fn fresh_duplicates(&self) -> u64 {
        self.duplicates() - self.found.1
    }

    /// What became of its games, earlier runs included.
    pub(crate) fn losses(&self) -> Losses {
        Losses {
            ended_early: self.counters.ended_early,
            unbalanced: self.counters.unbalanced,
            failed: self.counters.failed_attempts,
            left_out: 0,
        }
    }

    /// Working time, earlier runs included.
    pub(crate) fn elapsed(&self) -> Duration {
        let running = self
            .open
            .as_ref()
            .map_or(Duration::ZERO, |open| open.since.elapsed());
        self.elapsed_before + running
    }

    /// For the screen.
    pub(crate) fn progress(&self) -> PhaseProgress {
        PhaseProgress {
            phase: self.phase(),
            anchor: self.anchor,
            target: self.target,
            done: self.counts.iter().sum(),
            resumed: self.found.0,
        }
    }

    /// The sum of the recorded values, and their number.
    pub(crate) fn values(&self) -> (f64, f64) {
        let values = self.counters.values.0.iter();
        values.fold((0.0, 0.0), |(sum, number), (&value, &times)| {
            (sum + f64::from(value) * times as f64, number + times as f64)
        })
    }

    /// Games that are likely to be needed: what is missing over the share of games that gave a
    /// new record so far.
    pub(crate) fn games_wanted(&self) -> u64 {
        if self.complete {
            return 0;
        }
        let done: u64 = self.counts.iter().sum();
        let missing = self.target.saturating_sub(done);
        // A guess of one game per sample is held against the evidence as if it were 16 games.
        let per_sample = (self.counters.attempts + 16) as f64 / (done + 16) as f64;
        (missing as f64 * per_sample).ceil() as u64
    }

    /// Games that will probably be needed where positions are few, too. The model is that of
    /// [`expected_games`], each position equally likely; how far its games so far were from it says
    /// how unequal they are, once for what was found and once more for the rarer rest.
    pub(crate) fn games_to_fill(&self) -> u64 {
        let done: u64 = self.counts.iter().sum();
        let met = (done + self.counters.duplicate_positions) as f64;
        let model = expected_games(self.phase(), 0, done);
        let uneven = match model > 0.0 {
            true => (met / model).clamp(1.0, 4.0),
            false => 1.0,
        };
        let per_position = self.counters.attempts as f64 / met.max(1.0);
        let rest = expected_games(self.phase(), done, self.target);
        let more = (rest * uneven * uneven * per_position.max(1.0)).ceil() as u64;
        more.max(self.games_wanted())
    }

    /// Gets ready for a sample that will be committed soon, see [`PositionSet::warm`].
    #[inline]
    pub(crate) fn warm(&self, sample: &Sample) {
        if let Some(open) = &self.open {
            open.seen.warm(sample.canonical);
        }
    }

    /// Counts game number [`PhaseTask::next_game`] and records its sample if it is new.
    /// `samples` are the game's.
    pub(crate) fn commit(
        &mut self,
        game: &GameResult,
        samples: &[Sample],
    ) -> Result<(), DatasetError> {
        if self.open.is_none() {
            self.open = Some(self.open()?);
        }
        let Some(open) = &mut self.open else {
            return Ok(());
        };
        let phase = self.dir.phase();
        let sample = samples.iter().find(|sample| sample.phase == phase);
        // What can fail comes first: after an error the game counts in nothing, so that a
        // checkpoint taken then is still true.
        let is_new = match sample {
            None => false,
            Some(sample) => open.seen.insert(sample.canonical)?,
        };
        if let (true, Some(sample)) = (is_new, sample) {
            let record = Record {
                board: sample.board,
                value: sample.value,
            };
            if let Some(writer) = &mut open.writer {
                writer.append(sample.split, &record)?;
            }
            self.counts[sample.split.index()] += 1;
            if let Some(slot) = value_slot(sample.value) {
                self.values[slot] += 1;
            }
        }
        self.dirty = true;
        let counters = &mut self.counters;
        match sample {
            None if game.given_up.is_some() => counters.failed_attempts += 1,
            None if game.ending == Ending::Unbalanced => counters.unbalanced += 1,
            None => counters.ended_early += 1,
            Some(_) if !is_new => counters.duplicate_positions += 1,
            Some(_) => {}
        }
        counters.attempts += 1;
        counters.playout.random_moves += u64::from(game.playout.random_moves);
        counters.playout.engine_moves += u64::from(game.playout.engine_moves);
        counters.playout.pass_count += u64::from(game.playout.passes);
        if let Some(self_play) = game.self_play {
            counters.self_play.games += 1;
            counters.self_play.moves += u64::from(self_play.moves);
            counters.self_play.pass_count += u64::from(self_play.passes);
        }
        // What a game that was given up would have given is missing from the data.
        self.reproducible &= game.given_up.is_none();
        for &kind in &game.failures {
            counters.self_play.failures.count(kind);
            counters.self_play.engine_restarts += 1;
        }
        self.next_game += self.numbers.step;
        Ok(())
    }

    /// Whether folder and files are still to be made.
    pub(crate) fn is_to_be_begun(&self) -> bool {
        self.has_files && !self.complete && self.open.is_none() && self.begun.is_none()
    }

    /// The first step of a beginning: the folder, and a checkpoint that counts nothing. It lasts
    /// before there is any byte in a file: whatever moment the run is killed at, what is there can
    /// be resumed.
    pub(crate) fn begin(&mut self) -> Result<Part, DatasetError> {
        let path = self.dir.path();
        check_own_folder(path)?;
        std::fs::create_dir_all(path).map_err(DatasetError::io("create", path))?;
        let names_are_new = self.dir.has_output()?;
        if !names_are_new {
            self.remove_uncounted_files()?;
            // The checkpoint's own sync of the folder is that of their names too.
            PhaseWriter::reserve(&self.dir)?;
        }
        self.begun = Some(Begun { names_are_new });
        let state = self.dir.run_state();
        Ok(Part {
            folder: path.to_owned(),
            data: Vec::new(),
            json: vec![(state.clone(), json_text(&state, &self.state())?)],
            names: folders_above(path).collect(),
        })
    }

    /// The second step, once the first lasts: files, each with its header.
    pub(crate) fn make_files(&mut self) -> Result<(), DatasetError> {
        let Some(begun) = self.begun else {
            return Ok(());
        };
        if begun.names_are_new {
            self.remove_uncounted_files()?;
            PhaseWriter::reserve(&self.dir)?;
        }
        // Kept open only from the first game on: a run may have many phases.
        PhaseWriter::begin_reserved(&self.dir, begun.names_are_new).map(drop)
    }

    fn open(&self) -> Result<Open, DatasetError> {
        let writer = match self.begun {
            Some(begun) => Some(PhaseWriter::begin_reserved(&self.dir, begun.names_are_new)?),
            None => None,
        };
        Ok(Open {
            writer,
            seen: PositionSet::for_expected(self.target)?,
            since: Instant::now(),
        })
    }

    /// Files of a phase whose state counts nothing: of a run killed in its first moments, or of a
    /// phase that is being rebuilt.
    fn remove_uncounted_files(&self) -> Result<(), DatasetError> {
        let records = Split::ALL.map(|split| self.dir.records(split));
        for path in records
            .into_iter()
            .chain([self.dir.metadata(), self.dir.stats()])
        {
            match std::fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(DatasetError::io("remove", &path)(error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Takes no more samples. What is left is to be saved, which frees the files.
    pub(crate) fn close(&mut self) -> Result<(), DatasetError> {
        if self.open.is_none() {
            self.open = Some(self.open()?);
        }
        self.elapsed_before = self.elapsed();
        self.closing = self.open.take().and_then(|open| open.writer);
        self.complete = true;
        self.dirty = true;
        Ok(())
    }

    /// What is to be saved: data first, and the state that counts it last. [`PhaseTask::saved`] is
    /// to be told the result; what is committed meanwhile is of the next checkpoint.
    pub(crate) fn part(&mut self, reproducible: bool) -> Result<Part, DatasetError> {
        self.reproducible &= reproducible;
        let mut part = Part {
            folder: self.dir.path().to_owned(),
            ..Part::default()
        };
        if self.has_files {
            let opened = self.open.as_mut().and_then(|open| open.writer.as_mut());
            if let Some(writer) = opened.or(self.closing.as_mut()) {
                writer.flush()?;
                part.data.extend(writer.data());
                part.names.extend(writer.new_names());
            }
            if self.complete {
                part.json.extend(report::phase_files(&self.facts, self)?);
            }
            let state = self.dir.run_state();
            let text = json_text(&state, &self.state())?;
            part.json.push((state, text));
        }
        self.dirty = false;
        Ok(part)
    }

    /// Whether the last [part](PhaseTask::part) is on disk.
    pub(crate) fn saved(&mut self, lasts: bool) {
        if !lasts {
            self.dirty = true;
        } else if self.complete && !self.dirty {
            self.closing = None;
        } else if let Some(Open {
            writer: Some(writer),
            ..
        }) = &mut self.open
        {
            writer.names_last();
        }
    }

    /// One sentence on what is missing after the last attempt.
    pub(crate) fn missed(&self, limit: u64) -> String {
        let unbalanced = match self.counters.unbalanced {
            0 => String::new(),
            games => format!("; {games} of them were unbalanced, raise playout.max_score"),
        };
        format!(
            "phase {} has {} of {} samples after {} games, the most that \
             playout.max_attempts_multiplier allows{unbalanced}",
            self.phase(),
            self.counts.iter().sum::<u64>(),
            self.target,
            limit
        )
    }

    /// The counters with the values in them.
    pub(crate) fn counters(&self) -> Counters {
        let values = self
            .values
            .iter()
            .enumerate()
            .filter(|&(_, &count)| count > 0)
            .map(|(slot, &count)| (slot as i16 - 64, count))
            .collect();
        Counters {
            values: ValueHistogram(values),
            ..self.counters.clone()
        }
    }

    /// The state as a checkpoint writes it.
    pub(crate) fn state(&self) -> RunState {
        RunState {
            schema: RUN_STATE_SCHEMA.to_owned(),
            mode: self.facts.config.mode.into(),
            generation: self.facts.generation(),
            phase: self.phase(),
            anchor: self.facts.config.window.is_some().then_some(self.anchor),
            seed: self.facts.seed,
            config_effective_hash: self.hash.clone(),
            hash_definition: HASH_DEFINITION.to_owned(),
            settings: self.settings.clone(),
            next_game: self.next_game,
            records: self.counts.into(),
            complete: self.complete,
            reproducible: self.reproducible,
            keeps_games: self.keeps_games,
            samples_per_phase: self.target,
            started_at: self.started_at.clone(),
            elapsed_seconds: self.elapsed().as_secs_f64(),
            run_elapsed_seconds: self.facts.elapsed().as_secs_f64(),
            enumeration_seconds: self.enumeration_time.as_secs_f64(),
            counters: self.counters(),
        }
    }
}

/// Index of a value in the histogram.
fn value_slot(value: i16) -> Option<usize> {
    usize::try_from(value + 64).ok().filter(|&slot| slot <= 128)
}
