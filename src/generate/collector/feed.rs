//! Games that are read instead of played: a phase that is added to a campaign, raised or rebuilt
//! takes them from what is kept, and a merge takes all of them from shards.

use super::{Collector, Lane};
use crate::base::stop::Stop;
use crate::games::{Batch as Blocks, Ending, GamesFile, Item, KeptGame, Recording, replay};
use crate::generate::GenerateError;
use crate::generate::campaign::{Campaign, Source};
use crate::generate::play::{Batch, GameResult};
use crate::generate::playout::PlayoutTally;
use crate::generate::self_play::SelfPlayTally;
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// Games that one thread derives at a time.
const PIECE: usize = 256;

/// Kept games of one campaign in the order of their numbers.
pub(crate) trait KeptGames {
    /// The next ones; `None` behind the last.
    fn next(&mut self) -> Result<Option<Vec<KeptGame>>, GenerateError>;

    /// The file to name in errors.
    fn path(&self) -> &Path;
}

/// The games of one file.
pub(crate) struct FileGames {
    file: GamesFile,
    path: PathBuf,
}

impl FileGames {
    /// All that `file` is to be read of.
    pub(crate) fn new(file: GamesFile) -> FileGames {
        FileGames {
            path: file.path().to_owned(),
            file,
        }
    }

    fn decode(&self, blocks: &Blocks) -> Result<Vec<KeptGame>, GenerateError> {
        let decode = |at| match blocks.item(at) {
            Some(Item::Game(_, game)) => Ok(Some(game)),
            Some(Item::Damage(damage)) => Err(damage.into_error(&self.path).into()),
            None => Ok(None),
        };
        (0..blocks.len())
            .into_par_iter()
            .with_min_len(PIECE)
            .filter_map(|at| decode(at).transpose())
            .collect()
    }
}

impl KeptGames for FileGames {
    fn next(&mut self) -> Result<Option<Vec<KeptGame>>, GenerateError> {
        let blocks = self.file.next_batch()?;
        blocks.map(|blocks| self.decode(&blocks)).transpose()
    }

    fn path(&self) -> &Path {
        &self.path
    }
}

impl Collector<'_> {
    /// Commits the games that a campaign keeps already and that its phases lack, before anything
    /// is played.
    pub(crate) fn feed_own(
        &mut self,
        recording: &Recording,
        stop: &Stop,
    ) -> Result<(), GenerateError> {
        for campaign in 0..self.lanes.len() {
            let lane = &self.lanes[campaign];
            let Some(games) = &lane.games else { continue };
            if lane.done || games.next_game() <= lane.next {
                continue;
            }
            self.reproducible &= games.state().reproducible;
            let file = GamesFile::open_counted(games.dir(), games.state())?;
            self.feed(campaign, &mut FileGames::new(file), recording, stop)?;
        }
        Ok(())
    }

    /// Commits games of one campaign from the first that is wanted to the last that is there.
    pub(crate) fn feed(
        &mut self,
        campaign: usize,
        games: &mut dyn KeptGames,
        recording: &Recording,
        stop: &Stop,
    ) -> Result<(), GenerateError> {
        let plan = &self.campaigns[campaign];
        while !self.lanes[campaign].done && !stop.is_requested() {
            let Some(mut next) = games.next()? else {
                break;
            };
            next.retain(|game| game.number >= self.lanes[campaign].next);
            let path = games.path();
            let derived: Vec<Result<_, GenerateError>> = next
                .par_chunks(PIECE)
                .map(|piece| derive(piece, plan, recording, path))
                .collect();
            for piece in derived {
                let (results, batch) = piece?;
                self.take_kept(campaign, &results, &batch, path)?;
            }
            self.tick()?;
        }
        Ok(())
    }

    fn take_kept(
        &mut self,
        campaign: usize,
        results: &[GameResult],
        batch: &Batch,
        path: &Path,
    ) -> Result<(), GenerateError> {
        self.begin_phases()?;
        let plan = &self.campaigns[campaign];
        let reproducible = self.reproducible;
        let lane: &mut Lane = &mut self.lanes[campaign];
        for result in results {
            lane.warm(&batch.samples[result.samples.clone()]);
        }
        for result in results {
            if lane.done {
                break;
            }
            if result.number != lane.next {
                return Err(GenerateError::GameMissing {
                    path: path.to_owned(),
                    game: lane.next,
                });
            }
            plan.refuse_given_up(result)?;
            let samples = &batch.samples[result.samples.clone()];
            let block = &batch.blocks[result.block.clone()];
            lane.commit(result, samples, block, reproducible)?;
        }
        Ok(())
    }
}

/// What playing these games would have left.
fn derive(
    games: &[KeptGame],
    campaign: &Campaign,
    recording: &Recording,
    path: &Path,
) -> Result<(Vec<GameResult>, Batch), GenerateError> {
    let mask = campaign.phase_mask();
    let mut batch = Batch::default();
    let mut results = Vec::with_capacity(games.len());
    for game in games {
        let first = batch.samples.len();
        let tally = replay(game, campaign.anchor, mask, recording, &mut batch.samples).map_err(
            |fault| GenerateError::KeptGame {
                path: path.to_owned(),
                game: game.number,
                fault,
            },
        )?;
        let is_random = matches!(campaign.source, Source::Playout(_));
        let engine_moves = u32::from(game.engine_moves);
        results.push(GameResult {
            number: game.number,
            samples: first..batch.samples.len(),
            block: batch.keep(game),
            ending: game.ending,
            playout: match is_random {
                true => PlayoutTally {
                    random_moves: u32::from(game.random_moves)
                        - engine_moves
                        - u32::from(game.opening_moves),
                    engine_moves,
                    passes: tally.random_passes,
                },
                false => PlayoutTally::default(),
            },
            self_play: (game.ending == Ending::Finished).then_some(SelfPlayTally {
                moves: tally.moves,
                passes: tally.passes,
            }),
            failures: Vec::new(),
            given_up: (game.ending == Ending::GivenUp)
                .then(|| "its engine failed when it was played".to_owned()),
        });
    }
    Ok((results, batch))
}
