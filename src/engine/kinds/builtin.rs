//! The embedded engine.

use super::{Profile, Revision, Scoring};
use crate::base::stop::Stop;
use crate::config::{EngineEntry, EngineSpec, Kind, KnownOption, Setting};
use crate::engine::builtin::{Builtin, Level, REVISION, TIMED_TABLE_BITS};
use crate::engine::{Engine, EngineError};

pub(super) struct Embedded;

impl Kind for Embedded {
    fn name(&self) -> &'static str {
        "builtin"
    }

    fn is_embedded(&self) -> bool {
        true
    }

    fn plays_by_time(&self) -> bool {
        true
    }

    fn highest_level(&self) -> Option<u32> {
        Some(60)
    }

    fn options(&self) -> &'static [KnownOption] {
        &[]
    }

    fn passes(&self, _: &EngineEntry, setting: Setting) -> bool {
        setting != Setting::Process
    }
}

impl Profile for Embedded {
    fn start(&self, spec: &EngineSpec, stop: &Stop) -> Result<Box<dyn Engine>, EngineError> {
        let eval_file = spec.entry.eval_file.as_deref();
        let name = &spec.entry.name;
        let engine = match spec.move_time {
            Some(time) => Builtin::by_time(name, time, spec.threads, eval_file, stop)?,
            None => Builtin::new(name, spec.level, spec.threads, eval_file, stop)?,
        };
        Ok(Box::new(engine.with_rule(spec.score_rule)))
    }

    /// A part of rdg's own.
    fn memory(&self, spec: &EngineSpec) -> Option<u64> {
        let bits = match spec.move_time {
            Some(_) => Some(TIMED_TABLE_BITS),
            None => Level::new(spec.level).map(|level| level.table_bits),
        };
        bits.map(|bits| 16 << bits)
    }

    fn exact_empties(&self, spec: &EngineSpec) -> Option<u32> {
        match spec.move_time {
            Some(_) => None,
            None => Level::new(spec.level).map(|level| level.exact_from),
        }
    }

    fn scoring(&self, spec: &EngineSpec) -> Scoring {
        // Level 0 draws its moves.
        match (spec.level, spec.move_time) {
            (0, None) => Scoring::None,
            _ => Scoring::AsAsked,
        }
    }

    fn revision(&self) -> Option<Revision> {
        Some(Revision {
            shown: concat!("rdg ", env!("CARGO_PKG_VERSION")),
            number: REVISION,
        })
    }

    fn protocol(&self) -> &'static str {
        "its protocol"
    }
}
