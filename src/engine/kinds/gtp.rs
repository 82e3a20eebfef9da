//! Any engine that speaks the Go Text Protocol.

use super::{Profile, Scoring, nboard, passes_marks};
use crate::base::stop::Stop;
use crate::config::{Allowed, EngineEntry, EngineKind, EngineSpec, Kind, KnownOption, Setting};
use crate::engine::child::Process;
use crate::engine::gtp::{Gtp as Driver, Settings};
use crate::engine::launch::is_reproducible;
use crate::engine::program::Program;
use crate::engine::{Engine, EngineError};

pub(super) struct Gtp;

impl Kind for Gtp {
    fn name(&self) -> &'static str {
        "gtp"
    }

    fn highest_level(&self) -> Option<u32> {
        None
    }

    /// Only the engine knows what levels it has: GRhino has five.
    fn usual_level(&self) -> u32 {
        1
    }

    fn options(&self) -> &'static [KnownOption] {
        &[KnownOption {
            name: "reproducible",
            allowed: Allowed::Bool,
        }]
    }

    /// GTP has no command for any of them.
    fn passes(&self, entry: &EngineEntry, setting: Setting) -> bool {
        passes_marks(entry, setting)
    }
}

impl Profile for Gtp {
    fn start(&self, spec: &EngineSpec, stop: &Stop) -> Result<Box<dyn Engine>, EngineError> {
        let program = Program::find(spec)?;
        let process = Process::spawn(&program.command_line(Vec::new()), stop)?;
        let settings = Settings {
            timeout: spec.timeout,
            startup_timeout: spec.startup_timeout,
            is_reproducible: is_reproducible(spec),
            sizes_board: true,
            asks_first_move: false,
        };
        Ok(Box::new(Driver::start(process, settings)?))
    }

    fn is_known_to_repeat(&self) -> bool {
        false
    }

    fn scoring(&self, _: &EngineSpec) -> Scoring {
        Scoring::None
    }

    fn remedy(&self, spec: &EngineSpec) -> Option<String> {
        let binary = spec.entry.binary.as_deref()?;
        binary
            .ends_with("gtp-rhino")
            .then(|| "run apt install grhino".to_owned())
    }

    fn protocol(&self) -> &'static str {
        "GTP"
    }

    fn sibling(&self) -> Option<EngineKind> {
        Some(EngineKind::new(&nboard::Nboard))
    }
}
