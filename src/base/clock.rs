//! Points in time as the JSON files write them.

use jiff::{Timestamp, Unit};

/// This moment in RFC 3339, UTC, to the millisecond: `2026-01-31T12:34:56.789Z`.
pub fn now() -> String {
    let now = Timestamp::now();
    format!("{:.3}", now.round(Unit::Millisecond).unwrap_or(now))
}

#[cfg(test)]
mod tests {
    #[test]
    fn now_is_rfc_3339_in_utc() {
        let text = super::now();
        let parsed: jiff::Timestamp = text.parse().unwrap();
        assert!(text.ends_with('Z') && text.len() == 24, "{text}");
        let age = jiff::Timestamp::now().as_millisecond() - parsed.as_millisecond();
        assert!((-1..60_000).contains(&age), "{age}");
    }
}
