//! One game of a campaign, from its number to its samples.

use super::balance::Balance;
use super::campaign::{Campaign, Source};
use super::openings::{OpeningBook, placed};
use super::playout::{Playout, PlayoutTally};
use super::scores;
use super::self_play::{SelfPlayTally, play_until};
use crate::base::stop::Stop;
use crate::board::{Board, Color, Game, ScoreRule};
use crate::config::LabelValue;
use crate::engine::builtin::Solver;
use crate::engine::{Engine, EngineError, FailureKind};
use crate::games::{self, KeptGame, Reached, Score, Told, encode};
pub(super) use crate::games::{Recording, Sample};
use std::ops::Range;
use std::time::{Duration, Instant};

/// What became of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct GameResult {
    /// Its number in the campaign.
    pub number: u64,
    /// Where its samples stand in its batch, by phase, ascending. Empty when it gave nothing.
    pub samples: Range<usize>,
    /// Where its block stands in its batch; empty where games are not kept.
    pub block: Range<usize>,
    /// How it ended.
    pub ending: games::Ending,
    /// Opening moves.
    pub playout: PlayoutTally,
    /// `None` when no self-play took place: the game ended before the anchor, or failed for good.
    pub self_play: Option<SelfPlayTally>,
    /// Engine failures on the way, each followed by a restart.
    pub failures: Vec<FailureKind>,
    /// Given up after too many failures, the last of which was this.
    pub given_up: Option<String>,
}

/// The engines of one worker.
pub(super) struct Players<'a> {
    /// What the engine of self-play is called.
    pub name: &'a str,
    /// Plays both sides from the anchor on.
    pub self_play: &'a mut dyn Engine,
    /// Makes the engine's moves before the anchor.
    pub playout: Option<&'a mut dyn Engine>,
    /// Chance 0..=1 of a move before the anchor being the engine's.
    pub ai_probability: f64,
    /// Says which games go on from the anchor; absent: all.
    pub balance: Option<&'a mut Balance>,
    /// Plays both sides where few squares are empty.
    pub ending: Option<&'a mut Ending>,
}

/// Who plays perfectly, and from where on.
pub(super) struct Ending {
    solver: Solver,
    /// Empty squares at most.
    from: u32,
    /// Time spent since it was [taken](Ending::take_busy) last.
    busy: Duration,
}

impl Ending {
    /// From `from` empty squares on, by `rule`.
    pub(super) fn new(from: u8, rule: ScoreRule, stop: &Stop) -> Ending {
        let from = u32::from(from);
        Ending {
            solver: Solver::new(from, rule, stop),
            from,
            busy: Duration::ZERO,
        }
    }

    /// Time spent solving since the last call.
    pub(super) fn take_busy(&mut self) -> Duration {
        std::mem::take(&mut self.busy)
    }

    fn play(
        &mut self,
        game: &mut Game,
        tally: &mut SelfPlayTally,
        told: &mut Vec<Told>,
        note: impl FnMut(Board, Color),
    ) -> Result<(), EngineError> {
        let started = Instant::now();
        let solver = &mut self.solver;
        solver.start_game();
        let choose = |game: &Game| match solver.choose(game.board()) {
            // The end tells what it is worth.
            Ok(square) => Ok((square.expect("there is a legal move"), None)),
            Err(_) => Err(EngineError::Stopped),
        };
        let end = play_until(0, game, choose, tally, told, note);
        self.busy += started.elapsed();
        end
    }
}

/// What games leave, one behind the other.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// Their samples.
    pub samples: Vec<Sample>,
    /// The games themselves, as kept games are written; nothing where none are kept.
    pub blocks: Vec<u8>,
}

impl Batch {
    /// An empty one with as much room as this one has taken.
    pub(super) fn next(&self) -> Batch {
        Batch {
            samples: Vec::with_capacity(self.samples.len()),
            blocks: Vec::with_capacity(self.blocks.len()),
        }
    }

    /// Adds a game's block; says where it is.
    pub(super) fn keep(&mut self, game: &KeptGame) -> Range<usize> {
        let first = self.blocks.len();
        encode(game, &mut self.blocks);
        first..self.blocks.len()
    }
}

