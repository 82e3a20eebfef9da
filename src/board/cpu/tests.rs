//! Every instruction set against the rules, square by square.

use super::*;
use proptest::prelude::*;

/// Calls `check` with every instruction set that this machine has.
macro_rules! for_each_cpu {
    ($check:expr) => {{
        $check(Portable)?;
        if let Some(cpu) = V3::detect() {
            $check(cpu)?;
        }
        if let Some(cpu) = V4::detect() {
            $check(cpu)?;
        }
    }};
}

/// What turning discs means, square by square along the eight directions.
fn walked(square: u8, own: u64, opponent: u64) -> u64 {
    let mut flipped = 0;
    for (df, dr) in [
        (1, 0),
        (-1, 0),
        (0, 1),
        (0, -1),
        (1, 1),
        (1, -1),
        (-1, 1),
        (-1, -1),
    ] {
        let (mut file, mut rank) = (i32::from(square % 8) + df, i32::from(square / 8) + dr);
        let mut run = 0;
        while (0..8).contains(&file) && (0..8).contains(&rank) {
            let bit = 1u64 << (rank * 8 + file);
            if opponent & bit == 0 {
                if own & bit != 0 {
                    flipped |= run;
                }
                break;
            }
            run |= bit;
            (file, rank) = (file + df, rank + dr);
        }
    }
    flipped
}

fn check<C: Cpu>(cpu: C, own: u64, opponent: u64) -> Result<(), TestCaseError> {
    let mut legal = 0;
    for square in 0..64u8 {
        let bit = 1u64 << square;
        if (own | opponent) & bit == 0 {
            let expected = walked(square, own, opponent);
            prop_assert_eq!(cpu.flips(square, own, opponent), expected, "{}", C::NAME);
            if expected != 0 {
                legal |= bit;
            }
        }
        let full = !(own | bit);
        let expected = walked(square, own & !bit, full).count_ones();
        prop_assert_eq!(cpu.last_flips(square, own & !bit), expected, "{}", C::NAME);
    }
    prop_assert_eq!(cpu.legal_moves(own, opponent), legal, "{}", C::NAME);
    Ok(())
}

proptest! {
    #[test]
    fn every_instruction_set_follows_the_rules(a: u64, b: u64, c: u64) {
        // Evenly mixed, few own discs, few opponent's discs, few empties.
        for (own, opponent) in [(a & !b, b & !a), (a & b & c, !(a & b & c)), (a & !b & c, !a & c), (a | b, !(a | b) & (c | a))] {
            for_each_cpu!(|cpu| check(cpu, own, opponent & !own));
            let sparse = !(a & b & c);
            for_each_cpu!(|cpu| check(cpu, own & sparse, opponent & !own & sparse));
        }
    }
}
