//! This moment, as the JSON files write it and as the wall shows it.
//!
//! A clock that is set to a year that cannot be written (before -9999, after 9999) is found out
//! when a command begins; should it come to be one later, the nearest moment stands for it.

use jiff::tz::TimeZone;
use jiff::{Timestamp, Unit, ZonedDateTime};
use std::time::SystemTime;

/// Whether this machine's clock can be told at all.
///
/// # Errors
/// One sentence with what to do.
pub fn check() -> Result<(), String> {
    check_at(SystemTime::now())
}

fn check_at(time: SystemTime) -> Result<(), String> {
    // So that sums of a few years can be written too.
    let limit: Timestamp = "9990-01-01T00:00:00Z".parse().unwrap_or(Timestamp::MAX);
    match Timestamp::try_from(time) {
        Ok(time) if time < limit => Ok(()),
        _ => Err(
            "the clock of this machine is near the year 10000 or beyond it, which no file can \
             hold; set it right (`date` shows it) and start again"
                .to_owned(),
        ),
    }
}

/// This moment.
pub(crate) fn timestamp() -> Timestamp {
    timestamp_at(SystemTime::now())
}

fn timestamp_at(time: SystemTime) -> Timestamp {
    let nearest = match time < SystemTime::UNIX_EPOCH {
        true => Timestamp::MIN,
        false => Timestamp::MAX,
    };
    Timestamp::try_from(time).unwrap_or(nearest)
}

/// This moment, where the machine stands.
pub(crate) fn local() -> ZonedDateTime {
    timestamp().to_zoned_datetime(TimeZone::system())
}

/// This moment in RFC 3339, UTC, to the millisecond: `2026-01-31T12:34:56.789Z`.
pub fn now() -> String {
    written(timestamp())
}

fn written(time: Timestamp) -> String {
    format!("{:.3}", time.round(Unit::Millisecond).unwrap_or(time))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn now_is_rfc_3339_in_utc() {
        let text = now();
        let parsed: Timestamp = text.parse().unwrap();
        assert!(text.ends_with('Z') && text.len() == 24, "{text}");
        let age = Timestamp::now().as_millisecond() - parsed.as_millisecond();
        assert!((-1..60_000).contains(&age), "{age}");
    }

    #[test]
    fn a_clock_of_any_year_is_told_or_refused() {
        let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        // 2000, 2038, 9989: days since 1970 by the Gregorian calendar.
        for (days, year) in [(10_957, "2000-"), (24_855, "2038-"), (2_928_941, "9989-")] {
            let time = at(days * 86_400);
            assert_eq!(check_at(time), Ok(()), "{year}");
            let text = written(timestamp_at(time));
            assert!(text.starts_with(year), "{text}");
        }
        // The last moment of 9999, the year 10000, and as far as clocks go.
        for seconds in [253_402_300_799, 253_402_300_800, u64::MAX >> 2] {
            let refusal = check_at(at(seconds)).unwrap_err();
            assert!(refusal.contains("year 10000"), "{refusal}");
            let text = written(timestamp_at(at(seconds)));
            assert!(text.starts_with("9999-12-3"), "{text}");
            let zoned = timestamp_at(at(seconds)).to_zoned_datetime(TimeZone::UTC);
            assert!(
                !zoned
                    .strftime("%Y-%m-%dT%H:%M:%S%:z")
                    .to_string()
                    .is_empty()
            );
        }
    }
}
