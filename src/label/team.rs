//! Many who give values at once.

use super::LabelError;
use super::labeller::{Labeller, Method};
use crate::base::stop::Stop;
use crate::board::{Board, ScoreRule};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// Deep searches stand on one stack.
const STACK_BYTES: usize = 8 << 20;

/// A block should take about as long: long beside the wait for its last search, short beside what
/// a kill may cost.
const BLOCK_TIME: Duration = Duration::from_secs(2);

/// Records of the largest block.
const MAX_BLOCK: usize = 1 << 16;

/// Those who give values.
pub(super) struct Team {
    labellers: Vec<Labeller>,
    block: usize,
}

impl Team {
    /// So many of them.
    pub(super) fn new(method: &Method, threads: usize, stop: &Stop) -> Team {
        let one = |_| Labeller::new(method, stop);
        Team {
            labellers: (0..threads.max(1)).map(one).collect(),
            block: 0,
        }
    }

    /// Prepares all for a phase. The first one starts alone, so that an engine that cannot play is
    /// told once; the others start when they are needed.
    ///
    /// # Errors
    /// The engine cannot be started or cannot score.
    pub(super) fn begin(&mut self, empties: u8, rule: ScoreRule) -> Result<(), LabelError> {
        self.block = 16 * self.labellers.len();
        for labeller in &mut self.labellers {
            labeller.begin(empties, rule).map_err(|error| match error {
                crate::engine::EngineError::Stopped => LabelError::Interrupted,
                error => LabelError::Unfit(error.to_string().into()),
            })?;
        }
        Ok(())
    }

    /// Asks for the score of a position that every engine knows how to score.
    ///
    /// # Errors
    /// It cannot.
    pub(super) fn probe(&mut self) -> Result<(), LabelError> {
        let one = self.labellers.first_mut();
        let first: crate::board::Square = crate::board::Square::ALL[8 * 4 + 5];
        match (one, Board::START.play(first)) {
            (Some(labeller), Some(board)) => labeller.value(board).map(drop),
            _ => Ok(()),
        }
    }

    /// Positions that are best given at once.
    pub(super) fn block(&self) -> usize {
        self.block
    }

    /// The value of each position, in their order.
    ///
    /// # Errors
    /// The first failure; then nothing of the block counts.
    pub(super) fn values(&mut self, boards: &[Board]) -> Result<Vec<i16>, LabelError> {
        let since = Instant::now();
        let next = AtomicUsize::new(0);
        let failed = AtomicBool::new(false);
        let work = |labeller: &mut Labeller| {
            let mut found = Vec::new();
            loop {
                let at = next.fetch_add(1, Relaxed);
                let Some(&board) = boards.get(at).filter(|_| !failed.load(Relaxed)) else {
                    return Ok(found);
                };
                match labeller.value(board) {
                    Ok(value) => found.push((at, value)),
                    Err(error) => {
                        failed.store(true, Relaxed);
                        return Err(error);
                    }
                }
            }
        };
        let parts: Result<Vec<Vec<(usize, i16)>>, LabelError> = std::thread::scope(|scope| {
            let mut threads = Vec::new();
            for labeller in &mut self.labellers {
                let thread = Builder::new()
                    .name("label".to_owned())
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, || work(labeller))
                    .map_err(LabelError::NoThread)?;
                threads.push(thread);
            }
            let ends: Vec<Result<Vec<(usize, i16)>, LabelError>> = threads
                .into_iter()
                .map(|thread| match thread.join() {
                    Ok(end) => end,
                    Err(panic) => std::panic::resume_unwind(panic),
                })
                .collect();
            ends.into_iter().collect()
        });
        let mut values = vec![0; boards.len()];
        for (at, value) in parts?.into_iter().flatten() {
            values[at] = value;
        }
        let took = since.elapsed();
        if took < BLOCK_TIME / 2 && boards.len() == self.block {
            self.block = (self.block * 2).min(MAX_BLOCK);
        } else if took > BLOCK_TIME * 2 {
            self.block = (self.block / 2).max(4 * self.labellers.len());
        }
        Ok(values)
    }
}
