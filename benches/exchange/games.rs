//! The games that are played: openings drawn by a fixed rule, then the first legal move.

use rdg::board::{Game, Square, Squares};

/// Games of 20 plies without end, the same ones each time.
pub fn openings() -> impl Iterator<Item = Game> {
    (1..).filter_map(|number: u64| {
        let mut state = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut game = Game::new();
        while game.moves().len() < 20 {
            if game.pass_if_forced() {
                continue;
            }
            let legal = game.board().legal_moves();
            if legal == 0 {
                return None;
            }
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let index = (state >> 33) as usize % legal.count_ones() as usize;
            let square = Squares(legal).nth(index)?;
            game.play(square.into()).ok()?;
        }
        Some(game)
    })
}

/// What the engine answers.
pub fn first_square(game: &Game) -> Square {
    Squares(game.board().legal_moves())
        .next()
        .expect("asked only where there is a move")
}
