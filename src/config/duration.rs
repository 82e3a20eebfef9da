//! Durations as people write them in the configuration and on the command line.

use crate::base::shown::{Foreign, Shown};
use std::time::Duration;

/// Longest duration that is accepted: a hundred years. Deadlines are added to clock readings, which
/// must not overflow.
const LONGEST: f64 = 100.0 * 365.25 * 86400.0;

/// A text that is not a duration.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a duration; write for example 300s, 5m, 1m30s, 250ms or 1.5h")]
pub struct ParseDurationError(Foreign);

/// Reads `300s`, `5m`, `1m30s`, `250ms`, `1.5h`: numbers with the units `h`, `m`, `s`, `ms`, each
/// unit at most once and in this order. A bare `0` needs no unit.
pub fn parse_duration(text: &str) -> Result<Duration, ParseDurationError> {
    let error = || ParseDurationError(text.shown().start(40).into());
    if text == "0" {
        return Ok(Duration::ZERO);
    }
    let mut rest = text;
    let mut seconds = 0.0;
    let mut last_rank = 0;
    while !rest.is_empty() {
        let digits = rest
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .ok_or_else(error)?;
        let (number, after) = rest.split_at(digits);
        let starts_with_digit = number.starts_with(|c: char| c.is_ascii_digit());
        if !starts_with_digit || number.ends_with('.') {
            return Err(error());
        }
        let number: f64 = number.parse().map_err(|_| error())?;
        let letters = after
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(after.len());
        let (unit, after) = after.split_at(letters);
        let (rank, seconds_per_unit) = match unit {
            "h" => (1, 3600.0),
            "m" => (2, 60.0),
            "s" => (3, 1.0),
            "ms" => (4, 0.001),
            _ => return Err(error()),
        };
        if rank <= last_rank {
            return Err(error());
        }
        last_rank = rank;
        seconds += number * seconds_per_unit;
        rest = after;
    }
    if last_rank == 0 || seconds > LONGEST {
        return Err(error());
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| error())
}

/// A duration as [`parse_duration`] reads it: whole seconds as `300s`, else milliseconds.
pub fn format_duration(duration: Duration) -> String {
    match duration.subsec_nanos() {
        0 => format!("{}s", duration.as_secs()),
        _ => format!("{}ms", duration.as_secs_f64() * 1000.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_written() {
        let cases = [
            ("300s", 300_000),
            ("5m", 300_000),
            ("1m30s", 90_000),
            ("250ms", 250),
            ("1.5h", 5_400_000),
            ("1h2m3s4ms", 3_723_004),
            ("0.25s", 250),
            ("0", 0),
            ("0s", 0),
            ("90m", 5_400_000),
            ("1s1ms", 1_001),
        ];
        for (text, milliseconds) in cases {
            let expected = Duration::from_millis(milliseconds);
            assert_eq!(parse_duration(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn everything_else_is_refused() {
        let long_number = format!("{}h", "9".repeat(400));
        let cases = [
            "",
            " ",
            "5",
            "1.5",
            "s",
            "-1s",
            "+1s",
            "1 s",
            " 1s",
            "1s ",
            "1d",
            "1S",
            "1M",
            "1min",
            "1s1s",
            "30s1m",
            "1ms1s",
            "1..5s",
            ".5s",
            "1.s",
            "1e3s",
            "infs",
            "NaNs",
            "1_000s",
            "1h,2m",
            "٣s",
            "99999999999999h",
            &long_number,
        ];
        for text in cases {
            let error = parse_duration(text).expect_err(text);
            assert!(error.to_string().len() < 200, "{error}");
        }
    }
}
