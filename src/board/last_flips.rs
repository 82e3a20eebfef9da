//! How many discs the very last move of a game turns.
//!
//! With one empty square every other square that is not `own` is the opponent's, so along each of
//! the four lines through the square the eight bits of `own` decide alone.

/// For each place on a line and each set of own discs on it, the number of discs turned.
static TURNED: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut own = 0usize;
        while own < 256 {
            let mut turned = 0;
            // Towards higher places, then towards lower ones: the run ends at the first own disc.
            let mut run = 0;
            let mut at = place + 1;
            while at < 8 {
                if own >> at & 1 != 0 {
                    turned += run;
                    break;
                }
                run += 1;
                at += 1;
            }
            let mut run = 0;
            let mut at = place;
            while at > 0 {
                at -= 1;
                if own >> at & 1 != 0 {
                    turned += run;
                    break;
                }
                run += 1;
            }
            table[place][own] = turned;
            own += 1;
        }
        place += 1;
    }
    table
};

/// The file and both diagonals through a square.
struct Lines {
    file: u64,
    diagonals: [u64; 2],
    /// Where on each diagonal the square stands, counted from its lowest square.
    #[cfg(target_arch = "x86_64")]
    places: [u8; 2],
}

static LINES: [Lines; 64] = {
    let mut all = [const {
        Lines {
            file: 0,
            diagonals: [0; 2],
            #[cfg(target_arch = "x86_64")]
            places: [0; 2],
        }
    }; 64];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square as i32 % 8, square as i32 / 8);
        all[square].file = 0x0101_0101_0101_0101 << file;
        let mut other = 0;
        while other < 64 {
            let (df, dr) = (other % 8 - file, other / 8 - rank);
            if df == dr {
                all[square].diagonals[0] |= 1 << other;
            }
            if df == -dr {
                all[square].diagonals[1] |= 1 << other;
            }
            other += 1;
        }
        #[cfg(target_arch = "x86_64")]
        {
            let below = (1u64 << square) - 1;
            let [first, second] = all[square].diagonals;
            all[square].places[0] = (first & below).count_ones() as u8;
            all[square].places[1] = (second & below).count_ones() as u8;
        }
        square += 1;
    }
    all
};

/// Each line is gathered into a byte by a multiplication: discs of a diagonal keep their file, those
/// of the file are moved to the diagonal first.
#[inline(always)]
pub(super) fn portable(square: u8, own: u64) -> u32 {
    let square = usize::from(square & 63);
    let (file, rank) = (square % 8, square / 8);
    let lines = &LINES[square];
    let by_file = &TURNED[file];
    let by_rank = &TURNED[rank];
    let row = (own >> (8 * rank)) as u8;
    let column =
        ((own >> file & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8;
    let gather = |set: u64| (set.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8;
    u32::from(by_file[usize::from(row)])
        + u32::from(by_rank[usize::from(column)])
        + u32::from(by_file[usize::from(gather(own & lines.diagonals[0]))])
        + u32::from(by_file[usize::from(gather(own & lines.diagonals[1]))])
}

/// The same with the bits of the file extracted by one instruction.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn v3(square: u8, own: u64) -> u32 {
    portable(square, own)
}

/// The same with each line's bits extracted by one instruction, which is fast wherever there is
/// AVX-512.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f,avx512cd,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn v4(square: u8, own: u64) -> u32 {
    use std::arch::x86_64::_pext_u64;
    let square = usize::from(square & 63);
    let (file, rank) = (square % 8, square / 8);
    let lines = &LINES[square];
    let [first, second] = lines.places;
    let turned = |place: usize, bits: u64| u32::from(TURNED[place & 7][(bits & 0xff) as usize]);
    turned(file, own >> (8 * rank))
        + turned(rank, _pext_u64(own, lines.file))
        + turned(usize::from(first), _pext_u64(own, lines.diagonals[0]))
        + turned(usize::from(second), _pext_u64(own, lines.diagonals[1]))
}
