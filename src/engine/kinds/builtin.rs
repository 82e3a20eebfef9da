//! The embedded engine.

use super::{Profile, Revision, Scoring};
use crate::base::stop::Stop;
use crate::config::{EngineEntry, EngineSpec, Kind, KnownOption, Setting};
use crate::engine::builtin::{Builtin, Level, REVISION};
use crate::engine::{Engine, EngineError};

pub(super) struct Embedded;

impl Kind for Embedded {
    fn name(&self) -> &'static str {
        "builtin"
    }

    fn is_embedded(&self) -> bool {
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
        let engine = Builtin::new(name, spec.level, spec.threads, eval_file, stop)?;
        Ok(Box::new(engine.with_rule(spec.score_rule)))
    }

    /// A part of rdg's own.
    fn memory(&self, spec: &EngineSpec) -> Option<u64> {
        Level::new(spec.level).map(|level| 16 << level.table_bits)
    }

    fn exact_empties(&self, spec: &EngineSpec) -> Option<u32> {
        Level::new(spec.level).map(|level| level.exact_from)
    }

    fn scoring(&self, _: &EngineSpec) -> Scoring {
        Scoring::AsAsked
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
