//! Opening moves: from the start position to a given number of discs.

use crate::base::rng::GameRng;
use crate::board::{Game, Squares};
use crate::engine::{Engine, EngineError};

/// How the moves before a phase are chosen.
pub(super) struct Playout<'a> {
    /// Chance 0..=1 that a move is the engine's.
    pub ai_probability: f64,
    /// Asked for the engine's moves; `None` when there are none.
    pub engine: Option<&'a mut dyn Engine>,
}

/// What a playout did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct PlayoutTally {
    /// Moves drawn at random.
    pub random_moves: u32,
    /// Moves of the engine.
    pub engine_moves: u32,
    /// Forced passes.
    pub passes: u32,
}

impl Playout<'_> {
    /// Plays `game` on until the board holds `phase` + 4 discs, and stops right there, also where
    /// the next side must pass or the game is over. `false`: it ended before.
    ///
    /// Draws from `rng`, pinned: with 0 < `ai_probability`, one draw says whose move it is; a
    /// random move is one draw among the legal squares in the order a1, b1 … h8.
    pub(super) fn play(
        &mut self,
        phase: u8,
        game: &mut Game,
        rng: &mut GameRng,
        tally: &mut PlayoutTally,
    ) -> Result<bool, EngineError> {
        while game.board().phase() < phase {
            let mut legal = game.board().legal_moves();
            if legal == 0 {
                if !game.pass_if_forced() {
                    return Ok(false);
                }
                tally.passes += 1;
                legal = game.board().legal_moves();
            }
            let engine = match &mut self.engine {
                Some(engine) if rng.chance(self.ai_probability) => Some(engine),
                _ => None,
            };
            let square = if let Some(engine) = engine {
                tally.engine_moves += 1;
                engine.choose(game)?
            } else {
                tally.random_moves += 1;
                let index = rng.below(legal.count_ones()) as usize;
                Squares(legal)
                    .nth(index)
                    .expect("the index is below the number of legal moves")
            };
            game.play_known(square, game.board().flips(square));
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::StreamKey;
    use crate::board::Move;

    fn random(phase: u8, number: u64) -> (bool, Game, PlayoutTally) {
        let mut game = Game::new();
        let mut tally = PlayoutTally::default();
        let mut playout = Playout {
            ai_probability: 0.0,
            engine: None,
        };
        let mut rng = StreamKey::new(1, "normal", phase).game(number);
        let reached = playout
            .play(phase, &mut game, &mut rng, &mut tally)
            .unwrap();
        (reached, game, tally)
    }

    #[test]
    fn reaches_the_phase_by_legal_moves_and_no_further() {
        for number in 0..200 {
            let (reached, game, tally) = random(30, number);
            if reached {
                assert_eq!(game.board().discs(), 34);
                assert_eq!(tally.random_moves, 30);
                assert!(matches!(game.moves().last(), Some(Move::Play(_))));
            }
            let mut replay = Game::new();
            for &mv in game.moves() {
                replay.play(mv).unwrap();
            }
            assert_eq!(replay.board(), game.board());
        }
    }

    #[test]
    fn games_that_end_early_and_forced_passes_occur_and_are_told() {
        let (mut ended, mut passed, mut over_at_phase) = (0, 0, 0);
        for number in 0..30_000 {
            let (reached, game, tally) = random(58, number);
            let passes = game.moves().iter().filter(|&&mv| mv == Move::Pass).count();
            assert_eq!(passes, tally.passes as usize);
            passed += usize::from(passes > 0);
            if reached {
                over_at_phase += usize::from(game.is_over());
            } else {
                assert!(game.is_over() && game.board().phase() < 58);
                ended += 1;
            }
        }
        assert!(
            ended > 0 && passed > 0 && over_at_phase > 0,
            "{ended} {passed} {over_at_phase}"
        );
    }

    #[test]
    fn full_boards_are_reached() {
        let full = (0..200).filter(|&n| random(60, n).0).count();
        assert!(full > 50, "{full}");
    }
}
