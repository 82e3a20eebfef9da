//! How sure a search must be of what it leaves out.

/// How sure a selective search is, at each place where it leaves moves unsearched, that their value
/// lies outside of the window. Ordered: a surer search is greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Confidence(u8);

impl Confidence {
    /// 73 %: 1.1 standard deviations.
    pub const P73: Confidence = Confidence(0);
    /// 87 %: 1.5 standard deviations.
    pub const P87: Confidence = Confidence(1);
    /// 95 %: 2 standard deviations.
    pub const P95: Confidence = Confidence(2);
    /// 99 %: 2.6 standard deviations.
    pub const P99: Confidence = Confidence(3);
    /// Nothing is left out that could matter.
    pub const FULL: Confidence = Confidence(4);

    /// All of them, the least sure first.
    pub const ALL: [Confidence; 5] = [
        Confidence::P73,
        Confidence::P87,
        Confidence::P95,
        Confidence::P99,
        Confidence::FULL,
    ];

    /// In percent, rounded to whole numbers.
    pub const fn percent(self) -> u32 {
        [73, 87, 95, 99, 100][self.0 as usize]
    }

    /// Standard deviations, in tenths, by which an estimate must clear the window; `None` when no
    /// estimate is good enough.
    #[inline(always)]
    pub(super) const fn tenths(self) -> Option<i32> {
        match self.0 {
            0 => Some(11),
            1 => Some(15),
            2 => Some(20),
            3 => Some(26),
            _ => None,
        }
    }

    /// As the table keeps it, below 8.
    #[inline(always)]
    pub(super) const fn number(self) -> u8 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Share of a normal distribution within ± `deviations` of its mean, by the trapezium rule.
    fn share_within(deviations: f64) -> f64 {
        let steps = 10_000;
        let width = 2.0 * deviations / f64::from(steps);
        let density = |x: f64| (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
        (0..steps)
            .map(|i| {
                let x = -deviations + width * f64::from(i);
                width * (density(x) + density(x + width)) / 2.0
            })
            .sum()
    }

    #[test]
    fn percents_belong_to_their_deviations() {
        for confidence in Confidence::ALL {
            let share = confidence
                .tenths()
                .map_or(1.0, |tenths| share_within(f64::from(tenths) / 10.0));
            let percent = f64::from(confidence.percent());
            assert!((share * 100.0 - percent).abs() < 0.7, "{percent}: {share}");
        }
    }
}
