//! What a level means: how deep the middle game is searched and from where play is exact.

/// Strength settings of one level.
///
/// | level | middle game | exact from |
/// |---|---|---|
/// | 0 | random legal move | never |
/// | 1–10 | `level` plies | 2 × `level` empties, at least 4 |
/// | 11–20 | `level` plies | 20 + (`level` − 10) / 2 empties |
/// | 21–60 | `level` plies | `level` + 4 empties, at most 60 |
///
/// Mean time per move in games from phase 20 on, one core (`benches/solver.rs`, 2026): 2 µs at level
/// 1, 5 µs at 2, 50 µs at 4, 0.5 ms at 6, 5 ms at 8, 0.1 s at 10, 1 s at 12, 6 s at 14.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// The number that was asked for.
    pub number: u32,
    /// Plies searched in the middle game; 0 at level 0.
    pub depth: u32,
    /// Play is exact when at most this many squares are empty; 0 at level 0.
    pub exact_from: u32,
    /// The transposition table holds 2 to the power of this many entries of 16 bytes. Small at
    /// low levels: generation runs one engine per worker, and a small table stays in the cache.
    pub table_bits: u32,
}

impl Level {
    /// The highest level.
    pub const MAX: u32 = 60;

    /// The settings of a level; `None` above [`Level::MAX`].
    pub const fn new(number: u32) -> Option<Level> {
        let exact_from = match number {
            0 => 0,
            1 => 4,
            2..=10 => 2 * number,
            11..=20 => 20 + (number - 10) / 2,
            21..=56 => number + 4,
            57..=Level::MAX => 60,
            _ => return None,
        };
        let table_bits = match exact_from {
            0..=6 => 8,
            7..=10 => 12,
            11..=14 => 14,
            15..=16 => 16,
            17..=18 => 18,
            19..=20 => 20,
            21..=24 => 21,
            _ => 22,
        };
        Some(Level {
            number,
            depth: number,
            exact_from,
            table_bits,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strength_never_falls_with_the_level() {
        let levels: Vec<Level> = (0..=Level::MAX).map_while(Level::new).collect();
        assert_eq!(levels.len(), 61);
        for pair in levels.windows(2) {
            assert!(pair[0].depth < pair[1].depth);
            assert!(pair[0].exact_from <= pair[1].exact_from);
            assert!(pair[0].table_bits <= pair[1].table_bits);
        }
        assert!(Level::new(8).is_some_and(|l| l.exact_from >= 16));
        assert!(Level::new(10).is_some_and(|l| l.exact_from >= 16));
        assert_eq!(Level::new(61), None);
    }
}
