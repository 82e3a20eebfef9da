//! Level 0: a random legal move that is still a function of the game alone.

use crate::board::{Game, Move, Square, Squares};

/// One of the legal moves, each about equally likely over all games; `None` when there is none.
/// The same game (start position and moves) always gives the same answer.
pub(super) fn move_of_game(game: &Game) -> Option<Square> {
    let legal = game.board().legal_moves();
    let count = u64::from(legal.count_ones());
    if count == 0 {
        return None;
    }
    let (start, color) = game.start();
    let mut state = mix(mix(start.own) ^ start.opponent.rotate_left(32)) ^ color as u64;
    for &mv in game.moves() {
        let played = match mv {
            Move::Play(square) => u64::from(square.index()),
            Move::Pass => 64,
        };
        state = mix(state ^ played);
    }
    // The high half of a 64 × 64 bit product maps the hash to 0 .. count without a division.
    let nth = (u128::from(state) * u128::from(count)) >> 64;
    Squares(legal).nth(nth as usize)
}

/// The output function of the SplitMix64 generator.
fn mix(value: u64) -> u64 {
    let z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_legal_repeatable_and_spread() {
        let mut seen = [0u32; 64];
        for first in Squares(crate::board::Board::START.legal_moves()) {
            let mut game = Game::new();
            game.play(first.into()).expect("legal");
            while let Some(square) = move_of_game(&game) {
                assert!(game.board().is_legal(square));
                assert_eq!(move_of_game(&game.clone()), Some(square));
                seen[usize::from(square.index())] += 1;
                game.play(square.into()).expect("legal");
                game.pass_if_forced();
            }
            assert!(game.is_over());
        }
        assert!(seen.iter().filter(|&&n| n > 0).count() > 50);
    }

    #[test]
    fn the_generator_is_splitmix64() {
        // Published first outputs for the seeds 0 and 1234567.
        assert_eq!(mix(0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(mix(1_234_567), 6_457_827_717_110_365_317);
    }
}
