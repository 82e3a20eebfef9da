//! How much memory an engine takes, as far as that is known.

use super::edax;
use crate::config::{EngineKind, EngineSpec};
use crate::engine::builtin::Level;

const MB: u64 = 1_000_000;

/// Resident memory of one engine in bytes; `None` for engines that nobody has measured. The
/// embedded engine's is a part of rdg's own.
///
/// Measured on Edax 4.6 (58 MB with a table of 2^10 entries, 168 MB with 2^22, which makes 26 bytes
/// per entry) and on Egaroucid for Console 7.8.1 (1.28 GB, whatever its `-hash` says).
pub fn memory_estimate(spec: &EngineSpec) -> Option<u64> {
    match spec.entry.kind {
        EngineKind::Edax => {
            let bits = edax::table_bits(spec).clamp(0, 40);
            Some(58 * MB + (26 << bits))
        }
        EngineKind::Egaroucid => Some(1280 * MB),
        EngineKind::Builtin => Level::new(spec.level).map(|level| 16 << level.table_bits),
        EngineKind::Nboard | EngineKind::Gtp => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{EngineEntry, OptionValue};
    use std::collections::BTreeMap;
    use std::time::Duration;

    fn spec(kind: EngineKind, level: u32, hash_bits: Option<i64>) -> EngineSpec {
        let bits = hash_bits.map(|bits| ("hash_bits".to_owned(), OptionValue::Integer(bits)));
        EngineSpec {
            entry: EngineEntry {
                name: "engine".to_owned(),
                kind,
                binary: None,
                eval_file: None,
                level: None,
                threads: None,
                timeout: None,
                startup_timeout: None,
                args: Vec::new(),
                options: BTreeMap::from_iter(bits),
            },
            level,
            threads: 1,
            timeout: Duration::from_secs(1),
            startup_timeout: Duration::from_secs(1),
        }
    }

    #[test]
    fn the_measured_figures_come_out() {
        let edax = |bits| memory_estimate(&spec(EngineKind::Edax, 20, bits)).expect("known");
        assert_eq!(edax(Some(10)) / MB, 58);
        assert_eq!((edax(Some(22)) + MB / 2) / MB, 167);
        assert_eq!(edax(None), edax(Some(22)));
        let egaroucid = spec(EngineKind::Egaroucid, 1, None);
        assert_eq!(memory_estimate(&egaroucid), Some(1_280_000_000));
        assert_eq!(memory_estimate(&spec(EngineKind::Gtp, 1, None)), None);
        let builtin = spec(EngineKind::Builtin, 60, None);
        assert_eq!(memory_estimate(&builtin), Some(64 << 20));
    }
}
