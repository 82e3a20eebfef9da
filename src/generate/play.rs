//! One game of a campaign, from its number to its samples.

use super::campaign::{Campaign, Source};
use super::playout::{Playout, PlayoutTally};
use super::self_play::{SelfPlayTally, play_out};
use crate::board::{Board, Color, Game};
use crate::dataset::split::{Split, Thresholds, split_hash};
use crate::engine::{Engine, EngineError, FailureKind};
use std::ops::Range;

/// A position with its value, ready to be recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// As it was reached.
    pub board: Board,
    /// Its smallest image, which decides duplicates and the split.
    pub canonical: Board,
    /// Final disc difference for the side to move.
    pub value: i16,
    /// Discs − 4.
    pub phase: u8,
    /// Where it belongs.
    pub split: Split,
}

/// What became of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// Its number in the campaign.
    pub number: u64,
    /// Where its samples stand in its batch, by phase, ascending. Empty when it gave nothing.
    pub samples: Range<usize>,
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
pub struct Players<'a> {
    /// Plays both sides from the anchor on.
    pub self_play: &'a mut dyn Engine,
    /// Makes the engine's moves before the anchor.
    pub playout: Option<&'a mut dyn Engine>,
    /// Chance 0..=1 of a move before the anchor being the engine's.
    pub ai_probability: f64,
}

/// Plays game `number` whole and appends its samples to `samples`, at the end alone: after an error
/// nothing has been appended. `None` past the end of an enumerated phase.
pub fn play_game(
    campaign: &Campaign,
    number: u64,
    players: &mut Players<'_>,
    split: &Thresholds,
    samples: &mut Vec<Sample>,
) -> Result<Option<GameResult>, EngineError> {
    let mut result = GameResult {
        number,
        samples: 0..0,
        playout: PlayoutTally::default(),
        self_play: None,
        failures: Vec::new(),
        given_up: None,
    };
    let mut game = match &campaign.source {
        Source::Playout(key) => {
            let mut game = Game::new();
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
            let reached = playout.play(
                campaign.anchor,
                &mut game,
                &mut key.game(number),
                &mut result.playout,
            )?;
            if let Some(engine) = playout.engine {
                engine.end_game()?;
            }
            if !reached {
                return Ok(Some(result));
            }
            game
        }
        Source::Enumerated(all) => match all.game(campaign.anchor, number) {
            Some(game) => game,
            None => return Ok(None),
        },
    };

    let mask = campaign.phase_mask();
    let mut reached: Vec<(Board, Color)> = Vec::with_capacity(campaign.phases.len());
    let mut note = |board: Board, color: Color| {
        if mask >> board.phase() & 1 != 0 {
            reached.push((board, color));
        }
    };
    note(game.board(), game.color());
    players.self_play.new_game()?;
    let mut tally = SelfPlayTally::default();
    play_out(players.self_play, &mut game, &mut tally, note)?;
    players.self_play.end_game()?;
    result.self_play = Some(tally);

    let black = game.black_difference();
    let first = samples.len();
    samples.extend(reached.into_iter().map(|(board, color)| {
        let canonical = board.canonical();
        Sample {
            board,
            canonical,
            value: if color == Color::Black { black } else { -black },
            phase: board.phase(),
            split: split.split(split_hash(canonical)),
        }
    }));
    result.samples = first..samples.len();
    Ok(Some(result))
}
