//! A kept game played again by the rules, and the samples that follow from it.

use super::game::{Ending, KeptGame};
use super::recording::{Reached, Recording, Sample, Told};
use crate::board::{Game, Move};

/// What a game did, as its counters tell it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ReplayTally {
    /// Passes of the random part, without those within the line that it began with.
    pub random_passes: u32,
    /// Moves of self-play.
    pub moves: u32,
    /// Passes among them.
    pub passes: u32,
}

/// Why a kept game cannot have been played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayFault {
    /// The rules forbid a move.
    #[error("move {} ({attempted}) is against the rules", .ply + 1)]
    IllegalMove {
        /// Its number, from 0, passes not counted.
        ply: usize,
        /// The move.
        attempted: Move,
    },
    /// A finished game goes on, or one that ended early does.
    #[error("it is called {} but is not over after its last move", .0.name())]
    NotOver(Ending),
    /// Moves behind the random part of a game that had no self-play.
    #[error("it is called {} but has moves of self-play", .0.name())]
    SelfPlay(Ending),
    /// The random part ended at another phase than the campaign's.
    #[error("its random part ends at phase {found}, not {expected}")]
    Anchor {
        /// Where it ended.
        found: u8,
        /// Where games of the campaign do.
        expected: u8,
    },
}

/// Plays a game and appends a sample for each of its positions whose phase has its bit set in
/// `phases`, ascending; only a finished game gives any.
///
/// # Errors
/// Why the game cannot have been played in a campaign with this `anchor`; nothing is appended.
pub fn replay(
    game: &KeptGame,
    anchor: u8,
    phases: u64,
    recording: &Recording,
    samples: &mut Vec<Sample>,
) -> Result<ReplayTally, ReplayFault> {
    let (board, color) = game.start();
    let mut play = Game::from_position(board, color);
    let random = usize::from(game.random_moves);
    let opening = usize::from(game.opening_moves);
    let mut tally = ReplayTally::default();
    let mut reached: Vec<Reached> = Vec::with_capacity(phases.count_ones() as usize);
    let mut told: Vec<Told> = Vec::with_capacity(game.scores.len());
    let mut anchor_board = board;
    let mut note = |ply: usize, play: &Game| {
        if ply == random {
            anchor_board = play.board();
        }
        if ply >= random && phases >> play.board().phase() & 1 != 0 {
            reached.push(Reached {
                board: play.board(),
                color: play.color(),
                moves: ply - random,
            });
        }
    };
    note(0, &play);
    for (ply, &square) in game.moves.iter().enumerate() {
        let passed = u32::from(play.pass_if_forced());
        if ply < opening {
            // The line's own.
        } else if ply < random {
            tally.random_passes += passed;
        } else {
            tally.passes += passed;
            tally.moves += 1;
            told.push(Told {
                color: play.color(),
                score: game.score(ply),
            });
        }
        let flipped = play.board().flips(square);
        let is_legal = flipped != 0 && play.board().occupied() & square.bit() == 0;
        if !is_legal {
            let attempted = Move::Play(square);
            return Err(ReplayFault::IllegalMove { ply, attempted });
        }
        play.play_known(square, flipped);
        note(ply + 1, &play);
    }
    let has_self_play = game.moves.len() > random;
    match game.ending {
        Ending::Finished if !play.is_over() => return Err(ReplayFault::NotOver(game.ending)),
        Ending::Finished | Ending::Unbalanced if anchor_board.phase() != anchor => {
            return Err(ReplayFault::Anchor {
                found: anchor_board.phase(),
                expected: anchor,
            });
        }
        Ending::Finished => {}
        other if has_self_play => return Err(ReplayFault::SelfPlay(other)),
        Ending::EndedEarly if !play.is_over() => return Err(ReplayFault::NotOver(game.ending)),
        Ending::EndedEarly | Ending::Unbalanced | Ending::GivenUp => return Ok(tally),
    }
    let black = play.black_score(recording.score_rule);
    recording.samples(anchor_board, reached, &told, black, samples);
    Ok(tally)
}
