//! The start-up test: an engine that cannot play is found before any game counts.
//!
//! Two questions late in a game, cheap at any level: one with six squares left, and one two moves
//! later, after a forced pass. They take an engine through set-up, a move, a pass, and an answer
//! whose legality and sign are known.

use super::EngineError;
use super::answer::Answer;
use crate::board::{Game, Square};

/// A game in which White has to pass after a1 and Black then wins by 44 discs.
const GAME: &str = "e6d6c3f4d7c5g4g3c4g5b5c7f5a5a6d8a4f7f6d3h4c2e7e3g6f8b4b3e2h5b6f3h6g7c6a7d2d1c1b1\
                    a8f2b8a3b7c8a2e1h8h7g8h3e8b2";

/// Puts both questions to an engine. With `knows_better` (an engine whose scores mean something at
/// its level) the won position must not look lost. It may look drawn: Edax says 0 for some moves
/// that it finds without a full search.
pub(super) fn probe(
    engine: &str,
    knows_better: bool,
    mut ask: impl FnMut(&Game) -> Result<Answer, EngineError>,
) -> Result<(), EngineError> {
    let mut game = first_position();
    let failed = |reason: String| EngineError::CannotStart {
        engine: engine.to_owned(),
        reason: format!("it failed the start-up test: {reason}").into(),
    };
    let as_failure = |error: EngineError| match error {
        EngineError::IllegalMove { .. }
        | EngineError::Unintelligible { .. }
        | EngineError::OutOfStep { .. } => failed(error.to_string()),
        other => other,
    };
    ask(&game).map_err(as_failure)?;
    play_on(&mut game);
    let answer = ask(&game).map_err(as_failure)?;
    match answer.score {
        Some(score) if knows_better && score < 0.0 => Err(failed(format!(
            "it scores a position that is won by 44 discs {score}; its evaluation file is wrong \
             or was not loaded, check `eval_file` of [engines.{engine}] in app.toml"
        ))),
        _ => Ok(()),
    }
}

/// Black to move, six squares empty.
pub(super) fn first_position() -> Game {
    Game::from_move_text(GAME).expect("a legal game, as the test below replays it")
}

/// From the first position to the second: Black a1, White passes.
fn play_on(game: &mut Game) {
    let a1 = Square::ALL[0];
    game.play(a1.into())
        .expect("legal there, as the test below replays it");
    game.pass_if_forced();
}

/// Both positions of the test.
#[cfg(test)]
pub(super) fn positions() -> [Game; 2] {
    let mut second = first_position();
    play_on(&mut second);
    [first_position(), second]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, Move};

    #[test]
    fn the_positions_are_what_the_test_needs() {
        let [first, second] = positions();
        assert_eq!((first.board().empties(), first.color()), (6, Color::Black));
        assert_eq!(
            (second.board().empties(), second.color()),
            (5, Color::Black)
        );
        assert_eq!(second.moves().last(), Some(&Move::Pass));
        // The rest as a real engine played it.
        let mut end = second;
        for mv in ["h2", "g2", "h1", "g1", "f1"] {
            end.play(mv.parse().unwrap()).unwrap();
        }
        assert!(end.is_over());
        assert_eq!(end.black_difference(), 44);
    }

    fn answer(game: &Game, score: Option<f64>) -> Result<Answer, EngineError> {
        let legal = game.board().legal_moves();
        Ok(Answer {
            square: Square::new(legal.trailing_zeros() as u8).unwrap(),
            score,
        })
    }

    #[test]
    fn an_engine_that_sees_a_loss_is_refused_where_it_should_know_better() {
        assert!(probe("x", true, |game| answer(game, Some(44.0))).is_ok());
        assert!(probe("x", true, |game| answer(game, None)).is_ok());
        assert!(probe("x", true, |game| answer(game, Some(0.0))).is_ok());
        assert!(probe("x", false, |game| answer(game, Some(-3.0))).is_ok());
        let refusal = probe("x", true, |game| answer(game, Some(-44.0))).unwrap_err();
        assert!(
            refusal
                .to_string()
                .contains("check `eval_file` of [engines.x]")
        );
    }
}
