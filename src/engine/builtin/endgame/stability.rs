//! Discs that can never be turned again, counted low: a bound on what a game can still become.

use std::sync::LazyLock;

/// For each pair of own and opponent discs on an edge, the own discs that no sequence of moves on
/// that edge can turn.
static EDGES: LazyLock<Box<[u8]>> = LazyLock::new(|| {
    let mut table = vec![0u8; 1 << 16];
    // More discs first: a position's successors are known before it is.
    let mut pairs: Vec<(u32, u32)> = (0..256u32)
        .flat_map(|own| (0..256u32).map(move |opponent| (own, opponent)))
        .filter(|(own, opponent)| own & opponent == 0)
        .collect();
    pairs.sort_by_key(|(own, opponent)| std::cmp::Reverse((own | opponent).count_ones()));
    for (own, opponent) in pairs {
        let mut stable = own;
        for square in 0..8 {
            let bit = 1u32 << square;
            if (own | opponent) & bit != 0 {
                continue;
            }
            // Either side may play here; it need not turn discs of this edge.
            let by_own = turned(square, own, opponent);
            let after_own = (own | by_own | bit, opponent & !by_own);
            stable &= u32::from(table[(after_own.0 << 8 | after_own.1) as usize]);
            let by_opponent = turned(square, opponent, own);
            let after_opponent = (own & !by_opponent, opponent | by_opponent | bit);
            stable &= u32::from(table[(after_opponent.0 << 8 | after_opponent.1) as usize]);
        }
        table[(own << 8 | opponent) as usize] = stable as u8;
    }
    table.into_boxed_slice()
});

/// Discs of `other` turned along an edge by a disc of `mover` on `square`.
fn turned(square: u32, mover: u32, other: u32) -> u32 {
    let mut all = 0;
    for step in [1i32, -1] {
        let (mut at, mut run) = (square as i32 + step, 0u32);
        while (0..8).contains(&at) && other >> at & 1 != 0 {
            run |= 1 << at;
            at += step;
        }
        if (0..8).contains(&at) && mover >> at & 1 != 0 {
            all |= run;
        }
    }
    all
}

const FILE_A: u64 = 0x0101_0101_0101_0101;

/// The table of edges, fetched once per search.
#[derive(Clone, Copy)]
pub(in super::super) struct Stability {
    edges: &'static [u8],
}

impl Stability {
    pub(in super::super) fn new() -> Stability {
        Stability { edges: &EDGES }
    }

    /// Number of `own` discs that are certainly never turned.
    #[inline(always)]
    pub(in super::super) fn count(self, own: u64, opponent: u64) -> u32 {
        self.discs(own, opponent).count_ones()
    }

    /// A set of `own` discs that are never turned: stable on an edge, in lines that are full, or
    /// beside stable discs along every line that is not full.
    #[inline(always)]
    pub(in super::super) fn discs(self, own: u64, opponent: u64) -> u64 {
        let occupied = own | opponent;
        let full = full_lines(occupied);
        const INNER: u64 = 0x007e_7e7e_7e7e_7e00;
        let inner = own & INNER;
        let mut stable =
            self.edge_discs(own, opponent) | inner & full[0] & full[1] & full[2] & full[3];
        if stable == 0 {
            return 0;
        }
        loop {
            let rank = stable << 1 | stable >> 1 | full[0];
            let file = stable << 8 | stable >> 8 | full[1];
            let seven = stable << 7 | stable >> 7 | full[2];
            let nine = stable << 9 | stable >> 9 | full[3];
            let grown = stable | rank & file & seven & nine & inner;
            if grown == stable {
                return stable;
            }
            stable = grown;
        }
    }

    #[inline(always)]
    fn edge_discs(self, own: u64, opponent: u64) -> u64 {
        let lookup = |own: u64, opponent: u64| -> u64 {
            u64::from(self.edges[((own & 0xff) << 8 | opponent & 0xff) as usize])
        };
        let top = lookup(own, opponent);
        let bottom = lookup(own >> 56, opponent >> 56) << 56;
        let left = spread(lookup(gather(own), gather(opponent)));
        let right = spread(lookup(gather(own >> 7), gather(opponent >> 7))) << 7;
        top | bottom | left | right
    }
}

