//! The temporal-difference update of the weights from one finished game. Pure arithmetic: knows
//! no search, no files, no random numbers.
//!
//! **Sign conventions.** Everything is seen from Black: a black disc is the feature +1, a white
//! one −1, an empty square 0; V(s) = Σ weight × feature estimates the reward R, +1000 if Black
//! wins, −1000 if White wins, 0 for a draw. Seen from White, every feature, every V and R change
//! their sign, so δ does too, and the product δ × feature stays what it was: both points of view
//! give the same update, bit for bit. One fixed point of view for the whole game is what matters:
//! with "own − other of whoever is to move", V would jump its sign at each ply.
//!
//! **The sequence** s₀, s₁ … s_T holds the positions between which the players chose moves, a
//! pass adding none: it changes no disc, so its δ would be 0. Steps are taken forwards in time,
//! each with the weights that the step before has left, as in textbook TD(0):
//!
//! - t < T: δ = V(s_{t+1}) − V(s_t), w += α·δ·feature(s_t)
//! - t = T: δ = R − V(s_T), w += α·δ·feature(s_T)

use super::weights::Weights;

/// The reward of a won game; 0 for a draw, the negative for a lost one.
pub const REWARD: f64 = 1000.0;

/// The discs of both colours at one moment of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Discs {
    /// Black's; bit 0 = a1.
    pub black: u64,
    /// White's.
    pub white: u64,
}

impl Discs {
    /// The same moment with the colours exchanged: how White sees it.
    pub const fn swapped(self) -> Discs {
        Discs {
            black: self.white,
            white: self.black,
        }
    }

    /// Black's discs − White's.
    pub const fn difference(self) -> i32 {
        self.black.count_ones() as i32 - self.white.count_ones() as i32
    }

    /// R of a game that ends here.
    fn reward(self) -> f64 {
        REWARD * f64::from(self.difference().signum())
    }

    /// +1 for a black disc, −1 for a white one, 0 for an empty square.
    fn features(self) -> [f64; 64] {
        std::array::from_fn(|i| (self.black >> i & 1) as f64 - (self.white >> i & 1) as f64)
    }
}

/// What one game taught.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Lesson {
    /// Sum of δ² over the steps, the last one included.
    pub squared_errors: f64,
    /// Number of steps.
    pub steps: u64,
    /// δ of the last step: how far the evaluation of the final position was from the result.
    pub final_error: f64,
}

/// V(s): the sum of weight × feature. Eight partial sums, one per file, are added in the order of
/// the files: a fixed order, so that the sum is the same on every machine.
pub fn value(weights: &Weights, discs: Discs) -> f64 {
    dot(&weights.0, &discs.features())
}

fn dot(weights: &[f64; 64], features: &[f64; 64]) -> f64 {
    let mut by_file = [0.0; 8];
    for (w, f) in weights.chunks_exact(8).zip(features.chunks_exact(8)) {
        for file in 0..8 {
            by_file[file] += w[file] * f[file];
        }
    }
    by_file.iter().sum()
}

