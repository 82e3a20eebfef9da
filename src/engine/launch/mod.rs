//! From a configured engine to one that plays: the only place that knows every kind.

mod check;

pub use check::{SpecError, check_spec};

use super::{Engine, EngineError};
use crate::config::{EngineKind, EngineSpec};
use crate::stop::Stop;

/// Starts an engine, waits until it is ready, and has it answer a known position. When `stop` is
/// requested the engine's process is killed, which ends any wait for it.
///
/// Dropping the engine ends its process. A restart is a drop and another `launch`.
pub fn launch(spec: &EngineSpec, stop: &Stop) -> Result<Box<dyn Engine>, EngineError> {
    let cannot_start = |reason: String| EngineError::CannotStart {
        engine: spec.entry.name.clone(),
        reason,
    };
    check_spec(spec).map_err(|error| cannot_start(error.to_string()))?;
    if stop.is_requested() {
        return Err(EngineError::Stopped);
    }
    match spec.entry.kind {
        EngineKind::Builtin => Err(cannot_start("kind `builtin` is not there yet".to_owned())),
        kind => Err(cannot_start(format!(
            "kind `{}` is not there yet",
            kind.name()
        ))),
    }
}