/// The a file as eight bits.
#[inline(always)]
fn gather(set: u64) -> u64 {
    (set & FILE_A).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Eight bits as the a file.
#[inline(always)]
fn spread(bits: u64) -> u64 {
    let low = (bits & 0x0f).wrapping_mul(0x0020_4081) & 0x0101_0101;
    let high = (bits >> 4).wrapping_mul(0x0020_4081) & 0x0101_0101;
    low | high << 32
}

/// Squares whose line is full: by rank, by file, by the diagonals of step 7 and of step 9.
#[inline(always)]
fn full_lines(occupied: u64) -> [u64; 4] {
    let mut rank = occupied;
    rank &= rank >> 4;
    rank &= rank >> 2;
    rank &= rank >> 1;
    let rank = (rank & FILE_A).wrapping_mul(0xff);

    let mut file = occupied;
    file &= file.rotate_right(8);
    file &= file.rotate_right(16);
    file &= file.rotate_right(32);

    // A diagonal is followed to the board's edge, beyond which everything counts as full.
    const EDGE: u64 = 0xff81_8181_8181_81ff;
    let diagonal = |step: u32| -> u64 {
        let (mut up, mut down) = (occupied, occupied);
        let edge_or = |set: u64, shifted: u64| set & (shifted | EDGE);
        for _ in 0..6 {
            up = edge_or(up, up >> step);
            down = edge_or(down, down << step);
        }
        up & down
    };
    [rank, file, diagonal(7), diagonal(9)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Squares};
    use proptest::prelude::*;

    #[test]
    fn a_corner_and_its_edge_are_stable() {
        let stability = Stability::new();
        assert_eq!(stability.discs(0x01, 0), 0x01);
        assert_eq!(stability.discs(0x07, 0x10), 0x07);
        // Without a corner a run can still be turned from both ends.
        assert_eq!(stability.discs(0x3c, 0), 0);
        // A full edge is stable whatever its colours.
        assert_eq!(stability.discs(0x5a, 0xa5), 0x5a);
        assert_eq!(
            stability.discs(0x0101_0101_0101_0101, 0),
            0x0101_0101_0101_0101
        );
        // b2 leans on stable discs along every line.
        assert_eq!(stability.discs(0x0001_0307, 0), 0x0001_0307);
    }

    #[test]
    fn every_disc_of_a_full_board_is_stable() {
        let own = 0x1234_5678_9abc_def0;
        assert_eq!(Stability::new().discs(own, !own), own);
    }

    proptest! {
        #[test]
        fn stable_discs_survive_every_continuation(picks in prop::collection::vec(any::<u8>(), 61..300)) {
            let mut board = Board::START;
            // Discs that were found stable, by colour of the side that is to move now.
            let (mut mine, mut yours) = (0u64, 0u64);
            for pick in picks {
                prop_assert_eq!(mine & !board.own, 0);
                prop_assert_eq!(yours & !board.opponent, 0);
                mine |= Stability::new().discs(board.own, board.opponent);
                yours |= Stability::new().discs(board.opponent, board.own);
                let legal = board.legal_moves();
                if legal == 0 {
                    if board.is_game_over() {
                        break;
                    }
                    board = board.passed();
                } else {
                    // Corners are preferred half of the time, so that something becomes stable.
                    let corners = legal & 0x8100_0000_0000_0081;
                    let set = if corners != 0 && pick & 1 == 0 { corners } else { legal };
                    let nth = usize::from(pick >> 1) % set.count_ones() as usize;
                    let square = Squares(set).nth(nth).expect("counted");
                    board = board.after(square, board.flips(square));
                }
                (mine, yours) = (yours, mine);
            }
        }
    }
}