/// Plays game `number` whole and appends what it leaves to `batch`, at the end alone: after an error
/// nothing has been appended. `None` past the end of an enumerated phase.
pub(super) fn play_game(
    campaign: &Campaign,
    number: u64,
    players: &mut Players<'_>,
    recording: &Recording,
    batch: &mut Batch,
) -> Result<Option<GameResult>, EngineError> {
    let mut result = GameResult {
        number,
        samples: 0..0,
        block: 0..0,
        ending: games::Ending::Finished,
        playout: PlayoutTally::default(),
        self_play: None,
        failures: Vec::new(),
        given_up: None,
    };
    let mut opening_moves = 0;
    let mut game = match &campaign.source {
        Source::Playout(key) => {
            let mut rng = key.game(number);
            let mut game = OpeningBook::begin(campaign.book.as_deref(), number, &mut rng);
            opening_moves = placed(&game);
            let mut playout = Playout {
                ai_probability: players.ai_probability,
                engine: match &mut players.playout {
                    Some(engine) => {
                        engine.new_game()?;
                        Some(&mut **engine)
                    }
                    None => None,
                },
            };
            let reached =
                playout.play(campaign.anchor, &mut game, &mut rng, &mut result.playout)?;
            if let Some(engine) = playout.engine {
                engine.end_game()?;
            }
            let is_balanced = match &mut players.balance {
                Some(balance) if reached => balance.holds(game.board())?,
                _ => true,
            };
            let end = match (reached, is_balanced) {
                (false, _) => Some(games::Ending::EndedEarly),
                (true, false) => Some(games::Ending::Unbalanced),
                (true, true) => None,
            };
            if let Some(end) = end {
                result.ending = end;
                let opening = [opening_moves, placed(&game)];
                result.block = keep(campaign, &result, opening, &game, &[], batch);
                return Ok(Some(result));
            }
            game
        }
        Source::Enumerated(all) => match all.game(campaign.anchor, number) {
            Some(game) => game,
            None => return Ok(None),
        },
    };

    let random_moves = placed(&game);
    let mask = campaign.phase_mask();
    let mut reached: Vec<Reached> = Vec::with_capacity(campaign.phases.len());
    let mut moves = 0;
    let mut note = |board: Board, color: Color| {
        if mask >> board.phase() & 1 != 0 {
            reached.push(Reached {
                board,
                color,
                moves,
            });
        }
        moves += 1;
    };
    let anchor = game.board();
    note(anchor, game.color());
    let mut tally = SelfPlayTally::default();
    let mut told = Vec::with_capacity(64);
    let solve_from = players.ending.as_ref().map_or(0, |ending| ending.from);
    if anchor.empties() > solve_from {
        let engine = &mut *players.self_play;
        engine.new_game()?;
        let needs_scores = recording.label == LabelValue::Score;
        let choose = |game: &Game| {
            let (square, score) = engine.choose_with_score(game)?;
            match scores::sound(score).map(Score::from_discs) {
                None if needs_scores => Err(no_score(players.name)),
                score => Ok((square, score)),
            }
        };
        play_until(
            solve_from, &mut game, choose, &mut tally, &mut told, &mut note,
        )?;
        engine.end_game()?;
    }
    if let Some(ending) = &mut players.ending {
        ending.play(&mut game, &mut tally, &mut told, note)?;
    }
    result.self_play = Some(tally);

    let black = game.black_score(recording.score_rule);
    let first = batch.samples.len();
    recording.samples(anchor, reached, &told, black, &mut batch.samples);
    result.samples = first..batch.samples.len();
    let opening = [opening_moves, random_moves];
    result.block = keep(campaign, &result, opening, &game, &told, batch);
    Ok(Some(result))
}

fn no_score(engine: &str) -> EngineError {
    EngineError::BadScores {
        engine: engine.to_owned(),
        what: "it told no score with its move, or an impossible one, and label.value = \"score\" \
               records it"
            .into(),
        stderr: String::new().into(),
    }
}

/// Keeps a game, if games are kept, of whose moves the first `random_moves` are its random part's, and
/// the first `opening_moves` of these the line's that it began with.
fn keep(
    campaign: &Campaign,
    result: &GameResult,
    [opening_moves, random_moves]: [u8; 2],
    game: &Game,
    told: &[Told],
    batch: &mut Batch,
) -> Range<usize> {
    if !campaign.keeps_games {
        return 0..0;
    }
    let kept = KeptGame {
        random_moves,
        opening_moves,
        scores: told.iter().map(|told| told.score).collect(),
        engine_moves: result.playout.engine_moves as u8,
        ..KeptGame::of_moves(result.number, result.ending, game)
    };
    batch.keep(&kept)
}
