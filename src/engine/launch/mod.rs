//! From a configured engine to one that plays: the only place that knows every kind.

mod check;
mod edax;
mod egaroucid;
mod memory;
mod program;

pub use check::{SpecError, check_spec};
pub use edax::{hash_bits as edax_hash_bits, table_bits as edax_table_bits};
pub use memory::memory_estimate;

use super::builtin::{Builtin, Level};
use super::child::Process;
use super::egaroucid::{Console, Settings as ConsoleSettings};
use super::gtp::{self, Gtp};
use super::nboard::{self, Nboard};
use super::{Engine, EngineError};
use crate::base::stop::Stop;
use crate::config::{EngineKind, EngineSpec, OptionValue};
use egaroucid::Face;
use program::Program;

/// Starts an engine, waits until it is ready, and has it answer two known positions. When `stop`
/// is requested the engine's process is killed, which ends any wait for it.
///
/// Dropping the engine ends its process. A restart is a drop and another `launch`.
///
/// # Errors
/// [`EngineError::CannotStart`] for a faulty configuration, a program that cannot be run, or a
/// failed start-up test; [`EngineError::StartTimedOut`] and [`EngineError::Exited`] with the
/// engine's own last words.
pub fn launch(spec: &EngineSpec, stop: &Stop) -> Result<Box<dyn Engine>, EngineError> {
    let name = &spec.entry.name;
    check_spec(spec).map_err(|error| EngineError::CannotStart {
        engine: name.clone(),
        reason: error.to_string(),
    })?;
    if stop.is_requested() {
        return Err(EngineError::Stopped);
    }
    let is_reproducible = is_reproducible(spec);
    match spec.entry.kind {
        EngineKind::Builtin => {
            let eval_file = spec.entry.eval_file.as_deref();
            let engine = Builtin::new(name, spec.level, spec.threads, eval_file, stop)?;
            Ok(Box::new(engine))
        }
        EngineKind::Edax => {
            let program = Program::find(spec)?;
            let words = edax::arguments(spec, program.eval_file());
            let process = Process::spawn(&program.command_line(words), stop)?;
            let settings = nboard::Settings {
                timeout: spec.timeout,
                startup_timeout: spec.startup_timeout,
                set_depth: None,
                is_trusted: true,
                has_scores: spec.level > 0,
                is_asked_for_scores: spec.level > 0,
                exact_empties: edax::exact_empties(spec.level),
                is_reproducible,
            };
            Ok(Box::new(Nboard::start(process, settings)?))
        }
        EngineKind::Nboard => {
            let program = Program::find(spec)?;
            let process = Process::spawn(&program.command_line(Vec::new()), stop)?;
            let settings = nboard::Settings {
                timeout: spec.timeout,
                startup_timeout: spec.startup_timeout,
                set_depth: (!program.is_told_level()).then_some(spec.level),
                is_trusted: false,
                has_scores: false,
                is_asked_for_scores: true,
                exact_empties: 0,
                is_reproducible,
            };
            Ok(Box::new(Nboard::start(process, settings)?))
        }
        EngineKind::Gtp => {
            let program = Program::find(spec)?;
            let process = Process::spawn(&program.command_line(Vec::new()), stop)?;
            Ok(Box::new(Gtp::start(process, gtp_settings(spec))?))
        }
        EngineKind::Egaroucid => {
            let program = Program::find(spec)?;
            let face = egaroucid::face(spec);
            let line = program.command_line(egaroucid::arguments(spec, face, program.eval_file()));
            egaroucid::with_retries(|| -> Result<Box<dyn Engine>, EngineError> {
                let process = Process::spawn(&line, stop)?;
                Ok(match face {
                    Face::Console => Box::new(Console::start(
                        process,
                        ConsoleSettings {
                            timeout: spec.timeout,
                            startup_timeout: spec.startup_timeout,
                            has_scores: spec.level > 0,
                            fresh_table: has_fresh_table(spec),
                            is_reproducible,
                        },
                    )?),
                    Face::Gtp => Box::new(Gtp::start(process, gtp_settings(spec))?),
                })
            })
        }
    }
}

fn gtp_settings(spec: &EngineSpec) -> gtp::Settings {
    gtp::Settings {
        timeout: spec.timeout,
        startup_timeout: spec.startup_timeout,
        is_reproducible: is_reproducible(spec),
        asks_first_move: spec.entry.kind == EngineKind::Egaroucid,
    }
}

/// Whether Egaroucid clears its table for each game.
fn has_fresh_table(spec: &EngineSpec) -> bool {
    spec.entry.options.get("fresh_table") != Some(&OptionValue::Bool(false))
}

/// With this many empty squares or fewer the engine plays exactly; `None` where nobody knows.
pub fn exact_empties(spec: &EngineSpec) -> Option<u32> {
    match spec.entry.kind {
        EngineKind::Edax => Some(edax::exact_empties(spec.level)),
        EngineKind::Egaroucid => Some(egaroucid::exact_empties(spec.level)),
        EngineKind::Builtin => Level::new(spec.level).map(|level| level.exact_from),
        EngineKind::Nboard | EngineKind::Gtp => None,
    }
}

/// Whether an engine configured like this makes the same moves in the same game, whatever it
/// played before. `options.reproducible` overrules what is known of the kind.
pub fn is_reproducible(spec: &EngineSpec) -> bool {
    if let Some(&OptionValue::Bool(said)) = spec.entry.options.get("reproducible") {
        return said;
    }
    let of_kind = match spec.entry.kind {
        // Level 0 draws its moves with a seed from the clock.
        EngineKind::Edax => spec.level > 0,
        // Its table survives from game to game, and only the console can clear it.
        EngineKind::Egaroucid => egaroucid::face(spec) == Face::Console && has_fresh_table(spec),
        // Nothing is known of these; `rdg doctor` finds out.
        EngineKind::Nboard | EngineKind::Gtp | EngineKind::Builtin => true,
    };
    of_kind && spec.threads == 1
}
