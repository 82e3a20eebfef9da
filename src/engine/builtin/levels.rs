//! What a level means: how deep the middle game is searched, and from where play is exact.

use super::confidence::Confidence;
use super::solve::Reach;

/// Strength settings of one level.
///
/// | level | middle game | to the end from | exact from |
/// |---|---|---|---|
/// | 0 | random legal move | never | never |
/// | 1–20 | `level` plies | see [`Level::reach`] | where it costs about as much |
/// | 21–60 | `level` plies | 2 empties before exact | `level` + 5 empties, at most 60 |
///
/// The numbers of levels 1 to 20 are points on a curve of cost, measured by `cargo bench --bench
/// midgame -- cost`: exact play begins where solving, done once for the rest of the game, takes about
/// as long as searching each of those moves in the way of the middle game. Just before it, the end is
/// searched with growing confidence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// The number that was asked for.
    pub number: u32,
    /// Plies searched in the middle game; 0 at level 0.
    pub depth: u32,
    /// How sure the search of the middle game is of what it leaves out.
    pub confidence: Confidence,
    /// Play is exact when at most this many squares are empty; 0 at level 0.
    pub exact_from: u32,
    /// With so many empties more than `exact_from`, or fewer, the search goes to the end at 99, 95,
    /// 87 and 73 %.
    pub to_end: [u32; 4],
    /// The transposition table holds 2 to the power of this many entries of 16 bytes. Small at
    /// low levels: generation runs one engine per worker, and a small table stays in the cache.
    pub table_bits: u32,
}

/// Plies, exact from, and how many empties earlier the end is searched at 99, 95, 87 and 73 %.
const CURVE: [(u32, u32, [u32; 4]); 20] = [
    (1, 8, [0, 0, 0, 0]),
    (2, 10, [0, 0, 0, 0]),
    (3, 11, [0, 0, 0, 0]),
    (4, 12, [0, 0, 0, 0]),
    (5, 13, [0, 0, 0, 0]),
    (6, 14, [0, 0, 0, 1]),
    (7, 15, [0, 0, 0, 1]),
    (8, 16, [0, 0, 0, 1]),
    (9, 17, [0, 0, 0, 1]),
    (10, 18, [0, 0, 1, 2]),
    (11, 19, [0, 0, 1, 2]),
    (12, 20, [0, 0, 1, 2]),
    (13, 20, [0, 0, 1, 2]),
    (14, 21, [0, 0, 1, 2]),
    (15, 21, [0, 0, 1, 2]),
    (16, 22, [0, 0, 1, 2]),
    (17, 23, [0, 0, 1, 2]),
    (18, 23, [0, 0, 1, 2]),
    (19, 24, [0, 0, 1, 2]),
    (20, 25, [0, 0, 1, 2]),
];

impl Level {
    /// The highest level.
    pub const MAX: u32 = 60;

    /// The settings of a level; `None` above [`Level::MAX`].
    pub const fn new(number: u32) -> Option<Level> {
        let (depth, exact_from, to_end) = match number {
            0 => (0, 0, [0; 4]),
            1..=20 => CURVE[number as usize - 1],
            21..=55 => (number, number + 5, [0, 0, 1, 2]),
            56..=Level::MAX => (number, 60, [0; 4]),
            _ => return None,
        };
        Some(Level {
            number,
            depth,
            confidence: Confidence::P87,
            exact_from,
            to_end,
            table_bits: table_bits(exact_from),
        })
    }

    /// How far a position with so many empty squares is searched. Where the errors of the
    /// evaluation were not measured, the end is not searched before it can be solved.
    pub fn reach(&self, empties: u32, is_measured: bool) -> Reach {
        let plies = self.depth.max(1);
        if empties <= self.exact_from {
            return Reach::End;
        }
        if !is_measured {
            return Reach::Plies(plies);
        }
        let [p73, p87, p95, p99, _] = Confidence::ALL;
        let surest = [p99, p95, p87, p73]
            .into_iter()
            .zip(self.to_end)
            .find(|&(_, more)| empties <= self.exact_from + more);
        match surest {
            Some((confidence, _)) => Reach::Selective {
                plies: empties,
                confidence,
            },
            None => Reach::Selective {
                plies,
                confidence: self.confidence,
            },
        }
    }
}

/// For exact searches from so many empty squares on, the size of a table as [`Level::table_bits`].
pub(super) const fn table_bits(exact_from: u32) -> u32 {
    match exact_from {
        0..=6 => 8,
        7..=10 => 12,
        11..=14 => 14,
        15..=16 => 16,
        17..=18 => 18,
        19..=20 => 20,
        21..=24 => 21,
        _ => 22,
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

    #[test]
    fn a_search_is_surer_the_nearer_the_end_is() {
        // What is searched from a position, as a number that grows with its worth.
        let worth = |reach| match reach {
            Reach::Plies(plies) => (0, plies),
            Reach::Selective { plies, confidence } => (confidence.percent(), plies),
            Reach::End => (100, 0),
            Reach::Within(_) => unreachable!("levels do not look at the clock"),
        };
        for level in (1..=Level::MAX).map_while(Level::new) {
            for empties in 1..60 {
                let (near, far) = (level.reach(empties, true), level.reach(empties + 1, true));
                let is_end = |reach| match reach {
                    Reach::Selective { plies, .. } => plies > level.depth,
                    reach => reach == Reach::End,
                };
                if is_end(far) && is_end(near) {
                    assert!(
                        worth(near).0 >= worth(far).0,
                        "{level:?}, {empties} empties"
                    );
                }
                assert!(is_end(near) || !is_end(far), "{level:?}, {empties} empties");
                let unmeasured = level.reach(empties, false);
                assert_eq!(unmeasured == Reach::End, empties <= level.exact_from);
            }
        }
    }
}
