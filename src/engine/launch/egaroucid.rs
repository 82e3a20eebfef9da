//! Egaroucid for Console: its command lines, and its unreliable start.

use crate::config::{EngineSpec, OptionValue};
use crate::engine::EngineError;
use std::ffi::OsString;
use std::path::Path;

/// The two ways to talk to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Face {
    /// Sets up positions, scores moves, clears its table.
    Console,
    /// Go Text Protocol: neither.
    Gtp,
}

/// The face that `options.protocol` asks for.
pub fn face(spec: &EngineSpec) -> Face {
    match spec.entry.options.get("protocol") {
        Some(OptionValue::Text(word)) if word == "gtp" => Face::Gtp,
        _ => Face::Console,
    }
}

/// The words after the program's name. `eval_file` is absolute.
pub fn arguments(spec: &EngineSpec, face: Face, eval_file: Option<&Path>) -> Vec<OsString> {
    let fixed: &[&str] = match face {
        Face::Console => &["-q", "-nobook", "-noautopass", "-showvalue"],
        Face::Gtp => &["-gtp", "-q", "-nobook"],
    };
    let mut words: Vec<OsString> = fixed.iter().map(OsString::from).collect();
    for (option, value) in [("-l", spec.level), ("-t", spec.threads)] {
        words.push(option.into());
        words.push(value.to_string().into());
    }
    if let Some(eval_file) = eval_file {
        words.push("-eval".into());
        words.push(eval_file.into());
    }
    words
}

/// The number of empty squares from which on Egaroucid 7.8.1 plays exactly; where its table has not
/// been looked up, the next lower level's.
pub const fn exact_empties(level: u32) -> u32 {
    match level {
        0..=10 => 2 * level,
        11..=14 => 21,
        15..=19 => 22,
        20..=22 => 24,
        23..=28 => 26,
        _ => 30,
    }
}

/// About one start in fifty fails for no reason: an unterminated buffer holds the path of a file
/// that it then does not find. So many starts in a row do not fail by accident.
const STARTS: u32 = 4;

/// Tries again when it ends while starting.
pub fn with_retries<T>(
    mut start: impl FnMut() -> Result<T, EngineError>,
) -> Result<T, EngineError> {
    let mut left = STARTS;
    loop {
        left -= 1;
        match start() {
            Err(EngineError::Exited { .. }) if left > 0 => {}
            result => return result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exited() -> EngineError {
        EngineError::Exited {
            engine: "egaroucid".to_owned(),
            during: "starting".to_owned(),
            how: "exit code 0".to_owned(),
            stderr: String::new(),
        }
    }

    #[test]
    fn a_failed_start_is_tried_again_but_not_for_ever() {
        let mut starts = 0;
        let started = with_retries(|| {
            starts += 1;
            if starts < 3 {
                Err(exited())
            } else {
                Ok(starts)
            }
        });
        assert_eq!(started.unwrap(), 3);
        starts = 0;
        let failed = with_retries(|| -> Result<(), EngineError> {
            starts += 1;
            Err(exited())
        });
        assert!(failed.is_err());
        assert_eq!(starts, STARTS);
        starts = 0;
        let stopped = with_retries(|| -> Result<(), EngineError> {
            starts += 1;
            Err(EngineError::Stopped)
        });
        assert!(matches!(stopped, Err(EngineError::Stopped)));
        assert_eq!(starts, 1);
    }
}
