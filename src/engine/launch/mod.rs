//! From a configured engine to one that plays.

mod check;

pub use check::{SpecError, check_spec};

use super::kinds::profile;
use super::{Engine, EngineError};
use crate::base::stop::Stop;
use crate::config::{EngineSpec, OptionValue};

/// How often an engine is started that is known to fail at random when it starts: so many failures
/// in a row are no accident.
const STARTS_AT_RANDOM: u32 = 4;

/// How often any other is that ends while it starts: what it died of is mostly there to stay.
const STARTS: u32 = 2;

/// Starts an engine, waits until it is ready, and has it answer two known positions. When `stop`
/// is requested the engine's process is killed, which ends any wait for it. One that ends while it
/// starts is tried once more, or a few times where that is known to help.
///
/// Dropping the engine ends its process. A restart is a drop and another `launch`.
///
/// # Errors
/// [`EngineError::CannotStart`] for a faulty configuration, a program that cannot be run, or a
/// failed start-up test; [`EngineError::StartTimedOut`] and [`EngineError::Exited`] with the
/// engine's own last words.
pub fn launch(spec: &EngineSpec, stop: &Stop) -> Result<Box<dyn Engine>, EngineError> {
    launch_counting(spec, stop, &mut |_| {})
}

/// As [`launch`]; `on_failure` is told of every failed start that another one follows.
///
/// # Errors
/// As those of [`launch`].
pub fn launch_counting(
    spec: &EngineSpec,
    stop: &Stop,
    on_failure: &mut dyn FnMut(&EngineError),
) -> Result<Box<dyn Engine>, EngineError> {
    check_spec(spec).map_err(|error| EngineError::CannotStart {
        engine: spec.entry.name.clone(),
        reason: error.to_string().into(),
    })?;
    let profile = profile(spec);
    tried(
        |said| profile.starts_at_random(spec, said),
        on_failure,
        || match stop.is_requested() {
            true => Err(EngineError::Stopped),
            false => profile.start(spec, stop),
        },
    )
}

fn tried<T>(
    is_random: impl Fn(&str) -> bool,
    on_failure: &mut dyn FnMut(&EngineError),
    mut start: impl FnMut() -> Result<T, EngineError>,
) -> Result<T, EngineError> {
    let mut starts = 0;
    loop {
        starts += 1;
        match start() {
            Err(error @ EngineError::Exited { .. }) => {
                let EngineError::Exited { stderr, .. } = &error else {
                    return Err(error);
                };
                let most = match is_random(stderr.raw()) {
                    true => STARTS_AT_RANDOM,
                    false => STARTS,
                };
                if starts >= most {
                    return Err(error);
                }
                on_failure(&error);
            }
            result => return result,
        }
    }
}

/// Resident memory of one engine in bytes; `None` for engines that nobody has measured. The
/// embedded engine's is a part of rdg's own.
pub fn memory_estimate(spec: &EngineSpec) -> Option<u64> {
    profile(spec).memory(spec)
}

/// With this many empty squares or fewer the engine plays exactly; `None` where nobody knows.
pub fn exact_empties(spec: &EngineSpec) -> Option<u32> {
    profile(spec).exact_empties(spec)
}

/// The scores that the engine tells of moves.
pub fn scoring(spec: &EngineSpec) -> super::Scoring {
    profile(spec).scoring(spec)
}

/// Whether an engine configured like this makes the same moves in the same game, whatever it
/// played before. `options.reproducible` overrules what is known of the kind.
pub fn is_reproducible(spec: &EngineSpec) -> bool {
    match spec.entry.options.get("reproducible") {
        Some(&OptionValue::Bool(said)) => said,
        _ => profile(spec).repeats_games(spec) && spec.threads == 1,
    }
}

/// Why it is not known whether the engine makes the same moves in the same game; `None` where its
/// kind or `options.reproducible` tells.
pub(crate) fn doubt_of_repeats(spec: &EngineSpec) -> Option<String> {
    let said = spec.entry.options.contains_key("reproducible");
    let is_open = is_reproducible(spec) && !said && !profile(spec).is_known_to_repeat();
    is_open.then(|| doubt(&spec.entry.name))
}

/// The same of an engine of this name.
pub(crate) fn doubt(engine: &str) -> String {
    format!(
        "nothing tells whether engine `{engine}` repeats its games; `rdg doctor {engine}` measures \
         it, and `reproducible` in its `options` says it"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::kinds::tests::spec;

    #[test]
    fn nobody_vouches_for_engines_of_unknown_make() {
        let said = |value| [("reproducible", OptionValue::Bool(value))];
        for kind in ["nboard", "gtp"] {
            assert!(doubt_of_repeats(&spec(kind, 1, &[])).is_some(), "{kind}");
            for value in [true, false] {
                let spec = spec(kind, 1, &said(value));
                assert_eq!(doubt_of_repeats(&spec), None, "{kind}");
                assert_eq!(is_reproducible(&spec), value, "{kind}");
            }
            // With several threads it is known not to.
            let mut threads = spec(kind, 1, &[]);
            threads.threads = 4;
            assert_eq!(doubt_of_repeats(&threads), None, "{kind}");
        }
        for kind in ["edax", "egaroucid", "builtin"] {
            assert_eq!(doubt_of_repeats(&spec(kind, 1, &[])), None, "{kind}");
        }
    }

    fn exited(said: &str) -> EngineError {
        EngineError::Exited {
            engine: "egaroucid".to_owned(),
            during: "starting".to_owned(),
            how: "exit code 0".into(),
            stderr: said.into(),
        }
    }

    /// How often it is started when it says this each time, or until `good` starts have failed.
    fn starts(said: &str, good: u32) -> (u32, u32, bool) {
        let (mut starts, mut told) = (0, 0);
        let started = tried(
            |said| said == "at random",
            &mut |_| told += 1,
            || {
                starts += 1;
                match starts > good {
                    true => Ok(()),
                    false => Err(exited(said)),
                }
            },
        );
        (starts, told, started.is_ok())
    }

    #[test]
    fn a_failed_start_is_tried_again_but_not_for_ever() {
        assert_eq!(starts("at random", 2), (3, 2, true));
        assert_eq!(
            starts("at random", 99),
            (STARTS_AT_RANDOM, STARTS_AT_RANDOM - 1, false)
        );
        assert_eq!(starts("evaluation file broken", 1), (2, 1, true));
        assert_eq!(starts("evaluation file broken", 99), (2, 1, false));
        let mut starts = 0;
        let stopped = tried(
            |_| true,
            &mut |_| {},
            || -> Result<(), EngineError> {
                starts += 1;
                Err(EngineError::Stopped)
            },
        );
        assert!(matches!(stopped, Err(EngineError::Stopped)));
        assert_eq!(starts, 1);
    }
}
