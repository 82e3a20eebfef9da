//! Any engine that speaks NBoard, by the protocol's own page.

use super::{Profile, Scoring, gtp, passes_marks};
use crate::base::stop::Stop;
use crate::config::{Allowed, EngineEntry, EngineKind, EngineSpec, Kind, KnownOption, Setting};
use crate::engine::child::Process;
use crate::engine::launch::is_reproducible;
use crate::engine::nboard::{Dialect, Nboard as Driver, Settings};
use crate::engine::program::Program;
use crate::engine::{Engine, EngineError};

pub(super) struct Nboard;

impl Kind for Nboard {
    fn name(&self) -> &'static str {
        "nboard"
    }

    fn highest_level(&self) -> Option<u32> {
        None
    }

    /// Only the engine knows what levels it has.
    fn usual_level(&self) -> u32 {
        1
    }

    /// Without one, it is not told any.
    fn needs_level(&self, entry: &EngineEntry) -> bool {
        Setting::Level.is_marked(entry)
    }

    fn options(&self) -> &'static [KnownOption] {
        &[KnownOption {
            name: "reproducible",
            allowed: Allowed::Bool,
        }]
    }

    /// The level by `set depth` where the command line does not say it.
    fn passes(&self, entry: &EngineEntry, setting: Setting) -> bool {
        setting == Setting::Level || passes_marks(entry, setting)
    }
}

impl Profile for Nboard {
    fn start(&self, spec: &EngineSpec, stop: &Stop) -> Result<Box<dyn Engine>, EngineError> {
        let program = Program::find(spec)?;
        let process = Process::spawn(&program.command_line(Vec::new()), stop)?;
        let is_on_command_line = Setting::Level.is_marked(&spec.entry);
        let settings = Settings {
            timeout: spec.timeout,
            startup_timeout: spec.startup_timeout,
            dialect: Dialect::Page,
            set_depth: spec.told_level().filter(|_| !is_on_command_line),
            is_trusted: false,
            has_scores: false,
            is_asked_for_scores: true,
            exact_empties: 0,
            is_reproducible: is_reproducible(spec),
        };
        Ok(Box::new(Driver::start(process, settings)?))
    }

    fn is_known_to_repeat(&self) -> bool {
        false
    }

    fn scoring(&self, _: &EngineSpec) -> Scoring {
        Scoring::PerhapsWinnerTakesEmpties
    }

    fn protocol(&self) -> &'static str {
        "NBoard"
    }

    fn sibling(&self) -> Option<EngineKind> {
        Some(EngineKind::new(&gtp::Gtp))
    }
}