/// Learns from a finished game: `game` holds s₀ … s_T, `alpha` is the learning rate.
pub fn learn_game(weights: &mut Weights, game: &[Discs], alpha: f64) -> Lesson {
    let mut lesson = Lesson::default();
    let Some(last) = game.last() else {
        return lesson;
    };
    let mut features = game[0].features();
    for next in game[1..].iter().map(Some).chain([None]) {
        let (target, following) = match next {
            Some(next) => {
                let following = next.features();
                (dot(&weights.0, &following), following)
            }
            None => (last.reward(), features),
        };
        let delta = target - dot(&weights.0, &features);
        let step = alpha * delta;
        for (w, f) in weights.0.iter_mut().zip(&features) {
            *w += step * f;
        }
        lesson.squared_errors += delta * delta;
        lesson.steps += 1;
        lesson.final_error = delta;
        features = following;
    }
    lesson
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Game, Square};
    use proptest::prelude::*;

    fn index(name: &str) -> usize {
        usize::from(name.parse::<Square>().expect("a square").index())
    }

    fn positions(moves: &str) -> Vec<Discs> {
        let last = Game::from_move_text(moves).expect("a legal game");
        let mut game = Game::new();
        let mut positions = vec![discs(&game)];
        for &mv in last.moves() {
            game.play(mv).expect("it was legal");
            positions.push(discs(&game));
        }
        positions
    }

    fn discs(game: &Game) -> Discs {
        let (black, white) = game.board().colors(game.color());
        Discs { black, white }
    }

    /// Three moves, worked out by hand (and again in exact fractions by another program), with
    /// α = 1/4, so that every number is exact. The boards:
    ///
    /// | s | Black | White |
    /// |---|---|---|
    /// | 0 start | e4 d5 | d4 e5 |
    /// | 1 f5 | e4 d5 e5 f5 | d4 |
    /// | 2 d6 | e4 e5 f5 | d4 d5 d6 |
    /// | 3 c3 | c3 d4 e4 e5 f5 | d5 d6 |
    ///
    /// | t | V(s) | target | δ | α·δ |
    /// |---|---|---|---|---|
    /// | 0 | 20−30−10−5 = −25 | 20−30+5+8−10 = −7 | 18 | 4.5 |
    /// | 1 | 24.5−25.5+0.5+8−5.5 = 2 | 24.5+0.5+8−(5.5−25.5−6) = 59 | 57 | 14.25 |
    /// | 2 | 38.75+14.75+22.25−(−8.75−11.25−6) = 101.75 | 96.25 | −5.5 | −1.375 |
    /// | 3 | 90.75 | R = 1000 (Black has 5 discs, White 2) | 909.25 | 227.3125 |
    #[test]
    fn three_moves_by_hand() {
        let mut weights = Weights::ZERO;
        for (name, weight) in [
            ("d4", 10.0),
            ("e4", 20.0),
            ("d5", -30.0),
            ("e5", 5.0),
            ("f5", 8.0),
            ("d6", -6.0),
            ("c3", 12.0),
            ("a1", 100.0),
        ] {
            weights.0[index(name)] = weight;
        }
        let game = positions("f5d6c3");
        assert_eq!(value(&weights, game[0]), -25.0);
        assert_eq!(value(&weights, game[1]), -7.0);
        let lesson = learn_game(&mut weights, &game, 0.25);
        let mut expected = [0.0; 64];
        for (name, weight) in [
            ("d4", 219.9375),
            ("e4", 264.6875),
            ("d5", -237.1875),
            ("e5", 240.6875),
            ("f5", 248.1875),
            ("d6", -231.9375),
            ("c3", 239.3125),
            ("a1", 100.0),
        ] {
            expected[index(name)] = weight;
        }
        assert_eq!(weights.0, expected);
        assert_eq!(lesson.steps, 4);
        assert_eq!(lesson.final_error, 909.25);
        let squares = 18.0 * 18.0 + 57.0 * 57.0 + 5.5 * 5.5 + 909.25 * 909.25;
        assert_eq!(lesson.squared_errors, squares);
    }

    /// From zero weights nothing is expected, so only the end teaches: each disc's square moves
    /// by α·R in its owner's favour. Black wins this game with all of its 13 discs.
    #[test]
    fn from_zero_only_the_result_teaches() {
        let game = positions("e6f4e3f6g5d6e7f5c5");
        let mut weights = Weights::ZERO;
        learn_game(&mut weights, &game, 0.001);
        let black = game[9].black;
        for (i, &weight) in weights.0.iter().enumerate() {
            let held = black >> i & 1 != 0;
            assert_eq!(weight, if held { 1.0 } else { 0.0 });
        }
    }

    #[test]
    fn a_draw_is_worth_nothing_and_no_game_teaches_nothing() {
        let even = Discs {
            black: 0x00ff,
            white: 0xff00,
        };
        let mut weights = Weights::ZERO;
        assert_eq!(learn_game(&mut weights, &[even], 0.5).final_error, 0.0);
        assert_eq!(learn_game(&mut weights, &[], 0.5).steps, 0);
        assert_eq!(weights, Weights::ZERO);
    }

    proptest! {
        /// Black's and White's point of view give the same weights, bit for bit.
        #[test]
        fn both_points_of_view_are_one(
            start in prop::collection::vec(-1e3f64..1e3, 64),
            alpha in 1e-4f64..1e-2,
            moves in prop::sample::select(vec!["f5d6c3", "f5f6e6f4", "e6f4e3f6g5d6e7f5c5", "c4c3d3c5b4"]),
        ) {
            let mut black = Weights(start.try_into().expect("64 were drawn"));
            let mut white = black.clone();
            let game = positions(moves);
            let seen_by_white: Vec<Discs> = game.iter().map(|d| d.swapped()).collect();
            let first = learn_game(&mut black, &game, alpha);
            let second = learn_game(&mut white, &seen_by_white, alpha);
            prop_assert_eq!(black.0.map(f64::to_bits), white.0.map(f64::to_bits));
            prop_assert_eq!(first.squared_errors, second.squared_errors);
            prop_assert_eq!(first.final_error, -second.final_error);
        }
    }

    /// A pass changes no disc: with it or without it, the weights are the same.
    #[test]
    fn a_pass_teaches_nothing() {
        let game = positions("f5d6c3");
        let mut with_pass = game.clone();
        with_pass.insert(2, game[2]);
        let (mut a, mut b) = (Weights::corner_table(), Weights::corner_table());
        // The same position twice has δ = 0 the first time.
        learn_game(&mut a, &game, 0.01);
        learn_game(&mut b, &with_pass, 0.01);
        assert_eq!(a, b);
    }

    #[test]
    fn discs_are_counted_for_black() {
        let game = positions("f5");
        assert_eq!(game[1].difference(), 3);
        assert_eq!(game[1].swapped().difference(), -3);
    }
}
