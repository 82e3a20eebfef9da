//! What this machine's CPU can do, as far as engines are built for it.

/// Instruction sets of the CPU.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CpuFeatures {
    /// `x86-64-v3`, `aarch64` …: the newest level of which it has everything.
    pub level: &'static str,
    /// Instruction sets of the next levels that it does not have.
    pub missing: Vec<&'static str>,
}

impl CpuFeatures {
    /// Those of this machine.
    pub(crate) fn look() -> CpuFeatures {
        #[cfg(target_arch = "x86_64")]
        {
            macro_rules! features {
                ($($name:tt),*) => {
                    [$(($name, std::arch::is_x86_feature_detected!($name))),*]
                };
            }
            // The levels of the x86-64 psABI, by the instruction sets that Reversi programs use.
            of_levels(&[
                ("x86-64-v2", &features!["popcnt", "sse4.2", "ssse3"]),
                (
                    "x86-64-v3",
                    &features!["avx2", "bmi1", "bmi2", "fma", "lzcnt"],
                ),
                (
                    "x86-64-v4",
                    &features!["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"],
                ),
            ])
        }
        #[cfg(not(target_arch = "x86_64"))]
        CpuFeatures {
            level: std::env::consts::ARCH,
            missing: Vec::new(),
        }
    }
}

/// Levels that build on each other, with the instruction sets that each one adds.
#[cfg(target_arch = "x86_64")]
fn of_levels(levels: &[(&'static str, &[(&'static str, bool)])]) -> CpuFeatures {
    let mut features = CpuFeatures {
        level: "x86-64",
        missing: Vec::new(),
    };
    for (level, sets) in levels {
        features
            .missing
            .extend(sets.iter().filter(|(_, has)| !has).map(|(name, _)| name));
        if features.missing.is_empty() {
            features.level = level;
        }
    }
    features
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn a_level_needs_all_below_it() {
        let levels = |a, b| of_levels(&[("v2", &[("popcnt", a)]), ("v3", &[("avx2", b)])]);
        assert_eq!(levels(true, true).level, "v3");
        assert_eq!(levels(true, false).level, "v2");
        assert_eq!(levels(true, false).missing, ["avx2"]);
        assert_eq!(levels(false, true).level, "x86-64");
    }
}
