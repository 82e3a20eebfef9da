//! Stages of the game, each with weights of its own.

/// The most stages: every number of discs has its own.
pub const MAX_STAGES: usize = 54;

/// Discs from which the first stage is shared out: before, games are still alike.
const FIRST_SHARED: usize = 10;

/// Which discs belong to which stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stages {
    number: u8,
    of_discs: [u8; 65],
}

impl Stages {
    /// `number` stages of about the same length, 1 to [`MAX_STAGES`]: the discs from 10 to 64 are
    /// shared out, and the first stage has those before, too.
    pub fn equal(number: usize) -> Stages {
        let number = number.clamp(1, MAX_STAGES);
        let length = 64 - FIRST_SHARED;
        let first = |stage: usize| (FIRST_SHARED + (length * stage + number / 2) / number) as u8;
        let firsts: Vec<u8> = (0..number)
            .map(|s| if s == 0 { 0 } else { first(s) })
            .collect();
        Stages::from_firsts(&firsts).expect("they ascend")
    }

    /// Stages by their smallest number of discs; `None` unless they ascend from 0 to at most 64.
    pub fn from_firsts(firsts: &[u8]) -> Option<Stages> {
        let ascend = firsts.windows(2).all(|pair| pair[0] < pair[1]);
        if firsts.first() != Some(&0) || !ascend || firsts.len() > MAX_STAGES {
            return None;
        }
        if firsts.last().is_some_and(|&last| last > 64) {
            return None;
        }
        let of = |discs: usize| {
            firsts
                .iter()
                .filter(|&&first| usize::from(first) <= discs)
                .count()
        };
        Some(Stages {
            number: firsts.len() as u8,
            of_discs: std::array::from_fn(|discs| of(discs) as u8 - 1),
        })
    }

    /// How many.
    pub fn number(&self) -> usize {
        usize::from(self.number)
    }

    /// The stage of a position with so many discs.
    #[inline(always)]
    pub fn of(&self, discs: u32) -> usize {
        usize::from(self.of_discs[discs.min(64) as usize])
    }

    /// The smallest and the largest number of discs of a stage.
    pub fn discs(&self, stage: usize) -> (u8, u8) {
        let of = |discs: &u8| usize::from(self.of_discs[usize::from(*discs)]) == stage;
        let (mut all, mut back) = (0..=64, (0..=64).rev());
        (all.find(of).unwrap_or(0), back.find(of).unwrap_or(64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_cover_the_game() {
        let nine = Stages::equal(9);
        for (discs, expected) in [(0, 0), (4, 0), (15, 0), (16, 1), (57, 7), (58, 8), (64, 8)] {
            assert_eq!(nine.of(discs), expected, "{discs} discs");
        }
        for number in 1..=MAX_STAGES {
            let stages = Stages::equal(number);
            assert_eq!(stages.number(), number);
            assert_eq!(stages.of(0), 0);
            assert_eq!(stages.of(64), number - 1);
            for stage in 0..number {
                let (first, last) = stages.discs(stage);
                assert!(first <= last, "{number} stages, stage {stage}");
                assert!(stage == 0 || last - first <= 54 / number as u8 + 1);
            }
        }
    }

    #[test]
    fn only_ascending_stages_are_taken() {
        assert_eq!(
            Stages::from_firsts(&[0, 16]).map(|s| s.discs(1)),
            Some((16, 64))
        );
        for bad in [&[] as &[u8], &[1], &[0, 0], &[0, 20, 10], &[0, 65]] {
            assert_eq!(Stages::from_firsts(bad), None, "{bad:?}");
        }
    }
}
